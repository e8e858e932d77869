import GraftTestSupport
import Testing

@testable import Graft

@Suite("Scanner: numbers") struct ScannerNumberTests {
  private func scan<Result>(_ text: String, _ body: (RawNumber) -> Result) throws -> Result {
    try Readers.atEndOfPage(Array(text.utf8)) { bytes in
      var scanner = JSONScanner(bytes, maxDepth: 1)
      let number = try scanner.scanNumber()
      #expect(scanner.isAtEnd, "\(text)")
      return body(number)
    }
  }

  /// Compares a number with the value that Swift reads from the same text.
  private func check(_ text: String) throws {
    let (integer, double, short) = try scan(text) { ($0.exactInt64, $0.double, $0.isShortInteger ? $0.int64 : nil) }
    let expected = Double(text).flatMap { $0.isFinite ? $0 : nil }
    #expect(double?.bitPattern == expected?.bitPattern, "\(text)")
    let exact = try #require(JSONNumber(text)).canonical.int64
    #expect(integer == exact, "\(text)")
    if let short { #expect(short == Int64(text), "\(text)") }
    if !text.contains(where: { ".eE".contains($0) }) { #expect(integer == Int64(text), "\(text)") }
  }

  static let edges = [
    "0", "-0", "1", "-1", "9", "10", "0.0", "-0.0", "0e0", "0E+5", "0e-5", "-0e999999999", "0e999999999999999999999",
    "999999999999999999", "1000000000000000000", "9223372036854775806", "9223372036854775807", "9223372036854775808",
    "-9223372036854775807", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999", "123456789012345678901234567890", "9007199254740991", "9007199254740992",
    "9007199254740993",
    "9007199254740993.0", "9007199254740992.5", "9007199254740993e0", "1e22", "1e23", "1e-22", "1e-23", "1.0", "1e2",
    "1E2", "1e+2",
    "100e-2", "1.50e1", "1.5", "15e-1", "922337203685477580700e-2", "92233720368547758070e-1", "9223372036854775807.0",
    "9223372036854775807.5", "9.223372036854775807e18", "0.9223372036854775808e19", "-0.9223372036854775808e19",
    "1e18", "1e19", "-1e19", "1e308", "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308",
    "1e309", "1e400",
    "-1e400", "2.2250738585072014e-308", "2.2250738585072011e-308", "4.9e-324", "5e-324", "2.4703282292062327e-324",
    "2.4703282292062328e-324", "1e-324", "1e-400", "-1e-400", "1e999999999", "-1e999999999", "1e-999999999",
    "1e99999999999999999999999999", "1e-99999999999999999999999999", "0.000000000000000000000000000001e30",
    "1000000000000000000000000000000e-30", "0.00000000000000000000000000000000000000000000001", "12.350636104367496",
    "0.1", "0.2", "0.3", "3.141592653589793238462643383279", "2.718281828459045235360287471352", "8.41e21",
    "9.5367431640625e-7",
    "7.2057594037927933e16", "36028797018963967.5", "1448997445238699", "179769313486231580793e289",
    "6.929001713869936e236",
    "1090544144181609348671888949248", "8.98846567431158e307", "123e-2147483648", "123e2147483648", "1e-2147483649",
  ]

  @Test("M5, D9: a number has exactly the value of its text, both as an integer and as a double", arguments: edges)
  func edge(text: String) throws {
    try check(text)
  }

  @Test("M5, D9: 60,000 numbers are read as Swift reads them (seed 11)")
  func random() throws {
    var random = SeededRandom(seed: 11)
    func digits(_ most: Int) -> String {
      String(
        (0..<Int.random(in: 1...most, using: &random)).map { _ in Character("\(Int.random(in: 0...9, using: &random))")
        })
    }
    for _ in 0..<60_000 {
      var whole = digits(Bool.random(using: &random) ? 5 : 24)
      while whole.count > 1, whole.hasPrefix("0") { whole.removeFirst() }
      var text = (Bool.random(using: &random) ? "-" : "") + whole
      if Bool.random(using: &random) { text += "." + digits(Bool.random(using: &random) ? 4 : 24) }
      if Int.random(in: 0..<3, using: &random) == 0 {
        text += ["e", "E", "e+", "e-", "E-"].randomElement(using: &random)! + digits(3)
      }
      try check(text)
    }
  }

  @Test("D9: every double round-trips through its shortest text (seed 12)")
  func roundTrip() throws {
    var random = SeededRandom(seed: 12)
    for _ in 0..<40_000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      let read = try scan("\(value)") { $0.double }
      #expect(read?.bitPattern == value.bitPattern, "\(value)")
    }
  }

  @Test("I15: a number with a megabyte of digits, or with any exponent, is read quickly")
  func huge() throws {
    let long = String(repeating: "7", count: 1 << 20)
    let time = try ProcessorClock().measure {
      for text in [long, "0." + long, "1e" + long, "1e-" + long, long + "." + long + "e-1048576"] {
        let (integer, count) = try scan(text) { ($0.exactInt64, $0.count) }
        #expect(integer == nil && count == text.utf8.count)
      }
      for _ in 0..<10_000 {
        let value = try scan("1e999999999") { $0.double }
        #expect(value == nil)
      }
      let small = try #require(JSONNumber("1e-999999999"))
      #expect(small.int64 == nil)
    }
    #expect(time < .seconds(5))
  }

  static let bad: [(String, String)] = [
    ("-", "the text ends where a digit was expected at 1"), ("-x", "expected a digit in a number at 1"),
    ("--1", "expected a digit in a number at 1"), ("01", "expected no digit after a leading zero in a number at 1"),
    ("-01", "expected no digit after a leading zero in a number at 2"),
    ("00", "expected no digit after a leading zero in a number at 1"),
    ("1.", "the text ends where a digit was expected at 2"),
    ("1.x", "expected a digit after the point in a number at 2"),
    ("1.e1", "expected a digit after the point in a number at 2"),
    ("1e", "the text ends where a digit was expected at 2"),
    ("1e+", "the text ends where a digit was expected at 3"),
    ("1e+x", "expected a digit of the exponent in a number at 3"),
    ("1ex", "expected a digit of the exponent in a number at 2"),
    ("1e1.5", "expected nothing after the end of the JSON value at 3"),
    ("1x", "expected nothing after the end of the JSON value at 1"),
    ("0x1", "expected nothing after the end of the JSON value at 1"),
    (
      "+1", "expected a JSON value: an object, an array, a string, a number, true, false or null at 0"
    ), (".5", "expected a JSON value: an object, an array, a string, a number, true, false or null at 0"),
    (
      "NaN",
      "expected a JSON value, found NaN: JSON has no such number; the sender must write null or omit the key at 0"
    ),
    (
      "Infinity",
      "expected a JSON value, found Infinity: JSON has no such number; the sender must write null or omit the key at 0"
    ),
    (
      "-Infinity",
      "expected a JSON value, found -Infinity: JSON has no such number; the sender must write null or omit the key at 0"
    ),
    ("1_000", "expected nothing after the end of the JSON value at 1"),
    ("12345678901234567890123x", "expected nothing after the end of the JSON value at 23"),
  ]

  @Test("RFC 8259: an invalid number is rejected at the first invalid character", arguments: bad)
  func notNumbers(text: String, message: String) {
    let verdicts = Readers.read(Array(text.utf8))
    #expect(verdicts.agree)
    #expect(verdicts.skip.map { "\($0.message) at \($0.offset)" } == message)
  }
}
