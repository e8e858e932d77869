#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The kinds of values that a decoder can contain, in the order in which they are tried.
enum DecodedKind: UInt8, CaseIterable {
  case string, boolean, integer, number, object, array, date, binary

  /// Whether to try this kind first. False for dates and data, because decoders also create them from numbers and strings.
  var isLikely: Bool { self != .date && self != .binary }
}

/// A value that a decoder contains.
enum DecodedValue {
  /// Null, a boolean, a number or a string.
  case scalar(JSON)
  case integer(Int)
  case array(any UnkeyedDecodingContainer)
  case object(KeyedDecodingContainer<DecodedKey>)
}

/// Any key of a dictionary.
struct DecodedKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// A location in a decoder from which a value can be decoded: the root, a member or an element.
protocol DecodedPlace {
  var codingPath: [any CodingKey] { get }
  mutating func isNull() throws -> Bool
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value
  mutating func array() throws -> any UnkeyedDecodingContainer
  mutating func object() throws -> KeyedDecodingContainer<DecodedKey>
}

extension DecodedPlace {
  /// Returns the value if it is of this kind; returns nil or throws otherwise.
  mutating func value(as kind: DecodedKind) throws -> DecodedValue? {
    switch kind {
    case .string: .scalar(.string(try decode(String.self)))
    case .boolean: .scalar(.boolean(try decode(Bool.self)))
    case .integer: try integer()
    case .number: try number()
    case .object: .object(try object())
    case .array: .array(try array())
    // Property lists have types that JSON lacks. Their values become text, as in payloads (M5). A date that has no text form is
    // refused by the import.
    case .date: .scalar(.string(AttributeValue.date(try decode(Date.self)).description))
    case .binary: .scalar(AttributeValue.binary(try decode(Data.self)).jsonValue)
    }
  }

  private mutating func integer() throws -> DecodedValue? {
    // Decoding advances an array to its next element.
    var before = self
    if let value = try? decode(Int.self) {
      // The sign is checked separately, because some decoders treat -0.0 as an integer.
      return value == 0 ? before.negativeZero() ?? .integer(0) : .integer(value)
    }
    return .scalar(.number(JSONNumber(try decode(UInt64.self))))
  }

  /// Returns a number with all the digits that the decoder provides: 38 as a `Decimal`, 17 as a `Double`.
  private mutating func number() throws -> DecodedValue? {
    var before = self
    let decimal = try? decode(Decimal.self)
    if decimal == 0, let zero = before.negativeZero() { return zero }
    return try (decimal.flatMap { JSONNumber($0) } ?? JSONNumber(try decode(Double.self))).map { .scalar(.number($0)) }
  }

  /// Returns -0.0 with its sign (D9), which neither integers nor `Decimal` can represent; nil if the value is 0.
  private mutating func negativeZero() -> DecodedValue? {
    guard let zero = try? decode(Double.self), zero == 0, zero.sign == .minus else { return nil }
    return JSONNumber(zero).map { .scalar(.number($0)) }
  }
}

/// The whole content of a decoder.
struct DecodedRoot: DecodedPlace {
  let decoder: any Decoder
  var codingPath: [any CodingKey] { decoder.codingPath }
  func isNull() throws -> Bool { try decoder.singleValueContainer().decodeNil() }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try decoder.singleValueContainer().decode(type)
  }
  func array() throws -> any UnkeyedDecodingContainer { try decoder.unkeyedContainer() }
  func object() throws -> KeyedDecodingContainer<DecodedKey> { try decoder.container(keyedBy: DecodedKey.self) }
}

/// The next element of an array. If reading it fails, it remains the next element.
struct DecodedElement: DecodedPlace {
  var container: any UnkeyedDecodingContainer
  var codingPath: [any CodingKey] { container.codingPath }
  mutating func isNull() throws -> Bool { try container.decodeNil() }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try container.decode(type) }
  mutating func array() throws -> any UnkeyedDecodingContainer { try container.nestedUnkeyedContainer() }
  mutating func object() throws -> KeyedDecodingContainer<DecodedKey> {
    try container.nestedContainer(keyedBy: DecodedKey.self)
  }
}

/// A member of an object.
struct DecodedMember: DecodedPlace {
  let container: KeyedDecodingContainer<DecodedKey>
  let key: DecodedKey
  var codingPath: [any CodingKey] { container.codingPath + [key] }
  func isNull() throws -> Bool { try container.decodeNil(forKey: key) }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try container.decode(type, forKey: key) }
  func array() throws -> any UnkeyedDecodingContainer { try container.nestedUnkeyedContainer(forKey: key) }
  func object() throws -> KeyedDecodingContainer<DecodedKey> {
    try container.nestedContainer(keyedBy: DecodedKey.self, forKey: key)
  }
}
