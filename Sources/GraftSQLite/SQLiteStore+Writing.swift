package import Graft
import GraftSQL

extension SQLiteStore {
  /// Writes changes in one transaction, all or nothing. Threads that call this method at the same time share a transaction on disk, so the
  /// disk syncs once for all of them; each commit still has its own number, and fails individually.
  ///
  /// - Returns: the number of the commit; or ``StoreWriteResult/moved`` if a commit later than `base` wrote data that the changes depend
  ///   on. In that case, nothing is written.
  /// - Throws: if the disk is full, the file is read-only or no longer at its path, or another process writes for longer than
  ///   ``Options/busyTimeout``. In that case, nothing is written, and the call can be repeated. This method also throws if the changes
  ///   contradict each other or their base, such as two rows with one identity.
  package func write(_ changes: StoreChanges, basedOn base: Int64) throws(StoreError) -> StoreWriteResult {
    guard !changes.isEmpty else { return .written(sequence: try latestCommit(), firstIDs: [:]) }
    return try commits.submit(CommitQueue.Entry(changes: changes, base: base), write)
  }

  /// Writes several change sets in one transaction.
  private func write(_ entries: [CommitQueue.Entry]) -> [CommitQueue.Outcome] {
    guard entries.count > 1 else { return entries.map(writeAlone) }
    do throws(StoreError) {
      let outcomes = try withWriter { connection throws(SQLiteError) in
        try connection.transaction(.writing) { () throws(SQLiteError) in
          try prepareToWrite(connection)
          return try entries.map { entry throws(SQLiteError) in try writePart(entry, connection) }
        }
      }
      // An error that ended the transaction undid everything. The change sets that did not cause the error succeed when written alone.
      return outcomes.contains { $0 == nil } ? entries.map(writeAlone) : outcomes.compactMap(\.self)
    } catch {
      return entries.map { _ in .failure(error) }
    }
  }

  private func writeAlone(_ entry: CommitQueue.Entry) -> CommitQueue.Outcome {
    do throws(StoreError) {
      return .success(
        try withWriter { connection throws(SQLiteError) in
          do throws(SQLiteError) {
            return try connection.transaction(.writing) { () throws(SQLiteError) in
              try prepareToWrite(connection)
              return try write(entry, connection)
            }
          } catch {
            guard error.isMove else { throw error }
            return .moved
          }
        })
    } catch {
      return .failure(error)
    }
  }

  /// Writes one of several change sets.
  ///
  /// - Returns: the outcome; nil if an error ended the transaction.
  private func writePart(
    _ entry: CommitQueue.Entry, _ connection: SQLiteConnection
  ) throws(SQLiteError) -> CommitQueue.Outcome? {
    do throws(SQLiteError) {
      return .success(
        try connection.savepoint { () throws(SQLiteError) in try write(entry, connection) })
    } catch {
      guard connection.isInTransaction else { return nil }
      return error.isMove ? .success(.moved) : .failure(error.storeError(file.name, "written", options))
    }
  }

  private func prepareToWrite(_ connection: SQLiteConnection) throws(SQLiteError) {
    try connection.checkFile()
    try checkSchema(connection)
  }

  /// Writes changes within a transaction.
  ///
  /// - Throws: ``SQLiteError/move`` if other commits wrote data that the changes depend on.
  private func write(
    _ entry: CommitQueue.Entry, _ connection: SQLiteConnection
  ) throws(SQLiteError) -> StoreWriteResult {
    let latest = try CommitLog.latest(connection)
    let database = SQLiteDatabase(connection, sql)
    let stored = try StoredState(database, entry.changes)
    try MoveCheck(database, base: entry.base, latest: latest).check(entry.changes, stored)
    do throws(SQLiteError) {
      var writer = try ChangeWriter(database, entry.changes, sequence: latest + 1)
      let result = try writer.write(stored)
      try connection.checkReferences()
      return result
    } catch {
      guard error.isUniqueViolation || error.isForeignKeyViolation, latest != entry.base else { throw error }
      throw .move
    }
  }
}
