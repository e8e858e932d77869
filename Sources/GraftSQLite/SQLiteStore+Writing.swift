public import Graft

extension SQLiteStore {
  /// Writes changes in one transaction, all or nothing.
  ///
  /// - Returns: the number of the commit, or the conflicts because of which nothing was written.
  /// - Throws: if the disk is full, the file may only be read or is no longer at its path, or another process writes for longer
  ///   than ``Options/busyTimeout``. Nothing was written then, and the call can be made again.
  public func write(_ changes: StoreChanges) throws(StoreError) -> StoreWriteResult {
    guard !changes.isEmpty else { return .written(sequence: try latestCommit(), firstIDs: [:]) }
    return try withWriter { connection throws(SQLiteError) in
      var attempts = 0
      while true {
        do throws(SQLiteError) {
          return try write(changes, connection)
        } catch {
          guard error.isUniqueViolation || error.isForeignKeyViolation else { throw error }
          let conflicts = try connection.transaction(.reading) { () throws(SQLiteError) in
            try ConflictFinder(connection: connection, sql: sql, changes: changes).conflicts()
          }
          if !conflicts.isEmpty { return .conflicts(conflicts) }
          // Another process removed what was in the way, after the attempt.
          attempts += 1
          if attempts > 3 { throw error }
        }
      }
    }
  }

  private func write(
    _ changes: StoreChanges, _ connection: SQLiteConnection
  ) throws(SQLiteError) -> StoreWriteResult {
    try connection.transaction(.writing) { () throws(SQLiteError) in
      try connection.checkFile()
      try checkSchema(connection)
      let known = try StoredVersions(connection, sql, changes)
      guard known.conflicts.isEmpty else { return .conflicts(known.conflicts) }
      var writer = try ChangeWriter(connection, sql, changes)
      return try writer.write(known)
    }
  }

  /// Returns what was written after a commit, by this process or another one. The latest 1,000 commits are kept.
  public func changes(since sequence: Int64) throws(StoreError) -> StoreLog {
    try reading { connection throws(SQLiteError) in
      try connection.checkFile()
      return try CommitLog.changes(connection, since: sequence, tables: sql.tables.count)
    }
  }
}
