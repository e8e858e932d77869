import Graft
import GraftSQL

/// Removes and adds links, which are sorted and have final numbers.
struct LinkWriter {
  let connection: SQLiteConnection
  let table: SQLLinkTable

  func write(removed: [StoredLink], added: [StoredLink]) throws(SQLiteError) {
    let sides = [table.layout.ownerColumn, table.layout.memberColumn].map(SQLName.quoted)
    try RowLookup.forEachBatch(of: removed, parametersOfEach: 2, connection) { batch, size throws(SQLiteError) in
      let pairs = Array(repeating: "(?,?)", count: size).joined(separator: ",")
      // Without the inner SELECT, SQLite would scan the table.
      let delete = """
        DELETE FROM \(SQLName.quoted(table.name)) WHERE (\(sides[0]), \(sides[1])) IN (SELECT * FROM (VALUES \(pairs)))
        """
      try connection.using(delete) { statement throws(SQLiteError) in
        for (place, link) in batch.enumerated() {
          try bind(link, to: statement, from: Int32(place * 2 + 1), count: 2)
        }
        try statement.run()
      }
    }
    var first = 0
    while first < added.count {
      let count = added.count - first >= RowInserter.rowsPerStatement ? RowInserter.rowsPerStatement : 1
      try connection.using(sql(count, sides)) { statement throws(SQLiteError) in
        repeat {
          for row in 0..<count {
            try bind(
              added[first + row], to: statement, from: Int32(row * table.columns.count + 1), count: table.columns.count)
          }
          try statement.run()
          first += count
        } while added.count - first >= count
      }
    }
  }

  /// Returns the statement that inserts links. An existing pair gets the new positions. After an error, the writer undoes everything; see
  /// ``RowInserter``.
  private func sql(_ count: Int, _ sides: [String]) -> String {
    let row = "(\(table.columns.map { _ in "?" }.joined(separator: ",")))"
    let rows = Array(repeating: row, count: count).joined(separator: ",")
    return """
      INSERT OR FAIL INTO \(SQLName.quoted(table.name)) AS l (\(SQLName.list(table.columns))) VALUES \(rows) \
      ON CONFLICT (\(sides[0]), \(sides[1])) DO \(table.repositioning)
      """
  }

  private func bind(
    _ link: StoredLink, to statement: SQLiteStatement, from first: Int32, count: Int
  ) throws(SQLiteError) {
    try statement.bind(link.owner, at: first)
    try statement.bind(link.member, at: first + 1)
    guard count > 2 else { return }
    var next = first + 2
    if table.layout.isOrdered {
      try statement.bind(link.position, at: next)
      next += 1
    }
    if table.layout.isInverseOrdered { try statement.bind(link.inversePosition, at: next) }
  }
}
