import Foundation
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

  /// The number of changes to each file. The following command makes more than ten million changes in total:
  ///
  ///     GRAFT_MUTATIONS=70000 swift test -c release -Xswiftc -enable-testing --filter ModelFileMutationTests
  private static let mutations = ProcessInfo.processInfo.environment["GRAFT_MUTATIONS"].flatMap(Int.init)

  /// All models of the repository, including the faulty ones.
  private static let files: [(name: String, bytes: [UInt8])] = {
    let models = (try? RepositoryModels.texts()) ?? []
    let bad = BadModel.all.compactMap { file in (try? file.bytes()).map { (file.name, $0) } }
    return [("every word", Array(everyWordOfTheModelFile.utf8))] + models.map { ($0.name, Array($0.text.utf8)) } + bad
  }()

  /// Reads a model file completely, and renders the findings.
  private func read(_ bytes: [UInt8], _ name: String) {
    let result = ModelFile.read(SourceText(name: name, bytes: bytes), transformers: .standard)
    let hasErrors = result.diagnostics.contains { $0.severity == .error }
    if (result.model == nil) != hasErrors || result.diagnostics.contains(where: { $0.location == nil }) {
      Issue.record("\(name): \(String(decoding: bytes, as: UTF8.self))")
    }
    for diagnostic in result.diagnostics { _ = DiagnosticRenderer().render(diagnostic) }
  }

  @Test("M9: changing any byte of a model file to any other byte results in a model or in errors")
  func bytes() {
    var count = 0
    for (name, bytes) in Self.files where !bytes.isEmpty {
      let mutations = Self.mutations.map { min($0 / 2, bytes.count * 255) } ?? 5
      // A stride that has no common divisor with most file lengths reaches every byte.
      var place = 0
      for round in 0..<mutations {
        var changed = bytes
        changed[place] ^= UInt8(round / bytes.count % 255 + 1)
        read(changed, name)
        place = (place + 7919) % bytes.count
        count += 1
      }
    }
    print("\(count) single bytes were changed in \(Self.files.count) models")
    #expect(count >= Self.files.count)
  }

  @Test("M9: any damage to a model file results in a model or in errors")
  func damage() {
    var count = 0
    for (number, (name, bytes)) in Self.files.enumerated() {
      var random = SeededRandom(seed: UInt64(number))
      for _ in 0..<(Self.mutations.map { $0 / 2 } ?? (number == 0 ? 2000 : 20)) {
        var changed = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) { damage(&changed, &random) }
        read(changed, name)
        count += 1
      }
    }
    print("\(count) models were damaged, with the seeds 0 to \(Self.files.count - 1)")
    #expect(count >= Self.files.count)
  }

  @Test("M9: a thousand findings are shown, and the remaining findings are counted")
  func many() {
    let keys = (0..<5000).map { "\"k\($0)\": 1" }.joined(separator: ", ")
    let found = findings("{\"entities\": {}, \(keys)}")
    #expect(found.count == 1001)
    #expect(
      found.last == "1:10908: error: 4000 more findings are not shown: fix these and run again"
    )
  }

  @Test("M9: long names and long chains are checked in bounded time")
  func hostile() {
    let marks = String(repeating: "\u{301}\u{323}", count: 50_000)
    let chain = (0..<4_000).map { "\"E\($0)\": {\"parent\": \"E\(($0 + 1) % 4_000)\"}" }.joined(separator: ",")
    for entities in ["\"A\": {\"parent\": \"\(marks)\"}, \"\(marks)\": {}", chain] {
      let text = SourceText(name: "m.json", bytes: Array("{\"entities\": {\(entities)}}".utf8))
      let time = ProcessorClock().measure {
        #expect(ModelFile.read(text, transformers: .standard).model == nil)
      }
      #expect(time < .seconds(30))
    }
  }
}
