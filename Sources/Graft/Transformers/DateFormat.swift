/// Dates in a pattern of Unicode's UTS 35, such as `yyyy-MM-dd` or `EEE MMM dd HH:mm:ss Z yyyy`, in English and in UTC.
///
/// Reading is strict: a text that this would not write is no date, so that what was imported comes back (E4). Only the
/// offset may be another one than UTC's: `+0200` is read, and the same moment written with `+0000`.
///
/// The fields that payloads use are read and written here, in well under a microsecond. Patterns with other fields
/// go to `DateFormatter`, which takes some 30 on Linux. Tests hold both to the same answers.
package struct DateFormat: Sendable {
  /// Why a pattern is malformed.
  package struct PatternError: Error, Hashable, Sendable, CustomStringConvertible {
    /// In lower case, without a full stop: `the pattern has no field`.
    package var description: String
  }

  /// The pattern as it was given.
  package let pattern: String
  private let fields: [DateField]?
  private let slow: SlowDateFormat?

  /// Takes a pattern.
  package init(_ pattern: String) throws(PatternError) {
    let items = try DatePattern.items(of: pattern)
    self.pattern = pattern
    fields = DateField.fields(of: items)
    slow = fields == nil ? SlowDateFormat(pattern, hasZone: DatePattern.hasZone(items)) : nil
  }

  /// Whether the pattern is read and written here, without `DateFormatter`.
  package var isFast: Bool { fields != nil }

  /// Reads a date, in microseconds since 1970; nil if the text is none in this format.
  package func microseconds(_ text: String) -> Int64? {
    guard let fields else { return slow?.microseconds(text) }
    var copy = text
    return copy.withUTF8 { text in
      var reader = DateFieldReader(text)
      return reader.microseconds(fields)
    }
  }

  /// Writes a date, given in microseconds since 1970.
  ///
  /// Years before 1 and after 9999 are written with a sign or more digits, and are not read back.
  package func text(_ microseconds: Int64) -> String {
    guard let fields else { return slow?.text(microseconds) ?? "" }
    return DateFieldWriter(microseconds).text(fields)
  }
}
