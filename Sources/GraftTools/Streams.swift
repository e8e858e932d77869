import Foundation
package import Graft

/// The program's standard streams: data on standard output, messages on standard error.
package struct Streams: Sendable {
  /// Reads standard input to its end.
  package var readInput: @Sendable () throws(Failure) -> [UInt8]
  /// Writes data.
  package var writeOutput: @Sendable ([UInt8]) throws(Failure) -> Void
  /// Writes messages.
  package var writeMessage: @Sendable (String) -> Void
  /// Whether diagnostics in the data are colored.
  package var colorsOutput = false
  /// Whether diagnostics in the messages are colored.
  package var colorsMessages = false
  /// Whether a person reads the messages.
  package var isInteractive = false
  /// The width of the terminal that receives data; nil for a file, a pipe, or an unknown width.
  package var outputWidth: Int?
  /// The width of the terminal that receives messages.
  package var messagesWidth: Int?

  /// The streams of the process.
  package static let standard = Streams(
    readInput: { () throws(Failure) in try FileReader.read(descriptor: STDIN_FILENO, path: "-") },
    writeOutput: { (bytes) throws(Failure) in try FileWriter.write(bytes, to: STDOUT_FILENO, path: "-") },
    // A message that cannot be written is lost.
    writeMessage: { text in try? FileWriter.write(Array(text.utf8), to: STDERR_FILENO, path: "-") },
    colorsOutput: takesColor(STDOUT_FILENO), colorsMessages: takesColor(STDERR_FILENO),
    isInteractive: isatty(STDERR_FILENO) == 1,
    outputWidth: width(STDOUT_FILENO), messagesWidth: width(STDERR_FILENO))

  /// Returns the width of a terminal, or the value of COLUMNS. Otherwise, excerpts are not cut.
  private static func width(_ descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    return getenv("COLUMNS").flatMap { Int(String(cString: $0)) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Returns whether color is used: on terminals that support it, unless the user opts out (no-color.org).
  private static func takesColor(_ descriptor: Int32) -> Bool {
    func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    return isatty(descriptor) == 1 && variable("NO_COLOR").isEmpty && variable("TERM") != "dumb"
  }

  /// Writes text as data.
  package func write(_ text: String) throws(Failure) { try writeOutput(Array(text.utf8)) }

  /// Writes a message with a trailing newline.
  package func say(_ text: String) { writeMessage(text) }

  /// Writes diagnostics as data.
  package func write(_ diagnostics: [Diagnostic]) throws(Failure) {
    guard !diagnostics.isEmpty else { return }
    try write(DiagnosticRenderer(isColored: colorsOutput, width: outputWidth).render(diagnostics) + "\n")
  }

  /// Writes diagnostics as a message.
  package func say(_ diagnostics: [Diagnostic]) {
    guard !diagnostics.isEmpty else { return }
    say(DiagnosticRenderer(isColored: colorsMessages, width: messagesWidth).render(diagnostics) + "\n")
  }

  /// Explains how to learn more about errors. This line is not written to scripts and files.
  package func explain(_ diagnostics: [Diagnostic]) {
    guard isInteractive else { return }
    var codes: [String] = []
    for diagnostic in diagnostics where diagnostic.severity == .error && !codes.contains(diagnostic.code.rawValue) {
      codes.append(diagnostic.code.rawValue)
    }
    switch codes.count {
    case 0: break
    case 1: say("'graft explain \(codes[0])' explains the error\n")
    default:
      let rest = codes.count > Streams.mostCodes ? ", …" : ""
      let listed = codes.prefix(Streams.mostCodes).joined(separator: ", ") + rest
      say("'graft explain CODE' explains an error; the codes here are \(listed)\n")
    }
  }

  private static let mostCodes = 8

  /// Reports why a command failed. Diagnostics are written unchanged. Usage and file errors begin with the program's name.
  package func say(_ failure: Failure, name: String) {
    say(failure.diagnostics)
    let message = FilePath.shown(failure.message)
    say((failure.status == .failed ? message : "\(name): \(message)".escapedForDisplay()) + "\n")
  }
}
