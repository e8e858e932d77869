import Testing

@testable import Graft

@Suite("Indented JSON") struct JSONIndenterTests {
  @Test("E1: an indented export has one member or element per line")
  func text() {
    let compact = #"{"a":[1,{"b":"x,\"[{:\\"}],"c":{},"d":[],"e":[[]]}"#
    #expect(
      String(decoding: JSONIndenter.indented(Array(compact.utf8)), as: UTF8.self) == #"""
        {
          "a": [
            1,
            {
              "b": "x,\"[{:\\"
            }
          ],
          "c": {},
          "d": [],
          "e": [
            []
          ]
        }
        """#)
  }

  @Test("E1: indented output equals the text of the writer of JSON values", arguments: [1, 2, 3] as [UInt64])
  func agreement(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let value = Self.value(3, &generator)
      var pretty: [UInt8] = []
      JSONWriter(pretty: true).append(value, to: &pretty)
      #expect(JSONIndenter.indented(Array(value.description.utf8)) == pretty, "seed \(seed)")
    }
  }

  private static func value(_ depth: Int, _ generator: inout SeededGenerator) -> JSON {
    let count = Int.random(in: 0...3, using: &generator)
    switch Int.random(in: depth > 0 ? 0...6 : 2...6, using: &generator) {
    case 0: return .array((0..<count).map { _ in value(depth - 1, &generator) })
    case 1: return .object(JSONObject((0..<count).map { ("\"\($0)\\", value(depth - 1, &generator)) }))
    case 2: return nil
    case 3: return true
    case 4: return .number(JSONNumber(count))
    case 5: return "a\\\"[]{},: \n"
    default: return ""
    }
  }
}
