import Foundation

/// The program's standard streams: data on the output, messages on the error stream.
struct Streams: Sendable {
  /// Reads the standard input to its end.
  var readInput: @Sendable () throws(Failure) -> [UInt8]
  /// Writes data.
  var writeOutput: @Sendable ([UInt8]) throws(Failure) -> Void
  /// Writes messages.
  var writeMessage: @Sendable (String) -> Void

  /// Those of the process.
  static let standard = Streams(
    readInput: { () throws(Failure) in try FileReader.read(descriptor: STDIN_FILENO, path: "-") },
    writeOutput: { (bytes) throws(Failure) in try FileWriter.write(bytes, to: STDOUT_FILENO, path: "-") },
    // Where there is nobody to hear it, a message is lost.
    writeMessage: { text in try? FileWriter.write(Array(text.utf8), to: STDERR_FILENO, path: "-") })

  /// Writes a text as data.
  func write(_ text: String) throws(Failure) { try writeOutput(Array(text.utf8)) }

  /// Writes a message; it ends with a line end.
  func say(_ text: String) { writeMessage(text) }
}
