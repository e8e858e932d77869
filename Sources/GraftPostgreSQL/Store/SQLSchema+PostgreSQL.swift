import Graft
import GraftSQL

extension SQLSchema {
  /// The version of the parts that are common to all stores: the additional columns, and the tables that begin with `_graft`.
  static let formatVersion = 1

  /// The tables and indexes of a layout.
  ///
  /// - Parameter prefix: the prefix of their names.
  init(_ layout: StoreLayout, prefix: String = "") { self.init(layout, PostgreSQLDialect(prefix: prefix)) }

  /// The tables that every store has.
  static let commonTables = [
    """
    CREATE TABLE "_graft" (
      "key"   text COLLATE "C" PRIMARY KEY,
      "value" text NOT NULL
    )
    """,
    """
    CREATE TABLE "_graft_log" (
      "sequence" bigint PRIMARY KEY,
      "changes"  bytea,
      "token"    uuid
    )
    """,
    """
    CREATE TABLE "_graft_state" (
      "format"     bigint NOT NULL,
      "latest"     bigint NOT NULL,
      "generation" bigint NOT NULL
    )
    """,
    """
    CREATE TABLE "_graft_numbers" (
      "table" text COLLATE "C" PRIMARY KEY,
      "last"  bigint NOT NULL
    )
    """,
    "INSERT INTO \"_graft_state\" VALUES (\(formatVersion), 0, 0)",
  ]

  /// The statements that create all tables of a layout, with their indexes.
  var definitions: [String] {
    tables.flatMap { items(ofTable: $0.number).map(\.sql) } + links.flatMap { items(ofLinks: $0.number).map(\.sql) }
  }

  /// A column that refers to the rows of a table.
  struct Reference: Hashable {
    let table: String
    let column: String
    let target: String
    /// The action for a row whose target is deleted.
    let action: String

    /// The statement that adds the foreign key. A foreign key is checked when a transaction ends, because rows may refer to rows that are
    /// written later.
    var foreignKey: String {
      """
      ALTER TABLE \(SQLName.quoted(table)) ADD FOREIGN KEY (\(SQLName.quoted(column))) \
      REFERENCES \(SQLName.quoted(target)) ON DELETE \(action) DEFERRABLE INITIALLY DEFERRED
      """
    }
  }

  var references: [Reference] {
    func reference(_ table: String, _ column: String, _ target: Int, _ action: String) -> Reference {
      Reference(table: table, column: column, target: tables[target].name, action: action)
    }
    return tables.flatMap { table in
      table.references.map { reference(table.name, table.columnNames[$0.column], $0.table, "SET NULL") }
    }
      + links.flatMap { links in
        [
          reference(links.name, links.ownerColumn, links.layout.ownerTable, "CASCADE"),
          reference(links.name, links.memberColumn, links.layout.memberTable, "CASCADE"),
        ]
      }
  }

  // MARK: Comparing with a database

  /// Returns the differences between the tables of a database and this schema. A sound store has none.
  ///
  /// Tables, columns and indexes that were added with another tool are not reported as differences, nor are missing indexes that only make
  /// queries faster.
  func differences(in connection: PostgreSQLConnection) throws(PostgreSQLError) -> [String] {
    let found = try columns(in: connection)
    let indexes = try self.indexes(in: connection)
    var differences: [String] = []
    func check(_ table: String, _ columns: [(name: String, type: String)]) {
      guard let types = found[table] else { return differences.append("table '\(table)' is missing") }
      for (name, type) in columns {
        guard let found = types[name] else {
          differences.append("table '\(table)' has no column '\(name)'")
          continue
        }
        if found != type {
          differences.append("column '\(name)' of table '\(table)' has type \(found), not \(type)")
        }
      }
    }
    for table in tables {
      check(table.name, SQLSchema.headerTypes(table) + zip(table.columnNames, table.kinds.map(\.type.name)))
      for index in table.definitions.indexes where index.sql.hasPrefix("CREATE UNIQUE") && !indexes.contains(index.name)
      {
        differences.append("index '\(index.name)' is missing")
      }
    }
    for link in links { check(link.name, link.columns.map { ($0, "bigint") }) }
    check("_graft", [("key", "text"), ("value", "text")])
    check("_graft_log", [("sequence", "bigint"), ("changes", "bytea")])
    check("_graft_numbers", [("table", "text"), ("last", "bigint")])
    return differences
  }

  private static func headerTypes(_ table: SQLTable) -> [(name: String, type: String)] {
    table.headerColumns.map { name in
      switch name {
      case "_entity": (name, "text")
      case "_placeholder", "_bare": (name, "boolean")
      default: (name, "bigint")
      }
    }
  }

  /// Returns the types of each table's columns.
  private func columns(in connection: PostgreSQLConnection) throws(PostgreSQLError) -> [String: [String: String]] {
    let sql = """
      SELECT c.relname::text, a.attname::text, translate(replace(format_type(a.atttypid, NULL), 'timestamp with time zone', 'timestamptz'), '"', '')
      FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
      WHERE c.relname = ANY($1) AND c.relkind IN ('r', 'p') AND pg_table_is_visible(c.oid) AND a.attnum > 0 AND NOT a.attisdropped
      """
    var parameters = Parameters()
    try parameters.append(tables.map(\.name) + links.map(\.name) + dialect.commonTables)
    return try connection.query(sql, parameters) { rows throws(PostgreSQLError) in
      var columns: [String: [String: String]] = [:]
      while try rows.next() { columns[try rows.text(0) ?? "", default: [:]][try rows.text(1) ?? ""] = try rows.text(2) }
      return columns
    }
  }

  /// Returns the names of this schema's indexes that exist.
  func indexes(in connection: PostgreSQLConnection) throws(PostgreSQLError) -> Set<String> {
    let sql = """
      SELECT relname::text FROM pg_class WHERE relname = ANY($1) AND relkind IN ('i', 'I') AND pg_table_is_visible(oid)
      """
    var parameters = Parameters()
    try parameters.append(
      tables.flatMap { table in
        ([table.definitions.placeholderIndex] + table.definitions.indexes + table.definitions.declaredIndexes).map(
          \.name)
      })
    return try connection.query(sql, parameters) { rows throws(PostgreSQLError) in
      var names: Set<String> = []
      while try rows.next() { names.insert(try rows.text(0) ?? "") }
      return names
    }
  }

  /// Creates missing indexes that only make queries faster. They are missing if another tool dropped them.
  func addMissingIndexes(_ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    let found = try indexes(in: connection)
    for table in tables {
      for index in table.definitions.indexes + [table.definitions.placeholderIndex] + table.definitions.declaredIndexes
      where !found.contains(index.name) {
        try connection.execute(index.sql.replacingCreate)
      }
    }
  }
}

extension String {
  /// The definition of an index that may have been created by another program in the meantime.
  fileprivate var replacingCreate: String {
    hasPrefix("CREATE INDEX ") ? "CREATE INDEX IF NOT EXISTS " + dropFirst("CREATE INDEX ".count) : self
  }
}
