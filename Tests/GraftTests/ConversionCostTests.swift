import Foundation
import Graft
import GraftTestSupport
import Testing

/// Conversions to and from dictionaries and arrays take time in proportion to the size of the value. If each element caused a copy of the
/// value, four times the size would take sixteen times as long; the tests allow half of that.
@Suite("Cost of conversions", .serialized) struct ConversionCostTests {
  /// The shortest time of several runs.
  private func time(_ body: () throws -> Void) rethrows -> Duration {
    let clock = ProcessorClock()
    var least = Duration.seconds(1000)
    for _ in 0..<3 { least = min(least, try clock.measure(body)) }
    return least
  }

  private func expectLinear(_ size: Int = 4_000, _ make: (Int) throws -> () throws -> Void) throws {
    let small = try time(make(size))
    let large = try time(make(4 * size))
    #expect(large < small * 8, "\(size): \(small), \(4 * size): \(large)")
  }

  @Test("E1: `foundationValue` of long arrays and objects takes linear time")
  func foundationValues() throws {
    try expectLinear(20_000) { count in
      let json = JSON.array(Array(repeating: 0, count: count))
      return { #expect((json.foundationValue as? [Any])?.count == count) }
    }
    try expectLinear { count in
      let json = JSON.object(JSONObject((0..<count).map { ("k\($0)", JSON.array([.object(["x": 1])])) }))
      return { #expect((json.foundationValue as? [String: Any])?.count == count) }
    }
    try expectLinear { count in
      let value: [Any] = Array(repeating: ["a": [1]] as [String: Any], count: count)
      return {
        let made = try JSON(foundation: value)
        #expect(made.arrayValue?.count == count)
      }
    }
  }

  @Test("E1: `json(from:)` takes linear time for many objects, and for an object with a long array")
  func exports() throws {
    let entities = #"""
      "X": {"identityAttributes": "id", "attributes": {"id": "integer64", "json": {"type": "json", "optional": true}}}
      """#
    try expectLinear(1_000) { count in
      let context = try Fixture.context(entities)
      let text = "[\((0..<count).map { "{\"id\":\($0)}" }.joined(separator: ","))]"
      let all = try context.load(text, "X")
      return {
        let made = try json(from: all)
        #expect(made.count == count)
      }
    }
    try expectLinear(20_000) { count in
      let context = try Fixture.context(entities)
      let zeros = Array(repeating: "0", count: count).joined(separator: ",")
      let object = try context.load("{\"id\": 1, \"json\": [\(zeros)]}", "X")[0]
      return {
        let made = try json(from: object)
        #expect((made["json"] as? [Any])?.count == count)
      }
    }
  }

  @Test("T1: creating dictionaries for closures takes linear time")
  func closures() throws {
    var registry = TransformerRegistry.standard
    registry.registerDictionaryTransformer(named: "Same") { $0 }
    registry.registerEntityMapper(named: "None") { _ in nil }
    for word in [#""JSONDictionaryTransformerName": "Same""#, #""entityMapperName": "None""#] {
      let context = try Fixture.context(
        #""X": {\#(word), "identityAttributes": "id", "attributes": {"id": "integer64", "json": "json"}}"#,
        transformers: registry)
      try expectLinear(10_000) { count in
        let zeros = Array(repeating: "0", count: count).joined(separator: ",")
        let text = Array("{\"id\": \(count), \"json\": [\(zeros)]}".utf8)
        return { try context.importJSON(text, ofEntity: "X") }
      }
    }
  }

  @Test("C4: encoding and decoding long arrays takes linear time")
  func coding() throws {
    try expectLinear(2_000) { count in
      let json = JSON.array(Array(repeating: .object(["a": 1]), count: count))
      return {
        let data = try JSONEncoder().encode(json)
        let read = try JSONDecoder().decode(JSON.self, from: data)
        #expect(read.arrayValue?.count == count)
      }
    }
  }
}
