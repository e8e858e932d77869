import Foundation
import Testing

/// The floors of the library: code names things on its own floor or below, never above, and neighbours never see each other.
@Suite("Architecture") struct ArchitectureTests {
  /// The floor of each folder; files outside of folders stand on top.
  static let floors = [
    "Diagnostics": -1, "JSON": 0, "Values": 1, "Transformers": 2, "Model": 3, "ModelFile": 4, "Plan": 5, "Rows": 6,
    "Graph": 7, "Import": 8, "Export": 8, "Coding": 9, "Serialization.swift": 10,
  ]

  static let sources = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/Graft", isDirectory: true)

  struct File {
    var path: String
    /// The folder in `Sources/Graft`, or the file itself where it stands in none.
    var folder: String
    /// Without comments and string literals.
    var code: String
    /// All of it.
    var text = ""
  }

  static func files() throws -> [File] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".swift") }
    return try paths.sorted().map { path in
      let text = try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
      return File(path: path, folder: String(path.prefix { $0 != "/" }), code: code(of: text), text: text)
    }
  }

  /// Blanks out comments and literals; line breaks stay, so that lines keep their numbers.
  static func code(of text: String) -> String {
    let notCode = /\/\/[^\n]*|\/\*(?s:.*?)\*\/|"""(?s:.*?)"""|#"[^\n]*?"#|"(?:\\.|[^"\\\n])*"/
    return text.replacing(notCode) { String($0.output.filter { $0 == "\n" }) }
  }

  /// The names of types that each folder declares outside of any other type.
  static func declarations(_ files: [File]) -> [String: Set<String>] {
    let declaration =
      /(?m)^(?:(?:public|package|open|final|indirect|@\w+) )*(?:struct|class|enum|protocol|actor|typealias) (\w+)/
    var types: [String: Set<String>] = [:]
    for file in files {
      for match in file.code.matches(of: declaration) { types[String(match.1), default: []].insert(file.folder) }
    }
    return types
  }

  /// What a file says that it must not see.
  static func violations(_ file: File, _ types: [String: Set<String>]) -> [String] {
    guard let floor = floors[file.folder] else { return ["\(file.path): '\(file.folder)' has no floor"] }
    var found: [String] = []
    for (number, line) in file.code.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      for word in line.matches(of: /(?:^|[^.\w])([A-Z]\w*)/) {
        guard let owners = types[String(word.1)], !owners.contains(file.folder) else { continue }
        let isLegal = owners.contains { (floors[$0] ?? .max) < floor }
        if !isLegal { found.append("\(file.path):\(number + 1) names '\(word.1)' of \(owners.sorted().joined())") }
      }
    }
    return found
  }

  @Test("Layers: no file uses a type of a higher or sibling layer")
  func floors() throws {
    let files = try Self.files()
    let types = Self.declarations(files)
    #expect(files.count > 100 && types.count > 100)
    #expect(files.flatMap { Self.violations($0, types) } == [])
  }

  @Test("Layers: the test detects violations")
  func itself() {
    let low = File(
      path: "JSON/A.swift", folder: "JSON",
      code: Self.code(of: "/// ``Exporter``\nlet a = \"Exporter\" // Exporter\nlet b = Exporter()"))
    let side = File(path: "Import/B.swift", folder: "Import", code: "func f(_ e: Exporter) -> JSON { .Exporter }")
    let types = ["Exporter": Set(["Export"]), "JSON": ["JSON"]]
    #expect(Self.violations(low, types) == ["JSON/A.swift:3 names 'Exporter' of Export"])
    #expect(Self.violations(side, types) == ["Import/B.swift:1 names 'Exporter' of Export"])
    let plan = File(path: "", folder: "Plan", code: "public final class Plan {\n  struct Inner {}\n}")
    #expect(Self.declarations([plan]) == ["Plan": ["Plan"]])
  }

  // MARK: Pointers

  /// The folders whose files may name pointers, because they read and write memory by its address.
  static let pointerRooms = ["Diagnostics", "JSON", "Values", "Plan", "Rows", "Import/Reading", "Import/Streams"]

  /// The files elsewhere that may, each with its reason.
  static let pointerFiles = [
    "Import/Payloads/PayloadBytes.swift": "lends the bytes that a caller hands over",
    "Import/Payloads/PayloadSource.swift": "is where these bytes are while they are read",
  ]

  /// The files that name pointers and must not, and those that need no permission.
  static func pointerViolations(
    _ files: [File], rooms: [String] = pointerRooms, exceptions: [String: String] = pointerFiles
  ) -> [String] {
    let users = files.filter { $0.code.contains(/\bUnsafe\w+/) }.map(\.path)
    let outside = users.filter { path in !rooms.contains { path.hasPrefix($0 + "/") } }
    return outside.filter { exceptions[$0] == nil }.map { "\($0) names pointers" }
      + exceptions.keys.sorted().filter { !outside.contains($0) }.map { "\($0) is listed for nothing" }
  }

  @Test("Pointers: only some folders, and a few files that are listed with a reason, name pointers")
  func pointers() throws {
    let files = try Self.files()
    #expect(files.contains { $0.code.contains("UnsafeMutablePointer<") })
    #expect(Self.pointerViolations(files) == [])
  }

  @Test("Pointers: the test detects violations")
  func pointersThemselves() {
    func file(_ path: String, _ text: String) -> File { File(path: path, folder: "", code: Self.code(of: text)) }
    let files = [
      file("Rows/A.swift", "let a: UnsafePointer<Int>"), file("Graph/B.swift", "let b: UnsafeRawPointer"),
      file("Graph/C.swift", "// UnsafeRawPointer"), file("Graph/D.swift", "let d: UnsafeRawPointer"),
      file("RowsBeside/E.swift", "let e: UnsafeRawPointer"),
    ]
    let violations = Self.pointerViolations(
      files, rooms: ["Rows"], exceptions: ["Graph/C.swift": "none", "Graph/D.swift": "a reason"])
    #expect(
      violations == [
        "Graph/B.swift names pointers", "RowsBeside/E.swift names pointers", "Graph/C.swift is listed for nothing",
      ])
  }

  @Test("Foundation: only the Codable bridge uses Foundation's parsers, not the engine's core")
  func parsers() throws {
    let names = ["JSONSerialization", "JSONDecoder", "JSONEncoder", "PropertyList"]
    let users = try Self.files().filter { file in names.contains { file.code.contains($0) } }
    #expect(Set(users.map(\.folder)) == ["Coding"])
  }
}
