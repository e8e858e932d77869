extension PostgreSQLConnection {
  /// Runs statements without parameters. Their rows are discarded. Several statements without `BEGIN` form one transaction.
  ///
  ///     try connection.execute("CREATE TABLE hero (_id bigint PRIMARY KEY, name text)")
  ///
  /// - Parameters:
  ///   - sql: statements, separated by semicolons.
  ///   - deadline: when to stop waiting; by default, after the connection's `callTimeout`.
  package func execute(_ sql: String, deadline: Deadline? = nil) throws(PostgreSQLError) {
    let deadline = self.deadline(deadline)
    try PostgreSQLConnection.checkText(sql)
    try issue(deadline, sql: sql) { library.sendQuery($0, sql) }
    try drain(deadline, sql: sql)
  }

  /// Runs a statement with parameters, and discards its rows.
  ///
  /// - Returns: the number of rows that it inserted, changed, deleted or returned.
  @discardableResult
  package func run(
    _ sql: String, _ parameters: Parameters = Parameters(), isPrepared: Bool = true, deadline: Deadline? = nil
  ) throws(PostgreSQLError) -> Int {
    try query(sql, parameters, isPrepared: isPrepared, deadline: deadline) { rows throws(PostgreSQLError) in
      while try rows.next() {}
      return rows.affectedRows
    }
  }

  /// Returns the number that a statement returns; nil if there is no row or the value is NULL.
  package func integer(
    _ sql: String, _ parameters: Parameters = Parameters(), isPrepared: Bool = true, deadline: Deadline? = nil
  ) throws(PostgreSQLError) -> Int64? {
    try query(sql, parameters, isPrepared: isPrepared, deadline: deadline) { rows throws(PostgreSQLError) in
      try rows.next() ? try rows.int64(0) : nil
    }
  }

  /// Returns the text that a statement returns; nil if there is no row or the value is NULL.
  package func text(
    _ sql: String, _ parameters: Parameters = Parameters(), isPrepared: Bool = true, deadline: Deadline? = nil
  ) throws(PostgreSQLError) -> String? {
    try query(sql, parameters, isPrepared: isPrepared, deadline: deadline) { rows throws(PostgreSQLError) in
      try rows.next() ? try rows.text(0) : nil
    }
  }

  /// Checks that the server answers. Takes one round trip.
  ///
  /// - Throws: if the server does not answer. The connection is then closed.
  package func checkIsAlive(_ timeout: Duration = .seconds(3)) throws(PostgreSQLError) {
    let deadline = Deadline.after(timeout)
    do throws(PostgreSQLError) {
      try issue(deadline, sql: nil) { library.sendQuery($0, "") }
      try drain(deadline, sql: nil)
    } catch  where error.kind != .misuse {
      throw ended(error)
    }
  }

  /// Returns whether the server has closed an idle connection, as far as that is known without a round trip. Takes a microsecond.
  func isClosedByServer() -> Bool {
    guard let handle else { return true }
    let now = Deadline.after(.zero)
    // The data that can be read is a notification, a changed setting, or the last message followed by the end.
    while case .ready = SocketWait.wait(library.socket(handle), forWriting: false, now, nil) {
      guard library.consumeInput(handle) == 1, library.status(handle) == ConnectionStatus.ok else { return true }
    }
    return library.socket(handle) < 0
  }

  /// Rejects NUL, which PostgreSQL does not allow in text, and at which libpq would end a statement.
  static func checkText(_ sql: String) throws(PostgreSQLError) {
    if sql.utf8.contains(0) { throw PostgreSQLError(.misuse, "a statement contains a NUL byte") }
  }
}
