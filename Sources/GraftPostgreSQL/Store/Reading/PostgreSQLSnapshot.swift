package import Foundation
package import Graft
import GraftSQL

/// The state of a store: a separate connection in a transaction that reads, which stays open until the snapshot is released.
///
/// Snapshots wait neither for each other nor for commits. While a snapshot is held, the server keeps the rows that later commits replaced.
package final class PostgreSQLSnapshot: StoreSnapshot {
  /// The number of the commit; 0 for a new store.
  package let sequence: Int64
  /// The token of the commit.
  package let token: UUID?
  let store: PostgreSQLStore
  let ticket: Admission.Ticket
  /// The connection; nil after it broke.
  private var lease: Connections.Lease?
  private var lastLook = ContinuousClock.now
  /// The commits since the state that the context showed before; nil for the context's first state.
  private var recent: RecentCommits?

  /// Begins a transaction at the newest commit.
  ///
  /// - Parameter base: the commit that the context has shown; nil before its first read.
  init(_ store: PostgreSQLStore, _ ticket: Admission.Ticket, replacing base: Int64?) throws(PostgreSQLError) {
    self.store = store
    self.ticket = ticket
    let lease = try store.connections.lease()
    var recent: RecentCommits?
    let commit = try PostgreSQLSnapshot.begin(lease, store, isFirst: base == nil) {
      connection throws(PostgreSQLError) in
      guard let base else { return }
      try CommitLog.enqueueRecent(connection, since: base, hasTokens: store.hasTokens) { recent = $0 }
    }
    (sequence, token) = (commit.sequence, commit.token)
    self.recent = recent
    self.lease = lease
  }

  /// Begins a transaction. The first read determines the state that the transaction sees.
  ///
  /// - Parameter enqueue: adds further statements, which run in the same round trip.
  /// - Returns: the newest commit.
  private static func begin(
    _ lease: Connections.Lease, _ store: PostgreSQLStore, isFirst: Bool,
    _ enqueue: (PostgreSQLConnection) throws(PostgreSQLError) -> Void = { _ in }
  ) throws(PostgreSQLError) -> StoreCommit {
    let connection = lease.connection
    if lease.isMigrating { return StoreCommit(sequence: try CommitState(connection).latest, token: nil) }
    let (state, token) = try begin(connection, isFirst: isFirst, hasTokens: store.hasTokens, enqueue)
    try store.check(state, connection)
    return StoreCommit(sequence: state.latest, token: token)
  }

  private static func begin(
    _ connection: PostgreSQLConnection, isFirst: Bool, hasTokens: Bool,
    _ enqueue: (PostgreSQLConnection) throws(PostgreSQLError) -> Void
  ) throws(PostgreSQLError) -> (CommitState, UUID?) {
    if isFirst {
      do throws(PostgreSQLError) {
        try connection.begin(.repeatableRead, .readOnly, locking: CommitState.locks, lockTimeout: courtesy)
        return try CommitState.withToken(connection, hasTokens: hasTokens)
      } catch {
        // The migration may be waiting for this program.
        guard error.kind == .lockNotAvailable else { throw error }
        connection.rollBack()
      }
    }
    try connection.begin(.repeatableRead, .readOnly, locking: [CommitState.table])
    try enqueue(connection)
    return try CommitState.withToken(connection, hasTokens: hasTokens)
  }

  /// The time that a context waits, before its first read, for a migration that is waiting for other contexts.
  private static let courtesy = Duration.seconds(2)

  /// The time that a context may show an old state before it merges at its next fetch, search or count.
  private static let patience = Duration.seconds(60)

  /// Whether the snapshot is a minute old, and the store has newer commits.
  package var lagsBehind: Bool {
    guard ContinuousClock.now - lastLook > PostgreSQLSnapshot.patience else { return false }
    lastLook = .now
    return (try? store.latestCommit()).map { $0 != sequence } ?? false
  }

  // MARK: Reading

  /// Calls a closure with the connection.
  func reading<Result>(
    _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result
  ) throws(StoreError) -> Result {
    try store.translated("read") { () throws(PostgreSQLError) in
      let connection = try connection()
      do throws(PostgreSQLError) {
        return try body(connection)
      } catch {
        // The tables may belong to a different version of the model.
        throw error.isOfOtherTables ? PostgreSQLError(.migrated, error.message) : error
      }
    }
  }

  /// Returns the connection. If the last connection broke, or an error ended its transaction, a new transaction begins, provided
  /// that it sees the same state.
  private func connection() throws(PostgreSQLError) -> PostgreSQLConnection {
    if let connection = lease?.connection, connection.isUsable, connection.isInTransaction,
      !connection.isInFailedTransaction, !connection.isClosedByServer()
    {
      return connection
    }
    if lease?.isMigrating == true { throw PostgreSQLError(.misuse, "an error has ended the migration") }
    lease = nil
    let next = try store.connections.lease()
    guard try PostgreSQLSnapshot.begin(next, store, isFirst: false).isSame(commit) else {
      throw PostgreSQLError(
        .lostSnapshot,
        "the connection or its transaction ended, and the store has changed since; merge the context, and try again")
    }
    lease = next
    return next.connection
  }

  package func contains(_ commit: StoreCommit) throws(StoreError) -> Bool {
    guard commit.token != nil, commit.sequence != sequence else {
      return commit.sequence < sequence || commit.isSame(self.commit)
    }
    if let recent, recent.reaches(commit.sequence) {
      return commit.sequence < sequence
        && commit.isSame(StoreCommit(sequence: commit.sequence, token: recent.token(of: commit.sequence)))
    }
    return try reading { connection throws(PostgreSQLError) in
      var token: UUID?
      try CommitLog.enqueueToken(connection, of: commit.sequence) { token = $0 }
      try connection.sendQueue()
      return commit.sequence < sequence && commit.isSame(StoreCommit(sequence: commit.sequence, token: token))
    }
  }

  package func changes(since base: Int64) throws(StoreError) -> StoreLog {
    let recent = self.recent
    self.recent = nil
    if let recent, recent.base == base, recent.reaches(sequence) {
      return try store.translated("read") { () throws(PostgreSQLError) in
        try recent.changes(upTo: sequence, tables: store.sql.tables.count)
      }
    }
    return try reading { connection throws(PostgreSQLError) in
      // The steps of a migration make commits within the transaction of the migration.
      let latest = try lease?.isMigrating == true ? CommitState(connection).latest : sequence
      return try CommitLog.changes(connection, since: base, latest: latest, tables: store.sql.tables.count)
    }
  }

  /// Returns rows by their numbers.
  package func rows(in table: Int, ids: [Int64]) throws(StoreError) -> StoredRows {
    let table = store.sql.tables[table]
    guard !ids.isEmpty else { return table.emptyRows() }
    return try reading { connection throws(PostgreSQLError) in try table.rows(connection, ids: ids) }
  }

  /// Returns the rows that have the given identities.
  package func rows(in table: Int, identity: Int, values: StoredValues) throws(StoreError) -> StoredRows {
    let table = store.sql.tables[table]
    guard values.count > 0 else { return table.emptyRows() }
    return try reading { connection throws(PostgreSQLError) in
      try table.rows(connection, identity: identity, values: values)
    }
  }

  /// Returns the rows that refer to the given rows.
  package func rows(in table: Int, column: Int, referringTo targets: [Int64]) throws(StoreError) -> StoredRows {
    let table = store.sql.tables[table]
    guard !targets.isEmpty else { return table.emptyRows() }
    return try reading { connection throws(PostgreSQLError) in
      try table.rows(connection, column: column, referringTo: targets)
    }
  }

  /// Returns the links of owners.
  package func links(in table: Int, ofOwners owners: [Int64]) throws(StoreError) -> [StoredLink] {
    let links = store.sql.links[table]
    guard !owners.isEmpty else { return [] }
    return try reading { connection throws(PostgreSQLError) in
      try links.links(connection, links.ownerColumn, of: owners)
    }
  }

  /// Returns the links of members.
  package func links(in table: Int, ofMembers members: [Int64]) throws(StoreError) -> [StoredLink] {
    let links = store.sql.links[table]
    guard !members.isEmpty else { return [] }
    return try reading { connection throws(PostgreSQLError) in
      try links.links(connection, links.memberColumn, of: members)
    }
  }
}
