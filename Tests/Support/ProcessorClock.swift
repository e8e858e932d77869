import Foundation

/// Measures the processor time of the calling thread, so other work on the machine has no effect.
public struct ProcessorClock {
  public init() {}

  public func measure(_ work: () throws -> Void) rethrows -> Duration {
    let start = ProcessorClock.now
    try work()
    return ProcessorClock.now - start
  }

  private static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
