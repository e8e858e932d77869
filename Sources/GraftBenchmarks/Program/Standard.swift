import Foundation

/// The standard streams.
enum Standard {
  static func output(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
  static func error(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

  /// Shows the current measurement on a terminal.
  static func progress(_ text: String) {
    #if !os(Windows)
      if isatty(2) == 1 { error("\u{1B}[2K\r\(text)") }
    #endif
  }
}
