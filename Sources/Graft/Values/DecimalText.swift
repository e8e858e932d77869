#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Decimals as text. A decimal is stored as its canonical text: all digits, no exponent, no redundant characters. Two decimals are
/// equal if and only if these texts are equal.
///
///     1.50 → 1.5      1e2 → 100      -0.0 → 0      1e-3 → 0.001
package enum DecimalText {
  /// Returns the canonical text of a JSON number, or nil if `Decimal` cannot hold its exact value. This is possible if the number
  /// has at most 38 digits and an exponent from -128 to 127 (D9).
  package static func canonical(_ bytes: LentBytes) -> [UInt8]? {
    if isCanonical(bytes) { return Array(bytes) }
    return text(of: CanonicalNumber(bytes))
  }

  /// Returns whether the number's text is already canonical, and short enough to always fit.
  private static func isCanonical(_ bytes: LentBytes) -> Bool {
    guard bytes.count <= CanonicalNumber.decimalDigits else { return false }
    var hasPoint = false
    for byte in bytes {
      if byte == UInt8(ascii: ".") { hasPoint = true }
      if byte | 0x20 == UInt8(ascii: "e") { return false }
    }
    if hasPoint { return bytes.last != UInt8(ascii: "0") }
    return !(bytes.count == 2 && bytes[0] == UInt8(ascii: "-") && bytes[1] == UInt8(ascii: "0"))
  }

  private static func text(of number: CanonicalNumber) -> [UInt8]? {
    guard number.fitsDecimal, case .small(let exponent) = number.exponent else { return nil }
    guard !number.digits.isEmpty else { return [UInt8(ascii: "0")] }
    var text: [UInt8] = number.isNegative ? [UInt8(ascii: "-")] : []
    let digits = number.digits.map { $0 + 0x30 }
    // The number of digits before the point. Not positive if the number is below 1.
    let whole = digits.count + exponent
    if whole <= 0 {
      text += Array("0.".utf8) + [UInt8](repeating: UInt8(ascii: "0"), count: -whole) + digits
    } else if exponent >= 0 {
      text += digits + [UInt8](repeating: UInt8(ascii: "0"), count: exponent)
    } else {
      text += digits[..<whole] + [UInt8(ascii: ".")] + digits[whole...]
    }
    return text
  }

  /// Returns the canonical text of a decimal, or nil if it is NaN or has more than 38 digits.
  package static func canonical(_ value: Decimal) -> [UInt8]? {
    guard !value.isNaN else { return nil }
    return LentBytes.with(NumberText.positional(value)) { canonical($0) }
  }

  /// Returns the canonical text of a sum, with as many of its decimals as fit, or nil if the digits before the point do not fit.
  package static func sum(_ sum: Decimal) -> [UInt8]? { canonical(sum) ?? average(sum, of: 1) }

  /// Returns the canonical text of a quotient, with as many of its digits as fit, or nil if the digits before the point do not fit.
  package static func average(_ sum: Decimal, of count: Int) -> [UInt8]? {
    var text = Array(NumberText.positional(sum / Decimal(count)).utf8)
    while true {
      if let canonical = LentBytes.with(text, { canonical($0) }) { return canonical }
      guard let point = text.firstIndex(of: UInt8(ascii: ".")) else { return nil }
      text.removeLast()
      if text.count == point + 1 { text.removeLast() }
    }
  }

  /// Returns the decimal with a canonical text.
  package static func decimal(_ bytes: LentBytes) -> Decimal? { CanonicalNumber(bytes).decimal }

  // MARK: Order

  /// Compares canonical texts by their values: negative if the first number is smaller, 0 if they are equal.
  package static func compare(_ left: LentBytes, _ right: LentBytes) -> Int {
    let minus = UInt8(ascii: "-")
    let isLeftNegative = left.first == minus
    let isRightNegative = right.first == minus
    if isLeftNegative != isRightNegative { return isLeftNegative ? -1 : 1 }
    let order = compareMagnitudes(
      left.rest(from: isLeftNegative ? 1 : 0), right.rest(from: isRightNegative ? 1 : 0))
    return isLeftNegative ? -order : order
  }

  /// Compares magnitudes. The number with more digits before the point is larger. Otherwise, the first different digit decides.
  private static func compareMagnitudes(
    _ left: LentBytes, _ right: LentBytes
  ) -> Int {
    let point = UInt8(ascii: ".")
    let leftWhole = left.firstIndex(of: point) ?? left.count
    let rightWhole = right.firstIndex(of: point) ?? right.count
    if leftWhole != rightWhole { return leftWhole < rightWhole ? -1 : 1 }
    for (a, b) in zip(left, right) where a != b { return a < b ? -1 : 1 }
    return left.count == right.count ? 0 : left.count < right.count ? -1 : 1
  }
}
