import Foundation

extension PostgreSQLConnection {
  /// Calls a closure in a transaction that no context reads or writes beside.
  ///
  /// It waits for contexts that read. A lock that is waited for also stops those that come later, even the commit of a context that is waited
  /// for. So each attempt is short, and others go on between two of them.
  ///
  /// - Parameter time: how long to wait for contexts in all.
  /// - Throws: `lockNotAvailable` after that time.
  func exclusiveTransaction<Result>(
    waiting time: Duration, _ body: () throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    let deadline = Deadline.after(time)
    while true {
      var isLocked = false
      do throws(PostgreSQLError) {
        return try transaction { () throws(PostgreSQLError) in
          try execute(
            "SET LOCAL lock_timeout = 30; LOCK TABLE \(CommitState.table) IN ACCESS EXCLUSIVE MODE; SET LOCAL lock_timeout = 0"
          )
          isLocked = true
          return try body()
        }
      } catch  where error.kind == .lockNotAvailable && !isLocked && !deadline.hasPassed {
        Thread.sleep(forTimeInterval: 0.05)
      }
    }
  }
}
