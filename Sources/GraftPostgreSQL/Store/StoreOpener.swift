import Graft
import GraftSQL

/// Opens the tables of a store, and creates or migrates them if needed.
struct StoreOpener {
  let model: ManagedObjectModel
  let options: PostgreSQLStore.Options
  /// The connections of the store.
  let pool: ConnectionPool
  private let string: ConnectionString
  /// The name of the database, without credentials.
  let name: String

  /// An open store.
  struct Result {
    let schema: StoreSchema
    let sql: SQLSchema
    let generation: Int64
    /// The latest version to which the program's steps moved the data.
    let latestStep: String?
    /// Whether commits have tokens.
    let hasTokens: Bool
  }

  init(_ url: String, model: ManagedObjectModel, options: PostgreSQLStore.Options) {
    self.model = model
    self.options = options
    string = ConnectionString(url)
    pool = StoreOpener.pool(string, options)
    name = string.description
  }

  private static func settings(_ options: PostgreSQLStore.Options) -> ConnectionOptions {
    var settings = ConnectionOptions()
    settings.callTimeout = options.callTimeout
    settings.lockTimeout = options.lockTimeout
    settings.libraryPath = options.libraryPath
    return settings
  }

  static func pool(_ string: ConnectionString, _ options: PostgreSQLStore.Options) -> ConnectionPool {
    var limits = PoolOptions()
    // Enough for all readers that move to a newer state, for commits and for short reads, so no caller that holds a connection waits for
    // another connection.
    limits.limit = 3 * max(1, options.maximumReaders) + 4
    limits.waitingTime = options.waitingTime
    return ConnectionPool(string, settings(options), limits)
  }

  func open() throws(StoreError) -> Result {
    try MigrationSteps.check(options.migrations, model, storeName: name)
    let schema = StoreSchema(model)
    let sql = SQLSchema(StoreLayout(schema))
    return try withConnection { connection throws(StoreError) in
      try translated(connection, check)
      if try !translated(connection, StoreOpener.hasTables) {
        if options.isReadOnly { throw refusal(.unavailableStore, "it does not contain the tables of a store") }
        try translated(connection) { connection throws(PostgreSQLError) in try create(connection, sql) }
      }
      if !options.isReadOnly { try translated(connection, CommitLog.addTokens) }
      return try compare(connection, schema, sql)
    }
  }

  // MARK: The server

  /// The oldest supported server version.
  private static let oldestVersion = 130_000

  private func check(_ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    if connection.serverVersion < StoreOpener.oldestVersion {
      throw PostgreSQLError(
        .other, "the server has version \(connection.serverVersion / 10_000); PostgreSQL 13 or later is required")
    }
    guard connection.parameter("server_encoding") == "UTF8" else {
      throw PostgreSQLError(
        .other,
        "the database has encoding \(connection.parameter("server_encoding") ?? "unknown"), which cannot represent all text; create it with 'createdb --encoding UTF8 --template template0'"
      )
    }
  }

  /// Returns whether the database has the tables of a store.
  static func hasTables(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> Bool {
    // Do not use 'to_regclass', which may remember that there was no table before another program created it.
    try connection.integer(
      "SELECT 1::bigint FROM pg_class WHERE relname = '_graft_state' AND pg_table_is_visible(oid)") != nil
  }

  // MARK: New stores

  /// The number of the lock that programs take while they create tables.
  private static let lock: Int64 = 0x4772_6674

  private func create(_ connection: PostgreSQLConnection, _ sql: SQLSchema) throws(PostgreSQLError) {
    try connection.transaction { () throws(PostgreSQLError) in
      try connection.execute("SELECT pg_advisory_xact_lock(\(StoreOpener.lock))")
      // Another program may have created the tables in the meantime.
      if try StoreOpener.hasTables(connection) { return }
      do throws(PostgreSQLError) {
        for statement in SQLSchema.commonTables + sql.definitions { try connection.execute(statement) }
        for key in sql.references { try connection.execute(key.foreignKey) }
      } catch {
        guard error.sqlState == "42P07" else { throw error }
        throw PostgreSQLError(
          .other,
          "\(error.message), but was not created by a store; choose another schema with 'options=-csearch_path%3DNAME' in the URL"
        )
      }
      try StoreOpener.addNumbers(connection, sql.tables)
      let steps = MigrationSteps(ofNewStore: options.migrations, model).kinds
      try StoreDescription(model, layout: sql.layout, steps: steps).write(connection)
    }
  }

  /// Makes the row numbers of new tables begin at 1.
  static func addNumbers(_ connection: PostgreSQLConnection, _ tables: [SQLTable]) throws(PostgreSQLError) {
    var parameters = Parameters()
    try parameters.append(tables.map(\.name))
    try connection.run(
      "INSERT INTO \"_graft_numbers\" SELECT t, 0 FROM unnest($1) AS t ON CONFLICT DO NOTHING", parameters)
  }

  // MARK: Existing stores

  /// Compares the tables with the store's own description, and that description with the model. Migrates the store if they differ.
  private func compare(
    _ connection: PostgreSQLConnection, _ schema: StoreSchema, _ sql: SQLSchema
  ) throws(StoreError) -> Result {
    // Another program may migrate the store between two reads. In that case, the store is compared again.
    for _ in 1...5 {
      let (description, layout, state) = try described(connection, sql)
      if options.isReadOnly {
        let hasTokens = try translated(connection, CommitLog.hasTokens)
        return try readOnly(description, schema, sql, state, hasTokens: hasTokens)
      }
      let migration = Migration(from: layout, description, to: sql, self)
      let wanted = description.followed(by: model, layout: sql.layout, steps: migration.steps.kinds)
      var outcome = Migration.Outcome.migrated
      if description != wanted { outcome = try migration.run(connection, wanted, state) }
      if outcome == .outrun { continue }
      let isCurrent = outcome == .migrated
      if isCurrent {
        // If the indexes cannot be created now, the store still works.
        try? sql.addMissingIndexes(connection)
      }
      let now = try translated(connection) { connection throws(PostgreSQLError) in try CommitState(connection) }
      return Result(
        schema: schema, sql: sql, generation: now.generation,
        latestStep: isCurrent ? wanted.history.latestStep : description.history.latestStep, hasTokens: true)
    }
    throw refusal(.unavailableStore, "other programs keep migrating it; open it again")
  }

  private func readOnly(
    _ description: StoreDescription, _ schema: StoreSchema, _ sql: SQLSchema, _ state: CommitState, hasTokens: Bool
  ) throws(StoreError) -> Result {
    guard description.hasLayout(sql.layout) else {
      throw refusal(
        .incompatibleModel,
        "it was written with another version of the model, and read-only stores are not migrated; open it once without 'isReadOnly', run 'graft store migrate', or use the model that it was written with"
      )
    }
    if let reason = description.history.stepRefusal(version: model.contents.version ?? "") {
      throw refusal(.incompatibleModel, reason)
    }
    let steps = MigrationSteps(options.migrations, model, from: description.history)
    if let first = steps.first {
      throw refusal(
        .incompatibleModel,
        "\(first) has not run, and read-only stores are not migrated; open it once without 'isReadOnly'"
      )
    }
    return Result(
      schema: schema, sql: sql, generation: state.generation, latestStep: description.history.latestStep,
      hasTokens: hasTokens)
  }

  /// Reads the store's own description, which must match its tables.
  func described(
    _ connection: PostgreSQLConnection, _ sql: SQLSchema
  ) throws(StoreError) -> (StoreDescription, StoreLayout, CommitState) {
    try translated(connection) { connection throws(PostgreSQLError) in
      try connection.transaction(.repeatableRead, .readOnly, locking: CommitState.locks) {
        () throws(PostgreSQLError) in
        let state = try CommitState(connection)
        let format = try connection.integer("SELECT \"format\" FROM \"_graft_state\"") ?? 0
        guard format == SQLSchema.formatVersion else {
          throw PostgreSQLError(
            .other, "it was written by a newer version of the library (format \(format)); update the program")
        }
        let description = try StoreDescription(connection)
        guard let layout = description.isLayout(sql.layout) ? sql.layout : StoreLayout(text: description.layout)
        else { throw .damage("the description of the store, in table '_graft', cannot be read") }
        let stored = description.isLayout(sql.layout) ? sql : SQLSchema(layout)
        let differences = try stored.differences(in: connection)
        guard differences.isEmpty else {
          throw .damage(differences.prefix(3).joined(separator: "; ") + (differences.count > 3 ? "; and more" : ""))
        }
        return (description, layout, state)
      }
    }
  }

  /// Returns what opening the store would change, without changing anything.
  func plan() throws(StoreError) -> StoreMigrationPlan {
    try withConnection { connection throws(StoreError) in
      guard try translated(connection, StoreOpener.hasTables) else { return StoreMigrationPlan() }
      let sql = SQLSchema(StoreLayout(StoreSchema(model)))
      let (description, layout, _) = try described(connection, sql)
      let migration = Migration(from: layout, description, to: sql, self)
      guard !description.isLayout(sql.layout) || !migration.steps.isEmpty else { return StoreMigrationPlan() }
      try migration.checkDescent()
      return try translated(connection) { connection throws(PostgreSQLError) in
        try connection.transaction(.repeatableRead, .readOnly, locking: CommitState.locks) {
          () throws(PostgreSQLError) in
          try migration.plan(connection)
        }
      }
    }
  }

  // MARK: Errors

  func refusal(_ code: DiagnosticCode, _ reason: String) -> StoreError {
    StoreError(code, "the store '\(name)' cannot be opened: \(reason)")
  }

  /// Calls a closure with a separate connection. A migration may take longer than the calls of contexts.
  func withConnection<Value>(
    _ body: (PostgreSQLConnection) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    var settings = StoreOpener.settings(options)
    settings.callTimeout = nil
    let connection: PostgreSQLConnection
    do throws(PostgreSQLError) {
      connection = try PostgreSQLConnection(string, settings)
    } catch {
      throw error.storeError(name, "opened")
    }
    defer { connection.close() }
    return try body(connection)
  }

  func translated<Value>(
    _ connection: PostgreSQLConnection, _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Value
  ) throws(StoreError) -> Value {
    do throws(PostgreSQLError) {
      return try body(connection)
    } catch {
      throw error.storeError(name, "opened")
    }
  }
}
