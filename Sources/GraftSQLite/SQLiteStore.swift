import CSQLite
public import Foundation
public import Graft

/// A store in an SQLite file.
///
///     let store = try SQLiteStore(at: url, model: model)
///     let context = try ManagedObjectContext(model: model, store: store)
///
/// The database is readable with any SQLite tool: a table for each hierarchy, a column for each attribute and to-one. Only the
/// store should write it.
///
/// Reading does not wait for writing, neither in this process nor in another one (WAL). One process writes at a time; others
/// wait for ``Options/busyTimeout``. A commit is durable when `write` returns, unless ``Options/durability`` is lower.
public final class SQLiteStore: PersistentStore {
  /// How a store is opened.
  public struct Options: Sendable {
    /// What a commit survives.
    public enum Durability: String, Sendable {
      /// A failure of power, as far as the disk keeps what it acknowledged.
      case full
      /// The end of the process. A failure of power may undo the latest commits, and never damages the store.
      case process
    }

    /// What a commit survives.
    public var durability = Durability.full
    /// How long a commit waits for other processes that write.
    public var busyTimeout = Duration.seconds(5)
    /// Whether the file is copied before it is migrated to another version of the model. The copy is beside the file:
    /// `shop.graft.backup-17` is the state after commit 17.
    public var backsUpBeforeMigration = false

    /// Creates options with their default values.
    public init() {}
  }

  /// The layout of the model's graph.
  public let schema: StoreSchema
  /// The location of the file; nil for a store in memory.
  public let url: URL?

  /// The name in messages.
  let name: String
  /// The path that SQLite opens; nil for a store in memory.
  private let path: String?
  let sql: SQLSchema
  let options: Options
  private let writer: Guarded<SQLiteConnection>
  private let reader: Guarded<SQLiteConnection>
  /// SQLite's number for the state of the tables. It changes if another process migrates the store.
  let schemaVersion: Guarded<Int64>

  /// Opens a store, or creates it if there is no file. A store of an earlier version of the model is migrated, if the changes
  /// lose nothing; see ``migrationPlan(at:to:)``.
  ///
  /// A new file can be read and written by its owner only. The time does not depend on the size of the store, except for a
  /// migration.
  ///
  /// - Throws: if the file is not a store, is damaged, was written by a newer version, or differs from the model in ways that
  ///   cannot be migrated. The file is unchanged then.
  public convenience init(
    at url: URL, model: ManagedObjectModel, options: Options = Options()
  ) throws(StoreError) {
    let file = try StoreFile(url)
    let opened = try StoreOpener(file: file, model: model, options: options).open()
    self.init(opened, url: url, path: file.path, name: file.name, options: options)
  }

  /// Creates a store in memory: for tests, and to try queries.
  public static func inMemory(model: ManagedObjectModel, options: Options = Options()) throws(StoreError) -> SQLiteStore
  {
    let opened = try StoreOpener(file: nil, model: model, options: options).open()
    return SQLiteStore(opened, url: nil, path: nil, name: "<memory>", options: options)
  }

  private init(_ opened: StoreOpener.Result, url: URL?, path: String?, name: String, options: Options) {
    schema = opened.schema
    sql = opened.sql
    self.url = url
    self.path = path
    self.name = name
    self.options = options
    schemaVersion = Guarded(opened.schemaVersion)
    let writer = Guarded(opened.writer)
    self.writer = writer
    // A database in memory has one connection.
    reader = opened.reader.map { Guarded($0) } ?? writer
  }

  // MARK: Connections

  /// Calls a closure in a transaction that reads one state of the store.
  func reading<Result>(
    _ body: (SQLiteConnection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    try translated("read") { () throws(SQLiteError) in
      try reader.withLock { connection throws(SQLiteError) in
        try connection.transaction(.reading) { () throws(SQLiteError) in
          try checkSchema(connection)
          return try body(connection)
        }
      }
    }
  }

  /// Calls a closure that runs one statement by its key. The statement is a transaction of its own, and SQLite itself notices
  /// other tables when it begins: so nothing has to be asked before.
  func readingOnce<Result>(
    _ body: (SQLiteConnection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    let known = try? reader.withLock { connection throws(SQLiteError) -> Result? in
      let preparations = connection.preparations
      let result = try body(connection)
      return connection.preparations == preparations ? result : nil
    }
    if let known { return known }
    return try reading(body)
  }

  /// Calls a closure with the connection that writes.
  func withWriter<Result>(
    _ action: String = "written", _ body: (SQLiteConnection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    try translated(action) { () throws(SQLiteError) in
      try writer.withLock { connection throws(SQLiteError) in
        // SQLite opens a file once, and does not notice that it may be written again.
        if connection.isReadOnly, let path { connection = try connect(path) }
        do throws(SQLiteError) {
          return try body(connection)
        } catch {
          if error.primaryCode == SQLITE_READONLY, !error.isMovedFile { connection.isReadOnly = true }
          throw error
        }
      }
    }
  }

  /// Opens another connection to the file.
  private func connect(_ path: String) throws(SQLiteError) -> SQLiteConnection {
    let opener = StoreOpener(file: StoreFile(path: path, name: name), model: schema.model, options: options)
    return try opener.connection(path)
  }

  /// Makes sure, within a transaction, that the tables are those of the model: another process may have migrated them.
  func checkSchema(_ connection: SQLiteConnection) throws(SQLiteError) {
    let version = try connection.integer("PRAGMA schema_version") ?? 0
    guard version != schemaVersion.withLock({ $0 }) else { return }
    // Other tools change the number, too, such as by VACUUM.
    let metadata = try Metadata(connection)
    guard metadata.layout == sql.layout.text, try sql.differences(in: connection).isEmpty else {
      throw SQLiteError(
        code: SQLITE_SCHEMA, message: "another process migrated it to another version of the model; open it again")
    }
    schemaVersion.withLock { $0 = version }
  }

  private func translated<Result>(
    _ action: String, _ body: () throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw error.storeError(name, action, options)
    }
  }
}
