#if os(Linux)
  import Foundation
  import Testing

  @Suite("graft import: memory") struct StreamMemoryTests {
    /// Returns the peak memory of a process so far, in kilobytes.
    private func peak(_ process: Process) throws -> Int {
      let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
      return try #require(Int(line.filter(\.isNumber)))
    }

    @Test("I16: lines and arrays of any length are imported in constant memory", arguments: [true, false])
    func stream(isLines: Bool) throws {
      let folder = try TemporaryFolder()
      let pipe = Pipe()
      let process = Process()
      process.executableURL = Invocation.program
      process.arguments =
        ["import", "--model", "Models/Comics.json", "Hero=-", "--batch-size", "100"]
        + (isLines ? ["--lines"] : ["--at", "items"])
      // A sanitizer would keep freed memory.
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["ASAN_OPTIONS": "detect_leaks=0:quarantine_size_mb=0"]) { $1 }
      process.currentDirectoryURL = Invocation.root
      process.standardInput = pipe
      process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("output", "")))
      try process.run()
      func write(_ text: String) throws { try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

      // The same hundred heroes again and again, a quarter of a megabyte each time.
      let padding = String(repeating: "Gotham ", count: 360)
      let heroes = (1...100).map { #"{"id": "\#($0)", "name": "hero \#($0)", "unknown": "\#(padding)"}"# }
      let block = heroes.joined(separator: isLines ? "\n" : ",")
      if !isLines { try write(#"{"items": ["#) }
      try write(block)
      let blocks = 48
      var early = 0
      for number in 1..<blocks {
        try write(isLines ? "\n" : ",")
        try write(block)
        // A pipe holds less than a block, so everything that was written before has been read.
        if number == 8 { early = try peak(process) }
      }
      let late = try peak(process)
      if !isLines { try write("]}") }
      try pipe.fileHandleForWriting.close()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      #expect(try folder.text("output").contains("100 inserted"))
      #expect(early > 0 && late - early < 3072, "\(early) KB after 2 MB, \(late) KB after 12 MB")
    }
  }
#endif
