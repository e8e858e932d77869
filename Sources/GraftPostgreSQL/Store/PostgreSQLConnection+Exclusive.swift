import Foundation

extension PostgreSQLConnection {
  /// Calls a closure in a transaction that no context reads or writes beside.
  ///
  /// It waits for contexts that read, and keeps others from beginning. A lock that is waited for also stops those that come later, even the
  /// commit of a context that is waited for. So each attempt to get the last lock is short, and these contexts go on between two of them.
  ///
  /// - Parameter time: how long to wait for contexts in all.
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
}
