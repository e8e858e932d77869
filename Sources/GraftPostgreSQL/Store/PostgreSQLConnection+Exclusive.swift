import Foundation
import Graft
import GraftSQL

extension PostgreSQLConnection {
  /// Calls a closure in a transaction during which no context uses the store, and no other session uses its tables.
  ///
  /// Waits for contexts and sessions that read, and keeps other contexts from starting. A request for a lock also blocks later requests,
  /// even the commit of a context that holds the lock. Each attempt is therefore short, so that these contexts can continue between two
  /// attempts.
  ///
  /// - Parameter time: the total time to wait for other contexts and sessions.
  /// - Throws: `lockNotAvailable` after that time.
  func exclusiveTransaction<Result>(
    waiting time: Duration, _ body: () throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    let deadline = Deadline.after(time)
    return try transaction { () throws(PostgreSQLError) in
      let milliseconds = max(1, time.milliseconds(roundedUp: true))
      try execute(
        """
        SET LOCAL lock_timeout = \(milliseconds); LOCK TABLE \(CommitState.gate) IN ACCESS EXCLUSIVE MODE; SET LOCAL lock_timeout = 30
        """)
      while true {
        do throws(PostgreSQLError) {
          try savepoint { () throws(PostgreSQLError) in
            try execute("LOCK TABLE \(CommitState.table) IN ACCESS EXCLUSIVE MODE")
            let tables = try storeTables()
            if tables.isEmpty { return }
            // No context uses the tables now. PostgreSQL cancels an autovacuum that blocks a lock after 'deadlock_timeout', by
            // default one second.
            let rest = min(max(deadline.remaining?.milliseconds() ?? .max, 30), 1500)
            try execute(
              """
              SET LOCAL lock_timeout = \(rest); LOCK TABLE \(SQLName.list(tables)) IN ACCESS EXCLUSIVE MODE; SET LOCAL lock_timeout = 30
              """)
          }
          break
        } catch {
          guard error.kind == .lockNotAvailable, isUsable, !deadline.hasPassed else { throw error }
          Thread.sleep(forTimeInterval: 0.02)
        }
      }
      try execute("SET LOCAL lock_timeout = 0")
      return try body()
    }
  }

  /// Returns the tables that the store has according to its description. Missing tables are omitted, because the migration reports them.
  private func storeTables() throws(PostgreSQLError) -> [String] {
    guard let layout = StoreLayout(text: try StoreDescription(self).layout) else { return [] }
    let sql = SQLSchema(layout)
    var parameters = Parameters()
    try parameters.append(sql.tables.map(\.name) + sql.links.map(\.name))
    let selection = """
      SELECT relname::text FROM pg_class WHERE relname = ANY($1) AND relkind IN ('r', 'p') AND pg_table_is_visible(oid)
      """
    return try query(selection, parameters) { rows throws(PostgreSQLError) in
      var tables: [String] = []
      while try rows.next() { tables.append(try rows.text(0) ?? "") }
      return tables
    }
  }
}
