package import Graft

/// Determines whether commits after the base of a change set wrote data that the changes depend on.
///
/// Identities and references are left to UNIQUE indexes and foreign keys, which reject them when the changes are written.
package struct MoveCheck<Database: SQLDatabase> {
  private let database: Database
  private let base: Int64
  private let latest: Int64

  package init(_ database: Database, base: Int64, latest: Int64) {
    self.database = database
    self.base = base
    self.latest = latest
  }

  /// - Throws: ``SQLDatabase/move`` if such commits exist.
  package func check(_ changes: StoreChanges, _ stored: StoredState) throws(Database.Failure) {
    guard latest != base else {
      if stored.isMissingRows { throw Database.missingRow }
      return
    }
    // A store with fewer commits than the base is a different store, because it was replaced by a backup.
    guard latest > base, !stored.isMissingRows, stored.latestVersion <= base else { throw Database.move }
    if try hasWritten(changes.watch) { throw Database.move }
  }

  private func hasWritten(_ watch: StoreChanges.Watch) throws(Database.Failure) -> Bool {
    guard !watch.tables.isEmpty || watch.rows.contains(where: { !$0.value.isEmpty }) else { return false }
    let log = try database.log(since: base)
    if log.isIncomplete { return true }
    return [log.written, log.deleted].contains { rows in
      watch.tables.contains { rows[$0]?.isEmpty == false }
        || watch.rows.contains { table, watched in rows[table]?.contains(where: watched.contains) == true }
    }
  }
}
