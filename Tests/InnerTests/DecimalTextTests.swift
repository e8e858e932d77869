import Foundation
import Testing

@testable import Graft

@Suite("Decimals as strings") struct DecimalTextTests {
  static let nines = String(repeating: "9", count: 38)

  @Test(
    "D9: the canonical text of a number represents the number's exact value",
    arguments: [
      ("0", "0"), ("-0", "0"), ("-0.0", "0"), ("0e5", "0"), ("0e999999999999999999999", "0"), ("1.50", "1.5"),
      ("1e2", "100"), ("1E+2", "100"), ("-1.0", "-1"), ("1e-3", "0.001"), ("12.5e1", "125"), ("100", "100"),
      ("0.10", "0.1"), ("12.350636104367496", "12.350636104367496"), (nines, nines), ("-\(nines)", "-\(nines)"),
      ("0.\(nines)", "0.\(nines)"), ("\(nines)0", "\(nines)0"),
      ("1" + String(repeating: "0", count: 100) + "e-100", "1"),
      ("1e-128", "0." + String(repeating: "0", count: 127) + "1"), ("1e127", "1" + String(repeating: "0", count: 127)),
    ])
  func canonical(text: String, expected: String) throws {
    let found = try #require(text.bytes { DecimalText.canonical($0) })
    #expect(String(decoding: found, as: UTF8.self) == expected)
    let decimal = try #require(expected.bytes { DecimalText.decimal($0) })
    #expect(decimal.description == expected)
    #expect(DecimalText.canonical(decimal) == found)
  }

  @Test(
    "D9: a number that Decimal cannot represent exactly is rejected quickly",
    arguments: [
      "1\(nines)", "1.\(nines)", "1e128", "1e-129", "1e999999999", "1e-999999999", "1e99999999999999999999999999",
      "-1e-99999999999999999999999999", "\(nines)e128", "0.1\(nines)",
    ])
  func refused(text: String) {
    #expect(text.bytes { DecimalText.canonical($0) } == nil)
    #expect(text.bytes { DecimalText.decimal($0) } == nil)
    #expect(JSONNumber(uncheckedText: text).decimal == nil)
  }

  @Test("D9: random numbers are read as Foundation's own parser reads them")
  func random() throws {
    let locale = Locale(identifier: "en_US_POSIX")
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<20_000 {
      var digits = String(generator.next() >> UInt64.random(in: 0..<60, using: &generator))
      if Bool.random(using: &generator) {
        digits += ".\(generator.next() >> UInt64.random(in: 10..<60, using: &generator))"
      }
      if Bool.random(using: &generator) { digits = "-" + digits }
      if Bool.random(using: &generator) { digits += "e\(Int.random(in: -80...80, using: &generator))" }
      let text = try #require(digits.bytes { DecimalText.canonical($0) })
      let expected = try #require(Decimal(string: digits, locale: locale))
      let found = try #require(LentBytes.with(text) { DecimalText.decimal($0) })
      if found != expected || found.description != String(decoding: text, as: UTF8.self) {
        Issue.record("\(digits): \(found), expected \(expected)")
        return
      }
    }
  }

  @Test("D9: decimals are written as in Foundation's description, with all digits and without an exponent")
  func positional() {
    var generator = SeededGenerator(seed: 4)
    var values: [Decimal] = [0, -1, 10, 100, Decimal(UInt64.max), -Decimal(UInt64.max), Decimal(UInt64.max) + 1]
    for _ in 0..<20_000 {
      var significand = Decimal(generator.next() >> UInt64.random(in: 0..<64, using: &generator))
      if UInt8.random(in: 0..<10, using: &generator) == 0 { significand *= Decimal(generator.next() >> 20) }
      if Bool.random(using: &generator) { significand *= 1000 }
      let sign: FloatingPointSign = Bool.random(using: &generator) ? .minus : .plus
      values.append(
        Decimal(sign: sign, exponent: Int.random(in: -60...40, using: &generator), significand: significand))
    }
    for value in values where NumberText.positional(value) != value.description {
      Issue.record("\(NumberText.positional(value)), expected \(value)")
      return
    }
  }

  @Test("D9: a decimal that is NaN or has 39 digits has no canonical text")
  func notANumber() {
    #expect(DecimalText.canonical(Decimal.nan) == nil)
    #expect(DecimalText.canonical(Decimal(UInt64.max) * Decimal(UInt64.max)) == nil)
    #expect(JSONNumber(Decimal.nan) == nil)
    #expect(AttributeValue.decimal(.nan).jsonValue == .null)
    #expect(AttributeValue.decimal(.nan) == .decimal(.nan))
  }
}
