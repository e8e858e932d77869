import Graft
import GraftSQL

/// Creates the tables of a new layout from the tables of an old layout.
///
///     old tables that differ → renamed      new tables → created, filled, indexed      renamed tables → dropped
///
/// Rows keep their numbers and versions. Foreign keys of replaced tables, and foreign keys that refer to them, are removed first
/// and added again at the end, when the server checks them. Additions by administrators to the other tables are kept.
struct TableMigrator {
  private static let rowsPerBatch: Int64 = 10_000

  private let connection: PostgreSQLConnection
  private let mapping: LayoutMapping
  private let before: SQLSchema
  /// The old tables under the names that they have while the store is migrated.
  let old: SQLSchema
  private let new: SQLSchema
  private let model: ManagedObjectModel
  /// Whether all tables are created again, because steps read the old tables.
  private let keepsOldTables: Bool
  /// For each old table, the rows of entities that were removed.
  private var removedRows: [Int: Set<Int64>] = [:]
  /// The old tables that are dropped at the end.
  private var dropped: [String] = []
  /// The additions by administrators to the tables that are replaced.
  private var additions = TableAdditions()

  init(
    _ connection: PostgreSQLConnection, _ mapping: LayoutMapping, _ new: SQLSchema, _ model: ManagedObjectModel,
    keepsOldTables: Bool
  ) {
    self.connection = connection
    self.mapping = mapping
    before = SQLSchema(mapping.old)
    old = SQLSchema(mapping.old, prefix: SQLSchema.setAsidePrefix(before, new))
    self.new = new
    self.model = model
    self.keepsOldTables = keepsOldTables
  }

  mutating func run() throws(PostgreSQLError) {
    try stayInSchema()
    for table in new.tables { try findRemovedRows(table) }
    let numbers = try self.numbers()
    let kept = KeptTables(mapping, old: before, new: new, removedRows: removedRows)
    let tables = new.tables.filter { keepsOldTables || !kept.contains($0) }
    let links = new.links.filter { keepsOldTables || !kept.contains($0) }
    let (keptTables, keptLinks): (Set<Int>, Set<Int>) = keepsOldTables ? ([], []) : (kept.tables, kept.links)
    let replaced =
      before.tables.filter { !keptTables.contains($0.number) }.map(\.name)
      + before.links.filter { !keptLinks.contains($0.number) }.map(\.name)
    additions = try TableAdditions(connection, of: replaced, before)
    try additions.check()
    let keptNames = Set(keptTables.map { before.tables[$0].name } + keptLinks.map { before.links[$0].name })
    let keptKeys = Set(before.references.filter { keptNames.contains($0.table) && keptNames.contains($0.target) })
      .intersection(new.references)
    try dropForeignKeys(before.references.filter { !keptKeys.contains($0) })
    let declared = try dropDeclaredIndexes(of: keptTables)
    for table in before.tables where !keptTables.contains(table.number) {
      try setAside(before.items(ofTable: table.number), as: old.items(ofTable: table.number))
    }
    for link in before.links where !keptLinks.contains(link.number) {
      try setAside(before.items(ofLinks: link.number), as: old.items(ofLinks: link.number))
    }
    for table in tables { try connection.execute(table.definitions.table) }
    for link in links { try connection.execute(link.definition) }
    for table in tables { try fill(table) }
    for link in links { try fill(link, keptTables, keptLinks) }
    for table in tables {
      for index in new.items(ofTable: table.number) where index.kind == "index" { try connection.execute(index.sql) }
    }
    for link in links { try connection.execute(link.index.sql) }
    for index in declared { try connection.execute(index.sql) }
    try write(numbers)
    for key in new.references where !keptKeys.contains(key) { try connection.execute(key.foreignKey) }
    try connection.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
  }

  /// Drops the old tables, unless something else depends on them, such as a view.
  func finish() throws(PostgreSQLError) {
    if !dropped.isEmpty { try connection.execute("DROP TABLE \(SQLName.list(dropped))") }
    try giveToOwner()
    try additions.restore(connection, newNames)
    let differences = try new.differences(in: connection)
    guard differences.isEmpty else {
      throw PostgreSQLError(.other, "the migration did not create the intended tables: \(differences[0])")
    }
  }

  /// The new names of tables, by their old names.
  private var newNames: [String: String] {
    var names: [String: String] = [:]
    for table in new.tables {
      if let number = mapping.oldTable(of: table.number) { names[before.tables[number].name] = table.name }
    }
    for links in new.links {
      if let (number, _) = mapping.oldLinks(of: links.number) { names[before.links[number].name] = links.name }
    }
    return names
  }

  // MARK: Schema and owner

  /// Creates new tables in the schema of the store, even if another schema is now first in the search path.
  private func stayInSchema() throws(PostgreSQLError) {
    try connection.execute(
      """
      SELECT set_config('search_path', relnamespace::regnamespace || ', ' || current_setting('search_path'), true) \
      FROM pg_class WHERE oid = '\(CommitState.table)'::regclass
      """)
  }

  /// Makes the owner of the store the owner of new tables, even if another user migrates the store.
  private func giveToOwner() throws(PostgreSQLError) {
    let owner = try connection.text(
      """
      SELECT quote_ident(r.rolname) FROM pg_class AS c JOIN pg_roles AS r ON r.oid = c.relowner \
      WHERE c.oid = '\(CommitState.table)'::regclass AND r.rolname <> current_user
      """)
    guard let owner else { return }
    for table in new.tables.map(\.name) + new.links.map(\.name) {
      try connection.execute("ALTER TABLE \(SQLName.quoted(table)) OWNER TO \(owner)")
    }
  }

  // MARK: Tables that are replaced

  /// Renames a table and its indexes.
  private mutating func setAside(_ items: [SQLItem], as others: [SQLItem]) throws(PostgreSQLError) {
    for (item, other) in zip(items, others) {
      let kind = item.kind == "table" ? "TABLE" : "INDEX IF EXISTS"
      try connection.execute("ALTER \(kind) \(SQLName.quoted(item.name)) RENAME TO \(SQLName.quoted(other.name))")
      if item.kind == "table" {
        dropped.append(other.name)
        try setKeyAside(ofTable: other.name)
      }
    }
  }

  /// Renames the primary key of a table that was set aside, so that the new table's key can have its name.
  private func setKeyAside(ofTable name: String) throws(PostgreSQLError) {
    var parameters = Parameters()
    try parameters.append(name)
    let key = try connection.text(
      """
      SELECT k.conname::text FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid \
      WHERE k.contype = 'p' AND c.relname = $1 AND pg_table_is_visible(c.oid)
      """, parameters)
    guard let key, let other = old.dialect.namesMade(forTable: name).first else { return }
    try connection.execute("ALTER INDEX \(SQLName.quoted(key)) RENAME TO \(SQLName.quoted(other))")
  }

  private func dropForeignKeys(_ references: [SQLSchema.Reference]) throws(PostgreSQLError) {
    var parameters = Parameters()
    try parameters.append(references.map(\.table))
    try parameters.append(references.map(\.column))
    try parameters.append(references.map(\.target))
    let keys = try connection.query(
      """
      SELECT c.relname::text, k.conname::text FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid \
      JOIN pg_class AS t ON t.oid = k.confrelid \
      JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = k.conkey[1] AND cardinality(k.conkey) = 1 \
      WHERE k.contype = 'f' AND pg_table_is_visible(c.oid) \
      AND (c.relname, a.attname, t.relname) IN (SELECT * FROM unnest($1::text[], $2::text[], $3::text[]))
      """, parameters
    ) { rows throws(PostgreSQLError) in
      var keys: [(String, String)] = []
      while try rows.next() { keys.append((try rows.text(0) ?? "", try rows.text(1) ?? "")) }
      return keys
    }
    for (table, key) in keys {
      try connection.execute("ALTER TABLE \(SQLName.quoted(table)) DROP CONSTRAINT \(SQLName.quoted(key))")
    }
  }

  /// For the tables whose rows are kept, drops the indexes that are no longer declared, and returns the indexes that are newly declared.
  private func dropDeclaredIndexes(of keptTables: Set<Int>) throws(PostgreSQLError) -> [SQLItem] {
    var missing: [SQLItem] = []
    for table in new.tables {
      guard let number = mapping.oldTable(of: table.number), keptTables.contains(number) else { continue }
      let former = before.tables[number].definitions.declaredIndexes
      for index in former where !table.definitions.declaredIndexes.contains(index) {
        try connection.execute("DROP INDEX IF EXISTS \(SQLName.quoted(index.name))")
      }
      missing += table.definitions.declaredIndexes.filter { !former.contains($0) }
    }
    return missing
  }

  // MARK: What stays

  /// Finds the rows of sub-entities that were removed although their hierarchy remains.
  private mutating func findRemovedRows(_ table: SQLTable) throws(PostgreSQLError) {
    guard let (number, select) = mapping.removedRows(of: table, in: before) else { return }
    removedRows[number] = try connection.query(select, isPrepared: false) { rows throws(PostgreSQLError) in
      var ids: Set<Int64> = []
      while try rows.next() { ids.insert(try rows.int64(0) ?? 0) }
      return ids
    }
  }

  // MARK: Rows

  private func fill(_ table: SQLTable) throws(PostgreSQLError) {
    guard let number = mapping.oldTable(of: table.number) else { return }
    let former = old.tables[number]
    let converter = RowConverter(mapping, from: number, to: table.number, removedRows, model.contents)
    let database = PostgreSQLDatabase(connection: connection, schema: new, mark: CommitMark())
    var last: Int64 = 0
    while true {
      var parameters = Parameters()
      try parameters.append(last)
      try parameters.append(TableMigrator.rowsPerBatch)
      let rows = try former.rows(
        connection,
        "SELECT \(former.selection) FROM \(SQLName.quoted(former.name)) AS t WHERE t.\"_id\" > $1 ORDER BY t.\"_id\" LIMIT $2",
        parameters)
      guard let next = rows.headers.last?.id else { return }
      try database.insert(converter.converted(rows), in: table, FinalNumbers())
      last = next
    }
  }

  /// Returns the highest row numbers, by old table.
  private func numbers() throws(PostgreSQLError) -> [String: Int64] {
    try connection.query("SELECT \"table\", \"last\" FROM \"_graft_numbers\"") { rows throws(PostgreSQLError) in
      var numbers: [String: Int64] = [:]
      while try rows.next() { numbers[try rows.text(0) ?? ""] = try rows.int64(1) }
      return numbers
    }
  }

  /// Prevents the numbers of rows that were deleted before the migration from being used again.
  private func write(_ numbers: [String: Int64]) throws(PostgreSQLError) {
    var parameters = Parameters()
    try parameters.append(new.tables.map(\.name))
    try parameters.append(
      new.tables.map { table in
        mapping.oldTable(of: table.number).flatMap { numbers[before.tables[$0].name] } ?? 0
      })
    try connection.execute("DELETE FROM \"_graft_numbers\"")
    try connection.run("INSERT INTO \"_graft_numbers\" SELECT * FROM unnest($1, $2)", parameters)
  }

  // MARK: Links

  /// - Parameters:
  ///   - keptTables: the old tables that are kept under their names.
  ///   - keptLinks: the old tables of links that are kept under their names. A kept table may fill another table, because a
  ///     relationship may lose its inverse.
  private func fill(_ links: SQLLinkTable, _ keptTables: Set<Int>, _ keptLinks: Set<Int>) throws(PostgreSQLError) {
    let migration = LinkMigration(
      mapping, old: old, new: new, tableName: { (keptTables.contains($0) ? before : old).tables[$0].name },
      linksName: { (keptLinks.contains($0) ? before : old).links[$0].name })
    if let statement = migration.statement(for: links) { try connection.execute(statement) }
  }
}
