import Foundation
package import Graft

/// The waiting commits of the threads of this process. Commits that wait at the same time share one transaction and one sync.
///
///     first thread     leads: writes its own changes while other threads arrive and wait
///     next thread      leads: writes everything that waits now, and hands each thread its result
package final class CommitQueue: @unchecked Sendable {
  /// A change set, and the commit that it is based on.
  package struct Entry {
    package let changes: StoreChanges
    package let base: Int64

    package init(changes: StoreChanges, base: Int64) {
      self.changes = changes
      self.base = base
    }
  }

  package typealias Outcome = Result<StoreWriteResult, StoreError>

  /// A thread that waits for its result.
  private final class Waiter {
    let entry: Entry
    var outcome: Outcome?

    init(_ entry: Entry) { self.entry = entry }
  }

  package init() {}

  private let condition = NSCondition()
  private var waiting: [Waiter] = []
  private var hasLeader = false

  /// Writes changes, together with other threads' changes.
  ///
  /// - Parameter write: writes several change sets, and returns an outcome for each.
  package func submit(_ entry: Entry, _ write: ([Entry]) -> [Outcome]) throws(StoreError) -> StoreWriteResult {
    let own = Waiter(entry)
    condition.lock()
    waiting.append(own)
    while hasLeader, own.outcome == nil { condition.wait() }
    if own.outcome == nil {
      hasLeader = true
      let batch = waiting
      waiting = []
      condition.unlock()
      let outcomes = write(batch.map(\.entry))
      condition.lock()
      for (waiter, outcome) in zip(batch, outcomes) { waiter.outcome = outcome }
      hasLeader = false
      condition.broadcast()
    }
    let outcome = own.outcome
    condition.unlock()
    guard let outcome else { preconditionFailure("a commit without an outcome") }
    return try outcome.get()
  }
}
