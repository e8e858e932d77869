import Foundation

/// The peak memory of this process so far, in bytes.
enum PeakMemory {
  static func bytes() -> Int? {
    #if os(Linux)
      // Do not use getrusage, because a child process inherits its maximum here.
      guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
      for line in status.split(separator: "\n") where line.hasPrefix("VmHWM:") {
        return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
      }
      return nil
    #elseif os(macOS)
      var usage = rusage()
      return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : nil
    #else
      return nil
    #endif
  }
}
