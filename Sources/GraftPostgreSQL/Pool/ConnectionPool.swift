/// Connections to one database, lent to one caller at a time. All calls block, and may be made from any thread.
///
///     let pool = ConnectionPool(ConnectionString("postgresql://localhost/shop"))
///     try pool.withConnection { connection throws(PostgreSQLError) in
///       try connection.execute("...")
///     }
///
/// Connections are opened when they are needed, and closed when they have been idle for some time. Waiting callers are served in order.
package final class ConnectionPool: Sendable {
  private let string: ConnectionString
  private let connectionOptions: ConnectionOptions
  package let options: PoolOptions
  let slots: PoolSlots

  /// Creates a pool without connecting.
  package init(
    _ string: ConnectionString, _ connectionOptions: ConnectionOptions = ConnectionOptions(),
    _ options: PoolOptions = PoolOptions()
  ) {
    self.string = string
    self.connectionOptions = connectionOptions
    self.options = options
    slots = PoolSlots(limit: options.limit, idleTime: options.idleTime)
  }

  deinit { slots.close() }

  // MARK: Lending

  /// Calls a closure with a connection, which is returned to the pool after the call. A transaction that the closure leaves open is rolled
  /// back.
  ///
  /// - Parameter waiting: how long to wait for a connection; by default, the pool's `waitingTime`.
  package func withConnection<Result>(
    waiting: Duration? = nil, _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    let lease = try lease(waiting: waiting)
    defer { lease.end() }
    return try body(lease.connection)
  }

  /// Lends a connection for longer than a call, such as for a snapshot.
  ///
  /// - Parameter waiting: how long to wait for a connection; by default, the pool's `waitingTime`.
  /// - Throws: `poolExhausted` if all connections are in use for that time, `closed` if the pool is closed, or the reason why no
  ///   connection can be established.
  package func lease(waiting: Duration? = nil) throws(PostgreSQLError) -> ConnectionLease {
    let waiting = waiting ?? options.waitingTime
    let deadline = Deadline.after(waiting)
    var idle = try slots.take(deadline, waiting)
    do throws(PostgreSQLError) {
      while let candidate = idle {
        if isSound(candidate) { return ConnectionLease(candidate.connection, slots) }
        candidate.connection.close()
        idle = slots.popIdle()
      }
      let connection = try connect()
      slots.noteConnected()
      return ConnectionLease(connection, slots)
    } catch {
      slots.free()
      throw error
    }
  }

  /// Returns whether an idle connection can be lent.
  private func isSound(_ idle: IdleConnection) -> Bool {
    guard idle.connection.isUsable, !idle.connection.isClosedByServer() else { return false }
    // The result of a rollback that was just sent arrives with the result of the next statement.
    guard idle.age > min(.milliseconds(100), options.unverifiedTime) else { return true }
    do throws(PostgreSQLError) {
      _ = try idle.connection.checkIsFree()
      guard idle.age > options.unverifiedTime else { return true }
      try idle.connection.checkIsAlive()
      return true
    } catch {
      return false
    }
  }

  /// Connects. Retries for a limited time if the server has answered before. If the server does not answer in that time, later calls try
  /// only once until it answers again, so that a program that reads many objects does not wait for each object.
  private func connect() throws(PostgreSQLError) -> PostgreSQLConnection {
    let deadline = Deadline.after(options.reconnectingTime)
    var pause = Duration.milliseconds(20)
    while true {
      do throws(PostgreSQLError) {
        return try PostgreSQLConnection(string, connectionOptions)
      } catch  where error.isTransient && slots.isExpected {
        if deadline.hasPassed {
          slots.noteMissing()
          throw error
        }
        if try !slots.sleep(min(pause, deadline.remaining ?? pause), connectionOptions.interruption) { throw error }
        pause = min(pause * 2, .milliseconds(500))
      }
    }
  }

  /// Opens a connection that does not count toward the limit and that the caller must close.
  ///
  /// - Parameter interruption: ends the connection's waiting.
  package func separateConnection(_ interruption: Interruption) throws(PostgreSQLError) -> PostgreSQLConnection {
    var options = connectionOptions
    options.interruption = interruption
    return try PostgreSQLConnection(string, options)
  }

  // MARK: State

  /// The number of connections that are lent.
  package var lentCount: Int { slots.lentCount }

  /// The number of connections that are open and not lent.
  package var idleCount: Int { slots.idleCount }

  /// Closes the idle connections, stops lending, and waits for lent connections, which are closed when they are returned.
  ///
  /// - Parameter waiting: how long to wait for lent connections.
  /// - Throws: if some connections are still in use after that time. The pool is closed in any case.
  package func close(waiting: Duration = .zero) throws(PostgreSQLError) {
    slots.close()
    let left = slots.waitUntilReturned(.after(waiting))
    if left > 0 {
      throw PostgreSQLError(
        .poolExhausted,
        "the pool is closed, but \(left) of its connections \(left == 1 ? "is" : "are") still in use after \(waiting)")
    }
  }
}

/// A connection of a pool, used by one thread at a time. It is returned when `end()` is called or the lease is deallocated.
package final class ConnectionLease {
  package let connection: PostgreSQLConnection
  private let slots: PoolSlots
  private var hasEnded = false

  init(_ connection: PostgreSQLConnection, _ slots: PoolSlots) {
    self.connection = connection
    self.slots = slots
  }

  /// Returns the connection. Rolls an open transaction back. The connection must not be used afterwards.
  package func end() {
    guard !hasEnded else { return }
    hasEnded = true
    slots.put(connection)
  }

  deinit { end() }
}
