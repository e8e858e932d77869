import Foundation

/// Signals that end the program, after it has removed its unfinished files and reported what it has kept.
package enum EndingSignals {
  /// The signals with which users, the system and file operations end programs.
  private static let signals = [SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGXFSZ]

  /// Handles the signals from now on.
  package static func handle() { _ = isHandled }

  private static let isHandled: Bool = {
    for number in signals {
      let before = signal(number, endProgram)
      // An ignored signal, as under nohup, stays ignored.
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
    }
    return true
  }()

  /// Removes unfinished files and writes the last words. Calls only functions that POSIX allows in a signal handler.
  package static func cleanUp() {
    UnfinishedFiles.removeAll()
    LastWords.write()
  }

  /// Ends the program by a signal, even if the program was started with the signal blocked. Calls only functions that POSIX allows in a
  /// signal handler.
  package static func end(by number: Int32) -> Never {
    signal(number, SIG_DFL)
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(number)
    _exit(128 + number)
  }

  static func withSignalsBlocked(_ body: () -> Void) {
    var blocked = sigset_t()
    var before = sigset_t()
    sigemptyset(&blocked)
    for number in signals { sigaddset(&blocked, number) }
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    body()
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }
}

/// Lets the signal end the program. Calls only functions that POSIX allows in a signal handler.
private let endProgram: @convention(c) (Int32) -> Void = { number in
  UnfinishedFiles.removeAll()
  // Messages must not be written to a pipe without a reader.
  if number == SIGINT || number == SIGTERM || number == SIGHUP { LastWords.write() }
  EndingSignals.end(by: number)
}
