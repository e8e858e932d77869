/// A connection to a database, used by one thread at a time. Calls block the thread.
///
///     let connection = try PostgreSQLConnection(ConnectionString("postgresql://localhost/shop"))
///     var parameters = Parameters()
///     try parameters.append([1, 2, 3] as [Int64])
///     try connection.query("SELECT name FROM hero WHERE _id = ANY($1)", parameters) { rows throws(PostgreSQLError) in
///       while try rows.next() { print(try rows.text(0) ?? "") }
///     }
///
/// Each call can have a deadline. By default, ``ConnectionOptions/callTimeout`` sets the deadline. If the connection breaks, or a call ends
/// while the server is still sending, the connection closes itself. ``isUsable`` is then false, and all further calls fail.
package final class PostgreSQLConnection {
  let library: LibPQ
  /// libpq's connection; nil when it is closed.
  private(set) var handle: LibPQ.Connection?
  let options: ConnectionOptions
  /// A name of the database for messages, without credentials.
  package let name: String
  /// The functions that send several statements in one round trip; nil if they are sent one at a time.
  var pipeline: LibPQ.Pipeline? { options.isPipelined ? library.pipeline : nil }
  /// The current activity of the connection.
  var activity = Activity.none
  /// The number of transactions in the pipeline whose end has not been received.
  var openEnds = 0
  var statements: StatementCache
  /// The statements that are sent with the next statement.
  var queue = StatementQueue()
  /// The reason why the connection was closed.
  private var closingError: PostgreSQLError?
  /// The canceller for the statements of the connection's current user.
  private var currentCanceller: Canceller?
  /// Whether the session differs from a new session, because it listens or its settings were changed. A pool does not lend such a
  /// connection again. Set this after creating temporary tables, taking advisory locks, or `SET`.
  package var hasSessionState = false

  enum Activity {
    case none
    /// A statement was sent, and its rows have not all been read.
    case reading
    /// Rows are being sent.
    case copying
    /// Statements were sent in pipeline mode, and their results have not all been received.
    case pipelining
    /// A rollback was sent in pipeline mode. The next call receives its result.
    case rollingBack
  }

  /// Connects to a database.
  ///
  /// - Throws: if libpq is missing, the string is invalid, no server answers, or it rejects the user. No message contains a password.
  package init(_ string: ConnectionString, _ options: ConnectionOptions = ConnectionOptions()) throws(PostgreSQLError) {
    let connected = try Connector(string, options).connect()
    library = connected.library
    handle = connected.handle
    name = connected.name
    self.options = options
    statements = StatementCache(capacity: options.statementCapacity)
    try applySettings()
  }

  deinit { close() }

  // MARK: State

  /// Whether further calls can succeed. A broken connection is noticed only when a call fails; see ``checkIsAlive(_:)``.
  package var isUsable: Bool { handle.map { library.status($0) == ConnectionStatus.ok } ?? false }

  /// Whether a transaction has begun, may have begun, or begins with the next statement.
  package var isInTransaction: Bool {
    guard let handle else { return false }
    return !queue.isEmpty || activity != .rollingBack && library.transactionStatus(handle) != 0
  }

  /// Whether a statement failed, so the transaction can only be rolled back.
  package var isInFailedTransaction: Bool { handle.map { library.transactionStatus($0) == 3 } ?? false }

  /// The version of the server, such as 150004 for 15.4.
  package var serverVersion: Int { handle.map { Int(library.serverVersion($0)) } ?? 0 }

  /// The server process that serves the connection, like `pg_backend_pid()`.
  package var backendPID: Int32 { handle.map { library.backendPID($0) } ?? 0 }

  /// Returns a setting that the server reports when a connection is established, such as `server_encoding`. Text is valid UTF-8
  /// only if that setting is not `SQL_ASCII`.
  package func parameter(_ name: String) -> String? {
    handle.flatMap { library.parameterStatus($0, name) }.map { String(cString: $0) }
  }

  /// Returns libpq's connection.
  ///
  /// - Throws: if it is closed, with the reason.
  func open() throws(PostgreSQLError) -> LibPQ.Connection {
    guard let handle else { throw closed }
    return handle
  }

  var closed: PostgreSQLError {
    guard let closingError else { return PostgreSQLError(.closed, "the connection to '\(name)' is closed") }
    return PostgreSQLError(
      closingError.kind, "the connection to '\(name)' is closed, because a call failed: \(closingError.message)")
  }

  /// Closes the connection. The server rolls an open transaction back. If the connection is already closed, this method does nothing.
  package func close() {
    guard let handle else { return }
    currentCanceller?.retire()
    library.finish(handle)
    self.handle = nil
    activity = .none
    statements.removeAll()
    queue.removeAll()
  }

  /// Closes the connection because of an error, which further calls report.
  func close(because error: PostgreSQLError) {
    if handle != nil { closingError = error }
    close()
  }

  // MARK: Cancelling

  /// A canceller for the statements of this connection, for use from any thread. It is valid until the connection is closed or
  /// returned to its pool.
  package var canceller: Canceller {
    if let currentCanceller { return currentCanceller }
    let canceller = Canceller(handle, library)
    currentCanceller = canceller
    return canceller
  }

  /// Makes the canceller invalid, so that it cannot cancel the statements of the next user.
  ///
  /// - Returns: whether the connection can have another user. It cannot have one if a cancellation is under way.
  func retireCanceller() -> Bool {
    let isSettled = currentCanceller?.retire() ?? true
    currentCanceller = nil
    return isSettled
  }
}
