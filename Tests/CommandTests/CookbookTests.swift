import Foundation
import Graft
import Testing

/// Everything that the page shows is in the repository and works as described.
@Suite("The cookbook") struct CookbookTests {
  /// A style of JSON with its section on the page, its model and its payloads.
  struct Style: CustomTestStringConvertible, Sendable {
    let title: String
    let name: String
    /// The entity whose objects `expected.json` contains.
    let entityName: String
    var payloads = ["payload.json"]

    var testDescription: String { name }

    /// The path of the style's model.
    var model: String { "Models/Cookbook/\(name).json" }

    /// Returns the path of a file with the style's data.
    func path(_ file: String) -> String { "Tests/Fixtures/cookbook/\(name)/\(file)" }

    /// The text of the style's section.
    func section() throws -> String {
      try #require(try CookbookTests.sections().first { $0.hasPrefix(title + "\n") }, "no section '\(title)'")
    }

    /// The words of the command in the style's section, with the paths of the files.
    func command() throws -> [String] {
      let prefix = "    graft import "
      let lines = try section().split(separator: "\n").filter { $0.hasPrefix(prefix) }
      try #require(lines.count == 1, "\(lines)")
      let words = lines[0].dropFirst(prefix.count).split(separator: " ").map { (word: Substring) -> String in
        if word == "\(name).json" { return model }
        return String(word).replacing("'", with: "").replacing("=payload", with: "=" + path("payload"))
      }
      return ["import"] + words
    }
  }

  static let styles = [
    Style(
      title: "REST with envelopes and pages", name: "REST", entityName: "Album",
      payloads: ["payload.json", "payload-2.json"]),
    Style(title: "JSON:API", name: "JSONAPI", entityName: "Resource"),
    Style(title: "GraphQL", name: "GraphQL", entityName: "Project"),
    Style(title: "OData", name: "OData", entityName: "Order"),
    Style(title: "HAL", name: "HAL", entityName: "Boat"),
    Style(title: "FHIR bundles", name: "FHIR", entityName: "Resource"),
    Style(title: "Kubernetes lists", name: "Kubernetes", entityName: "Pod"),
    Style(title: "Event streams with several kinds", name: "Events", entityName: "Event"),
    Style(title: "Maps by key", name: "MapsByKey", entityName: "Currency"),
    Style(title: "Lists with values of their own", name: "Entries", entityName: "Playlist"),
    Style(title: "PHP's habits", name: "PHP", entityName: "Product"),
  ]

  private static func file(_ path: String) throws -> String {
    try String(contentsOf: Invocation.root.appendingPathComponent(path), encoding: .utf8)
  }

  private static func page() throws -> String { try file("Sources/Graft/Graft.docc/Cookbook.md") }

  /// The sections of the page. The first line of each section is its title.
  private static func sections() throws -> [String] {
    Array(try page().components(separatedBy: "\n## ").dropFirst())
  }

  /// The visible files of a folder.
  private static func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: Invocation.root.appendingPathComponent(folder).path)
      .filter { !$0.hasPrefix(".") }.sorted()
  }

  private static func model(_ name: String) throws -> ManagedObjectModel {
    try ManagedObjectModel(contentsOf: Invocation.root.appendingPathComponent("Models/Cookbook/\(name).json"))
  }

  @Test("Every style has a section, a model and payloads")
  func complete() throws {
    let titles = try Self.sections().map { section in String(section.prefix { $0 != "\n" }) }
    #expect(titles == ["Overview"] + Self.styles.map(\.title) + ["What a model cannot express"])
    let names = Self.styles.map(\.name).sorted()
    #expect(try Self.names("Models/Cookbook") == names.map { "\($0).json" }.sorted())
    #expect(try Self.names("Tests/Fixtures/cookbook") == names)
    for style in Self.styles {
      let files = try Self.names("Tests/Fixtures/cookbook/\(style.name)")
      #expect(files == (["expected.json"] + style.payloads).sorted())
    }
  }

  @Test("The payloads and the model of a section match the repository", arguments: styles)
  func blocks(style: Style) throws {
    let blocks = try style.section().components(separatedBy: "\n```json\n").dropFirst().map { part in
      part.components(separatedBy: "\n```\n")[0] + "\n"
    }
    let files = try (style.payloads.map(style.path) + [style.model]).map(Self.file)
    #expect(blocks == files)
  }

  @Test("The models are formatted and have no findings")
  func models() throws {
    let graft = try Invocation(["lint"] + Self.styles.map(\.model))
    #expect(graft.output == "" && graft.messages == "no findings in \(Self.styles.count) model files\n")
    #expect(graft.status == 0)
    for style in Self.styles {
      let text = try Self.file(style.model)
      #expect(try ModelFileFormatter.format(text) == text, "\(style.name)")
      #expect(try Self.model(style.name).warnings.isEmpty, "\(style.name)")
    }
  }

  @Test("The command in a section imports the payloads, and importing the export changes nothing", arguments: styles)
  func imports(style: Style) throws {
    let expected = try Self.file(style.path("expected.json"))
    let folder = try TemporaryFolder()
    let store = folder.path("graph.graft")
    let export = "\(style.entityName)=\(folder.path("export.json"))"
    let first = try Invocation(
      style.command() + [
        "--store", store, "--export", export, "--indent", "--dump", folder.path("before.json"),
      ])
    #expect(first.status == 0, "\(first.messages)")
    #expect(try folder.text("export.json") == expected)

    let second = try Invocation([
      "import", "--model", style.model, "--store", store, export, "--dump", folder.path("after.json"),
    ])
    #expect(second.status == 0 && second.messages == "")
    let counts = second.output.split(separator: "\n").dropFirst()
    #expect(!counts.isEmpty)
    // An entity with a modification attribute skips objects that are not newer.
    for line in counts { #expect(line.hasSuffix(" unchanged") || line.hasSuffix(" skipped"), "\(line)") }
    #expect(try folder.text("after.json") == folder.text("before.json"))

    let third = try Invocation([
      "import", "--model", style.model, export, "--export", "\(style.entityName)=-", "--indent",
    ])
    #expect(third.output == expected)
  }

  @Test("The documented Swift calls have the same effect as the commands")
  func calls() throws {
    do {
      let context = ManagedObjectContext(model: try Self.model("REST"))
      let albums = try Self.file("Tests/Fixtures/cookbook/REST/payload.json")
      let photos = try Self.file("Tests/Fixtures/cookbook/REST/payload-2.json")

      try context.importJSON(albums, ofEntity: "Album", at: "data")
      if let album = try context.find(ofEntity: "Album", id: 7) {
        try context.importJSON(photos, into: "photos", of: album, at: "data")
      }

      #expect(try context.count(ofEntity: "Album", where: "id = 7 and photos.count = 2") == 1)
      #expect(try context.count(ofEntity: "Album") == 2)
    }
    do {
      let context = ManagedObjectContext(model: try Self.model("JSONAPI"))
      let document = try Self.file("Tests/Fixtures/cookbook/JSONAPI/payload.json")

      try context.importJSON(
        document,
        [
          .objects(ofEntity: "Resource", at: "data"),
          .objects(ofEntity: "Resource", at: "included", isRequired: false),
        ])

      #expect(try context.count(ofEntity: "Resource") == 4)
      #expect(try context.placeholders.isEmpty)
      let report = try context.importJSON(
        #"{"data": []}"#,
        [.objects(ofEntity: "Resource", at: "data"), .objects(ofEntity: "Resource", at: "included", isRequired: false)])
      #expect(report.inserted.isEmpty)
    }

    func lines(_ text: String) -> [String] {
      text.split(separator: "\n").map { String($0.drop { $0 == " " }) }
    }
    let own = lines(try Self.file("Tests/CommandTests/CookbookTests.swift"))
    let blocks = try Self.page().components(separatedBy: "\n\n").filter { $0.hasPrefix("    try ") }
    #expect(blocks.count == 2)
    for block in blocks {
      let code = lines(block)
      #expect(own.indices.contains { own[$0...].starts(with: code) }, "\(block)")
    }
  }

  @Test("The delta in the section on OData deletes a stored order")
  func deletion() throws {
    let context = ManagedObjectContext(model: try Self.model("OData"))
    try context.importJSON(
      #"{"OrderID": 50, "Total": 3, "ModifiedAt": "2024-04-01T08:00:00Z", "Lines": [{"Sku": "C-2", "Count": 1}]}"#,
      ofEntity: "Order")
    let delta = try Self.file("Tests/Fixtures/cookbook/OData/payload.json")
    let report = try context.importJSON(delta, ofEntity: "Order", at: "value")
    #expect(report.deleted == ["Order": 1, "Line": 1])
    #expect(try context.find(ofEntity: "Order", id: 50) == nil)
    #expect(try context.count(ofEntity: "Line") == 2)
  }
}
