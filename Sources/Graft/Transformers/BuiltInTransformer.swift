/// The built-in value transformers (T2).
package enum BuiltInTransformer: Sendable, Hashable {
  case stringToInteger, stringToDecimal, stringToDouble, unixTime, unixTimeMilliseconds, dateFormat(String)
  case stringToURL, stringToUUID, lowercase, integerToBoolean, stringToBoolean
  /// Depends on the type of the attribute (T6).
  case lenient(AttributeType)
}

extension BuiltInTransformer {
  /// The transformers without a pattern, in the order of the documentation.
  package static let plain: [BuiltInTransformer] = [
    .stringToInteger, .stringToDecimal, .stringToDouble, .unixTime, .unixTimeMilliseconds, .stringToURL, .stringToUUID,
    .lowercase, .integerToBoolean, .stringToBoolean, .lenient(.json),
  ]

  /// The name in a model file.
  package var name: String {
    switch self {
    case .stringToInteger: "StringToInteger"
    case .stringToDecimal: "StringToDecimal"
    case .stringToDouble: "StringToDouble"
    case .unixTime: "UnixTime"
    case .unixTimeMilliseconds: "UnixTimeMilliseconds"
    case .dateFormat(let pattern): "DateFormat(\(pattern))"
    case .stringToURL: "StringToURL"
    case .stringToUUID: "StringToUUID"
    case .lowercase: "Lowercase"
    case .integerToBoolean: "IntegerToBoolean"
    case .stringToBoolean: "StringToBoolean"
    case .lenient: "Lenient"
    }
  }

  /// Finds a transformer by its name. `DateFormat(...)` may contain any text between its parentheses, well-formed or not.
  ///
  /// - Parameter type: the type of the attribute, on which `Lenient` depends.
  package init?(named name: String, for type: AttributeType = .json) {
    // Compare bytes: a combining mark forms one character with the parenthesis before it.
    let opening = "DateFormat(".utf8
    if name.utf8.starts(with: opening), name.utf8.last == UInt8(ascii: ")") {
      self = .dateFormat(String(decoding: name.utf8.dropFirst(opening.count).dropLast(), as: UTF8.self))
      return
    }
    guard let plain = BuiltInTransformer.plain.first(where: { $0.name == name }) else { return nil }
    if case .lenient = plain { self = .lenient(type) } else { self = plain }
  }

  /// The types of attributes that can hold the output.
  package var attributeTypes: [AttributeType] {
    switch self {
    case .stringToInteger: [.integer16, .integer32, .integer64, .decimal, .double, .float]
    case .stringToDecimal: [.decimal]
    case .stringToDouble: [.double, .float]
    case .unixTime, .unixTimeMilliseconds, .dateFormat: [.date]
    case .stringToURL: [.uri]
    case .stringToUUID: [.uuid]
    case .lowercase: [.string]
    case .integerToBoolean, .stringToBoolean: [.boolean]
    case .lenient: AttributeType.allCases
    }
  }

  /// The transformer, or nil if its date pattern is malformed.
  package var transformer: ValueTransformer? {
    switch self {
    case .stringToInteger, .stringToDecimal, .stringToDouble: numberTransformer
    case .unixTime: timeTransformer(decimals: 0, unit: "seconds")
    case .unixTimeMilliseconds: timeTransformer(decimals: 3, unit: "milliseconds")
    case .dateFormat(let pattern): (try? DateFormat(pattern)).map(dateTransformer)
    case .stringToURL, .stringToUUID, .lowercase: textTransformer
    case .integerToBoolean, .stringToBoolean: booleanTransformer
    case .lenient(let type): lenientTransformer(for: type)
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
