import Foundation
import Graft
import Testing

@testable import GraftSQLite

@Suite("SQLite: damage") struct VerifyTests {
  @Test(
    "S10: verify finds values, references and links that no store writes",
    arguments: [
      (
        "UPDATE Item SET title = 'other' WHERE _id = 3",
        "row 3 of table 'Item' is damaged: its digest does not match its values"
      ),
      (
        "UPDATE Item SET _version = 0 WHERE _id = 3",
        "row 3 of table 'Item' is damaged: its digest does not match its values"
      ),
      (
        "UPDATE Item SET _entity = 'None' WHERE _id = 3",
        "row 3 of table 'Item' is damaged, in column '_entity'"
      ),
      (
        "PRAGMA foreign_keys = OFF; DELETE FROM Maker WHERE _id = 2",
        "a row of table 'Item' refers to a row of 'Maker' that does not exist"
      ),
      ("UPDATE _graft_log SET changes = x'00'", "the log of commit 1 is damaged"),
      (
        "UPDATE sqlite_sequence SET seq = 1 WHERE name = 'Item'",
        "the row IDs of table 'Item' could be reused: 20 is in use, 1 is recorded"
      ),
      (
        "UPDATE _graft SET value = '' WHERE key = 'model'",
        "the description of the store, in table '_graft', is damaged"
      ),
    ])
  func findings(_ sql: String, _ message: String) throws {
    let store = try SQLiteStore.inMemory(model: Shop.model())
    try store.commit(FileTests.content(store.schema, rows: 20))
    #expect(try store.verify() == [])
    try store.execute(sql)
    #expect(try store.verify().first?.message == message)
  }

  /// The outcome of opening and verifying a damaged file.
  enum Outcome: String { case refused, found, harmless, missed }

  /// Damages a store at some offsets, and returns whether the damage is found.
  static func outcome(_ sound: Data, _ offsets: [Int], dump: String, _ random: inout SystemRandomNumberGenerator) throws
    -> Outcome
  {
    let folder = try Folder()
    let url = folder.file("shop.graft")
    var data = sound
    for offset in offsets { data[offset] ^= UInt8.random(in: 1...255, using: &random) }
    try data.write(to: url)
    guard let store = try? SQLiteStore(at: url, model: Shop.model()) else { return .refused }
    if try !store.verify().isEmpty { return .found }
    // Changes to unused bytes have no effect.
    return try store.dump() == dump ? .harmless : .missed
  }

  /// `GRAFT_DAMAGES` sets the number of damaged copies, 300 by default.
  private static let damages = ProcessInfo.processInfo.environment["GRAFT_DAMAGES"].flatMap(Int.init) ?? 300

  @Test("T23: hundreds of random damages of 3 bytes are all found by verify, if they change anything")
  func randomDamage() throws {
    let folder = try Folder()
    let url = folder.file("shop.graft")
    try FileTests.store(at: url, rows: 400)
    try sqlite(url, "VACUUM")
    let dump = try SQLiteStore(at: url, model: Shop.model()).dump()
    let sound = try folder.bytes("shop.graft")
    var random = SystemRandomNumberGenerator()
    var outcomes: [Outcome: Int] = [:]
    for _ in 0..<Self.damages {
      let offsets = (0..<3).map { _ in Int.random(in: 0..<sound.count, using: &random) }
      let outcome = try Self.outcome(sound, offsets, dump: dump, &random)
      outcomes[outcome, default: 0] += 1
      if outcome == .missed { Issue.record("missed: \(offsets)") }
    }
    print("random damages of \(sound.count) bytes: \(outcomes)")
    #expect(outcomes[.missed] == nil)
  }

  @Test("T23: a store that is truncated at any multiple of 512 bytes is refused, or its damage is found")
  func truncation() throws {
    let folder = try Folder()
    let url = folder.file("shop.graft")
    try FileTests.store(at: url, rows: 60)
    let dump = try SQLiteStore(at: url, model: Shop.model()).dump()
    let sound = try folder.bytes("shop.graft")
    for length in stride(from: 512, to: sound.count, by: 512) {
      let url = folder.file("cut-\(length).graft")
      try sound.prefix(length).write(to: url)
      guard let store = try? SQLiteStore(at: url, model: Shop.model()) else { continue }
      if let found = try? store.verify(), found.isEmpty { #expect(try store.dump() == dump, "\(length)") }
    }
  }
}

extension VerifyTests {
  @Test("T27: the two sides of a one-to-one relationship must agree")
  func oneToOne() throws {
    let folder = try Folder()
    let url = folder.file("pairs.graft")
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "A": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"b": {"destination": "B", "inverse": "a"}}},
          "B": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"a": {"destination": "A", "inverse": "b"}}}}}
        """)
    let store = try SQLiteStore(at: url, model: model)
    let schema = store.schema
    var changes = StoreChanges()
    changes.insert(schema, "A", ["id": 1, "b": -1])
    changes.insert(schema, "A", ["id": 2])
    changes.insert(schema, "B", ["id": 1, "a": -1])
    try store.commit(changes)
    #expect(try store.verify() == [])
    let rows = try store.all("A")
    changes = StoreChanges()
    changes.update(schema, "A", rows, 0, ["b": Value.null])
    try store.commit(changes)
    let messages = try store.verify().map(\.message)
    #expect(messages == ["'B.a' of row 1 of table 'B' does not agree with 'A.b'"])
  }

  @Test("T27: the two sides of a one-to-one relationship must agree, although a sibling shares its column")
  func oneToOneBesideSibling() throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Album": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
            "cover": {"destination": "Photo", "inverse": "album"}, "clip": {"destination": "Video", "inverse": "album"}}},
          "Medium": {"identityAttributes": "id", "attributes": {"id": "integer64"}},
          "Photo": {"parent": "Medium", "relationships": {"album": {"destination": "Album", "inverse": "cover"}}},
          "Scan": {"parent": "Photo"},
          "Sound": {"parent": "Medium", "relationships": {"album": {"destination": "Album"}}},
          "Video": {"parent": "Medium", "relationships": {"album": {"destination": "Album", "inverse": "clip"}}}}}
        """)
    let store = try SQLiteStore.inMemory(model: model)
    let context = ManagedObjectContext(store: store)
    try context.importJSON(#"{"id": 1, "clip": {"id": 1}}"#, ofEntity: "Album")
    try context.importJSON(#"{"id": 2, "album": 1}"#, ofEntity: "Scan")
    try context.importJSON(#"{"id": 3, "album": 1}"#, ofEntity: "Sound")
    #expect(try store.verify() == [])
    // The digests do not match either.
    func disagreements() throws -> [String] {
      try store.verify().map(\.message).filter { $0.contains("does not agree") }
    }
    try store.execute("UPDATE Album SET cover = NULL")
    #expect(try disagreements() == ["'Photo.album' of row 2 of table 'Medium' does not agree with 'Album.cover'"])
    try store.execute("UPDATE Album SET cover = 3")
    #expect(
      try disagreements() == [
        "'Album.cover' of row 1 of table 'Album' does not agree with 'Photo.album'",
        "'Photo.album' of row 2 of table 'Medium' does not agree with 'Album.cover'",
      ])
  }
}
