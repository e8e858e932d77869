import Foundation
import GraftTestSupport
import Testing

@testable import GraftPostgreSQL

@Suite("Statements in one round trip", .enabled(if: Cluster.isAvailable), .timeLimit(.minutes(5)))
struct PipelineTests {
  private let table = uniqueName()
  private let direct: PostgreSQLConnection

  init() throws {
    direct = try Cluster.connection()
    try direct.execute("CREATE TABLE \(table) (n int8 PRIMARY KEY)")
  }

  private func connection(isPipelined: Bool) throws -> PostgreSQLConnection {
    var options = ConnectionOptions.testing
    options.isPipelined = isPipelined
    return try Cluster.connection(options)
  }

  private func insert(_ number: Int64, _ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    let parameters = try Parameters { p throws(PostgreSQLError) in try p.append(number) }
    try connection.enqueue("INSERT INTO \(table) VALUES ($1)", parameters)
  }

  private func numbers(_ connection: PostgreSQLConnection) throws -> [Int64?] {
    try connection.all("SELECT n FROM \(table) ORDER BY n", reading: .whole) { r throws(PostgreSQLError) in
      try r.int64(0)
    }
  }

  @Test("Queued statements are sent with the next statement, and run in order", arguments: [true, false])
  func order(isPipelined: Bool) throws {
    let connection = try connection(isPipelined: isPipelined)
    try connection.begin()
    try insert(1, connection)
    try insert(2, connection)
    var found: Int64?
    try connection.enqueue("SELECT count(*) FROM \(table)") { rows throws(PostgreSQLError) in
      found = try rows.next() ? try rows.int64(0) : nil
    }
    #expect(connection.isInTransaction && found == nil)
    #expect(try numbers(connection) == [1, 2])
    #expect(found == 2)
    try insert(3, connection)
    #expect(try connection.integer("SELECT max(n) FROM \(table)") == 3)
    try insert(4, connection)
    try connection.execute("DELETE FROM \(table) WHERE n = 1")
    #expect(try numbers(direct) == [])
    try insert(5, connection)
    try connection.commit()
    #expect(!connection.isInTransaction)
    #expect(try numbers(direct) == [2, 3, 4, 5])
  }

  @Test("After a statement fails, no later statement runs, including COMMIT", arguments: [true, false])
  func failure(isPipelined: Bool) throws {
    let connection = try connection(isPipelined: isPipelined)
    for round in 1...2 {
      let found = error {
        try connection.transaction { () throws(PostgreSQLError) in
          try insert(1, connection)
          try connection.enqueue("SELECT \(round) / 0")
          try insert(2, connection)
        }
      }
      #expect(found?.sqlState == "22012" && found?.isOutcomeUnknown == false && found?.sql == "SELECT \(round) / 0")
      #expect(connection.isUsable && !connection.isInTransaction)
      #expect(try numbers(connection) == [])
    }
    let mine = error {
      try connection.transaction { () throws(PostgreSQLError) in
        try insert(1, connection)
        throw PostgreSQLError(.other, "mine")
      }
    }
    #expect(mine?.message == "mine")
    try connection.transaction { () throws(PostgreSQLError) in try insert(2, connection) }
    #expect(try numbers(direct) == [2])
  }

  @Test("A constraint that fails at COMMIT causes an error with a known outcome", arguments: [true, false])
  func deferred(isPipelined: Bool) throws {
    let connection = try connection(isPipelined: isPipelined)
    let other = uniqueName()
    try connection.execute(
      "CREATE TABLE \(other) (n int8 REFERENCES \(table) DEFERRABLE INITIALLY DEFERRED)")
    let found = error {
      try connection.transaction { () throws(PostgreSQLError) in
        try connection.enqueue("INSERT INTO \(other) VALUES (1)")
      }
    }
    #expect(found?.sqlState == "23503" && found?.isOutcomeUnknown == false)
    #expect(connection.isUsable && !connection.isInTransaction)
  }

  @Test("A statement that follows a transaction can fail without affecting the transaction", arguments: [true, false])
  func following(isPipelined: Bool) throws {
    let connection = try connection(isPipelined: isPipelined)
    try connection.transaction(followedBy: "SELECT 1 / 0") { () throws(PostgreSQLError) in try insert(1, connection) }
    #expect(connection.isUsable && !connection.isInTransaction)
    #expect(try numbers(direct) == [1])
    let lost = error {
      try connection.transaction(followedBy: "SELECT 1") { () throws(PostgreSQLError) in
        try insert(2, connection)
        try connection.enqueue("SELECT pg_terminate_backend(pg_backend_pid())")
      }
    }
    #expect(lost?.kind == .adminShutdown && lost?.isOutcomeUnknown == false)
    #expect(!connection.isUsable)
    #expect(try numbers(direct) == [1])
  }

  @Test(
    "A flush after the release of locks restores the session's setting; if it fails, the outcome is unknown",
    arguments: [true, false])
  func flushes(isPipelined: Bool) throws {
    let connection = try connection(isPipelined: isPipelined)
    try connection.transaction(flush: .afterRelease, followedBy: "SELECT 1 / 0") { () throws(PostgreSQLError) in
      try insert(1, connection)
      #expect(try connection.text("SHOW synchronous_commit") == "off")
    }
    #expect(connection.isUsable && !connection.isInTransaction)
    #expect(try connection.text("SHOW synchronous_commit") == "on")
    // The earliest point at which this server can fail is its flush.
    let schema = uniqueName()
    try connection.execute(
      """
      CREATE SCHEMA \(schema); SET search_path = \(schema), pg_catalog, public; \
      CREATE FUNCTION pg_logical_emit_message(boolean, text, text) RETURNS pg_lsn LANGUAGE sql AS 'SELECT $3::pg_lsn'
      """)
    let table = "public.\(table)"
    let found = error {
      try connection.transaction(flush: .afterRelease) { () throws(PostgreSQLError) in
        try connection.enqueue("INSERT INTO \(table) VALUES (2)")
      }
    }
    #expect(found?.sqlState == "22P02" && found?.isOutcomeUnknown == true)
    #expect(connection.isUsable && !connection.isInTransaction)
    // The error is that of the statement that failed, regardless of the following statements.
    let failed = error {
      try connection.transaction(flush: .afterRelease, followedBy: "SELECT 1") { () throws(PostgreSQLError) in
        try connection.enqueue("INSERT INTO \(table) VALUES (2)")
      }
    }
    #expect(failed?.sqlState == "23505" && failed?.isOutcomeUnknown == false)
    #expect(try numbers(direct) == [1, 2])
    #expect(connection.isUsable && !connection.isInTransaction)
  }

  @Test(
    "A flush is complete when the server has ended its transaction, not when the server has sent a result",
    arguments: [true, false])
  func flushEnds(isPipelined: Bool) throws {
    let connection = try connection(isPipelined: isPipelined)
    let schema = uniqueName()
    // The function fails when its transaction ends.
    try connection.execute(
      """
      CREATE SCHEMA \(schema); SET search_path = \(schema), pg_catalog, public; \
      CREATE TABLE deferred (n int8 REFERENCES public.\(table) DEFERRABLE INITIALLY DEFERRED); \
      CREATE FUNCTION pg_logical_emit_message(boolean, text, text) RETURNS pg_lsn LANGUAGE sql AS \
      $$INSERT INTO deferred VALUES (7); SELECT '0/0'::pg_lsn$$
      """)
    for number in 1...3 as ClosedRange<Int64> {
      let found = error {
        try connection.transaction(flush: .afterRelease, followedBy: "SELECT 1") { () throws(PostgreSQLError) in
          try connection.enqueue("INSERT INTO public.\(table) VALUES (\(number))")
        }
      }
      #expect(found?.sqlState == "23503" && found?.isOutcomeUnknown == true, "\(String(describing: found))")
      #expect(connection.isUsable && !connection.isInTransaction)
    }
    // The statement after a transaction can fail in the same way.
    try connection.transaction(followedBy: "INSERT INTO deferred VALUES (7)") { () throws(PostgreSQLError) in
      try connection.enqueue("INSERT INTO public.\(table) VALUES (4)")
    }
    #expect(connection.isUsable && !connection.isInTransaction)
    #expect(try numbers(direct) == [1, 2, 3, 4])
    #expect(try connection.integer("SELECT count(*) FROM deferred") == 0)
  }

  @Test(
    "A deadline during a flush ends all statements that were sent, and the connection stays usable",
    arguments: [true, false])
  func flushDeadline(isPipelined: Bool) throws {
    let connection = try connection(isPipelined: isPipelined)
    let schema = uniqueName()
    try connection.execute(
      """
      CREATE SCHEMA \(schema); SET search_path = \(schema), pg_catalog, public; \
      CREATE FUNCTION pg_logical_emit_message(boolean, text, text) RETURNS pg_lsn LANGUAGE sql AS \
      $$SELECT pg_sleep(50); SELECT '0/0'::pg_lsn$$
      """)
    for number in 1...2 as ClosedRange<Int64> {
      try connection.begin()
      try connection.enqueue("INSERT INTO public.\(table) VALUES (\(number))")
      // The statement after the commit also waits.
      let found = error {
        try connection.commit(.afterRelease, followedBy: "SELECT pg_sleep(50)", deadline: .after(.milliseconds(300)))
      }
      #expect(found?.kind == .deadlineExceeded && found?.isOutcomeUnknown == true)
      #expect(connection.isUsable && !connection.isInTransaction)
    }
    #expect(try numbers(direct) == [1, 2])
  }

  @Test("A deadline cancels all statements in a pipeline, and the connection stays usable", arguments: [true, false])
  func deadline(isPipelined: Bool) throws {
    let connection = try connection(isPipelined: isPipelined)
    for _ in 1...2 {
      try connection.begin()
      try insert(1, connection)
      try connection.enqueue("SELECT pg_sleep(50)")
      let found = error { try connection.commit(deadline: .after(.milliseconds(100))) }
      #expect(found?.kind == .deadlineExceeded && found?.isOutcomeUnknown == true)
      #expect(found?.message == "the server did not answer within 0.1 seconds; it was cancelled")
      connection.rollBack()
      #expect(try numbers(connection) == [])
    }
  }

  @Test("A canceller stops all statements in a pipeline, and the transaction is rolled back", arguments: [true, false])
  func cancelled(isPipelined: Bool) throws {
    let connection = try connection(isPipelined: isPipelined)
    let canceller = connection.canceller
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.2)
      canceller.cancel()
    }
    let found = error {
      try connection.transaction { () throws(PostgreSQLError) in
        try insert(1, connection)
        try connection.enqueue("SELECT pg_sleep(50)")
      }
    }
    #expect(found?.kind == .queryCanceled && found?.isOutcomeUnknown == false)
    #expect(try numbers(connection) == [])
  }

  @Test("A connection that is returned rolls back without waiting, and the next caller finds no open transaction")
  func rollbacks() throws {
    let pool = ConnectionPool(try Cluster.shared.get().string, .testing)
    for round in 0..<4 {
      let lease = try pool.lease()
      try lease.connection.transaction { () throws(PostgreSQLError) in try insert(Int64(round), lease.connection) }
      try lease.connection.begin()
      try insert(-1, lease.connection)
      if round % 2 == 0 { try lease.connection.sendQueue() }
      lease.end()
      #expect(pool.idleCount == 1)
    }
    let lease = try pool.lease()
    #expect(!lease.connection.isInTransaction)
    #expect(try numbers(lease.connection) == [0, 1, 2, 3])
    try lease.connection.execute("BEGIN")
    lease.end()
    #expect(try pool.withConnection { c throws(PostgreSQLError) in try c.text("SELECT 'x'") } == "x")
  }

  @Test("Large parameters are sent early instead of being kept in the queue")
  func memory() throws {
    let connection = try Cluster.connection()
    try connection.begin()
    for _ in 0..<3 {
      let bytes = [UInt8](repeating: 0, count: 600_000)
      try connection.enqueue(
        "SELECT length($1)", try Parameters { p throws(PostgreSQLError) in try p.append(bytes: bytes) })
      #expect(connection.queue.statements.count < 3)
    }
    try connection.commit()
  }
}
