import Foundation
import GraftTestSupport
import Testing

@testable import Graft

/// A reader reads each object by the shape (the keys and their order) of preceding objects.
@Suite("JSON values: objects of similar shape") struct ObjectShapeTests {
  /// Keys that begin with another key, need escapes, or are equal only by Unicode equivalence.
  private static let keys = ["id", "i", "idd", "name", "é", "e\u{301}", "a\"b", "a\\", "\u{1}", "", "k12345678"]

  /// A random document whose objects have few shapes. It records whether a key occurs twice in an object.
  private struct Document {
    var random: SeededRandom
    var text = ""
    private(set) var hasDuplicate = false
    private let shapes: [[String]]
    private let mayRepeat: Bool

    init(seed: UInt64) {
      var random = SeededRandom(seed: seed)
      shapes = (0..<6).map { _ in
        Array(ObjectShapeTests.keys.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)))
      }
      mayRepeat = seed % 3 == 0
      self.random = random
    }

    private func quoted(_ key: String) -> String {
      "\""
        + key.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : $0 == "\u{1}" ? "\\u0001" : "\($0)" }.joined()
        + "\""
    }

    /// Writes a random value to the document, and returns the value.
    mutating func value(_ depth: Int) -> JSON {
      switch depth == 0 ? 9 : Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        text += "["
        var elements: [JSON] = []
        for index in 0..<Int.random(in: 0...6, using: &random) {
          if index > 0 { text += "," }
          elements.append(value(depth - 1))
        }
        text += "]"
        return .array(elements)
      case 2, 3, 4:
        var keys = shapes.randomElement(using: &random) ?? []
        if mayRepeat, Int.random(in: 0..<12, using: &random) == 0, let key = keys.randomElement(using: &random) {
          keys.append(key)
          hasDuplicate = true
        }
        text += "{ "
        var members: [(key: String, value: JSON)] = []
        for (index, key) in keys.enumerated() {
          // Sometimes a key is escaped although it needs no escape.
          let isEscaped = key == "id" && Int.random(in: 0..<10, using: &random) == 0
          text +=
            (index > 0 ? Bool.random(using: &random) ? "," : " , " : "") + (isEscaped ? #""\u0069d""# : quoted(key))
            + ":"
          members.append((key, value(depth - 1)))
        }
        text += "}"
        return .object(JSONObject(uncheckedMembers: members))
      default:
        let number = Int.random(in: 0..<100, using: &random)
        text += "\(number)"
        return .number(JSONNumber(number))
      }
    }
  }

  @Test("Random documents with few shapes are read correctly, or refused because of a duplicate key")
  func random() throws {
    var duplicates = 0
    for seed in 0..<1_000 as Range<UInt64> {
      var document = Document(seed: seed)
      let expected = document.value(6)
      if document.hasDuplicate {
        duplicates += 1
        #expect(throws: JSONSyntaxError.self, "\(seed): \(document.text)") {
          try JSON(parsing: Array(document.text.utf8))
        }
        continue
      }
      let read = try JSON(text: document.text)
      // Comparing the descriptions also compares the order of members.
      try #require(read.description == expected.description, "\(seed): \(document.text)")
      let foundation = try LentBytes.with(document.text) {
        try JSONBuilder.whole($0, maxDepth: 100, FoundationTree.self)
      }
      #expect(
        try JSON(foundation: foundation) == JSON(foundation: expected.foundationValue), "\(seed): \(document.text)")
    }
    #expect(duplicates > 50)
  }

  @Test("D8: a duplicate key is located in the third of three objects of similar shape")
  func duplicate() {
    let text = #"[{"id": 1, "name": 2}, {"id": 1, "name": 2}, {"id": 1, "name": 2, "id": 3}]"#
    let error = #expect(throws: JSONSyntaxError.self) { try JSON(parsing: Array(text.utf8)) }
    #expect(error?.offset == 66)
  }

  @Test("Prepared values replace the zeros at their locations; other zeros are read as numbers")
  func readyValues() throws {
    let text = Array(#"{"a":0,"b":[0,0,10],"c":0}"#.utf8)
    var ready = ReadyValues<Any>()
    ready.add("first", at: 5)
    ready.add("second", at: 14)
    ready.add("taken back", at: 17)
    ready.add("taken back", at: 24)
    ready.truncate(to: 17)
    ready.add("third", at: 24)
    let value = try LentBytes.with(text) {
      try JSONBuilder.whole($0, maxDepth: 2, FoundationTree.self, ready: ready)
    }
    #expect(try JSON(foundation: value) == ["a": "first", "b": [0, "second", 10], "c": "third"])
  }

  @Test(
    "E1: of two canonically equivalent keys, every dictionary has the later key's value; the other value is released")
  func equivalentKeys() throws {
    final class Value {}
    struct Weak { weak var value: Value? }
    let text = Array("[{\"\u{E9}\":0,\"a\":0,\"e\u{301}\":0},{\"\u{E9}\":0,\"a\":0,\"e\u{301}\":0}]".utf8)
    let places = text.indices.filter { text[$0] == UInt8(ascii: "0") }
    var kept: [Weak] = []
    do {
      let values = places.map { _ in Value() }
      kept = values.map { Weak(value: $0) }
      var ready = ReadyValues<Any>()
      for (place, value) in zip(places, values) { ready.add(value, at: place) }
      let read = try LentBytes.with(text) {
        try JSONBuilder.whole($0, maxDepth: 2, FoundationTree.self, ready: ready)
      }
      let objects = try #require(read as? [[String: Value]])
      #expect(objects.map(\.count) == [2, 2])
      for (object, first) in zip(objects, [0, 3]) {
        #expect(object["a"] === values[first + 1])
        #expect(object["\u{E9}"] === values[first + 2])
      }
    }
    #expect(kept.count == 6 && kept.allSatisfy { $0.value == nil })
  }

  @Test("An exported number becomes a double if it has no more digits than a double can represent")
  func numbers() throws {
    func value(_ text: String) throws -> Any {
      try LentBytes.with(text) { try JSONBuilder.whole($0, maxDepth: 1, FoundationTree.self) }
    }
    for text in [
      "1.5", "0.1", "-0.0", "123456789012.345", "1.0000000000000002", "1e-300", "1.7976931348623157e+308", "4.9e-324",
      "0.1e-320",
    ] {
      let expected = try #require(JSONNumber(text)).foundationValue
      #expect(type(of: try value(text)) == type(of: expected), "\(text)")
      #expect("\(try value(text))" == "\(expected)", "\(text)")
    }
    #expect(try value("0.1000000000000000055511151231257827") is Decimal)
    #expect(try value("123456789012345678.5") is Decimal)
  }
}
