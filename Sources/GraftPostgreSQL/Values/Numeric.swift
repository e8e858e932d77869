import Foundation

/// A `numeric` in the binary format: digits in base 10000, without leading or trailing zeros.
///
///     12345.678      0001 2345 . 6780
///     count of digits (3) | weight of the first one (1, times 10000) | sign | digits after the point to show (3) | digits
///
/// Conversions are exact, or throw.
struct Numeric {
  private var digits: [UInt16]
  private var weight: Int
  private var isNegative: Bool
  private var scale: Int

  var byteCount: Int { 8 + 2 * digits.count }

  private enum Sign {
    static let plus: UInt16 = 0x0000
    static let minus: UInt16 = 0x4000
    static let nan: UInt16 = 0xC000
    static let infinity: UInt16 = 0xD000
    static let minusInfinity: UInt16 = 0xF000
  }

  func write(to buffer: inout BinaryBuffer) {
    buffer.append(Int16(digits.count))
    buffer.append(Int16(weight))
    buffer.append(isNegative ? Sign.minus : Sign.plus)
    buffer.append(UInt16(scale))
    for digit in digits { buffer.append(digit) }
  }

  // MARK: From a decimal

  /// - Throws: if the value is NaN, or has 39 digits, only some of which a decimal can hold.
  init(_ value: Decimal) throws(PostgreSQLError) {
    guard !value.isNaN else { throw PostgreSQLError(.invalidValue, "the decimal is not a number (NaN)") }
    let (magnitude, exponent) = (value.significand.magnitude, value.exponent)
    isNegative = value.isSignMinus
    let integer = NSDecimalNumber(decimal: magnitude).uint64Value
    // Most numbers fit in an integer, which is used only if it converts back to the same value.
    if Decimal(integer) == magnitude, let number = Numeric(integer, exponent) {
      (digits, weight, scale) = (number.digits, number.weight, number.scale)
      isNegative = isNegative && !digits.isEmpty
      return
    }
    // The description has all digits of an integer, but takes much longer to compute.
    let decimals = magnitude.description.utf8.map { $0 &- UInt8(ascii: "0") }
    (digits, weight, scale) = try Numeric.grouped(decimals, exponent)
  }

  /// Creates a number with an integer as its digits. Fails if the digits do not fit in an integer when aligned.
  private init?(_ integer: UInt64, _ exponent: Int) {
    var (integer, exponent) = (integer, exponent)
    while integer > 0, integer % 10 == 0 { (integer, exponent) = (integer / 10, exponent + 1) }
    scale = integer == 0 ? 0 : max(0, -exponent)
    // Digits are aligned to powers of 10000.
    while exponent & 3 != 0 {
      let (product, overflow) = integer.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      (integer, exponent) = (product, exponent - 1)
    }
    digits = []
    while integer > 0 {
      digits.append(UInt16(integer % 10_000))
      integer /= 10_000
    }
    weight = digits.isEmpty ? 0 : exponent / 4 + digits.count - 1
    digits.reverse()
    isNegative = false
  }

  /// Groups decimal digits, most significant first.
  private static func grouped(
    _ digits: [UInt8], _ exponent: Int
  ) throws(PostgreSQLError) -> (digits: [UInt16], weight: Int, scale: Int) {
    var (decimals, exponent) = (Array(digits.drop { $0 == 0 }), exponent)
    while decimals.last == 0 {
      decimals.removeLast()
      exponent += 1
    }
    guard !decimals.isEmpty else { return ([], 0, 0) }
    guard decimals.count <= maximumDigits else { throw tooLong }
    let scale = max(0, -exponent)
    while exponent & 3 != 0 {
      decimals.append(0)
      exponent -= 1
    }
    var groups: [UInt16] = []
    var group: UInt16 = 0
    for (index, digit) in decimals.enumerated() {
      group = group * 10 + UInt16(digit)
      if (decimals.count - index) % 4 == 1 {
        groups.append(group)
        group = 0
      }
    }
    return (groups, exponent / 4 + groups.count - 1, scale)
  }

  // MARK: To a decimal

  /// Reads the binary format.
  ///
  /// - Parameter dropsDecimals: whether the last decimal places are omitted if a `Decimal` cannot hold them.
  /// - Throws: if the value is NaN or infinite, or if `Decimal` cannot hold it exactly because it has more than 38 digits, or an
  ///   exponent above 127 or below -128.
  static func decimal(
    _ bytes: UnsafeRawBufferPointer, dropsDecimals: Bool = false
  ) throws(PostgreSQLError) -> Decimal {
    func word(_ index: Int) -> UInt16 {
      UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))
    }
    guard bytes.count >= 8, bytes.count == 8 + 2 * Int(word(0)) else { throw damaged }
    let count = Int(word(0))
    let sign = word(2)
    switch sign {
    case Sign.plus, Sign.minus: break
    case Sign.nan: throw PostgreSQLError(.invalidValue, "the numeric is NaN, which is not a decimal")
    case Sign.infinity, Sign.minusInfinity:
      throw PostgreSQLError(.invalidValue, "the numeric is infinite, which is not a decimal")
    default: throw damaged
    }
    var exponent = 4 * (Int(Int16(bitPattern: word(1))) - count + 1)
    let decimalSign: FloatingPointSign = sign == Sign.minus ? .minus : .plus
    if count <= 4 {
      // The fast path covers most numbers: 16 digits fit in an integer.
      var value: UInt64 = 0
      for index in 0..<count { value = value * 10_000 + UInt64(try digit(word(4 + index))) }
      if value == 0 { return 0 }
      while value % 10 == 0 { (value, exponent) = (value / 10, exponent + 1) }
      return try decimal(decimalSign, exponent, Decimal(value))
    }
    var decimals: [UInt8] = []
    decimals.reserveCapacity(4 * count)
    for index in 0..<count {
      let group = try digit(word(4 + index))
      for power: UInt16 in [1000, 100, 10, 1] { decimals.append(UInt8(group / power % 10)) }
    }
    decimals = Array(decimals.drop { $0 == 0 })
    while let last = decimals.last,
      last == 0 || dropsDecimals && exponent < 0 && (decimals.count > maximumDigits || exponent < -128)
    {
      decimals.removeLast()
      exponent += 1
    }
    guard decimals.count <= maximumDigits else { throw tooLong }
    let low = integer(decimals.suffix(19))
    let high = integer(decimals.dropLast(19))
    let magnitude = high.isZero ? low : high * Decimal(sign: .plus, exponent: 19, significand: 1) + low
    return try decimal(decimalSign, exponent, magnitude)
  }

  /// Every number with at most this many digits fits in a decimal.
  private static let maximumDigits = 38

  private static func integer(_ digits: ArraySlice<UInt8>) -> Decimal {
    Decimal(digits.reduce(0 as UInt64) { $0 * 10 + UInt64($1) })
  }

  private static func digit(_ word: UInt16) throws(PostgreSQLError) -> UInt16 {
    guard word < 10_000 else { throw damaged }
    return word
  }

  private static func decimal(
    _ sign: FloatingPointSign, _ exponent: Int, _ magnitude: Decimal
  ) throws(PostgreSQLError) -> Decimal {
    guard -128...127 ~= exponent else { throw tooLong }
    return Decimal(sign: sign, exponent: exponent, significand: magnitude)
  }

  private static var damaged: PostgreSQLError {
    PostgreSQLError(.invalidValue, "the binary form of a numeric is damaged")
  }

  private static var tooLong: PostgreSQLError {
    PostgreSQLError(
      .invalidValue,
      "the numeric has more than 38 digits or an exponent out of -128...127, so no decimal holds it exactly")
  }
}
