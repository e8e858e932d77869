import CSQLite
import Foundation
import Graft
import GraftSQL

/// Changes a store to the layout of another version of its model, in one transaction.
struct Migration {
  let mapping: LayoutMapping
  let previous: StoreDescription
  let sql: SQLSchema
  let model: ManagedObjectModel
  let file: StoreFile
  let options: SQLiteStore.Options
  /// The steps of the program that move data.
  let steps: MigrationSteps

  init(
    from old: StoreLayout, _ previous: StoreDescription, to sql: SQLSchema, model: ManagedObjectModel, file: StoreFile,
    options: SQLiteStore.Options
  ) {
    steps = MigrationSteps(options.migrations, model, from: previous.history)
    mapping = LayoutMapping(from: old, to: sql.layout, model.contents, replacing: steps.replaced)
    self.previous = previous
    self.sql = sql
    self.model = model
    self.file = file
    self.options = options
  }

  /// Determines what the migration would change.
  func plan(_ connection: SQLiteConnection) throws(SQLiteError) -> SQLiteStore.MigrationPlan {
    let facts = SQLiteFacts(connection: connection, sql: SQLSchema(mapping.old))
    var planner = MigrationPlanner(
      mapping, model, facts, allowedRemovals: options.allowedRemovals, steps: steps)
    try planner.run()
    return planner.plan.adding(steps)
  }

  /// Refuses a model that is older than the model that wrote the store, if the older model would change the tables, or if steps have moved
  /// the data.
  func checkDescent() throws(StoreError) {
    let version = model.contents.version ?? ""
    if let reason = previous.history.stepRefusal(version: version) {
      throw file.refusal(.incompatibleModel, "\(reason); it was not changed")
    }
    guard !mapping.keepsTables, let reason = previous.history.refusal(version: version, mapping.new) else { return }
    throw file.refusal(.incompatibleModel, "\(reason); it was not changed")
  }

  enum Outcome {
    /// The store has the rules and indexes of the model.
    case migrated
    /// A newer model wrote the store, which is unchanged. Its tables match the model.
    case left
    /// Another process has changed the description of the store in the meantime.
    case outrun
  }

  /// Changes the store.
  ///
  /// - Throws: if the store cannot be migrated. In that case, the store is unchanged.
  func run(_ connection: SQLiteConnection, _ metadata: StoreDescription) throws(StoreError) -> Outcome {
    try checkDescent()
    // A program with an older model may use the store if it does not change any table and leaves the description alone.
    if mapping.keepsTables, steps.isEmpty, previous.history.isOlder(version: metadata.modelVersion) { return .left }
    if metadata.layout.isIdentical(to: previous.layout), steps.isEmpty {
      // Only the text of the model differs: comments, or the way in which JSON is read. If the text cannot be written now, the store still
      // works.
      try? connection.transaction(.writing) { () throws(SQLiteError) in try metadata.write(connection) }
      return .migrated
    }
    try translated { () throws(SQLiteError) in
      try sql.checkSize(connection)
      // Other connections, and the steps, read the store while it is migrated.
      guard try connection.text("PRAGMA journal_mode = WAL") == "wal" else {
        throw SQLiteError(
          code: SQLITE_CANTOPEN, message: "its file system does not support write-ahead logs (shared memory)")
      }
      // Tables are renamed and created again, and foreign keys would follow the old tables.
      try connection.execute("PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON;")
    }
    var failure: StoreError?
    let outcome = try translated({ failure }) { () throws(SQLiteError) in
      let outcome = try connection.transaction(.writing) { () throws(SQLiteError) in
        do throws(StoreError) {
          return try migrate(connection, metadata)
        } catch {
          failure = error
          throw .failedMigration
        }
      }
      try connection.execute("PRAGMA foreign_keys = ON; PRAGMA legacy_alter_table = OFF;")
      return outcome
    }
    return outcome
  }

  /// Migrates the store within a transaction that keeps other connections from writing. The migration therefore changes and backs up
  /// exactly the state that it reads.
  private func migrate(_ connection: SQLiteConnection, _ metadata: StoreDescription) throws(StoreError) -> Outcome {
    let (found, sequence, plan) = try translated { () throws(SQLiteError) in
      (try StoreDescription(connection), try CommitLog.latest(connection), try self.plan(connection))
    }
    guard found.layout.isIdentical(to: previous.layout), found.history == previous.history else { return .outrun }
    if let error = plan.error(ofStore: file.name) { throw error }
    var migrator = TableMigrator(connection, mapping, sql, model)
    let needsBackup = options.backsUpBeforeMigration && (migrator.rewrites || !steps.isEmpty)
    let backup = needsBackup ? try backUp(sequence) : nil
    do throws(StoreError) {
      // The connection that reads the old store does not see these changes.
      let old = steps.isEmpty ? nil : try oldStore()
      try translated { () throws(SQLiteError) in
        try migrator.run()
        try metadata.write(connection)
        if !mapping.keepsTables || !steps.isEmpty {
          // No context may continue from an older state.
          try connection.execute("DELETE FROM \"_graft_log\"")
          try CommitLog.append(connection, sequence + 1, nil)
        }
        // Creating and dropping a table makes SQLite change the schema's number, which other connections check.
        if !steps.isEmpty { try connection.execute("CREATE TABLE \"_graft_step\" (\"x\"); DROP TABLE \"_graft_step\"") }
      }
      if let old { try runSteps(connection, from: old, latestStep: metadata.history.latestStep) }
    } catch {
      // A program that tries repeatedly must not fill the disk with backups.
      backup?.remove()
      throw error
    }
    return .migrated
  }

  /// Copies the file in the same folder. An existing backup may belong to another store, and is kept. If an existing backup has the same
  /// content, because a migration was interrupted, it serves as the backup.
  ///
  /// - Returns: the new file; nil if there is already a backup.
  private func backUp(_ sequence: Int64) throws(StoreError) -> StoreFile? {
    func backup(_ number: Int) -> StoreFile {
      let suffix = ".backup-\(sequence)" + (number > 1 ? "-\(number)" : "")
      return StoreFile(path: file.path + suffix, name: file.name + suffix)
    }
    return try file.createSibling(backup) { temporary throws(StoreError) in
      try translated { () throws(SQLiteError) in
        // SQLite does not copy within a transaction.
        let connection = try StoreOpener(file: file, model: model, options: options).connection()
        try connection.execute("VACUUM INTO \(SQLName.literal(temporary.path))")
      }
    }
  }

  /// Calls a closure, and names the store in its errors.
  ///
  /// - Parameter failure: an error that caused the closure's error.
  func translated<Result>(
    _ failure: () -> StoreError? = { nil }, _ body: () throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw failure() ?? error.storeError(file.name, "migrated", options)
    }
  }
}
