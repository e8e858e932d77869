#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A JSON number, kept as its text so that no digit is lost.
///
///     let price = JSONNumber(Decimal(string: "12.50")!)!
///     print(price.text, price.int64 as Any)               // 12.5 nil
///
/// Two numbers are equal if their exact values are equal: `1.0`, `1` and `1e0` are equal, as are `-0` and `0`.
public struct JSONNumber: Sendable {
  /// The text of the number in the syntax of RFC 8259, such as `-12.50` or `1e2`.
  public let text: String

  /// Creates a number from text that is known to be a JSON number.
  package init(uncheckedText text: String) { self.text = text }

  /// Creates a number from its text. Returns nil unless the whole text is a number as in RFC 8259, without spaces.
  public init?(_ text: String) {
    guard LentBytes.with(text, { NumberText.isNumber($0) }) else { return nil }
    self.text = text
  }

  /// Creates a number from an integer.
  public init(_ value: some BinaryInteger) { text = String(value) }

  /// Creates a number with the shortest text that reads back as the same double. Returns nil if the double is not finite.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    text = NumberText.shortest(value.description)
  }

  /// Creates a number with the shortest text that reads back as the same float. Returns nil if the float is not finite.
  public init?(_ value: Float) {
    guard value.isFinite else { return nil }
    text = NumberText.shortest(value.description)
  }

  /// Creates a number with all digits of a decimal. Returns nil if the decimal is NaN.
  public init?(_ value: Decimal) {
    guard !value.isNaN else { return nil }
    text = NumberText.positional(value)
  }
}

extension JSONNumber {
  /// The value as an integer, or nil if it is not integral or does not fit: `1.0` and `1e2` are integral, `1.5` is not
  /// ([M5](doc:Rules#M5)).
  public var int64: Int64? {
    LentBytes.with(text) { NumberText.int64($0) }
  }

  /// The nearest double, or nil if the number is too large. It may underflow to zero ([D9](doc:Rules#D9)).
  public var double: Double? {
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }

  /// The decimal with exactly this value, or nil if it exceeds 38 digits or `Decimal`'s exponents ([D9](doc:Rules#D9)).
  public var decimal: Decimal? { canonical.decimal }

  /// The value, regardless of its spelling in the text.
  var canonical: CanonicalNumber {
    LentBytes.with(text) { CanonicalNumber($0) }
  }
}

extension JSONNumber: Hashable, CustomStringConvertible, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// Returns whether two numbers have exactly the same value.
  public static func == (left: Self, right: Self) -> Bool {
    UTF8Key(left.text) == UTF8Key(right.text) || left.canonical == right.canonical
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(canonical) }

  /// The number's text.
  public var description: String { text }

  /// Creates a number without a fraction.
  public init(integerLiteral value: Int) { self.init(value) }

  /// Creates a number.
  ///
  /// - Precondition: The value is finite.
  public init(floatLiteral value: Double) {
    guard let number = JSONNumber(value) else { preconditionFailure("JSON cannot represent the number \(value)") }
    self = number
  }
}
