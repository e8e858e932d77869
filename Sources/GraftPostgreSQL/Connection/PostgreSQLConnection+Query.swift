/// The way in which the rows of a statement are read.
package enum Reading: Sendable {
  /// One row at a time, as rows arrive. Takes memory for one row. Until the last row is read, the connection runs no other statement.
  case streamed
  /// All rows together. Takes memory for all rows. Other statements can run in the closure.
  case whole
}

extension PostgreSQLConnection {
  /// Runs a statement, and calls a closure with its rows.
  ///
  ///     try connection.query("SELECT name FROM hero WHERE _id = $1", parameters) { rows throws(PostgreSQLError) in
  ///       while try rows.next() { print(try rows.text(0) ?? "") }
  ///     }
  ///
  /// Rows that the closure does not read are still received, so use `LIMIT` if only a few are needed.
  ///
  /// - Parameters:
  ///   - sql: one statement, with `$1`, `$2`...
  ///   - parameters: the values of the parameters, with their types.
  ///   - reading: how the rows are read.
  ///   - isPrepared: whether the statement is prepared at its first use, which takes another round trip, and kept.
  ///   - deadline: when to stop waiting; by default, after the connection's `callTimeout`. The deadline includes the time that the closure
  ///     takes.
  ///   - body: receives the rows, which must not escape.
  package func query<Result>(
    _ sql: String, _ parameters: Parameters = Parameters(), reading: Reading = .streamed, isPrepared: Bool = true,
    deadline: Deadline? = nil, _ body: (Rows) throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    let deadline = self.deadline(deadline)
    let isQueued = !queue.isEmpty && isPrepared && reading == .whole
    let rows =
      isQueued
      ? try sendQueue(with: sql, parameters, deadline) : try rows(sql, parameters, reading, isPrepared, deadline)
    defer { rows.release() }
    do throws(PostgreSQLError) {
      let result = try body(rows)
      try rows.finish()
      return result
    } catch {
      rows.abandon()
      throw error
    }
  }

  /// Sends a statement and waits for its first row. If the prepared statement was out of date or unknown, prepares it again, unless this
  /// error has made a transaction fail. Another process may have changed the table, or a proxy may have switched to another server
  /// connection.
  func rows(
    _ sql: String, _ parameters: Parameters, _ reading: Reading, _ isPrepared: Bool, _ deadline: Deadline
  ) throws(PostgreSQLError) -> Rows {
    let wasInTransaction = isInTransaction
    do throws(PostgreSQLError) {
      return try send(sql, parameters, reading, isPrepared, deadline)
    } catch  where error.isStaleStatement {
      statements.remove(StatementCache.Key(sql: sql, types: parameters.types))
      if wasInTransaction { throw error }
      return try send(sql, parameters, reading, isPrepared, deadline)
    }
  }

  private func send(
    _ sql: String, _ parameters: Parameters, _ reading: Reading, _ isPrepared: Bool, _ deadline: Deadline
  ) throws(PostgreSQLError) -> Rows {
    try parameters.check()
    if isPrepared {
      let name = try prepared(sql, parameters, deadline)
      try issue(deadline, sql: sql) { handle in
        parameters.withPointers {
          library.sendQueryPrepared(handle, name, $0.count, $0.values, $0.lengths, $0.formats, 1)
        }
      }
    } else {
      try PostgreSQLConnection.checkText(sql)
      try issue(deadline, sql: sql) { handle in
        parameters.withPointers {
          library.sendQueryParams(handle, sql, $0.count, parameters.types, $0.values, $0.lengths, $0.formats, 1)
        }
      }
    }
    // This call fails only if nothing was sent.
    if reading == .streamed, let handle { _ = library.setSingleRowMode(handle) }
    let rows = Rows(self, sql, deadline)
    do throws(PostgreSQLError) {
      try rows.receiveFirst(isWhole: reading == .whole)
      return rows
    } catch {
      rows.abandon()
      rows.release()
      throw error
    }
  }

  /// Returns the name of a prepared statement.
  private func prepared(
    _ sql: String, _ parameters: Parameters, _ deadline: Deadline
  ) throws(PostgreSQLError) -> String {
    let key = StatementCache.Key(sql: sql, types: parameters.types)
    if let name = statements.name(key) { return name }
    try PostgreSQLConnection.checkText(sql)
    try deallocateOldStatements(deadline)
    let name = statements.newName()
    try issue(deadline, sql: sql) { library.sendPrepare($0, name, sql, CInt(key.types.count), key.types) }
    try drain(deadline, sql: sql)
    statements.insert(key, name: name)
    return name
  }

  /// Makes room for another prepared statement.
  func deallocateOldStatements(_ deadline: Deadline) throws(PostgreSQLError) {
    // Nothing can be deallocated in a failed transaction. The statement will also fail.
    if isInFailedTransaction { return }
    let old = statements.removeOld()
    if !old.isEmpty { try execute(old.map { "DEALLOCATE \($0)" }.joined(separator: "; "), deadline: deadline) }
  }
}
