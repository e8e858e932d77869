import CSQLite
import Foundation
import Graft

/// Changes a store to the layout of another version of its model, in one transaction.
struct Migration {
  let mapping: LayoutMapping
  let previous: Metadata
  let sql: SQLSchema
  let model: ManagedObjectModel
  let file: StoreFile
  let options: SQLiteStore.Options
  /// The steps of the program that move data.
  let steps: MigrationSteps

  init(
    from old: StoreLayout, _ previous: Metadata, to sql: SQLSchema, model: ManagedObjectModel, file: StoreFile,
    options: SQLiteStore.Options
  ) {
    steps = MigrationSteps(options.migrations, from: previous.history)
    mapping = LayoutMapping(from: old, to: sql.layout, model.contents, replacing: steps.replaced)
    self.previous = previous
    self.sql = sql
    self.model = model
    self.file = file
    self.options = options
  }

  /// Finds out what would change.
  func plan(_ connection: SQLiteConnection) throws(SQLiteError) -> SQLiteStore.MigrationPlan {
    let facts = SQLiteFacts(connection: connection, sql: SQLSchema(mapping.old))
    var planner = MigrationPlanner(
      mapping, model, facts, allowedRemovals: options.allowedRemovals, hasSteps: !steps.isEmpty)
    try planner.run()
    return planner.plan.adding(steps)
  }

  /// Whether the tables are unchanged: only rules for values and indexes differ.
  private var keepsTables: Bool { mapping.old.withoutRules == mapping.new.withoutRules }

  /// Refuses a model that is older than the one that wrote the store, if it would change the tables.
  func checkDescent() throws(StoreError) {
    let version = model.contents.version ?? ""
    guard !keepsTables, let reason = previous.history.refusal(version: version, mapping.new) else { return }
    throw file.refusal(.incompatibleModel, "\(reason); it was not changed")
  }

  /// Changes the store.
  ///
  /// - Returns: whether it has the rules and indexes of the model.
  /// - Throws: if it cannot be migrated. It is unchanged then.
  func run(_ connection: SQLiteConnection, _ metadata: Metadata) throws(StoreError) -> Bool {
    try checkDescent()
    // A program with an older model may use the store, if it changes no table, and leaves its description alone.
    if keepsTables, previous.history.isOlder(version: metadata.modelVersion) { return false }
    if metadata.layout == previous.layout, steps.isEmpty {
      // Only texts differ: comments, or how JSON is read. If they cannot be written now, the store still works.
      try? connection.transaction(.writing) { () throws(SQLiteError) in try metadata.write(connection) }
      return true
    }
    try translated { () throws(SQLiteError) in try sql.checkSize(connection) }
    // Another process may commit between the backup and the migration. The backup is then made again.
    for _ in 1...5 {
      let (plan, sequence) = try translated { () throws(SQLiteError) -> (SQLiteStore.MigrationPlan, Int64) in
        try connection.transaction(.reading) { () throws(SQLiteError) -> (SQLiteStore.MigrationPlan, Int64) in
          let plan = try self.plan(connection)
          return (plan, try CommitLog.latest(connection))
        }
      }
      if let error = plan.error(ofStore: file.name) { throw error }
      let isRewritten = TableMigrator(connection, mapping, sql, model).rewrites
      let needsBackup = options.backsUpBeforeMigration && (isRewritten || !steps.isEmpty)
      let backup = needsBackup ? try backUp(connection, sequence) : nil
      do throws(StoreError) {
        if try migrate(connection, metadata, after: sequence) { return true }
      } catch {
        // A program that tries again and again must not fill the disk.
        backup?.remove()
        throw error
      }
      backup?.remove()
    }
    throw file.refusal(.unavailableStore, "other processes commit while it is migrated; try again")
  }

  /// Migrates the store, unless there is a later commit than a given one.
  private func migrate(
    _ connection: SQLiteConnection, _ metadata: Metadata, after sequence: Int64
  ) throws(StoreError) -> Bool {
    // Tables are renamed and created again, and foreign keys would follow the old ones.
    try translated { () throws(SQLiteError) in
      try connection.execute("PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON;")
    }
    var isDone = false
    var failure: StoreError?
    let old = steps.isEmpty ? nil : try oldStore(connection)
    try translated({ failure }) { () throws(SQLiteError) in
      try connection.transaction(.writing) { () throws(SQLiteError) in
        // Another process may have been faster.
        let found = try Metadata(connection)
        guard found.layout == previous.layout, found.history == previous.history else {
          throw SQLiteError(code: SQLITE_SCHEMA, message: "another process is migrating it; open it again")
        }
        guard try CommitLog.latest(connection) == sequence else { return }
        var migrator = TableMigrator(connection, mapping, sql, model)
        try migrator.run()
        try metadata.write(connection)
        if !keepsTables {
          try connection.execute("DELETE FROM \"_graft_log\"")
          try CommitLog.append(connection, sequence + 1, nil)
        }
        if let old {
          failure = try runSteps(connection, from: old)
          if failure != nil { throw .failedStep }
        }
        isDone = true
      }
      try connection.execute("PRAGMA foreign_keys = ON; PRAGMA legacy_alter_table = OFF;")
    }
    return isDone
  }

  /// Copies the file in the same folder. A backup that is there already may be of another store, and stays.
  private func backUp(_ connection: SQLiteConnection, _ sequence: Int64) throws(StoreError) -> StoreFile {
    func backup(_ number: Int) -> StoreFile {
      let suffix = ".backup-\(sequence)" + (number > 1 ? "-\(number)" : "")
      return StoreFile(path: file.path + suffix, name: file.name + suffix)
    }
    return try file.createSibling(backup) { temporary throws(StoreError) in
      try translated { () throws(SQLiteError) in
        try connection.execute("VACUUM INTO \(SQLName.literal(temporary.path))")
      }
    }
  }

  /// Calls a closure, and names the store in its errors.
  ///
  /// - Parameter failure: an error that was the reason for that of the closure.
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
