import Foundation

/// Runs a closure on a thread with a 512 KB stack, as on Apple's platforms.
package func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
  nonisolated(unsafe) var result: Swift.Result<Result, any Error>?
  let isDone = DispatchSemaphore(value: 0)
  let thread = Thread {
    result = Swift.Result { try body() }
    isDone.signal()
  }
  thread.stackSize = 512 << 10
  thread.start()
  isDone.wait()
  return try result.unsafelyUnwrapped.get()
}
