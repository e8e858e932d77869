/// Converts between RFC 3339 text (D9) and microseconds since 1970, which is how dates are stored.
///
///     2014-08-31T00:29:15Z            20 bytes, the form that is written
///     2014-08-31t02:29:15.25+02:00    the same moment and a quarter of a second
///     2016-12-31T23:59:60Z            a leap second, read as the second after it
///
/// Dates outside the years 0000 to 9999 (in UTC) have no RFC 3339 text and cannot be read. If a program sets such a date, it is
/// written as in ISO 8601, with a sign and all digits of its year. That text cannot be read back.
package enum DateText {
  /// The range of RFC 3339 in microseconds: the years 0000 to 9999.
  package static let range: ClosedRange<Int64> = -62_167_219_200_000_000...253_402_300_799_999_999

  /// Returns a date, or nil if the text is not a date. Fractions are rounded half up to the microsecond.
  ///
  /// Date and time are at fixed offsets, so they are read as two and a half words:
  ///
  ///     2014-08-  31T00:29  :15
  package static func microseconds(_ bytes: LentBytes) -> Int64? {
    guard bytes.count >= 20 else { return nil }
    let word = bytes.word(from: 0)
    var next = bytes.word(from: 8)
    if bytes[10] == UInt8(ascii: "t") || bytes[10] == UInt8(ascii: " ") { next = next & ~0xFF_0000 | 0x54_0000 }
    // "0000-00-" and "00T00:00", from the last byte to the first.
    guard let start = DigitPairs(word, like: 0x2D30_302D_3030_3030, bounds: 0x7F76_767F_7676_7676),
      let middle = DigitPairs(next, like: 0x3030_3A30_3054_3030, bounds: 0x7676_7F76_767F_7676),
      bytes[16] == UInt8(ascii: ":"), NumberText.isDigit(bytes[17]), NumberText.isDigit(bytes[18])
    else { return nil }
    let year = start.pair(0) * 100 + start.pair(2)
    let month = start.pair(5)
    let day = middle.pair(0)
    let hour = middle.pair(3)
    let minute = middle.pair(6)
    let second = Int(bytes[17] &- 0x30) &* 10 &+ Int(bytes[18] &- 0x30)
    guard month &- 1 < 12, month > 0, day > 0, day <= CivilDate.days(inMonth: month, of: year), hour < 24, minute < 60,
      second <= 60
    else { return nil }
    var seconds = CivilDate.days(year, month, day) &* 86_400 &+ hour &* 3_600 &+ minute &* 60 &+ second
    if bytes.count == 20, bytes[19] | 0x20 == UInt8(ascii: "z"), second < 60 { return Int64(seconds) &* 1_000_000 }

    var rest = bytes.rest(from: 19)
    guard let fraction = fraction(&rest), let offset = offset(rest) else { return nil }
    seconds -= offset
    if second == 60 {
      // The count already refers to the second after the leap second, which is the last second of a day in UTC.
      let ofDay = ((seconds % 86_400) + 86_400) % 86_400
      guard ofDay == 0 else { return nil }
    }
    let microseconds = Int64(seconds) * 1_000_000 + fraction
    // The last moment of the year 9999, with more digits than are stored, is not rounded up to the next year.
    if fraction == 1_000_000, microseconds == range.upperBound + 1 { return range.upperBound }
    return range.contains(microseconds) ? microseconds : nil
  }

  /// Returns the microseconds of a time that is given as a number, rounded like the fraction of a string (D9), or nil outside ``range``.
  ///
  /// - Parameters:
  ///   - power: 6 for seconds, 3 for milliseconds.
  ///   - start: the beginning of the count, in microseconds since 1970.
  static func microseconds(_ number: CanonicalNumber, timesTenTo power: Int, since start: Int64 = 0) -> Int64? {
    // Halves are rounded to the later microsecond, also before 1970.
    guard let rounded = number.rounded(timesTenTo: power), let truncated = number.truncated(timesTenTo: power),
      case let count = number.isNegative && number.isMidway(timesTenTo: power) ? truncated : rounded,
      case let (microseconds, overflow) = count.addingReportingOverflow(start), !overflow
    else { return nil }
    // Like text, the last moment of the year 9999 is not rounded up to the next year.
    if microseconds == range.upperBound + 1, truncated == count - 1 {
      return range.upperBound
    }
    return range.contains(microseconds) ? microseconds : nil
  }

  /// Removes a fraction from the front and returns it in microseconds. Returns 0 if there is no fraction, and nil if a point is not
  /// followed by digits.
  private static func fraction(_ rest: inout LentBytes) -> Int64? {
    guard rest.first == UInt8(ascii: ".") else { return 0 }
    var value: Int64 = 0
    var index = 1
    while index < rest.count, NumberText.isDigit(rest[index]) {
      if index <= 6 { value = value * 10 + Int64(rest[index] &- 0x30) }
      // Only the seventh digit determines rounding.
      if index == 7, rest[index] >= UInt8(ascii: "5") { value += 1 }
      index += 1
    }
    guard index > 1 else { return nil }
    for _ in index..<max(index, 7) { value *= 10 }
    rest = rest.rest(from: index)
    return value
  }

  /// Reads `Z` or `±hh:mm`. Returns seconds east of UTC.
  private static func offset(_ rest: LentBytes) -> Int? {
    if rest.count == 1 { return rest[0] | 0x20 == UInt8(ascii: "z") ? 0 : nil }
    guard rest.count == 6, rest[0] == UInt8(ascii: "+") || rest[0] == UInt8(ascii: "-"), rest[3] == UInt8(ascii: ":"),
      [1, 2, 4, 5].allSatisfy({ NumberText.isDigit(rest[$0]) })
    else { return nil }
    let hours = Int(rest[1] &- 0x30) * 10 + Int(rest[2] &- 0x30)
    let minutes = Int(rest[4] &- 0x30) * 10 + Int(rest[5] &- 0x30)
    guard hours < 24, minutes < 60 else { return nil }
    let seconds = hours * 3_600 + minutes * 60
    return rest[0] == UInt8(ascii: "-") ? -seconds : seconds
  }
}

extension DateText {
  /// The maximum number of bytes that ``write(_:to:)`` writes for any 64-bit number of microseconds.
  package static let longest = 32

  /// Appends a date in UTC with `Z`. A fraction is written only if there is one, without trailing zeros (D9).
  package static func append(_ microseconds: Int64, to bytes: inout [UInt8]) {
    ByteRoom.with(longest) { room in
      let count = write(microseconds, to: room)
      bytes.append(contentsOf: room.bytes(count))
    }
  }

  /// Writes a date like ``append(_:to:)`` and returns the number of bytes.
  ///
  /// - Parameter room: at least ``longest`` bytes, which may be uninitialized.
  static func write(_ microseconds: Int64, to room: ByteRoom) -> Int {
    let (seconds, fraction) = microseconds.dividedDown(by: 1_000_000)
    let (days, ofDay) = seconds.dividedDown(by: 86_400)
    let (year, month, day) = CivilDate.date(ofDay: Int(days))
    var (century, count) = (year / 100, 0)
    if year < 0 || year > 9_999 { (century, count) = writeLongYear(year, to: room) }
    let (minutes, second) = Int(ofDay).quotientAndRemainder(dividingBy: 60)
    let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
    // "20140831" and "31002915", to which the characters between the numbers are added.
    let date = DigitText.pairs(century, abs(year % 100), month, day)
    let time = DigitText.pairs(day, hour, minute, second)
    room.store(date & 0xFFFF_FFFF | (date >> 32 & 0xFFFF) << 40 | 0x2D00_002D_0000_0000, at: count)
    room.store(
      time & 0xFFFF | (time >> 16 & 0xFFFF) << 24 | (time >> 32 & 0xFFFF) << 48 | 0x0000_3A00_0054_0000,
      at: count + 8)
    room.store(UInt32(truncatingIfNeeded: time >> 40 & 0xFF_FF00) | 0x5A00_003A, at: count + 16)
    count += 20
    return fraction == 0 ? count : writeFraction(fraction, to: room, count)
  }

  /// Writes the sign and the first digits of a year that does not have four digits.
  ///
  /// - Returns: the first two of the year's last four digits, and the number of bytes written.
  @inline(never)
  private static func writeLongYear(_ year: Int, to room: ByteRoom) -> (century: Int, count: Int) {
    room[0] = UInt8(ascii: year < 0 ? "-" : "+")
    let (upper, lower) = abs(year).quotientAndRemainder(dividingBy: 10_000)
    let count = upper == 0 ? 1 : 1 + DigitText.write(UInt64(upper), to: room + 1)
    return (lower / 100, count)
  }

  /// Writes a fraction of a second over the `Z` of a date, without trailing zeros, and another `Z`.
  @inline(never)
  private static func writeFraction(_ microseconds: Int64, to room: ByteRoom, _ end: Int) -> Int {
    room.store(DigitText.text(UInt64(microseconds)) >> 16, at: end)
    room[end - 1] = UInt8(ascii: ".")
    var count = end + 6
    while room[count - 1] == UInt8(ascii: "0") { count -= 1 }
    room[count] = UInt8(ascii: "Z")
    return count + 1
  }

  /// Returns the text of a date.
  package static func text(_ microseconds: Int64) -> String {
    ByteRoom.with(longest) { room in
      let count = write(microseconds, to: room)
      return String(decoding: room.bytes(count), as: UTF8.self)
    }
  }
}

/// Eight bytes of text, read as digits. Each pair of neighbors forms a number.
private struct DigitPairs {
  private let numbers: UInt64

  /// Creates the pairs if a word matches a pattern.
  ///
  /// - Parameters:
  ///   - zeros: the pattern, with the digit zero in place of any digit.
  ///   - bounds: for each byte, the number that sets the highest bit when added to a distance from the pattern that is too large:
  ///     0x76 for digits (more than 9), 0x7F for other bytes (more than 0).
  @inline(__always)
  init?(_ word: UInt64, like zeros: UInt64, bounds: UInt64) {
    let digits = word ^ zeros
    guard (digits | (digits &+ bounds)) & 0x8080_8080_8080_8080 == 0 else { return nil }
    numbers = digits &* 10 &+ (digits >> 8)
  }

  /// Returns the number that the digits at this index and the next one form.
  @inline(__always)
  func pair(_ place: UInt64) -> Int { Int(truncatingIfNeeded: numbers >> (8 &* place) & 0xFF) }
}

extension Int64 {
  /// Returns quotient and remainder; the remainder is never negative.
  fileprivate func dividedDown(by divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
