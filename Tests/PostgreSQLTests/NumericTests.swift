import Foundation
import GraftTestSupport
import Testing

@testable import GraftPostgreSQL

@Suite("Numeric", .timeLimit(.minutes(5))) struct NumericTests {
  /// Makes a decimal from its parts, without a parser.
  private static func decimal(_ digits: [UInt8], _ exponent: Int, isNegative: Bool) -> Decimal {
    func integer(_ digits: ArraySlice<UInt8>) -> Decimal {
      Decimal(digits.reduce(0 as UInt64) { $0 * 10 + UInt64($1) })
    }
    let magnitude =
      integer(digits.dropLast(19)) * Decimal(sign: .plus, exponent: 19, significand: 1) + integer(digits.suffix(19))
    return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: magnitude)
  }

  /// Returns the text of a numeric without trailing zeros.
  private static func text(_ digits: [UInt8], _ exponent: Int, isNegative: Bool) -> String {
    var text = digits.map { String($0) }.joined()
    if exponent >= 0 {
      text += String(repeating: "0", count: exponent)
    } else {
      text = String(repeating: "0", count: max(0, -exponent + 1 - text.count)) + text
      text.insert(".", at: text.index(text.endIndex, offsetBy: exponent))
    }
    return (isNegative ? "-" : "") + text
  }

  @Test(
    "Random decimals of all scales round-trip, and the server reads the same values",
    .enabled(if: Cluster.isAvailable))
  func random() throws {
    let connection = try Cluster.connection()
    var random = SplitMix(state: 20_240_229)
    var values: [(decimal: Decimal, text: String)] = []
    for _ in 0..<5000 {
      let count = Int.random(in: 1...38, using: &random)
      var digits = (0..<count).map { _ in UInt8.random(in: 0...9, using: &random) }
      if Bool.random(using: &random) {
        for index in digits.indices.dropFirst() where index % 5 != 0 { digits[index] = 0 }
      }
      digits[0] = UInt8.random(in: 1...9, using: &random)
      digits[count - 1] = UInt8.random(in: 1...9, using: &random)
      let isNegative = Bool.random(using: &random)
      let exponent = Int.random(in: values.count % 2 == 0 ? -128...127 : -10...3, using: &random)
      values.append(
        (
          NumericTests.decimal(digits, exponent, isNegative: isNegative),
          NumericTests.text(digits, exponent, isNegative: isNegative)
        ))
    }
    let parameters = try Parameters { p throws(PostgreSQLError) in
      try p.append(values.map(\.decimal))
      try p.append(values.map(\.text))
    }
    let rows = try connection.all(
      "SELECT d, d::text, t::numeric, trim_scale(t::numeric) FROM unnest($1, $2) AS x (d, t)", parameters
    ) { r throws(PostgreSQLError) in (try r.decimal(0), try r.text(1), try r.decimal(2), try r.decimal(3)) }
    #expect(rows.count == values.count)
    for (row, value) in zip(rows, values) {
      #expect(row.0 == value.decimal && row.2 == value.decimal && row.3 == value.decimal, "\(value.text)")
      #expect(row.1 == value.text)
    }
  }

  @Test("Numbers with leading or trailing zeros are the same numbers", .enabled(if: Cluster.isAvailable))
  func zeros() throws {
    let connection = try Cluster.connection()
    for text in ["0", "0.000", "-0", "1.500", "100", "10000.0000", "0.00010", "12345678901234567890.00", "1e38"] {
      let value = try connection.all("SELECT '\(text)'::numeric") { r throws(PostgreSQLError) in try r.decimal(0) }
      #expect(value == [Decimal(string: text)], "\(text)")
    }
  }

  @Test(
    "A value that a decimal cannot hold causes an error, and is not rounded", .enabled(if: Cluster.isAvailable),
    arguments: [
      ("NaN", "the numeric is NaN, which is not a decimal"),
      ("Infinity", "the numeric is infinite, which is not a decimal"),
      ("-Infinity", "the numeric is infinite, which is not a decimal"),
      ("1e200", nil), ("1e-200", nil), ("123456789012345678901234567890123456789", nil),
      ("0.1234567890123456789012345678901234567890", nil),
    ])
  func refused(_ text: String, _ message: String?) throws {
    let connection = try Cluster.connection()
    let found = try #require(
      error { _ = try connection.all("SELECT '\(text)'::numeric") { r throws(PostgreSQLError) in try r.decimal(0) } })
    #expect(found.kind == .invalidValue)
    #expect(
      found.message == message
        ?? "the numeric has more than 38 digits or an exponent out of -128...127, so no decimal holds it exactly")
    #expect(connection.isUsable)
  }

  @Test("NaN and decimals of 39 digits are not written")
  func notWritten() {
    #expect(error { _ = try Numeric(.nan) }?.kind == .invalidValue)
    #expect(error { _ = try Numeric(.greatestFiniteMagnitude) }?.kind == .invalidValue)
  }

  @Test("Damaged bytes cause errors")
  func damaged() {
    var random = SplitMix(state: 7)
    for count in 0..<40 {
      for _ in 0..<200 {
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        _ = error { _ = try bytes.withUnsafeBytes { try Numeric.decimal($0) } }
      }
    }
    for bytes: [UInt8] in [
      [], [0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0, 0x27, 0x10],
      [0, 0, 0, 0, 0x12, 0, 0, 0],
    ] {
      let found = error { _ = try bytes.withUnsafeBytes { try Numeric.decimal($0) } }
      #expect(found?.message == "the binary form of a numeric is damaged")
    }
  }

  @Test("Conversions are fast")
  func speed() throws {
    let values = (0..<100_000).map { Decimal(sign: .plus, exponent: -2, significand: Decimal($0 * 7919)) }
    let clock = ContinuousClock()
    var buffer = BinaryBuffer()
    let writing = try clock.measure { for value in values { try Numeric(value).write(to: &buffer) } }
    var offset = 0
    var sum = 0
    let reading = try clock.measure {
      try buffer.bytes.withUnsafeBytes { bytes in
        for _ in values {
          let count = Int(bytes[offset]) << 8 + Int(bytes[offset + 1])
          sum +=
            try Numeric.decimal(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + 8 + 2 * count])).isZero ? 0 : 1
          offset += 8 + 2 * count
        }
      }
    }
    #expect(sum == values.count - 1 && offset == buffer.count)
    print("100,000 decimals: written in \(writing), read in \(reading)")
  }
}

/// A generator that returns the same numbers in every run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
