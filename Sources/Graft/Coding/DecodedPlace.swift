#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a place in a decoder may turn out to hold, in the order in which it is asked.
enum DecodedKind: UInt8, CaseIterable {
  case string, boolean, integer, number, object, array, date, binary

  /// Whether it may be asked for first. Dates and data may not: decoders make them of numbers and strings as well.
  var isLikely: Bool { self != .date && self != .binary }
}

/// What it holds.
enum DecodedValue {
  /// Null, a truth value, a number or a string.
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

/// A place in a decoder that can be asked for a value: the root, a member or an element.
protocol DecodedPlace {
  var codingPath: [any CodingKey] { get }
  mutating func isNull() throws -> Bool
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value
  mutating func array() throws -> any UnkeyedDecodingContainer
  mutating func object() throws -> KeyedDecodingContainer<DecodedKey>
}

extension DecodedPlace {
  /// The value, if it is of that kind; nil or an error if not.
  mutating func value(as kind: DecodedKind) throws -> DecodedValue? {
    switch kind {
    case .string: .scalar(.string(try decode(String.self)))
    case .boolean: .scalar(.boolean(try decode(Bool.self)))
    case .integer: try integer()
    case .number: try number()
    case .object: .object(try object())
    case .array: .array(try array())
    // What property lists have and JSON has not stands there as text, in the form that payloads have (M5).
    case .date: .scalar(AttributeValue.date(try decode(Date.self)).jsonValue)
    case .binary: .scalar(AttributeValue.binary(try decode(Data.self)).jsonValue)
    }
  }

  private mutating func integer() throws -> DecodedValue? {
    // Decoding moves an array on to its next element.
    var before = self
    if let value = try? decode(Int.self) {
      // -0.0 is an integer to some decoders, and keeps its sign (D9).
      if value == 0, let zero = try? before.decode(Double.self), zero.sign == .minus {
        return JSONNumber(zero).map { .scalar(.number($0)) }
      }
      return .integer(value)
    }
    return .scalar(.number(JSONNumber(try decode(UInt64.self))))
  }

  /// A number with all the digits that the decoder gives: a `Decimal` has 38, a `Double` 17.
  private mutating func number() throws -> DecodedValue? {
    let decimal = (try? decode(Decimal.self)).flatMap { JSONNumber($0) }
    return try (decimal ?? JSONNumber(try decode(Double.self))).map { .scalar(.number($0)) }
  }
}

/// All of what a decoder holds.
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

/// The next element of an array. What could not be read stays the next one.
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
