import Graft
import GraftSQL

/// The changes in commits, in the table `_graft_log`. See ``CommitNumbers``.
enum CommitLog {
  /// Returns the number of the latest commit.
  ///
  /// - Throws: if stores never write such a number.
  static func latest(_ connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
    let sql = "SELECT max(\"sequence\") FROM \"_graft_log\""
    let latest = try connection.integer(sql) ?? 0
    guard 0...CommitNumbers.largest ~= latest else {
      throw .damage("the log of commits has the invalid number \(latest)")
    }
    return latest
  }

  /// Records a commit, and removes old commits.
  ///
  /// - Parameter changes: nil if any row may have changed.
  static func append(
    _ connection: SQLiteConnection, _ sequence: Int64, _ changes: RowChanges?
  ) throws(SQLiteError) {
    let bytes = CommitNumbers.packed(changes)
    try connection.using("INSERT INTO \"_graft_log\" VALUES (?, ?)") { statement throws(SQLiteError) in
      try statement.bind(sequence, at: 1)
      if let bytes {
        // The bytes must not be moved until the statement has run.
        try bytes.withBytes { bytes throws(SQLiteError) in
          try statement.bind(blob: bytes, at: 2)
          try statement.run()
        }
      } else {
        try statement.run()
      }
    }
    try connection.using("DELETE FROM \"_graft_log\" WHERE \"sequence\" <= ?") { statement throws(SQLiteError) in
      try statement.bind(sequence - CommitNumbers.logLength, at: 1)
      try statement.run()
    }
  }

  /// Returns the changes that were written after a commit.
  ///
  /// - Parameter tables: the number of tables.
  static func changes(
    _ connection: SQLiteConnection, since sequence: Int64, tables: Int
  ) throws(SQLiteError) -> StoreLog {
    var reader = LogReader(since: sequence, latest: try latest(connection), tables: tables)
    guard reader.isNeeded else { return reader.result() }
    let sql = "SELECT \"sequence\", \"changes\" FROM \"_graft_log\" WHERE \"sequence\" > ? ORDER BY \"sequence\""
    try connection.using(sql) { statement throws(SQLiteError) in
      try statement.bind(sequence, at: 1)
      while try statement.step() {
        guard reader.add(statement.integer(0), statement.bytes(1)) else {
          throw .damage("the log of commit \(statement.integer(0)) is damaged")
        }
      }
    }
    return reader.result()
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
