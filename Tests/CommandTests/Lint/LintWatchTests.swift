import Foundation
import Testing

@Suite("graft lint --watch") struct LintWatchTests {
  /// Waits until a file contains a string, and returns the content of the file.
  private func content(of path: String, with text: String, seconds: Double = 300) throws -> String {
    let end = Date(timeIntervalSinceNow: seconds)
    while Date() < end {
      let content = try String(contentsOfFile: path, encoding: .utf8)
      if content.contains(text) { return content }
      Thread.sleep(forTimeInterval: 0.05)
    }
    Issue.record("'\(text)' never came")
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test("The file is checked again whenever it changes, until the program is interrupted", arguments: [false, true])
  func watch(isFixing: Bool) throws {
    let folder = try TemporaryFolder()
    let model = try folder.file("m.json", #"{"entities": {"A": {"parent": "B"}}}"#)
    let output = try folder.file("output", "")
    let messages = try folder.file("messages", "")
    let process = Process()
    process.executableURL = Invocation.program
    process.arguments = ["lint", "--watch", model] + (isFixing ? ["--fix"] : [])
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: messages))
    try withSignalsUnblocked { try process.run() }
    defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
    _ = try content(of: messages, with: "watching 1 model file; stop with Control-C\n")
    #expect(try folder.text("output").contains("error: the parent 'B' of entity 'A' is not an entity"))
    // The file is replaced, as most editors do.
    try Data(#"{entities: {"Alpha": {}, "Beta": {"doc": "x"}}}"#.utf8).write(
      to: URL(fileURLWithPath: model), options: .atomic)
    let second = try content(
      of: messages,
      with: isFixing ? "1 fixed" : "1 error in 1 model file\nwatching 1 model file; stop with Control-C\n1 error")
    #expect(second.contains(isFixing ? "1 fixed, no findings" : "1 error"))
    if isFixing { #expect(try folder.text("m.json").hasPrefix("{\"entities\"")) }
    // The file is removed and written again.
    try FileManager.default.removeItem(atPath: model)
    _ = try content(of: messages, with: "cannot read")
    #expect(process.isRunning)
    _ = try folder.file("m.json", #"{"entities": {}}"#)
    _ = try content(
      of: messages, with: isFixing ? "0 fixed, no findings in 1 model file" : "\nno findings in 1 model file")
    // The signal is not SIGINT, which is ignored if the tests run in the background of a shell.
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGTERM)
  }

  @Test("Standard input cannot be watched")
  func input() throws {
    let graft = try Invocation("lint --watch -")
    #expect(graft.status == 2 && graft.messages.hasPrefix("graft lint: '--watch' requires files"))
  }
}
