import GraftTestSupport
import Testing

@testable import Graft

@Suite("Scanner: looking ahead") struct ContainerEndsTests {
  /// Random JSON with long strings, so that only some of its containers are long enough to be cached.
  private func value(_ depth: Int, _ random: inout SeededRandom) -> String {
    switch depth == 0 ? 0 : Int.random(in: 0..<6, using: &random) {
    case 0: return ["1", "null", "true", #""x""#, #""]}\\"{[""#].randomElement(using: &random) ?? "1"
    case 1: return #""\#(String(repeating: "y", count: Int.random(in: 0..<900, using: &random)))""#
    case 2:
      return "["
        + (0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth - 1, &random) }.joined(separator: " ,")
        + "]"
    default:
      let keys = ["a", "b", "c", #"\u0061"#].shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random))
      return "{ " + keys.map { #""\#($0)" : \#(value(depth - 1, &random))"# }.joined(separator: ",") + "}"
    }
  }

  private func text(_ place: JSONLocator.Place, _ start: UnsafePointer<UInt8>) -> String {
    switch place {
    case .value(let place): "value at \(place - start)"
    case .null(let place): "null at \(place - start)"
    case .blocked: "blocked"
    case .absent: "absent"
    }
  }

  @Test("I7, M7: cached positions equal the result of a new search, from every object, even in malformed text")
  func same() throws {
    var random = SeededRandom(seed: 17)
    var finds = 0
    for _ in 0..<400 {
      var bytes = Array(value(9, &random).utf8)
      if Bool.random(using: &random), bytes.count > 3 {
        bytes[Int.random(in: 1..<bytes.count, using: &random)] =
          [0x7D, 0x22, 0x2C, 0x5B].randomElement(using: &random) ?? 0
      }
      LentBytes.with(bytes) { buffer in
        guard let start = buffer.baseAddress else { return }
        var ends = ContainerEnds()
        var offsets = buffer.indices.filter { buffer[$0] == UInt8(ascii: "{") }
        if Bool.random(using: &random) { offsets.reverse() }
        for offset in offsets.prefix(60) {
          for keys in [["a"], ["b", "c"], ["none"], ["c", "a", "b"]] {
            var scanner = JSONScanner(buffer, maxDepth: 512)
            scanner.move(to: start + offset)
            let found = text(JSONLocator.find(keys, in: scanner, &ends), start)
            #expect(found == text(JSONLocator.find(keys, in: scanner), start))
            finds += 1
          }
        }
      }
    }
    #expect(finds > 5_000)
  }

  @Test("I15: the cache is small in proportion to the text, regardless of nesting")
  func memory() throws {
    let chain = String(repeating: #"{"a":"#, count: 500) + "1" + String(repeating: "}", count: 500)
    let list = "[" + (0..<500).map { _ in #"{"a":[1,2,3],"b":{"c":[]}}"# }.joined(separator: ",") + "]"
    for text in [#"{"a":\#(chain)}"#, #"{"a":\#(list)}"#, #"{"a":[\#(chain),\#(list),\#(chain)]}"#] {
      let bytes = Array(text.utf8)
      LentBytes.with(bytes) { buffer in
        var ends = ContainerEnds()
        guard case .absent = JSONLocator.find(["none"], in: JSONScanner(buffer, maxDepth: 512), &ends) else {
          Issue.record("found something that does not exist")
          return
        }
        #expect(!ends.isEmpty && ends.count <= bytes.count / 512)
      }
    }
  }
}
