import Foundation

/// The seconds of processor time that this process has used in all its threads.
///
/// Other programs disturb it less than wall-clock time, and it includes work on other threads.
enum ProcessorTime {
  static func now() -> Double {
    #if os(Windows)
      return Double(clock()) / Double(CLOCKS_PER_SEC)
    #else
      var time = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    #endif
  }
}

/// The elapsed seconds. They include the work of other processes, such as a server's, and everything that disturbs it.
enum WallTime {
  static func now() -> Double { Double(DispatchTime.now().uptimeNanoseconds) * 1e-9 }
}
