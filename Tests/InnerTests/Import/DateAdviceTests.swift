import Testing

@testable import Graft

/// The advice for strings and numbers that a date attribute rejects.
@Suite("Advice for dates") struct DateAdviceTests {
  @Test(
    "I11: the transformer that an error suggests reads the value",
    arguments: [
      "2024-05-01", "2024/05/01", "01.05.2024", "05/01/2024", "20240501", "2024-05-01T10:00", "2024-05-01 10:00:00",
      "2024-05-01T10:00:00.1", "2024-05-01T10:00:00.123", "2024-05-01 10:00:00.123", "2024-05-01T10:00:00+0200",
      "2024-05-01T10:00:00-0230", "2024-05-01T10:00:00.123+0000", "2024-05-01 10:00:00 +0000", "2024-05-01T10:00+0200",
    ])
  func transformers(text: String) throws {
    let pattern = try #require(DateAdvice.pattern(text))
    #expect(try DateFormat(pattern).microseconds(text) != nil, "\(pattern)")
  }

  @Test(
    "I11: the error for an invalid date explains the reason",
    arguments: [
      ("2023-02-29T00:00:00Z", "February 2023 has 28 days"), ("2024-02-30T00:00:00Z", "February 2024 has 29 days"),
      ("2024-00-01", "there is no month 00"), ("2024-13-01T00:00:00Z", "there is no month 13"),
      ("2024-05-00", "there is no day 00"), ("2024-05-01T24:00:00Z", "hours are from 00 to 23"),
      ("2024-05-01 10:61:00", "minutes are from 00 to 59"), ("2024-05-01T10:00:61Z", "seconds are from 00 to 59"),
      (
        "0000-01-01T00:00:00+01:00",
        "dates must be in the years 0000 to 9999 (UTC), and a leap second must be 23:59:60 UTC"
      ),
    ])
  func reasons(text: String, expected: String) { #expect(DateAdvice.reason(text) == expected) }

  @Test(
    "I11: the error for a date that exists contains no reason, regardless of the date's format",
    arguments: ["2024-05-01T10:00:00,5Z", "2024-05-01", "01.05.2024", "now", "", "2024-02-29T00:00:00Z"])
  func noReason(text: String) { #expect(DateAdvice.reason(text) == nil) }
}
