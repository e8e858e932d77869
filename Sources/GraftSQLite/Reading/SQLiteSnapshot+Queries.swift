package import Graft
import GraftSQL

extension SQLiteSnapshot {
  /// Returns the rows that a query selects, in its order.
  package func rows(selectedBy query: StoreQuery) throws(StoreError) -> StoredRows {
    let table = store.sql.tables[query.table]
    let statement = QuerySQL(store.sql, query)
    return try reading { connection throws(SQLiteError) in
      var reader = RowReader(table)
      try statement.run(connection, statement.selecting(table.selection)) { statement throws(SQLiteError) in
        try reader.readAll(statement)
      }
      return reader.rows
    }
  }

  /// Reads the rows that a query selects, in its order, a few thousand at a time.
  package func readRows(selectedBy query: StoreQuery, _ body: (StoredRows) -> Void) throws(StoreError) {
    let table = store.sql.tables[query.table]
    let statement = QuerySQL(store.sql, query)
    try reading { connection throws(SQLiteError) in
      var reader = RowReader(table)
      try statement.run(connection, statement.selecting(table.selection)) { statement throws(SQLiteError) in
        while try statement.step() {
          try reader.read(statement)
          guard reader.rows.count == 4096 else { continue }
          body(reader.rows)
          reader.removeAll()
        }
      }
      if reader.rows.count > 0 { body(reader.rows) }
    }
  }

  /// Returns the numbers of the rows that a query selects, in its order.
  package func ids(selectedBy query: StoreQuery) throws(StoreError) -> [Int64] {
    let statement = QuerySQL(store.sql, query)
    return try reading { connection throws(SQLiteError) in
      var ids: [Int64] = []
      try statement.run(connection, statement.selecting("t.\"_id\"")) { statement throws(SQLiteError) in
        while try statement.step() { ids.append(statement.integer(0)) }
      }
      return ids
    }
  }

  /// Returns the number of rows that a query selects. Its limit and offset apply.
  package func count(selectedBy query: StoreQuery) throws(StoreError) -> Int {
    var query = query
    // The order matters only if not all rows are taken.
    if query.limit == nil, query.offset == 0 { query.order = [] }
    let statement = QuerySQL(store.sql, query)
    return try reading { connection throws(SQLiteError) in
      let isWhole = query.limit == nil && query.offset == 0
      let text =
        isWhole
        ? statement.selecting("count(*)", isOrdered: false) : "SELECT count(*) FROM (\(statement.selecting("1")))"
      var count = 0
      try statement.run(connection, text) { statement throws(SQLiteError) in
        if try statement.step() { count = Int(statement.integer(0)) }
      }
      return count
    }
  }

  /// Computes a value over the rows that a query selects, for each group, in the order of the groups' keys.
  package func aggregate(
    _ aggregate: StoreAggregate, over query: StoreQuery
  ) throws(StoreError) -> [StoreAggregate.Group] {
    var query = query
    if query.limit == nil, query.offset == 0 { query.order = [] }
    let statement = AggregateSQL(store.sql, aggregate, query)
    return try reading { connection throws(SQLiteError) in try statement.groups(connection) }
  }
}
