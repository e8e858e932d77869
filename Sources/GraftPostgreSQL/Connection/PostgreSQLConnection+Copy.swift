extension PostgreSQLConnection {
  /// Inserts rows with `COPY`, which is the fastest way. Rows are sent in chunks, so they take little memory.
  ///
  ///     try connection.copy(into: "hero (_id, name)", columns: 2) { writer throws(PostgreSQLError) in
  ///       for hero in heroes {
  ///         try writer.beginRow()
  ///         try writer.append(hero.id)
  ///         try writer.append(hero.name)
  ///       }
  ///     }
  ///
  /// Values are not converted, so each value must have exactly the type of its column. The server rejects values of a different length, but
  /// not a `double precision` in a `bigint` column. If the table rejects a row, the whole copy fails when it ends.
  ///
  /// - Parameters:
  ///   - target: the table with its columns, as SQL.
  ///   - columns: the number of columns.
  ///   - deadline: when to stop waiting; by default, after the connection's `callTimeout`. The deadline includes the time that the closure
  ///     takes.
  ///   - body: writes the rows. If it throws, nothing is inserted.
  /// - Returns: the number of rows.
  @discardableResult
  package func copy(
    into target: String, columns: Int, deadline: Deadline? = nil,
    _ body: (inout CopyWriter) throws(PostgreSQLError) -> Void
  ) throws(PostgreSQLError) -> Int {
    let deadline = self.deadline(deadline)
    let sql = "COPY \(target) FROM STDIN (FORMAT binary)"
    guard 0...Int(Int16.max) ~= columns else {
      throw PostgreSQLError(.misuse, "a table cannot have \(columns) columns")
    }
    try PostgreSQLConnection.checkText(sql)
    try beginCopy(sql, deadline)
    var writer = CopyWriter(self, sql, columns: columns, deadline)
    do throws(PostgreSQLError) {
      writer.beginFile()
      try body(&writer)
      try writer.endFile()
    } catch {
      try endCopy(deadline, sql, failure: "the client has an error")
      throw error
    }
    try endCopy(deadline, sql, failure: nil)
    return writer.rowCount
  }

  private func beginCopy(_ sql: String, _ deadline: Deadline) throws(PostgreSQLError) {
    try issue(deadline, sql: sql) { library.sendQuery($0, sql) }
    guard let result = try receive(deadline, sql: sql) else {
      throw PostgreSQLError(.misuse, "the statement is empty").with { $0.sql = sql }
    }
    let status = library.resultStatus(result)
    let error = error(of: result, sql: sql)
    library.clear(result)
    if status == ResultStatus.copyIn {
      activity = .copying
      return
    }
    try drain(deadline, sql: sql)
    let failure = error ?? PostgreSQLError(.misuse, "the statement copies nothing").with { $0.sql = sql }
    throw failure.endsConnection ? ended(failure) : failure
  }

  /// Sends a part of the data, and waits until the network has accepted it.
  func putCopyData(_ bytes: [UInt8], _ deadline: Deadline, _ sql: String) throws(PostgreSQLError) {
    let handle = try open()
    guard activity == .copying else { throw PostgreSQLError(.misuse, "no rows are being copied") }
    // One call accepts at most 2 GB, which only a row with several huge values can exceed.
    var start = 0
    while start < bytes.count {
      let count = min(bytes.count - start, 1 << 30)
      let status = bytes.withUnsafeBytes {
        library.putCopyData(
          handle, $0.baseAddress?.advanced(by: start).assumingMemoryBound(to: CChar.self), CInt(count))
      }
      // In nonblocking mode, 0 means that libpq cannot allocate memory for the data.
      if status <= 0 { throw loss(handle, sql) }
      try flush(handle, deadline, sql: sql)
      start += count
    }
  }

  /// Ends the copy.
  ///
  /// - Parameter failure: the reason why nothing is to be inserted; nil to insert the rows.
  private func endCopy(_ deadline: Deadline, _ sql: String, failure: String?) throws(PostgreSQLError) {
    guard activity == .copying, let handle else { return }
    // If the copy failed, the server only confirms the failure.
    let deadline = failure == nil ? deadline : Deadline.after(PostgreSQLConnection.gracePeriod)
    activity = .reading
    let status = failure.map { library.putCopyEnd(handle, $0) } ?? library.putCopyEnd(handle, nil)
    if status <= 0 { throw loss(handle, sql) }
    do throws(PostgreSQLError) {
      try flush(handle, deadline, sql: sql)
      try drain(deadline, sql: sql)
    } catch {
      if failure == nil { throw error }
    }
  }
}
