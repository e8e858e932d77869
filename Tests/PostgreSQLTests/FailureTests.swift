import Foundation
import Graft
import GraftTestSupport
import Testing

@testable import GraftPostgreSQL

/// Servers that crash. Each test has a separate server.
@Suite("Failing servers", .enabled(if: Cluster.isAvailable), .timeLimit(.minutes(10)), .serialized)
struct FailureTests {
  @Test(
    "A killed server process is reported as a lost connection; other connections get errors, and can be opened again")
  func backend() throws {
    let cluster = try Cluster()
    let (victim, other) = (try cluster.connection(), try cluster.connection())
    try other.execute("SELECT 1")
    let pid = victim.backendPID
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.3)
      kill(pid, SIGKILL)
    }
    let found = try #require(error { try victim.execute("SELECT pg_sleep(60)") })
    #expect(found.kind == .connectionLost && found.isTransient, "\(found)")
    #expect(!victim.isUsable)
    // The server restarts all of its processes.
    let told = try #require(error { for _ in 0..<200 { try other.execute("SELECT pg_sleep(0.1)") } })
    #expect(told.isTransient && !other.isUsable, "\(told)")
    let pool = ConnectionPool(cluster.string, .testing)
    pool.slots.noteConnected()
    #expect(try pool.withConnection { c throws(PostgreSQLError) in try c.integer("SELECT 1::int8") } == 1)
  }

  @Test("The error of a terminated connection names the administrator")
  func terminated() throws {
    let cluster = try Cluster.shared.get()
    let (victim, other) = (try cluster.connection(), try cluster.connection())
    try other.execute("SELECT pg_terminate_backend(\(victim.backendPID))")
    Thread.sleep(forTimeInterval: 0.2)
    #expect(victim.isClosedByServer())
    let found = try #require(error { try victim.execute("SELECT 1") })
    #expect(found.isTransient && !victim.isUsable, "\(found)")
    let sleeper = try cluster.connection()
    let pid = sleeper.backendPID
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.2)
      try? PostgreSQLConnection(cluster.string).execute("SELECT pg_terminate_backend(\(pid))")
    }
    let during = try #require(error { try sleeper.run("SELECT pg_sleep(60)") })
    #expect(during.kind == .adminShutdown && during.sqlState == "57P01" && !sleeper.isUsable)
  }

  @Test("The first call waits for a missing server; later calls try to connect only once until the server answers")
  func missing() throws {
    let cluster = try Cluster()
    var options = PoolOptions()
    options.reconnectingTime = .seconds(1)
    let pool = ConnectionPool(cluster.string, .testing, options)
    func one() throws -> Int64? {
      try pool.withConnection { c throws(PostgreSQLError) in try c.integer("SELECT 1::int8") }
    }
    #expect(try one() == 1)
    try cluster.kill()
    #expect(throws: PostgreSQLError.self) { try one() }
    let start = ContinuousClock.now
    for _ in 0..<20 { #expect(throws: PostgreSQLError.self) { try one() } }
    // Otherwise, each call would have waited for a second.
    #expect(ContinuousClock.now - start < .seconds(10))
    try cluster.restart()
    #expect(try one() == 1)
    #expect(pool.slots.isExpected)
  }

  @Test("No acknowledged commit is lost if a server is killed and started again, and the pool still works")
  func postmaster() throws {
    let cluster = try Cluster()
    var options = PoolOptions()
    options.limit = 4
    options.reconnectingTime = .seconds(30)
    let pool = ConnectionPool(cluster.string, .testing, options)
    try pool.withConnection { c throws(PostgreSQLError) in try c.execute("CREATE TABLE t (writer int8, n int8)") }
    let state = Guarded(
      (isStopped: false, acknowledged: [[Int64]](repeating: [], count: 4), unknown: 0, other: [String]()))
    let threads = DispatchGroup()
    for writer in 0..<4 {
      threads.enter()
      Thread.detachNewThread {
        defer { threads.leave() }
        var number: Int64 = 0
        while !state.withLock({ $0.isStopped }) {
          number += 1
          do throws(PostgreSQLError) {
            try pool.withConnection { c throws(PostgreSQLError) in
              try c.transaction { () throws(PostgreSQLError) in
                _ = try c.run(
                  "INSERT INTO t VALUES ($1, $2)",
                  try Parameters { p throws(PostgreSQLError) in
                    try p.append(Int64(writer))
                    try p.append(number)
                  })
              }
            }
            state.withLock { $0.acknowledged[writer].append(number) }
          } catch {
            state.withLock { state in
              if error.isOutcomeUnknown { state.unknown += 1 }
              if !error.isTransient { state.other.append("\(error)") }
            }
          }
        }
      }
    }
    for _ in 0..<5 {
      Thread.sleep(forTimeInterval: 0.4)
      try cluster.kill()
      try cluster.restart()
    }
    Thread.sleep(forTimeInterval: 0.4)
    state.withLock { $0.isStopped = true }
    threads.wait()
    let result = state.withLock { $0 }
    let connection = try cluster.connection()
    for writer in 0..<4 {
      let stored = Set(
        try connection.all("SELECT n FROM t WHERE writer = \(writer)") { r throws(PostgreSQLError) in
          try r.int64(0) ?? 0
        })
      #expect(stored.isSuperset(of: result.acknowledged[writer]))
      #expect(stored.count <= result.acknowledged[writer].count + result.unknown)
    }
    #expect(result.other == [])
    #expect(try connection.integer("SELECT count(*) - count(DISTINCT (writer, n)) FROM t") == 0)
    print("5 kills: \(result.acknowledged.map(\.count)) commits acknowledged, \(result.unknown) unknown")
    #expect(pool.lentCount == 0)
    try pool.close(waiting: .seconds(1))
  }
}
