/// Writes integers in decimal, eight digits at a time: a word holds eight digits, with the first in its lowest byte.
enum DigitText {
  /// The character `0` in each byte.
  private static let zeros: UInt64 = 0x3030_3030_3030_3030

  /// The maximum number of bytes that ``write(_:to:)`` writes, including bytes after the last digit.
  static let longest = 20

  /// Writes a number and returns its number of digits. Bytes after the last digit may be overwritten.
  ///
  /// - Parameter room: at least ``longest`` bytes.
  @inline(__always)
  static func write(_ value: UInt64, to room: ByteRoom) -> Int {
    if value < 10 {
      room[0] = 0x30 + UInt8(truncatingIfNeeded: value)
      return 1
    }
    return value < 100_000_000 ? writeShort(value, to: room) : writeLong(value, to: room)
  }

  @inline(__always)
  private static func writeShort(_ value: UInt64, to room: ByteRoom) -> Int {
    let digits = eight(value)
    // Even if the value is zero, its last digit is written.
    let leading = (digits | 1 << 56).trailingZeroBitCount & ~7
    room.store((digits | zeros) >> UInt64(leading))
    return 8 - (leading >> 3)
  }

  @inline(never)
  private static func writeLong(_ value: UInt64, to room: ByteRoom) -> Int {
    let (upper, lower) = value.quotientAndRemainder(dividingBy: 100_000_000)
    let count = upper < 100_000_000 ? writeShort(upper, to: room) : writeLong(upper, to: room)
    room.store(eight(lower) | zeros, at: count)
    return count + 8
  }

  /// Returns a number below 100,000,000 as text of eight digits, with leading zeros if it has fewer.
  @inline(__always)
  static func text(_ value: UInt64) -> UInt64 { eight(value) | zeros }

  /// Returns four two-digit numbers as text of eight digits.
  @inline(__always)
  static func pairs(_ first: Int, _ second: Int, _ third: Int, _ fourth: Int) -> UInt64 {
    let numbers = UInt64(truncatingIfNeeded: first | second << 16 | third << 32 | fourth << 48)
    return digits(ofPairs: numbers) | zeros
  }

  /// Returns the digits of a number below 100,000,000: a number from 0 to 9 in each byte.
  @inline(__always)
  private static func eight(_ value: UInt64) -> UInt64 {
    // Two numbers of four digits, then four numbers of two. The products are exact after the shift for numbers as small as these.
    let upper = value / 10_000
    let fours = upper | (value &- upper &* 10_000) << 32
    let hundreds = ((fours &* 10_486) >> 20) & 0x0000_007F_0000_007F
    return digits(ofPairs: hundreds | (fours &- hundreds &* 100) << 16)
  }

  @inline(__always)
  private static func digits(ofPairs pairs: UInt64) -> UInt64 {
    let tens = ((pairs &* 103) >> 10) & 0x000F_000F_000F_000F
    return tens | (pairs &- tens &* 10) << 8
  }
}
