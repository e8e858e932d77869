import Foundation
import Testing

@testable import Graft

@Suite("Date formats") struct DateFormatTests {
  static let fastPatterns = [
    "yyyy-MM-dd", "yyyyMMdd", "dd.MM.yyyy", "d.M.yyyy", "MM/dd/yyyy", "MMM d, yyyy", "MMMM d, yyyy", "yyyy-MM", "yyyy",
    "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd'T'HH:mm:ssZ", "yyyy-MM-dd'T'HH:mm:ssZZZZZ",
    "yyyy-MM-dd'T'HH:mm:ss.SSS" + three("X"),
    "yyyy-MM-dd'T'HH:mm:ss'Z'", "yyyy-MM-dd HH:mm:ss xx", "yyyy-MM-dd HH:mm:ss " + three("x"), "yyyy-MM-dd HH:mm:ss XX",
    "EEE MMM dd HH:mm:ss Z yyyy", "EEE, dd MMM yyyy HH:mm:ss Z", "EEEE, MMMM d, yyyy h:mm a", "yyyy-MM-dd hh:mm:ss a",
    "H:mm d.M.yyyy", "HH:mm", "dd'''of'''MM yyyy", "yyyy年MM月dd日",
  ]

  static func three(_ letter: String) -> String { String(repeating: letter, count: 3) }

  @Test(
    "T2: the built-in date fields are read and written as DateFormatter reads and writes them", arguments: fastPatterns)
  func agrees(pattern: String) throws {
    let format = try DateFormat(pattern)
    #expect(format.isFast)
    let slow = SlowDateFormat(pattern, hasZone: true)
    var generator = SeededGenerator(seed: 6)
    for _ in 0..<300 {
      // The times are whole seconds, because DateFormatter sometimes loses a millisecond in the distant past or future.
      let moment = Int64.random(in: -62_135_596_800...253_402_300_799, using: &generator) * 1_000_000
      let text = slow.text(moment)
      let expected = slow.microseconds(text)
      let found = format.microseconds(text)
      if found != expected || format.text(moment) != text {
        Issue.record("\(text): \(String(describing: found)), not \(String(describing: expected))")
        return
      }
      #expect(expected.map(format.text) == text)
    }
  }

  @Test(
    "T2: text that is not in canonical form is rejected by both implementations",
    arguments: [
      ("yyyy-MM-dd", "2014-2-3"), ("yyyy-MM-dd", "2014-02-30"), ("yyyy-MM-dd", "2014-02-03 "),
      ("yyyy-MM-dd", "14-02-03"),
      ("MMM d, yyyy", "aug 5, 2014"), ("MMM d, yyyy", "Aug 05, 2014"), ("dd.MM.yyyy", "３.02.2014"),
      ("yyyy-MM-dd HH:mm", "2014-01-01 24:00"), ("EEE d MMM yyyy", "Mon 31 Aug 2014"), ("h:mm a", "0:30 AM"),
      ("h:mm a", "13:30 PM"), ("H:mm", "01:30"), ("yyyy-MM-dd", ""), ("HH:mm:ss", "10:10:60"),
    ])
  func refused(pattern: String, text: String) throws {
    #expect(try DateFormat(pattern).microseconds(text) == nil)
    #expect(SlowDateFormat(pattern, hasZone: false).microseconds(text) == nil)
  }

  @Test(
    "T2: patterns with other date fields are passed to DateFormatter, in strict mode",
    arguments: [
      ("yy-MM-dd", "14-08-31", "2014-08-31T00:00:00Z"), ("yyyy-DDD", "2014-243", "2014-08-31T00:00:00Z"),
      ("yyyy-MM-dd HH:mm zzz", "2014-08-31 00:29 GMT", "2014-08-31T00:29:00Z"),
    ])
  func others(pattern: String, text: String, moment: String) throws {
    let format = try DateFormat(pattern)
    #expect(!format.isFast)
    let found = try #require(format.microseconds(text))
    #expect(DateText.text(found) == moment)
    #expect(format.text(found) == text)
  }

  @Test(
    "T2: patterns in which a number of variable length directly precedes another number are passed to DateFormatter",
    arguments: ["d.Myyyy", "dMyyyy", "Hmm"])
  func unclear(pattern: String) throws { #expect(try !DateFormat(pattern).isFast) }

  @Test(
    "M9: a malformed pattern is rejected as a transformer, and the registry reports the reason",
    arguments: [
      ("", "the pattern has no date field"), ("'T'", "the pattern has no date field"),
      ("yyyy-jj", "'j' is not a date field; put literal letters in quotes"),
      ("yyyy-MM-ddTHH:mm", "'T' is not a date field; put literal letters in quotes"),
      ("yyyy 'of", "the pattern has a quote that is not closed"),
      ("YYYY-MM-dd", "'Y' is the week-based year; use 'y' for the calendar year"),
      ("yyyy-MM-DD", "'D' is the day of the year; use 'd' for the day of the month"),
      ("hh:mm", "'h' is a 12-hour clock and needs 'a'; use 'H' for 24 hours"),
    ])
  func malformed(pattern: String, reason: String) {
    let registry = TransformerRegistry.standard
    #expect(registry.valueTransformer(named: "DateFormat(\(pattern))") == nil)
    #expect(registry.fault(ofValueTransformerNamed: "DateFormat(\(pattern))") == reason)
  }

  @Test("T2: a fraction of six digits preserves every microsecond")
  func fraction() throws {
    let format = try DateFormat("yyyy-MM-dd HH:mm:ss.SSSSSS")
    let microseconds = try #require(format.microseconds("2014-08-31 00:29:15.123456"))
    #expect(DateText.text(microseconds) == "2014-08-31T00:29:15.123456Z")
    #expect(format.text(microseconds) == "2014-08-31 00:29:15.123456")
  }

  @Test("T1: several threads can use the same format")
  func threads() async throws {
    let format = try DateFormat("yy-MM-dd")
    await withTaskGroup(of: Bool.self) { group in
      for day in 10..<28 { group.addTask { format.microseconds("14-08-\(day)").map(format.text) == "14-08-\(day)" } }
      for await isRight in group { #expect(isRight) }
    }
  }
}
