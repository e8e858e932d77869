import Foundation

/// The result that ``DecoderReader`` builds from a decoder's content.
protocol DecodedTree {
  associatedtype Value
  static func scalar(_ value: JSON) -> Value
  static func integer(_ value: Int) -> Value
  static func array(_ values: [Value]) -> Value
  static func object(_ members: [String: Value]) -> Value
}

/// Builds JSON. Members are sorted by the bytes of their keys, because decoders do not preserve order.
enum DecodedJSON: DecodedTree {
  static func scalar(_ value: JSON) -> JSON { value }
  static func integer(_ value: Int) -> JSON { .number(JSONNumber(value)) }
  static func array(_ values: [JSON]) -> JSON { .array(values) }
  static func object(_ members: [String: JSON]) -> JSON {
    .object(
      JSONObject(
        uncheckedMembers: members.sorted { UTF8Key.precedes($0.key, $1.key) }.map { (key: $0.key, value: $0.value) }))
  }
}

/// Builds dictionaries and arrays, which an import reads in model order (I7).
enum DecodedDictionaries: DecodedTree {
  static func scalar(_ value: JSON) -> Any { value.foundationValue }
  static func integer(_ value: Int) -> Any { value }
  static func array(_ values: [Any]) -> Any { values }
  static func object(_ members: [String: Any]) -> Any { members }
}
