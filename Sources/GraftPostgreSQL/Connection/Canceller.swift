import Graft

/// Cancels the statement that a connection is running, from any thread.
///
///     let canceller = connection.canceller
///     Thread.detachNewThread { sleep(1); canceller.cancel() }
///     try connection.execute("SELECT pg_sleep(60)")        // throws queryCanceled after a second
///
/// The transaction of the statement fails, and the connection remains usable. If the connection is idle, nothing happens. libpq sends the
/// request without TLS. It contains a key of the connection, but no data.
package final class Canceller: Sendable {
  private let library: LibPQ
  private let state: Guarded<State>

  private struct State {
    /// libpq's object with the address and the key of the server's process; nil after the canceller is retired.
    var handle: OpaquePointer?
    var isRetired = false
    /// The number of threads that are sending a cancellation.
    var senders = 0
  }

  init(_ connection: LibPQ.Connection?, _ library: LibPQ) {
    self.library = library
    state = Guarded(State(handle: connection.flatMap { library.getCancel($0) }))
  }

  deinit { state.withLock { library.freeCancel($0.handle) } }

  /// Asks the server to cancel the statement. Opens a connection for this, so it can block for as long as the network does.
  ///
  /// - Returns: whether the server was reached. The statement may still finish.
  @discardableResult
  package func cancel() -> Bool {
    let handle = state.withLock { state -> OpaquePointer? in
      guard !state.isRetired, let handle = state.handle else { return nil }
      state.senders += 1
      return handle
    }
    guard let handle else { return false }
    // The request is sent outside the lock, because sending blocks. Several threads may call libpq's function at the same time.
    var message = [CChar](repeating: 0, count: 256)
    let isSent = library.cancel(handle, &message, CInt(message.count)) == 1
    state.withLock { state in
      state.senders -= 1
      if state.isRetired, state.senders == 0 { free(&state) }
    }
    return isSent
  }

  /// Makes further cancellations do nothing.
  ///
  /// - Returns: false if a cancellation is being sent and can still arrive.
  @discardableResult
  func retire() -> Bool {
    state.withLock { state in
      state.isRetired = true
      if state.senders == 0 { free(&state) }
      return state.senders == 0
    }
  }

  private func free(_ state: inout State) {
    library.freeCancel(state.handle)
    state.handle = nil
  }
}
