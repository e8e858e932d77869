import Foundation

/// The changes that a context or a list announces, for code that does not await them.
final class ChangeBox<Changes: Sendable>: @unchecked Sendable {
  private let arrival = DispatchSemaphore(value: 0)
  private let lock = NSLock()
  private var changes: [Changes] = []

  init(_ updates: AsyncStream<Changes>) {
    Task.detached { [weak self] in
      for await change in updates {
        guard let self else { return }
        self.add(change)
      }
    }
  }

  private func add(_ change: Changes) {
    lock.withLock { changes.append(change) }
    arrival.signal()
  }

  /// Waits for the next changes. Returns nil if none arrive within a few seconds.
  func next() -> Changes? {
    guard arrival.wait(timeout: .now() + 5) == .success else { return nil }
    return lock.withLock { changes.removeFirst() }
  }
}
