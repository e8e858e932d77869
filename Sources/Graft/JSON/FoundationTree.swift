import Foundation

/// Builds Foundation values from text, in the types of ``JSON/foundationValue``.
enum FoundationTree: JSONTreeMaking {
  static var null: Any { NSNull() }
  static func boolean(_ value: Bool) -> Any { value }
  static func number(_ value: RawNumber) -> Any {
    // Nearly all numbers are integers with few digits.
    if value.isShortInteger, !value.isNegative || value.mantissa != 0 { return Int(value.int64) }
    if let double = double(value) { return double }
    return JSONNumber(uncheckedText: String(decoding: value.bytes, as: UTF8.self)).foundationValue
  }
  static func string(_ value: String) -> Any { value }
  static func array(_ values: [Any]) -> Any { values }
  static func object(_ keys: [String], _ values: MemberValues<Any>) -> Any {
    var members: [String: Any] = [:]
    members.reserveCapacity(keys.count)
    for (index, key) in keys.enumerated() { members[key] = values.take(index) }
    return members
  }

  /// The index of each key among the keys of a form. The dictionary of an object reuses this hash table, so none of the object's
  /// keys is hashed or compared.
  struct Form {
    let places: [String: Int]
    /// The indexes of keys that a later, canonically equivalent key replaces.
    let replaced: [Int]
  }

  static func form(_ keys: [String]) -> Form {
    var places: [String: Int] = [:]
    places.reserveCapacity(keys.count)
    let replaced = keys.enumerated().compactMap { place, key in places.updateValue(place, forKey: key) }
    return Form(places: places, replaced: replaced)
  }

  static func object(of form: Form, _ values: MemberValues<Any>) -> Any {
    for place in form.replaced { _ = values.take(place) }
    return form.places.mapValues { values.take($0) }
  }

  /// Returns a double if its shortest text is the text of the number.
  private static func double(_ number: RawNumber) -> Double? {
    guard number.bytes.contains(UInt8(ascii: ".")), let value = number.double else { return nil }
    // A double keeps 15 digits of any number that is not close to its limits (IEEE 754).
    if number.mantissa < 1_000_000_000_000_000, abs(number.exponent) < 250, !number.isTruncated { return value }
    guard number.count <= 24 else { return nil }
    var text: [UInt8] = []
    text.reserveCapacity(24)
    DoubleText.append(value, to: &text)
    return text.elementsEqual(number.bytes) ? value : nil
  }
}
