import Graft
import GraftSQL

/// Changes a store to the layout of another version of its model, in one transaction.
struct Migration {
  let mapping: LayoutMapping
  let previous: StoreDescription
  let sql: SQLSchema
  let opener: StoreOpener
  /// The steps of the program that move data.
  let steps: MigrationSteps

  init(from old: StoreLayout, _ previous: StoreDescription, to sql: SQLSchema, _ opener: StoreOpener) {
    steps = MigrationSteps(opener.options.migrations, opener.model, from: previous.history)
    mapping = LayoutMapping(from: old, to: sql.layout, opener.model.contents, replacing: steps.replaced)
    self.previous = previous
    self.sql = sql
    self.opener = opener
  }

  private var model: ManagedObjectModel { opener.model }

  /// Determines what the migration would change.
  func plan(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> StoreMigrationPlan {
    let facts = PostgreSQLFacts(connection: connection, sql: SQLSchema(mapping.old))
    var planner = MigrationPlanner(
      mapping, model, facts, allowedRemovals: opener.options.allowedRemovals, steps: steps)
    try planner.run()
    return planner.plan.adding(steps)
  }

  /// Refuses a model that is older than the model that wrote the store, if the older model would change the tables, or if steps have moved
  /// the data.
  func checkDescent() throws(StoreError) {
    let version = model.contents.version ?? ""
    if let reason = previous.history.stepRefusal(version: version) {
      throw opener.refusal(.incompatibleModel, "\(reason); it was not changed")
    }
    guard !mapping.keepsTables, let reason = previous.history.refusal(version: version, mapping.new) else { return }
    throw opener.refusal(.incompatibleModel, "\(reason); it was not changed")
  }

  enum Outcome {
    /// The store has the rules and indexes of the model.
    case migrated
    /// A newer model wrote the store, which is unchanged. Its tables match the model.
    case left
    /// Another program has changed the description of the store in the meantime.
    case outrun
  }

  /// Changes the store.
  ///
  /// - Throws: if the store cannot be migrated. In that case, the store is unchanged.
  func run(
    _ connection: PostgreSQLConnection, _ description: StoreDescription, _ state: CommitState
  ) throws(StoreError) -> Outcome {
    try checkDescent()
    // A program with an older model may use the store if it does not change any table and leaves the description alone.
    if mapping.keepsTables, steps.isEmpty, previous.history.isOlder(version: description.modelVersion) { return .left }
    if description.layout.isIdentical(to: previous.layout), steps.isEmpty {
      // Only the text of the model differs: comments, or the way in which JSON is read. If the text cannot be written now, the store still
      // works.
      try? connection.transaction { () throws(PostgreSQLError) in try description.write(connection) }
      return .migrated
    }
    var failure: StoreError?
    do throws(PostgreSQLError) {
      return try connection.exclusiveTransaction(waiting: opener.options.lockTimeout) { () throws(PostgreSQLError) in
        do throws(StoreError) {
          return try migrate(connection, description)
        } catch {
          failure = error
          throw PostgreSQLError(.other, "the migration failed")
        }
      }
    } catch {
      if let failure { throw failure }
      guard error.kind == .lockNotAvailable else { throw error.storeError(opener.name, "migrated") }
      throw StoreError(
        .unavailableStore,
        "the store '\(opener.name)' cannot be migrated: contexts of this or another program are reading it, or other sessions are using its tables; end them, and open it again"
      )
    }
  }

  /// Migrates the store, within a transaction that keeps other connections from reading and writing.
  private func migrate(
    _ connection: PostgreSQLConnection, _ description: StoreDescription
  ) throws(StoreError) -> Outcome {
    let (found, state, plan) = try translated { () throws(PostgreSQLError) in
      (try StoreDescription(connection), try CommitState(connection), try self.plan(connection))
    }
    guard found.layout.isIdentical(to: previous.layout), found.history == previous.history else { return .outrun }
    if let error = plan.error(ofStore: opener.name) { throw error }
    var migrator = TableMigrator(connection, mapping, sql, model, keepsOldTables: !steps.isEmpty)
    try translated { () throws(PostgreSQLError) in
      try migrator.run()
      try description.write(connection)
      if !mapping.keepsTables || !steps.isEmpty {
        // No context may continue from an older state.
        try connection.execute("DELETE FROM \"_graft_log\"")
        try CommitLog.append(connection, state.latest + 1, nil)
        try connection.execute("UPDATE \"_graft_state\" SET \"generation\" = \"generation\" + 1")
      }
    }
    if !steps.isEmpty { try runSteps(connection, migrator.old, description) }
    try translated { () throws(PostgreSQLError) in try migrator.finish() }
    return .migrated
  }

  /// Runs the steps of the program, and checks all objects afterwards. The steps read the old tables, which were set aside, and write the
  /// new tables, using the migrating connection.
  private func runSteps(
    _ connection: PostgreSQLConnection, _ oldTables: SQLSchema, _ description: StoreDescription
  ) throws(StoreError) {
    guard let oldModel = ManagedObjectModel.former(previous.model, of: mapping.old, name: opener.name) else {
      throw opener.refusal(.damagedStore, "the model in its description cannot be read; restore it from a backup")
    }
    let generation = try translated { () throws(PostgreSQLError) in try CommitState(connection).generation }
    let shared = MigrationConnection(connection)
    // A context that a step has kept must no longer use the connection.
    defer { shared.retire() }
    func store(_ schema: StoreSchema, _ sql: SQLSchema, isReadOnly: Bool) -> PostgreSQLStore {
      var options = opener.options
      (options.isReadOnly, options.migrations) = (isReadOnly, [])
      let opened = StoreOpener.Result(
        schema: schema, sql: sql, generation: generation, latestStep: description.history.latestStep, hasTokens: true)
      return PostgreSQLStore(opened, .migration(shared), opener.name, options)
    }
    try steps.run(
      from: store(StoreSchema(oldModel), oldTables, isReadOnly: true),
      to: store(StoreSchema(model), sql, isReadOnly: false), mapping, storeName: opener.name)
    let violation = try translated { () throws(PostgreSQLError) in
      try connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
      return try MigrationSteps.check(
        PostgreSQLFacts(connection: connection, sql: sql), sql.layout, model, storeName: opener.name)
    }
    if let violation { throw violation }
  }

  private func translated<Value>(_ body: () throws(PostgreSQLError) -> Value) throws(StoreError) -> Value {
    do throws(PostgreSQLError) {
      return try body()
    } catch {
      throw error.storeError(opener.name, "migrated")
    }
  }
}
