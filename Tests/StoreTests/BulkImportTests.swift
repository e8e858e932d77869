import Foundation
import Graft
import GraftTestSupport
import Testing

/// Imports into a store in batches.
@Suite("Bulk imports") struct BulkImportTests {
  @Test(
    "S7: a file is imported in batches, each object is inserted once, and its newest values are kept",
    arguments: StoreKind.allCases)
  func batches(kind: StoreKind) throws {
    let comics = try StoredComics(kind.source)
    let store = try #require(comics.source.store)
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("graft-bulk-\(UUID()).jsonl")
    defer { try? FileManager.default.removeItem(at: url) }
    let lines = (0..<500).map { number in
      #"{"id": \#(number % 300), "name": "Hero \#(number)", "publisher": \#(number % 7), "powers": [\#(number % 11)]}"#
    }
    try Data(lines.joined(separator: "\n").utf8).write(to: url)
    var batches: [Int] = []
    let report = try store.importJSON(
      contentsOf: url, ofEntity: "Hero", format: .lines, batchSize: 64
    ) { batches.append($0.objects) }
    #expect(batches.count == 8)
    #expect(report.inserted["Hero"] == 300)
    #expect(report.placeholders["Publisher"] == 7)
    let memory = ManagedObjectContext(model: comics.model)
    try memory.load("[\(lines.joined(separator: ","))]", "Hero")
    #expect(try comics.dump == String(decoding: memory.dump(), as: UTF8.self))
  }

  @Test("S7: the batches before a fault are kept", arguments: StoreKind.allCases)
  func fault(kind: StoreKind) throws {
    let comics = try StoredComics(kind.source)
    let store = try #require(comics.source.store)
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("graft-bulk-\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data(#"[{"id": 1}, {"id": 2}, {"id": 3}, {"id": "four"}]"#.utf8).write(to: url)
    #expect(throws: ImportError.self) {
      try store.importJSON(contentsOf: url, ofEntity: "Hero", batchSize: 2)
    }
    #expect(try comics.context().count(ofEntity: "Hero") == 2)
  }

  @Test("S1: a background context can have a store", arguments: StoreKind.allCases)
  func background(kind: StoreKind) async throws {
    let comics = try StoredComics(kind.source, StoredComics.heroes)
    let background = try BackgroundContext(model: comics.model, store: #require(comics.source.store))
    let name = try await background.perform { try $0.find(ofEntity: "Hero", identity: 1)?["name"] as String? }
    #expect(name == "Heron")
  }
}
