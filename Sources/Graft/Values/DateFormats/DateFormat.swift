/// A date format given as a pattern of Unicode's UTS 35, such as `yyyy-MM-dd` or `EEE MMM dd HH:mm:ss Z yyyy`, in English
/// and in UTC.
///
/// Reading is strict: only text that this format would write is accepted, so imported dates round-trip (E4). The only
/// exception is the offset from UTC: `+0200` is read, and the same date is written with `+0000`.
///
/// Fields that are common in payloads are read and written here, in well under a microsecond. Patterns with other fields use
/// `DateFormatter`, which takes about 30 µs on Linux. Tests check that both give the same results.
package struct DateFormat: Sendable {
  /// The reason why a pattern is malformed.
  package struct PatternError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason in lower case, without a full stop: `the pattern has no field`.
    package var description: String
  }

  /// The pattern as given.
  package let pattern: String
  let fields: [DateField]?
  private let slow: SlowDateFormat?

  /// Creates a format from a pattern.
  package init(_ pattern: String) throws(PatternError) {
    let items = try DatePattern.items(of: pattern)
    self.pattern = pattern
    fields = DateField.fields(of: items)
    slow = fields == nil ? SlowDateFormat(pattern, hasZone: DatePattern.hasZone(items)) : nil
  }

  /// Returns the formats of patterns that are separated by `|`. A `|` in quotes is text (T8).
  package static func formats(_ patterns: String) throws(PatternError) -> [DateFormat] {
    var parts: [String.UnicodeScalarView] = [String.UnicodeScalarView()]
    var isQuoted = false
    for scalar in patterns.unicodeScalars {
      if scalar == "'" { isQuoted.toggle() }
      if scalar == "|", !isQuoted {
        parts.append(String.UnicodeScalarView())
      } else {
        parts[parts.count - 1].append(scalar)
      }
    }
    var formats: [DateFormat] = []
    for part in parts { formats.append(try DateFormat(String(part))) }
    return formats
  }

  /// Returns whether text in this format loses a part of the dates that another format reads, such as the day in `yyyy`.
  package func loses(datesOf other: DateFormat) -> Bool {
    // 2015-11-24T14:35:46.123456Z has a different number in each part.
    guard let date = other.microseconds(other.text(1_448_375_746_123_456)) else { return false }
    return microseconds(text(date)) != date
  }

  /// Whether the pattern is read and written here, without `DateFormatter`.
  package var isFast: Bool { fields != nil }

  /// Returns a date in microseconds since 1970, or nil if the text is not a date in this format.
  package func microseconds(_ text: String) -> Int64? {
    guard let fields else { return slow?.microseconds(text) }
    return LentBytes.with(text) { text in
      var reader = DateFieldReader(text)
      return reader.microseconds(fields)
    }
  }

  /// Returns the text of a date given in microseconds since 1970.
  ///
  /// Years before 1 and after 9999 are written with a sign or more digits, and cannot be read back.
  package func text(_ microseconds: Int64) -> String {
    guard let fields else { return slow?.text(microseconds) ?? "" }
    return DateFieldWriter(microseconds).text(fields)
  }
}
