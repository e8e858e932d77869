import Foundation
import Graft
import GraftTestSupport
import Testing

@testable import GraftPostgreSQL

@Suite("Transactions", .enabled(if: Cluster.isAvailable), .timeLimit(.minutes(5))) struct TransactionTests {
  let first: PostgreSQLConnection
  let second: PostgreSQLConnection
  let table = uniqueName()

  init() throws {
    first = try Cluster.connection()
    second = try Cluster.connection()
    try first.execute("CREATE TABLE \(table) (id int8 PRIMARY KEY, n int8); INSERT INTO \(table) VALUES (1, 0), (2, 0)")
  }

  private func sum(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> Int64? {
    try connection.integer("SELECT sum(n)::int8 FROM \(table)")
  }

  private func add(_ connection: PostgreSQLConnection, id: Int = 1) throws(PostgreSQLError) {
    try connection.run("UPDATE \(table) SET n = n + 1 WHERE id = \(id)")
  }

  @Test("A transaction is committed, or rolled back if its closure throws")
  func commits() throws {
    try first.transaction { () throws(PostgreSQLError) in try add(first) }
    #expect(try sum(second) == 1)
    let found = error {
      try first.transaction { () throws(PostgreSQLError) in
        try add(first)
        throw PostgreSQLError(.other, "mine")
      }
    }
    #expect(found?.message == "mine")
    #expect(try sum(first) == 1)
    #expect(!first.isInTransaction)
    first.rollBack()
    try first.begin()
    #expect(error { try first.begin() }?.message == "a transaction has already begun")
    try first.commit()
  }

  @Test("A repeatable read transaction keeps its snapshot; a read-only transaction writes nothing")
  func snapshot() throws {
    try first.begin(.repeatableRead, .readOnly)
    #expect(try sum(first) == 0)
    try add(second)
    #expect(try sum(first) == 0)
    #expect(error { try add(first) }?.sqlState == "25006")
    #expect(first.isInFailedTransaction)
    first.rollBack()
    #expect(try sum(first) == 1)
  }

  @Test("Committing a failed transaction causes an error, although the server only answers ROLLBACK")
  func failedCommit() throws {
    try first.begin()
    try add(first)
    #expect(error { try first.execute("SELECT 1 / 0") } != nil)
    let found = error { try first.commit() }
    #expect(found?.message == "the transaction was rolled back, because a statement in it had failed")
    #expect(found?.isOutcomeUnknown == false)
    #expect(!first.isInTransaction && first.isUsable)
    #expect(try sum(first) == 0)
    // Outside a transaction, the server only warns.
    try first.commit()
  }

  @Test("Rolling back to a savepoint undoes only the statements after it, and savepoints can be nested")
  func savepoints() throws {
    try first.transaction { () throws(PostgreSQLError) in
      try add(first)
      let inner = error {
        try first.savepoint { () throws(PostgreSQLError) in
          try add(first)
          try first.savepoint { () throws(PostgreSQLError) in try add(first) }
          try first.execute("SELECT 1 / 0")
        }
      }
      #expect(inner?.sqlState == "22012")
      try first.savepoint { () throws(PostgreSQLError) in try add(first, id: 2) }
    }
    #expect(try sum(second) == 2)
  }

  @Test("A transaction is repeated after serialization failures, up to the maximum number of attempts")
  func serialization() throws {
    var runs = 0
    let conflict = { () throws(PostgreSQLError) in
      runs += 1
      _ = try sum(first)
      if runs < 3 { try add(second) }
      try add(first)
    }
    #expect(error { try first.transaction(.repeatableRead, .readWrite, conflict) }?.kind == .serializationFailure)
    #expect(runs == 1)
    runs = 0
    try first.transaction(.repeatableRead, .readWrite, attempts: 3, conflict)
    #expect(runs == 3)
    #expect(try sum(first) == 4)
    runs = 0
    let unique = error {
      try first.transaction(attempts: 3) { () throws(PostgreSQLError) in
        runs += 1
        try first.execute("INSERT INTO \(table) VALUES (1, 1)")
      }
    }
    #expect(unique?.kind == .uniqueViolation && runs == 1)
  }

  @Test("In a deadlock, one of the two transactions is ended")
  func deadlock() async throws {
    try first.execute("SET deadlock_timeout = '100ms'")
    try first.begin()
    try add(first, id: 1)
    let url = try Cluster.shared.get().string
    let (table, started) = (table, Guarded(false))
    async let other: PostgreSQLError.Kind? = {
      let connection = try PostgreSQLConnection(url, .testing)
      return error {
        try connection.execute("SET deadlock_timeout = '10s'")
        try connection.begin()
        try connection.execute("UPDATE \(table) SET n = 5 WHERE id = 2")
        started.withLock { $0 = true }
        try connection.execute("UPDATE \(table) SET n = 5 WHERE id = 1")
        try connection.commit()
      }?.kind
    }()
    while !started.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(10)) }
    let mine = error { try add(first, id: 2) }
    first.rollBack()
    #expect(mine?.kind == .deadlock && mine?.isRepeatable == true)
    #expect(try await other == nil)
  }

  @Test("Waiting for a lock ends after the lock timeout, or immediately with NOWAIT")
  func locks() throws {
    try first.begin()
    try add(first)
    #expect(error { try second.run("SELECT * FROM \(table) FOR UPDATE NOWAIT") }?.kind == .lockNotAvailable)
    try second.begin()
    try second.setLockTimeout(.milliseconds(100), isLocal: true)
    #expect(error { try add(second) }?.kind == .lockNotAvailable)
    second.rollBack()
    #expect(try second.text("SELECT current_setting('lock_timeout')") == "0")
    #expect(!second.hasSessionState)
    first.rollBack()
  }
}
