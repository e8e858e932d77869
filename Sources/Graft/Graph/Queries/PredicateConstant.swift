#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Captured values, in the form that stores use.
enum PredicateConstant {
  /// Returns a captured value as a term, after unwrapping an optional.
  static func term(_ value: Any) -> PredicateTerm {
    guard let optional = value as? any OptionalValue else { return .constant(value) }
    return optional.wrappedValue.map { term($0) } ?? .null
  }

  /// Returns the stored form of a value; nil if the value has no stored form.
  static func scalar(_ value: Any) -> PredicateScalar? {
    guard let value = value as? any AttributeConvertible else { return nil }
    return scalar(value.attributeValue)
  }

  static func scalar(_ value: AttributeValue) -> PredicateScalar? {
    func constant(_ value: StoreValue, _ kind: PredicateScalar.Kind) -> PredicateScalar {
      PredicateScalar(term: .value(value), kind: kind)
    }
    switch value {
    case .integer(let value): return constant(.integer(value), .integer)
    case .float(let value): return constant(.double(Double(value)), .number)
    case .double(let value): return constant(.double(value), .number)
    case .decimal(let value): return DecimalText.canonical(value).map { constant(.text($0), .decimal) }
    case .boolean(let value): return constant(.integer(value ? 1 : 0), .boolean)
    case .string(let value): return constant(.text(Array(value.utf8)), .string)
    case .date(let value):
      // Like NaN, such a date is not equal to any value.
      if value.timeIntervalSinceReferenceDate.isNaN { return constant(.double(.nan), .date) }
      var scalar = constant(.integer(value.microsecondsSince1970), .date)
      scalar.dates = value.microsecondsReadAsThis
      return scalar
    case .binary(let value): return constant(.binary(Array(value)), .binary)
    case .uuid(let value): return constant(.text(StoreValue.uuidText(CellEncoder.bytes(of: value))), .uuid)
    case .uri(let value): return constant(.text(Array(value.absoluteString.utf8)), .uri)
    case .json(let value): return constant(.text(Array(JSONWriter.text(of: value).utf8)), .json)
    case .list: return constant(.text(Array(JSONWriter.text(of: value.jsonValue).utf8)), .list)
    }
  }

  /// Whether values of a type are compared as they are stored. Other types may define a different comparison.
  static func hasStoredOrder(_ type: Any.Type) -> Bool {
    let type = (type as? any OptionalValue.Type)?.wrappedType ?? type
    let known: [Any.Type] = [
      Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self,
      UInt64.self, Float.self, Double.self, Decimal.self, String.self, Date.self, UUID.self,
    ]
    return known.contains { $0 == type }
  }
}

private protocol OptionalValue {
  var wrappedValue: Any? { get }
  static var wrappedType: Any.Type { get }
}

extension Optional: OptionalValue {
  fileprivate var wrappedValue: Any? { map { $0 } }
  fileprivate static var wrappedType: Any.Type { Wrapped.self }
}

extension PredicateScalar.Kind {
  init(_ attribute: AttributeDescription) { self = attribute.isList ? .list : Self(attribute.type) }

  init(_ type: AttributeType) {
    switch type {
    case .integer16, .integer32, .integer64: self = .integer
    case .float, .double: self = .number
    case .decimal: self = .decimal
    case .boolean: self = .boolean
    case .string: self = .string
    case .date: self = .date
    case .binary: self = .binary
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .json: self = .json
    }
  }
}
