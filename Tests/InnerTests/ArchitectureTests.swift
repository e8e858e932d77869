import Foundation
import Testing

/// The layers of the library. Code can use names of its own folder and of folders on lower floors, but not of folders on higher floors or
/// on the same floor.
@Suite("Architecture") struct ArchitectureTests {
  /// The floor of each folder; files that are not in a folder are on the top floor.
  static let floors = [
    "Memory": -2, "Diagnostics": -1, "JSON": 0, "Values": 1, "Transformers": 2, "Model": 3, "ModelFile": 4, "Plan": 5,
    "Rows": 6, "Graph": 7, "Import": 8, "Export": 8, "Coding": 9, "Serialization.swift": 10,
  ]

  static let sources = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/Graft", isDirectory: true)

  struct File {
    var path: String
    /// The folder in `Sources/Graft`, or the name of the file if it is not in a folder.
    var folder: String
    /// The code without comments and literals, but with the interpolations in literals.
    var code: String
    /// The whole text of the file.
    var text = ""
  }

  /// The files of all modules.
  static func allFiles() throws -> [File] { try files(in: sources.deletingLastPathComponent()) }

  static func files(in folder: URL = sources) throws -> [File] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
    return try paths.sorted().map { path in
      let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
      return File(path: path, folder: String(path.prefix { $0 != "/" }), code: SwiftCode.of(text), text: text)
    }
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

  /// The forbidden names that a file uses.
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

  @Test("Layers: the test detects the use of a forbidden type")
  func itself() {
    let low = File(
      path: "JSON/A.swift", folder: "JSON",
      code: SwiftCode.of("/// ``Exporter``\nlet a = \"Exporter\" // Exporter\nlet b = \"an \\(Exporter())\""))
    let side = File(path: "Import/B.swift", folder: "Import", code: "func f(_ e: Exporter) -> JSON { .Exporter }")
    let types = ["Exporter": Set(["Export"]), "JSON": ["JSON"]]
    #expect(Self.violations(low, types) == ["JSON/A.swift:3 names 'Exporter' of Export"])
    #expect(Self.violations(side, types) == ["Import/B.swift:1 names 'Exporter' of Export"])
    let plan = File(path: "", folder: "Plan", code: "public final class Plan {\n  struct Inner {}\n}")
    #expect(Self.declarations([plan]) == ["Plan": ["Plan"]])
  }

  @Test("Layers: removing comments and literals preserves line numbers, and interpolations in literals")
  func codeItself() {
    let text = ###"""
      let a = "no \(yes("no", [1]) ?? "no \(too)") no" // no "
      let b = ##"no \#(no) \##(yes) "# no"##, c = "", d = "\"" /* "no
      no */
      #if os(Linux)
      """###
    let code = SwiftCode.of(text)
    #expect(
      code.split(separator: "\n").map { $0.split(separator: /\s+/).joined(separator: " ") } == [
        "let a = yes(, [1]) ?? too", "let b = yes , c = , d =", "#if os(Linux)",
      ])
    #expect(code.count { $0 == "\n" } == text.count { $0 == "\n" })
  }

  // MARK: Members

  struct Word {
    var text: String
    /// Whether the word follows a dot.
    var isMember: Bool
    var line: Int
  }

  static func words(of code: String) -> [Word] {
    let bytes = Array(code.utf8) + [0x20]
    var words: [Word] = []
    var line = 1
    var start: Int?
    for (index, byte) in bytes.enumerated() {
      let isInWord =
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
      if isInWord {
        start = start ?? index
      } else if let first = start {
        let isMember = first > 0 && bytes[first - 1] == UInt8(ascii: ".")
        words.append(Word(text: String(decoding: bytes[first..<index], as: UTF8.self), isMember: isMember, line: line))
        start = nil
      }
      if byte == UInt8(ascii: "\n") { line += 1 }
    }
    return words
  }

  /// Names of members that extensions declare and that types of the standard library also have.
  static let standardMembers: Set = ["append", "reversed"]

  /// The members that extensions add to types of other folders, with the folders of the extensions.
  static func addedMembers(_ files: [File], _ types: [String: Set<String>]) -> [String: Set<String>] {
    var members: [String: Set<String>] = [:]
    for file in files {
      for match in file.code.matches(of: /(?m)^(?:\w+ )?extension (\w+)[^{]*\{\n((?s:.*?))^\}/) {
        if types[String(match.1)]?.contains(file.folder) == true { continue }
        for member in match.2.matches(of: /(?m)^  (?:[@\w()]+ )*?(?:func|var|let) `?(\w+)/) {
          members[String(member.1), default: []].insert(file.folder)
        }
      }
    }
    return members.filter { !standardMembers.contains($0.key) }
  }

  /// The uses of members that were added to a type only by folders that the file must not use. If a visible folder uses the name without a
  /// dot, as in a declaration, the name is treated as that folder's own.
  static func memberViolations(_ files: [File]) -> [String] {
    let members = addedMembers(files, declarations(files))
    var own: [String: Set<String>] = [:]
    var uses: [(file: File, word: Word)] = []
    for file in files {
      for word in words(of: file.code) where members[word.text] != nil {
        if word.isMember { uses.append((file, word)) } else { own[word.text, default: []].insert(file.folder) }
      }
    }
    return uses.compactMap { file, word in
      guard let floor = floors[file.folder] else { return nil }
      let owners = members[word.text, default: []].union(own[word.text] ?? [])
      if owners.contains(where: { $0 == file.folder || (floors[$0] ?? .max) < floor }) { return nil }
      return "\(file.path):\(word.line) uses '\(word.text)' of \(owners.sorted().joined())"
    }
  }

  @Test("Layers: no file uses members that a higher or sibling layer adds to a type")
  func members() throws { #expect(Self.memberViolations(try Self.files()) == []) }

  @Test("Layers: the test detects the use of added members")
  func membersThemselves() {
    func file(_ folder: String, _ code: String) -> File { File(path: folder, folder: folder, code: code) }
    let files = [
      file("Rows", "struct Row {\n  var a: Int { 1 }\n  func f() { b.export(c.own, \\.links) }\n}"),
      file("Export", "extension Row {\n  func export() {}\n  static var links: Int { 1 }\n  var own: Int { a }\n}"),
      file("Plan", "let own = 1"), file("Coding", "let x = row.export()"), file("Import", "let x =\n  row.export()"),
    ]
    #expect(
      Self.memberViolations(files) == [
        "Rows:3 uses 'export' of Export", "Rows:3 uses 'links' of Export", "Import:2 uses 'export' of Export",
      ])
  }

  // MARK: Pointers

  /// The folders whose files can name pointer types, because they read and write memory by address.
  static let pointerRooms = ["Memory", "JSON", "Rows", "Import/Reading"]

  /// The files that name pointer types although they must not.
  static func pointerViolations(_ files: [File], rooms: [String] = pointerRooms) -> [String] {
    let users = files.filter { $0.code.contains(/\bUnsafe\w+/) }.map(\.path)
    return users.filter { path in !rooms.contains { path.hasPrefix($0 + "/") } }.map { "\($0) names pointers" }
  }

  @Test("Pointers: only certain folders name pointer types")
  func pointers() throws {
    let files = try Self.files()
    #expect(files.contains { $0.code.contains("UnsafeMutablePointer<") })
    #expect(Self.pointerViolations(files) == [])
  }

  @Test("Pointers: the test detects a forbidden pointer type")
  func pointersThemselves() {
    func file(_ path: String, _ text: String) -> File { File(path: path, folder: "", code: SwiftCode.of(text)) }
    let files = [
      file("Rows/A.swift", "let a: UnsafePointer<Int>"), file("Graph/B.swift", "let b: UnsafeRawPointer"),
      file("Graph/C.swift", "// UnsafeRawPointer"), file("RowsBeside/D.swift", "let d: UnsafeRawPointer"),
    ]
    let violations = Self.pointerViolations(files, rooms: ["Rows"])
    #expect(violations == ["Graph/B.swift names pointers", "RowsBeside/D.swift names pointers"])
  }

  @Test("Foundation: only the Codable bridge uses Foundation's parsers; the engine's core does not")
  func parsers() throws {
    let names = ["JSONSerialization", "JSONDecoder", "JSONEncoder", "PropertyList"]
    let users = try Self.files().filter { file in names.contains { file.code.contains($0) } }
    #expect(Set(users.map(\.folder)) == ["Coding"])
  }
}
