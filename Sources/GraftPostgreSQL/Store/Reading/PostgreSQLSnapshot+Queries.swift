package import Graft
import GraftSQL

extension PostgreSQLSnapshot {
  /// Returns the rows that a query selects, in its order.
  package func rows(selectedBy query: StoreQuery) throws(StoreError) -> StoredRows {
    let table = store.sql.tables[query.table]
    return try run(QuerySQL(store.sql, query), { $0.selecting(table.selection) }) { rows throws(PostgreSQLError) in
      var reader = RowReader(table)
      try reader.readAll(rows)
      return reader.rows
    }
  }

  /// Reads the rows that a query selects, in its order, a few thousand at a time.
  package func readRows(selectedBy query: StoreQuery, _ body: (StoredRows) -> Void) throws(StoreError) {
    let table = store.sql.tables[query.table]
    try run(QuerySQL(store.sql, query), { $0.selecting(table.selection) }, reading: .streamed) {
      rows throws(PostgreSQLError) in
      var reader = RowReader(table)
      while try rows.next() {
        try reader.read(rows)
        guard reader.rows.count == 4096 else { continue }
        body(reader.rows)
        reader.removeAll()
      }
      if reader.rows.count > 0 { body(reader.rows) }
    }
  }

  /// Returns the numbers of the rows that a query selects, in its order.
  package func ids(selectedBy query: StoreQuery) throws(StoreError) -> [Int64] {
    try run(QuerySQL(store.sql, query), { $0.selecting("t.\"_id\"") }) { rows throws(PostgreSQLError) in
      var ids: [Int64] = []
      while try rows.next() { ids.append(try rows.int64(0) ?? 0) }
      return ids
    }
  }

  /// Returns the number of rows that a query selects. Its limit and offset apply.
  package func count(selectedBy query: StoreQuery) throws(StoreError) -> Int {
    var query = query
    let isWhole = query.limit == nil && query.offset == 0
    // The order matters only if not all rows are taken.
    if isWhole { query.order = [] }
    func text(_ query: QuerySQL) -> String {
      isWhole
        ? query.selecting("count(*)", isOrdered: false) : "SELECT count(*) FROM (\(query.selecting("1"))) AS q"
    }
    return try run(QuerySQL(store.sql, query), text) { rows throws(PostgreSQLError) in
      try rows.next() ? Int(try rows.int64(0) ?? 0) : 0
    }
  }

  /// Computes a value over the rows that a query selects, for each group, in the order of the groups' keys.
  package func aggregate(
    _ aggregate: StoreAggregate, over query: StoreQuery
  ) throws(StoreError) -> [StoreAggregate.Group] {
    var query = query
    if query.limit == nil, query.offset == 0 { query.order = [] }
    let statement = AggregateSQL(store.sql, aggregate, query)
    return try run(statement.query, { _ in statement.text }, mayFail: true) { rows throws(PostgreSQLError) in
      try statement.groups(rows)
    }
  }

  /// Runs a query.
  ///
  /// - Parameters:
  ///   - text: returns the statement.
  ///   - mayFail: whether values can make the query fail, which must not end the transaction.
  private func run<Result>(
    _ query: QuerySQL, _ text: (QuerySQL) -> String, reading: Reading = .whole, mayFail: Bool = false,
    _ body: (Rows) throws(PostgreSQLError) -> Result
  ) throws(StoreError) -> Result {
    if query.isUntranslatable {
      throw StoreError(
        .untranslatablePredicate, "PostgreSQL compares or computes part of the predicate differently from Swift")
    }
    let parameters: Parameters
    do throws(PostgreSQLError) {
      parameters = try Parameters(query.parameters)
    } catch {
      throw StoreError(.untranslatablePredicate, error.message)
    }
    let sql = text(query)
    return try self.reading { connection throws(PostgreSQLError) in
      guard mayFail || query.mayFail else { return try connection.query(sql, parameters, reading: reading, body) }
      return try connection.savepoint { () throws(PostgreSQLError) in
        try connection.query(sql, parameters, reading: reading, body)
      }
    }
  }
}
