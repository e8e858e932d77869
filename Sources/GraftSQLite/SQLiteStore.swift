import CSQLite
public import Foundation
public import Graft
import GraftSQL

/// A store in an SQLite file.
///
///     let store = try SQLiteStore(at: url, model: model)
///     let context = try ManagedObjectContext(model: model, store: store)
///
/// The database is readable with any SQLite tool: a table for each hierarchy, a column for each attribute and to-one. Only the
/// store should write to it.
///
/// Reads wait neither for writes nor for other reads, in this process or another process (WAL). One process writes at a time; other
/// processes wait for up to ``Options/busyTimeout``. Threads that write at the same time share a transaction. A commit is durable when
/// `write` returns, unless ``Options/durability`` is lower.
public final class SQLiteStore: PersistentStore, StoreBackend {
  /// The options for opening a store.
  public struct Options: Sendable {
    /// The failures that a commit survives.
    public enum Durability: String, Sendable {
      /// A power failure, if the disk keeps what it acknowledged.
      case full
      /// The end of the process. A power failure may undo the latest commits, but never damages the store.
      case process
    }

    /// The failures that a commit survives.
    public var durability = Durability.full
    /// The maximum time that a commit waits for other processes that write.
    public var busyTimeout = Duration.seconds(5)
    /// The maximum number of connections that stay open while they are not used. Each context that reads has its own connection, for as
    /// long as it shows one state of the store. Using an open connection takes about 5 microseconds; opening one takes up to 500.
    public var maximumIdleConnections = 4
    /// The maximum size of the write-ahead log in bytes before contexts move on to the newest state of the store.
    ///
    /// SQLite writes changes to a log next to the file (`shop.graft-wal`). The log is restarted when it is larger than 4 MB and all
    /// contexts show the newest state. A context that shows an old state prevents the restart. In a test with a reader that stayed on an
    /// old state for 10,000 one-row commits, the log grew to 41 MB instead of 4 MB, and a commit took 60 microseconds instead of 23 (SQLite
    /// 3.40). If the log is larger than this option, a context that shows an old state merges at its next fetch, search, count or commit.
    public var maximumLogSize = 64 << 20
    /// Whether the store is read-only: for a store in a program's resources, or a store that another user writes.
    ///
    /// Commits throw. The store must exist and have the layout of the model, because it is neither created nor migrated. If the
    /// process has no permission to write to the folder, and no process has the store open, the file must not be written while it
    /// is open here.
    public var isReadOnly = false
    /// Whether the file is copied before a migration that rewrites or removes something. The copy is next to the file:
    /// `shop.graft.backup-17` is the state after commit 17.
    public var backsUpBeforeMigration = true
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
  /// The location of the file; nil for a store in memory.
  public let url: URL?

  let file: StoreFile
  let sql: SQLSchema
  let options: Options
  private let identity: StoreFile.Identity?
  let writer: Guarded<SQLiteConnection>
  let readers: ReadConnections
  let log = LogRestart()
  let commits = CommitQueue()
  /// SQLite's number for the state of the tables. It changes if another process migrates the store.
  let schemaVersion: Guarded<Int64>
  /// The latest version to which the program's steps had moved the data when the store was opened.
  private let latestStep: String?
  /// For a store that the steps of a migration use, whether the migration has ended.
  private let isRetired: Guarded<Bool>?
  /// The folder of a store in memory. It is removed after the connections have been closed.
  private let folder: TemporaryFolder?

  /// Opens a store, or creates it if there is no file. A store of an earlier version of the model is migrated, after a backup;
  /// see ``migrationPlan(at:to:options:)``.
  ///
  /// A migration loses nothing without consent. If the store has data of an entity or property that the model does not declare, it
  /// is not opened, unless the name is listed under `removed` in the model file, or in ``Options/allowedRemovals``.
  ///
  /// A new file can be read and written only by its owner. Unless the store is migrated, the time to open it does not depend on its size.
  ///
  /// - Throws: if the file is not a store, is damaged, was written by a newer version of the library or of the model, or
  ///   differs from the model in ways that cannot be migrated. The file is then unchanged.
  public convenience init(
    at url: URL, model: ManagedObjectModel, options: Options = Options()
  ) throws(StoreError) {
    let file = try StoreFile(url)
    let opened = try StoreOpener(file: file, model: model, options: options).open()
    self.init(opened, file, url: url, folder: nil, options)
  }

  /// Opens a store, or creates it if there is no file, like ``init(at:model:options:)``.
  ///
  ///     let store = try SQLiteStore(path: "shop.graft", model: model)
  public convenience init(
    path: String, model: ManagedObjectModel, options: Options = Options()
  ) throws(StoreError) {
    if path == ":memory:" || path.isEmpty {
      throw StoreError(
        .unavailableStore,
        "'\(path)' is not the path of a file; call 'SQLiteStore.inMemory(model:)' for a store in memory")
    }
    try self.init(at: URL(fileURLWithPath: path), model: model, options: options)
  }

  @available(*, unavailable, renamed: "init(path:model:options:)")
  public convenience init(
    at path: String, model: ManagedObjectModel, options: Options = Options()
  ) throws(StoreError) { try self.init(path: path, model: model, options: options) }

  @available(*, unavailable, renamed: "init(at:model:options:)")
  public convenience init(_ url: URL, model: ManagedObjectModel) throws(StoreError) {
    try self.init(at: url, model: model)
  }

  @available(*, unavailable, message: "call 'SQLiteStore.inMemory(model:)'")
  public convenience init(inMemory: Bool, model: ManagedObjectModel) throws(StoreError) {
    try self.init(path: "", model: model)
  }

  /// Creates a store that is removed when its last reference is released, for tests and for trying out queries.
  ///
  /// The store is a file in a folder of the temporary directory, and is never synced to disk. Only the owner can read the folder,
  /// which is removed with the store or when the process exits.
  public static func inMemory(model: ManagedObjectModel, options: Options = Options()) throws(StoreError) -> SQLiteStore
  {
    let folder = try TemporaryFolder(for: "<memory>")
    let file = folder.database
    try file.create(isDurable: false)
    let opened = try StoreOpener(file: file, model: model, options: options, isTemporary: true).open()
    return SQLiteStore(opened, file, url: nil, folder: folder, options)
  }

  init(
    _ opened: StoreOpener.Result, _ file: StoreFile, url: URL? = nil, folder: TemporaryFolder? = nil,
    _ options: Options,
    isForMigration: Bool = false
  ) {
    schema = opened.schema
    sql = opened.sql
    self.url = url
    self.file = file
    self.folder = folder
    self.options = options
    identity = opened.identity
    schemaVersion = Guarded(opened.schemaVersion)
    latestStep = opened.latestStep
    isRetired = isForMigration ? Guarded(false) : nil
    writer = Guarded(opened.writer)
    readers = ReadConnections(opened.reader, limit: options.maximumIdleConnections)
  }

  // MARK: Reading

  /// Returns the newest state of the store, which does not change while it is held. It has its own connection.
  package func snapshot() throws(StoreError) -> any StoreSnapshot {
    try translated("read") { () throws(SQLiteError) in
      let connection = try reader()
      do throws(SQLiteError) {
        return try SQLiteSnapshot(self, connection)
      } catch {
        recycle(connection)
        throw error
      }
    }
  }

  /// Returns the number of the latest commit, by this process or another process; 0 for a new store.
  ///
  /// - Throws: if the file is no longer at its path, or cannot be read.
  public func latestCommit() throws(StoreError) -> Int64 {
    try withReader { connection throws(SQLiteError) in
      try connection.checkFile()
      return try CommitLog.latest(connection)
    }
  }

  /// Returns the changes that were written after a commit, by this process or another process. The latest 1,000 commits are kept.
  package func changes(since sequence: Int64) throws(StoreError) -> StoreLog {
    try reading { connection throws(SQLiteError) in
      try connection.checkFile()
      return try CommitLog.changes(connection, since: sequence, tables: sql.tables.count)
    }
  }

  // MARK: Connections

  /// Calls a closure in a transaction that reads one state of the store.
  func reading<Result>(
    _ body: (SQLiteConnection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    try withReader { connection throws(SQLiteError) in
      try connection.transaction(.reading) { () throws(SQLiteError) in
        try checkSchema(connection)
        return try body(connection)
      }
    }
  }

  /// Calls a closure with a connection that is not shared.
  private func withReader<Result>(
    _ body: (SQLiteConnection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    try translated("read") { () throws(SQLiteError) in
      let connection = try reader()
      defer { recycle(connection) }
      return try body(connection)
    }
  }

  /// Ends the transaction of a connection that reads, and keeps the connection for reuse.
  func recycle(_ connection: SQLiteConnection) {
    if isRetired?.withLock({ $0 }) == true { return }
    connection.rollBack()
    readers.put(connection)
  }

  /// Returns an idle connection, or opens one.
  private func reader() throws(SQLiteError) -> SQLiteConnection {
    try checkIsInUse()
    if let idle = readers.take() { return idle }
    return try opened { opener throws(SQLiteError) in try opener.readingConnection() }
  }

  /// Returns a new connection to the file of the store.
  ///
  /// - Throws: if a different file, possibly another store, is now at its path.
  func opened(
    _ open: (StoreOpener) throws(SQLiteError) -> SQLiteConnection
  ) throws(SQLiteError) -> SQLiteConnection {
    guard file.identity == identity else { throw .movedFile }
    let connection = try open(opener)
    guard file.identity == identity else { throw .movedFile }
    return connection
  }

  /// Ends the use of the store by the steps of a migration.
  func retire() { isRetired?.withLock { $0 = true } }

  /// Throws if the migration for which the store was opened has ended.
  func checkIsInUse() throws(SQLiteError) {
    if let isRetired, isRetired.withLock({ $0 }) { throw .retiredStore }
  }

  /// The opener of further connections.
  var opener: StoreOpener {
    StoreOpener(file: file, model: schema.model, options: options, isTemporary: folder != nil)
  }

  /// Calls a closure with the connection that writes.
  func withWriter<Result>(
    _ action: String = "written", _ body: (SQLiteConnection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    try translated(action) { () throws(SQLiteError) in
      if options.isReadOnly { throw .readOnlyStore }
      try checkIsInUse()
      return try writer.withLock { connection throws(SQLiteError) in
        // SQLite opens a file once, so it does not notice when the file becomes writable again.
        if connection.isReadOnly { connection = try opener.connection() }
        do throws(SQLiteError) {
          let result = try body(connection)
          log.note(length: connection.logLength)
          return result
        } catch {
          if error.primaryCode == SQLITE_READONLY, !error.isMovedFile { connection.isReadOnly = true }
          throw error
        }
      }
    }
  }

  /// Checks, within a transaction, that the tables match the model, because another process may have migrated them.
  func checkSchema(_ connection: SQLiteConnection) throws(SQLiteError) {
    let version = try connection.integer("PRAGMA schema_version") ?? 0
    guard version != schemaVersion.withLock({ $0 }) else { return }
    // Other tools also change the number, for example by VACUUM.
    let metadata = try StoreDescription(connection)
    guard metadata.hasLayout(sql.layout), metadata.history.latestStep == latestStep,
      try sql.differences(in: connection).isEmpty
    else { throw .migrated }
    schemaVersion.withLock { $0 = version }
  }

  /// Throws if another process has migrated the store since it was opened.
  func checkIsNotMigrated(_ connection: SQLiteConnection) throws(SQLiteError) {
    guard let metadata = try? StoreDescription(connection), StoreLayout(text: metadata.layout) != nil,
      !metadata.hasLayout(sql.layout) || metadata.history.latestStep != latestStep
    else { return }
    throw .migrated
  }

  /// Calls a closure, and names the store in its errors.
  func translated<Result>(
    _ action: String, _ body: () throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw error.storeError(file.name, action, options)
    }
  }
}
