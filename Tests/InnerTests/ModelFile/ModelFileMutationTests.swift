import GraftTestSupport
import Testing

@testable import Graft

@Suite("Damaged model files") struct ModelFileMutationTests {
  private static let pieces: [[UInt8]] = [
    "\"", "{", "}", "[", "]", ",", ":", "null", "true", "\"@key\"", "\"@value\"", "\"json\"", "\"date\"", "-1", "1e999",
    "0", "\"\"", "[]", "{}", "//", "/*", "*/", "\\u", "\\ud800", "\u{FEFF}", "\"a.b\"", "\"Hero\"",
    "99999999999999999999999", "\"minimum\":", "\"enum\":", "\"pattern\":\"(\",", "\"parent\":\"Hero\",",
    "\"JSONKeyPath\":", "\"JSONTransformerName\":\"DateFormat(\",",
  ].map { Array($0.utf8) }

  private func damage(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    let end = min(bytes.count, place + Int.random(in: 0...30, using: &random))
    switch Int.random(in: 0..<5, using: &random) {
    case 0: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
    case 1: bytes.insert(contentsOf: Self.pieces.randomElement(using: &random) ?? [], at: place)
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
    default: bytes.replaceSubrange(place..<end, with: Self.pieces.randomElement(using: &random) ?? [])
    }
  }

  @Test("M9: whatever the bytes are, reading ends with a model or with errors", arguments: 1...4 as ClosedRange<UInt64>)
  func mutations(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let good = Array(everyWordOfTheModelFile.utf8)
    for _ in 0..<5000 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...3, using: &random) { damage(&bytes, &random) }
      let result = ModelFile.read(SourceText(name: "m.json", bytes: bytes), transformers: .standard)
      let hasErrors = result.diagnostics.contains { $0.severity == .error }
      #expect((result.model == nil) == hasErrors, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
      #expect(result.diagnostics.allSatisfy { $0.location != nil }, "seed \(seed)")
      for diagnostic in result.diagnostics { _ = DiagnosticRenderer().render(diagnostic) }
    }
  }

  @Test("M9: a thousand findings are shown, the rest is counted")
  func many() {
    let keys = (0..<5000).map { "\"k\($0)\": 1" }.joined(separator: ", ")
    let found = findings("{\"entities\": {}, \(keys)}")
    #expect(found.count == 1001)
    #expect(found.last == "error: 4000 more findings are not shown")
  }

  @Test("M9: long names and long chains are looked at in bounded time", .timeLimit(.minutes(1)))
  func hostile() {
    let marks = String(repeating: "\u{301}\u{323}", count: 100_000)
    let chain = (0..<10_000).map { "\"E\($0)\": {\"parent\": \"E\(($0 + 1) % 10_000)\"}" }.joined(separator: ",")
    for entities in ["\"A\": {\"parent\": \"\(marks)\"}, \"\(marks)\": {}", chain] {
      let text = SourceText(name: "m.json", bytes: Array("{\"entities\": {\(entities)}}".utf8))
      #expect(ModelFile.read(text, transformers: .standard).model == nil)
    }
  }
}
