import Foundation
import Graft
import GraftTestSupport
import Testing

@testable import GraftPostgreSQL

@Suite("The connection pool", .enabled(if: Cluster.isAvailable), .timeLimit(.minutes(5))) struct PoolTests {
  let cluster: Cluster

  init() throws { cluster = try Cluster.shared.get() }

  private func pool(_ change: (inout PoolOptions) -> Void = { _ in }) -> ConnectionPool {
    var options = PoolOptions()
    change(&options)
    return ConnectionPool(cluster.string, .testing, options)
  }

  private func pid(_ pool: ConnectionPool) throws(PostgreSQLError) -> Int32 {
    try pool.withConnection { c throws(PostgreSQLError) in
      _ = try c.integer("SELECT 1::int8")
      return c.backendPID
    }
  }

  @Test("Sixteen threads share four connections, and no thread waits forever")
  func threads() throws {
    let pool = pool { $0.limit = 4 }
    let failures = Guarded<[String]>([])
    let (most, current) = (Guarded(0), Guarded(0))
    let group = DispatchGroup()
    for thread in 0..<16 {
      group.enter()
      Thread.detachNewThread {
        defer { group.leave() }
        for round in 0..<50 {
          do throws(PostgreSQLError) {
            try pool.withConnection { c throws(PostgreSQLError) in
              let count = current.withLock { count -> Int in
                count += 1
                return count
              }
              defer { current.withLock { $0 -= 1 } }
              most.withLock { $0 = max($0, count) }
              switch (thread + round) % 5 {
              case 0: try c.begin()
              case 1: c.canceller.cancel()
              case 2: if round == 20 { c.close() }
              default: _ = try c.integer("SELECT \(round)::int8")
              }
            }
          } catch { failures.withLock { $0.append("\(error)") } }
        }
      }
    }
    group.wait()
    #expect(failures.withLock { $0 } == [])
    #expect(most.withLock { $0 } == 4)
    #expect(pool.lentCount == 0 && pool.idleCount <= 4 && pool.idleCount > 0)
    try pool.close()
    #expect(pool.idleCount == 0)
  }

  @Test("The error for a caller that waits too long includes the number of connections in use and the limit")
  func exhausted() throws {
    let pool = pool {
      $0.limit = 2
      $0.waitingTime = .milliseconds(100)
    }
    let leases = [try pool.lease(), try pool.lease()]
    let found = error { try pool.withConnection { _ in } }
    #expect(found?.kind == .poolExhausted)
    #expect(
      found?.message
        == "no connection became free within 0.1 seconds: 2 of 2 are in use, and 0 other callers are waiting; use each connection for a "
        + "shorter time, or raise the limit of the pool")
    leases[0].end()
    leases[0].end()
    #expect(pool.lentCount == 1)
    try pool.withConnection(waiting: .zero) { _ in }
  }

  @Test("A connection is reused, and a transaction that was left open is rolled back")
  func reuse() throws {
    let pool = pool()
    let table = uniqueName()
    let first = try pid(pool)
    let found = error {
      try pool.withConnection { c throws(PostgreSQLError) in
        try c.begin()
        try c.execute("CREATE TABLE \(table) ()")
        try c.execute("SELECT 1 / 0")
      }
    }
    #expect(found?.sqlState == "22012")
    #expect(try pid(pool) == first)
    try pool.withConnection { c throws(PostgreSQLError) in try c.begin() }
    #expect(try pid(pool) == first)
    #expect(try pool.withConnection { c throws(PostgreSQLError) in c.isInTransaction } == false)
    #expect(pool.idleCount == 1)
  }

  @Test("A connection that is closed, listens for notifications, or has changed settings is not reused")
  func discarded() throws {
    let pool = pool()
    var last = try pid(pool)
    let changes: [(PostgreSQLConnection) throws -> Void] = [
      { $0.close() }, { try $0.listen(to: "x") }, { try $0.setStatementTimeout(.seconds(1), isLocal: false) },
    ]
    for change in changes {
      let lease = try pool.lease()
      #expect(lease.connection.backendPID == last)
      try change(lease.connection)
      lease.end()
      let next = try pid(pool)
      #expect(next != last)
      last = next
    }
  }

  @Test("Connections that the server has closed are replaced with new connections")
  func replaced() throws {
    for unverified in [Duration.zero, .seconds(60)] {
      let pool = pool { $0.unverifiedTime = unverified }
      let first = try pid(pool)
      try cluster.connection().execute("SELECT pg_terminate_backend(\(first))")
      Thread.sleep(forTimeInterval: 0.2)
      #expect(try pid(pool) != first)
      #expect(pool.idleCount == 1)
    }
  }

  @Test("A canceller does not affect the connection's next caller")
  func canceller() throws {
    let pool = pool()
    let lease = try pool.lease()
    let canceller = lease.connection.canceller
    lease.end()
    #expect(!canceller.cancel())
  }

  @Test("Idle connections are closed after the maximum idle time")
  func idle() throws {
    let pool = pool { $0.idleTime = .milliseconds(100) }
    let leases = [try pool.lease(), try pool.lease(), try pool.lease()]
    for lease in leases { lease.end() }
    #expect(pool.idleCount > 0)
    for _ in 0..<100 where pool.idleCount > 0 { Thread.sleep(forTimeInterval: 0.05) }
    #expect(pool.idleCount == 0)
    _ = try pid(pool)
  }

  @Test("Closing a pool waits for connections in use, or reports that some are still in use")
  func closing() throws {
    let pool = pool { $0.limit = 1 }
    let lease = try pool.lease()
    let waiter = Guarded<PostgreSQLError.Kind?>(nil)
    let group = DispatchGroup()
    group.enter()
    Thread.detachNewThread {
      let kind = error { try pool.withConnection { _ in } }?.kind
      waiter.withLock { $0 = kind }
      group.leave()
    }
    Thread.sleep(forTimeInterval: 0.1)
    let found = error { try pool.close(waiting: .milliseconds(50)) }
    #expect(found?.message == "the pool is closed, but 1 of its connections is still in use after 0.05 seconds")
    group.wait()
    #expect(waiter.withLock { $0 } == .closed)
    #expect(error { _ = try pool.lease() }?.message == "the connection pool is closed")
    // The connection works until it is returned.
    #expect(try lease.connection.integer("SELECT 1::int8") == 1)
    lease.end()
    #expect(!lease.connection.isUsable)
    try pool.close(waiting: .seconds(1))
  }

  @Test("The first failure to connect is reported immediately")
  func unreachable() throws {
    let pool = ConnectionPool(ConnectionString("host=/nowhere"))
    let start = ContinuousClock.now
    #expect(error { _ = try pool.lease() }?.kind == .unreachable)
    #expect(start.duration(to: .now) < .seconds(4))
    #expect(pool.lentCount == 0)
  }
}
