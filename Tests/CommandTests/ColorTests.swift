#if os(Linux)
  import Foundation
  import Testing

  @Suite("Colors") struct ColorTests {
    private static let script = "/usr/bin/script"

    /// Whether the program can be run on a terminal, which not every container allows.
    private static let hasTerminal: Bool = {
      guard FileManager.default.isExecutableFile(atPath: script) else { return false }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: script)
      process.arguments = ["-qec", "test -t 1", "/dev/null"]
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      guard (try? process.run()) != nil else { return false }
      process.waitUntilExit()
      return process.terminationStatus == 0
    }()

    /// Returns what the program prints on a terminal.
    private func onTerminal(_ words: String, environment: [String: String] = [:]) throws -> String {
      let process = Process()
      let pipe = Pipe()
      process.executableURL = URL(fileURLWithPath: ColorTests.script)
      process.arguments = ["-qec", "'\(Invocation.program.path)' \(words)", "/dev/null"]
      process.environment = ProcessInfo.processInfo.environment.merging(["TERM": "xterm", "NO_COLOR": ""]) { $1 }
        .merging(environment) { $1 }
      process.currentDirectoryURL = Invocation.root
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = pipe
      process.standardError = FileHandle.nullDevice
      try process.run()
      let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return String(decoding: bytes, as: UTF8.self)
    }

    private static let faulty = "import --model Models/Comics.json Hero=Examples/Payloads/Faulty/wrong-type.json"

    @Test(
      "Errors are colored on a terminal, unless the terminal or the user opts out",
      .enabled(if: hasTerminal, "it needs 'script' and a pseudo-terminal"))
    func terminal() throws {
      let colored = try onTerminal(ColorTests.faulty)
      #expect(
        colored.hasPrefix(
          "\u{1B}[1mExamples/Payloads/Faulty/wrong-type.json:7:15\u{1B}[0m: \u{1B}[1;31merror\u{1B}[0m: expected a string"
        ))
      #expect(colored.contains("\u{1B}[1;32m^\u{1B}[0m") && colored.contains("\u{1B}[1;36mnote\u{1B}[0m: "))
      let plain = colored.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
      #expect(try onTerminal(ColorTests.faulty, environment: ["NO_COLOR": "1"]) == plain)
      #expect(try onTerminal(ColorTests.faulty, environment: ["TERM": "dumb"]) == plain)
      let folder = try TemporaryFolder()
      let model = try folder.file("m.json", #"{"entities": {"A": {"parnt": "B"}}}"#)
      let lint = try onTerminal("lint \(model) 2>&1")
      #expect(lint.contains("\u{1B}[1;31merror\u{1B}[0m: "))
      // The pointer to more information is printed only once. The codes match the errors.
      #expect(lint.hasSuffix("1 error in 1 model file\r\n'graft explain unknown-key' explains the error\r\n"))
      let two = try folder.file("two.json", #"{"entities": {"A": {"parnt": "B"}, "C": {"parent": "Nobody"}}}"#)
      #expect(
        try onTerminal("lint \(two) 2>&1").hasSuffix(
          "'graft explain CODE' explains an error; the codes here are unknown-key, unknown-entity\r\n"))
      #expect(try onTerminal("\(ColorTests.faulty) 2>&1").hasSuffix(" explains the error\r\n"))
      #expect(try !onTerminal("lint \(model) --quiet 2>&1").contains("explains"))
      // The messages are on the terminal. The findings go to a file, so they have no colors.
      let file = folder.path("findings")
      #expect(try !onTerminal("lint \(model) > \(file)").contains("\u{1B}"))
      #expect(try folder.text("findings").contains(": error: "))
    }

    @Test(
      "Excerpts fit the terminal's width",
      .enabled(if: FileManager.default.isExecutableFile(atPath: script)), arguments: [40, 72])
    func width(columns: Int) throws {
      let folder = try TemporaryFolder()
      let padding = String(repeating: "0123456789", count: 12)
      let payload = try folder.file("p.json", #"[{"a": "\#(padding)", "id": 4, "name": "A", "b": "\#(padding)"}]"#)
      // A pseudo-terminal has no known size unless it is set.
      let words = "import --model Models/Comics.json Power=\(payload)"
      let lines = try onTerminal(words, environment: ["COLUMNS": "\(columns)", "NO_COLOR": "1"])
        .split(whereSeparator: \.isNewline)
      let excerpt = try #require(lines.firstIndex { $0.hasPrefix("1 | ") })
      #expect(lines[excerpt].count <= columns && lines[excerpt].count > columns - 8)
      let caret = try #require(lines[excerpt + 1].firstIndex(of: "^"))
      let column = lines[excerpt + 1].distance(from: lines[excerpt + 1].startIndex, to: caret)
      #expect(Array(lines[excerpt])[column] == "4")
    }

    @Test("Output to files and pipes has no colors")
    func plain() throws {
      let graft = try Invocation(
        ColorTests.faulty.split(separator: " ").map(String.init), environment: ["TERM": "xterm", "NO_COLOR": ""])
      #expect(graft.messages.contains(": error: ") && !graft.messages.contains("\u{1B}"))
      #expect(!graft.messages.contains("graft explain"))
    }
  }
#endif
