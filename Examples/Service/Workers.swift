import Foundation

/// A fixed number of threads. What runs on them may block.
final class Workers: @unchecked Sendable {
  private let condition = NSCondition()
  private var work: ArraySlice<@Sendable () -> Void> = []
  private var isStopping = false
  private var running: Int

  init(count: Int) {
    running = count
    for _ in 0..<count {
      let thread = Thread { [self] in
        while let next = take() { next() }
        condition.withLock {
          running -= 1
          condition.broadcast()
        }
      }
      thread.stackSize = 4 << 20
      thread.start()
    }
  }

  func add(_ body: @escaping @Sendable () -> Void) {
    condition.withLock {
      work.append(body)
      condition.signal()
    }
  }

  /// Ends the threads after the work that was added, and waits for them.
  func stop() {
    condition.withLock {
      isStopping = true
      condition.broadcast()
      while running > 0 { condition.wait() }
    }
  }

  private func take() -> (@Sendable () -> Void)? {
    condition.withLock {
      while work.isEmpty, !isStopping { condition.wait() }
      return work.popFirst()
    }
  }
}
