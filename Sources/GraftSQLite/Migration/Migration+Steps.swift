import CSQLite
import Graft

/// The steps of a program that move data, in the transaction of the migration:
///
///     old    a connection of its own, which reads the store as it was: the write-ahead log keeps that state
///     new    the connection that migrates, whose changes nobody else sees until they are committed
extension Migration {
  /// Opens the store as it is before the migration.
  func oldStore(_ connection: SQLiteConnection) throws(StoreError) -> SQLiteStore {
    try translated { () throws(SQLiteError) in
      guard try connection.text("PRAGMA journal_mode = WAL") == "wal" else {
        throw SQLiteError(
          code: SQLITE_CANTOPEN, message: "its file system does not support write-ahead logs (shared memory)")
      }
    }
    guard let model = oldModel else {
      throw file.refusal(.damagedStore, "the model in its description cannot be read; restore it from a backup")
    }
    var options = options
    (options.isReadOnly, options.migrations) = (true, [])
    return SQLiteStore(try StoreOpener(file: file, model: model, options: options).open(), file, options)
  }

  /// The model that wrote the store. Its transformers and closures are not needed.
  private var oldModel: ManagedObjectModel? {
    let source = SourceText(name: file.name, bytes: Array(previous.model.utf8))
    if let model = try? ManagedObjectModel(source: source, unregisteredNames: .warning),
      StoreLayout(StoreSchema(model)).withoutRules == mapping.old.withoutRules
    {
      return model
    }
    return try? mapping.old.model()
  }

  /// Runs the steps, and checks all objects afterwards.
  ///
  /// - Returns: why the migration must be undone; nil if it succeeded.
  func runSteps(_ connection: SQLiteConnection, from old: SQLiteStore) throws(SQLiteError) -> StoreError? {
    connection.isMigrating = true
    defer { connection.isMigrating = false }
    let opened = StoreOpener.Result(
      schema: StoreSchema(model), sql: sql, writer: connection, reader: connection,
      schemaVersion: try connection.integer("PRAGMA schema_version") ?? 0, identity: file.identity)
    do throws(StoreError) {
      try steps.run(from: old, to: SQLiteStore(opened, file, options), mapping, storeName: file.name)
    } catch {
      return error
    }
    try connection.checkAllReferences()
    let facts = SQLiteFacts(connection: connection, sql: sql)
    return try MigrationSteps.check(facts, sql.layout, model, storeName: file.name)
  }
}

extension SQLiteError {
  /// Ends the transaction of a migration whose step failed. The error of the step is thrown instead.
  static let failedStep = SQLiteError(code: SQLITE_ABORT, message: "a step of the migration failed")
}
