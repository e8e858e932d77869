import Foundation
import Graft
import GraftSQL

/// Writes change sets in one transaction, which all programs do one after another: each locks the row in `_graft_state` first.
struct CommitWriter {
  private let store: PostgreSQLStore

  init(_ store: PostgreSQLStore) { self.store = store }

  static let readOnly = PostgreSQLError(
    .misuse, "it was opened with 'isReadOnly'; open it without that option to change it")

  func write(_ entries: [CommitQueue.Entry]) -> [CommitQueue.Outcome] {
    guard entries.count > 1 else { return entries.map(writeAlone) }
    do throws(PostgreSQLError) {
      return try transaction { connection throws(PostgreSQLError) in
        try entries.map { entry throws(PostgreSQLError) in try writePart(entry, connection) }
      }
    } catch {
      // The cause may be one of them. The others succeed alone.
      return entries.map(writeAlone)
    }
  }

  private func writeAlone(_ entry: CommitQueue.Entry) -> CommitQueue.Outcome {
    do throws(PostgreSQLError) {
      return .success(try transaction { connection throws(PostgreSQLError) in try write(entry, connection) })
    } catch {
      return outcome(error)
    }
  }

  private func outcome(_ error: PostgreSQLError) -> CommitQueue.Outcome {
    error.kind == .moved ? .success(.moved) : .failure(error.storeError(store.name, "written"))
  }

  /// Writes one of several change sets.
  private func writePart(
    _ entry: CommitQueue.Entry, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> CommitQueue.Outcome {
    do throws(PostgreSQLError) {
      let result = try connection.savepoint { () throws(PostgreSQLError) in try write(entry, connection) }
      return .success(result)
    } catch {
      guard connection.isUsable, connection.isInTransaction else { throw error }
      return outcome(error)
    }
  }

  // MARK: The transaction

  /// Calls a closure in a transaction that writes.
  private func transaction<Result>(
    _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    if store.options.isReadOnly { throw CommitWriter.readOnly }
    let lease = try store.connections.lease()
    defer { lease.end() }
    let connection = lease.connection
    if lease.isMigrating { return try connection.savepoint { () throws(PostgreSQLError) in try body(connection) } }
    return try commit(connection, body)
  }

  private func commit<Result>(
    _ connection: PostgreSQLConnection, _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    var transaction: UInt64?
    var result: Result?
    do throws(PostgreSQLError) {
      return try connection.transaction { () throws(PostgreSQLError) in
        let written = try body(connection)
        transaction = try connection.query("SELECT pg_current_xact_id_if_assigned()") { rows throws(PostgreSQLError) in
          try rows.next() ? try rows.unsigned(0) : nil
        }
        result = written
        return written
      }
    } catch {
      // The connection broke while the server committed.
      guard error.isOutcomeUnknown, let result, let transaction, try hasCommitted(transaction) else { throw error }
      return result
    }
  }

  /// Whether a transaction was committed whose connection broke.
  private func hasCommitted(_ transaction: UInt64) throws(PostgreSQLError) -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      let status: String?
      do throws(PostgreSQLError) {
        let lease = try store.connections.lease()
        defer { lease.end() }
        var parameters = Parameters()
        try parameters.append(transaction: transaction)
        status = try lease.connection.text("SELECT pg_xact_status($1)", parameters)
      } catch {
        // The server may be restarting.
        guard error.isTransient, ContinuousClock.now < deadline else { throw error }
        Thread.sleep(forTimeInterval: 0.2)
        continue
      }
      guard status == "in progress", ContinuousClock.now < deadline else { return status == "committed" }
      Thread.sleep(forTimeInterval: 0.05)
    }
  }

  /// Writes changes within a transaction.
  ///
  /// - Throws: `moved` if others wrote data that the changes depend on.
  private func write(
    _ entry: CommitQueue.Entry, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> StoreWriteResult {
    let state = try CommitState(connection, isLocked: true)
    try store.check(state, connection)
    let database = PostgreSQLDatabase(connection: connection, schema: store.sql)
    let stored = try StoredState(database, entry.changes)
    try MoveCheck(database, base: entry.base, latest: state.latest).check(entry.changes, stored)
    do throws(PostgreSQLError) {
      var writer = try ChangeWriter(database, entry.changes, sequence: state.latest + 1)
      let result = try writer.write(stored)
      // References are otherwise checked when the transaction ends, where they would fail the changes of other threads as well.
      try connection.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
      return result
    } catch {
      guard error.isConflict, state.latest != entry.base else { throw error }
      throw PostgreSQLDatabase.move
    }
  }
}
