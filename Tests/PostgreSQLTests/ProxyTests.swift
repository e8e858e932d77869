import Foundation
import GraftTestSupport
import Testing

@testable import GraftPostgreSQL

@Suite("A stream that is cut at any byte", .enabled(if: Cluster.isAvailable), .timeLimit(.minutes(10)), .serialized)
struct ProxyTests {
  let cluster: Cluster
  let proxy: Proxy
  let table = uniqueName("cut")
  let direct: PostgreSQLConnection

  init() throws {
    cluster = try Cluster.shared.get()
    proxy = try Proxy(to: cluster)
    direct = try cluster.connection()
    try direct.execute("CREATE TABLE \(table) (n int8 PRIMARY KEY, t text)")
  }

  /// A short conversation with all kinds of messages: a statement, rows, COPY, a commit and a notification.
  private func converse(_ number: Int64, timeout: Duration) throws(PostgreSQLError) {
    var options = ConnectionOptions()
    options.connectTimeout = timeout
    options.callTimeout = timeout
    let connection = try PostgreSQLConnection(ConnectionString(cluster.url(folder: proxy.folder)), options)
    try connection.listen(to: "cut")
    try connection.transaction { () throws(PostgreSQLError) in
      try connection.run(
        "INSERT INTO \(table) VALUES ($1, 'x')", try Parameters { p throws(PostgreSQLError) in try p.append(number) })
      try connection.copy(into: table, columns: 2) { w throws(PostgreSQLError) in
        try w.beginRow()
        try w.append(-number)
        try w.append("y")
      }
      _ = try connection.all("SELECT t, n FROM \(table) WHERE abs(n) = \(number)") { r throws(PostgreSQLError) in
        try r.text(0)
      }
    }
  }

  /// Returns whether the rows of a conversation are stored; nil if only some are.
  private func isStored(_ number: Int64) throws -> Bool? {
    // The server process might be about to commit.
    for _ in 0..<100 {
      let busy = try direct.integer(
        "SELECT count(*) FROM pg_locks WHERE relation = '\(table)'::regclass AND mode = 'RowExclusiveLock' AND pid <> pg_backend_pid()"
      )
      if busy == 0 { break }
      Thread.sleep(forTimeInterval: 0.02)
    }
    let count = try direct.integer("SELECT count(*) FROM \(table) WHERE abs(n) = \(number)")
    return count == 2 ? true : count == 0 ? false : nil
  }

  /// Runs a conversation through a proxy with a plan, and checks that the reported outcome matches the stored rows.
  private func check(_ plan: Proxy.Plan, _ number: Int64, timeout: Duration) throws -> PostgreSQLError? {
    proxy.setPlan(plan)
    let start = ContinuousClock.now
    let found = error { try converse(number, timeout: timeout) }
    #expect(start.duration(to: .now) < .seconds(30), "\(plan)")
    let stored = try isStored(number)
    if let found {
      if !found.isOutcomeUnknown { #expect(stored == false, "\(plan): \(found)") }
      #expect(found.isTransient || found.kind == .deadlineExceeded, "\(plan): \(found)")
      #expect(!found.message.isEmpty && !found.message.contains("\n"))
    } else {
      #expect(stored == true, "\(plan)")
    }
    return found
  }

  @Test("A connection that is cut at any byte causes a clear error, and commits are reported correctly")
  func cuts() throws {
    defer { proxy.stop() }
    #expect(try check(Proxy.Plan(), 1, timeout: .seconds(30)) == nil)
    Thread.sleep(forTimeInterval: 0.1)
    let (down, up) = proxy.counts
    var number: Int64 = 1
    var (failed, unknown) = (0, 0)
    for offset in 0..<max(down, up) {
      var plans: [Proxy.Plan] = []
      if offset < down { plans.append(Proxy.Plan(down: offset)) }
      if offset < up { plans.append(Proxy.Plan(up: offset)) }
      for plan in plans {
        number += 1
        guard let found = try check(plan, number, timeout: .seconds(30)) else { continue }
        failed += 1
        if found.isOutcomeUnknown { unknown += 1 }
      }
    }
    print("\(down) + \(up) offsets: \(failed) failed, the outcome of \(unknown) was unknown")
    // Only a cut after the commit, at the end of the conversation, can go unnoticed.
    #expect(failed > (down + up) * 9 / 10)
    #expect(unknown > 0)
  }

  @Test("A call ends at its deadline if the connection stalls at any byte")
  func stalls() throws {
    defer { proxy.stop() }
    #expect(try check(Proxy.Plan(), 1_000_001, timeout: .seconds(30)) == nil)
    Thread.sleep(forTimeInterval: 0.1)
    let (down, up) = proxy.counts
    var number: Int64 = 1_000_001
    var failed = 0
    for offset in stride(from: 0, to: max(down, up), by: 149) {
      for plan in [Proxy.Plan(down: offset, isStalling: true), Proxy.Plan(up: offset, isStalling: true)] {
        number += 1
        if try check(plan, number, timeout: .milliseconds(300)) != nil { failed += 1 }
      }
    }
    #expect(failed > 5)
  }
}
