import Foundation
import Testing

/// The order inside Import: bytes become cells, and cells become rows. Nothing goes back.
@Suite("Architecture: imports") struct ImportArchitectureTests {
  /// The floor of each folder in `Import`; files outside of these folders stand above them. Payloads and findings know each
  /// other: a value that is not JSON is a finding, and findings have their places in payloads.
  static let floors = [
    "Payloads": 0, "Findings": 0, "Reports": 1, "Reading": 2, "Choosing": 3, "Merging": 3, "": 4, "Streams": 5,
  ]

  /// Files of `Import`, with their folder inside it.
  static func files() throws -> [ArchitectureTests.File] {
    try ArchitectureTests.files().filter { $0.folder == "Import" }.map { file in
      var file = file
      let path = file.path.split(separator: "/")
      file.folder = path.count == 3 ? String(path[1]) : ""
      return file
    }
  }

  /// What a file names that it must not see.
  static func violations(_ file: ArchitectureTests.File, _ types: [String: Set<String>]) -> [String] {
    guard let floor = floors[file.folder] else { return ["\(file.path): '\(file.folder)' has no floor"] }
    var found: [String] = []
    for match in file.code.matches(of: /(?:^|[^.\w])([A-Z]\w*)/) {
      guard let owners = types[String(match.1)], !owners.contains(file.folder) else { continue }
      let isLegal = owners.contains { owner in
        let other = floors[owner] ?? .max
        return other < floor || other == 0 && floor == 0
      }
      if !isLegal { found.append("\(file.path) names '\(match.1)' of \(owners.sorted().joined())") }
    }
    return found
  }

  @Test("Floors: nothing that reads names what writes, and nothing that writes names what chooses")
  func floors() throws {
    let files = try Self.files()
    let types = ArchitectureTests.declarations(files)
    #expect(files.count > 40 && types.count > 40)
    #expect(files.flatMap { Self.violations($0, types) } == [])
  }

  @Test("Floors: the test sees what it should see")
  func floorsThemselves() {
    let types = ["ObjectMerger": Set(["Merging"]), "RowFinder": ["Reading"]]
    func violations(_ folder: String, _ code: String) -> [String] {
      Self.violations(ArchitectureTests.File(path: "F.swift", folder: folder, code: code), types)
    }
    #expect(violations("Reading", "let m: ObjectMerger") == ["F.swift names 'ObjectMerger' of Merging"])
    #expect(violations("Choosing", "let m: ObjectMerger") == ["F.swift names 'ObjectMerger' of Merging"])
    #expect(violations("Merging", "let f: RowFinder") == [])
  }

  /// A type, and how many properties it stores.
  struct Stored: Equatable {
    var type: String
    var count: Int
  }

  /// The stored properties of each struct and class, nested ones for themselves.
  static func stored(_ code: String) -> [Stored] {
    var found: [Stored] = []
    // The types that are open, with the depth of their members, and where they are in `found`.
    var open: [(index: Int, depth: Int)] = []
    var depth = 0
    for line in code.split(separator: "\n") {
      let declaration = line.firstMatch(of: /^\s*(?:[\w()@]+ )*?(?:struct|class|actor) (\w+)/)
      let isMember = line.firstMatch(of: /^\s*(?:[\w()@]+ )*?(?:let|var) \w/) != nil
      let isComputed = line.contains("{") && line.firstMatch(of: /[^=]=\s/) == nil
      if isMember, !isComputed, !line.contains("static "), let type = open.last, type.depth == depth {
        found[type.index].count += 1
      }
      if let declaration {
        open.append((found.count, depth + 1))
        found.append(Stored(type: String(declaration.1), count: 0))
      }
      for character in line {
        if character == "{" { depth += 1 }
        if character == "}" {
          depth -= 1
          if let type = open.last, depth < type.depth { open.removeLast() }
        }
      }
    }
    return found
  }

  @Test("State: a type of an import stores what fits in a reader's head")
  func state() throws {
    let large = try Self.files().flatMap { Self.stored($0.code) }.filter { $0.count > 14 }
    #expect(large == [])
  }

  @Test("State: the test sees what it should see")
  func stateItself() {
    let code = """
      struct A {
        static let x = 1
        let a = 1
        private(set) var b: Int
        var c: Int { 3 }
        @inline(__always) var d: Int { 4 }
        struct B {
          var e = [1: { 2 }]
        }
        func f() {
          let g = 1
        }
        var h: (Int) -> Void
      }
      """
    #expect(Self.stored(code) == [Stored(type: "A", count: 3), Stored(type: "B", count: 1)])
  }
}
