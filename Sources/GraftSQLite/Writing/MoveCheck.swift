import CSQLite
import Graft

/// Finds out whether commits after the base of a change set wrote data that the changes depend on.
///
/// Identities and references are left to UNIQUE indexes and foreign keys, which reject them when the changes are written.
struct MoveCheck {
  let connection: SQLiteConnection
  let sql: SQLSchema
  let base: Int64
  let latest: Int64

  /// - Throws: ``SQLiteError/move`` if they did.
  func check(_ changes: StoreChanges, _ stored: StoredState) throws(SQLiteError) {
    guard latest != base else {
      if stored.isMissingRows {
        throw SQLiteError(code: SQLITE_CONSTRAINT, message: "the changes update or delete a row that does not exist")
      }
      return
    }
    // A store with fewer commits than the base is another one: it was replaced by a backup.
    guard latest > base, !stored.isMissingRows, stored.latestVersion <= base else { throw .move }
    if try hasWritten(changes.watch) { throw .move }
  }

  private func hasWritten(_ watch: StoreChanges.Watch) throws(SQLiteError) -> Bool {
    guard !watch.tables.isEmpty || watch.rows.contains(where: { !$0.value.isEmpty }) else { return false }
    let log = try CommitLog.changes(connection, since: base, tables: sql.tables.count)
    if log.isIncomplete { return true }
    return [log.written, log.deleted].contains { rows in
      watch.tables.contains { rows[$0]?.isEmpty == false }
        || watch.rows.contains { table, watched in rows[table]?.contains(where: watched.contains) == true }
    }
  }
}

extension SQLiteError {
  /// The error of a commit whose base is outdated.
  static let move = SQLiteError(code: SQLITE_ABORT, message: "the data that the changes depend on has changed")

  /// Whether others wrote data that a commit depends on.
  var isMove: Bool { code == SQLiteError.move.code && message == SQLiteError.move.message }
}
