public import Graft
import GraftSQL

/// A store in a PostgreSQL database, which several programs on several machines can share.
///
///     let store = try PostgreSQLStore("postgresql://localhost/shop", model: model)
///     let context = try ManagedObjectContext(model: model, store: store)
///
/// The tables are readable with any tool: a table for each hierarchy, a column for each attribute and to-one, with PostgreSQL's
/// types. Only stores should write to them. PostgreSQL 13 or later with the encoding UTF8 is required, as is libpq, which is loaded
/// when the first store is opened: `apt-get install libpq5`, or `brew install libpq`.
///
/// A context that reads has its own connection and transaction for as long as it shows one state of the store. Reads never wait.
/// Programs write one at a time, and then wait for the disk together; threads of one program that write at the same time share a
/// transaction. A commit is durable when `write` returns, to the extent that the server guarantees it.
///
/// A program that opens a store without tables creates them, in the first schema of the search path. Options for the connection, such as
/// TLS, a password file or a search path, are specified in libpq's syntax:
/// `postgresql://db.example.com/shop?sslmode=verify-full&options=-csearch_path%3Dshop`.
public final class PostgreSQLStore: PersistentStore, StoreBackend {
  /// The options for opening a store.
  public struct Options: Sendable {
    /// The maximum number of contexts that read at the same time. Each context has a connection; a context that commits or merges briefly
    /// has up to three. A server accepts 100 connections by default, for all programs together.
    public var maximumReaders = 16
    /// The maximum time that a context waits before its first read if ``maximumReaders`` contexts are already reading.
    public var waitingTime = Duration.seconds(30)
    /// The time after which a context's call to the server fails; nil for no limit. Opening and migrating a store have no limit.
    public var callTimeout: Duration? = .seconds(300)
    /// The maximum time that a commit or a migration waits for other programs.
    public var lockTimeout = Duration.seconds(10)
    /// The path of libpq; nil for the path in the environment variable `GRAFT_LIBPQ`, or else the usual places.
    public var libraryPath: String?
    /// Whether the store is read-only. Commits throw. The store must exist and have the layout of the model.
    public var isReadOnly = false
    /// Entities, and properties as `Entity.property`, that a migration may remove even if the store has objects or values for them.
    /// Names under `removed` in the model file need not be listed here.
    public var allowedRemovals: [String] = []
    /// The steps that move data when the store is opened with a newer version of its model.
    public var migrations: [StoreMigration] = []

    /// Creates options with their default values.
    public init() {}
  }

  /// The layout of the model's graph.
  package let schema: StoreSchema
  /// The model of the store.
  public var model: ManagedObjectModel { schema.model }
  /// The name of the database, without credentials: `postgresql://db.example.com/shop`.
  public let name: String

  let connections: Connections
  private let admission: Admission
  let sql: SQLSchema
  let options: Options
  private let commits = CommitQueue()
  private let listener: CommitListener?
  /// When commits are written to the disk: after their locks are released, so other commits can begin, unless the server does not permit a
  /// separate flush.
  let flush = Guarded(Flush.afterRelease)
  /// The latest commit that is known to be on the disk of the server.
  private let flushed = Guarded<Int64>(0)
  /// The number of times that the tables have been migrated.
  private let generation: Guarded<Int64>
  /// The latest version to which the program's steps had moved the data when the store was opened.
  private let latestStep: String?
  /// Whether commits have tokens. In a read-only store that was created without tokens, commits have none.
  let hasTokens: Bool

  /// Opens a store, or creates its tables if there are none. A store of an earlier version of the model is migrated; see
  /// ``migrationPlan(_:to:options:)``.
  ///
  /// A migration loses nothing without consent. If the store has data of an entity or property that the model does not declare, it is not
  /// opened, unless the name is listed under `removed` in the model file, or in ``Options/allowedRemovals``. A migration is one
  /// transaction. A migration waits for all contexts that read the store, in any program. Make a backup with `pg_dump` first.
  ///
  /// - Parameters:
  ///   - url: the database, in libpq's syntax: `postgresql://user@host/database`, or `host=... dbname=...`.
  ///   - model: the model.
  ///   - options: the options.
  /// - Throws: if the server cannot be reached, or if the tables do not belong to a store, were written by a newer version of the
  ///   library or of the model, or differ from the model in ways that cannot be migrated. The tables are then unchanged. No message
  ///   contains a password.
  public convenience init(_ url: String, model: ManagedObjectModel, options: Options = Options()) throws(StoreError) {
    let opener = StoreOpener(url, model: model, options: options)
    self.init(try opener.open(), .pool(opener.pool), opener.name, options)
  }

  init(_ opened: StoreOpener.Result, _ connections: Connections, _ name: String, _ options: Options) {
    schema = opened.schema
    sql = opened.sql
    self.connections = connections
    self.name = name
    self.options = options
    admission = Admission(limit: options.maximumReaders, waitingTime: options.waitingTime)
    generation = Guarded(opened.generation)
    latestStep = opened.latestStep
    hasTokens = opened.hasTokens
    listener =
      if case .pool(let pool) = connections {
        CommitListener { interruption throws(PostgreSQLError) in try pool.separateConnection(interruption) }
      } else {
        nil
      }
  }

  /// Closes the connections. Contexts can no longer read.
  ///
  /// Connections in use are closed when their contexts are released. Without this call, idle connections are
  /// closed when the store is released.
  public func close() {
    listener?.close()
    if case .pool(let pool) = connections { try? pool.close() }
  }

  // MARK: Reading

  /// Returns the newest state of the store, which does not change while it is held. It has its own connection.
  package func snapshot() throws(StoreError) -> any StoreSnapshot { try snapshot(replacing: nil) }

  /// Returns the newest state for a context that shows an older state and has therefore already been admitted.
  package func snapshot(replacing current: (any StoreSnapshot)?) throws(StoreError) -> any StoreSnapshot {
    try translated("read") { () throws(PostgreSQLError) in
      if let current = current as? PostgreSQLSnapshot {
        return try PostgreSQLSnapshot(self, current.ticket, replacing: current.sequence)
      }
      return try PostgreSQLSnapshot(self, try admission.ticket(), replacing: nil)
    }
  }

  /// Returns the number of the latest commit, by this program or another program; 0 for a new store.
  ///
  /// - Throws: if the server cannot be reached, or another program has migrated the store.
  public func latestCommit() throws(StoreError) -> Int64 {
    try withConnection("read") { connection throws(PostgreSQLError) in
      let state = try CommitState(connection)
      try check(state, connection)
      return state.latest
    }
  }

  package func isNewest(_ snapshot: any StoreSnapshot) throws(StoreError) -> Bool {
    try withConnection("read") { connection throws(PostgreSQLError) in
      let (state, token) = try CommitState.withToken(connection, hasTokens: hasTokens)
      try check(state, connection)
      return StoreCommit(sequence: state.latest, token: token).isSame(snapshot.commit)
    }
  }

  /// Returns the changes that were written after a commit, by this program or another program. The latest 1,000 commits are kept.
  package func changes(since sequence: Int64) throws(StoreError) -> StoreLog {
    try withConnection("read") { connection throws(PostgreSQLError) in
      try connection.transaction(.repeatableRead, .readOnly, locking: CommitState.locks) {
        () throws(PostgreSQLError) in
        let state = try CommitState(connection)
        try check(state, connection)
        return try CommitLog.changes(connection, since: sequence, latest: state.latest, tables: sql.tables.count)
      }
    }
  }

  package func commitSignals(every interval: Duration) -> AsyncStream<Void> {
    listener?.signals(every: interval) ?? AsyncStream { nil }
  }

  /// Checks, within a transaction, that the tables match the model, because another program may have migrated them.
  func check(_ state: CommitState, _ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    guard state.generation != generation.withLock({ $0 }) else { return }
    let description = try StoreDescription(connection)
    guard description.hasLayout(sql.layout), description.history.latestStep == latestStep else {
      throw PostgreSQLError(.migrated, "the tables have changed")
    }
    generation.withLock { $0 = state.generation }
  }

  // MARK: Writing

  /// Writes changes in one transaction, all or nothing. Threads that call this method at the same time share a transaction; each commit
  /// still has its own number, and fails individually.
  ///
  /// - Returns: the number of the commit; or ``StoreWriteResult/moved`` if a commit later than `base` wrote data that the changes depend
  ///   on. In that case, nothing is written.
  /// - Throws: if the server cannot be reached, or a value cannot be stored. In that case, nothing is written, and the call can be
  ///   repeated, unless the error says that the outcome is not known.
  package func write(_ changes: StoreChanges, basedOn base: Int64) throws(StoreError) -> StoreWriteResult {
    guard !changes.isEmpty else { return .written(sequence: try latestCommit(), firstIDs: [:]) }
    return try commits.submit(CommitQueue.Entry(changes: changes, base: base)) { CommitWriter(self).write($0) }
  }

  /// Records that the server has written a commit, and all commits before it, to its disk.
  func noteFlushed(_ sequence: Int64) { flushed.withLock { $0 = max($0, sequence) } }

  /// Waits until the state of a snapshot is on the disk of the server, because it may contain a commit whose program is still
  /// waiting for the disk.
  package func flush(_ snapshot: any StoreSnapshot) throws(StoreError) -> Bool {
    guard !options.isReadOnly, snapshot.sequence > flushed.withLock(\.self) else { return true }
    return try translated("written") { () throws(PostgreSQLError) in
      let lease = try connections.lease()
      defer { lease.end() }
      if lease.isMigrating { return true }
      do throws(PostgreSQLError) {
        return try flush(snapshot.commit, lease.connection)
      } catch {
        guard error.isFlushRefused, keepsLocks() else { throw error }
        return try flush(snapshot.commit, lease.connection)
      }
    }
  }

  /// - Returns: whether the server has the commit. Another server may have taken over.
  private func flush(_ commit: StoreCommit, _ connection: PostgreSQLConnection) throws(PostgreSQLError) -> Bool {
    let flush = flush.withLock(\.self)
    let hasCommit = try connection.transaction { () throws(PostgreSQLError) in
      // A standby receives only data that is already on a disk.
      if try connection.integer("SELECT pg_is_in_recovery()::int::int8") == 1 { return true }
      var found = commit
      if commit.token != nil {
        try CommitLog.enqueueToken(connection, of: commit.sequence) {
          found = StoreCommit(sequence: commit.sequence, token: $0)
        }
      }
      // Taking the lock also writes to the server's log, so no other statement is needed.
      let state = try CommitState(connection, isLocked: flush == .beforeRelease)
      if flush == .afterRelease { try connection.enqueue(Flush.sql) }
      return state.latest >= commit.sequence && found.isSame(commit)
    }
    if hasCommit { noteFlushed(commit.sequence) }
    return hasCommit
  }

  /// Makes later commits hold their lock until they are on the disk.
  ///
  /// - Returns: false if commits already hold their lock for that long.
  func keepsLocks() -> Bool {
    flush.withLock { flush in
      defer { flush = .beforeRelease }
      return flush == .afterRelease
    }
  }

  // MARK: Connections

  /// Calls a closure with a connection.
  func withConnection<Result>(
    _ action: String, _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result
  ) throws(StoreError) -> Result {
    try translated(action) { () throws(PostgreSQLError) in
      let lease = try connections.lease()
      defer { lease.end() }
      return try body(lease.connection)
    }
  }

  /// Calls a closure, and names the store in its errors.
  func translated<Result>(
    _ action: String, _ body: () throws(PostgreSQLError) -> Result
  ) throws(StoreError) -> Result {
    do throws(PostgreSQLError) {
      return try body()
    } catch {
      throw error.storeError(name, action)
    }
  }
}
