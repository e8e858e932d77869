/// The built-in value transformers (T2, T8).
package enum BuiltInTransformer: Sendable, Hashable {
  case stringToInteger, stringToDecimal, stringToDouble, unixTime, unixTimeMilliseconds, referenceTime
  /// Date patterns, separated by `|`.
  case dateFormat(String)
  case stringToURL, stringToUUID, lowercase, integerToBoolean, stringToBoolean
  /// The last segment of a path or URL that is not empty (M26).
  case lastPathSegment
  /// The parts of a string between separators.
  case split(String)
  /// Reads leniently, depending on the type of the attribute (T6).
  case lenient(AttributeType)
  /// Reads blank text as null, depending on the type of the attribute.
  case blank(AttributeType)
}

extension BuiltInTransformer {
  /// The transformers without a pattern, in the order of the documentation.
  package static let plain: [BuiltInTransformer] = [
    .stringToInteger, .stringToDecimal, .stringToDouble, .unixTime, .unixTimeMilliseconds, .referenceTime,
    .stringToURL, .stringToUUID, .lowercase, .integerToBoolean, .stringToBoolean, .lastPathSegment, .lenient(.json),
    .blank(.json),
  ]

  /// The transformers with text in parentheses: the word before the parentheses, and an example.
  package static let parameterized: [(word: String, example: BuiltInTransformer)] = [
    ("DateFormat", .dateFormat("yyyy-MM-dd")), ("Split", .split(",")),
  ]

  /// The name in a model file.
  package var name: String {
    switch self {
    case .stringToInteger: "StringToInteger"
    case .stringToDecimal: "StringToDecimal"
    case .stringToDouble: "StringToDouble"
    case .unixTime: "UnixTime"
    case .unixTimeMilliseconds: "UnixTimeMilliseconds"
    case .referenceTime: "ReferenceTime"
    case .dateFormat(let pattern): "DateFormat(\(pattern))"
    case .stringToURL: "StringToURL"
    case .stringToUUID: "StringToUUID"
    case .lowercase: "Lowercase"
    case .integerToBoolean: "IntegerToBoolean"
    case .stringToBoolean: "StringToBoolean"
    case .lastPathSegment: "LastPathSegment"
    case .split(let separator): "Split(\(separator))"
    case .lenient: "Lenient"
    case .blank: "Blank"
    }
  }

  /// Finds a transformer by its name. `DateFormat(...)` and `Split(...)` may contain any text between their parentheses,
  /// well-formed or not.
  ///
  /// - Parameter type: the type of the attribute, on which `Lenient` and `Blank` depend.
  package init?(named name: String, for type: AttributeType = .json) {
    if let pattern = BuiltInTransformer.text(in: name, after: "DateFormat") {
      self = .dateFormat(pattern)
    } else if let separator = BuiltInTransformer.text(in: name, after: "Split") {
      self = .split(separator)
    } else {
      guard let plain = BuiltInTransformer.plain.first(where: { $0.name == name }) else { return nil }
      switch plain {
      case .lenient: self = .lenient(type)
      case .blank: self = .blank(type)
      default: self = plain
      }
    }
  }

  /// Returns the text in the parentheses after a word, or nil if the name does not begin with that word.
  private static func text(in name: String, after word: String) -> String? {
    // Compare bytes, because a combining mark forms one character with the parenthesis before it.
    let opening = "\(word)(".utf8
    guard name.utf8.starts(with: opening), name.utf8.last == UInt8(ascii: ")") else { return nil }
    return String(decoding: name.utf8.dropFirst(opening.count).dropLast(), as: UTF8.self)
  }

  /// The types of attributes that can hold the output.
  package var attributeTypes: [AttributeType] {
    switch self {
    case .stringToInteger: [.integer16, .integer32, .integer64, .decimal, .double, .float]
    case .stringToDecimal: [.decimal]
    case .stringToDouble: [.double, .float]
    case .unixTime, .unixTimeMilliseconds, .referenceTime, .dateFormat: [.date]
    case .stringToURL: [.uri]
    case .stringToUUID: [.uuid]
    case .lowercase, .lastPathSegment: [.string]
    case .integerToBoolean, .stringToBoolean: [.boolean]
    case .split, .lenient, .blank: AttributeType.allCases
    }
  }

  /// The JSON types of values between transformers.
  package enum JSONForm: String, Sendable {
    case text = "text"
    case number = "a number"
    case boolean = "a boolean"
    case list = "a list"
  }

  /// The JSON type that the transformer reads; nil if there are several.
  package var jsonInput: JSONForm? {
    switch self {
    case .integerToBoolean: .number
    case .unixTime, .unixTimeMilliseconds, .referenceTime, .lenient, .blank: nil
    default: .text
    }
  }

  /// The JSON type that the transformer returns; nil if there are several.
  package var jsonOutput: JSONForm? {
    switch self {
    case .stringToInteger, .stringToDecimal, .stringToDouble: .number
    case .integerToBoolean, .stringToBoolean: .boolean
    case .split: .list
    case .lenient, .blank: nil
    default: .text
    }
  }

  /// The transformer, or nil if the text in its parentheses is malformed.
  package var transformer: ValueTransformer? {
    switch self {
    case .stringToInteger, .stringToDecimal, .stringToDouble: numberTransformer
    case .unixTime: timeTransformer(decimals: 0, unit: "seconds")
    case .unixTimeMilliseconds: timeTransformer(decimals: 3, unit: "milliseconds")
    case .referenceTime: timeTransformer(decimals: 0, unit: "seconds", since: 2001, BuiltInTransformer.referenceDate)
    case .dateFormat(let patterns): (try? DateFormat.formats(patterns)).map(dateTransformer)
    case .stringToURL, .stringToUUID, .lowercase, .lastPathSegment: textTransformer
    case .split(let separator): separator.isEmpty ? nil : splitTransformer(separator)
    case .integerToBoolean, .stringToBoolean: booleanTransformer
    case .lenient(let type): lenientTransformer(for: type)
    case .blank(let type): blankTransformer(for: type)
    }
  }

  /// Returns a transformer that wraps closures over JSON. It throws if `read` returns nil (T2) or `write` does not accept
  /// the stored value.
  func make(
    input: String, output: AttributeType, expected: String, _ read: @escaping @Sendable (JSON) -> AttributeValue?,
    reverse write: @escaping @Sendable (AttributeValue) -> JSON?
  ) -> ValueTransformer {
    ValueTransformer(
      name: name, builtIn: self, input: input, output: output.nounPhrase,
      forward: { json in
        guard let value = read(json) else { throw TransformerInputError(expected: expected) }
        return value
      },
      reverse: { value in
        guard let json = write(value) else { throw TransformerInputError(expected: output.nounPhrase) }
        return json
      })
  }
}
