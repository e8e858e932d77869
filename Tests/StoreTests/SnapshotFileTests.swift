import Foundation
import Graft
import GraftTestSupport
import Testing

/// The files of snapshot stores.
@Suite("Snapshot files") struct SnapshotFileTests {
  private static func withFile(_ body: (URL, ManagedObjectModel) throws -> Void) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let url = folder.file("comics.graft")
    let model = try StoredComics(.snapshot).model
    try ManagedObjectContext(model: model, store: SnapshotStore(at: url, model: model))
      .load(StoredComics.heroes, "Hero")
    try body(url, model)
  }

  private static func code(_ url: URL, _ model: ManagedObjectModel) -> DiagnosticCode? {
    #expect(throws: StoreError.self) { try SnapshotStore(at: url, model: model) }?.diagnostics.first?.code
  }

  @Test("S10: any damage to a file is found, and the file is left unchanged")
  func damage() throws {
    try Self.withFile { url, model in
      let sound = try Data(contentsOf: url)
      var random = SeededRandom(seed: 1)
      for _ in 0..<300 {
        var bytes = Array(sound)
        for _ in 0..<3 { bytes[8 + random.below(bytes.count - 8)] ^= UInt8(1 + random.below(255)) }
        try Data(bytes).write(to: url)
        if bytes != Array(sound) { #expect(Self.code(url, model) == .damagedStore) }
        #expect(try Data(contentsOf: url) == Data(bytes))
      }
      for length in stride(from: 9, to: sound.count, by: 97) {
        try sound.prefix(length).write(to: url)
        #expect(Self.code(url, model) == .damagedStore)
      }
    }
  }

  @Test("S10: a file of another kind, or of a newer version, is refused")
  func foreign() throws {
    try Self.withFile { url, model in
      try Data("[1, 2, 3]".utf8).write(to: url)
      #expect(Self.code(url, model) == .notAStore)
      try Data("Graft 9\n".utf8).write(to: url)
      #expect(Self.code(url, model) == .newerStore)
    }
  }

  @Test("S9: added and removed properties are migrated; a changed type is refused")
  func migration() throws {
    try Self.withFile { url, _ in
      let grown = try ManagedObjectModel(
        text: """
          {"keyStrategy": "sameName", "removed": ["Hero.name", "Hero.publisher", "Publisher"], "entities": {
            "Hero": {"identityAttributes": "id",
              "attributes": {"id": "integer64", "age": {"type": "integer16", "optional": true}},
              "relationships": {"powers": {"destination": "Power", "toMany": true, "inverse": "heroes"}}},
            "Power": {"identityAttributes": "id",
              "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
              "relationships": {"heroes": {"destination": "Hero", "toMany": true, "inverse": "powers"}}}}}
          """)
      let context = try ManagedObjectContext(model: grown, store: SnapshotStore(at: url, model: grown))
      let heron = try #require(try context.find(ofEntity: "Hero", identity: 1))
      #expect(heron["age"] as Int? == nil)
      #expect((heron["powers"] as RelatedObjects<ManagedObject>).count == 2)
      let other = try ManagedObjectModel(
        text: #"{"entities": {"Hero": {"attributes": {"id": "string"}}}}"#)
      #expect(Self.code(url, other) == .incompatibleModel)
    }
  }

  @Test("S10: a commit that cannot be written throws, and can be repeated")
  func unwritable() throws {
    try Self.withFile { url, model in
      let context = try ManagedObjectContext(model: model, store: SnapshotStore(at: url, model: model))
      let hero = try #require(try context.find(ofEntity: "Hero", identity: 1))
      let folder = url.deletingLastPathComponent()
      let aside = folder.appendingPathExtension("aside")
      try FileManager.default.moveItem(at: folder, to: aside)
      hero["name"] = "Bittern"
      let error = #expect(throws: StoreError.self) { try context.commit() }
      #expect(error?.diagnostics.first?.code == .unavailableStore)
      #expect(context.hasChanges)
      try FileManager.default.moveItem(at: aside, to: folder)
      try context.commit()
      let again = try ManagedObjectContext(model: model, store: SnapshotStore(at: url, model: model))
      #expect(try again.find(ofEntity: "Hero", identity: 1)?["name"] == "Bittern")
    }
  }
}
