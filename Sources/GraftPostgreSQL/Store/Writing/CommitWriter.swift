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
      return try transaction { connection, mark throws(PostgreSQLError) in
        try entries.map { entry throws(PostgreSQLError) in try writePart(entry, connection, mark) }
      }
    } catch {
      // They may be written already.
      if error.isOutcomeUnknown { return entries.map { _ in outcome(error) } }
      // The cause may be one of them. The others succeed alone.
      return entries.map(writeAlone)
    }
  }

  private func writeAlone(_ entry: CommitQueue.Entry) -> CommitQueue.Outcome {
    do throws(PostgreSQLError) {
      return .success(
        try transaction { connection, mark throws(PostgreSQLError) in try write(entry, connection, mark) })
    } catch {
      return outcome(error)
    }
  }

  private func outcome(_ error: PostgreSQLError) -> CommitQueue.Outcome {
    error.kind == .moved ? .success(.moved) : .failure(error.storeError(store.name, "written"))
  }

  /// Writes one of several change sets.
  private func writePart(
    _ entry: CommitQueue.Entry, _ connection: PostgreSQLConnection, _ mark: CommitMark
  ) throws(PostgreSQLError) -> CommitQueue.Outcome {
    do throws(PostgreSQLError) {
      let result = try connection.savepoint { () throws(PostgreSQLError) in
        try write(entry, connection, mark)
      }
      return .success(result)
    } catch {
      guard connection.isUsable, connection.isInTransaction else { throw error }
      return outcome(error)
    }
  }

  // MARK: The transaction

  /// Calls a closure in a transaction that writes.
  private func transaction<Result>(
    _ body: (PostgreSQLConnection, CommitMark) throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    if store.options.isReadOnly { throw CommitWriter.readOnly }
    let lease = try store.connections.lease()
    defer { lease.end() }
    let (connection, mark) = (lease.connection, CommitMark())
    if lease.isMigrating {
      return try connection.savepoint { () throws(PostgreSQLError) in try body(connection, mark) }
    }
    return try commit(connection, mark) { connection throws(PostgreSQLError) in try body(connection, mark) }
  }

  private func commit<Result>(
    _ connection: PostgreSQLConnection, _ mark: CommitMark,
    _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    var result: Result?
    do throws(PostgreSQLError) {
      let committed = try connection.transaction { () throws(PostgreSQLError) in
        let written = try body(connection)
        result = written
        return written
      }
      // Who is not told finds out later.
      try? CommitNotification.send(connection)
      return committed
    } catch {
      // The connection broke while the server committed.
      guard error.isOutcomeUnknown, let result else { throw error }
      switch mark.isCommitted(in: store.connections) {
      case true?: return result
      case false?: throw error.with { $0.isOutcomeUnknown = false }
      case nil: throw error
      }
    }
  }

  /// Writes changes within a transaction.
  ///
  /// - Throws: `moved` if others wrote data that the changes depend on.
  private func write(
    _ entry: CommitQueue.Entry, _ connection: PostgreSQLConnection, _ mark: CommitMark
  ) throws(PostgreSQLError) -> StoreWriteResult {
    let state = try CommitState(connection, isLocked: true)
    try store.check(state, connection)
    let database = PostgreSQLDatabase(connection: connection, schema: store.sql, mark: mark)
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
