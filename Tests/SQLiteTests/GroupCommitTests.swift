import CSQLite
import Foundation
import Graft
import Testing

@testable import GraftSQLite

@Suite("SQLite: commits of many threads") struct GroupCommitTests {
  /// Calls a closure on several threads at once.
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

  @Test("S4: commits of 16 threads share transactions, and each gets a number, rows and an outcome of its own")
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
        // Some are rejected: an identity that exists, NaN.
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

  @Test("S4: commits that wait for another process are written when it is done")
  func together() throws {
    let folder = try Folder()
    var options = SQLiteStore.Options()
    options.busyTimeout = .seconds(60)
    let store = try SQLiteStore(at: folder.file("shop.graft"), model: Shop.model(), options: options)
    let other = try SQLiteStore(at: folder.file("shop.graft"), model: Shop.model())
    // The first commit waits, and the others wait for it.
    try other.execute("BEGIN IMMEDIATE")
    let outcomes = Guarded<[Int: String]>([:])
    let done = DispatchSemaphore(value: 0)
    let started = Guarded(0)
    Thread.detachNewThread {
      Self.threads(9) { thread in
        var changes = StoreChanges()
        let count = thread == 8 ? 5000 : 1 as Int64
        for row in 0..<count {
          changes.insert(
            store.schema, "Item",
            ["number": .integer(Int64(thread) * 10_000 + row), "title": .init(String(repeating: "x", count: 300))])
        }
        started.withLock { $0 += 1 }
        do {
          if case .written = try store.write(changes, basedOn: 0) {
            outcomes.withLock { $0[thread] = "written" }
          }
        } catch {
          outcomes.withLock { $0[thread] = "\(error)" }
        }
      }
      done.signal()
    }
    while started.withLock({ $0 }) < 9 { usleep(1000) }
    usleep(100_000)
    try other.execute("COMMIT")
    done.wait()
    let all = outcomes.withLock { $0 }
    #expect(all.count == 9 && all.values.allSatisfy { $0 == "written" })
    #expect(try store.latestCommit() == 9)
    #expect(try store.all("Item").count == 5008)
    #expect(try store.verify() == [])
  }

  @Test("T24: a full disk fails the commit that fills it, and not those that share its transaction")
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

  @Test("S4: many rows are deleted with few statements")
  func deletion() throws {
    let store = try RowTests.filled(5000)
    let rows = try store.all("Item")
    var changes = StoreChanges()
    changes.delete(store.schema, "Item", rows.headers.filter { $0.id % 7 != 0 })
    let statements = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    defer { statements.deallocate() }
    statements.initialize(to: 0)
    let count:
      @convention(c) (UInt32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?)
        -> Int32 = { _, counter, _, _ in
          counter?.assumingMemoryBound(to: Int.self).pointee += 1
          return 0
        }
    try store.withWriter { connection throws(SQLiteError) in
      _ = sqlite3_trace_v2(connection.handle, UInt32(SQLITE_TRACE_PROFILE), count, statements)
    }
    try store.commit(changes)
    try store.withWriter { connection throws(SQLiteError) in _ = sqlite3_trace_v2(connection.handle, 0, nil, nil) }
    #expect(statements.pointee < 100, "\(statements.pointee)")
    #expect(try store.all("Item").headers.map(\.id) == rows.headers.map(\.id).filter { $0 % 7 == 0 })
    #expect(try store.changes(since: 1).deleted[store.schema.table("Item")]?.count == 4286)
    #expect(try store.verify() == [])
  }
}
