import Foundation

/// The message that the program prints when a signal ends it, such as what an import has kept so far.
///
/// A handler must not allocate or wait, so the text is in memory that is never freed. It is replaced while signals are blocked.
package enum LastWords {
  private static let longest = 255

  /// Sets the message, without a trailing newline; nil for none.
  package static func set(_ message: String?) {
    EndingSignals.handle()
    EndingSignals.withSignalsBlocked {
      let text = words ?? .allocate(capacity: longest + 1)
      if words == nil { text.initialize(repeating: 0, count: longest + 1) }
      words = text
      let bytes = message.map { Array("\n\($0.utf8.count > longest - 2 ? "interrupted" : $0)\n".utf8) } ?? []
      for index in 0..<longest { text[index] = index < bytes.count ? CChar(bitPattern: bytes[index]) : 0 }
    }
  }

  /// Writes the message. Calls only functions that POSIX allows in a signal handler.
  static func write() {
    if let words { _ = Foundation.write(STDERR_FILENO, words, strlen(words)) }
  }
}

/// The message. It changes only while signals are blocked.
nonisolated(unsafe) private var words: UnsafeMutablePointer<CChar>?
