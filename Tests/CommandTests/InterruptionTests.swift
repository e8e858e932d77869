import Foundation
import Testing

@Suite("graft: interruptions") struct InterruptionTests {
  private static let model = """
    {"keyStrategy": "sameName", "entities": {
      "Event": {"identityAttributes": "id", "attributes": {"id": "integer64", "text": {"type": "string", "optional": true}}}
    }}
    """

  /// Imports lines from a pipe that stays open, and ends the import with a signal.
  ///
  /// - Parameter count: the number of objects in the store before the signal.
  private func interrupted(
    _ words: [String], in folder: TemporaryFolder, afterObjects count: Int, of lineCount: Int = 40_000
  ) async throws -> String {
    let store = folder.path("events.graft")
    let process = Process()
    process.executableURL = Invocation.program
    process.arguments =
      ["import", "--model", try folder.file("model.json", Self.model), "Event=-", "--store", store, "--lines"] + words
    process.currentDirectoryURL = Invocation.root
    let (input, messages) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = messages
    try withSignalsUnblocked { try process.run() }
    let lines = (1...lineCount).map { "{\"id\": \($0), \"text\": \"an event that is long enough to fill a pipe\"}\n" }
      .joined()
    try input.fileHandleForWriting.write(contentsOf: Data(lines.utf8))
    for _ in 0..<500 where count > 0 && process.isRunning {
      let stored = try Invocation(["export", "--store", store, "Event", "--where", "id <= \(count)"]).output
      if stored.matches(of: /"id"/).count == count { break }
      try await Task.sleep(for: .milliseconds(20))
    }
    // The signal is not SIGINT, which is ignored if the tests run in the background of a shell.
    kill(process.processIdentifier, SIGTERM)
    process.waitForEnd()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGTERM)
    try input.fileHandleForWriting.close()
    return String(decoding: try messages.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
  }

  @Test("An interrupted import in batches reports the batches that it has kept")
  func batches() async throws {
    let folder = try TemporaryFolder()
    let words = try await interrupted(["--batch-size", "100"], in: folder, afterObjects: 200)
    let kept = try #require(
      words.firstMatch(of: /interrupted; (\d+) complete batches with (\d+) objects were imported\n/))
    let number = try #require(Int(kept.2))
    let stored = try Invocation(["export", "--store", folder.path("events.graft"), "Event"]).output
    let count = stored.matches(of: /"id"/).count
    // A batch might have been committed just before the signal.
    #expect(number <= count && count <= number + 100)
    #expect(Int(kept.1) == number / 100)
  }

  @Test("Batches from a pipe are imported as soon as they have arrived")
  func slowPipe() async throws {
    let folder = try TemporaryFolder()
    let words = try await interrupted(["--batch-size", "100"], in: folder, afterObjects: 200, of: 250)
    #expect(words.contains("interrupted; 2 complete batches with 200 objects were imported"), "\(words)")
  }

  @Test("An interrupted import without batches imports nothing, and reports this")
  func whole() async throws {
    let folder = try TemporaryFolder()
    #expect(try await interrupted([], in: folder, afterObjects: 0).hasSuffix("interrupted; nothing was imported\n"))
  }

  @Test("A long export ends when the reader closes the pipe")
  func head() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file("model.json", Self.model)
    let store = folder.path("events.graft")
    let text = String(repeating: "x", count: 200)
    let lines = (1...20_000).map { "{\"id\": \($0), \"text\": \"\(text)\"}\n" }.joined()
    let created = try Invocation(["import", "--model", model, "Event=-", "--store", store, "--lines"], input: lines)
    #expect(created.status == 0, "\(created.messages)")
    let process = Process()
    process.executableURL = Invocation.program
    process.arguments = ["export", "--store", store, "Event"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try withSignalsUnblocked { try process.run() }
    let start = try output.fileHandleForReading.read(upToCount: 20)
    #expect(start.map { String(decoding: $0, as: UTF8.self) }?.hasPrefix(#"[{"id":1,"#) == true)
    try output.fileHandleForReading.close()
    process.waitForEnd()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGPIPE)
    // A complete export has the expected length.
    let whole = try Invocation(["export", "--store", store, "Event"]).output
    #expect(whole.matches(of: /"id"/).count == 20_000 && whole.hasSuffix("}]\n"))
  }

  @Test("A signal that interrupts the copying of a store leaves no file")
  func copy() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file("model.json", Self.model)
    let store = folder.path("events.graft")
    let lines = (1...30_000).map { "{\"id\": \($0), \"text\": \"an event\"}\n" }.joined()
    let created = try Invocation(["import", "--model", model, "Event=-", "--store", store, "--lines"], input: lines)
    #expect(created.status == 0, "\(created.messages)")
    // SQLite copies an undamaged store too fast for this test.
    let process = Process()
    process.executableURL = Invocation.program
    process.arguments = ["store", "salvage", store, "--output", folder.path("copy.graft")]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try withSignalsUnblocked { try process.run() }
    func copies() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.path("")).filter { $0.hasPrefix("copy.graft") }
    }
    // This wait does not give up its thread, because other tests would use the thread for longer than the copy takes.
    while try copies().isEmpty, process.isRunning { usleep(1_000) }
    kill(process.processIdentifier, SIGTERM)
    process.waitForEnd()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGTERM)
    #expect(try copies().isEmpty)
  }
}
