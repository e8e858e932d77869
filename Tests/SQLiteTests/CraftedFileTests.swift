import Foundation
import Graft
import Testing

@testable import GraftSQLite

/// Files that no store writes.
@Suite("SQLite: crafted and damaged files") struct CraftedFileTests {
  /// Calls everything that a store can do. Returns the errors.
  private static func use(_ url: URL, _ model: ManagedObjectModel) -> [String] {
    var errors: [String] = []
    func attempt(_ body: () throws -> Void) {
      do { try body() } catch { errors.append("\(error)") }
    }
    attempt {
      let store = try SQLiteStore(at: url, model: model)
      attempt { errors += try store.verify().map(\.message) }
      attempt { _ = try store.dump() }
      attempt { _ = try store.changes(since: 0) }
      attempt {
        var changes = StoreChanges()
        changes.insert(store.schema, "Tag", ["word": "new"])
        changes.insert(store.schema, "Item", ["number": 99, "title": "new"])
        try store.commit(changes)
      }
      attempt {
        let context = try ManagedObjectContext(model: model, store: store)
        _ = context.dump()
        try context.importJSON(#"[{"word": "c"}]"#, ofEntity: "Tag")
      }
    }
    return errors
  }

  @Test("T24: each fetch throws if pages of the file are damaged")
  func fetches() throws {
    let folder = try Folder()
    let url = folder.file("shop.graft")
    try FileTests.store(at: url)
    let bytes = try Data(contentsOf: url)
    let calls: [(ManagedObjectContext) throws -> Void] = [
      { _ = try $0.fetch(ofEntity: "Maker") }, { _ = try $0.fetch(ofEntity: "Maker") { _ in true } },
      { _ = try $0.fetch(ofEntity: "Maker", where: "name != 'x'") },
      { _ = try $0.fetchOne(ofEntity: "Maker", where: "name != 'x'") },
      { _ = try $0.find(ofEntity: "Maker", id: "maker 1") }, { _ = try $0.count(ofEntity: "Maker") },
      { _ = try $0.exists(ofEntity: "Maker", where: "name != 'x'") }, { _ = try $0.placeholders },
    ]
    for (number, call) in calls.enumerated() {
      let store = try SQLiteStore(at: url, model: Shop.model())
      let context = ManagedObjectContext(store: store)
      let file = try FileHandle(forUpdating: url)
      defer { try? file.close() }
      try file.seek(toOffset: 4096)
      try file.write(contentsOf: Data(repeating: 0x5A, count: bytes.count - 4096))
      #expect(throws: StoreError.self, "call \(number)") { try call(context) }
      try file.seek(toOffset: 0)
      try file.write(contentsOf: bytes)
      #expect(context.checkInvariants() == [] && !context.hasChanges)
    }
  }

  @Test(
    "T21: numbers at their limits cause errors, and never crash the process",
    arguments: [
      "INSERT INTO _graft_log VALUES (9223372036854775807, NULL)", "INSERT INTO _graft_log VALUES (-5, NULL)",
      "UPDATE _graft_log SET sequence = -sequence", "DELETE FROM _graft_log",
      "UPDATE _graft_log SET sequence = 9223372036854775806 WHERE sequence = 2",
      "UPDATE sqlite_sequence SET seq = 9223372036854775807", "UPDATE sqlite_sequence SET seq = -9223372036854775808",
      "UPDATE Item SET _version = 9223372036854775807", "UPDATE Item SET _id = 9223372036854775807 WHERE _id = 1",
      "UPDATE Item SET maker = 9223372036854775807", "UPDATE Item_tags SET position = 9223372036854775807",
      "UPDATE Item_tags SET position = -9223372036854775808",
      "UPDATE Item SET number = 9223372036854775807 WHERE _id = 1",
      "UPDATE Tag SET _id = -1 WHERE _id = 1", "UPDATE Tag SET _version = -9223372036854775808",
    ])
  func limits(_ sql: String) throws {
    let folder = try Folder()
    let url = try MigrationTests.store(folder)
    try sqlite(url, "PRAGMA foreign_keys = OFF; " + sql)
    let errors = try Self.use(url, MigrationTests.model())
    if !sql.contains("position") { #expect(!errors.isEmpty) }
  }

  @Test("T21: values that another tool writes into a column never crash the process")
  func values() throws {
    let folder = try Folder()
    let url = try MigrationTests.store(folder)
    try sqlite(url, "PRAGMA wal_checkpoint(TRUNCATE)")
    let sound = try Data(contentsOf: url)
    let model = try MigrationTests.model()
    let values = [
      "NULL", "0", "-1", "9223372036854775807", "-9223372036854775808", "1e308", "-0.0", "''", "'\u{FFFD}'", "x'00FF'",
      "CAST(x'C3' AS TEXT)", "char(0)", "printf('%.100000c', '[')",
    ]
    let columns = try selection(
      url, "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'")
    #expect(columns.count > 25)
    var (written, refused) = (0, 0)
    for column in columns {
      for value in values {
        for name in try folder.names { try FileManager.default.removeItem(at: folder.file(name)) }
        try sound.write(to: url)
        let update = "UPDATE OR IGNORE \"\(column[0])\" SET \"\(column[1])\" = \(value)"
        // STRICT tables do not accept every value.
        guard (try? sqlite(url, "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; \(update)")) != nil
        else { continue }
        written += 1
        if !Self.use(url, model).isEmpty { refused += 1 }
      }
    }
    #expect(written > 200 && refused > 100, "\(written) written, \(refused) refused")
  }

  @Test(
    "T21: foreign tables, views, triggers and columns cause errors, and never crash the process",
    arguments: [
      "DROP TABLE _graft", "DROP TABLE _graft_log", "DROP TABLE Item", "DROP TABLE Item_tags", "DELETE FROM _graft",
      "ALTER TABLE Item RENAME TO Other", "ALTER TABLE Item ADD COLUMN more TEXT",
      "ALTER TABLE Item RENAME title TO name",
      "ALTER TABLE Item DROP COLUMN title", "ALTER TABLE Item RENAME TO Rows; CREATE VIEW Item AS SELECT * FROM Rows",
      "CREATE TRIGGER t AFTER INSERT ON Tag BEGIN DELETE FROM Item; END",
      "CREATE TRIGGER t BEFORE UPDATE ON Item BEGIN SELECT RAISE(ABORT, 'no'); END",
      "CREATE TABLE more (a); INSERT INTO more VALUES (1)", "CREATE UNIQUE INDEX more ON Tag (word, _version)",
      "PRAGMA application_id = 7", "PRAGMA user_version = 99", "PRAGMA user_version = -1",
      "PRAGMA encoding = 'UTF-16'; VACUUM",
      "PRAGMA journal_mode = DELETE", "PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = FULL; VACUUM",
      "PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM",
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE Item (x)' WHERE name = 'Item'",
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 2 WHERE rootpage > 2",
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 999999 WHERE name = 'Tag'",
      "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE type = 'index'",
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET name = upper(name), tbl_name = upper(tbl_name)",
    ])
  func schemas(_ sql: String) throws {
    let folder = try Folder()
    let url = try MigrationTests.store(folder)
    let model = try MigrationTests.model()
    func dump() throws -> [UInt8] { ManagedObjectContext(store: try SQLiteStore(at: url, model: model)).dumpBytes() }
    let before = try dump()
    try sqlite(url, "PRAGMA foreign_keys = OFF; " + sql)
    // Nothing is missing without an error.
    let after = try? dump()
    let errors = Self.use(url, model)
    #expect(after == before || !errors.isEmpty)
  }

  @Test("S10: a store with rows and an empty log is refused, and not shown as empty")
  func emptiedLog() throws {
    let folder = try Folder()
    let url = try MigrationTests.store(folder)
    try sqlite(url, "DELETE FROM _graft_log")
    let message = try FileTests.error(url, MigrationTests.model())
    #expect(message.contains("the log of commits is empty, but table 'Item' is not"), "\(message)")
  }

  @Test("T21: opening a damaged file succeeds or throws an error, and never crashes the process")
  func damaged() throws {
    let folder = try Folder()
    let url = try MigrationTests.store(folder)
    try sqlite(url, "PRAGMA wal_checkpoint(TRUNCATE)")
    let sound = Array(try Data(contentsOf: url))
    var state: UInt64 = 7
    func random(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(limit))
    }
    var errors = 0
    for _ in 0..<400 {
      for name in try folder.names { try FileManager.default.removeItem(at: folder.file(name)) }
      var bytes = sound
      for _ in 0..<4 { bytes[random(bytes.count)] = UInt8(random(256)) }
      try Data(bytes).write(to: url)
      if try !Self.use(url, MigrationTests.model()).isEmpty { errors += 1 }
    }
    #expect(errors > 200)
  }

  @Test("S16: after the file is removed, reading the latest commit throws an error")
  func removedFile() throws {
    let folder = try Folder()
    let url = try MigrationTests.store(folder)
    let store = try SQLiteStore(at: url, model: MigrationTests.model())
    try FileManager.default.removeItem(at: url)
    #expect(throws: StoreError.self) { try store.latestCommit() }
  }
}
