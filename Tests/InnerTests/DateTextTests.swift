import Foundation
import Testing

@testable import Graft

@Suite("Dates as strings") struct DateTextTests {
  static let same: [(String, Int64, String)] = [
    ("1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00Z"),
    ("2014-08-31T00:29:15Z", 1_409_444_955_000_000, "2014-08-31T00:29:15Z"),
    ("2014-08-31t00:29:15z", 1_409_444_955_000_000, "2014-08-31T00:29:15Z"),
    ("2014-08-31 00:29:15z", 1_409_444_955_000_000, "2014-08-31T00:29:15Z"),
    ("2014-08-31T02:29:15+02:00", 1_409_444_955_000_000, "2014-08-31T00:29:15Z"),
    ("2014-08-30T16:59:15-07:30", 1_409_444_955_000_000, "2014-08-31T00:29:15Z"),
    ("1970-01-01T00:00:00-00:00", 0, "1970-01-01T00:00:00Z"),
    ("1970-01-01T00:00:00.5Z", 500_000, "1970-01-01T00:00:00.5Z"),
    ("1970-01-01T00:00:00.123456Z", 123_456, "1970-01-01T00:00:00.123456Z"),
    ("1970-01-01T00:00:00.1234564Z", 123_456, "1970-01-01T00:00:00.123456Z"),
    ("1970-01-01T00:00:00.1234565Z", 123_457, "1970-01-01T00:00:00.123457Z"),
    ("1970-01-01T00:00:00.123456499999999999999999Z", 123_456, "1970-01-01T00:00:00.123456Z"),
    ("1970-01-01T00:00:00.9999995Z", 1_000_000, "1970-01-01T00:00:01Z"),
    ("1969-12-31T23:59:59.9999Z", -100, "1969-12-31T23:59:59.9999Z"),
    ("1970-01-01T00:00:00.000Z", 0, "1970-01-01T00:00:00Z"),
    ("2016-12-31T23:59:60Z", 1_483_228_800_000_000, "2017-01-01T00:00:00Z"),
    ("2017-01-01T00:59:60+01:00", 1_483_228_800_000_000, "2017-01-01T00:00:00Z"),
    ("2016-12-31T23:59:60.25Z", 1_483_228_800_250_000, "2017-01-01T00:00:00.25Z"),
    ("2000-02-29T00:00:00Z", 951_782_400_000_000, "2000-02-29T00:00:00Z"),
    ("0000-01-01T00:00:00Z", -62_167_219_200_000_000, "0000-01-01T00:00:00Z"),
    ("0000-02-29T00:00:00Z", -62_162_121_600_000_000, "0000-02-29T00:00:00Z"),
    ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
    // Dates that other programs use for "never".
    ("9999-12-31T23:59:59.9999999Z", 253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
  ]

  @Test("D9: strings in RFC 3339 format are read, and dates are written in UTC", arguments: same)
  func reading(text: String, microseconds: Int64, written: String) {
    #expect(text.bytes { DateText.microseconds($0) } == microseconds)
    #expect(DateText.text(microseconds) == written)
  }

  @Test(
    "D9: a string that is not in RFC 3339 format is not read as a date",
    arguments: [
      "", "2014", "2014-08-31", "2014-08-31T00:29:15", "2014-08-31T00:29Z", "2014-8-31T00:29:15Z ",
      "2014-13-01T00:00:00Z",
      "2014-00-01T00:00:00Z", "2014-01-00T00:00:00Z", "2014-01-32T00:00:00Z", "2014-02-29T00:00:00Z",
      "1900-02-29T00:00:00Z", "2014-04-31T00:00:00Z", "2014-01-01T24:00:00Z", "2014-01-01T00:60:00Z",
      "2014-01-01T00:00:61Z", "2014-01-01T00:00:60Z", "2016-12-31T23:59:60+01:00", "2014-01-01T00:00:00.Z",
      "2014-01-01T00:00:00,5Z", "2014-01-01T00:00:00+0100", "2014-01-01T00:00:00+01", "2014-01-01T00:00:00+24:00",
      "2014-01-01T00:00:00+01:60", "2014-01-01T00:00:00ZZ", "2014-01-01T00:00:00Z ", " 2014-01-01T00:00:00Z",
      "2014-01-01_00:00:00Z", "2014/01/01T00:00:00Z", "２014-01-01T00:00:00Z", "+2014-01-01T00:00:00Z",
      "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "9999-12-31T23:59:59.9999999-00:01",
      "2014-01-01T00:00:00\u{1A}", "201:-01-01T00:00:00Z", "2014-01-01\u{14}00:00:00Z",
    ])
  func refused(text: String) {
    #expect(text.bytes { DateText.microseconds($0) } == nil)
  }

  @Test("E4: every day from 0000 to 9999 round-trips, and is read as Foundation reads it")
  func everyDay() throws {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    var generator = SeededGenerator(seed: 1)
    var microseconds = DateText.range.lowerBound
    var round = 0
    while microseconds <= DateText.range.upperBound {
      let moment = min(
        DateText.range.upperBound, microseconds + Int64.random(in: 0..<86_400_000_000, using: &generator))
      let text = DateText.text(moment)
      if text.bytes({ DateText.microseconds($0) }) != moment { Issue.record("\(text) does not round-trip") }
      if round % 1_009 == 0, moment > -11_000_000_000_000_000 {
        let parts = calendar.dateComponents([.year, .month, .day], from: Date(microsecondsSince1970: microseconds))
        let date = CivilDate.date(ofDay: Int(microseconds / 86_400_000_000))
        #expect(date.year == parts.year && date.month == parts.month && date.day == parts.day || microseconds < 0)
      }
      microseconds += 86_400_000_000
      round += 1
    }
  }

  @Test(
    "D9: dates outside the years 0000 to 9999 are written as in ISO 8601, but cannot be read",
    arguments: [
      (253_402_300_800_000_000, "+10000-01-01T00:00:00Z"), (-62_167_219_200_000_001, "-0001-12-31T23:59:59.999999Z"),
      (Int64.max, "+294247-01-10T04:00:54.775807Z"), (Int64.min, "-290308-12-21T19:59:05.224192Z"),
    ] as [(Int64, String)])
  func beyond(microseconds: Int64, text: String) {
    #expect(DateText.text(microseconds) == text)
    #expect(text.utf8.count <= DateText.longest)
    #expect(text.bytes { DateText.microseconds($0) } == nil)
  }

  @Test("D9: a contemporary Date preserves every microsecond, and no Date traps")
  func dates() {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<100_000 {
      let microseconds = Int64.random(in: -7_000_000_000_000_000...7_000_000_000_000_000, using: &generator)
      if Date(microsecondsSince1970: microseconds).microsecondsSince1970 != microseconds {
        Issue.record("\(microseconds)")
      }
    }
    for interval in [Double.nan, .infinity, -.infinity, 1e300, -1e300, 9e12, -9e12] {
      let microseconds = Date(timeIntervalSinceReferenceDate: interval).microsecondsSince1970
      #expect(!DateText.text(microseconds).isEmpty)
    }
    for microseconds in [Int64.min, .max] { _ = Date(microsecondsSince1970: microseconds).microsecondsSince1970 }
  }
}
