import Foundation
import Graft

/// Follows the commits of all programs that share the database, which notify each other.
///
/// While there are listeners, a thread with its own connection waits for notifications. A notification can be lost: a program may end
/// between its commit and the notification, and some connection poolers do not deliver notifications. Listeners therefore also get a signal
/// every ten seconds and, while the server cannot notify, at the interval that they requested.
final class CommitListener: Sendable {
  private struct State {
    var listeners: [Int: (interval: Duration, continuation: AsyncStream<Void>.Continuation)] = [:]
    var lastListener = 0
    /// Ends the thread; nil if there is none.
    var interruption: Interruption?
    var isClosed = false

    var interval: Duration { listeners.values.map(\.interval).min() ?? .seconds(10) }
  }

  private let state = Guarded(State())
  private let connect: @Sendable (Interruption) throws(PostgreSQLError) -> PostgreSQLConnection

  init(connect: @escaping @Sendable (Interruption) throws(PostgreSQLError) -> PostgreSQLConnection) {
    self.connect = connect
  }

  deinit { close() }

  /// Returns a stream with an element whenever there may have been a commit.
  func signals(every interval: Duration) -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let number = state.withLock { state -> Int? in
        guard !state.isClosed else { return nil }
        state.lastListener += 1
        state.listeners[state.lastListener] = (interval, continuation)
        if state.interruption == nil { state.interruption = start() }
        return state.lastListener
      }
      guard let number else { return continuation.finish() }
      continuation.onTermination = { [weak self] _ in self?.remove(number) }
    }
  }

  private func remove(_ number: Int) {
    state.withLock { state in
      state.listeners[number] = nil
      guard state.listeners.isEmpty else { return }
      state.interruption?.interrupt()
      state.interruption = nil
    }
  }

  /// Ends all streams.
  func close() {
    let listeners = state.withLock { state in
      defer { state.listeners = [:] }
      state.isClosed = true
      state.interruption?.interrupt()
      state.interruption = nil
      return state.listeners
    }
    for listener in listeners.values { listener.continuation.finish() }
  }

  private func signal() {
    for listener in state.withLock({ $0.listeners }).values { listener.continuation.yield() }
  }

  // MARK: The thread

  /// The time to wait for a notification, and the pause before another attempt after a failure.
  private static let patience = Duration.seconds(10)

  private func start() -> Interruption {
    let interruption = Interruption()
    let connect = self.connect
    Thread.detachNewThread { [weak self] in
      while !interruption.isInterrupted {
        if let connection = try? connect(interruption) {
          defer { connection.close() }
          try? CommitListener.listen(connection) { self?.signal() }
        }
        let end = Deadline.after(CommitListener.patience)
        while !end.hasPassed, !interruption.isInterrupted, let interval = self?.state.withLock({ $0.interval }) {
          self?.signal()
          _ = SocketWait.wait(-1, forWriting: false, .after(min(interval, CommitListener.patience)), interruption)
        }
      }
    }
    return interruption
  }

  /// Waits for notifications until the connection breaks or is interrupted.
  private static func listen(
    _ connection: PostgreSQLConnection, _ signal: () -> Void
  ) throws(PostgreSQLError) {
    guard let channel = try connection.text("SELECT \(CommitNotification.channel)") else { return }
    try connection.listen(to: channel)
    // A pooler that lends a connection only for a transaction does not deliver this notification, and reports an error.
    try connection.notify(channel, "")
    guard try !connection.notifications(waiting: .seconds(2)).isEmpty else { return }
    while true {
      signal()
      _ = try connection.notifications(waiting: patience)
    }
  }
}

/// The notification that informs other programs of a commit.
enum CommitNotification {
  /// The SQL for the channel of the store in the search path. A database may have several stores.
  static let channel = "'graft_' || '\"_graft_state\"'::regclass::oid"

  /// The statement that notifies other programs of a commit. It runs after the commit's transaction, not in it, because
  /// notifications are sent under a lock of the whole server, which would last until the commit is on the disk.
  static let sql = "SELECT pg_notify(\(channel), '')"
}
