import Graft
import GraftSQL

/// The facts that a migration requires about the objects of a database.
struct SQLiteFacts: MigrationFacts {
  private static let rowsPerBatch = 1000

  let connection: SQLiteConnection
  /// The current tables.
  let sql: SQLSchema

  func hasRows(table: Int, entities: [Int], column: Int?, countsPlaceholders: Bool) throws(SQLiteError) -> Bool {
    let table = sql.tables[table]
    if entities.isEmpty { return false }
    let conditions = [
      countsPlaceholders ? nil : "\"_placeholder\" = 0", SQLTable.entityCondition(entities, table.layout),
      column.map { "\(SQLName.quoted(table.layout.columns[$0].name)) IS NOT NULL" },
    ].compactMap(\.self)
    let condition = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
    return try exists("SELECT 1 FROM \(SQLName.quoted(table.name))\(condition)")
  }

  func hasLinks(_ links: Int) throws(SQLiteError) -> Bool {
    try exists("SELECT 1 FROM \(SQLName.quoted(sql.links[links].name))")
  }

  private func exists(_ selection: String) throws(SQLiteError) -> Bool {
    try connection.integer("SELECT EXISTS (\(selection))") == 1
  }

  func readRows(table: Int, _ body: (StoredRows) -> Bool) throws(SQLiteError) {
    var reader = RowReader(sql.tables[table])
    let selection =
      "SELECT \(sql.tables[table].selection) FROM \(SQLName.quoted(sql.tables[table].name)) AS t ORDER BY t.\"_id\""
    try connection.using(selection) { statement throws(SQLiteError) in
      while try statement.step() {
        try reader.read(statement)
        guard reader.rows.count == SQLiteFacts.rowsPerBatch else { continue }
        if !body(reader.rows) { return }
        reader.removeAll()
      }
      _ = body(reader.rows)
    }
  }

  func readLinks(_ links: Int, _ body: (Int64, Int64) -> Void) throws(SQLiteError) {
    let table = sql.links[links]
    let columns = SQLName.list([table.layout.ownerColumn, table.layout.memberColumn])
    try connection.using("SELECT \(columns) FROM \(SQLName.quoted(table.name))") { statement throws(SQLiteError) in
      while try statement.step() { body(statement.integer(0), statement.integer(1)) }
    }
  }
}
