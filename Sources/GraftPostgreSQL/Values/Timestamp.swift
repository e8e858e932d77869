/// Converts dates. PostgreSQL counts microseconds since 2000; this library counts them since 1970.
enum Timestamp {
  /// 2000-01-01 in microseconds since 1970.
  private static let epoch: Int64 = 946_684_800_000_000
  /// From 4714-11-24 BC, which is 4713 BC in the Julian calendar, to the end of the year 294276.
  private static let range: Range<Int64> = -211_813_488_000_000_000..<9_223_371_331_200_000_000

  /// Returns whether the server can hold a date.
  static func isValid(_ microseconds: Int64) -> Bool {
    let (value, overflow) = microseconds.subtractingReportingOverflow(epoch)
    return !overflow && range.contains(value)
  }

  /// Returns a date in the form that the server reads.
  static func wire(_ microseconds: Int64) throws(PostgreSQLError) -> Int64 {
    let (value, overflow) = microseconds.subtractingReportingOverflow(epoch)
    guard !overflow, range.contains(value) else {
      throw PostgreSQLError(
        .invalidValue,
        "the date \(microseconds) microseconds from 1970 is out of the range of timestamptz: 4713 BC to 294276")
    }
    return value
  }

  /// Returns a date as microseconds since 1970.
  ///
  /// - Throws: if it is `infinity` or `-infinity`, or too late to be counted since 1970: in the last 30 years of the range.
  static func microseconds(_ wire: Int64) throws(PostgreSQLError) -> Int64 {
    guard wire != .max, wire != .min else {
      throw PostgreSQLError(.invalidValue, "the date is '\(wire < 0 ? "-" : "")infinity', which is not a point in time")
    }
    let (value, overflow) = wire.addingReportingOverflow(epoch)
    if overflow { throw PostgreSQLError(.invalidValue, "the date is too far in the future") }
    return value
  }
}
