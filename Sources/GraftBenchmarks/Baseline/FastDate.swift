import Foundation

/// Hand-written RFC 3339 parsing. Foundation's formatters take 50 to 2,000 times as long, which would distort the baselines.
enum FastDate {
  /// Reads `2014-05-12T10:11:12Z`, with an optional fraction, in UTC.
  static func date(_ text: String) -> Date? {
    var text = text
    return text.withUTF8 { bytes in
      guard bytes.count >= 20, bytes[bytes.count - 1] == UInt8(ascii: "Z"), bytes[4] == UInt8(ascii: "-"),
        bytes[7] == UInt8(ascii: "-"), bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"),
        bytes[16] == UInt8(ascii: ":"), let year = number(bytes, 0..<4), let month = number(bytes, 5..<7),
        let day = number(bytes, 8..<10), let hour = number(bytes, 11..<13), let minute = number(bytes, 14..<16),
        let second = number(bytes, 17..<19), (1...12).contains(month), (1...31).contains(day)
      else { return nil }
      var fraction = 0.0
      if bytes.count > 20 {
        guard bytes[19] == UInt8(ascii: "."), bytes.count <= 30, let digits = number(bytes, 20..<bytes.count - 1)
        else { return nil }
        fraction = Double(digits) / powersOfTen[bytes.count - 21]
      }
      let days = days(year: year, month: month, day: day)
      return Date(timeIntervalSince1970: Double(days * 86400 + hour * 3600 + minute * 60 + second) + fraction)
    }
  }

  /// Writes a date in whole seconds of UTC.
  static func text(_ date: Date) -> String {
    let seconds = Int(date.timeIntervalSince1970.rounded(.down))
    var days = seconds / 86400
    var rest = seconds % 86400
    if rest < 0 {
      days -= 1
      rest += 86400
    }
    let (year, month, day) = civil(days: days)
    return String(unsafeUninitializedCapacity: 20) { bytes in
      write(year, digits: 4, separator: "-", at: 0, in: bytes)
      write(month, digits: 2, separator: "-", at: 5, in: bytes)
      write(day, digits: 2, separator: "T", at: 8, in: bytes)
      write(rest / 3600, digits: 2, separator: ":", at: 11, in: bytes)
      write(rest / 60 % 60, digits: 2, separator: ":", at: 14, in: bytes)
      write(rest % 60, digits: 2, separator: "Z", at: 17, in: bytes)
      return 20
    }
  }

  private static let powersOfTen: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

  private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
    var value = 0
    for index in range {
      let digit = Int(bytes[index]) - 48
      guard (0...9).contains(digit) else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  private static func write(
    _ value: Int, digits: Int, separator: Unicode.Scalar, at offset: Int, in bytes: UnsafeMutableBufferPointer<UInt8>
  ) {
    var value = value
    for index in stride(from: offset + digits - 1, through: offset, by: -1) {
      bytes[index] = UInt8(48 + value % 10)
      value /= 10
    }
    bytes[offset + digits] = UInt8(ascii: separator)
  }

  /// Returns the days since 1970. Years begin in March, so that the leap day comes last.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}
