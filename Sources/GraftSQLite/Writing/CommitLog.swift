import Graft

/// The changes of commits, in the table `_graft_log`: a row for each commit.
///
///     sequence | changes
///     17       | digest, then for each table: its number, the rows that were written, the rows that were deleted
///     18       | NULL: too much to list, or a migration
enum CommitLog {
  /// The number of commits that are kept.
  static let length: Int64 = 1000
  /// The maximum number of bytes for a commit.
  static let maximumBytes = 1 << 16

  /// The largest number of a commit, which leaves room for more.
  static let largest = Int64.max / 2

  /// The number of the latest commit.
  ///
  /// - Throws: if the number is not one that a store writes.
  static func latest(_ connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
    let sql = "SELECT max(\"sequence\") FROM \"_graft_log\""
    let latest = try connection.integer(sql) ?? 0
    guard 0...largest ~= latest else { throw .damage("the log of commits has the invalid number \(latest)") }
    return latest
  }

  /// Records a commit, and removes old ones.
  ///
  /// - Parameter changes: nil if anything may have changed.
  static func append(
    _ connection: SQLiteConnection, _ sequence: Int64, _ changes: RowChanges?
  ) throws(SQLiteError) {
    var bytes = changes.flatMap { $0.isLong ? nil : $0.packed }
    if let count = bytes?.count, count > maximumBytes { bytes = nil }
    try connection.using("INSERT INTO \"_graft_log\" VALUES (?, ?)") { statement throws(SQLiteError) in
      try statement.bind(sequence, at: 1)
      if let bytes {
        // The bytes must stay where they are until the statement has run.
        try bytes.withBytes { bytes throws(SQLiteError) in
          try statement.bind(blob: bytes, at: 2)
          try statement.run()
        }
      } else {
        try statement.run()
      }
    }
    try connection.using("DELETE FROM \"_graft_log\" WHERE \"sequence\" <= ?") { statement throws(SQLiteError) in
      try statement.bind(sequence - length, at: 1)
      try statement.run()
    }
  }

  /// Returns the changes that were written after a commit.
  ///
  /// - Parameter tables: the number of tables.
  static func changes(
    _ connection: SQLiteConnection, since sequence: Int64, tables: Int
  ) throws(SQLiteError) -> StoreLog {
    let latest = try latest(connection)
    var log = StoreLog(sequence: latest)
    // A store that was replaced by a backup has fewer commits than were known.
    guard sequence != latest else { return log }
    guard sequence < latest else {
      log.isIncomplete = true
      return log
    }
    var written: [Int: Set<Int64>] = [:]
    var deleted: [Int: Set<Int64>] = [:]
    var next = sequence + 1
    let sql = "SELECT \"sequence\", \"changes\" FROM \"_graft_log\" WHERE \"sequence\" > ? ORDER BY \"sequence\""
    let isComplete = try connection.using(sql) { statement throws(SQLiteError) in
      try statement.bind(sequence, at: 1)
      while try statement.step() {
        guard statement.integer(0) == next else { return false }
        next += 1
        let bytes = statement.bytes(1)
        if bytes.isEmpty { return false }
        guard let changes = RowChanges(packed: bytes), changes.tables.keys.allSatisfy({ $0 < tables }) else {
          throw .damage("the log of the commit \(next - 1) is damaged")
        }
        for (table, rows) in changes.tables {
          written[table, default: []].formUnion(rows.written)
          deleted[table, default: []].formUnion(rows.deleted)
        }
      }
      return next == latest + 1
    }
    guard isComplete else {
      log.isIncomplete = true
      return log
    }
    // A commit that removes a link of a deleted row lists the row.
    for (table, rows) in deleted { written[table]?.subtract(rows) }
    log.written = written.mapValues { $0.sorted() }.filter { !$0.value.isEmpty }
    log.deleted = deleted.mapValues { $0.sorted() }.filter { !$0.value.isEmpty }
    return log
  }
}

extension [UInt8] {
  /// Calls a closure with the bytes.
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var outcome: Swift.Result<Result, Failure>?
    withUnsafeBufferPointer { bytes in
      do throws(Failure) { outcome = .success(try body(bytes)) } catch { outcome = .failure(error) }
    }
    return try outcome.unsafelyUnwrapped.get()
  }
}
