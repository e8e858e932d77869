import Foundation
import Graft
import GraftSQL

/// The state of a store in the only row of the table `_graft_state`.
struct CommitState: Equatable {
  /// The number of the latest commit.
  var latest: Int64
  /// The number of times that the tables have been migrated.
  var generation: Int64

  /// The tables that reading transactions lock first, in this order, because a migration replaces the tables and a transaction that waits
  /// for the migration then sees the new tables. A migration holds the first table while it waits for contexts that read, so that no other
  /// contexts begin to read; contexts that move to a newer state lock only the second table.
  static let gate = "\"_graft\""
  static let table = "\"_graft_state\""
  static let locks = [gate, table]

  /// Reads the state, which also keeps the tables from being migrated until the transaction ends.
  ///
  /// - Parameter isLocked: whether other transactions that also lock the state wait until this transaction ends.
  init(_ connection: PostgreSQLConnection, isLocked: Bool = false) throws(PostgreSQLError) {
    self = try connection.query(CommitState.sql(isLocked), reading: .whole, CommitState.init(rows:))
  }

  /// Reads the state, and the token of the latest commit.
  static func withToken(
    _ connection: PostgreSQLConnection, hasTokens: Bool
  ) throws(PostgreSQLError) -> (CommitState, UUID?) {
    var token: UUID?
    if hasTokens { try CommitLog.enqueueToken(connection, of: nil) { token = $0 } }
    return (try CommitState(connection), token)
  }

  /// Locks the state and reads it, together with the next statement.
  static func enqueueLock(
    _ connection: PostgreSQLConnection, _ read: @escaping (CommitState) -> Void
  ) throws(PostgreSQLError) {
    try connection.enqueue(sql(true)) { rows throws(PostgreSQLError) in read(try CommitState(rows: rows)) }
  }

  private static func sql(_ isLocked: Bool) -> String {
    "SELECT \"latest\", \"generation\" FROM \"_graft_state\"\(isLocked ? " FOR UPDATE" : "")"
  }

  private init(rows: Rows) throws(PostgreSQLError) {
    guard try rows.next(), let latest = try rows.int64(0), let generation = try rows.int64(1),
      0...CommitNumbers.largest ~= latest
    else { throw .damage("table '_graft_state' has no valid row") }
    self.latest = latest
    self.generation = generation
  }
}

/// The changes in commits, in the table `_graft_log`. See ``CommitNumbers``.
enum CommitLog {
  /// Returns whether the log has a column of tokens.
  static func hasTokens(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> Bool {
    let sql = """
      SELECT 1::bigint FROM pg_attribute WHERE attrelid = '"_graft_log"'::regclass AND attname = 'token' AND NOT attisdropped
      """
    return try connection.integer(sql) != nil
  }

  /// Adds the column of tokens to a log that was created without it.
  static func addTokens(_ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    if try hasTokens(connection) { return }
    try connection.execute("ALTER TABLE \"_graft_log\" ADD COLUMN IF NOT EXISTS \"token\" uuid")
  }

  /// Records a commit together with the next statement, and occasionally removes old commits.
  ///
  /// - Parameters:
  ///   - changes: nil if any row may have changed.
  ///   - token: identifies the commit, because its number can be used again after a rollback.
  static func append(
    _ connection: PostgreSQLConnection, _ sequence: Int64, _ changes: RowChanges?, token: UUID = UUID()
  ) throws(PostgreSQLError) {
    var parameters = Parameters()
    try parameters.append(sequence)
    if let bytes = CommitNumbers.packed(changes) {
      try parameters.append(bytes: bytes)
    } else {
      try parameters.appendNull(.bytea)
    }
    try parameters.append(token)
    try connection.enqueue(
      """
      WITH added AS (INSERT INTO "_graft_log" ("sequence", "changes", "token") VALUES ($1, $2, $3)) \
      UPDATE "_graft_state" SET "latest" = $1
      """, parameters)
    if sequence % removalInterval == 0 { try removeOld(connection, sequence) }
  }

  /// Reads the token of a commit together with the next statement. The token is nil if the commit is no longer in the log, or was
  /// written without a token.
  ///
  /// - Parameter sequence: the number of the commit; nil for the latest commit.
  static func enqueueToken(
    _ connection: PostgreSQLConnection, of sequence: Int64?, _ read: @escaping (UUID?) -> Void
  ) throws(PostgreSQLError) {
    var parameters = Parameters()
    if let sequence { try parameters.append(sequence) }
    let number = sequence == nil ? "(SELECT \"latest\" FROM \"_graft_state\")" : "$1"
    try connection.enqueue("SELECT \"token\" FROM \"_graft_log\" WHERE \"sequence\" = \(number)", parameters) {
      rows throws(PostgreSQLError) in
      read(try rows.next() ? try rows.uuid(0) : nil)
    }
  }

  /// Reads the commits after the given commit, and the token of the given commit, together with the next statement.
  ///
  /// - Parameter base: the number of the commit.
  static func enqueueRecent(
    _ connection: PostgreSQLConnection, since base: Int64, hasTokens: Bool, _ read: @escaping (RecentCommits) -> Void
  ) throws(PostgreSQLError) {
    var parameters = Parameters()
    try parameters.append(base)
    try parameters.append(base + RecentCommits.most)
    let sql = """
      SELECT "sequence", CASE WHEN "sequence" > $1 THEN "changes" END, \(hasTokens ? "\"token\"" : "NULL::uuid") \
      FROM "_graft_log" WHERE "sequence" >= $1 AND "sequence" <= $2 ORDER BY "sequence"
      """
    try connection.enqueue(sql, parameters) { rows throws(PostgreSQLError) in
      var recent = RecentCommits(base: base)
      while try rows.next() {
        let bytes = try rows.bytes(1).map { Array($0) }
        recent.commits.append(.init(sequence: try rows.int64(0) ?? 0, changes: bytes ?? [], token: try rows.uuid(2)))
      }
      read(recent)
    }
  }

  /// The number of commits after which old commits are removed. Finding old commits takes longer than adding one.
  private static let removalInterval: Int64 = 50

  private static func removeOld(_ connection: PostgreSQLConnection, _ sequence: Int64) throws(PostgreSQLError) {
    var parameters = Parameters()
    try parameters.append(sequence - CommitNumbers.logLength)
    try connection.enqueue("DELETE FROM \"_graft_log\" WHERE \"sequence\" <= $1", parameters)
  }

  /// Returns the changes that were written after a commit.
  ///
  /// - Parameter latest: the latest commit that the transaction sees.
  static func changes(
    _ connection: PostgreSQLConnection, since sequence: Int64, latest: Int64, tables: Int
  ) throws(PostgreSQLError) -> StoreLog {
    var reader = LogReader(since: sequence, latest: latest, tables: tables)
    guard reader.isNeeded else { return reader.result() }
    var parameters = Parameters()
    try parameters.append(sequence)
    try parameters.append(latest)
    // With both bounds, the server expects few rows, and does not plan the statement each time.
    let sql = """
      SELECT "sequence", "changes" FROM "_graft_log" WHERE "sequence" > $1 AND "sequence" <= $2 ORDER BY "sequence"
      """
    return try connection.query(sql, parameters) { rows throws(PostgreSQLError) in
      while try rows.next() {
        let bytes = try rows.bytes(1).map { $0.bindMemory(to: UInt8.self) }
        try add(try rows.int64(0) ?? 0, bytes ?? UnsafeBufferPointer(start: nil, count: 0), to: &reader)
      }
      return reader.result()
    }
  }

  fileprivate static func add(
    _ sequence: Int64, _ bytes: UnsafeBufferPointer<UInt8>, to reader: inout LogReader
  ) throws(PostgreSQLError) {
    if reader.add(sequence, bytes) { return }
    throw .damage("the log of commit \(sequence) is damaged")
  }
}

/// The commits after the commit that a context shows. They are read in the round trip in which the context moves to a newer state, because
/// the context needs them next.
struct RecentCommits {
  struct Commit {
    var sequence: Int64
    var changes: [UInt8]
    var token: UUID?
  }

  /// The number of the commit that the context shows.
  let base: Int64
  /// That commit and all later commits that the log contains.
  var commits: [Commit] = []

  /// The maximum number of commits that are read. A context that is further behind reads the log again.
  static let most: Int64 = 64

  func token(of sequence: Int64) -> UUID? { commits.first { $0.sequence == sequence }?.token }

  /// Returns whether all commits up to the given commit are known.
  func reaches(_ sequence: Int64) -> Bool { base...base + RecentCommits.most ~= sequence }

  /// Returns the changes in the commits.
  ///
  /// - Parameter latest: the last of the commits.
  func changes(upTo latest: Int64, tables: Int) throws(PostgreSQLError) -> StoreLog {
    var reader = LogReader(since: base, latest: latest, tables: tables)
    for commit in commits where commit.sequence > base && commit.sequence <= latest {
      var failure: PostgreSQLError?
      commit.changes.withUnsafeBufferPointer { bytes in
        do throws(PostgreSQLError) {
          try CommitLog.add(commit.sequence, bytes, to: &reader)
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
    }
    return reader.result()
  }
}
