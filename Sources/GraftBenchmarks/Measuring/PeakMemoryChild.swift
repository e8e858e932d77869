import Foundation

/// Peak memory is that of a whole process, so each measurement has a process of its own: this program, called with a
/// word that the help does not show.
enum PeakMemoryChild {
  enum Side: String { case graft, typed }

  private static let word = "__peak-memory"

  /// How far an import of the file lifts the peak; nil where that cannot be measured.
  static func measure(_ side: Side, _ workload: Workload, input: URL) throws -> Int? {
    #if os(macOS) || os(Linux)
      guard let program = Bundle.main.executableURL else { return nil }
      let process = Process()
      let output = Pipe()
      process.executableURL = program
      process.arguments = [word, side.rawValue, workload.rawValue, input.path]
      process.standardOutput = output
      try process.run()
      let answer = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw BenchmarkError("the child for peak memory failed") }
      return Int(String(decoding: answer, as: UTF8.self))
    #else
      return nil
    #endif
  }

  /// The child's part: whether these arguments are such a call; if so, it has been answered.
  static func answer(_ arguments: [String]) throws -> Bool {
    guard arguments.count == 4, arguments[0] == word, let side = Side(rawValue: arguments[1]),
      let workload = Workload(rawValue: arguments[2])
    else { return false }
    let file = URL(fileURLWithPath: arguments[3])
    switch side {
    case .graft:
      guard let graph = try graftSubject?.makeModel(workload.modelText).makeGraph() else { return true }
      let bytes = try read(file)
      try report { try graph.merge(bytes, ofEntity: workload.entity) }
      withExtendedLifetime((graph, bytes)) {}
    case .typed:
      let graph = workload.typedGraph.init()
      let data = try Data(contentsOf: file)
      try report { try graph.merge(data) }
      withExtendedLifetime((graph, data)) {}
    }
    return true
  }

  private static func report(_ body: () throws -> Void) throws {
    let before = PeakMemory.bytes()
    try body()
    guard let before, let after = PeakMemory.bytes() else { return }
    print(after - before, terminator: "")
  }

  /// Reads without a second copy, which would lift the peak before the import does.
  private static func read(_ file: URL) throws -> [UInt8] {
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
    guard let handle = fopen(file.path, "rb") else { throw BenchmarkError("cannot read \(file.path)") }
    defer { fclose(handle) }
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = fread(buffer.baseAddress, 1, size, handle)
    }
  }
}
