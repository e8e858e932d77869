import Foundation

/// Measures the time for which the processor works on the calling thread. Other work on the machine does not count.
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
