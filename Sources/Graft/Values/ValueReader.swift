/// A type that the library itself reads from JSON.
protocol JSONReadable: Sendable {
  /// The noun for its values, with an article, for messages: `a string`.
  static var nounPhrase: String { get }

  /// Reads a JSON value. The result is nil if the value is of another kind or does not fit.
  init?(json: JSON)
}

/// Reads values of one type from JSON. A reader is created once for each use, because creating it requires looking up the type's
/// conformances.
struct ValueReader<Value: AttributeConvertible>: Sendable {
  /// The noun for the values, with an article, for messages: `a string`, `one of "good", "evil"`.
  let nounPhrase: String
  /// Reads a JSON value. The result is nil if the value is of another kind or does not fit.
  let read: @Sendable (JSON) -> Value?

  init() {
    nounPhrase = NounPhrase.of(Value.self)
    if let own = Value.self as? any JSONReadable.Type {
      read = ValueReader.own(own)
    } else {
      read = ValueReader.adopted
    }
  }

  private static func own<Own: JSONReadable>(_ type: Own.Type) -> @Sendable (JSON) -> Value? {
    { Own(json: $0) as? Value }
  }

  /// Reads a value as a type that the program defines, which accepts the values of some attribute type.
  @Sendable private static func adopted(_ json: JSON) -> Value? {
    let types: [AttributeType] =
      switch json {
      case .string: [.string, .date, .uuid, .uri, .binary, .json]
      case .number: [.integer64, .double, .decimal, .float, .json]
      case .boolean: [.boolean, .json]
      case .null, .array, .object: [.json]
      }
    for type in types {
      if let value = try? AttributeValue(json: json, type: type), let read = Value(attributeValue: value) {
        return read
      }
    }
    return nil
  }
}

/// The noun for the values of a type in messages.
enum NounPhrase {
  static func of(_ type: any AttributeConvertible.Type) -> String {
    if let own = type as? any JSONReadable.Type { return own.nounPhrase }
    if let type = type as? any CaseIterable.Type, let cases = cases(type), cases.count <= 12 {
      return "one of \(cases.joined(separator: ", "))"
    }
    if let type = type as? any RawRepresentable.Type, let phrase = rawPhrase(type) { return phrase }
    return "a value of type '\(type)'"
  }

  private static func cases<Cases: CaseIterable>(_ type: Cases.Type) -> [String]? {
    let values = type.allCases.compactMap { ($0 as? any AttributeConvertible)?.attributeValue.description }
    return values.isEmpty ? nil : values
  }

  private static func rawPhrase<Raw: RawRepresentable>(_ type: Raw.Type) -> String? {
    (Raw.RawValue.self as? any AttributeConvertible.Type).map(of)
  }
}
