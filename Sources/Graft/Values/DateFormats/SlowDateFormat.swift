import Foundation

/// A strict `DateFormatter`, for patterns with fields that ``DateFormat`` does not read itself.
///
/// A formatter is not thread-safe, so it is protected by a lock.
final class SlowDateFormat: @unchecked Sendable {
  private let lock = NSLock()
  private let formatter = DateFormatter()
  private let hasZone: Bool

  init(_ pattern: String, hasZone: Bool) {
    self.hasZone = hasZone
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.calendar = Calendar(identifier: .gregorian)
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.isLenient = false
    // Also use the Gregorian calendar before 1582, as RFC 3339 does.
    formatter.gregorianStartDate = Date(timeIntervalSince1970: -1e12)
    formatter.dateFormat = pattern
  }

  /// Returns the date of text that the formatter would write identically, or nil. If the text has a zone, this is not checked, because the
  /// formatter writes UTC.
  func microseconds(_ text: String) -> Int64? {
    lock.withLock {
      guard let date = formatter.date(from: text) else { return nil }
      // A `Date` cannot distinguish the last microsecond of the year 9999 from the next year, but text that names the next year means that
      // year.
      guard date < Date(microsecondsSince1970: DateText.range.upperBound) else { return nil }
      guard hasZone || UTF8Key(formatter.string(from: date)) == UTF8Key(text) else { return nil }
      let microseconds = date.microsecondsSince1970
      return DateText.range.contains(microseconds) ? microseconds : nil
    }
  }

  func text(_ microseconds: Int64) -> String {
    lock.withLock { formatter.string(from: Date(microsecondsSince1970: microseconds)) }
  }
}
