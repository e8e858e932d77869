import CSQLite
import Graft
import GraftSQL

/// Runs the steps of a program that move data, in the transaction of the migration:
///
///     old    a separate connection, which reads the store in its old state, kept in the write-ahead log
///     new    the migrating connection, whose changes are not visible elsewhere until they are committed
extension Migration {
  /// Opens the store in its state before the migration.
  func oldStore() throws(StoreError) -> SQLiteStore {
    guard let model = ManagedObjectModel.former(previous.model, of: mapping.old, name: file.name) else {
      throw file.refusal(.damagedStore, "the model in its description cannot be read; restore it from a backup")
    }
    var options = options
    (options.isReadOnly, options.migrations) = (true, [])
    return SQLiteStore(try StoreOpener(file: file, model: model, options: options).open(), file, options)
  }

  /// Runs the steps, and checks all objects afterwards.
  ///
  /// - Throws: the reason why the migration must be undone.
  func runSteps(
    _ connection: SQLiteConnection, from old: SQLiteStore, latestStep: String?
  ) throws(StoreError) {
    let schemaVersion = try translated { () throws(SQLiteError) in try connection.integer("PRAGMA schema_version") ?? 0
    }
    let opened = StoreOpener.Result(
      schema: StoreSchema(model), sql: sql, writer: connection, reader: connection, schemaVersion: schemaVersion,
      latestStep: latestStep, identity: file.identity)
    let new = SQLiteStore(opened, file, options, isForMigration: true)
    connection.isMigrating = true
    defer {
      // A context that a step has kept must no longer use the connection.
      new.retire()
      connection.isMigrating = false
    }
    try steps.run(from: old, to: new, mapping, storeName: file.name)
    let violation = try translated { () throws(SQLiteError) in
      guard connection.isInTransaction else { throw .endedMigration }
      try connection.checkAllReferences()
      return try MigrationSteps.check(
        SQLiteFacts(connection: connection, sql: sql), sql.layout, model, storeName: file.name)
    }
    if let violation { throw violation }
  }
}

extension SQLiteError {
  /// An error that ends the transaction of a migration that failed. The reason for the failure is thrown in its place.
  static let failedMigration = SQLiteError(code: SQLITE_ABORT, message: "the migration failed")

  /// The error for the use of a migration's connection after its transaction has ended, such as by a full disk.
  static let endedMigration = SQLiteError(
    code: SQLITE_ABORT, message: "an error has ended the transaction of its migration, and it was not changed")
}
