import CSQLite
import Foundation
import Graft

/// Changes a store to the layout of another version of its model, in one transaction.
struct Migration {
  private let mapping: LayoutMapping
  private let sql: SQLSchema
  private let model: ManagedObjectModel
  private let file: StoreFile
  private let options: SQLiteStore.Options

  init(
    from old: StoreLayout, to sql: SQLSchema, model: ManagedObjectModel, file: StoreFile, options: SQLiteStore.Options
  ) {
    mapping = LayoutMapping(from: old, to: sql.layout, model.contents)
    self.sql = sql
    self.model = model
    self.file = file
    self.options = options
  }

  /// Finds out what would change.
  func plan(_ connection: SQLiteConnection) throws(SQLiteError) -> SQLiteStore.MigrationPlan {
    var planner = MigrationPlanner(mapping, model.contents, connection)
    try planner.run()
    return planner.plan
  }

  /// Changes the store.
  ///
  /// - Throws: if it cannot be migrated. It is unchanged then.
  func run(_ connection: SQLiteConnection, _ metadata: Metadata, previous: Metadata) throws(StoreError) {
    if metadata.layout == previous.layout {
      // Only texts differ: comments, or how JSON is read. If they cannot be written now, the store is no worse.
      try? connection.transaction(.writing) { () throws(SQLiteError) in try metadata.write(connection) }
      return
    }
    try translated { () throws(SQLiteError) in try sql.checkSize(connection) }
    if options.backsUpBeforeMigration { try backUp(connection) }
    // Tables are renamed and made anew, and foreign keys would follow the old ones.
    try translated { () throws(SQLiteError) in
      try connection.execute("PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON;")
    }
    var refusals: [Diagnostic] = []
    try translated { () throws(SQLiteError) in
      try connection.transaction(.writing) { () throws(SQLiteError) in
        // Another process may have been faster.
        guard try Metadata(connection).layout == previous.layout else {
          throw SQLiteError(code: SQLITE_SCHEMA, message: "another process is migrating it; open it again")
        }
        let plan = try plan(connection)
        refusals = plan.refusals
        if !refusals.isEmpty { return }
        var migrator = TableMigrator(connection, mapping, sql, model)
        try migrator.run()
        try metadata.write(connection)
        let sequence = try CommitLog.latest(connection) + 1
        try connection.execute("DELETE FROM \"_graft_log\"")
        try CommitLog.append(connection, sequence, nil)
      }
      try connection.execute("PRAGMA foreign_keys = ON; PRAGMA legacy_alter_table = OFF;")
    }
    guard refusals.isEmpty else { throw refusal(refusals) }
  }

  private func refusal(_ refusals: [Diagnostic]) -> StoreError {
    let count = refusals.count == 1 ? "a way" : "\(refusals.count) ways"
    let summary = Diagnostic(
      code: .incompatibleModel,
      "the store '\(file.name)' cannot be opened: its model differs from the given one in \(count) that cannot be migrated; it was not changed"
    )
    return StoreError([summary] + refusals)
  }

  /// Copies the file beside itself.
  private func backUp(_ connection: SQLiteConnection) throws(StoreError) {
    let sequence = try translated { () throws(SQLiteError) in try CommitLog.latest(connection) }
    let suffix = ".backup-\(sequence)"
    let copy = StoreFile(path: file.path + suffix, name: file.name + suffix)
    // An earlier attempt may have left one, which is as good.
    var status = stat()
    if lstat(copy.path, &status) == 0 { return }
    let partial = try copy.createPartial()
    do throws(StoreError) {
      try translated { () throws(SQLiteError) in
        try connection.execute("VACUUM INTO \(SQLName.literal(partial.path))")
      }
      try partial.move(to: copy)
    } catch {
      partial.remove()
      throw error
    }
  }

  private func translated<Result>(_ body: () throws(SQLiteError) -> Result) throws(StoreError) -> Result {
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw error.storeError(file.name, "migrated", options)
    }
  }
}
