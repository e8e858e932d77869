import Foundation

/// The files that are being written under temporary names. A signal that ends the program removes them.
///
/// A signal can arrive between any two instructions, and its handler may neither allocate nor wait. Therefore each path is a
/// byte string in memory that is never freed. A complete entry is added to the list by a single store, while signals are
/// blocked.
enum UnfinishedFiles {
  struct Entry {
    var path: UnsafeMutablePointer<CChar>?
    let next: UnsafeMutablePointer<Entry>?
  }

  /// The signals that users, the system and file operations end programs with.
  private static let signals = [SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGXFSZ]

  /// Adds a file, which need not exist yet.
  static func add(_ path: String) {
    if first == nil { signals.forEach(handle) }
    withSignalsBlocked {
      let entry = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
      entry.initialize(to: Entry(path: strdup(FilePath.bytes(of: path)), next: first))
      first = entry
    }
  }

  /// Removes a file from the list, because it was renamed or deleted.
  static func forget(_ path: String) {
    let bytes = FilePath.bytes(of: path)
    withSignalsBlocked {
      var next = first
      while let entry = next {
        if let known = entry.pointee.path, strcmp(known, bytes) == 0 { entry.pointee.path = nil }
        next = entry.pointee.next
      }
    }
  }

  private static func handle(_ number: Int32) {
    let before = signal(number, removeAndEnd)
    // An ignored signal, as under nohup, stays ignored.
    if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
  }

  private static func withSignalsBlocked(_ body: () -> Void) {
    var blocked = sigset_t()
    var before = sigset_t()
    sigemptyset(&blocked)
    for number in signals { sigaddset(&blocked, number) }
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    body()
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }
}

/// The newest entry. It changes only while signals are blocked.
nonisolated(unsafe) private var first: UnsafeMutablePointer<UnfinishedFiles.Entry>?

/// Removes all files, then lets the signal end the program. Calls only functions that POSIX allows in a signal handler.
private let removeAndEnd: @convention(c) (Int32) -> Void = { number in
  var next = first
  while let entry = next {
    if let path = entry.pointee.path { unlink(path) }
    next = entry.pointee.next
  }
  signal(number, SIG_DFL)
  raise(number)
}
