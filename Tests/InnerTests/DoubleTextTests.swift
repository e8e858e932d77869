import Foundation
import Testing

@testable import Graft

@Suite("Doubles as strings") struct DoubleTextTests {
  @Test(
    "D9: a number in text is rounded to the nearest double, with ties to even",
    arguments: [
      "0", "-0", "-0.0", "1", "0.1", "-0.1", "1e22", "1e23", "9007199254740993", "9007199254740992",
      "9007199254740994.5",
      "2.2250738585072011e-308", "2.2250738585072014e-308", "4.9e-324", "2.4703282292062327e-324",
      "2.4703282292062328e-324", "2.47032822920623272088284396434110686182e-324", "1e-400", "-1e-400",
      "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "1e309", "-1e309",
      "7.2057594037927933e16", "0.500000000000000166533453693773481063544750213623046875", "8.589973e9",
      "12345678901234567890", "123456789012345678901234567890", "100000000000000000000000000000000000000000000000000",
      "0.00000000000000000000000000000000000000000000000012345", "9355950000000000000.00000000000000000000000000000001",
      "3.237883913302901e-319", "1e999999999", "1e-999999999", "1e99999999999999999999999", "0e99999999999999999999999",
      "6.02214076e23", "5e-324", "1.00000000000000011102230246251565", "0.000e-5", "2e-2147483649", "1E+2", "12.50",
    ])
  func nearest(text: String) throws {
    let expected = try #require(Double(text))
    #expect(text.bytes { DoubleText.value($0) }.bitPattern == expected.bitPattern)
  }

  @Test("D9: a million random numbers are read as the standard library reads them")
  func random() {
    let seed: UInt64 = 20_140_831
    var generator = SeededGenerator(seed: seed)
    for round in 0..<1_000_000 {
      let text: String
      switch round % 5 {
      case 0:
        let bits = Double(bitPattern: generator.next())
        text = bits.isFinite ? bits.description : "1.5"
      case 1: text = "\(generator.next())e\(Int.random(in: -345...310, using: &generator))"
      case 2: text = "\(generator.next() >> 11)e\(Int.random(in: -30...30, using: &generator))"
      case 3: text = "\(generator.next() >> 40).\(generator.next() >> UInt64(round % 60))"
      default:
        text = "\(generator.next()).\(generator.next())e\(Int.random(in: -330...290, using: &generator))"
      }
      let found = text.bytes { DoubleText.value($0) }
      if found.bitPattern != Double(text)?.bitPattern {
        Issue.record("\(text) read as \(found), seed \(seed)")
        return
      }
    }
  }

  @Test("D9: a number halfway between two doubles is rounded as the standard library rounds it")
  func halfWay() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      // An odd number with 54 bits lies halfway between two doubles.
      let odd = generator.next() >> 10 | 1 << 53 | 1
      for text in ["\(odd)", "\(odd).0000000000000000000000001", "\(odd * 5)e-1", "\(odd)0e-1"] {
        #expect(text.bytes { DoubleText.value($0) } == Double(text))
      }
    }
  }

  @Test(
    "E1: a double is written with as few digits as possible, without a zero fraction",
    arguments: [(4.0, "4"), (-0.0, "-0"), (0.1, "0.1"), (1e22, "1e+22"), (12.350636104367496, "12.350636104367496")]
      as [(Double, String)]
  )
  func written(value: Double, text: String) {
    var bytes: [UInt8] = []
    DoubleText.append(value, to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == text)
    #expect(text.bytes { DoubleText.value($0) }.bitPattern == value.bitPattern)
  }

  @Test("E1: half a million doubles are written as the standard library writes them")
  func writing() {
    let seed: UInt64 = 2_020
    var generator = SeededGenerator(seed: seed)
    for round in 0..<500_000 {
      let value: Double
      switch round % 5 {
      case 0:
        let bits = Double(bitPattern: generator.next())
        value = bits.isFinite ? bits : 1.5
      case 1: value = Double.random(in: -1...1, using: &generator)
      case 2: value = pow10(Double.random(in: -6...18, using: &generator))
      case 3:
        // Decimal numbers, and the doubles next to them.
        let places = pow10(Double(Int.random(in: 0...15, using: &generator)))
        let decimal = Double(generator.next() >> UInt64.random(in: 11...60, using: &generator)) / places
        value = [decimal.nextDown, decimal, decimal.nextUp][Int.random(in: 0..<3, using: &generator)]
      default:
        // Powers of two, above which doubles are twice as far apart, and the doubles next to them.
        let power = Double(sign: .plus, exponent: Int.random(in: -20...60, using: &generator), significand: 1)
        value = Double(bitPattern: power.bitPattern &+ UInt64.random(in: 0...4, using: &generator) &- 2)
      }
      var bytes: [UInt8] = []
      DoubleText.append(value, to: &bytes)
      let text = String(decoding: bytes, as: UTF8.self)
      if text != NumberText.shortest(value.description) {
        Issue.record("\(value) is written as \(text), seed \(seed)")
        return
      }
    }
  }

  private func pow10(_ exponent: Double) -> Double { Foundation.pow(10, exponent) }
}
