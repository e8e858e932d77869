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
}
