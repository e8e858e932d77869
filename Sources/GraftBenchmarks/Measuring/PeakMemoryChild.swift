import Foundation

/// Measures peak memory, which belongs to a whole process, in a separate process: this program with an argument that the help
/// does not list.
enum PeakMemoryChild {
  enum Side: String { case graft, typed }

  private static let word = "__peak-memory"

  /// Returns the amount by which an import of the file increases the peak, or nil if that cannot be measured.
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

  /// Runs the child's part if the arguments request it, and returns whether they did.
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

  /// Reads a file without a second copy, which would raise the peak before the import.
  private static func read(_ file: URL) throws -> [UInt8] {
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
    guard let handle = fopen(file.path, "rb") else { throw BenchmarkError("cannot read \(file.path)") }
    defer { fclose(handle) }
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = fread(buffer.baseAddress, 1, size, handle)
    }
  }
}
