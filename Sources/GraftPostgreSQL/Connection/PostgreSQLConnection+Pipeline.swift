/// Sends several statements in one round trip, using libpq's pipeline mode. Before libpq 14, they are sent one at a time.
///
///     enqueue      keeps a statement until the next one is sent
///     sendQueue    sends the kept statements; every call that sends a statement does so
///
/// If a statement fails, the server skips all later statements, including `COMMIT`.
extension PostgreSQLConnection {
  /// Keeps a statement, to run it together with the next statement in the same transaction. The call that sends both statements throws the
  /// error if either fails.
  ///
  /// - Parameter read: receives the rows, unless a statement fails.
  package func enqueue(
    _ sql: String, _ parameters: Parameters = Parameters(),
    _ read: ((Rows) throws(PostgreSQLError) -> Void)? = nil
  ) throws(PostgreSQLError) {
    _ = try open()
    queue.append(StatementQueue.Statement(sql: sql, parameters: parameters, read: read))
    if queue.isFull { try sendQueue() }
  }

  /// Sends the statements that were kept, if there are any, and waits for their results.
  package func sendQueue(deadline: Deadline? = nil) throws(PostgreSQLError) {
    if queue.isEmpty { return }
    let statements = takeQueue()
    try read(try send(statements, self.deadline(deadline)), of: statements)
  }

  /// Sends the statements that were kept and another statement, whose rows are returned.
  func sendQueue(
    with sql: String, _ parameters: Parameters, _ deadline: Deadline
  ) throws(PostgreSQLError) -> Rows {
    let statements = takeQueue() + [StatementQueue.Statement(sql: sql, parameters: parameters)]
    let answers = try send(statements, deadline)
    try read(answers, of: statements.dropLast())
    return answers.rows[statements.count - 1]
  }

  func takeQueue() -> [StatementQueue.Statement] {
    defer { queue.removeAll() }
    return queue.statements
  }

  private func read(
    _ answers: Answers, of statements: [StatementQueue.Statement]
  ) throws(PostgreSQLError) {
    if let failure = answers.failure { throw failure }
    for (statement, rows) in zip(statements, answers.rows) { try statement.read?(rows) }
  }

  // MARK: Sending

  /// The server's answers to several statements.
  struct Answers {
    /// The rows of the statements that succeeded, in order.
    var rows: [Rows] = []
    /// The reason why the next statement failed, or why its answer did not arrive.
    var failure: PostgreSQLError?
    /// Whether the failure is the server's answer to that statement.
    var isAnswered = false
  }

  /// Sends statements, and waits for their results.
  ///
  /// - Throws: if nothing was sent.
  func send(
    _ statements: [StatementQueue.Statement], _ deadline: Deadline
  ) throws(PostgreSQLError) -> Answers {
    for statement in statements {
      try statement.parameters.check()
      try PostgreSQLConnection.checkText(statement.sql)
    }
    guard let pipeline else { return try sendEach(statements, deadline) }
    try deallocateOldStatements(deadline)
    let isRollingBack = activity == .rollingBack
    let handle = try isRollingBack ? open() : checkIsFree()
    if !isRollingBack, pipeline.enter(handle) != 1 { throw sendingFailure(handle, nil) }
    var answers = Answers()
    do throws(PostgreSQLError) {
      let prepared = try put(statements, handle, pipeline, deadline)
      if isRollingBack { try finishRollback(deadline) }
      activity = .pipelining
      try receive(statements, prepared, &answers, deadline)
      try leavePipeline(handle)
    } catch {
      answers.failure = answers.failure ?? error
      // It is not known which of the statements were prepared.
      for statement in statements { self.statements.remove(statement.key) }
    }
    return answers
  }

  private func sendEach(
    _ statements: [StatementQueue.Statement], _ deadline: Deadline
  ) throws(PostgreSQLError) -> Answers {
    var answers = Answers()
    do throws(PostgreSQLError) {
      for statement in statements {
        answers.rows.append(try rows(statement.sql, statement.parameters, .whole, true, deadline))
      }
    } catch {
      answers.failure = error
      answers.isAnswered = error.sqlState != nil
    }
    return answers
  }

  /// Sends statements, and prepares those that are not prepared yet.
  ///
  /// - Returns: for each statement, whether it is being prepared.
  private func put(
    _ all: [StatementQueue.Statement], _ handle: LibPQ.Connection, _ pipeline: LibPQ.Pipeline, _ deadline: Deadline
  ) throws(PostgreSQLError) -> [Bool] {
    var prepared: [Bool] = []
    openEnds = 0
    for (index, statement) in all.enumerated() {
      let key = statement.key
      let known = statements.name(key)
      let name = known ?? statements.newName()
      if known == nil { statements.insert(key, name: name) }
      prepared.append(known == nil)
      let isSent =
        (known != nil || library.sendPrepare(handle, name, key.sql, CInt(key.types.count), key.types) == 1)
        && statement.parameters.withPointers {
          library.sendQueryPrepared(handle, name, $0.count, $0.values, $0.lengths, $0.formats, 1) == 1
        }
      guard isSent else { throw ended(sendingFailure(handle, key.sql)) }
      guard statement.end != .none || index == all.count - 1 else { continue }
      guard pipeline.sync(handle) == 1 else { throw ended(sendingFailure(handle, nil)) }
      openEnds += 1
    }
    try flush(handle, deadline, sql: all.last?.sql)
    return prepared
  }

  // MARK: Receiving

  private func receive(
    _ all: [StatementQueue.Statement], _ prepared: [Bool], _ answers: inout Answers, _ deadline: Deadline
  ) throws(PostgreSQLError) {
    for (index, (statement, isPrepared)) in zip(all, prepared).enumerated() {
      if isPrepared { try receive(statement, &answers, deadline) }
      let rows = try receive(statement, &answers, deadline)
      if let rows, statement.end != .statement { answers.rows.append(rows) }
      // The statement may not have been prepared, or may be out of date.
      if let failure = answers.failure, isPrepared || failure.isStaleStatement { statements.remove(statement.key) }
      guard statement.end != .none || index == all.count - 1 else { continue }
      try receiveEnd(statement, &answers, deadline)
      if let rows, statement.end == .statement, answers.failure == nil { answers.rows.append(rows) }
    }
  }

  /// Receives the end of everything that was sent, or of a part of it. A statement that is its own transaction can still fail at that
  /// point.
  private func receiveEnd(
    _ statement: StatementQueue.Statement, _ answers: inout Answers, _ deadline: Deadline
  ) throws(PostgreSQLError) {
    // libpq ends the results of the error before it reports the end.
    for _ in 0..<3 {
      guard let result = try next(deadline, sql: statement.sql) else { continue }
      let isEnd = library.resultStatus(result) == ResultStatus.pipelineSync
      let error = error(of: result, sql: statement.sql)
      library.clear(result)
      if isEnd {
        openEnds -= 1
        return
      }
      guard let error else { break }
      if answers.failure == nil { (answers.failure, answers.isAnswered) = (error, error.sqlState != nil) }
      if error.endsConnection { throw ended(error) }
    }
    throw ended(PostgreSQLError(.connectionLost, "the connection to '\(name)' was lost"))
  }

  /// Receives the results of one statement. After a failure, the server only answers that it has skipped the statement.
  @discardableResult
  private func receive(
    _ statement: StatementQueue.Statement, _ answers: inout Answers, _ deadline: Deadline
  ) throws(PostgreSQLError) -> Rows? {
    var rows: Rows?
    while let result = try next(deadline, sql: statement.sql) {
      if let error = error(of: result, sql: statement.sql) {
        library.clear(result)
        if answers.failure == nil { (answers.failure, answers.isAnswered) = (error, error.sqlState != nil) }
        if error.endsConnection { throw ended(error) }
      } else if isCopy(result) {
        library.clear(result)
        throw ended(PostgreSQLError(.misuse, "COPY to or from the client needs 'copy(_:columns:)'"))
      } else {
        rows = Rows(self, statement.sql, deadline)
        try rows?.take(whole: result)
      }
    }
    return answers.failure == nil ? rows : nil
  }

  /// Ends the pipeline mode after all results have been received.
  func leavePipeline(_ handle: LibPQ.Connection) throws(PostgreSQLError) {
    guard pipeline?.exit(handle) == 1 else { throw loss(handle, nil) }
    activity = .none
  }

  // MARK: Rolling back

  /// Rolls the transaction back, if there is one, without waiting for the server. The next call notices if this fails.
  func rollBackSoon() {
    queue.removeAll()
    guard isInTransaction else { return }
    guard let handle, let pipeline, case .none = activity, pipeline.enter(handle) == 1 else {
      return rollBack()
    }
    activity = .rollingBack
    let isSent =
      library.sendQueryParams(handle, "ROLLBACK", 0, nil, nil, nil, nil, 1) == 1 && pipeline.sync(handle) == 1
    if !isSent || library.flush(handle) != 0 { close() }
  }

  /// Receives the result of a rollback that was sent.
  ///
  /// - Throws: if the rollback failed. In that case, the connection is closed, which also rolls the transaction back.
  func finishRollback(_ deadline: Deadline) throws(PostgreSQLError) {
    for _ in 0..<2 {
      while let result = try next(deadline, sql: "ROLLBACK") {
        let error = error(of: result, sql: "ROLLBACK")
        let isEnd = library.resultStatus(result) == ResultStatus.pipelineSync
        library.clear(result)
        if let error { throw ended(error) }
        if isEnd { return }
      }
    }
    throw ended(PostgreSQLError(.connectionLost, "the connection to '\(name)' was lost"))
  }
}
