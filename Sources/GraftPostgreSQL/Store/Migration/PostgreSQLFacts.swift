import Graft
import GraftSQL

/// The facts that a migration requires about the objects of a database.
struct PostgreSQLFacts: MigrationFacts {
  private static let rowsPerBatch = 1000

  let connection: PostgreSQLConnection
  /// The current tables.
  let sql: SQLSchema

  func hasRows(
    table: Int, entities: [Int], column: Int?, countsPlaceholders: Bool
  ) throws(PostgreSQLError) -> Bool {
    let table = sql.tables[table]
    if entities.isEmpty { return false }
    let conditions = [
      countsPlaceholders ? nil : "NOT \"_placeholder\"", SQLTable.entityCondition(entities, table.layout),
      column.map { "\(SQLName.quoted(table.columnNames[$0])) IS NOT NULL" },
    ].compactMap(\.self)
    let condition = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
    return try exists("SELECT 1 FROM \(SQLName.quoted(table.name))\(condition)")
  }

  func hasLinks(_ links: Int) throws(PostgreSQLError) -> Bool {
    try exists("SELECT 1 FROM \(SQLName.quoted(sql.links[links].name))")
  }

  private func exists(_ selection: String) throws(PostgreSQLError) -> Bool {
    try connection.query("SELECT EXISTS (\(selection))", isPrepared: false) { rows throws(PostgreSQLError) in
      try rows.next() ? try rows.bool(0) == true : false
    }
  }

  func readRows(table: Int, _ body: (StoredRows) -> Bool) throws(PostgreSQLError) {
    let table = sql.tables[table]
    var last: Int64 = 0
    // In batches, because the closure decides when to stop.
    while true {
      var parameters = Parameters()
      try parameters.append(last)
      let rows = try table.rows(
        connection,
        "SELECT \(table.selection) FROM \(SQLName.quoted(table.name)) AS t WHERE t.\"_id\" > $1 ORDER BY t.\"_id\" LIMIT \(PostgreSQLFacts.rowsPerBatch)",
        parameters)
      guard body(rows), let next = rows.headers.last?.id else { return }
      last = next
    }
  }

  func readLinks(_ links: Int, _ body: (Int64, Int64) -> Void) throws(PostgreSQLError) {
    let table = sql.links[links]
    let columns = SQLName.list([table.ownerColumn, table.memberColumn])
    try connection.query("SELECT \(columns) FROM \(SQLName.quoted(table.name))", isPrepared: false) {
      rows throws(PostgreSQLError) in
      while try rows.next() { body(try rows.int64(0) ?? 0, try rows.int64(1) ?? 0) }
    }
  }
}
