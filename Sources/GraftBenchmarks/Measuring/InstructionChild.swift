import Foundation

/// Counts instructions in a separate process: this program under valgrind, with an argument that the help does not list.
enum InstructionChild {
  struct Counts {
    /// Instructions per byte.
    var imported: Double
    var exported: Double
  }

  private static let word = "__instructions"

  /// Counts the instructions of an import and an export of 1 MB. Returns nil if valgrind is not available.
  static func measure(_ workload: Workload) throws -> Counts? {
    #if os(macOS) || os(Linux)
      guard let program = Bundle.main.executableURL, let valgrind = Executable.url(named: "valgrind") else {
        return nil
      }
      let folder = try BenchmarkFolder()
      defer { folder.remove() }
      let input = folder.file()
      let output = folder.file()
      let document = Documents.first(workload, megabytes: 1)
      try document.data.write(to: input)
      let process = Process()
      process.executableURL = valgrind
      // The counts so far are written after each call. Each pattern is accepted only once, so two are used for the function.
      process.arguments = [
        "--tool=callgrind", "--toggle-collect=*runCounted*", "--dump-after=*10runCounted*",
        "--callgrind-out-file=\(output.path)", program.path, word, workload.rawValue, input.path,
      ]
      // Randomly seeded hash tables would make the counts vary.
      process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
      process.standardError = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw BenchmarkError("the child that counts instructions failed") }
      let totals = try (1...2).map { try total(output.path + ".\($0)") / Double(document.bytes.count) }
      return Counts(imported: totals[0], exported: totals[1])
    #else
      return nil
    #endif
  }

  private static func total(_ path: String) throws -> Double {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    guard let line = text.split(separator: "\n").last(where: { $0.hasPrefix("totals: ") }),
      let total = Double(line.dropFirst("totals: ".count).trimmingCharacters(in: .whitespaces))
    else { throw BenchmarkError("valgrind wrote no total") }
    return total
  }

  /// Runs the child's part if the arguments request it, and returns whether they did.
  static func answer(_ arguments: [String]) throws -> Bool {
    guard arguments.count == 3, arguments[0] == word, let workload = Workload(rawValue: arguments[1]),
      let subject = graftSubject
    else { return false }
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: arguments[2])))
    let model = try subject.makeModel(workload.modelText)
    // Work that happens only once in a process is not counted.
    let warm = model.makeGraph()
    try warm.merge(bytes, ofEntity: workload.entity)
    try warm.prepareExport(of: workload.entity)
    _ = try warm.export()
    let graph = model.makeGraph()
    try runCounted { try graph.merge(bytes, ofEntity: workload.entity) }
    try graph.prepareExport(of: workload.entity)
    var exported = Data()
    try runCounted { exported = try graph.export() }
    // Unnecessary escapes are not written again.
    try require(exported.count > bytes.count / 10 * 9, "\(exported.count) bytes were exported of \(bytes.count)")
    return true
  }
}

nonisolated(unsafe) private var countedCalls = 0

/// Runs a closure. Only the instructions in this function are counted, because valgrind's arguments name it.
@inline(never)
private func runCounted(_ body: () throws -> Void) throws {
  try body()
  // Without an instruction at the end, the call would be optimized into a jump.
  countedCalls += 1
}

/// A program on the search path.
enum Executable {
  static func url(named name: String) -> URL? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}
