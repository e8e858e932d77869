public import Graft
import GraftSQL

/// Opens a store without its model file, empties it, removes it, and plans its migration.
extension PostgreSQLStore {
  /// Opens a store with the model that wrote it last.
  ///
  ///     let store = try PostgreSQLStore("postgresql://localhost/shop")
  ///     let context = ManagedObjectContext(store: store)
  ///
  /// - Parameters:
  ///   - url: the database, whose tables must exist.
  ///   - transformers: the transformers and mappers that the model names.
  ///   - classes: the classes of the objects; see `ManagedObjectModel`.
  ///   - options: the options.
  /// - Throws: if there is no store, its model cannot be loaded with these transformers and classes, or the store cannot be opened.
  public convenience init(
    _ url: String, transformers: TransformerRegistry = .standard, classes: [ManagedObject.Type] = [],
    options: Options = Options()
  ) throws(StoreError) {
    var text = try PostgreSQLStore.modelText(of: url, options: options)
    while true {
      let model = try PostgreSQLStore.model(text, of: url, transformers, classes)
      do throws(StoreError) {
        let opener = StoreOpener(url, model: model, options: options)
        self.init(try opener.open(), .pool(opener.pool), opener.name, options)
        return
      } catch {
        // Another program may have migrated the store in the meantime.
        let current = try PostgreSQLStore.modelText(of: url, options: options)
        if current == text { throw error }
        text = current
      }
    }
  }

  private static func model(
    _ text: String, of url: String, _ transformers: TransformerRegistry, _ classes: [ManagedObject.Type]
  ) throws(StoreError) -> ManagedObjectModel {
    let name = ConnectionString(url).description
    do throws(ModelError) {
      return try ManagedObjectModel(
        text: text, name: "the model of '\(name)'", transformers: transformers, classes: classes)
    } catch {
      throw StoreError(
        [
          Diagnostic(
            code: .incompatibleModel,
            "the store '\(name)' cannot be opened with the model that wrote it; open it with a model file")
        ] + error.diagnostics)
    }
  }

  /// Returns the text of the model file that the store was last written with.
  ///
  /// - Throws: if the database has no store, or the store is damaged.
  public static func modelText(of url: String, options: Options = Options()) throws(StoreError) -> String {
    try withConnection(url, options, "read") { connection throws(PostgreSQLError) in
      guard try StoreOpener.hasTables(connection) else {
        throw PostgreSQLError(.other, "it does not contain the tables of a store")
      }
      return try StoreDescription(connection).model
    }
  }

  /// Returns the changes that opening a store with a model would make. The store is not changed.
  ///
  /// - Parameters:
  ///   - url: the database.
  ///   - model: the model with which the store would be opened.
  ///   - options: the options for opening the store. Removals listed in ``Options/allowedRemovals`` are not refused.
  /// - Throws: if the store cannot be opened for reasons other than its model.
  public static func migrationPlan(
    _ url: String, to model: ManagedObjectModel, options: Options = Options()
  ) throws(StoreError) -> StoreMigrationPlan { try StoreOpener(url, model: model, options: options).plan() }

  /// Returns whether a database has the tables of a store.
  public static func exists(_ url: String, options: Options = Options()) throws(StoreError) -> Bool {
    try withConnection(url, options, "read") { connection throws(PostgreSQLError) in
      try StoreOpener.hasTables(connection)
    }
  }

  /// Removes the tables of a store, with all objects. Other tables are kept. If the store has no tables, this method does nothing.
  ///
  /// - Throws: if a context of any program reads the store, or the tables cannot be removed. The tables are then unchanged.
  public static func remove(_ url: String, options: Options = Options()) throws(StoreError) {
    try withConnection(url, options, "removed") { connection throws(PostgreSQLError) in
      try remove(connection, onlyIfUnused: false, waiting: options.lockTimeout)
    }
  }

  /// Removes the tables of a store without commits.
  package static func removeIfUnused(_ url: String, options: Options = Options()) {
    try? withConnection(url, options, "removed") { connection throws(PostgreSQLError) in
      try remove(connection, onlyIfUnused: true, waiting: .milliseconds(500))
    }
  }

  private static func remove(
    _ connection: PostgreSQLConnection, onlyIfUnused: Bool, waiting: Duration
  ) throws(PostgreSQLError) {
    guard try StoreOpener.hasTables(connection) else { return }
    try connection.exclusiveTransaction(waiting: waiting) { () throws(PostgreSQLError) in
      if onlyIfUnused, try CommitState(connection).latest > 0 { return }
      guard let layout = StoreLayout(text: try StoreDescription(connection).layout) else {
        throw .damage("the description of the store, in table '_graft', cannot be read")
      }
      let sql = SQLSchema(layout)
      let tables = sql.links.map(\.name) + sql.tables.map(\.name) + sql.dialect.commonTables
      // The tables are dropped in one statement, because they refer to each other.
      try connection.execute("DROP TABLE \(SQLName.list(tables))")
    }
  }

  private static func withConnection<Result>(
    _ url: String, _ options: Options, _ action: String,
    _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result
  ) throws(StoreError) -> Result {
    let string = ConnectionString(url)
    do throws(PostgreSQLError) {
      return try StoreOpener.pool(string, options).withConnection(body)
    } catch {
      throw error.storeError(string.description, action)
    }
  }

  /// Deletes all objects in one commit, regardless of their delete rules.
  ///
  /// Contexts treat the deletion like any other commit: they merge it, or report a conflict if they have changed deleted objects. The call
  /// takes time in proportion to the size of the store. The numbers of deleted objects are not used again.
  ///
  /// - Throws: the same errors as a commit. In that case, nothing is deleted.
  public func removeAll() throws(StoreError) {
    try withConnection("written") { connection throws(PostgreSQLError) in
      if options.isReadOnly { throw CommitWriter.readOnly }
      try connection.transaction(followedBy: CommitNotification.sql) { () throws(PostgreSQLError) in
        let state = try CommitState(connection, isLocked: true)
        try check(state, connection)
        for links in sql.links { try connection.execute("DELETE FROM \(SQLName.quoted(links.name))") }
        for table in sql.tables { try connection.execute("DELETE FROM \(SQLName.quoted(table.name))") }
        try CommitLog.append(connection, state.latest + 1, nil)
      }
    }
  }

  // MARK: Checking

  /// Looks for damage: tables that another program has changed, values that stores never write, and one-to-one relationships that
  /// contradict each other.
  ///
  ///     for finding in try store.verify() { print(finding) }
  ///
  /// The whole store is read. To find damage on the disk, PostgreSQL has checksums (`initdb --data-checksums`) and `pg_amcheck`.
  ///
  /// - Parameter limit: the maximum number of findings.
  /// - Returns: the findings; empty for an undamaged store.
  /// - Throws: if the store cannot be read to its end for reasons other than damage.
  public func verify(limit: Int = 100) throws(StoreError) -> [Diagnostic] {
    try withConnection("verified") { connection throws(PostgreSQLError) in
      try connection.transaction(.repeatableRead, .readOnly, locking: CommitState.locks) {
        () throws(PostgreSQLError) in
        let state = try CommitState(connection)
        try check(state, connection)
        var verifier = StoreVerifier(connection, sql, latest: state.latest, limit: max(1, limit))
        try verifier.run()
        return verifier.findings
      }
    }
  }
}
