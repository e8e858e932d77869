import Foundation

/// The compiler, with the library in the form in which it was built for the tests.
enum SwiftCompiler {
  /// Whether there is a compiler.
  static let isAvailable = (try? run("swiftc", ["--version"]))?.status == 0

  /// Returns the compiler's findings for sources, which are empty if there are none. Warnings are treated as errors.
  static func findings(in sources: [String], _ flags: [String] = []) throws -> String {
    try run(
      "swiftc",
      ["-typecheck", "-parse-as-library", "-swift-version", "6", "-warnings-as-errors", "-module-name", "Client"]
        + ["-I", modules] + flags + sources
    ).output
  }

  /// Compiles a program and runs it. Returns the program's output, or the compiler's findings.
  static func output(ofProgram sources: [String], in folder: TemporaryFolder) throws -> String {
    let objects = Invocation.products.appendingPathComponent("Graft.build")
    // The folder also contains the objects of files that have since been removed.
    let folderOfSources = Invocation.root.appendingPathComponent("Sources/Graft").path
    let sourceNames = Set(
      try FileManager.default.subpathsOfDirectory(atPath: folderOfSources).map { ($0 as NSString).lastPathComponent })
    let names = try FileManager.default.contentsOfDirectory(atPath: objects.path).filter {
      $0.hasSuffix(".swift.o") && sourceNames.contains(String($0.dropLast(2)))
    }
    let program = folder.path("program")
    let compiled = try run(
      "swiftc",
      ["-swift-version", "6", "-warnings-as-errors", "-module-name", "Client", "-I", modules, "-o", program] + sources
        + names.map { objects.appendingPathComponent($0).path })
    guard compiled.status == 0 else { return compiled.output }
    return try run(program, []).output
  }

  /// Returns the names of the members that subclasses of a library class inherit.
  static func members(of type: String) throws -> Set<String> {
    struct Graph: Decodable {
      struct Symbol: Decodable { var pathComponents: [String] }
      var symbols: [Symbol]
    }
    struct Info: Decodable {
      struct Target: Decodable { var triple: String }
      var target: Target
    }
    let folder = try TemporaryFolder()
    let info = try JSONDecoder().decode(Info.self, from: Data(run("swiftc", ["-print-target-info"]).output.utf8))
    _ = try run(
      "swift",
      ["symbolgraph-extract", "-module-name", "Graft", "-I", modules, "-target", info.target.triple]
        + ["-minimum-access-level", "public", "-output-dir", folder.path("")])
    let graph = try JSONDecoder().decode(Graph.self, from: Data(folder.text("Graft.symbols.json").utf8))
    var members: Set<String> = []
    for path in graph.symbols.map(\.pathComponents) where path.count == 2 && path[0] == type {
      // The name of a method without its labels.
      members.insert(String(path[1].prefix { $0 != "(" }))
    }
    return members
  }

  private static let modules = Invocation.products.appendingPathComponent("Modules").path

  private static func run(_ program: String, _ words: [String]) throws -> (output: String, status: Int32) {
    let folder = try TemporaryFolder()
    let output = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("output", "")))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + words
    process.currentDirectoryURL = Invocation.root
    process.standardOutput = output
    process.standardError = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return (try folder.text("output"), process.terminationStatus)
  }
}
