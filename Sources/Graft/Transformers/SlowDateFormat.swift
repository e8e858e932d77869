import Foundation

/// A pattern with fields that are not read here: `DateFormatter`, made strict.
///
/// A formatter is not safe to use from two threads at once, so it stands behind a lock.
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
    // No Julian calendar before 1582: RFC 3339 has none either.
    formatter.gregorianStartDate = Date(timeIntervalSince1970: -1e12)
    formatter.dateFormat = pattern
  }

  /// Reads a text that the formatter would write just so. With a zone in the text the formatter would write it in
  /// UTC, and nothing can be compared.
  func microseconds(_ text: String) -> Int64? {
    lock.withLock {
      guard let date = formatter.date(from: text) else { return nil }
      guard hasZone || UTF8Key(formatter.string(from: date)) == UTF8Key(text) else { return nil }
      let microseconds = date.microsecondsSince1970
      return DateText.range.contains(microseconds) ? microseconds : nil
    }
  }

  func text(_ microseconds: Int64) -> String {
    lock.withLock { formatter.string(from: Date(microsecondsSince1970: microseconds)) }
  }
}
