/// Reads doubles: the double nearest to a decimal, with ties to even, as IEEE 754 and the standard library round.
///
/// Short numbers take one multiplication of doubles. Longer numbers use the algorithm of Eisel and Lemire ("Number Parsing at a
/// Gigabyte per Second", without the fallback, which Mushtak and Lemire proved unnecessary). Numbers with more than 19 digits are
/// bracketed between two numbers with 19 digits. If the results differ, the standard library reads the text.
package enum DoubleText {
  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]

  /// Returns the double nearest to `mantissa` times ten to the `exponent`: zero on underflow, infinity on overflow, which
  /// the caller rejects (D9).
  @inline(__always)
  package static func value(mantissa: UInt64, exponent: Int, isNegative: Bool) -> Double {
    // Both factors are exact doubles, so the operation rounds only once, and correctly.
    if mantissa <= 1 << 53, exponent >= -22, exponent <= 22 {
      let power = powersOfTen.withUnsafeBufferPointer { $0[abs(exponent)] }
      let magnitude = exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
      return isNegative ? -magnitude : magnitude
    }
    let magnitude = nearest(mantissa, exponent)
    return isNegative ? -magnitude : magnitude
  }

  /// Handles the general case. The product of mantissa and power of five is known to at least 128 bits, which is sufficient.
  private static func nearest(_ mantissa: UInt64, _ exponent: Int) -> Double {
    guard mantissa != 0, exponent >= -342 else { return 0 }
    guard exponent <= 308 else { return .infinity }
    let zeros = mantissa.leadingZeroBitCount
    let factor = mantissa << UInt64(zeros)
    let (high, low) = powersOfFive.withUnsafeBufferPointer { powers in
      let index = 2 * (exponent + 342)
      var (high, low) = factor.multipliedFullWidth(by: powers[index])
      // The rest of the power matters only if the bits below the rounding bit are all set.
      if high & 0x1FF == 0x1FF {
        let rest = factor.multipliedFullWidth(by: powers[index + 1]).high
        low = low &+ rest
        if low < rest { high += 1 }
      }
      return (high, low)
    }
    let upper = Int(high >> 63)
    let shift = UInt64(upper + 9)
    var bits = high >> shift
    // (exponent * log2 10) as a fraction of 2^16.
    var power = ((217_706 * exponent) >> 16) + 63 + upper - zeros + 1023
    if power <= 0 {
      // The result is a subnormal number, or zero.
      guard 1 - power < 64 else { return 0 }
      bits >>= UInt64(1 - power)
      bits = (bits + (bits & 1)) >> 1
      // Rounding up may turn a subnormal number into a normal number. The bit pattern is correct in both cases.
      return Double(bitPattern: bits)
    }
    // The value is exactly halfway between two doubles, so it is rounded to even.
    if low <= 1, exponent >= -4, exponent <= 23, bits & 3 == 1, bits << shift == high { bits &= ~1 }
    bits = (bits + (bits & 1)) >> 1
    if bits >= 1 << 53 {
      bits = 1 << 52
      power += 1
    }
    guard power < 0x7FF else { return .infinity }
    return Double(bitPattern: UInt64(power) << 52 | bits & (1 << 52 - 1))
  }

  /// Returns the double nearest to the text of a JSON number, or infinity if it overflows.
  package static func value(_ bytes: LentBytes) -> Double {
    var index = 0
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative { index = 1 }
    var mantissa: UInt64 = 0
    var digits = 0
    var shift = 0
    var isCut = false
    var inFraction = false
    while index < bytes.count, bytes[index] | 0x20 != UInt8(ascii: "e") {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: ".") {
        inFraction = true
      } else if digits < 19 {
        mantissa = mantissa &* 10 &+ UInt64(byte &- 0x30)
        if mantissa != 0 { digits += 1 }
        if inFraction { shift -= 1 }
      } else {
        if byte != 0x30 { isCut = true }
        if !inFraction { shift += 1 }
      }
    }
    let exponent = shift + self.exponent(bytes[min(index + 1, bytes.count)...])
    let low = value(mantissa: mantissa, exponent: exponent, isNegative: isNegative)
    if !isCut || low == value(mantissa: mantissa + 1, exponent: exponent, isNegative: isNegative) { return low }
    return Double(String(decoding: bytes, as: UTF8.self)) ?? .nan
  }

  /// Returns the exponent of these bytes, clamped where a larger exponent makes no difference.
  private static func exponent(_ bytes: Slice<LentBytes>) -> Int {
    var value = 0
    for byte in bytes where NumberText.isDigit(byte) && value < 1 << 40 { value = value * 10 + Int(byte &- 0x30) }
    return bytes.first == UInt8(ascii: "-") ? -value : value
  }

  /// Appends the shortest text that reads back as the same double: `4` for `4.0`, `-0` for `-0.0`.
  ///
  /// - Precondition: The value is finite.
  package static func append(_ value: Double, to bytes: inout [UInt8]) {
    let length = ByteRoom.with(longestPlain) { room in
      let length = writePlain(value, to: room)
      bytes.append(contentsOf: room.bytes(length))
      return length
    }
    if length == 0 { bytes.append(contentsOf: NumberText.shortest(value.description).utf8) }
  }

  /// The maximum number of bytes that ``writePlain(_:to:)`` writes, including bytes after the last digit.
  static let longestPlain = 32

  /// Writes the text that ``append(_:to:)`` would append, if it has no exponent, and returns its length. Otherwise, returns 0.
  /// Unsafe: there must be room for ``longestPlain`` bytes.
  static func writePlain(_ value: Double, to room: ByteRoom) -> Int {
    let magnitude = value.magnitude
    guard let (digits, places) = shortDecimal(magnitude) ?? shortestDecimal(magnitude) else { return 0 }
    if value < 0 { room[0] = UInt8(ascii: "-") }
    let start = value < 0 ? 1 : 0
    let text = room + start
    if places == 0 { return start + DigitText.write(digits, to: text) }
    // The digits are written one byte further back, to make room for the point.
    let count = DigitText.write(digits, to: text + 1)
    let whole = count - places
    if whole > 0 {
      for index in 0..<whole { text[index] = text[index + 1] }
      text[whole] = UInt8(ascii: ".")
      return start + count + 1
    }
    // The text consists of 0.00 and the digits.
    (text + (2 - whole)).copy(text + 1, count)
    for index in 0..<(2 - whole) { text[index] = UInt8(ascii: "0") }
    text[1] = UInt8(ascii: ".")
    return start + places + 2
  }

  /// Returns the digits of a double that is a decimal with few digits, as an integer, and how many of them follow the point.
  ///
  /// A decimal of at most 15 digits reads back as itself, so the first decimal found that reads as the double is the shortest.
  @inline(__always)
  private static func shortDecimal(_ magnitude: Double) -> (digits: UInt64, places: Int)? {
    // Zero may be negative, and small numbers are written with exponents.
    guard magnitude >= 1e-3, magnitude < 1e9 else { return nil }
    // Most other numbers, such as measurements, have many more digits.
    let thousandths = magnitude * 1000
    guard abs(thousandths - Double(Int(thousandths + 0.5))) < 1e-3 else { return nil }
    var power = 1.0
    for places in 0...3 {
      let digits = Int(magnitude * power + 0.5)
      if Double(digits) / power == magnitude { return (UInt64(truncatingIfNeeded: digits), places) }
      power *= 10
    }
    return nil
  }

  /// Returns the shortest decimal that reads back as a double. If there are several, returns the nearest of them. Returns nil if
  /// the double is written with an exponent or has no fraction of 53 bits.
  ///
  /// This is Giulietti's Schubfach ("The Schubfach way to render doubles", 2020), for numbers whose powers of ten fit in a
  /// word: here, values that it approximates for other numbers are exact.
  @inline(__always)
  private static func shortestDecimal(_ magnitude: Double) -> (digits: UInt64, places: Int)? {
    guard magnitude >= 1e-4, magnitude < 0x1p53 else { return nil }
    let integer = Int(magnitude)
    if Double(integer) == magnitude { return (UInt64(truncatingIfNeeded: integer), 0) }
    // The double is `significand` times two to the `exponent`, which is from -66 to -1.
    let fraction = magnitude.significandBitPattern
    let significand = fraction | 1 << 52
    let exponent = Int(magnitude.exponentBitPattern) - 1075
    // Below a power of two, doubles are half as far apart.
    let isPower = fraction == 0
    // The powers of ten with at least one multiple, and at most ten, that read back as the double.
    var places = -((exponent * 1_262_611 - (isPower ? 524_031 : 0)) >> 22)
    let power = powersOfFive.withUnsafeBufferPointer { $0[2 * (342 + places)] }
    let shift = UInt64(truncatingIfNeeded: exponent + ((places * 1_741_647) >> 19) + 1)
    /// Returns four times the number of such multiples in a value. The last bit is set if there is a remainder.
    @inline(__always) func multiples(_ quarters: UInt64) -> UInt64 {
      let (high, low) = power.multipliedFullWidth(by: quarters << shift)
      return high | (low == 0 ? 0 : 1)
    }
    let value = multiples(4 * significand)
    // Decimals on the bounds are rounded to the double if its significand is even.
    let isOdd = significand & 1
    let lower = multiples(4 * significand - (isPower ? 1 : 2)) + isOdd
    let upper = multiples(4 * significand + 2) - isOdd
    var digits = value / 4
    let tens = digits / 10
    let isTensInside = lower <= 40 * tens
    if isTensInside != (40 * tens + 40 <= upper) {
      digits = tens + (isTensInside ? 0 : 1)
      places -= 1
    } else {
      let isInside = lower <= 4 * digits
      if isInside != (4 * digits + 4 <= upper) {
        digits += isInside ? 0 : 1
      } else {
        // Both neighboring decimals read back as the double. The nearer neighbor is used or, if both are equally near, the even one.
        let middle = 4 * digits + 2
        if value > middle || value == middle && digits & 1 == 1 { digits += 1 }
      }
    }
    while places > 0 {
      let (shorter, last) = digits.quotientAndRemainder(dividingBy: 10)
      if last != 0 { break }
      digits = shorter
      places -= 1
    }
    return (digits, places)
  }

  /// Appends the shortest text that reads back as the same float.
  ///
  /// - Precondition: The value is finite.
  package static func append(_ value: Float, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: NumberText.shortest(value.description).utf8)
  }
}
