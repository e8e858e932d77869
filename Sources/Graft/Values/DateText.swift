/// Dates as RFC 3339 text (D9), and as microseconds since 1970, which is how they are stored.
///
///     2014-08-31T00:29:15Z            20 bytes, the form that is written
///     2014-08-31t02:29:15.25+02:00    the same moment and a quarter of a second
///     2016-12-31T23:59:60Z            a leap second: the second after it
///
/// Moments outside the years 0000 to 9999 (in UTC) have no RFC 3339 text. They are not read; a program that sets one gets
/// it written with a sign and all digits of its year, as ISO 8601 has it, which is not read back.
package enum DateText {
  /// The microseconds of the moments that RFC 3339 can say: years 0000 to 9999.
  package static let range: ClosedRange<Int64> = -62_167_219_200_000_000...253_402_300_799_999_999

  /// Reads a date; nil if it is none. Fractions are rounded half up to the microsecond.
  package static func microseconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard bytes.count >= 20, let text = bytes.baseAddress else { return nil }
    // Any byte that is no digit sets a bit above the lowest four.
    var faults: UInt8 = 0
    @inline(__always) func two(_ at: Int) -> Int {
      let high = text[at] &- 0x30
      let low = text[at + 1] &- 0x30
      faults |= (high > 9 ? 1 : 0) | (low > 9 ? 1 : 0)
      return Int(high) * 10 + Int(low)
    }
    let year = two(0) * 100 + two(2)
    let month = two(5)
    let day = two(8)
    let hour = two(11)
    let minute = two(14)
    let second = two(17)
    guard faults == 0, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), text[13] == UInt8(ascii: ":"),
      text[16] == UInt8(ascii: ":"), text[10] | 0x20 == UInt8(ascii: "t") || text[10] == UInt8(ascii: " "),
      month &- 1 < 12, month > 0, day > 0, day <= CivilDate.days(inMonth: month, of: year), hour < 24, minute < 60,
      second <= 60
    else { return nil }
    var seconds = CivilDate.days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second
    if bytes.count == 20, text[19] | 0x20 == UInt8(ascii: "z"), second < 60 { return Int64(seconds) &* 1_000_000 }

    var rest = UnsafeBufferPointer(rebasing: bytes[19...])
    guard let fraction = fraction(&rest), let offset = offset(rest) else { return nil }
    seconds -= offset
    if second == 60 {
      // The count is already that of the second after it. A leap second is the last one of a day in UTC.
      let ofDay = ((seconds % 86_400) + 86_400) % 86_400
      guard ofDay == 0 else { return nil }
    }
    let microseconds = Int64(seconds) * 1_000_000 + fraction
    return range.contains(microseconds) ? microseconds : nil
  }

  /// Takes a fraction off the front, in microseconds; 0 where there is none, nil for a point without digits.
  private static func fraction(_ rest: inout UnsafeBufferPointer<UInt8>) -> Int64? {
    guard rest.first == UInt8(ascii: ".") else { return 0 }
    var value: Int64 = 0
    var index = 1
    while index < rest.count, NumberText.isDigit(rest[index]) {
      if index <= 6 { value = value * 10 + Int64(rest[index] &- 0x30) }
      // The seventh digit decides; those after it make no difference.
      if index == 7, rest[index] >= UInt8(ascii: "5") { value += 1 }
      index += 1
    }
    guard index > 1 else { return nil }
    for _ in index..<max(index, 7) { value *= 10 }
    rest = UnsafeBufferPointer(rebasing: rest[index...])
    return value
  }

  /// Reads `Z` or `±hh:mm`, in seconds east of UTC.
  private static func offset(_ rest: UnsafeBufferPointer<UInt8>) -> Int? {
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
  /// The most bytes that ``write(_:to:)`` writes: enough for any 64-bit number of microseconds.
  package static let longest = 32

  /// Writes a date in UTC with `Z`, a fraction only where there is one and without trailing zeros (D9).
  package static func append(_ microseconds: Int64, to bytes: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longest) { room in
      guard let start = room.baseAddress else { return }
      let count = write(microseconds, to: start)
      bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
    }
  }

  /// Writes a date as ``append(_:to:)`` does; gives the number of bytes.
  ///
  /// - Parameter room: at least ``longest`` bytes, which may be uninitialised.
  package static func write(_ microseconds: Int64, to room: UnsafeMutablePointer<UInt8>) -> Int {
    let (seconds, fraction) = microseconds.dividedDown(by: 1_000_000)
    let (days, ofDay) = seconds.dividedDown(by: 86_400)
    let (year, month, day) = CivilDate.date(ofDay: Int(days))
    var count = 0
    func put(_ byte: UInt8) {
      room[count] = byte
      count += 1
    }
    func put(_ value: Int, digits: Int) {
      var value = value
      for place in stride(from: count + digits - 1, through: count, by: -1) {
        room[place] = UInt8(truncatingIfNeeded: value % 10) + 0x30
        value /= 10
      }
      count += digits
    }
    if year < 0 || year > 9999 {
      put(UInt8(ascii: year < 0 ? "-" : "+"))
      put(abs(year), digits: abs(year) > 99_999 ? 6 : abs(year) > 9_999 ? 5 : 4)
    } else {
      put(year, digits: 4)
    }
    put(UInt8(ascii: "-"))
    put(month, digits: 2)
    put(UInt8(ascii: "-"))
    put(day, digits: 2)
    put(UInt8(ascii: "T"))
    let time = Int(ofDay)
    put(time / 3_600, digits: 2)
    put(UInt8(ascii: ":"))
    put(time / 60 % 60, digits: 2)
    put(UInt8(ascii: ":"))
    put(time % 60, digits: 2)
    if fraction != 0 {
      put(UInt8(ascii: "."))
      put(Int(fraction), digits: 6)
      while room[count - 1] == UInt8(ascii: "0") { count -= 1 }
    }
    put(UInt8(ascii: "Z"))
    return count
  }

  /// The date as text.
  package static func text(_ microseconds: Int64) -> String {
    var bytes: [UInt8] = []
    append(microseconds, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Int64 {
  /// Quotient and remainder where the remainder is never negative.
  fileprivate func dividedDown(by divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
