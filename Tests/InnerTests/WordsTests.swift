import Foundation
import GraftTestSupport
import Testing

@testable import Graft

@Suite("Bytes in eight-byte words") struct WordsTests {
  @Test("Searching and counting bytes by words has the same result as byte by byte")
  func searching() {
    var random = SeededRandom(seed: 3)
    let letters: [UInt8] = [0x0A, 0x0B, 0x09, 0x8A, 0x80, 0xC3, 0xBF, 0x41, 0x00, 0xFF]
    for round in 0..<2_000 {
      // Some inputs are longer than one lane can count. Inputs consist of a single byte value, or of several byte values.
      let count = Int.random(in: 0..<(round % 20 == 0 ? 20_000 : 200), using: &random)
      let common = letters.randomElement(using: &random) ?? 0
      let isMixed = round % 3 != 0
      let bytes = (0..<count).map { _ in isMixed ? letters.randomElement(using: &random) ?? 0 : common }
      LentBytes.with(bytes) { buffer in
        #expect(firstPlace(of: 0x0A, in: buffer) == bytes.firstIndex(of: 0x0A), "\(bytes)")
        #expect(countLines(buffer) == bytes.count { $0 == 0x0A }, "\(bytes)")
        #expect(countScalars(buffer) == bytes.count { $0 & 0xC0 != 0x80 }, "\(bytes)")
      }
    }
  }

  @Test("E3: integers, short doubles and strings are written as the standard library writes them")
  func writing() throws {
    var random = SeededRandom(seed: 4)
    var numbers: [Int64] = [0, 9, 10, 99, 100, 101, 999, 1_000, 9_999, 10_000, 12_345, .max, .min, -1, -10, -100]
    for power in 1..<19 {
      let number = Int64(pow(10, Double(power)))
      numbers += [number - 1, number, number + 1, -number]
    }
    for shift in 0..<63 {
      numbers.append(Int64(truncatingIfNeeded: UInt64.random(in: 0 ... .max, using: &random) >> UInt64(shift)))
    }
    var output = JSONOutput()
    defer { output.free() }
    for number in numbers {
      output.truncate(to: 0)
      output.integer(number)
      #expect(String(decoding: output.bytes, as: UTF8.self) == "\(number)")
    }
    for _ in 0..<20_000 {
      let places = Int.random(in: 0...6, using: &random)
      let digits =
        Int64.random(in: -2_000_000_000...2_000_000_000, using: &random)
        / Int64(pow(10, Double(Int.random(in: 0..<9, using: &random))))
      let number = Double(digits) / pow(10, Double(places))
      var text: [UInt8] = []
      DoubleText.append(number, to: &text)
      #expect(String(decoding: text, as: UTF8.self) == NumberText.shortest(number.description), "\(number)")
    }
    let letters = ["a", "/", "\u{7F}", "!", "#", "[", "]", "é", "\"", "\\", "\u{1}"]
    for round in 0..<10_000 {
      // Half of the strings need no escapes, and some of the other strings need a single escape.
      let most = round % 2 == 0 ? 8 : letters.count
      var scalars = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
        letters[Int.random(in: 0..<most, using: &random)]
      }
      if round % 4 == 0, let place = scalars.indices.randomElement(using: &random) { scalars[place] = "\"" }
      let value = JSON.string(scalars.joined())
      output.truncate(to: 0)
      output.string(scalars.joined())
      let text = String(decoding: output.bytes, as: UTF8.self)
      #expect(try JSON(parsing: Array(text.utf8)) == value, "\(text)")
      output.truncate(to: 0)
      LentBytes.with(text) { output.raw($0) }
      #expect(String(decoding: output.bytes, as: UTF8.self) == text)
    }
  }

  @Test("E8: exported dictionaries have the types and values of the exported JSON")
  func dictionaries() throws {
    let text =
      #"{"a": 1, "b": -0, "c": 1.5, "d": 1e3, "e": 12345678901234567890, "f": [true, null, {}], "g": 0.1234567890123456789, "h": -12.25, "i": 9007199254740993, "j": "\u00e9", "k": 1.0}"#
    let expected = try JSON(parsing: Array(text.utf8)).foundationValue
    let found = try LentBytes.with(text) {
      try JSONBuilder.whole($0, maxDepth: 100, FoundationTree.self)
    }
    let left = try #require(expected as? [String: Any])
    let right = try #require(found as? [String: Any])
    #expect(Set(left.keys) == Set(right.keys))
    for (key, value) in left {
      let other = try #require(right[key])
      #expect("\(type(of: value)) \(value)" == "\(type(of: other)) \(other)")
    }
  }

  @Test("D8: a duplicate key is found among few keys and among many keys")
  func duplicateKeys() {
    for count in [1, 2, 15, 16, 17, 18, 40] {
      let members = (0..<count).map { #""key \#($0)": \#($0)"# }
      #expect(throws: Never.self) { try JSON(parsing: Array("{\(members.joined(separator: ","))}".utf8)) }
      for place in 0..<count {
        #expect(throws: (any Error).self) {
          try JSON(parsing: Array("{\((members + [members[place]]).joined(separator: ","))}".utf8))
        }
      }
    }
  }
}
