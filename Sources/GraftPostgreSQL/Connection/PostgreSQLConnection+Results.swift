import Dispatch
import Foundation

/// Sends commands and receives their results. All functions that wait are in this file.
///
///     issue     checks that the connection is free, and sends
///     next      waits for the next result; nil means the end of the command
///     receive   the same for a command that was sent alone
///     drain     receives to the end
///
/// At the end of a command, either all results were received and the connection is free, or the connection is closed. If a deadline
/// passes, the server is first asked to cancel the command.
extension PostgreSQLConnection {
  /// The time that a cancelled statement, or a rollback, may take before the connection is abandoned.
  static let gracePeriod = Duration.seconds(3)

  /// Returns the deadline of a call.
  func deadline(_ deadline: Deadline?) -> Deadline {
    deadline ?? options.callTimeout.map { Deadline.after($0) } ?? .never
  }

  /// Checks that the connection is open and is not running another command.
  func checkIsFree() throws(PostgreSQLError) -> LibPQ.Connection {
    let handle = try open()
    switch activity {
    case .none: return handle
    case .reading:
      throw PostgreSQLError(
        .misuse, "the rows of another statement are being read; read them to the end first, or all at once")
    case .copying: throw PostgreSQLError(.misuse, "rows are being copied; end the copy first")
    case .pipelining: throw PostgreSQLError(.misuse, "the results of other statements are being received")
    case .rollingBack:
      try finishRollback(.after(PostgreSQLConnection.gracePeriod))
      try leavePipeline(handle)
      return handle
    }
  }

  /// Sends the statements that were kept, and then a command.
  ///
  /// - Parameter send: a function of libpq that returns 1 if it succeeds.
  func issue(_ deadline: Deadline, sql: String?, _ send: (LibPQ.Connection) -> CInt) throws(PostgreSQLError) {
    try sendQueue(deadline: deadline)
    let handle = try checkIsFree()
    guard send(handle) == 1 else { throw sendingFailure(handle, sql) }
    activity = .reading
    try flush(handle, deadline, sql: sql)
  }

  /// Sends the data that libpq has buffered. Also reads data, because the server stops reading while its own data is not read.
  func flush(_ handle: LibPQ.Connection, _ deadline: Deadline, sql: String?) throws(PostgreSQLError) {
    while true {
      let status = library.flush(handle)
      if status == 0 { return }
      if status < 0 { throw loss(handle, sql) }
      switch try wait(handle, forWriting: true, deadline, sql: sql) {
      case .ready(let canRead, _):
        if canRead, library.consumeInput(handle) == 0 { throw loss(handle, sql) }
      case .deadlinePassed:
        // A part of a command cannot be cancelled.
        throw ended(deadlineError(deadline, sql, isClosed: true))
      case .interrupted: throw ended(interruptionError(sql))
      }
    }
  }

  /// Waits until data can be received from the server or sent to it.
  private func wait(
    _ handle: LibPQ.Connection, forWriting: Bool, _ deadline: Deadline, sql: String?
  ) throws(PostgreSQLError) -> SocketWait.Outcome {
    let socket = library.socket(handle)
    // libpq can close the socket before it reports that the connection was lost.
    if socket < 0 { throw loss(handle, sql) }
    // While data keeps arriving, the socket is always ready.
    if deadline.hasPassed { return .deadlinePassed }
    return SocketWait.wait(socket, forWriting: forWriting, deadline, options.interruption)
  }

  /// Waits for the next result of the command. Returns nil at its end, when the connection is free. The caller clears the result.
  func receive(_ deadline: Deadline, sql: String?) throws(PostgreSQLError) -> LibPQ.Result? {
    let result = try next(deadline, sql: sql)
    if result == nil { activity = .none }
    return result
  }

  /// Waits for the next result of a command. Returns nil at its end. The caller clears the result.
  func next(_ deadline: Deadline, sql: String?) throws(PostgreSQLError) -> LibPQ.Result? {
    let handle = try open()
    while library.isBusy(handle) == 1 {
      switch try wait(handle, forWriting: false, deadline, sql: sql) {
      case .ready: if library.consumeInput(handle) == 0 { throw loss(handle, sql) }
      case .deadlinePassed:
        let isClosed = !cancelAndDrain(handle)
        throw ended(deadlineError(deadline, sql, isClosed: isClosed), isClosed: isClosed)
      case .interrupted: throw ended(interruptionError(sql))
      }
    }
    return library.getResult(handle)
  }

  /// Receives the results of a command to its end, and then throws the first error.
  ///
  /// - Parameter read: receives each result that is not an error.
  func drain(
    _ deadline: Deadline, sql: String?, _ read: (LibPQ.Result) -> Void = { _ in }
  ) throws(PostgreSQLError) {
    var first: PostgreSQLError?
    while let result = try receive(deadline, sql: sql) {
      defer { library.clear(result) }
      if let error = error(of: result, sql: sql) {
        first = first ?? error
      } else if isCopy(result) {
        let error = PostgreSQLError(.misuse, "COPY to or from the client needs 'copy(_:columns:)'")
        throw ended(first ?? error)
      } else {
        read(result)
      }
      if handle.map({ library.status($0) != ConnectionStatus.ok }) ?? true { break }
    }
    if let first { throw first.endsConnection ? ended(first) : first }
    // The results are valid, but the connection was lost after them.
    if !isUsable { close(because: PostgreSQLError(.connectionLost, "the connection to '\(name)' was lost")) }
  }

  /// Returns whether the server expects or sends the data of a COPY. 'getResult' returns such a result repeatedly.
  func isCopy(_ result: LibPQ.Result) -> Bool {
    [ResultStatus.copyIn, ResultStatus.copyOut, ResultStatus.copyBoth].contains(library.resultStatus(result))
  }

  /// Returns the error that a result contains; nil if there is none.
  func error(of result: LibPQ.Result, sql: String?) -> PostgreSQLError? {
    switch library.resultStatus(result) {
    case ResultStatus.emptyQuery...ResultStatus.copyIn, ResultStatus.copyBoth, ResultStatus.singleTuple,
      ResultStatus.pipelineSync:
      return nil
    default:
      let isLost = handle.map { library.status($0) != ConnectionStatus.ok } ?? true
      return PostgreSQLError(result, library, isLost: isLost, sql: sql)
    }
  }

  // MARK: Ends

  /// Closes the connection because of an error, which is returned to be thrown.
  func ended(_ error: PostgreSQLError, isClosed: Bool = true) -> PostgreSQLError {
    if isClosed { close(because: error) }
    return error
  }

  /// Returns the error for a connection that broke. If the server sent a reason, that reason is the error.
  func loss(_ handle: LibPQ.Connection, _ sql: String?) -> PostgreSQLError {
    let message = library.errorMessage(handle).map { PostgreSQLError.oneLine(String(cString: $0)) } ?? ""
    var error = PostgreSQLError(
      .connectionLost, message.isEmpty ? "the connection to '\(name)' was lost" : message
    ).with { $0.sql = sql }
    // If there is no socket, libpq does not wait.
    while library.status(handle) != ConnectionStatus.ok, let result = library.getResult(handle) {
      defer { library.clear(result) }
      guard let explained = self.error(of: result, sql: sql), explained.sqlState != nil else {
        // 'getResult' would return the same result forever.
        if isCopy(result) { break }
        continue
      }
      error = explained
    }
    return ended(error)
  }

  /// Returns the error for a command that libpq did not send.
  func sendingFailure(_ handle: LibPQ.Connection, _ sql: String?) -> PostgreSQLError {
    if library.status(handle) != ConnectionStatus.ok { return loss(handle, sql) }
    let message = library.errorMessage(handle).map { PostgreSQLError.oneLine(String(cString: $0)) } ?? ""
    return PostgreSQLError(.other, message).with { $0.sql = sql }
  }

  private func deadlineError(_ deadline: Deadline, _ sql: String?, isClosed: Bool) -> PostgreSQLError {
    let consequence = isClosed ? "the connection was closed" : "it was cancelled"
    return PostgreSQLError(
      .deadlineExceeded, "the server did not answer within \(deadline.timeout ?? .zero); \(consequence)"
    ).with { $0.sql = sql }
  }

  private func interruptionError(_ sql: String?) -> PostgreSQLError {
    PostgreSQLError(.interrupted, "waiting for the server was interrupted; the connection was closed")
      .with { $0.sql = sql }
  }

  /// Cancels the command, and waits a short time for its end.
  ///
  /// - Returns: whether the connection is free.
  func cancelAndDrain(_ handle: LibPQ.Connection) -> Bool {
    if activity == .rollingBack { return false }
    // Sending a cancellation blocks for as long as the network does, so it needs its own thread and its own canceller.
    let isDone = DispatchSemaphore(value: 0)
    var cancellations = 0
    func cancel() {
      let canceller = Canceller(handle, library)
      Thread.detachNewThread {
        canceller.cancel()
        isDone.signal()
      }
      cancellations += 1
    }
    cancel()
    let deadline = Deadline.after(PostgreSQLConnection.gracePeriod)
    while true {
      while library.isBusy(handle) == 1 {
        guard !deadline.hasPassed,
          case .ready = SocketWait.wait(library.socket(handle), forWriting: false, deadline, options.interruption),
          library.consumeInput(handle) == 1
        else { return false }
      }
      guard let result = library.getResult(handle) else {
        // In pipeline mode, this is only the end of a statement.
        guard activity == .pipelining else { break }
        if library.status(handle) != ConnectionStatus.ok || deadline.hasPassed { return false }
        continue
      }
      let isEnd = library.resultStatus(result) == ResultStatus.pipelineSync
      let isFatal = error(of: result, sql: nil)?.endsConnection ?? isCopy(result)
      library.clear(result)
      if isFatal || deadline.hasPassed { return false }
      guard isEnd else { continue }
      openEnds -= 1
      if openEnds <= 0 {
        guard pipeline?.exit(handle) == 1 else { return false }
        break
      }
      // The next transaction might also wait.
      cancel()
    }
    // A cancellation that arrives later could cancel the next command.
    for _ in 0..<cancellations {
      let left = Int(clamping: deadline.remaining?.milliseconds() ?? 0)
      guard isDone.wait(timeout: .now() + .milliseconds(left)) == .success else { return false }
    }
    activity = .none
    return library.status(handle) == ConnectionStatus.ok
  }
}
