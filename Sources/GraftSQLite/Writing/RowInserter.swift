import Graft
import GraftSQL

/// Inserts rows, many with each statement. Fifty rows per statement save a quarter of the time.
struct RowInserter {
  static let rowsPerStatement = 50

  let connection: SQLiteConnection
  let table: SQLTable
  let numbers: FinalNumbers
  /// Whether the numbers of the rows follow the highest number that the table has had. In that case, SQLite assigns the numbers itself, and
  /// does not look for rows that already have these numbers.
  var continuesNumbers = false

  /// Inserts all rows. Their headers have final numbers and versions.
  func insert(_ rows: StoredRows) throws(SQLiteError) {
    let columns = columns.count
    let size = max(1, min(RowInserter.rowsPerStatement, connection.maximumParameters / columns))
    try rows.values.withTexts { texts throws(SQLiteError) in
      var first = 0
      while first < rows.count {
        // Rows that do not fill a statement are inserted one by one, because a separate statement for each length would not be
        // reused.
        let count = rows.count - first >= size ? size : 1
        try connection.using(sql(count)) { statement throws(SQLiteError) in
          // Values that are already bound remain bound.
          var bound: [StoredRows.Header?] = Array(repeating: nil, count: count)
          repeat {
            for row in 0..<count {
              let header = rows.headers[first + row]
              try numbers.bind(
                header, after: bound[row], rows.values, texts, row: first + row, table, to: statement,
                from: Int32(row * columns + 1), hasID: !continuesNumbers)
              bound[row] = header
            }
            try statement.run()
            first += count
            if continuesNumbers { try checkNumber(rows.headers[first - 1].id) }
          } while rows.count - first >= count
        }
      }
    }
  }

  private func checkNumber(_ id: Int64) throws(SQLiteError) {
    guard connection.lastRowID == id else {
      throw .damage("the highest row ID of table '\(table.name)' is not the one in 'sqlite_sequence'")
    }
  }

  /// The columns that are set, in the order of the table's definition.
  private var columns: [String] {
    table.headerColumns.dropFirst(continuesNumbers ? 1 : 0) + table.layout.columns.map(\.name)
  }

  /// Returns the statement. After an error, the writer undoes everything. To undo only one statement, SQLite would have to copy each page
  /// before changing the page.
  private func sql(_ count: Int) -> String {
    let columns = columns
    let row = "(\(Array(repeating: "?", count: columns.count).joined(separator: ",")))"
    let rows = Array(repeating: row, count: count).joined(separator: ",")
    return "INSERT OR FAIL INTO \(SQLName.quoted(table.name)) (\(SQLName.list(columns))) VALUES \(rows)"
  }
}
