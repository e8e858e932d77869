import Foundation
import GraftTestSupport
import Testing

@testable import GraftPostgreSQL

@Suite("Statements", .enabled(if: Cluster.isAvailable), .timeLimit(.minutes(5))) struct QueryTests {
  let connection: PostgreSQLConnection

  init() throws { connection = try Cluster.connection() }

  @Test("Rows can be streamed or read all at once", arguments: [Reading.streamed, .whole])
  func rows(_ reading: Reading) throws {
    let values = try connection.all("SELECT generate_series(1::int8, 1000)", reading: reading) {
      r throws(PostgreSQLError) in
      try r.int64(0)
    }
    #expect(values == (1...1000).map { $0 })
    #expect(try connection.run("SELECT 1 WHERE false") == 0)
    #expect(
      try connection.all("SELECT 1::int8 WHERE false", reading: reading) { r throws(PostgreSQLError) in try r.int64(0) }
        == [])
    // Rows that the closure does not read are still received.
    let first = try connection.query("SELECT generate_series(1::int8, 1000)", reading: reading) {
      r throws(PostgreSQLError) in
      try r.next() ? try r.int64(0) : nil
    }
    #expect(first == 1)
    try connection.query("SELECT 1::int8", reading: reading) { r throws(PostgreSQLError) in
      let hasRows = [try r.next(), try r.next(), try r.next()]
      #expect(hasRows == [true, false, false])
      #expect(error { _ = try r.int64(0) }?.message == "there is no row; call 'next' first")
      #expect(r.affectedRows == 1 && r.columnCount == 1)
    }
  }

  @Test("Statements can be nested in rows that are read all at once; in streamed rows, they cause a clear error")
  func nested() throws {
    let sums = try connection.all("SELECT generate_series(1::int8, 3)", reading: .whole) { r throws(PostgreSQLError) in
      try connection.integer("SELECT 10::int8") ?? 0
    }
    #expect(sums == [10, 10, 10])
    let found = error {
      _ = try connection.all("SELECT generate_series(1::int8, 3)") { r throws(PostgreSQLError) in
        try connection.integer("SELECT 10::int8")
      }
    }
    #expect(
      found?.message
        == "the rows of another statement are being read; read them to the end first, or all at once")
    #expect(try connection.integer("SELECT 1::int8") == 1)
  }

  @Test("The number of changed rows is reported")
  func affected() throws {
    try connection.execute("CREATE TEMPORARY TABLE t (n int8)")
    #expect(try connection.run("INSERT INTO t SELECT generate_series(1, 7)") == 7)
    #expect(try connection.run("UPDATE t SET n = n + 1 WHERE n > 4", isPrepared: false) == 3)
    #expect(try connection.run("DELETE FROM t") == 7)
    #expect(try connection.run("CREATE TEMPORARY TABLE u (n int8)") == 0)
    #expect(try connection.run("") == 0)
    try connection.execute("")
    try connection.execute("INSERT INTO t VALUES (1); INSERT INTO t VALUES (2); SELECT * FROM t")
    #expect(try connection.integer("SELECT count(*) FROM t") == 2)
  }

  @Test("An error has its SQL state, names, messages and kind")
  func errors() throws {
    try connection.execute("CREATE TEMPORARY TABLE hero (name text CONSTRAINT hero_name UNIQUE)")
    let parameters = try Parameters { p throws(PostgreSQLError) in try p.append("Bruce") }
    try connection.run("INSERT INTO hero VALUES ($1)", parameters)
    let found = try #require(error { try connection.run("INSERT INTO hero VALUES ($1)", parameters) })
    #expect(found.kind == .uniqueViolation && found.sqlState == "23505")
    #expect(found.constraint == "hero_name" && found.table == "hero")
    #expect(
      found.description == """
        duplicate key value violates unique constraint "hero_name" (SQLSTATE 23505)
          detail: Key (name)=(Bruce) already exists.
        """)
    #expect(found.sql == "INSERT INTO hero VALUES ($1)")
    let syntax = try #require(error { try connection.run("SELEC 1") })
    #expect(syntax.kind == .other && syntax.sqlState == "42601")
    let column = try #require(error { try connection.run("SELECT nam FROM hero") })
    #expect(column.hint == #"Perhaps you meant to reference the column "hero.name"."#)
    let kinds: [(String, PostgreSQLError.Kind)] = [
      ("40001", .serializationFailure), ("40P01", .deadlock), ("23505", .uniqueViolation), ("55P03", .lockNotAvailable),
      ("57014", .queryCanceled), ("57P01", .adminShutdown), ("57P02", .adminShutdown), ("57P03", .adminShutdown),
      ("53100", .diskFull), ("53300", .tooManyConnections), ("28P01", .authentication), ("28000", .authentication),
      ("3D000", .databaseMissing), ("23503", .other), ("08006", .other),
    ]
    for (state, kind) in kinds {
      let raised = error {
        try connection.execute("DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '\(state)', HINT = 'h'; END $$")
      }
      #expect(raised?.kind == kind && raised?.sqlState == state && raised?.hint == "h", "\(state)")
    }
    #expect(connection.isUsable)
  }

  @Test("An error in the middle of rows is thrown, and the connection stays usable")
  func late() throws {
    for reading in [Reading.streamed, .whole] {
      var count = 0
      let found = error {
        _ = try connection.all("SELECT 1 / (500 - n) FROM generate_series(1, 1000) AS n", reading: reading) {
          r throws(PostgreSQLError) in count += 1
        }
      }
      #expect(found?.sqlState == "22012")
      #expect(reading == .whole ? count == 0 : count == 499)
    }
    #expect(try connection.integer("SELECT 1::int8") == 1)
  }

  @Test("If a closure ignores an error, the rows before the error are not treated as the complete result")
  func ignored() throws {
    var ends: [String] = []
    let found = error {
      try connection.query("SELECT 1 / (5 - n) FROM generate_series(1, 10) AS n") { r throws(PostgreSQLError) in
        for _ in 0..<8 {
          do throws(PostgreSQLError) {
            if try !r.next() { ends.append("end") }
          } catch { ends.append(error.sqlState ?? "") }
        }
      }
    }
    #expect(ends == ["22012", "22012", "22012", "22012"])
    #expect(found?.sqlState == "22012")
    #expect(try connection.integer("SELECT 1::int8") == 1)
  }

  @Test("A closure that throws ends the statement, even if many rows are left")
  func failingClosure() throws {
    let start = ContinuousClock.now
    let found = error {
      try connection.query("SELECT generate_series(1::int8, 100000000000)") { r throws(PostgreSQLError) in
        _ = try r.next()
        throw PostgreSQLError(.other, "mine")
      }
    }
    #expect(found?.message == "mine")
    #expect(start.duration(to: .now) < .seconds(30))
    if connection.isUsable { #expect(try connection.integer("SELECT 1::int8") == 1) }
  }

  #if os(Linux)
    /// The peak memory of the process, in bytes.
    private static func peakMemory() throws -> Int {
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    }

    @Test("Streamed rows need only as much memory as one row")
    func memory() throws {
      let before = try QueryTests.peakMemory()
      var total = 0
      try connection.query("SELECT repeat('x', 100000) FROM generate_series(1, 5000)") { r throws(PostgreSQLError) in
        while try r.next() { total += try r.bytes(0)?.count ?? 0 }
      }
      #expect(total == 500_000_000)
      // Other tests run at the same time, so the limit is generous.
      #expect(try QueryTests.peakMemory() - before < 200_000_000)
    }
  #endif

  @Test("The number of prepared statements is limited")
  func bounded() throws {
    var options = ConnectionOptions.testing
    options.statementCapacity = 10
    let connection = try Cluster.connection(options)
    for round in 0..<2 {
      for number in 0..<50 { #expect(try connection.integer("SELECT \(number)::int8") == Int64(number), "\(round)") }
    }
    #expect(connection.statements.count <= 10)
    #expect(try connection.integer("SELECT count(*) FROM pg_prepared_statements", isPrepared: false) ?? 99 <= 10)
    // The most recently used statement is kept.
    let names = try connection.all("SELECT name FROM pg_prepared_statements WHERE statement = 'SELECT 49::int8'") {
      r throws(PostgreSQLError) in try r.text(0)
    }
    #expect(names.count == 1)
    #expect(try connection.run("SELECT 1 FROM pg_prepared_statements", isPrepared: false) <= 10)
  }

  @Test("The same SQL with different parameter types is a different statement")
  func types() throws {
    let integer = try Parameters { p throws(PostgreSQLError) in try p.append(1 as Int64) }
    let double = try Parameters { p throws(PostgreSQLError) in try p.append(1.5) }
    #expect(try connection.text("SELECT pg_typeof($1)::text || $1", integer) == "bigint1")
    #expect(try connection.text("SELECT pg_typeof($1)::text || $1", double) == "double precision1.5")
    #expect(try connection.text("SELECT pg_typeof($1)::text || $1", integer, isPrepared: false) == "bigint1")
  }

  @Test("A statement is prepared again after its table changes or after the statement is deallocated")
  func stale() throws {
    let table = uniqueName()
    try connection.execute("CREATE TABLE \(table) (n int8); INSERT INTO \(table) VALUES (1)")
    defer { try? connection.execute("DROP TABLE \(table)") }
    func read() throws(PostgreSQLError) -> Int { try connection.run("SELECT * FROM \(table)") }
    #expect(try read() == 1)
    try Cluster.connection().execute("ALTER TABLE \(table) ADD COLUMN t text")
    #expect(try read() == 1)
    try connection.execute("DEALLOCATE ALL")
    #expect(try read() == 1)
    try connection.execute("ALTER TABLE \(table) DROP COLUMN t")
    try connection.begin()
    #expect(error { _ = try read() }?.sqlState == "0A000")
    connection.rollBack()
    try connection.begin()
    #expect(try read() == 1)
    try connection.commit()
  }

  @Test("COPY through the wrong call causes an error instead of a hang")
  func copy() throws {
    for sql in ["COPY (SELECT 1) TO STDOUT", "COPY pg_class FROM STDIN"] {
      let connection = try Cluster.connection()
      #expect(error { try connection.execute(sql) }?.kind == .misuse, "\(sql)")
    }
    let other = try Cluster.connection()
    #expect(error { try other.run("COPY (SELECT 1) TO STDOUT") } != nil)
  }

  @Test("Too many or too few parameters cause an error")
  func parameterCount() throws {
    let one = try Parameters { p throws(PostgreSQLError) in try p.append(1 as Int64) }
    #expect(error { try connection.run("SELECT $1::int8, $2::int8", one) }?.kind == .other)
    #expect(error { try connection.run("SELECT 1", one, isPrepared: false) } != nil || connection.isUsable)
    var many = Parameters()
    for _ in 0..<70_000 { try many.append(true) }
    let found = error { try connection.run("SELECT 1", many) }
    #expect(found?.message == "a statement has 70000 parameters; PostgreSQL accepts 65535")
    #expect(try connection.integer("SELECT 1::int8") == 1)
  }
}
