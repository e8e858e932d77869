import Testing

@testable import Graft

/// The advice for texts and numbers that a date does not accept.
@Suite("Advice for dates") struct DateAdviceTests {
  private static func advice(_ text: String) -> String {
    ImportAdvice.reading(Array("\"\(text)\"".utf8), as: .date) ?? "none"
  }

  @Test(
    "I11: the transformer that a message advises reads the value",
    arguments: [
      "2024-05-01", "2024/05/01", "01.05.2024", "05/01/2024", "20240501", "2024-05-01T10:00", "2024-05-01 10:00:00",
      "2024-05-01T10:00:00.1", "2024-05-01T10:00:00.123", "2024-05-01 10:00:00.123", "2024-05-01T10:00:00+0200",
      "2024-05-01T10:00:00-0230", "2024-05-01T10:00:00.123+0000", "2024-05-01 10:00:00 +0000", "2024-05-01T10:00+0200",
    ])
  func transformers(text: String) throws {
    let advice = Self.advice(text)
    let name = try #require(advice.firstMatch(of: /"JSONTransformerName": "DateFormat\((.*)\)"/)?.1, "\(advice)")
    #expect(try DateFormat(String(name)).microseconds(text) != nil, "\(advice)")
  }

  @Test(
    "I11: a message says what is wrong with a date",
    arguments: [
      ("", "the text is empty; to read it as no value, omit the key, or register a transformer that returns nil"),
      ("2023-02-29T00:00:00Z", "February 2023 has 28 days"), ("2024-02-30T00:00:00Z", "February 2024 has 29 days"),
      ("2024-00-01", "there is no month 00"), ("2024-13-01T00:00:00Z", "there is no month 13"),
      ("2024-05-00", "there is no day 00"), ("2024-05-01T24:00:00Z", "hours are from 00 to 23"),
      ("2024-05-01 10:61:00", "minutes are from 00 to 59"), ("2024-05-01T10:00:61Z", "seconds are from 00 to 59"),
      (
        "0000-01-01T00:00:00+01:00",
        "dates must be in the years 0000 to 9999 (UTC), and a leap second must be 23:59:60 UTC"
      ),
      (
        "2024-05-01T10:00:00,5Z",
        "to read another format, add a transformer such as \"JSONTransformerName\": \"DateFormat(dd.MM.yyyy)\""
      ),
    ])
  func reasons(text: String, expected: String) { #expect(Self.advice(text) == expected) }

  @Test(
    "I11: a number is seconds or milliseconds",
    arguments: [
      ("1700000000", "UnixTime"), ("-1", "UnixTime"), ("1714550400000", "UnixTimeMilliseconds"),
      ("1714550400123.5", "UnixTimeMilliseconds"), ("1e12", "UnixTimeMilliseconds"),
    ])
  func numbers(text: String, expected: String) {
    let advice = ImportAdvice.readingType(of: Array(text.utf8), as: .date, mayBeList: false)
    #expect(advice == "to read it, add \"JSONTransformerName\": \"\(expected)\"")
  }
}
