import CSQLite
import Graft
import GraftSQL

/// Makes the tables of a new layout out of those of an old one.
///
///     old tables that differ → renamed      new tables → created, filled, indexed      renamed tables → dropped
///
/// Rows keep their numbers and versions. They are read and written as usual, so damage is found, and digests are computed
/// again.
struct TableMigrator {
  private static let rowsPerBatch = 1000

  private let connection: SQLiteConnection
  private let mapping: LayoutMapping
  private let old: SQLSchema
  private let new: SQLSchema
  private let model: ManagedObjectModel
  /// By old table, the rows of entities that were removed.
  private var removedRows: [Int: Set<Int64>] = [:]

  init(_ connection: SQLiteConnection, _ mapping: LayoutMapping, _ new: SQLSchema, _ model: ManagedObjectModel) {
    self.connection = connection
    self.mapping = mapping
    old = SQLSchema(mapping.old)
    self.new = new
    self.model = model
  }

  /// Whether tables are created again, or removed. New tables alone rewrite nothing.
  var rewrites: Bool {
    let tables = Set(new.tables.filter(isSame).compactMap { mapping.oldTable(of: $0.number) })
    let links = Set(new.links.filter(isSame).compactMap { mapping.oldLinks(of: $0.number)?.links })
    return tables.count < old.tables.count || links.count < old.links.count
  }

  mutating func run() throws(SQLiteError) {
    for table in new.tables { try findRemovedRows(table) }
    let tables = new.tables.filter { !isSame($0) }
    let links = new.links.filter { !isSame($0) }
    let keptTables = Set(new.tables.filter(isSame).compactMap { mapping.oldTable(of: $0.number) })
    let keptLinks = Set(new.links.filter(isSame).compactMap { mapping.oldLinks(of: $0.number)?.links })
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
    for table in tables { try connection.execute(table.definition) }
    for link in links { try connection.execute(link.definition) }
    for table in tables { try fill(table) }
    for link in links { try fill(link) }
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

  /// Drops the declared indexes that tables no longer have while their rows stay, and returns those that are new there.
  private func dropDeclaredIndexes(of keptTables: Set<Int>) throws(SQLiteError) -> [SQLItem] {
    let former = Set(old.tables.filter { keptTables.contains($0.number) }.flatMap(\.declaredIndexes))
    let wanted = Set(new.tables.filter(isSame).flatMap(\.declaredIndexes))
    for index in former.subtracting(wanted) {
      try connection.execute("DROP INDEX IF EXISTS \(SQLName.quoted(index.name))")
    }
    return wanted.subtracting(former).sorted()
  }

  // MARK: Indexes of other tools

  /// Drops the added indexes of tables that are created again, and those whose names are needed.
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

  private func setAsideName(table: Int) -> String { "_graft_old_table_\(table)" }
  private func setAsideName(links: Int) -> String { "_graft_old_links_\(links)" }

  /// Renames a table, and drops its indexes.
  private func setAside(_ name: String, _ items: [SQLItem], as newName: String) throws(SQLiteError) {
    for item in items where item.kind == "index" {
      try connection.execute("DROP INDEX IF EXISTS \(SQLName.quoted(item.name))")
    }
    try connection.execute("ALTER TABLE \(SQLName.quoted(name)) RENAME TO \(SQLName.quoted(newName))")
  }

  /// The transaction leaves a sound store.
  private func check() throws(SQLiteError) {
    let differences = try new.differences(in: connection)
    guard differences.isEmpty else {
      throw SQLiteError(
        code: SQLITE_INTERNAL, message: "the migration did not create the intended tables: \(differences[0])")
    }
    try connection.checkAllReferences()
  }

  // MARK: What stays

  /// Whether the rows of a table already fit the new layout.
  private func isSame(_ table: SQLTable) -> Bool {
    guard let number = mapping.oldTable(of: table.number) else { return false }
    let former = old.tables[number]
    return old.items(ofTable: number, hasDeclared: false) == new.items(ofTable: table.number, hasDeclared: false)
      && former.layout.entities == table.layout.entities
      && former.layout.columns.map(\.name) == table.layout.columns.map(\.name)
      && zip(former.layout.columns, table.layout.columns).allSatisfy(isSame)
      && !refersToRemovedRows(former)
      && former.layout.entities.allSatisfy { mapping.entities[$0] == $0 }
      && !table.layout.columns.contains { $0.properties.contains(where: mapping.requiredNow.contains) }
  }

  private func isSame(_ old: StoreLayout.Column, _ new: StoreLayout.Column) -> Bool {
    switch (old.content, new.content) {
    case (.attribute(let a), .attribute(let b)): a == b && isSame(old.properties, new.properties)
    case (.reference, .reference): isSame(old.properties, new.properties)
    case (.position(let a), .position(let b)): a == b && isSame(old.properties, new.properties)
    default: false
    }
  }

  /// Whether a column contains the same properties as before: a new column with the name of a removed one is different.
  private func isSame(_ old: [String], _ new: [String]) -> Bool {
    old == new && new.allSatisfy { mapping.properties[$0] == $0 }
  }

  private func refersToRemovedRows(_ former: SQLTable) -> Bool {
    removedRows[former.number] != nil || former.references.contains { removedRows[$0.table] != nil }
  }

  private func isSame(_ links: SQLLinkTable) -> Bool {
    guard let (number, isSwapped) = mapping.oldLinks(of: links.number), !isSwapped else { return false }
    let former = old.links[number]
    return old.items(ofLinks: number) == new.items(ofLinks: links.number)
      && removedRows[former.layout.ownerTable] == nil && removedRows[former.layout.memberTable] == nil
  }

  /// Rows of sub-entities that were removed while their hierarchy stays.
  private mutating func findRemovedRows(_ table: SQLTable) throws(SQLiteError) {
    guard let number = mapping.oldTable(of: table.number) else { return }
    let positions = mapping.entityPositions(from: number, to: table.number)
    let removed = positions.indices.filter { positions[$0] == nil }
    guard !removed.isEmpty, let condition = SQLTable.entityCondition(removed, old.tables[number].layout) else { return }
    let sql = "SELECT \"_id\" FROM \(SQLName.quoted(old.tables[number].name)) WHERE \(condition)"
    removedRows[number] = try connection.using(sql) { statement throws(SQLiteError) in
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
    let inserter = RowInserter(connection: connection, table: table, numbers: RowNumbers())
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

  /// Numbers of rows that were deleted before are not used again.
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

  private func fill(_ links: SQLLinkTable) throws(SQLiteError) {
    guard let (number, isSwapped) = mapping.oldLinks(of: links.number) else { return try fillFromReferences(links) }
    let former = old.links[number].layout
    let sides = isSwapped ? [former.memberColumn, former.ownerColumn] : [former.ownerColumn, former.memberColumn]
    var columns = sides.map { "t." + SQLName.quoted($0) }
    let position = isSwapped ? "inverse_position" : "position"
    let inverse = isSwapped ? "position" : "inverse_position"
    if links.layout.isOrdered {
      columns.append(old.links[number].columns.contains(position) ? "t.\"\(position)\"" : "0")
    }
    if links.layout.isInverseOrdered {
      columns.append(old.links[number].columns.contains(inverse) ? "t.\"\(inverse)\"" : "0")
    }
    let tables = [links.layout.ownerTable, links.layout.memberTable].map { SQLName.quoted(new.tables[$0].name) }
    try connection.execute(
      """
      INSERT INTO \(SQLName.quoted(links.name)) (\(SQLName.list(links.columns))) \
      SELECT \(columns.joined(separator: ", ")) FROM \(SQLName.quoted(setAsideName(links: number))) AS t \
      WHERE \(columns[0]) IN (SELECT "_id" FROM \(tables[0])) AND \(columns[1]) IN (SELECT "_id" FROM \(tables[1])) \
      ORDER BY 1, 2
      """)
  }

  /// The references of a to-one become the links of a to-many.
  private func fillFromReferences(_ links: SQLLinkTable) throws(SQLiteError) {
    guard let former = mapping.oldReference(of: links.number) else { return }
    let table = old.tables[former.table]
    func column(_ number: Int) -> String { "t." + SQLName.quoted(table.layout.columns[number].name) }
    let ends = ["t.\"_id\"", column(former.column)]
    let position = former.position.map { "coalesce(\(column($0)), 0)" } ?? "0"
    var columns = former.isSwapped ? [ends[1], ends[0]] : ends
    if links.layout.isOrdered { columns.append(former.isSwapped ? position : "0") }
    if links.layout.isInverseOrdered { columns.append(former.isSwapped ? "0" : position) }
    let tables = [links.layout.ownerTable, links.layout.memberTable].map { SQLName.quoted(new.tables[$0].name) }
    let condition = SQLTable.entityCondition(former.entities, table.layout).map { "t.\($0) AND " } ?? ""
    try connection.execute(
      """
      INSERT INTO \(SQLName.quoted(links.name)) (\(SQLName.list(links.columns))) \
      SELECT \(columns.joined(separator: ", ")) FROM \(SQLName.quoted(setAsideName(table: former.table))) AS t \
      WHERE \(condition)\(columns[0]) IN (SELECT "_id" FROM \(tables[0])) \
      AND \(columns[1]) IN (SELECT "_id" FROM \(tables[1])) ORDER BY 1, 2
      """)
  }
}
