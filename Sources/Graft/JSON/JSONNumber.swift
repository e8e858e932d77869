#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A JSON number, kept as its text so that no digit is lost.
///
///     let price = JSONNumber(Decimal(string: "12.50")!)!
///     print(price.text, price.int64 as Any)               // 12.5 nil
///
/// Two numbers are equal when their exact values are: `1.0`, `1` and `1e0` are equal, and so are `-0` and `0`.
public struct JSONNumber: Sendable {
  /// The number as RFC 8259 writes it, such as `-12.50` or `1e2`.
  public let text: String

  /// Takes a text that is known to be a JSON number.
  package init(uncheckedText text: String) { self.text = text }

  /// Takes the text of a number; nil unless RFC 8259 calls it one, without any space.
  public init?(_ text: String) {
    var copy = text
    guard copy.withUTF8({ NumberText.isNumber($0) }) else { return nil }
    self.text = text
  }

  /// An integer.
  public init(_ value: some BinaryInteger) { text = String(value) }

  /// A double, by the shortest text that reads back as the same double; nil if it is not finite.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    text = NumberText.shortest(value.description)
  }

  /// A float, by the shortest text that reads back as the same float; nil if it is not finite.
  public init?(_ value: Float) {
    guard value.isFinite else { return nil }
    text = NumberText.shortest(value.description)
  }

  /// A decimal, with all its digits; nil if it is not a number.
  public init?(_ value: Decimal) {
    guard !value.isNaN else { return nil }
    text = NumberText.positional(value)
  }
}

extension JSONNumber {
  /// The integer, if the number has an integral value that fits: `1.0` and `1e2` do, `1.5` does not (M5).
  public var int64: Int64? {
    var copy = text
    return copy.withUTF8 { NumberText.int64($0) }
  }

  /// The nearest double; nil where the number is beyond the greatest one. May underflow to zero (D9).
  public var double: Double? {
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }

  /// The decimal of exactly this value; nil unless 38 digits and `Decimal`'s exponents are enough (D9).
  public var decimal: Decimal? { canonical.decimal }

  /// The value itself, whatever the text.
  var canonical: CanonicalNumber {
    var copy = text
    return copy.withUTF8 { CanonicalNumber($0) }
  }
}

extension JSONNumber: Hashable, CustomStringConvertible, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// Whether both have exactly the same value.
  public static func == (left: Self, right: Self) -> Bool {
    UTF8Key(left.text) == UTF8Key(right.text) || left.canonical == right.canonical
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(canonical) }

  /// The number's text.
  public var description: String { text }

  /// A number without a fraction.
  public init(integerLiteral value: Int) { self.init(value) }

  /// A number.
  ///
  /// - Precondition: it is finite.
  public init(floatLiteral value: Double) {
    guard let number = JSONNumber(value) else { preconditionFailure("JSON has no number for \(value)") }
    self = number
  }
}
