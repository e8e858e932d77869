import Graft
import GraftSQL

extension SQLSchema {
  /// Creates the tables and indexes of a layout.
  init(_ layout: StoreLayout) { self.init(layout, SQLiteDialect()) }

  /// The application ID of this library's SQLite files: `Grft`.
  static let applicationID: Int64 = 0x4772_6674
  /// The version of the parts that are common to all stores: the additional columns, and the tables `_graft` and `_graft_log`.
  static let formatVersion: Int64 = 1

  /// The tables that every store has.
  static let commonTables = [
    SQLItem(
      kind: "table", name: "_graft",
      sql: """
        CREATE TABLE "_graft" (
          "key"   TEXT PRIMARY KEY,
          "value" TEXT NOT NULL
        ) STRICT, WITHOUT ROWID
        """),
    SQLItem(
      kind: "table", name: "_graft_log",
      sql: """
        CREATE TABLE "_graft_log" (
          "sequence" INTEGER PRIMARY KEY,
          "changes"  BLOB
        ) STRICT
        """),
  ]

  /// All tables and indexes, in the order in which they are created.
  var items: [SQLItem] {
    SQLSchema.commonTables + tables.indices.flatMap { items(ofTable: $0) } + links.indices.flatMap(items(ofLinks:))
  }

  // MARK: Comparing with a database

  /// Returns the differences between a database and this schema. A sound store has none.
  ///
  /// Indexes that were added with another tool, declared indexes, and missing indexes of placeholders are not reported as differences,
  /// because they do not affect the content.
  func differences(in connection: SQLiteConnection) throws(SQLiteError) -> [String] {
    var expected: [String: SQLItem] = [:]
    for item in items { expected[item.name] = item }
    for table in tables { for index in table.definitions.declaredIndexes { expected[index.name] = nil } }
    let sql = "SELECT type, name, sql FROM sqlite_schema"
    return try connection.using(sql) { statement throws(SQLiteError) in
      var differences: [String] = []
      while try statement.step() {
        let item = SQLItem(kind: statement.text(0) ?? "", name: statement.text(1) ?? "", sql: statement.text(2) ?? "")
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
      for table in tables { expected[table.definitions.placeholderIndex.name] = nil }
      return (differences + expected.values.map { "the \($0.kind) '\($0.name)' is missing" }).sorted()
    }
  }

  /// Creates missing indexes that only make queries faster. They are missing if an early version of the library created the database, or if
  /// another tool dropped them.
  ///
  /// - Parameter hasDeclared: whether the database has the declared indexes of this schema.
  func addMissingIndexes(_ connection: SQLiteConnection, hasDeclared: Bool) throws(SQLiteError) {
    if try missingIndexes(connection, hasDeclared).isEmpty { return }
    try connection.transaction(.writing) { () throws(SQLiteError) in
      // Another process may have already added the indexes.
      for index in try missingIndexes(connection, hasDeclared) { try connection.execute(index.sql) }
    }
  }

  private func missingIndexes(_ connection: SQLiteConnection, _ hasDeclared: Bool) throws(SQLiteError) -> [SQLItem] {
    let names = try connection.using("SELECT name FROM sqlite_schema WHERE type = 'index'") {
      statement throws(SQLiteError) in
      var names: Set<String> = []
      while try statement.step() { names.insert(statement.text(0) ?? "") }
      return names
    }
    let wanted =
      tables.map(\.definitions.placeholderIndex) + (hasDeclared ? tables.flatMap(\.definitions.declaredIndexes) : [])
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

  /// Returns whether an item is one of SQLite's own tables, which contain the highest row numbers and statistics.
  private static func isSQLites(_ item: SQLItem) -> Bool {
    item.kind == "table" && (item.name == "sqlite_sequence" || item.name.hasPrefix("sqlite_stat"))
      || item.kind == "index" && item.name.hasPrefix("sqlite_autoindex_") && item.sql.isEmpty
  }
}
