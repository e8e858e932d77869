/// The extent to which a transaction sees other transactions.
package enum Isolation: String, Sendable {
  /// Each statement sees what was committed before it.
  case readCommitted = "READ COMMITTED"
  /// All statements see what was committed before the first statement. Changing a row that has changed since then fails with 40001.
  case repeatableRead = "REPEATABLE READ"
  /// Transactions have the same results as if they ran one at a time. Any statement can fail with 40001.
  case serializable = "SERIALIZABLE"
}

/// The actions that a transaction may perform.
package enum TransactionAccess: String, Sendable {
  case readWrite = "READ WRITE"
  case readOnly = "READ ONLY"
}

/// The time when the server writes a transaction to its disk and, if configured to do so, waits for standby servers.
package enum Flush: Sendable {
  /// Before its locks are released, and before other transactions see it.
  case beforeRelease
  /// After its locks are released. Transactions that wait for each other's locks then share one flush. The call returns after the flush,
  /// but other transactions may see this transaction shortly before the flush. If the server crashes at that moment, this transaction is
  /// lost, along with all transactions that are based on it.
  case afterRelease

  /// A separate transaction, which writes an entry to the server's log and waits until that entry and all earlier entries are on the disk.
  static let sql = "SELECT pg_logical_emit_message(true, 'graft', '')"
}

extension PostgreSQLConnection {
  /// Calls a closure in a transaction, which is rolled back if it throws.
  ///
  /// - Parameters:
  ///   - isolation: the extent to which the transaction sees other transactions.
  ///   - access: the actions that it may perform.
  ///   - locking: see ``begin(_:_:locking:lockTimeout:)``.
  ///   - attempts: the maximum number of times it may run if it fails because of another transaction (40001 and 40P01).
  ///   - flush: when the transaction is written to the disk.
  ///   - statement: a statement that runs after the transaction, in the same round trip. It may fail.
  ///   - deadline: when `COMMIT` stops waiting; the statements of the closure have their own deadlines.
  /// - Throws: if `isOutcomeUnknown` is set, the connection broke during `COMMIT`, or the flush after it failed, so the transaction
  ///   may or may not have been committed.
  package func transaction<Result>(
    _ isolation: Isolation = .readCommitted, _ access: TransactionAccess = .readWrite, locking tables: [String] = [],
    attempts: Int = 1, flush: Flush = .beforeRelease, followedBy statement: String? = nil, deadline: Deadline? = nil,
    _ body: () throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    var attempt = 1
    while true {
      do throws(PostgreSQLError) {
        try begin(isolation, access, locking: tables)
        if flush == .afterRelease { try enqueue("SET LOCAL synchronous_commit = off") }
        do throws(PostgreSQLError) {
          let result = try body()
          try commit(flush, followedBy: statement, deadline: deadline)
          return result
        } catch {
          rollBack()
          throw error
        }
      } catch  where error.isRepeatable && !error.isOutcomeUnknown && attempt < attempts && isUsable {
        attempt += 1
      }
    }
  }

  /// Begins a transaction together with the next statement.
  ///
  /// - Parameters:
  ///   - tables: tables, as SQL, that are locked in sequence against changes to their definitions before the transaction reads data. The
  ///     state that it then sees is not older than the locks.
  ///   - lockTimeout: how long to wait for a lock in this transaction; nil for the setting of the connection.
  package func begin(
    _ isolation: Isolation = .readCommitted, _ access: TransactionAccess = .readWrite, locking tables: [String] = [],
    lockTimeout: Duration? = nil
  ) throws(PostgreSQLError) {
    // If a transaction had already begun, the server would only issue a warning.
    if activity != .rollingBack { _ = try checkIsFree() }
    if isInTransaction { throw PostgreSQLError(.misuse, "a transaction has already begun") }
    // If a database or user has read-only transactions by default, that setting remains in effect.
    let access = access == .readOnly ? " READ ONLY" : ""
    try enqueue("BEGIN ISOLATION LEVEL \(isolation.rawValue)\(access)")
    if let lockTimeout { try enqueue("SET LOCAL lock_timeout = \(lockTimeout.milliseconds(roundedUp: true))") }
    if !tables.isEmpty { try enqueue("LOCK TABLE \(tables.joined(separator: ", ")) IN ACCESS SHARE MODE") }
  }

  /// Commits the transaction, after sending the statements that were kept.
  ///
  /// - Parameters:
  ///   - flush: when the transaction is written to the disk.
  ///   - statement: a statement that runs after the transaction. It may fail.
  /// - Throws: if the transaction is not committed, or not on the disk. If `isOutcomeUnknown` is set, it may have been committed.
  package func commit(
    _ flush: Flush = .beforeRelease, followedBy statement: String? = nil, deadline: Deadline? = nil
  ) throws(PostgreSQLError) {
    let deadline = self.deadline(deadline)
    if queue.isRead { try sendQueue(deadline: deadline) }
    let queued = takeQueue()
    let others = [flush == .afterRelease ? Flush.sql : nil, statement].compactMap(\.self)
    let last =
      [StatementQueue.Statement(sql: "COMMIT", parameters: Parameters(), end: .transaction)]
      + others.map { StatementQueue.Statement(sql: $0, parameters: Parameters(), end: .statement) }
    let answers = try send(queued + last, deadline)
    let needed = queued.count + (flush == .afterRelease ? 2 : 1)
    guard answers.rows.count >= needed else {
      let error = answers.failure ?? closed
      // The transaction is committed, but the server refused the flush.
      if answers.isAnswered, answers.rows.count > queued.count { throw error.with { $0.isOutcomeUnknown = true } }
      // The server's answer means that the transaction was not committed, unless the server ended the connection after `COMMIT`, because a
      // server can shut down after it has committed.
      let isUnknown = !answers.isAnswered || answers.rows.count == queued.count && error.endsConnection
      throw isUnknown ? error.with { $0.isOutcomeUnknown = true } : error
    }
    // The server rolls a failed transaction back, and reports this only in the command tag.
    if answers.rows[queued.count].tag != "COMMIT" {
      throw PostgreSQLError(.misuse, "the transaction was rolled back, because a statement in it had failed")
    }
  }

  /// Rolls the transaction back, if there is one. If that fails, the connection is closed, which also rolls the transaction back.
  package func rollBack() {
    queue.removeAll()
    guard isInTransaction else { return }
    do throws(PostgreSQLError) {
      try execute("ROLLBACK", deadline: .after(PostgreSQLConnection.gracePeriod))
    } catch {
      close(because: error)
    }
  }

  /// Calls a closure in a part of a transaction. If it throws, only that part is undone.
  package func savepoint<Result>(_ body: () throws(PostgreSQLError) -> Result) throws(PostgreSQLError) -> Result {
    try execute("SAVEPOINT part")
    do throws(PostgreSQLError) {
      let result = try body()
      try execute("RELEASE part")
      return result
    } catch {
      queue.removeAll()
      // If the connection is closed, there is nothing left to undo.
      if isUsable, isInTransaction { try execute("ROLLBACK TO part; RELEASE part") }
      throw error
    }
  }
}
