import CSQLite
import Foundation
import Graft
import Testing

@testable import GraftSQL
@testable import GraftSQLite

@Suite("SQLite: commits of many threads") struct GroupCommitTests {
  /// Calls a closure on several threads at the same time.
  static func threads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for number in 0..<count {
      group.enter()
      Thread.detachNewThread {
        body(number)
        group.leave()
      }
    }
    group.wait()
  }

  @Test("S4: commits of 16 threads share transactions, and each commit gets its own number, rows and outcome")
  func manyThreads() throws {
    let folder = try Folder()
    let store = try SQLiteStore(at: folder.file("shop.graft"), model: Shop.model())
    let table = store.schema.table("Item")
    let written = Guarded<[Int64: (number: Int64, row: Int64)]>([:])
    let failures = Guarded((moved: 0, errors: 0))
    Self.threads(16) { thread in
      for turn in 0..<50 {
        let number = Int64(thread * 1000 + turn)
        var changes = StoreChanges()
        changes.insert(store.schema, "Item", ["number": .integer(number)])
        // Some commits are rejected, because of an existing identity or a NaN.
        if turn % 10 == 3 { changes.insert(store.schema, "Item", ["number": .integer(number - 1)]) }
        if turn % 10 == 7 { changes.insert(store.schema, "Item", ["number": -1, "weight": .double(.nan)]) }
        do {
          switch try store.write(changes, basedOn: 0) {
          case .written(let sequence, let firstIDs):
            written.withLock { $0[sequence] = (number, firstIDs[table] ?? 0) }
          case .moved: failures.withLock { $0.moved += 1 }
          }
        } catch {
          failures.withLock { $0.errors += 1 }
        }
      }
    }
    let commits = written.withLock { $0 }
    #expect(failures.withLock { $0 } == (16 * 5, 16 * 5))
    #expect(commits.keys.sorted() == Array(1...640))
    #expect(try store.latestCommit() == 640)
    let rows = try store.all("Item")
    #expect(rows.count == 640)
    for (row, header) in rows.headers.enumerated() {
      let commit = try #require(commits[header.version])
      #expect(commit.row == header.id && rows.value(store.schema, row, "number") == .integer(commit.number))
    }
    for sequence in 1...640 as ClosedRange<Int64> {
      let logged = try store.reading { connection throws(SQLiteError) in
        try connection.using("SELECT changes FROM _graft_log WHERE sequence = \(sequence)") {
          statement throws(SQLiteError) in
          try statement.step() ? RowChanges(packed: statement.bytes(0))?.tables : nil
        }
      }
      #expect(logged == [table: RowChanges.Rows(written: [commits[sequence]?.row ?? 0])])
    }
    #expect(try store.verify() == [])
  }

  /// Begins several commits of one row each while another process keeps the store busy.
  ///
  /// - Returns: the numbers of the threads whose commits were written, and the number of SQLite commits.
  private static func waitTogether(
    _ store: SQLiteStore, behind other: SQLiteStore, count: Int, failing: Bool
  ) throws -> (written: Set<Int>, transactions: Int) {
    let state = UnsafeMutablePointer<(failing: Bool, count: Int)>.allocate(capacity: 1)
    defer { state.deallocate() }
    state.initialize(to: (failing, 0))
    let hook: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { pointer in
      guard let state = pointer?.assumingMemoryBound(to: (failing: Bool, count: Int).self) else { return 0 }
      state.pointee.count += 1
      return state.pointee.failing ? 1 : 0
    }
    try store.withWriter { connection throws(SQLiteError) in
      _ = sqlite3_commit_hook(connection.handle, hook, state)
    }
    try other.execute("BEGIN IMMEDIATE")
    let written = Guarded(Set<Int>())
    let begun = Guarded(0)
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      threads(count) { thread in
        var changes = StoreChanges()
        changes.insert(store.schema, "Item", ["number": .integer(Int64(thread))])
        begun.withLock { $0 += 1 }
        if case .written? = try? store.write(changes, basedOn: 0) { written.withLock { _ = $0.insert(thread) } }
      }
      done.signal()
    }
    while begun.withLock({ $0 }) < count { usleep(1000) }
    usleep(200_000)
    try other.execute("COMMIT")
    done.wait()
    try store.withWriter { connection throws(SQLiteError) in _ = sqlite3_commit_hook(connection.handle, nil, nil) }
    return (written.withLock { $0 }, state.pointee.count)
  }

  @Test("S4: commits that wait at the same time share a transaction; if the transaction fails, all of them fail")
  func together() throws {
    let folder = try Folder()
    var options = SQLiteStore.Options()
    options.busyTimeout = .seconds(60)
    let store = try SQLiteStore(at: folder.file("shop.graft"), model: Shop.model(), options: options)
    let other = try SQLiteStore(at: folder.file("shop.graft"), model: Shop.model())
    #expect(try Self.waitTogether(store, behind: other, count: 12, failing: true).written == [])
    #expect(try store.latestCommit() == 0 && store.all("Item").count == 0)
    let (written, transactions) = try Self.waitTogether(store, behind: other, count: 12, failing: false)
    #expect(written == Set(0..<12))
    // The first thread writes alone, and the other threads write together unless some were late.
    #expect(transactions < 12, "\(transactions)")
    #expect(try store.latestCommit() == 12 && store.all("Item").count == 12)
    #expect(try store.verify() == [])
  }

  @Test("T24: a full disk fails the commit that fills the disk, but not the other commits in the same transaction")
  func diskFull() throws {
    let folder = try Folder()
    let store = try SQLiteStore(at: folder.file("shop.graft"), model: Shop.model())
    let pages = try store.withWriter { connection throws(SQLiteError) in
      try connection.integer("PRAGMA page_count") ?? 0
    }
    try store.execute("PRAGMA max_page_count = \(pages + 30)")
    let failed = Guarded(Set<Int>())
    Self.threads(8) { thread in
      var changes = StoreChanges()
      for row in 0..<(thread == 3 ? 5000 : 1) as Range<Int64> {
        changes.insert(
          store.schema, "Item",
          ["number": .integer(Int64(thread) * 10_000 + row), "title": .init(String(repeating: "x", count: 300))])
      }
      guard case .written? = try? store.write(changes, basedOn: 0) else {
        failed.withLock { _ = $0.insert(thread) }
        return
      }
    }
    #expect(failed.withLock { $0 } == [3])
    #expect(try store.latestCommit() == 7)
    #expect(try store.all("Item").count == 7)
    #expect(try store.verify() == [])
  }

  /// The number of statements that a commit runs.
  private static func statements(_ store: SQLiteStore, _ changes: StoreChanges) throws -> Int {
    let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    defer { count.deallocate() }
    count.initialize(to: 0)
    let trace:
      @convention(c) (UInt32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int32 = {
        _, count, _, _ in
        count?.assumingMemoryBound(to: Int.self).pointee += 1
        return 0
      }
    try store.withWriter { connection throws(SQLiteError) in
      _ = sqlite3_trace_v2(connection.handle, UInt32(SQLITE_TRACE_PROFILE), trace, count)
    }
    try store.commit(changes)
    try store.withWriter { connection throws(SQLiteError) in _ = sqlite3_trace_v2(connection.handle, 0, nil, nil) }
    return count.pointee
  }

  @Test("S4: a commit removes many rows and links with few statements")
  func removal() throws {
    let store = try RowTests.filled(5000)
    let rows = try store.all("Item")
    let table = store.schema.links("Item_similar")
    let links = (1...4000 as ClosedRange<Int64>).map { StoredLink(owner: $0, member: $0 + 1) }
    var linking = StoreChanges()
    linking.link(store.schema, "Item_similar", links)
    try store.commit(linking)
    var unlinking = StoreChanges()
    unlinking.link(store.schema, "Item_similar", [], removing: links.filter { $0.owner % 2 == 0 })
    #expect(try Self.statements(store, unlinking) < 100)
    let left = try store.links(in: table, ofOwners: Array(1...4000))
    #expect(Set(left) == Set(links.filter { $0.owner % 2 == 1 }))
    var deletion = StoreChanges()
    deletion.delete(store.schema, "Item", rows.headers.filter { $0.id % 7 != 0 })
    #expect(try Self.statements(store, deletion) < 100)
    #expect(try store.all("Item").headers.map(\.id) == rows.headers.map(\.id).filter { $0 % 7 == 0 })
    #expect(try store.changes(since: 3).deleted[store.schema.table("Item")]?.count == 4286)
    #expect(try store.links(in: table, ofOwners: Array(1...5000)).isEmpty)
    #expect(try store.verify() == [])
  }
}
