/// Reads doubles: the nearest one to a decimal, ties to even, as IEEE 754 and the standard library round.
///
/// Short numbers take one multiplication of doubles. Others use the algorithm of Eisel and Lemire ("Number Parsing at a
/// Gigabyte per Second", without the fallback, which Mushtak and Lemire proved unnecessary). Numbers of more than 19 digits
/// are bracketed between two of 19. If these differ, the standard library reads the text.
package enum DoubleText {
  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]

  /// Returns the double nearest to `mantissa` times ten to the `exponent`: zero on underflow, infinity on overflow, which
  /// the caller rejects (D9). nil would mean undecided, so that the caller asks the standard library. At present it never
  /// returns nil.
  @inline(__always)
  package static func value(mantissa: UInt64, exponent: Int, isNegative: Bool) -> Double? {
    // Both factors are exact doubles, so the operation rounds only once, and correctly.
    if mantissa <= 1 << 53, exponent >= -22, exponent <= 22 {
      let power = powersOfTen.withUnsafeBufferPointer { $0[abs(exponent)] }
      let magnitude = exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
      return isNegative ? -magnitude : magnitude
    }
    let magnitude = nearest(mantissa, exponent)
    return isNegative ? -magnitude : magnitude
  }

  /// Handles the general case. The product of mantissa and power of five is known to at least 128 bits, which decides.
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
      // A subnormal number, or zero.
      guard 1 - power < 64 else { return 0 }
      bits >>= UInt64(1 - power)
      bits = (bits + (bits & 1)) >> 1
      // Rounding up may make it normal. The bit pattern is right in both cases.
      return Double(bitPattern: bits)
    }
    // Exactly half way between two doubles: round to even.
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
  package static func value(_ bytes: UnsafeBufferPointer<UInt8>) -> Double {
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
    if let low = value(mantissa: mantissa, exponent: exponent, isNegative: isNegative) {
      if !isCut { return low }
      if low == value(mantissa: mantissa + 1, exponent: exponent, isNegative: isNegative) { return low }
    }
    return Double(String(decoding: bytes, as: UTF8.self)) ?? .nan
  }

  /// Returns the exponent of these bytes, clamped where a larger one makes no difference.
  private static func exponent(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    var value = 0
    for byte in bytes where NumberText.isDigit(byte) && value < 1 << 40 { value = value * 10 + Int(byte &- 0x30) }
    return bytes.first == UInt8(ascii: "-") ? -value : value
  }

  /// Appends the shortest text that reads back as the same double: `4` for `4.0`, `-0` for `-0.0`.
  ///
  /// - Precondition: The value is finite.
  package static func append(_ value: Double, to bytes: inout [UInt8]) {
    let length = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longestShort) { room in
      let length = room.baseAddress.map { writeShort(value, to: $0) } ?? 0
      bytes.append(contentsOf: room[..<length])
      return length
    }
    if length == 0 { bytes.append(contentsOf: NumberText.shortest(value.description).utf8) }
  }

  /// The most bytes that ``writeShort(_:to:)`` writes.
  static let longestShort = 16

  /// Writes the same text if the value is a decimal of few digits, and returns its length; 0 if it is none. Unsafe: there must be
  /// room for ``longestShort`` bytes.
  static func writeShort(_ value: Double, to room: UnsafeMutablePointer<UInt8>) -> Int {
    guard let (digits, places) = shortDecimal(value) else { return 0 }
    var count = 1
    var power: UInt64 = 10
    while count < 12, power <= digits {
      power &*= 10
      count += 1
    }
    let sign = value < 0 ? 1 : 0
    if value < 0 { room[0] = UInt8(ascii: "-") }
    let length = sign + max(count, places + 1) + (places > 0 ? 1 : 0)
    var (rest, place) = (digits, length)
    while place > sign {
      place -= 1
      if places > 0, place == length - places - 1 {
        room[place] = UInt8(ascii: ".")
        continue
      }
      let shorter = rest / 10
      room[place] = 48 + UInt8(truncatingIfNeeded: rest &- shorter &* 10)
      rest = shorter
    }
    return length
  }

  /// The digits of a double that is a decimal of few digits, as an integer, and how many of them are behind the point.
  ///
  /// A decimal of at most 15 digits reads back as itself, so the first one found that reads as the double is the shortest.
  @inline(__always)
  private static func shortDecimal(_ value: Double) -> (digits: UInt64, places: Int)? {
    let magnitude = value.magnitude
    // Zero may be negative, and small numbers are written with exponents.
    guard magnitude >= 1e-3, magnitude < 1e9 else { return nil }
    // Most others have many more digits, as measurements do.
    let thousandths = magnitude * 1000
    guard abs(thousandths - Double(UInt64(thousandths + 0.5))) < 1e-3 else { return nil }
    var power = 1.0
    for places in 0...3 {
      let digits = UInt64(magnitude * power + 0.5)
      if Double(digits) / power == magnitude { return (digits, places) }
      power *= 10
    }
    return nil
  }

  /// Appends the shortest text that reads back as the same float.
  ///
  /// - Precondition: The value is finite.
  package static func append(_ value: Float, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: NumberText.shortest(value.description).utf8)
  }
}
