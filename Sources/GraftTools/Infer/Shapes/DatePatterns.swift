import Graft

/// The date formats that are tried on strings, in addition to RFC 3339.
///
/// If several fit, the first is used: `04/05/2011` is a day of April.
struct DatePatterns {
  let pattern: String
  private let format: DateFormat
  private let lengths: ClosedRange<Int>
  /// Whether the offset from UTC is part of the text.
  let hasZone: Bool

  private init?(_ pattern: String, _ lengths: ClosedRange<Int>, hasZone: Bool = false) {
    guard let format = try? DateFormat(pattern) else { return nil }
    self.pattern = pattern
    self.format = format
    self.lengths = lengths
    self.hasZone = hasZone
  }

  static let all: [DatePatterns] = [
    DatePatterns("yyyy-MM-dd", 10...10),
    DatePatterns("yyyy-MM-dd HH:mm:ss", 19...19),
    DatePatterns("yyyy-MM-dd HH:mm", 16...16),
    DatePatterns("yyyy-MM-dd'T'HH:mm:ss", 19...19),
    DatePatterns("yyyy-MM-dd'T'HH:mm:ss.SSS", 23...23),
    DatePatterns("yyyy-MM-dd'T'HH:mm:ssZ", 24...24, hasZone: true),
    DatePatterns("yyyy-MM-dd'T'HH:mm:ss.SSSZ", 28...28, hasZone: true),
    DatePatterns("yyyy-MM-dd HH:mm:ss Z", 25...25, hasZone: true),
    DatePatterns("yyyy/MM/dd", 10...10),
    DatePatterns("yyyy/MM/dd HH:mm:ss", 19...19),
    DatePatterns("yyyy/MM/dd HH:mm:ss Z", 25...25, hasZone: true),
    DatePatterns("MM/dd/yyyy", 10...10),
    DatePatterns("dd/MM/yyyy", 10...10),
    DatePatterns("dd.MM.yyyy", 10...10),
    DatePatterns("EEE MMM dd HH:mm:ss Z yyyy", 30...30, hasZone: true),
    DatePatterns("EEE, dd MMM yyyy HH:mm:ss Z", 31...31, hasZone: true),
    DatePatterns("EEE, dd MMM yyyy HH:mm:ss 'GMT'", 29...29),
  ].compactMap(\.self)

  func matches(_ text: String) -> Bool { lengths.contains(text.utf8.count) && microseconds(text) != nil }

  /// The date in microseconds since 1970, or nil if the text is not in this format.
  func microseconds(_ text: String) -> Int64? { format.microseconds(text) }
}
