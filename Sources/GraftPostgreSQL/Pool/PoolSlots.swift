import Dispatch
import Foundation

/// A connection that is not lent.
struct IdleConnection {
  let connection: PostgreSQLConnection
  let since: ContinuousClock.Instant

  var age: Duration { since.duration(to: .now) }
}

/// The connections of a pool that are idle, and the number of connections that are lent or being opened.
///
///     take    waits for a slot: an idle connection, or the right to open one
///     put     returns a connection, with its slot
///     free    returns a slot without a connection
///
/// The lock is never held while waiting for the server.
final class PoolSlots: @unchecked Sendable {
  // The condition's lock protects all of the following.
  private let condition = NSCondition()
  /// The idle connections. The most recently used connection is at the end and is lent first, so that the other connections can be closed
  /// after some time.
  private var idle: [IdleConnection] = []
  private var lent = 0
  /// The waiting callers, by their tickets.
  private var queue: [Int] = []
  private var nextTicket = 0
  private var isClosed = false
  private var isPruningScheduled = false
  private var answered = false

  private let limit: Int
  private let idleTime: Duration

  init(limit: Int, idleTime: Duration) {
    self.limit = max(1, limit)
    self.idleTime = idleTime
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    return body()
  }

  var lentCount: Int { locked { lent } }
  var idleCount: Int { locked { idle.count } }
  /// Whether the server has answered, and has not been missing for longer than the time for which connecting is retried.
  var isExpected: Bool { locked { answered } }

  func noteConnected() { locked { answered = true } }
  func noteMissing() { locked { answered = false } }

  // MARK: Taking

  /// Waits for a slot.
  ///
  /// - Returns: an idle connection; nil to open one.
  func take(_ deadline: Deadline, _ waiting: Duration) throws(PostgreSQLError) -> IdleConnection? {
    condition.lock()
    defer { condition.unlock() }
    if isClosed { throw PoolSlots.closed }
    if !queue.isEmpty || lent >= limit {
      let ticket = nextTicket
      nextTicket += 1
      queue.append(ticket)
      defer {
        queue.removeAll { $0 == ticket }
        // The next caller might also get a slot.
        condition.broadcast()
      }
      while !isClosed, queue.first != ticket || lent >= limit {
        if deadline.hasPassed { throw exhausted(waiting) }
        wait(deadline)
      }
      if isClosed { throw PoolSlots.closed }
    }
    lent += 1
    return idle.popLast()
  }

  /// Returns another idle connection for a slot that was taken.
  func popIdle() -> IdleConnection? { locked { idle.popLast() } }

  /// Waits at most a second for a change, because the condition's clock can be set back.
  private func wait(_ deadline: Deadline) {
    let seconds = min(Double(deadline.remaining?.milliseconds(roundedUp: true) ?? 1000) / 1000, 1)
    _ = condition.wait(until: Date(timeIntervalSinceNow: seconds))
  }

  /// Waits for the given time, unless the pool is closed.
  ///
  /// - Returns: false if it was interrupted.
  func sleep(_ duration: Duration, _ interruption: Interruption?) throws(PostgreSQLError) -> Bool {
    let deadline = Deadline.after(duration)
    condition.lock()
    defer { condition.unlock() }
    while !deadline.hasPassed {
      if isClosed { throw PoolSlots.closed }
      if interruption?.isInterrupted == true { return false }
      wait(deadline)
    }
    return true
  }

  private static let closed = PostgreSQLError(.closed, "the connection pool is closed")

  private func exhausted(_ waiting: Duration) -> PostgreSQLError {
    PostgreSQLError(
      .poolExhausted,
      """
      no connection became free within \(waiting): \(lent) of \(limit) are in use, and \(queue.count - 1) other callers are waiting; \
      use each connection for a shorter time, or raise the limit of the pool
      """)
  }

  // MARK: Returning

  /// Returns a connection. It is closed if it cannot be lent again.
  func put(_ connection: PostgreSQLConnection) {
    let isReusable = PoolSlots.reset(connection)
    let isKept = locked {
      guard isReusable, !isClosed else { return false }
      idle.append(IdleConnection(connection: connection, since: .now))
      lent -= 1
      condition.broadcast()
      return true
    }
    if isKept { return schedulePruning() }
    // The connection is closed first, so that the server never has more connections than the limit.
    connection.close()
    free()
  }

  /// Returns a slot without a connection.
  func free() {
    locked {
      lent -= 1
      condition.broadcast()
    }
  }

  /// Resets a connection for the next caller.
  ///
  /// - Returns: whether that was possible.
  private static func reset(_ connection: PostgreSQLConnection) -> Bool {
    guard connection.isUsable, connection.retireCanceller(), !connection.hasSessionState else { return false }
    guard connection.isInTransaction else { return true }
    // Rows that are still being read belong to a closure that has not returned.
    guard case .none = connection.activity else { return false }
    connection.rollBackSoon()
    return connection.isUsable && !connection.isInTransaction
  }

  // MARK: Closing

  /// Closes connections later, when they have been idle for some time.
  private func schedulePruning() {
    let isNew = locked {
      defer { isPruningScheduled = true }
      return !isPruningScheduled
    }
    guard isNew else { return }
    // The time is at most a day, so that no sum overflows.
    let milliseconds = Int(min(idleTime.milliseconds(roundedUp: true), 86_400_000))
    let time = DispatchTime.now() + .milliseconds(milliseconds + 1)
    DispatchQueue.global().asyncAfter(deadline: time) { [weak self] in self?.prune() }
  }

  private func prune() {
    let (old, hasMore) = locked {
      isPruningScheduled = false
      // The oldest connections are at the front.
      let count = idle.firstIndex { $0.age < idleTime } ?? idle.count
      let old = Array(idle.prefix(count))
      idle.removeFirst(count)
      return (old, !idle.isEmpty)
    }
    for idle in old { idle.connection.close() }
    if hasMore { schedulePruning() }
  }

  /// Stops lending connections, and closes the idle ones.
  func close() {
    let old = locked {
      isClosed = true
      defer { idle.removeAll() }
      condition.broadcast()
      return idle
    }
    for idle in old { idle.connection.close() }
  }

  /// Waits until all connections are returned.
  ///
  /// - Returns: the number of connections that have not been returned.
  func waitUntilReturned(_ deadline: Deadline) -> Int {
    condition.lock()
    defer { condition.unlock() }
    while lent > 0, !deadline.hasPassed { wait(deadline) }
    return lent
  }
}
