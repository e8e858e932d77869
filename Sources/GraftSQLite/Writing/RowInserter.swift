import Graft

/// Inserts rows, many with each statement: fifty rows a statement save a quarter of the time.
struct RowInserter {
  static let rowsPerStatement = 50

  let connection: SQLiteConnection
  let table: SQLTable
  let binder: RowBinder

  /// Inserts all rows. Their headers have final numbers and versions.
  func insert(_ rows: StoredRows) throws(SQLiteError) {
    let columns = table.headerColumns.count + table.forms.count
    let size = max(1, min(RowInserter.rowsPerStatement, connection.maximumParameters / columns))
    try rows.values.withTexts { texts throws(SQLiteError) in
      var first = 0
      while first < rows.count {
        // What does not fill a statement goes row by row: a statement of its own for each length would not be used again.
        let count = rows.count - first >= size ? size : 1
        try connection.using(sql(count)) { statement throws(SQLiteError) in
          repeat {
            for row in 0..<count {
              try binder.bind(
                rows.headers[first + row], rows.values, texts, row: first + row, table, to: statement,
                from: Int32(row * columns + 1))
            }
            try statement.run()
            first += count
          } while rows.count - first >= count
        }
      }
    }
  }

  private func sql(_ count: Int) -> String {
    let columns = table.headerColumns + table.layout.columns.map(\.name)
    let row = "(\(Array(repeating: "?", count: columns.count).joined(separator: ",")))"
    let rows = Array(repeating: row, count: count).joined(separator: ",")
    return "INSERT INTO \(SQLName.quoted(table.name)) (\(SQLName.list(columns))) VALUES \(rows)"
  }
}
