import Foundation
import Graft
import Testing

@testable import GraftSQLite

@Suite("SQLite: snapshots") struct SnapshotTests {
  private static func store(_ folder: Folder, _ options: SQLiteStore.Options = .init()) throws -> SQLiteStore {
    let store = try SQLiteStore(at: folder.file("shop.graft"), model: Shop.model(), options: options)
    try store.commit(FileTests.content(store.schema, rows: 20))
    return store
  }

  private static func change(_ store: SQLiteStore, _ title: String) throws {
    var changes = StoreChanges()
    changes.update(store.schema, "Item", try store.all("Item"), 0, ["title": .init(title)])
    try store.commit(changes)
  }

  @Test("S13: a snapshot keeps its state while other programs write and delete")
  func pinned() throws {
    let folder = try Folder()
    let store = try Self.store(folder)
    let other = try SQLiteStore(at: folder.file("shop.graft"), model: Shop.model())
    let item = store.schema.table("Item")
    let old = try store.snapshot()
    let ids = try old.rows(selectedBy: StoreQuery(table: item)).headers.map(\.id)
    try Self.change(store, "changed")
    var changes = StoreChanges()
    changes.delete(store.schema, "Item", Array(try store.all("Item").headers.suffix(10)))
    changes.insert(store.schema, "Item", ["number": 100])
    try other.commit(changes)

    #expect(old.sequence == 1)
    let rows = try old.rows(in: item, ids: ids)
    #expect(rows.count == 20 && rows.headers.allSatisfy { $0.version == 1 })
    #expect(rows.value(store.schema, 0, "title") == RowTests.values["title"])
    #expect(try old.count(selectedBy: StoreQuery(table: item)) == 20)
    #expect(try old.links(in: store.schema.links("Item_tags"), ofOwners: ids).count == 20)
    #expect(try old.changes(since: 0).sequence == 1 && old.changes(since: 1).written.isEmpty)

    let new = try store.snapshot()
    #expect(new.sequence == 3)
    #expect(try new.count(selectedBy: StoreQuery(table: item)) == 11)
    let log = try new.changes(since: old.sequence)
    #expect(log.sequence == 3 && log.written[item] == [1, 21] && log.deleted[item] == Array(11...20))
    #expect(try store.verify() == [])
  }

  @Test("S13: a snapshot can be read on any thread while another snapshot is in the middle of a read")
  func parallel() throws {
    let folder = try Folder()
    let store = try Self.store(folder)
    let query = StoreQuery(table: store.schema.table("Item"))
    var counts: [Int] = []
    try store.snapshot().readRows(selectedBy: query) { rows in
      let done = DispatchSemaphore(value: 0)
      let result = Guarded(-1)
      Thread.detachNewThread {
        let count = try? store.snapshot().count(selectedBy: query)
        result.withLock { $0 = count ?? -1 }
        done.signal()
      }
      guard done.wait(timeout: .now() + 60) == .success else { return }
      counts = [rows.count, result.withLock { $0 }]
    }
    #expect(counts == [20, 20])
  }

  @Test("S13: a limited number of connections is reused, along with their prepared statements")
  func pool() throws {
    var options = SQLiteStore.Options()
    options.maximumIdleConnections = 2
    let folder = try Folder()
    let store = try Self.store(folder, options)
    var held = try (0..<5).map { _ in try store.snapshot() }
    #expect(store.readers.count == 0)
    for snapshot in held { #expect(try snapshot.rows(in: 0, ids: [1]).count == 1) }
    held.removeAll()
    #expect(store.readers.count == 2)
    _ = try store.snapshot()
    #expect(store.readers.count == 2)
    let last = try store.snapshot()
    #expect(store.readers.count == 1)
    // A released snapshot leaves no transaction behind.
    try Self.change(store, "new")
    #expect(try store.snapshot().sequence == 2)
    #expect(last.sequence == 1)
  }

  @Test("S13: a snapshot can be released on another thread")
  func releasedElsewhere() async throws {
    let folder = try Folder()
    let store = try Self.store(folder)
    let box = Guarded<(any StoreSnapshot)?>(try store.snapshot())
    await Task.detached { box.withLock { $0 = nil } }.value
    #expect(store.readers.count == 1)
  }

  @Test("S10: a store's log grows while an old snapshot is held, and is restarted after the snapshot is released")
  func log() throws {
    var options = SQLiteStore.Options()
    options.maximumLogSize = 5_000_000
    options.durability = .process
    let folder = try Folder()
    let store = try Self.store(folder, options)
    var held: SQLiteSnapshot? = try store.snapshot() as? SQLiteSnapshot
    #expect(try #require(held).lagsBehind == false)
    var commits = 0
    func write(_ count: Int) throws {
      for _ in 0..<count {
        commits += 1
        try Self.change(store, "title \(commits)")
      }
    }
    while store.file.logSize < 6_000_000, commits < 10_000 { try write(100) }
    #expect(try #require(held).lagsBehind)
    #expect(try #require(store.snapshot() as? SQLiteSnapshot).lagsBehind == false)
    #expect(try #require(held).rows(in: store.schema.table("Item"), ids: [1]).headers[0].version == 1)
    held = nil
    // The next commit copies the log to the file, and the commit after it restarts the log.
    try write(3)
    #expect(store.file.logSize <= 5_000_000)
  }

  @Test("S10: a snapshot whose transaction ended with an error still works if nothing was written, and fails otherwise")
  func lostTransaction() throws {
    let folder = try Folder()
    let store = try Self.store(folder)
    let snapshot = try #require(store.snapshot() as? SQLiteSnapshot)
    func endTransaction() throws {
      _ = try snapshot.reading { connection throws(SQLiteError) in connection.rollBack() }
    }
    try endTransaction()
    #expect(try snapshot.rows(in: 0, ids: [1]).count == 1)
    try endTransaction()
    try Self.change(store, "new")
    for _ in 0..<2 {
      #expect {
        try snapshot.rows(in: 0, ids: [1])
      } throws: { "\($0)".hasSuffix("the store has changed since; merge the context, and try again") }
    }
    #expect(try store.snapshot().sequence == 2)
  }

  @Test("S1: a store in memory leaves no file behind, and keeps versions in the same way as a store with a file")
  func inMemory() throws {
    var store: SQLiteStore? = try RowTests.filled(3)
    let path = try #require(store).file.path
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    let files = FileManager.default
    #expect(try files.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int == 0o700)
    #expect(try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    var snapshot: (any StoreSnapshot)? = try store?.snapshot()
    try Self.change(try #require(store), "new")
    #expect(try snapshot?.rows(in: 1, ids: [1]).count == 1)
    #expect(snapshot?.sequence == 1)
    #expect(try store?.snapshot().sequence == 2)
    #expect(store?.url == nil)
    store = nil
    // The snapshot still needs the file.
    #expect(files.fileExists(atPath: path))
    snapshot = nil
    #expect(!files.fileExists(atPath: folder.path))
  }
}
