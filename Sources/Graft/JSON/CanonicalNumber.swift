#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The exact value of a number: `digits` times ten to the `exponent`, without leading or trailing zeros in the digits. Two numbers have the
/// same value if and only if these parts are equal.
///
///     -12.50   isNegative, digits 125, exponent -1
///     1e2      digits 1, exponent 2
///     -0.0     no digits, exponent 0
package struct CanonicalNumber: Hashable, Sendable {
  /// A power of ten. Exponents too large for an integer are kept as text, so that they still compare exactly.
  package enum Exponent: Hashable, Sendable {
    case small(Int)
    case huge(isNegative: Bool, digits: [UInt8])
  }

  package var isNegative: Bool
  /// The digits as numbers from 0 to 9.
  package var digits: [UInt8]
  package var exponent: Exponent

  /// Creates the value of a JSON number's text. Expected O(length), regardless of the exponent.
  package init(_ bytes: LentBytes) {
    var index = 0
    isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative { index = 1 }
    var digits: [UInt8] = []
    digits.reserveCapacity(bytes.count)
    var fraction = 0
    var inFraction = false
    while index < bytes.count, bytes[index] | 0x20 != UInt8(ascii: "e") {
      if bytes[index] == UInt8(ascii: ".") {
        inFraction = true
      } else {
        if inFraction { fraction += 1 }
        // Leading zeros are dropped.
        if !digits.isEmpty || bytes[index] != 0x30 { digits.append(bytes[index] &- 0x30) }
      }
      index += 1
    }
    var trailing = 0
    while digits.last == 0 {
      digits.removeLast()
      trailing += 1
    }
    self.digits = digits
    guard !digits.isEmpty else {
      isNegative = false
      exponent = .small(0)
      return
    }
    exponent = CanonicalNumber.exponent(bytes[min(index + 1, bytes.count)...], plus: trailing - fraction)
  }

  /// Returns the exponent after the `e`, plus a shift.
  private static func exponent(_ bytes: Slice<LentBytes>, plus shift: Int) -> Exponent {
    let isNegative = bytes.first == UInt8(ascii: "-")
    var digits = bytes.filter(NumberText.isDigit).map { $0 &- 0x30 }
    digits.trimLeadingZeros()
    if digits.count <= 18 {
      let value = digits.reduce(0) { $0 * 10 + Int($1) }
      let sum = (isNegative ? -value : value) + shift
      // The exponent is limited to eighteen digits, as below, so that each exponent has only one form.
      if sum.magnitude < 1_000_000_000_000_000_000 { return .small(sum) }
      return .huge(isNegative: sum < 0, digits: String(sum.magnitude).utf8.map { $0 &- 0x30 })
    }
    // Add the shift digit by digit. It is far smaller than the exponent, so the sign does not change.
    var carry = isNegative ? -shift : shift
    for index in digits.indices.reversed() where carry != 0 {
      let sum = Int(digits[index]) + carry
      let digit = ((sum % 10) + 10) % 10
      digits[index] = UInt8(digit)
      carry = (sum - digit) / 10
    }
    while carry > 0 {
      digits.insert(UInt8(carry % 10), at: 0)
      carry /= 10
    }
    digits.trimLeadingZeros()
    guard digits.count <= 18 else { return .huge(isNegative: isNegative, digits: digits) }
    let value = digits.reduce(0) { $0 * 10 + Int($1) }
    return .small(isNegative ? -value : value)
  }

  /// The value as an integer, or nil if it is not integral or does not fit.
  package var int64: Int64? { rounded(timesTenTo: 0, exactly: true) }

  /// Returns the value times a power of ten, rounded half away from zero, or nil if it does not fit.
  ///
  /// - Parameter exactly: whether to also return nil if the result would have to be rounded.
  package func rounded(timesTenTo power: Int, exactly: Bool = false) -> Int64? {
    integer(timesTenTo: power, exactly: exactly, roundsUpFrom: 5)
  }

  /// Returns the value times a power of ten, rounded toward zero, or nil if it does not fit.
  package func truncated(timesTenTo power: Int) -> Int64? {
    integer(timesTenTo: power, exactly: false, roundsUpFrom: 10)
  }

  /// Whether the value times a power of ten is exactly between two integers.
  package func isMidway(timesTenTo power: Int) -> Bool {
    guard case .small(let exponent) = exponent, exponent + power == -1 else { return false }
    return digits.last == 5
  }

  /// - Parameter digit: the smallest omitted digit for which the result is rounded away from zero.
  private func integer(timesTenTo power: Int, exactly: Bool, roundsUpFrom digit: UInt8) -> Int64? {
    guard !digits.isEmpty else { return 0 }
    guard case .small(let exponent) = exponent else {
      // The value is too large, or too close to zero.
      if case .huge(isNegative: true, digits: _) = self.exponent, !exactly { return 0 }
      return nil
    }
    let places = exponent + power
    guard places >= 0 || !exactly, digits.count + places <= 19 else { return nil }
    let kept = min(digits.count, digits.count + places)
    guard kept >= 0 else { return 0 }
    var magnitude: UInt64 = 0
    for index in 0..<(digits.count + places) {
      // There are at most 19 digits, so this cannot overflow.
      magnitude = magnitude * 10 + (index < kept ? UInt64(digits[index]) : 0)
    }
    if kept < digits.count, digits[kept] >= digit { magnitude += 1 }
    if isNegative { return magnitude <= UInt64(Int64.max) + 1 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil }
    return Int64(exactly: magnitude)
  }
}

extension CanonicalNumber {
  /// The maximum number of digits of a decimal (D9).
  package static let decimalDigits = 38

  /// Whether a decimal can hold exactly this value: at most 38 digits, and an exponent from -128 to 127.
  package var fitsDecimal: Bool {
    guard digits.count <= Self.decimalDigits, case .small(let exponent) = exponent else { return false }
    return (-128...127).contains(exponent)
  }

  /// The decimal with exactly this value, if there is such a decimal. It is computed from integers, so locales and
  /// parsers have no influence.
  package var decimal: Decimal? {
    guard fitsDecimal, case .small(let exponent) = exponent else { return nil }
    guard !digits.isEmpty else { return 0 }
    func integer(_ digits: ArraySlice<UInt8>) -> Decimal {
      Decimal(digits.reduce(0 as UInt64) { $0 * 10 + UInt64($1) })
    }
    let low = integer(digits.suffix(19))
    let high = integer(digits.dropLast(19))
    let magnitude = high.isZero ? low : high * Decimal(sign: .plus, exponent: 19, significand: 1) + low
    return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: magnitude)
  }
}

extension [UInt8] {
  /// Removes the zeros at the front.
  fileprivate mutating func trimLeadingZeros() { removeFirst(prefix { $0 == 0 }.count) }
}
