import CSQLite
import Graft
import GraftSQL

/// Creates the tables of a new layout from the tables of an old layout.
///
///     old tables that differ → renamed      new tables → created, filled, indexed      renamed tables → dropped
///
/// Rows keep their numbers and versions. Rows are read and written as usual, so damage is found, and digests are computed again.
struct TableMigrator {
  private static let rowsPerBatch = 1000

  private let connection: SQLiteConnection
  private let mapping: LayoutMapping
  private let old: SQLSchema
  private let new: SQLSchema
  private let model: ManagedObjectModel
  /// For each old table, the rows of entities that were removed.
  private var removedRows: [Int: Set<Int64>] = [:]
  private let prefix: String

  init(_ connection: SQLiteConnection, _ mapping: LayoutMapping, _ new: SQLSchema, _ model: ManagedObjectModel) {
    self.connection = connection
    self.mapping = mapping
    old = SQLSchema(mapping.old)
    self.new = new
    self.model = model
    prefix = SQLSchema.setAsidePrefix(old, new)
  }

  /// Whether tables are created again, or removed. If tables are only added, no data is rewritten.
  var rewrites: Bool {
    kept.tables.count < old.tables.count || kept.links.count < old.links.count
  }

  mutating func run() throws(SQLiteError) {
    for table in new.tables { try findRemovedRows(table) }
    let kept = kept
    let tables = new.tables.filter { !kept.contains($0) }
    let links = new.links.filter { !kept.contains($0) }
    let (keptTables, keptLinks) = (kept.tables, kept.links)
    let oldTables = old.tables.filter { !keptTables.contains($0.number) }
    let oldLinks = old.links.filter { !keptLinks.contains($0.number) }
    let added = try dropAddedIndexes(of: Set(oldTables.map(\.name) + oldLinks.map(\.name)))
    let declared = try dropDeclaredIndexes(of: keptTables)
    for table in oldTables {
      try setAside(table.name, old.items(ofTable: table.number), as: setAsideName(table: table.number))
    }
    for link in oldLinks {
      try setAside(link.name, old.items(ofLinks: link.number), as: setAsideName(links: link.number))
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
    for link in oldLinks { try connection.execute("DROP TABLE \(SQLName.quoted(setAsideName(links: link.number)))") }
    for table in oldTables { try connection.execute("DROP TABLE \(SQLName.quoted(setAsideName(table: table.number)))") }
    try restore(added)
    try check()
  }

  // MARK: Declared indexes

  /// For the tables whose rows are kept, drops the indexes that are no longer declared, and returns the indexes that are newly declared.
  private func dropDeclaredIndexes(of keptTables: Set<Int>) throws(SQLiteError) -> [SQLItem] {
    let former = Set(old.tables.filter { keptTables.contains($0.number) }.flatMap(\.definitions.declaredIndexes))
    let wanted = Set(new.tables.filter(kept.contains).flatMap(\.definitions.declaredIndexes))
    for index in former.subtracting(wanted) {
      try connection.execute("DROP INDEX IF EXISTS \(SQLName.quoted(index.name))")
    }
    return wanted.subtracting(former).sorted()
  }

  // MARK: Indexes of other tools

  /// Drops the added indexes of tables that are created again, and the added indexes whose names are needed.
  private func dropAddedIndexes(of tables: Set<String>) throws(SQLiteError) -> [SQLSchema.AddedIndex] {
    let names = Set(new.items.map { $0.name.lowercased() })
    let added = try old.addedIndexes(in: connection).filter {
      tables.contains($0.table) || names.contains($0.name.lowercased())
    }
    for index in added { try connection.execute("DROP INDEX \(SQLName.quoted(index.name))") }
    return added
  }

  /// Creates added indexes again, except those whose names, tables or columns are no longer available.
  private func restore(_ indexes: [SQLSchema.AddedIndex]) throws(SQLiteError) {
    for index in indexes {
      do throws(SQLiteError) {
        try connection.execute(index.sql)
      } catch {
        guard error.primaryCode == SQLITE_ERROR || error.primaryCode == SQLITE_CONSTRAINT else { throw error }
      }
    }
  }

  // MARK: Tables that are replaced

  private func setAsideName(table: Int) -> String { "\(prefix)table_\(table)" }
  private func setAsideName(links: Int) -> String { "\(prefix)links_\(links)" }

  /// Renames a table, and drops its indexes.
  private func setAside(_ name: String, _ items: [SQLItem], as newName: String) throws(SQLiteError) {
    for item in items where item.kind == "index" {
      try connection.execute("DROP INDEX IF EXISTS \(SQLName.quoted(item.name))")
    }
    try connection.execute("ALTER TABLE \(SQLName.quoted(name)) RENAME TO \(SQLName.quoted(newName))")
  }

  /// Checks that the transaction leaves a sound store.
  private func check() throws(SQLiteError) {
    let differences = try new.differences(in: connection)
    guard differences.isEmpty else {
      throw SQLiteError(
        code: SQLITE_INTERNAL, message: "the migration did not create the intended tables: \(differences[0])")
    }
    try connection.checkAllReferences()
  }

  // MARK: What stays

  private var kept: KeptTables { KeptTables(mapping, old: old, new: new, removedRows: removedRows) }

  /// Finds the rows of sub-entities that were removed although their hierarchy remains.
  private mutating func findRemovedRows(_ table: SQLTable) throws(SQLiteError) {
    guard let (number, select) = mapping.removedRows(of: table, in: old) else { return }
    removedRows[number] = try connection.using(select) { statement throws(SQLiteError) in
      var ids: Set<Int64> = []
      while try statement.step() { ids.insert(statement.integer(0)) }
      return ids
    }
  }

  // MARK: Rows

  private func fill(_ table: SQLTable) throws(SQLiteError) {
    guard let number = mapping.oldTable(of: table.number) else { return }
    let former = old.tables[number]
    let converter = RowConverter(mapping, from: number, to: table.number, removedRows, model.contents)
    let inserter = RowInserter(connection: connection, table: table, numbers: FinalNumbers())
    var reader = RowReader(former)
    let sql =
      "SELECT \(former.selection) FROM \(SQLName.quoted(setAsideName(table: number))) AS t ORDER BY t.\"_id\""
    try connection.using(sql) { statement throws(SQLiteError) in
      while try statement.step() {
        try reader.read(statement)
        if reader.rows.count == TableMigrator.rowsPerBatch {
          try inserter.insert(converter.converted(reader.rows))
          reader.removeAll()
        }
      }
      try inserter.insert(converter.converted(reader.rows))
    }
    try keepNumbers(table, setAsideName(table: number))
  }

  /// Prevents the numbers of rows that were deleted before the migration from being used again.
  private func keepNumbers(_ table: SQLTable, _ oldName: String) throws(SQLiteError) {
    let used = try connection.using("SELECT \"seq\" FROM \"sqlite_sequence\" WHERE \"name\" = ?") {
      statement throws(SQLiteError) -> Int64 in
      try statement.bind(oldName, at: 1)
      return try statement.step() ? statement.integer(0) : 0
    }
    guard used > 0 else { return }
    for sql in [
      "DELETE FROM \"sqlite_sequence\" WHERE \"name\" = ?1 AND ?2 > 0",
      "INSERT INTO \"sqlite_sequence\" VALUES (?1, ?2)",
    ] {
      try connection.using(sql) { statement throws(SQLiteError) in
        try statement.bind(table.name, at: 1)
        try statement.bind(used, at: 2)
        try statement.run()
      }
    }
  }

  // MARK: Links

  /// - Parameters:
  ///   - keptTables: the old tables that are kept under their names.
  ///   - keptLinks: the old tables of links that are kept under their names. A kept table may fill another table, because a
  ///     relationship may lose its inverse.
  private func fill(_ links: SQLLinkTable, _ keptTables: Set<Int>, _ keptLinks: Set<Int>) throws(SQLiteError) {
    let migration = LinkMigration(
      mapping, old: old, new: new,
      tableName: { keptTables.contains($0) ? old.tables[$0].name : setAsideName(table: $0) },
      linksName: { keptLinks.contains($0) ? old.links[$0].name : setAsideName(links: $0) })
    if let statement = migration.statement(for: links) { try connection.execute(statement) }
  }
}
