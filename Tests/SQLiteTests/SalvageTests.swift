import Foundation
import Graft
import Testing

@testable import GraftSQL
@testable import GraftSQLite

/// Copying the readable rows of a damaged store (S10).
@Suite("SQLite: salvage") struct SalvageTests {
  private let folder: Folder
  private var url: URL { folder.file("store.graft") }
  private var copy: URL { folder.file("copy.graft") }
  private let model: ManagedObjectModel

  init() throws {
    folder = try Folder()
    model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Hero": {"identityAttributes": "id",
            "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}, "ratio": {"type": "double", "optional": true}},
            "relationships": {
              "friend": {"destination": "Hero", "inverse": "friends"},
              "friends": {"destination": "Hero", "toMany": true, "ordered": true, "inverse": "friend"},
              "powers": {"destination": "Power", "toMany": true, "ordered": true, "inverse": "heroes"}}},
          "Power": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"heroes": {"destination": "Hero", "toMany": true, "inverse": "powers"}}},
          "Note": {"attributes": {"text": "string"}}}}
        """, name: "m.json")
    let heroes = (0..<2_000).map {
      #"{"id": \#($0), "name": "hero \#($0)", "ratio": 0.5, "friend": \#(($0 * 7) % 2_000), "powers": [\#($0 % 5), \#($0 % 3)]}"#
    }
    let store = try SQLiteStore(at: url, model: model)
    try ManagedObjectContext(store: store).importJSON("[\(heroes.joined(separator: ","))]", ofEntity: "Hero")
    try ManagedObjectContext(store: store).importJSON(#"[{"text": "a"}, {"text": "b"}]"#, ofEntity: "Note")
  }

  private func salvage() throws -> [String] {
    try SQLiteStore.salvage(url, into: copy, model: model).map(\.message)
  }

  private func dump(_ url: URL) throws -> String {
    String(decoding: ManagedObjectContext(store: try SQLiteStore(at: url, model: model)).dumpBytes(), as: UTF8.self)
  }

  @Test("S10: an undamaged store is copied completely")
  func sound() throws {
    let before = try Data(contentsOf: url)
    #expect(try salvage() == [])
    #expect(try dump(copy) == dump(url))
    let store = try SQLiteStore(at: copy, model: model)
    #expect(try store.verify() == [])
    #expect(try Data(contentsOf: url) == before)
    // The copy is an ordinary store.
    let context = ManagedObjectContext(store: store)
    try context.importJSON(#"[{"id": 5000, "friend": 1}]"#, ofEntity: "Hero")
    #expect(try context.count(ofEntity: "Hero") == 2_001)
    #expect(throws: StoreError.self) { try SQLiteStore.salvage(url, into: copy, model: model) }
  }

  @Test("S10: a row with a replaced value is omitted, and references to the row are removed")
  func oneRow() throws {
    let connection = try SQLiteConnection(path: url.path)
    try connection.execute("UPDATE Hero SET name = 'villain' WHERE id = 7")
    let id = try #require(try connection.integer("SELECT _id FROM Hero WHERE id = 7"))
    let friends = try #require(try connection.integer("SELECT count(*) FROM Hero WHERE friend = \(id)"))
    #expect(friends > 0)
    #expect(try salvage() == ["row \(id) of table 'Hero' cannot be read"])
    let store = try SQLiteStore(at: copy, model: model)
    #expect(try store.verify() == [])
    let context = ManagedObjectContext(store: store)
    #expect(try context.count(ofEntity: "Hero") == 1_999 && context.count(ofEntity: "Note") == 2)
    #expect(try context.fetch(ofEntity: "Hero", where: "friend is null").count == Int(friends))
  }

  @Test("S10: if two rows have the same identity, the second is omitted")
  func repeated() throws {
    let connection = try SQLiteConnection(path: url.path)
    try connection.execute("DROP INDEX \"Hero_by_id\"")
    let table = try #require(SQLSchema(StoreLayout(StoreSchema(model))).tables.first { $0.name == "Hero" })
    var rows = try table.rows(connection, ids: [9])
    rows.headers[0].id = 5_001
    try RowInserter(connection: connection, table: table, numbers: FinalNumbers()).insert(rows)
    #expect(try salvage() == ["row 5001 of table 'Hero' has the identity of an earlier row"])
    #expect(try SQLiteStore(at: copy, model: model).verify() == [])
  }

  @Test("S10: after damage to any page, the other rows are copied, and the copy is undamaged", arguments: 0..<24)
  func pages(number: Int) throws {
    var bytes = try Data(contentsOf: url)
    let count = bytes.count / 4096
    // The first page identifies the file, so it is not damaged here.
    let page = 1 + (number * 37) % (count - 1)
    for offset in stride(from: number % 3 == 0 ? 0 : 700, to: 4096, by: number % 2 == 0 ? 1 : 97) {
      bytes[page * 4096 + offset] = UInt8(truncatingIfNeeded: offset &* 31 &+ number)
    }
    try bytes.write(to: url)
    let found: [String]
    do {
      found = try salvage()
    } catch {
      // The definitions of the tables are on a separate page.
      #expect(error is StoreError)
      #expect(!FileManager.default.fileExists(atPath: copy.path))
      return
    }
    let store = try SQLiteStore(at: copy, model: model)
    #expect(try store.verify() == [], "page \(page)")
    let context = ManagedObjectContext(store: store)
    let lost = try 2_000 - context.count(ofEntity: "Hero")
    #expect(lost < 1_000, "page \(page)")
    #expect(lost == 0 || !found.isEmpty, "page \(page): \(lost)")
    #expect(context.checkInvariants() == [])
  }

  @Test("S10: all readable rows of a truncated file are copied", arguments: [1, 2, 5])
  func truncated(pages: Int) throws {
    let whole = try dump(url)
    let connection = try SQLiteConnection(path: url.path)
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let bytes = try Data(contentsOf: url)
    try bytes.dropLast(pages * 4096).write(to: url)
    #expect(throws: StoreError.self) { try SQLiteStore(at: url, model: model) }
    #expect(try !salvage().isEmpty)
    #expect(try SQLiteStore(at: copy, model: model).verify() == [])
    #expect(try dump(copy).count > whole.count / 2)
  }

  @Test("S10: commits that the write-ahead log has lost are reported")
  func damagedLog() throws {
    let store = try SQLiteStore(at: url, model: model)
    let context = ManagedObjectContext(store: store)
    for id in 6_000..<6_020 { try context.importJSON("[{\"id\": \(id)}]", ofEntity: "Hero") }
    let damaged = folder.file("damaged.graft")
    try FileManager.default.copyItem(at: url, to: damaged)
    var log = try Data(contentsOf: URL(fileURLWithPath: url.path + "-wal"))
    log[32 + 4120 * 6 + 200] ^= 1
    try log.write(to: URL(fileURLWithPath: damaged.path + "-wal"))
    let found = try SQLiteStore.salvage(damaged, into: copy, model: model).map(\.message)
    #expect(found.first?.contains("of the write-ahead log is damaged") == true, "\(found)")
  }

  @Test("S10: a link that is only in the table, or only in its index, is omitted, and the row of the link is named")
  func links() throws {
    let connection = try SQLiteConnection(path: url.path)
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let page = try #require(try connection.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'Hero_powers'"))
    var links: Set<[String]> = []
    for row in try selection(url, "SELECT hero, powers FROM Hero_powers") { links.insert(row) }
    var bytes = try Data(contentsOf: url)
    // The page is a leaf, so its last bytes belong to its last record.
    let leaf = try #require(
      try connection.integer("SELECT pageno FROM dbstat WHERE name = 'Hero_powers' AND pagetype = 'leaf' LIMIT 1"))
    #expect(leaf != page)
    bytes[Int(leaf) * 4096 - 2] ^= 1
    try bytes.write(to: url)
    let found = try salvage()
    #expect(found.contains { $0.hasPrefix("links of 'Hero.powers' cannot be read for ") }, "\(found)")
    let copied = Set(try selection(copy, "SELECT hero, powers FROM Hero_powers"))
    #expect(copied.isSubset(of: links) && links.count - copied.count <= 2)
  }

  @Test("S10: a one-to-one link whose sides do not agree is omitted and named")
  func contradictions() throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "A": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"b": {"destination": "B", "inverse": "a"}}},
          "B": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"a": {"destination": "A", "inverse": "b", "JSONKeyPath": null}}}}}
        """, name: "m.json")
    let pairs = folder.file("pairs.graft")
    func page(_ name: String, _ bytes: Data) throws -> Range<Int> {
      let root = try selection(pairs, "SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'")[0][0]
      let number = try #require(Int(root))
      return (number - 1) * 4096..<number * 4096
    }
    func load(_ text: String) throws -> Data {
      try ManagedObjectContext(store: SQLiteStore(at: pairs, model: model)).importJSON(text, ofEntity: "A")
      try sqlite(pairs, "PRAGMA wal_checkpoint(TRUNCATE)")
      return try Data(contentsOf: pairs)
    }
    let old = try load(#"[{"id": 1, "b": 1}, {"id": 2, "b": 2}]"#)
    var new = try load(#"[{"id": 1, "b": 2}, {"id": 2, "b": 1}]"#)
    // One page was not written.
    new.replaceSubrange(try page("A", new), with: old[try page("A", old)])
    try new.write(to: pairs)
    let found = try SQLiteStore.salvage(pairs, into: copy, model: model).map(\.message)
    #expect(found.contains { $0.contains("does not agree with 'B.a', and was left out") }, "\(found)")
    #expect(try SQLiteStore(at: copy, model: model).verify() == [])
  }

  @Test("S10: rows with numbers that no store writes are reported, and a row with the largest number is read")
  func numbers() throws {
    let connection = try SQLiteConnection(path: url.path)
    let id = try #require(try connection.integer("SELECT max(_id) FROM Hero"))
    try connection.execute(
      """
      PRAGMA foreign_keys = OFF; UPDATE Hero SET _id = 9223372036854775807 WHERE _id = \(id);
      UPDATE Hero SET _id = -3 WHERE _id = 5
      """)
    let found = try salvage()
    #expect(found.contains("table 'Hero' has rows numbered below 1, which a store never writes"), "\(found)")
    #expect(found.contains { $0.contains("9223372036854775807") }, "\(found)")
    #expect(try SQLiteStore(at: copy, model: model).verify() == [])
  }

  @Test("S10: references and links to missing rows are reported")
  func missingRows() throws {
    try sqlite(url, "PRAGMA foreign_keys = OFF; DELETE FROM Power WHERE _id = 1; DELETE FROM Hero WHERE _id = 8")
    let found = try salvage()
    #expect(
      found.contains {
        $0.hasPrefix("table 'Hero_powers' has ") && $0.hasSuffix("of table 'Power' that are missing")
      },
      "\(found)")
    #expect(
      found.contains { $0.hasPrefix("table 'Hero' has ") && $0.hasSuffix("of table 'Hero' that are missing") },
      "\(found)")
    #expect(try SQLiteStore(at: copy, model: model).verify() == [])
  }

  @Test("S10: if a table cannot be read, no other problem with the table is reported")
  func unreadableTable() throws {
    try sqlite(url, "PRAGMA wal_checkpoint(TRUNCATE)")
    let root = try #require(Int(try selection(url, "SELECT rootpage FROM sqlite_schema WHERE name = 'Note'")[0][0]))
    var bytes = try Data(contentsOf: url)
    bytes.replaceSubrange((root - 1) * 4096..<root * 4096, with: Data(count: 4096))
    try bytes.write(to: url)
    let found = try salvage()
    #expect(found.contains("rows 1 to 2 of table 'Note' cannot be read"), "\(found)")
    #expect(!found.contains { $0.contains("below 1") }, "\(found)")
    #expect(try SQLiteStore(at: copy, model: model).verify() == [])
  }

  @Test("S10: a store with another model's layout is rejected, and no copy remains")
  func otherModel() throws {
    let other = try ManagedObjectModel(
      text: #"{"entities": {"Other": {"attributes": {"a": "string"}}}}"#, name: "o.json")
    let error = #expect(throws: StoreError.self) { try SQLiteStore.salvage(url, into: copy, model: other) }
    #expect(error?.diagnostics.map(\.code) == [.incompatibleModel])
    #expect(!FileManager.default.fileExists(atPath: copy.path))
    #expect(throws: StoreError.self) {
      try SQLiteStore.salvage(folder.file("none"), into: copy, model: model)
    }
  }
}
