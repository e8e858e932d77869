import Foundation
import Testing

/// The layers inside the folders Import and Graph.
@Suite("Architecture: inside Import and Graph") struct InnerArchitectureTests {
  /// A folder whose subfolders have floors of their own.
  struct House: Sendable, CustomTestStringConvertible {
    var folder: String
    /// The floor of each subfolder; "" represents the files that are directly in the folder.
    var floors: [String: Int]
    /// The floor whose folders can use each other's names. On other floors, they cannot.
    var open: Int
    /// Types that can be named on every floor, because every floor extends them.
    var shared: Set<String> = []

    var testDescription: String { folder }
  }

  /// Bytes become cells, and cells become rows, never the other way round.
  ///
  /// Options, payloads and findings refer to each other: a value that is not JSON is a finding, a finding has a location in a payload, and
  /// options determine the wording of findings.
  static let imports = House(
    folder: "Import",
    floors: [
      "Options": 0, "Payloads": 0, "Findings": 0, "Reports": 1, "Reading": 2, "Choosing": 3, "Merging": 3, "": 4,
      "Streams": 5,
    ],
    open: 0)

  /// Stores do not use contexts, the code that reads changes does not use the code that writes changes to a store, and so on up to the
  /// context.
  static let graph = House(
    folder: "Graph",
    floors: [
      "Stores": 0, "Stores/Rebase": 1, "Changes": 2, "Objects": 3, "Validation": 4, "Stores/Binding": 5, "Queries": 6,
      "Queries/Sorting": 6, "Queries/Text": 6, "Stores/Children": 7, "Results": 7, "Stores/Migration": 8,
      "Stores/Snapshot": 9,
      "Context": 10,
    ],
    open: 6,
    shared: ["ManagedObjectContext", "ManagedObject", "ManagedObjectID", "ManagedObjectModel"])

  /// The files of a house, each with its subfolder.
  static func files(_ house: House) throws -> [ArchitectureTests.File] {
    try ArchitectureTests.files().filter { $0.folder == house.folder }.map { file in
      var file = file
      file.folder = file.path.split(separator: "/").dropFirst().dropLast().joined(separator: "/")
      return file
    }
  }

  /// The forbidden names that a file uses.
  static func violations(_ file: ArchitectureTests.File, _ types: [String: Set<String>], _ house: House) -> [String] {
    guard let floor = house.floors[file.folder] else { return ["\(file.path): '\(file.folder)' has no floor"] }
    var found: [String] = []
    for match in file.code.matches(of: /(?:^|[^.\w])([A-Z]\w*)/) {
      let name = String(match.1)
      guard !house.shared.contains(name), let owners = types[name], !owners.contains(file.folder) else { continue }
      let isLegal = owners.contains { owner in
        let other = house.floors[owner] ?? .max
        return other < floor || other == floor && floor == house.open
      }
      if !isLegal { found.append("\(file.path) names '\(name)' of \(owners.sorted().joined(separator: ", "))") }
    }
    return found
  }

  @Test(
    "Floors: no file inside Import or Graph names a type of a higher or neighboring floor", arguments: [imports, graph])
  func floors(of house: House) throws {
    let files = try Self.files(house)
    let types = ArchitectureTests.declarations(files)
    #expect(files.count > 40 && types.count > 40)
    #expect(files.flatMap { Self.violations($0, types, house) } == [])
  }

  @Test("Floors: the test detects the use of a forbidden type")
  func floorsThemselves() {
    let types = [
      "ObjectMerger": Set(["Merging"]), "RowFinder": ["Reading"], "Import": ["Payloads"], "Fault": ["Findings"],
    ]
    func violations(_ folder: String, _ code: String) -> [String] {
      Self.violations(ArchitectureTests.File(path: "F.swift", folder: folder, code: code), types, Self.imports)
    }
    #expect(violations("Reading", "let m: ObjectMerger") == ["F.swift names 'ObjectMerger' of Merging"])
    #expect(violations("Choosing", "let m: ObjectMerger") == ["F.swift names 'ObjectMerger' of Merging"])
    #expect(violations("Merging", "let f: RowFinder") == [])
    #expect(violations("Findings", "let i: Import") == [])

    let inGraph = [
      "StoreBinding": Set(["Stores/Binding"]), "SortKey": ["Queries/Sorting"], "ManagedObject": ["Objects"],
      "ResultFeed": ["Results"],
    ]
    func graphViolations(_ folder: String, _ code: String) -> [String] {
      Self.violations(ArchitectureTests.File(path: "F.swift", folder: folder, code: code), inGraph, Self.graph)
    }
    #expect(graphViolations("Stores", "let b: StoreBinding") == ["F.swift names 'StoreBinding' of Stores/Binding"])
    #expect(graphViolations("Stores", "let o: ManagedObject") == [])
    #expect(graphViolations("Queries/Text", "let k: SortKey, b: StoreBinding") == [])
    #expect(graphViolations("Stores/Children", "let f: ResultFeed") == ["F.swift names 'ResultFeed' of Results"])
    #expect(graphViolations("Elsewhere", "") == ["F.swift: 'Elsewhere' has no floor"])
  }
}
