import Graft
import GraftSQL

/// Writes change sets in one transaction. Programs write one at a time, because each first locks the row in `_graft_state`.
struct CommitWriter {
  private let store: PostgreSQLStore

  init(_ store: PostgreSQLStore) { self.store = store }

  static let readOnly = PostgreSQLError(
    .misuse, "it was opened with 'isReadOnly'; open it without that option to change it")

  func write(_ entries: [CommitQueue.Entry]) -> [CommitQueue.Outcome] {
    guard entries.count > 1 else { return entries.map(writeAlone) }
    let mark = CommitMark()
    do throws(PostgreSQLError) {
      return try transaction(mark) { connection throws(PostgreSQLError) in
        try entries.map { entry throws(PostgreSQLError) in try writePart(entry, connection, mark) }
      }
    } catch {
      // The change sets may already have been written.
      if error.isOutcomeUnknown { return entries.map { outcome(error, $0, mark) } }
      // One of the change sets may be the cause. The other change sets succeed when written alone.
      return entries.map(writeAlone)
    }
  }

  private func writeAlone(_ entry: CommitQueue.Entry) -> CommitQueue.Outcome {
    let mark = CommitMark()
    do throws(PostgreSQLError) {
      return .success(
        try transaction(mark) { connection throws(PostgreSQLError) in try write(entry, connection, mark) })
    } catch {
      return outcome(error, entry, mark)
    }
  }

  private func outcome(
    _ error: PostgreSQLError, _ entry: CommitQueue.Entry, _ mark: CommitMark
  ) -> CommitQueue.Outcome {
    let isMoved = error.kind == .moved || error.isConflict && mark.latest != entry.base
    return isMoved ? .success(.moved) : .failure(error.storeError(store.name, "written"))
  }

  /// Writes one of several change sets.
  private func writePart(
    _ entry: CommitQueue.Entry, _ connection: PostgreSQLConnection, _ mark: CommitMark
  ) throws(PostgreSQLError) -> CommitQueue.Outcome {
    let count = mark.count
    do throws(PostgreSQLError) {
      return .success(
        try part(connection) { connection throws(PostgreSQLError) in try write(entry, connection, mark) })
    } catch {
      guard connection.isUsable, connection.isInTransaction else { throw error }
      mark.forget(after: count)
      return outcome(error, entry, mark)
    }
  }

  /// Calls a closure in a part of a transaction. References are checked at its end. If they were checked only when the transaction ends, an
  /// invalid reference would also make other threads' changes fail.
  private func part<Result>(
    _ connection: PostgreSQLConnection, _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    try connection.savepoint { () throws(PostgreSQLError) in
      let result = try body(connection)
      try connection.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
      return result
    }
  }

  // MARK: The transaction

  /// Calls a closure in a transaction that writes.
  private func transaction<Result>(
    _ mark: CommitMark, _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    if store.options.isReadOnly { throw CommitWriter.readOnly }
    let lease = try store.connections.lease()
    defer { lease.end() }
    let connection = lease.connection
    if lease.isMigrating { return try part(connection, body) }
    return try commit(connection, mark, body)
  }

  private func commit<Result>(
    _ connection: PostgreSQLConnection, _ mark: CommitMark,
    _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    var result: Result?
    let flush = store.flush.withLock(\.self)
    do throws(PostgreSQLError) {
      // Programs that are not notified notice the commit later.
      let notify = CommitNotification.sql
      let written = try connection.transaction(flush: flush, followedBy: notify) { () throws(PostgreSQLError) in
        let written = try body(connection)
        result = written
        return written
      }
      store.noteFlushed(mark.last)
      return written
    } catch {
      guard error.isOutcomeUnknown, let result else { throw error }
      // The connection broke during `COMMIT`, or the transaction was committed but the server refused the flush.
      if error.isFlushRefused { _ = store.keepsLocks() }
      switch mark.isCommitted(in: store.connections) {
      case true?:
        store.noteFlushed(mark.last)
        return result
      case false?: throw error.with { $0.isOutcomeUnknown = false }
      case nil: throw error
      }
    }
  }

  /// Writes changes within a transaction.
  ///
  /// - Throws: `moved` if other commits wrote data that the changes depend on.
  private func write(
    _ entry: CommitQueue.Entry, _ connection: PostgreSQLConnection, _ mark: CommitMark
  ) throws(PostgreSQLError) -> StoreWriteResult {
    let database = PostgreSQLDatabase(
      connection: connection, schema: store.sql, mark: mark, token: entry.changes.token)
    let (state, stored) = try lockedState(entry, database)
    try store.check(state, connection)
    mark.latest = state.latest
    try MoveCheck(database, base: entry.base, latest: state.latest).check(entry.changes, stored)
    var writer = try ChangeWriter(database, entry.changes, sequence: state.latest + 1)
    return try writer.write(stored)
  }

  /// Locks the state of the store, and reads it with the rows that a change set names.
  ///
  /// - Throws: `moved` if the server has lost the commit that the changes are based on.
  private func lockedState(
    _ entry: CommitQueue.Entry, _ database: PostgreSQLDatabase
  ) throws(PostgreSQLError) -> (CommitState, StoredState) {
    let base = StoreCommit(sequence: entry.base, token: entry.changes.baseToken)
    var found = base
    var state: CommitState?
    do throws(PostgreSQLError) {
      try CommitState.enqueueLock(database.connection) { state = $0 }
      if base.token != nil {
        try CommitLog.enqueueToken(database.connection, of: base.sequence) {
          found = StoreCommit(sequence: base.sequence, token: $0)
        }
      }
      let stored = try StoredState(database, entry.changes)
      try database.connection.sendQueue()
      guard found.isSame(base) else { throw PostgreSQLDatabase.move }
      if let state { return (state, stored) }
    } catch {
      // The tables may belong to a different version of the model.
      throw error.isOfOtherTables ? PostgreSQLError(.migrated, error.message) : error
    }
    preconditionFailure("a statement without rows")
  }
}
