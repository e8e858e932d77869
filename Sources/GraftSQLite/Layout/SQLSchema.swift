import CSQLite
import Graft

/// All tables and indexes of a store.
struct SQLSchema: Sendable {
  let layout: StoreLayout
  let tables: [SQLTable]
  let links: [SQLLinkTable]

  /// The identity of SQLite files of this library: `Grft`.
  static let applicationID: Int64 = 0x4772_6674
  /// The version of the parts that are common to all stores: the additional columns, and the tables `_graft` and `_graft_log`.
  static let formatVersion: Int64 = 1

  init(_ layout: StoreLayout) {
    let names = SQLNames(layout)
    self.layout = layout
    tables = layout.tables.indices.map { SQLTable($0, layout, names) }
    links = layout.links.indices.map { SQLLinkTable($0, layout, names) }
  }

  /// A table or an index of the database.
  struct Item: Hashable, Comparable {
    var kind: String
    var name: String
    var sql: String

    static func < (left: Item, right: Item) -> Bool { (left.kind, left.name) < (right.kind, right.name) }
  }

  /// The tables that every store has.
  static let commonTables = [
    Item(
      kind: "table", name: "_graft",
      sql: """
        CREATE TABLE "_graft" (
          "key"   TEXT PRIMARY KEY,
          "value" TEXT NOT NULL
        ) STRICT, WITHOUT ROWID
        """),
    Item(
      kind: "table", name: "_graft_log",
      sql: """
        CREATE TABLE "_graft_log" (
          "sequence" INTEGER PRIMARY KEY,
          "changes"  BLOB
        ) STRICT
        """),
  ]

  /// The statements of a hierarchy or of a table of links.
  ///
  /// - Parameter hasDeclared: whether the indexes that the model declares are among them.
  func items(ofTable number: Int, hasDeclared: Bool = true) -> [Item] {
    [Item(kind: "table", name: tables[number].name, sql: tables[number].definition)]
      + tables[number].indexes.map { Item(kind: "index", name: $0.name, sql: $0.sql) }
      + [tables[number].placeholderIndex] + (hasDeclared ? tables[number].declaredIndexes : [])
  }

  func items(ofLinks number: Int) -> [Item] {
    [
      Item(kind: "table", name: links[number].name, sql: links[number].definition),
      Item(kind: "index", name: links[number].index.name, sql: links[number].index.sql),
    ]
  }

  /// All tables and indexes, in the order in which they are created.
  var items: [Item] {
    SQLSchema.commonTables + tables.indices.flatMap { items(ofTable: $0) } + links.indices.flatMap(items(ofLinks:))
  }

  // MARK: Comparing with a database

  /// Returns what differs between a database and this schema: nothing if it is a sound store.
  ///
  /// Indexes that were added with another tool do not count as a difference, nor do declared indexes and missing indexes of
  /// placeholders, because they do not affect the content.
  func differences(in connection: SQLiteConnection) throws(SQLiteError) -> [String] {
    var expected: [String: Item] = [:]
    for item in items { expected[item.name] = item }
    for table in tables { for index in table.declaredIndexes { expected[index.name] = nil } }
    let sql = "SELECT type, name, sql FROM sqlite_schema"
    return try connection.using(sql) { statement throws(SQLiteError) in
      var differences: [String] = []
      while try statement.step() {
        let item = Item(kind: statement.text(0) ?? "", name: statement.text(1) ?? "", sql: statement.text(2) ?? "")
        if SQLSchema.isSQLites(item) { continue }
        guard let wanted = expected.removeValue(forKey: item.name) else {
          if item.kind == "index" { continue }
          differences.append(
            "there is a \(item.kind) '\(item.name)' that the store did not create")
          continue
        }
        if wanted != item {
          differences.append("the \(wanted.kind) '\(item.name)' has changed since the store created it")
        }
      }
      for table in tables { expected[table.placeholderIndex.name] = nil }
      return (differences + expected.values.map { "the \($0.kind) '\($0.name)' is missing" }).sorted()
    }
  }

  /// Creates the indexes that a database lacks and that only make queries faster, because an early version made it or another tool
  /// dropped them.
  ///
  /// - Parameter hasDeclared: whether the database has the declared indexes of this schema.
  func addMissingIndexes(_ connection: SQLiteConnection, hasDeclared: Bool) throws(SQLiteError) {
    if try missingIndexes(connection, hasDeclared).isEmpty { return }
    try connection.transaction(.writing) { () throws(SQLiteError) in
      // Another process may have been faster.
      for index in try missingIndexes(connection, hasDeclared) { try connection.execute(index.sql) }
    }
  }

  private func missingIndexes(_ connection: SQLiteConnection, _ hasDeclared: Bool) throws(SQLiteError) -> [Item] {
    let names = try connection.using("SELECT name FROM sqlite_schema WHERE type = 'index'") {
      statement throws(SQLiteError) in
      var names: Set<String> = []
      while try statement.step() { names.insert(statement.text(0) ?? "") }
      return names
    }
    let wanted = tables.map(\.placeholderIndex) + (hasDeclared ? tables.flatMap(\.declaredIndexes) : [])
    return wanted.filter { !names.contains($0.name) }
  }

  /// Returns the indexes of a database that do not belong to this schema: they were added with another tool.
  func addedIndexes(in connection: SQLiteConnection) throws(SQLiteError) -> [AddedIndex] {
    let own = Set(items.map(\.name))
    let sql = "SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY rowid"
    return try connection.using(sql) { statement throws(SQLiteError) in
      var indexes: [AddedIndex] = []
      while try statement.step() {
        let index = AddedIndex(
          name: statement.text(0) ?? "", table: statement.text(1) ?? "", sql: statement.text(2) ?? "")
        if !own.contains(index.name) { indexes.append(index) }
      }
      return indexes
    }
  }

  /// An index that was added with another tool.
  struct AddedIndex {
    var name: String
    var table: String
    var sql: String
  }

  /// SQLite's own tables: the highest numbers of rows, and statistics.
  private static func isSQLites(_ item: Item) -> Bool {
    item.kind == "table" && (item.name == "sqlite_sequence" || item.name.hasPrefix("sqlite_stat"))
      || item.kind == "index" && item.name.hasPrefix("sqlite_autoindex_") && item.sql.isEmpty
  }
}
