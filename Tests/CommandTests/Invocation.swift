import Foundation
import Testing

/// The program, run as a separate process in the folder of the package.
struct Invocation {
  /// The text on standard output.
  let output: String
  /// The text on standard error.
  let messages: String
  let status: Int32

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - input: the text on standard input.
  ///   - output: the file for standard output, in place of a temporary file whose contents are returned.
  ///   - environment: environment variables in addition to those of this process.
  init(
    _ words: [String], input: String = "", output: FileHandle? = nil, environment: [String: String] = [:]
  ) throws {
    let folder = try TemporaryFolder()
    let inputPath = try folder.file("input", input)
    let outputPath = try folder.file("output", "")
    let messagesPath = try folder.file("messages", "")
    let process = Process()
    process.executableURL = Invocation.program
    process.arguments = words
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.currentDirectoryURL = Invocation.root
    process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: inputPath))
    process.standardOutput = try output ?? FileHandle(forWritingTo: URL(fileURLWithPath: outputPath))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: messagesPath))
    try process.run()
    process.waitUntilExit()
    self.output = try String(contentsOfFile: outputPath, encoding: .utf8)
    messages = try String(contentsOfFile: messagesPath, encoding: .utf8)
    status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  }

  /// Runs the program with words that are separated by single spaces.
  init(_ words: String, input: String = "") throws {
    try self.init(words.split(separator: " ").map(String.init), input: input)
  }

  /// The folder of the package, to which the paths of models and payloads are relative.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static let program = products.appendingPathComponent("graft")

  /// The folder of the built products. SwiftPM puts the program and the library next to the test bundle.
  static let products: URL = {
    let words = CommandLine.arguments + [Bundle.main.bundlePath]
    for word in words where word.contains(".xctest") {
      var url = URL(fileURLWithPath: word)
      while url.pathExtension != "xctest" { url.deleteLastPathComponent() }
      return url.deletingLastPathComponent()
    }
    return URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
  }()
}

/// A folder that is removed at the end of the test that uses it.
final class TemporaryFolder {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("graft-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a file and returns its path.
  func file(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: url.appendingPathComponent(name))
    return path(name)
  }

  /// The content of a file.
  func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

  /// The names of everything in the folder.
  var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() } }
}

/// Threads that run tests can block signals, and child processes inherit this.
func withSignalsUnblocked(_ body: () throws -> Void) rethrows {
  var none = sigset_t()
  var before = sigset_t()
  sigemptyset(&none)
  pthread_sigmask(SIG_SETMASK, &none, &before)
  defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
  try body()
}

extension Process {
  /// Waits for a program that should end soon. If it does not end, the program is killed, so its status is not the expected one.
  func waitForEnd() {
    for _ in 0..<3000 where isRunning { usleep(10_000) }
    if isRunning { kill(processIdentifier, SIGKILL) }
    waitUntilExit()
  }
}
