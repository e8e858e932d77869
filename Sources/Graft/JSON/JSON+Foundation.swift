import Foundation

extension JSON {
  /// The maximum nesting depth of a conversion (I15).
  static let deepestConversion = 512

  /// Creates a value from the result of JSONSerialization or an equivalent value: a dictionary with string keys, an array,
  /// a string or other text type, a number, a boolean, an enum with one of these as its raw value, `NSNull`, nil, or ``JSON`` itself.
  ///
  /// Dictionaries have no order, so the members are sorted by the bytes of their keys. Bool and NSNumber are distinguished:
  /// `true` never becomes 1. Decimals keep every digit.
  ///
  /// - Throws: a ``JSONConversionError`` for the first value that is not JSON or is nested more than 512 levels deep.
  public init(foundation value: Any) throws(JSONConversionError) {
    var walker = FoundationWalker()
    self = try walker.convert(value)
  }

  /// The value as JSONSerialization would return it, in Swift's own types: `[String: Any]`, `[Any]`, `String`, `Bool`, or
  /// `NSNull`. A number has the first of these types that fits:
  ///
  /// - Without a fraction or exponent: `Int`, `UInt64`, `Decimal`, `Double`.
  /// - Otherwise: `Double` if its shortest text has the same value, then `Decimal`, then the nearest `Double`.
  ///
  /// A Swift dictionary cannot hold two keys that are canonically equivalent in Unicode. The later one wins.
  public var foundationValue: Any {
    var maker = FoundationMaker()
    return maker.convert(self)
  }
}

extension JSONObject {
  /// The members as a dictionary. See ``JSON/foundationValue``.
  public var foundationValue: [String: Any] { JSON.object(self).foundationValue as? [String: Any] ?? [:] }
}

extension JSONNumber {
  /// The number in the first type that can hold it. See ``JSON/foundationValue``.
  public var foundationValue: Any {
    // No integer type has a negative zero (D9).
    let isWhole = text != "-0" && text.utf8.allSatisfy { NumberText.isDigit($0) || $0 == UInt8(ascii: "-") }
    if isWhole {
      if let value = Int(text) { return value }
      if let value = UInt64(text) { return value }
    }
    if !isWhole, let value = double, JSONNumber(value) == self { return value }
    if let value = decimal { return value }
    return Double(text) ?? 0
  }
}
