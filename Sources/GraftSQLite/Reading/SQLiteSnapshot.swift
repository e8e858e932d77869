package import Graft
import Foundation
import GraftSQL

/// The state of a store: a separate connection in a read transaction, which stays open until the snapshot is released.
///
/// Snapshots wait neither for each other nor for commits. While a snapshot is held, SQLite keeps the pages that it reads in the
/// write-ahead log; see ``SQLiteStore/Options/maximumLogSize``.
package final class SQLiteSnapshot: StoreSnapshot {
  /// The number of the commit; 0 for a new store.
  package let sequence: Int64
  let store: SQLiteStore
  private let connection: SQLiteConnection
  /// Protects the connection, because another thread may begin the transaction again between two reads.
  private let lock = NSRecursiveLock()

  /// Begins a transaction at the newest commit.
  init(_ store: SQLiteStore, _ connection: SQLiteConnection) throws(SQLiteError) {
    self.store = store
    self.connection = connection
    sequence = try SQLiteSnapshot.begin(store, connection)
    store.log.add(self)
  }

  deinit {
    store.log.remove(self)
    store.recycle(connection)
  }

  /// Begins a transaction. The first read determines the state that the transaction sees.
  ///
  /// - Returns: the number of the newest commit.
  private static func begin(_ store: SQLiteStore, _ connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
    try connection.begin(.reading)
    let sequence = try CommitLog.latest(connection)
    try store.checkSchema(connection)
    return sequence
  }

  /// Whether the write-ahead log is larger than ``SQLiteStore/Options/maximumLogSize``, and the store has newer commits.
  package var lagsBehind: Bool {
    guard store.file.logSize > store.options.maximumLogSize, let latest = try? store.latestCommit() else {
      return false
    }
    return latest != sequence
  }

  // MARK: Reading

  /// Calls a closure with the connection.
  func reading<Result>(
    _ body: (SQLiteConnection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try store.translated("read") { () throws(SQLiteError) in
      try store.checkIsInUse()
      if !connection.isInTransaction { try beginAgain() }
      return try body(connection)
    }
  }

  /// Makes the next commit restart the write-ahead log, if possible.
  package func settle(isCommitting: Bool) { store.restartLog(at: sequence, isCommitting: isCommitting) }

  /// Begins the transaction again, so that it reads from the database file alone. The caller ensures that the log was checkpointed, and
  /// that no other connection commits in the meantime. If a read is in progress, this method does nothing.
  func moveToFile() {
    guard lock.try() else { return }
    defer { lock.unlock() }
    guard connection.isInTransaction, !connection.isMigrating else { return }
    connection.rollBack()
    // If this fails, the next read tries again.
    try? beginAgain()
  }

  /// Begins the transaction again after an error, such as a disk error, that made SQLite end it.
  private func beginAgain() throws(SQLiteError) {
    do throws(SQLiteError) {
      guard try SQLiteSnapshot.begin(store, connection) == sequence else { throw .lostSnapshot }
    } catch {
      connection.rollBack()
      throw error
    }
  }

  package func changes(since base: Int64) throws(StoreError) -> StoreLog {
    try reading { connection throws(SQLiteError) in
      try CommitLog.changes(connection, since: base, tables: store.sql.tables.count)
    }
  }

  /// Returns rows by their numbers, in the order of the numbers. Reading takes about a microsecond for each row, or less if the numbers are
  /// close together.
  package func rows(in table: Int, ids: [Int64]) throws(StoreError) -> StoredRows {
    let table = store.sql.tables[table]
    guard !ids.isEmpty else { return table.emptyRows() }
    return try reading { connection throws(SQLiteError) in
      ids.count == 1 ? try table.row(connection, id: ids[0]) : try table.rows(connection, ids: ids)
    }
  }

  /// Returns the rows that have the given identities, in the order of the index.
  package func rows(in table: Int, identity: Int, values: StoredValues) throws(StoreError) -> StoredRows {
    let table = store.sql.tables[table]
    guard values.count > 0 else { return table.emptyRows() }
    return try reading { connection throws(SQLiteError) in
      values.count == 1
        ? try table.row(connection, identity: identity, values: values)
        : try table.rows(connection, identity: identity, values: values)
    }
  }

  /// Returns the rows that refer to the given rows.
  package func rows(in table: Int, column: Int, referringTo targets: [Int64]) throws(StoreError) -> StoredRows {
    let table = store.sql.tables[table]
    guard !targets.isEmpty else { return table.emptyRows() }
    return try reading { connection throws(SQLiteError) in
      try table.rows(connection, column: column, referringTo: targets)
    }
  }

  /// Returns the links of owners.
  package func links(in table: Int, ofOwners owners: [Int64]) throws(StoreError) -> [StoredLink] {
    let links = store.sql.links[table]
    guard !owners.isEmpty else { return [] }
    return try reading { connection throws(SQLiteError) in
      try links.links(connection, links.ownerColumn, of: owners)
    }
  }

  /// Returns the links of members.
  package func links(in table: Int, ofMembers members: [Int64]) throws(StoreError) -> [StoredLink] {
    let links = store.sql.links[table]
    guard !members.isEmpty else { return [] }
    return try reading { connection throws(SQLiteError) in
      try links.links(connection, links.memberColumn, of: members)
    }
  }
}
