package import Graft
import GraftSQL

extension SQLiteStore {
  /// Returns the steps in which SQLite runs a query, as reported by `EXPLAIN QUERY PLAN`.
  package func queryPlan(_ query: StoreQuery) throws(StoreError) -> [String] {
    let statement = QuerySQL(sql, query)
    return try reading { connection throws(SQLiteError) in
      var steps: [String] = []
      try statement.run(connection, "EXPLAIN QUERY PLAN " + statement.selecting("*")) { rows throws(SQLiteError) in
        while try rows.step() { steps.append(rows.text(3) ?? "") }
      }
      return steps
    }
  }
}
