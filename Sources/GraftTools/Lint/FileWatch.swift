import Foundation
import Graft

/// Waits until one of several files changes.
///
/// It compares the status of the files a few times a second, which works on every system and file system. An editor that
/// replaces a file, or writes it in several steps, causes one change.
struct FileWatch {
  /// The values that change if a file is written or replaced.
  private struct State: Equatable {
    var device: UInt64
    var number: UInt64
    var size: Int64
    var seconds: Int64
    var nanoseconds: Int64
  }

  /// The time between two checks, in microseconds.
  private static let interval: UInt32 = 200_000

  private let paths: [String]
  private var states: [State?]

  /// Notes the current status of the files.
  init(_ paths: [String]) {
    self.paths = paths
    states = paths.map(FileWatch.state)
  }

  /// Returns after a file was written, replaced, added or removed, and has then remained unchanged for a moment.
  mutating func wait() {
    var last = states
    while true {
      usleep(FileWatch.interval)
      let now = paths.map(FileWatch.state)
      if now != states, now == last { break }
      last = now
    }
    states = last
  }

  private static func state(_ path: String) -> State? {
    guard let status = FilePath.status(of: path) else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return State(
      device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino), size: Int64(status.st_size),
      seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
  }
}
