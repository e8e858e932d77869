package import Graft
import GraftSQL

extension PostgreSQLStore {
  /// Returns the steps in which PostgreSQL runs a query if it uses an index wherever possible, as the lines of `EXPLAIN`. By
  /// default, it would read small tables as a whole.
  package func queryPlan(_ query: StoreQuery) throws(StoreError) -> [String] {
    let statement = QuerySQL(sql, query)
    return try withConnection("read") { connection throws(PostgreSQLError) in
      try connection.transaction(.repeatableRead, .readOnly, locking: CommitState.locks) {
        () throws(PostgreSQLError) in
        try connection.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off")
        let explain = "EXPLAIN (COSTS OFF) " + statement.selecting("*", isOrdered: !query.order.isEmpty)
        return try connection.query(explain, try Parameters(statement.parameters)) { rows throws(PostgreSQLError) in
          var steps: [String] = []
          while try rows.next() { steps.append(try rows.text(0) ?? "") }
          return steps
        }
      }
    }
  }
}
