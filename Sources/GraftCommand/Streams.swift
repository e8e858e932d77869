import Foundation
import Graft

/// The program's standard streams: data on the output, messages on the error stream.
struct Streams: Sendable {
  /// Reads the standard input to its end.
  var readInput: @Sendable () throws(Failure) -> [UInt8]
  /// Writes data.
  var writeOutput: @Sendable ([UInt8]) throws(Failure) -> Void
  /// Writes messages.
  var writeMessage: @Sendable (String) -> Void
  /// Whether diagnostics among the data are coloured.
  var colorsOutput = false
  /// Whether diagnostics among the messages are coloured.
  var colorsMessages = false
  /// The columns of the terminal that data goes to; nil: a file, a pipe, or a terminal that does not know its width.
  var outputWidth: Int?
  /// The columns of the terminal that messages go to.
  var messagesWidth: Int?

  /// Those of the process.
  static let standard = Streams(
    readInput: { () throws(Failure) in try FileReader.read(descriptor: STDIN_FILENO, path: "-") },
    writeOutput: { (bytes) throws(Failure) in try FileWriter.write(bytes, to: STDOUT_FILENO, path: "-") },
    // Where there is nobody to hear it, a message is lost.
    writeMessage: { text in try? FileWriter.write(Array(text.utf8), to: STDERR_FILENO, path: "-") },
    colorsOutput: takesColor(STDOUT_FILENO), colorsMessages: takesColor(STDERR_FILENO),
    outputWidth: width(STDOUT_FILENO), messagesWidth: width(STDERR_FILENO))

  /// The width of a terminal: its own, or what COLUMNS says. Excerpts elsewhere are as long as they come.
  private static func width(_ descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    return getenv("COLUMNS").flatMap { Int(String(cString: $0)) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Colour is for terminals that know it, and for people who want it (no-color.org).
  private static func takesColor(_ descriptor: Int32) -> Bool {
    func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    return isatty(descriptor) == 1 && variable("NO_COLOR").isEmpty && variable("TERM") != "dumb"
  }

  /// Writes a text as data.
  func write(_ text: String) throws(Failure) { try writeOutput(Array(text.utf8)) }

  /// Writes a message; it ends with a line end.
  func say(_ text: String) { writeMessage(text) }

  /// Writes diagnostics as data.
  func write(_ diagnostics: [Diagnostic]) throws(Failure) {
    guard !diagnostics.isEmpty else { return }
    try write(DiagnosticRenderer(isColored: colorsOutput, width: outputWidth).render(diagnostics) + "\n")
  }

  /// Writes diagnostics as a message.
  func say(_ diagnostics: [Diagnostic]) {
    guard !diagnostics.isEmpty else { return }
    say(DiagnosticRenderer(isColored: colorsMessages, width: messagesWidth).render(diagnostics) + "\n")
  }

  /// Says why a command failed. Diagnostics stand for themselves; other failures are a line that says who speaks.
  func say(_ failure: Failure, name: String) {
    say(failure.diagnostics)
    let message = FilePath.shown(failure.message)
    say((failure.status == .failed ? message : "\(name): \(message)".escapedForDisplay()) + "\n")
  }
}
