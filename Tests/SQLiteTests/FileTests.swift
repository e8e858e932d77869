import CSQLite
import Foundation
import Graft
import Testing

@testable import GraftSQLite

@Suite("SQLite: files") struct FileTests {
  /// Expects opening a store to fail, and returns the error.
  static func error(_ url: URL, _ model: ManagedObjectModel? = nil) throws -> String {
    let model = try model ?? Shop.model()
    do {
      _ = try SQLiteStore(at: url, model: model)
    } catch {
      return "\(error)".replacingOccurrences(of: url.deletingLastPathComponent().path + "/", with: "")
    }
    return "no error"
  }

  /// Creates a store with some rows and closes it.
  static func store(at url: URL, rows: Int64 = 20) throws {
    let store = try SQLiteStore(at: url, model: Shop.model())
    try store.commit(content(store.schema, rows: rows))
  }

  /// Changes that insert rows and links into all tables.
  static func content(_ schema: StoreSchema, rows: Int64) -> StoreChanges {
    var changes = StoreChanges()
    for number in 1...rows {
      changes.insert(schema, "Maker", ["name": .init("maker \(number)")])
      changes.insert(schema, "Tag", ["group": "all", "word": .init("word \(number)")])
      var values = RowTests.values
      values["price"] = "-12.5"
      values["number"] = .integer(number)
      values["maker"] = .integer(-number)
      values["maker_position"] = 1
      changes.insert(schema, "Item", values, entity: Int(number % 2))
    }
    let pairs = (1...rows).map { StoredLink(owner: -$0, member: -((rows + 1) - $0), position: $0 * 1000) }
    changes.link(schema, "Item_tags", pairs)
    return changes
  }

  @Test("S10: removing a store without commits also removes the files next to it, unless the store is open elsewhere")
  func removal() throws {
    let folder = try Folder()
    let url = folder.file("new.graft")
    do {
      let store = try SQLiteStore(at: url, model: Shop.model())
      SQLiteStore.removeIfUnused(at: url)
      try store.commit(Self.content(store.schema, rows: 2))
    }
    SQLiteStore.removeIfUnused(at: url)
    #expect(try folder.names == ["new.graft"])
    let store = try SQLiteStore(at: url, model: Shop.model())
    #expect(try store.all("Maker").count == 2)
    #expect(try store.verify() == [])
    let other = folder.file("other.graft")
    _ = try SQLiteStore(at: other, model: Shop.model())
    #expect(try folder.names.contains("other.graft"))
    SQLiteStore.removeIfUnused(at: other)
    #expect(try !folder.names.contains { $0.hasPrefix("other") })
    SQLiteStore.removeIfUnused(at: other)
    #expect(try !folder.names.contains { $0.hasPrefix("other") })
  }

  @Test("S10: only its owner can read and write a new file")
  func permissions() throws {
    let folder = try Folder()
    let previous = umask(0)
    defer { umask(previous) }
    let store = try SQLiteStore(at: folder.file("shop.graft"), model: Shop.model())
    try store.commit(Self.content(store.schema, rows: 3))
    #expect(try folder.names == ["shop.graft", "shop.graft-shm", "shop.graft-wal"])
    for name in try folder.names {
      let mode = try FileManager.default.attributesOfItem(atPath: folder.file(name).path)[.posixPermissions] as? Int
      #expect(mode == 0o600, "\(name)")
    }
  }

  @Test("S1: a store that is closed and opened again contains everything that was committed")
  func reopening() throws {
    let folder = try Folder()
    let url = folder.file("shop.graft")
    var dump = ""
    do {
      let store = try SQLiteStore(at: url, model: Shop.model())
      try store.commit(Self.content(store.schema, rows: 30))
      dump = try store.dump()
    }
    #expect(try folder.names == ["shop.graft"])
    let store = try SQLiteStore(at: url, model: Shop.model())
    #expect(try store.dump() == dump)
    #expect(try store.latestCommit() == 1)
    #expect(try store.verify() == [])
  }

  @Test(
    "S10: files that are not stores are rejected and left unchanged",
    arguments: [
      (
        "text",
        Array(
          "Hello, world: this is a text of more than a hundred bytes, which is no database of anybody at all.....".utf8)
      ),
      ("short", Array("SQLite format 3\0".utf8)), ("zeros", [UInt8](repeating: 0, count: 4096)),
      ("noise", (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31) }),
    ])
  func foreign(_ name: String, _ bytes: [UInt8]) throws {
    let folder = try Folder()
    try Data(bytes).write(to: folder.file(name))
    #expect(
      try Self.error(folder.file(name))
        == "error: the store '\(name)' cannot be opened: it is not a store; it was not changed")
    #expect(try folder.bytes(name) == Data(bytes))
    #expect(try folder.names == [name])
  }

  @Test("S10: databases of other programs are rejected and left unchanged", arguments: ["DELETE", "WAL"])
  func otherPrograms(_ mode: String) throws {
    let folder = try Folder()
    let url = folder.file("other.db")
    try sqlite(url, "PRAGMA journal_mode = \(mode); CREATE TABLE a (b); INSERT INTO a VALUES (1)")
    let before = try folder.bytes("other.db")
    #expect(
      try Self.error(url)
        == "error: the store 'other.db' cannot be opened: it is an SQLite database of another program; it was not changed"
    )
    #expect(try folder.bytes("other.db") == before)
    #expect(try folder.names == ["other.db"])
  }

  @Test("S10: stores of a newer version are rejected and left unchanged")
  func newer() throws {
    let folder = try Folder()
    let url = folder.file("shop.graft")
    try Self.store(at: url)
    try sqlite(url, "PRAGMA user_version = 2")
    let before = try folder.bytes("shop.graft")
    #expect(
      try Self.error(url)
        == "error: the store 'shop.graft' cannot be opened: it has format 2, but this version of Graft supports formats up to 1; update Graft"
    )
    #expect(try folder.bytes("shop.graft") == before)
  }

  @Test("T22: symbolic links, folders and pipes are rejected")
  func notFiles() throws {
    let folder = try Folder()
    try Self.store(at: folder.file("shop.graft"))
    try FileManager.default.createSymbolicLink(at: folder.file("link"), withDestinationURL: folder.file("shop.graft"))
    try FileManager.default.createSymbolicLink(at: folder.file("dangling"), withDestinationURL: folder.file("none"))
    try FileManager.default.createDirectory(at: folder.file("folder"), withIntermediateDirectories: true)
    mkfifo(folder.file("pipe").path, 0o600)
    let begin = "error: the store '"
    for name in ["link", "dangling"] {
      #expect(
        try Self.error(folder.file(name))
          == begin
          + "\(name)' cannot be opened: it is a symbolic link, and links are not followed; open the file that it points to"
      )
    }
    #expect(
      try Self.error(folder.file("folder")) == begin
        + "folder' cannot be opened: it is a directory; give the path of a file")
    #expect(try Self.error(folder.file("pipe")) == begin + "pipe' cannot be opened: it is not a regular file")
    #expect(
      try Self.error(folder.file("none/shop.graft")).hasSuffix(
        "cannot be opened: No such file or directory; create it first"))
    #expect(try folder.names == ["dangling", "folder", "link", "pipe", "shop.graft"])
  }

  @Test("S10: a file with two hard links is rejected, because each name would have its own log")
  func hardLinks() throws {
    let folder = try Folder()
    let (url, other) = (folder.file("shop.graft"), folder.file("other.graft"))
    try SQLiteStore(at: url, model: Shop.model()).commit(Self.content(StoreSchema(Shop.model()), rows: 3))
    #expect(link(url.path, other.path) == 0)
    for url in [url, other] {
      #expect(
        try Self.error(url).hasSuffix(
          "it has 2 names (hard links), and changes made under one name are not seen under the others; keep one name, or copy the file"
        ))
    }
    unlink(other.path)
    #expect(try SQLiteStore(at: url, model: Shop.model()).all("Item").count == 3)
  }

  @Test(
    "S10: a store cannot have a name that SQLite uses for the files next to another store",
    arguments: ["-wal", "-shm", "-journal"])
  func companionName(suffix: String) throws {
    let folder = try Folder()
    let url = folder.file("shop.graft" + suffix)
    let message = try Self.error(url)
    #expect(
      message.hasSuffix("ends in '\(suffix)', as the files of an open store do; choose another name"), "\(message)")
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test("T22: the folder of a store can be reached through a symbolic link")
  func linkedFolder() throws {
    let folder = try Folder()
    try FileManager.default.createDirectory(at: folder.file("real"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(at: folder.file("link"), withDestinationURL: folder.file("real"))
    try Self.store(at: folder.file("link/shop.graft"))
    #expect(FileManager.default.fileExists(atPath: folder.file("real/shop.graft").path))
  }

  @Test(
    "T21: a store with a foreign schema is rejected and left unchanged",
    arguments: [
      "CREATE TRIGGER t AFTER INSERT ON Item BEGIN DELETE FROM Maker; END",
      "CREATE VIEW v AS SELECT load_extension('x')",
      "CREATE TABLE more (a)", "DROP TABLE Item_tags", "DROP INDEX Item_by_number",
      "ALTER TABLE Item ADD COLUMN g INTEGER GENERATED ALWAYS AS (1)", "ALTER TABLE Maker RENAME COLUMN name TO other",
      "DROP TABLE _graft",
      "UPDATE _graft SET value = replace(value, 'title', 'titel')",
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'TEXT', 'BLOB') WHERE name = 'Maker'",
    ])
  func hostileSchema(_ sql: String) throws {
    let folder = try Folder()
    let url = folder.file("shop.graft")
    try Self.store(at: url)
    try sqlite(url, sql)
    let before = try folder.bytes("shop.graft")
    let error = try Self.error(url)
    #expect(error.hasPrefix("error: the store 'shop.graft' cannot be opened: "), "\(error)")
    #expect(
      error.hasSuffix(
        "; restore a backup, or copy what can be read with 'SQLiteStore.salvage' or 'graft store salvage'"), "\(error)")
    #expect(try folder.bytes("shop.graft") == before)
    #expect(try folder.names == ["shop.graft"])
  }

  @Test("S10: indexes that another tool added are allowed and used")
  func addedIndexes() throws {
    let folder = try Folder()
    let url = folder.file("shop.graft")
    try Self.store(at: url)
    try sqlite(url, "CREATE INDEX i ON Item (title); CREATE UNIQUE INDEX j ON Item (number) WHERE stock > 5; ANALYZE")
    let store = try SQLiteStore(at: url, model: Shop.model())
    #expect(try store.verify() == [])
    let dump = try store.dump()
    // Indexes can be added even while the store is open.
    try sqlite(url, "DROP INDEX j; CREATE INDEX k ON Maker (name, _version)")
    #expect(try store.dump() == dump)
    var changes = StoreChanges()
    changes.insert(store.schema, "Item", ["number": 1000, "title": "one more"])
    try store.commit(changes)
    #expect(try store.verify() == [])
    #expect(try Self.error(url) == "no error")
  }

  @Test("T21: values that no store writes cause errors, even if the digest matches")
  func hostileValues() throws {
    for (column, value) in [
      ("title", "CAST(x'FF' AS TEXT)"), ("price", "'1.50'"), ("code", "'no uuid'"), ("stock", "99999"), ("isNew", "2"),
      ("maker", "0"),
    ] {
      let store = try RowTests.filled(1)
      try store.execute("PRAGMA foreign_keys = OFF; UPDATE Item SET \"\(column)\" = \(value)")
      #expect {
        try store.all("Item")
      } throws: { error in
        "\(error)".contains("row 1 of table 'Item' is damaged, in column '\(column)'; restore a backup")
      }
    }
  }

  @Test("S10: an interrupted creation is repeated")
  func interruptedCreation() throws {
    let folder = try Folder()
    try Data().write(to: folder.file("empty.graft"))
    let store = try SQLiteStore(at: folder.file("empty.graft"), model: Shop.model())
    #expect(try store.latestCommit() == 0)
  }

  @Test("T24: a full disk causes an error, nothing is half written, and later commits succeed")
  func diskFull() throws {
    let folder = try Folder()
    let store = try SQLiteStore(at: folder.file("shop.graft"), model: Shop.model())
    try store.commit(Self.content(store.schema, rows: 5))
    let before = try store.dump()
    let pages = try store.withWriter { connection throws(SQLiteError) in
      try connection.integer("PRAGMA page_count") ?? 0
    }
    var more = StoreChanges()
    for number in 100...2000 as ClosedRange<Int64> {
      more.insert(
        store.schema, "Item", ["number": .integer(number), "title": .init(String(repeating: "x", count: 300))])
    }
    try store.execute("PRAGMA max_page_count = \(pages + 3)")
    for _ in 0..<3 {
      #expect {
        try store.write(more)
      } throws: {
        "\($0)".hasSuffix("shop.graft' cannot be written: the disk is full; free some space and try again")
      }
      #expect(try store.dump() == before)
    }
    try store.execute("PRAGMA max_page_count = 1000000")
    try store.commit(more)
    #expect(try store.all("Item").count == 1906)
    #expect(try store.verify() == [])
  }

  @Test(
    "S10: a store does not write to its file after the file was deleted, moved or replaced",
    arguments: ["delete", "move", "replace"])
  func movedFile(change: String) throws {
    let folder = try Folder()
    let (url, aside) = (folder.file("shop.graft"), folder.file("aside.graft"))
    let store = try SQLiteStore(at: url, model: Shop.model())
    try store.commit(Self.content(store.schema, rows: 3))
    try store.backup(to: aside)
    let backup = try folder.bytes("aside.graft")
    let files = FileManager.default
    switch change {
    case "delete": try files.removeItem(at: url)
    case "move": try files.moveItem(at: url, to: folder.file("moved.graft"))
    default: #expect(rename(aside.path, url.path) == 0)
    }
    var changes = StoreChanges()
    changes.insert(store.schema, "Item", ["number": 4])
    let reason =
      "its file was moved, replaced or deleted while the store was open; put the file back, or open the store again"
    for _ in 0..<2 {
      #expect {
        try store.write(changes, basedOn: 1)
      } throws: { "\($0)".hasSuffix("shop.graft' cannot be written: \(reason)") }
    }
    let copy = folder.file("copy.graft")
    #expect {
      try store.backup(to: copy)
    } throws: { "\($0)".hasSuffix(reason) }
    #expect(!FileManager.default.fileExists(atPath: copy.path))
    #expect {
      try store.verify()
    } throws: { "\($0)".hasSuffix(reason) }
    for read in [{ _ = try store.changes(since: 1) }, { _ = try store.latestCommit() }] {
      #expect {
        try read()
      } throws: { "\($0)".hasSuffix("shop.graft' cannot be read: \(reason)") }
    }
    #expect(try store.all("Item").count == 3)
    if change == "replace" { #expect(try folder.bytes("shop.graft") == backup) }
    guard change == "move" else { return }
    try files.moveItem(at: folder.file("moved.graft"), to: url)
    try store.commit(changes)
    #expect(try store.all("Item").count == 4)
    #expect(try store.verify() == [])
  }

  @Test("T26: two stores on one file see each other's commits, and wait for each other")
  func twoStores() throws {
    let folder = try Folder()
    let url = folder.file("shop.graft")
    var options = SQLiteStore.Options()
    options.busyTimeout = .milliseconds(50)
    let first = try SQLiteStore(at: url, model: Shop.model(), options: options)
    let second = try SQLiteStore(at: url, model: Shop.model(), options: options)
    try first.commit(Self.content(first.schema, rows: 3))
    #expect(try second.latestCommit() == 1)
    #expect(try second.dump() == first.dump())
    var changes = StoreChanges()
    changes.insert(first.schema, "Item", ["number": 3])
    #expect(throws: StoreError.self) { try second.write(changes) }
    try first.execute("BEGIN IMMEDIATE")
    #expect(try second.all("Item").count == 3)
    var other = StoreChanges()
    other.insert(first.schema, "Item", ["number": 4])
    #expect {
      try second.write(other)
    } throws: { "\($0)".contains("another process kept it busy for 0.05 seconds; try again") }
    try first.execute("COMMIT")
    try second.commit(other)
    #expect(try first.changes(since: 1).written == [first.schema.table("Item"): [4]])
  }

  @Test("S8: many threads can write to and read from one store")
  func threads() async throws {
    let folder = try Folder()
    let store = try SQLiteStore(at: folder.file("shop.graft"), model: Shop.model())
    let other = try SQLiteStore(at: folder.file("shop.graft"), model: Shop.model())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 as Range<Int64> {
        group.addTask {
          for number in 0..<50 as Range<Int64> {
            let store = task % 2 == 0 ? store : other
            var changes = StoreChanges()
            changes.insert(store.schema, "Item", ["number": .integer(task * 1000 + number)])
            try store.commit(changes)
            _ = try store.rows(in: store.schema.table("Item"), ids: [1, 2, 3])
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try store.all("Item").count == 200)
    #expect(try store.latestCommit() == 200)
    #expect(try store.verify() == [])
  }

  @Test("S10: a backup is a store with the same content, and never replaces a file")
  func backup() throws {
    let folder = try Folder()
    let store = try SQLiteStore(at: folder.file("shop.graft"), model: Shop.model())
    try store.commit(Self.content(store.schema, rows: 20))
    let copy = folder.file("it's a copy.graft")
    try store.backup(to: copy)
    let opened = try SQLiteStore(at: copy, model: Shop.model())
    #expect(try opened.dump() == store.dump())
    #expect(try opened.verify() == [])
    let mode = try FileManager.default.attributesOfItem(atPath: copy.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect {
      try store.backup(to: copy)
    } throws: { "\($0)".contains("already exists") }
    #expect(try folder.names.filter { $0.contains("-new-") } == [])
  }

  @Test("S10: a copy cannot have the name of a file that SQLite uses", arguments: ["-journal", "-wal", "-shm"])
  func copyNames(suffix: String) throws {
    let folder = try Folder()
    let url = folder.file("shop.graft")
    let store = try SQLiteStore(at: url, model: Shop.model())
    let copy = URL(fileURLWithPath: url.path.replacingOccurrences(of: "shop", with: "other") + suffix)
    #expect {
      try store.backup(to: copy)
    } throws: {
      "\($0)".contains("as the files of an open store do; choose another name")
    }
    #expect(!FileManager.default.fileExists(atPath: copy.path))
  }

  @Test("S16: an empty file, which an interrupted creation leaves behind, becomes a store")
  func emptyFile() throws {
    let folder = try Folder()
    let url = folder.file("shop.graft")
    try Data().write(to: url)
    #expect(try SQLiteStore.migrationPlan(at: url, to: Shop.model()).changes == [])
    #expect {
      try SQLiteStore.modelText(at: url)
    } throws: {
      "\($0)".contains("it is empty: its creation is in progress, or was interrupted")
    }
    SQLiteStore.removeIfUncommitted(at: url)
    #expect(!FileManager.default.fileExists(atPath: url.path))
    try Data().write(to: url)
    #expect(try SQLiteStore(at: url, model: Shop.model()).latestCommit() == 0)
  }

  @Test(
    "S10: a store is not copied to a path next to files of an earlier store", arguments: ["-journal", "-wal", "-shm"])
  func leftCompanions(suffix: String) throws {
    let folder = try Folder()
    let url = folder.file("shop.graft")
    let store = try SQLiteStore(at: url, model: Shop.model())
    let copy = folder.file("copy.graft")
    try Data("left".utf8).write(to: folder.file("copy.graft" + suffix))
    for attempt in [
      { try store.backup(to: copy) }, { _ = try SQLiteStore.salvage(url, into: copy, model: Shop.model()) },
    ] {
      #expect {
        try attempt()
      } throws: {
        "\($0)".contains("copy.graft\(suffix)' of an earlier store exists; choose another name, or remove it")
      }
    }
    #expect(!FileManager.default.fileExists(atPath: copy.path))
    #expect(try Data(contentsOf: folder.file("copy.graft" + suffix)) == Data("left".utf8))
  }

  @Test(
    "S10: a log is kept if its store file is missing or empty, and is removed with the store", arguments: [true, false])
  func lostDatabase(isMissing: Bool) throws {
    let folder = try Folder()
    let (url, log) = (folder.file("shop.graft"), folder.file("shop.graft-wal"))
    let store = try SQLiteStore(at: url, model: Shop.model())
    try store.commit(Self.content(store.schema, rows: 3))
    let commits = try Data(contentsOf: log)
    #expect(commits.count > 32)
    let aside = folder.file("aside")
    try FileManager.default.createDirectory(at: aside, withIntermediateDirectories: true)
    let (copy, copiedLog) = (aside.appendingPathComponent("shop.graft"), aside.appendingPathComponent("shop.graft-wal"))
    try commits.write(to: copiedLog)
    if !isMissing { try Data().write(to: copy) }
    #expect(
      try Self.error(copy).hasSuffix(
        "it is missing or empty, but 'shop.graft-wal' contains its commits; put the file back, or also remove this log")
    )
    var readOnly = SQLiteStore.Options()
    readOnly.isReadOnly = true
    #expect(throws: StoreError.self) {
      try SQLiteStore(at: copy, model: Shop.model(), options: readOnly)
    }
    #expect(try Data(contentsOf: copiedLog) == commits)
    try SQLiteStore.remove(at: copy)
    #expect(try FileManager.default.contentsOfDirectory(atPath: aside.path) == [])
    #expect(try SQLiteStore(at: copy, model: Shop.model()).latestCommit() == 0)
    withExtendedLifetime(store) {}
  }

  @Test("S10: files that were created next to a read-only store get the store's permissions")
  func readOnlyCompanions() throws {
    let folder = try Folder()
    let url = folder.file("shop.graft")
    let first = try SQLiteStore(at: url, model: Shop.model())
    try first.commit(Self.content(first.schema, rows: 3))
    let companions = ["shop.graft-wal", "shop.graft-shm"].map(folder.file)
    for file in companions { #expect(chmod(file.path, 0o444) == 0) }
    _ = try SQLiteStore(at: url, model: Shop.model())
    for file in companions {
      let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
      #expect(mode == 0o600, "\(file)")
    }
    withExtendedLifetime(first) {}
  }

  @Test("S10: a path that is too long for SQLite causes an error that explains this")
  func longPaths() throws {
    let folder = try Folder()
    let name = String(repeating: "n", count: 248)
    #expect(
      try Self.error(folder.file(name)).hasSuffix(
        "its name has 248 bytes, but SQLite allows 247, because it makes files with longer names"))
    #expect(try SQLiteStore(at: folder.file(String(name.dropLast())), model: Shop.model()).latestCommit() == 0)
    var deep = folder.file("d")
    while deep.path.utf8.count < 400 { deep.appendPathComponent(String(repeating: "d", count: 50)) }
    try FileManager.default.createDirectory(at: deep, withIntermediateDirectories: true)
    let prefix = deep.path.utf8.count + 1
    let long = deep.appendingPathComponent(String(repeating: "n", count: 505 - prefix))
    #expect(try Self.error(long).hasSuffix("its path has 505 bytes, but SQLite allows 504"))
    let longest = deep.appendingPathComponent(String(repeating: "n", count: 504 - prefix))
    #expect(try SQLiteStore(at: longest, model: Shop.model()).latestCommit() == 0)
  }

  @Test("S10: only temporary files of ended processes are removed")
  func leftovers() throws {
    let folder = try Folder()
    let file = DurableFile(path: folder.file("shop.graft").path)
    let mine = file.newPath
    let ended = mine.replacingOccurrences(of: "-new-\(getpid())-", with: "-new-2147483646-")
    let left = [ended, ended + "-journal", ended + "-wal", ended + "-shm"]
    let kept =
      [mine, ended + "-backup"]
      + ["-new-2147483646-final", "-new-2024-06-01", "-new-", "-new-x"].map { file.path + $0 }
    for path in left + kept { #expect(FileManager.default.createFile(atPath: path, contents: nil)) }
    file.removeLeftovers()
    for path in left { #expect(!FileManager.default.fileExists(atPath: path), "\(path)") }
    for path in kept { #expect(FileManager.default.fileExists(atPath: path), "\(path)") }
  }
}
