import Foundation

/// Limits the number of contexts that read a store at the same time.
///
/// A context that moves to another state briefly holds two connections. If it had to wait for the second connection while holding the
/// first, contexts could wait for each other. A context therefore waits only once, before its first read, and keeps its ticket for later
/// states.
final class Admission: @unchecked Sendable {
  /// The right of a context to read, which ends with its last reference.
  final class Ticket {
    private let admission: Admission

    fileprivate init(_ admission: Admission) { self.admission = admission }

    deinit { admission.free() }
  }

  private let condition = NSCondition()
  private var used = 0
  private let limit: Int
  private let waitingTime: Duration

  init(limit: Int, waitingTime: Duration) {
    self.limit = max(1, limit)
    self.waitingTime = waitingTime
  }

  /// Waits for a ticket.
  func ticket() throws(PostgreSQLError) -> Ticket {
    let deadline = Deadline.after(waitingTime)
    condition.lock()
    defer { condition.unlock() }
    while used >= limit {
      if deadline.hasPassed {
        throw PostgreSQLError(
          .poolExhausted,
          "\(limit) \(limit == 1 ? "context reads" : "contexts read") it, and none has ended within \(waitingTime); release them earlier, call 'reset()', or raise 'maximumReaders'"
        )
      }
      _ = condition.wait(until: Date(timeIntervalSinceNow: 0.05))
    }
    used += 1
    return Ticket(self)
  }

  private func free() {
    condition.lock()
    used -= 1
    condition.signal()
    condition.unlock()
  }
}
