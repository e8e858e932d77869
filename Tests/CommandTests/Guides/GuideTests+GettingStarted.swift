import Foundation
import Graft
import GraftSQLite
import Testing

extension GuideTests {
  /// The tutorial's payloads in a folder, under their file names.
  private static func files() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let blocks = try ReadmeTests.blocks("json", in: ReadmeTests.page("GettingStarted"))
    for (name, text) in zip(["concerts.json", "artists.json", "faulty.json", "finale.json"], blocks) {
      _ = try folder.file(name, text + "\n")
    }
    return folder
  }

  @Test("The tutorial's model is inferred from its payloads, except for required properties and the type of the price")
  func inferredModel() throws {
    let folder = try Self.files()
    let page = try ReadmeTests.page("GettingStarted")
    let model = folder.path("Concerts.model.json")
    let sources = ["Concert=\(folder.path("concerts.json"))", "Artist=\(folder.path("artists.json"))"]
    #expect(try Invocation(["infer"] + sources + ["--output", model]).status == 0)
    let inferred = try folder.text("Concerts.model.json").replacing(folder.path(""), with: "")
    let documented = try #require(ReadmeTests.blocks("jsonc", in: page).first) + "\n"
    // The tutorial describes these manual changes.
    let optional = #"{ "type": "string", "optional": true }"#
    let draft =
      documented
      .replacing(#"{ "type": "decimal", "JSONTransformerName": "StringToDecimal" }"#, with: optional)
      .replacing(#""title": "string""#, with: "\"title\": \(optional)")
      .replacing(#""name": "string""#, with: "\"name\": \(optional)")
      .replacing(#""startsAt": "date""#, with: #""startsAt": { "type": "date", "optional": true }"#)
    #expect(inferred.split(separator: "\n").dropFirst() == draft.split(separator: "\n").dropFirst())

    _ = try folder.file("Concerts.model.json", documented)
    #expect(try Invocation(["lint", model]).status == 0)
    let graft = try Invocation([
      "import", "--model", model, "Concert@data=\(folder.path("concerts.json"))",
      "Artist@data=\(folder.path("artists.json"))",
    ])
    #expect(try Self.page("GettingStarted", shows: String(graft.output.dropLast())))
  }

  @Test("The tutorial's manifest names products and plugins that exist")
  func manifest() throws {
    let manifest = """
      // swift-tools-version: 6.1
      import PackageDescription

      let package = Package(
        name: "Concerts",
        platforms: [.macOS(.v14)],
        dependencies: [.package(name: "Graft", path: "../Graft")],
        targets: [
          .executableTarget(
            name: "Concerts",
            dependencies: [
              .product(name: "Graft", package: "Graft"),
              .product(name: "GraftSQLite", package: "Graft"),
            ],
            plugins: [.plugin(name: "GenerateClasses", package: "Graft")])
        ]
      )
      """
    #expect(ReadmeTests.blocks("swift", in: try ReadmeTests.page("GettingStarted")).first == manifest)
    let own = try ReadmeTests.file("Package.swift")
    for name in ["Graft", "GraftSQLite"] { #expect(own.contains(#".library(name: "\#(name)""#)) }
    #expect(own.contains(#""GenerateClasses", .buildTool()"#))
  }

  @Test("The tutorial's program without a store prints the output in the tutorial")
  func tutorialInMemory() throws {
    let folder = try Self.files()
    let printed = Printed()
    func print(_ items: Any...) { printed(items) }
    // swift-format-ignore: AlwaysUseLowerCamelCase
    func URL(filePath name: String) -> Foundation.URL { Foundation.URL(filePath: folder.path(name)) }

    let model = try ConcertsModel.load()
    let context = ManagedObjectContext(model: model)

    let concerts = try objects(Concert.self, fromJSON: URL(filePath: "concerts.json"), in: context, at: "data")
    for concert in concerts {
      print(concert.title ?? "?", "at", concert.venue?.name ?? "?")
    }
    print(concerts[0].venue === concerts[1].venue)
    #expect(try Self.page("GettingStarted", shows: printed.take()))

    print(concerts[0].artists.map(\.isPlaceholder))
    try context.importJSON(URL(filePath: "artists.json"), into: Artist.self, at: "data")
    print(concerts[0].artists.map { $0.name ?? "?" })

    if let ferrymen = try Artist.find(id: 9, in: context) {
      print(ferrymen.concerts.map { $0.title ?? "?" })
    }
    #expect(try Self.page("GettingStarted", shows: printed.take()))

    do {
      try context.importJSON(URL(filePath: "faulty.json"), into: Concert.self, at: "data")
    } catch {
      print(DiagnosticRenderer().render(error.diagnostics))
    }
    print(try context.count(Concert.self), "concerts")
    #expect(
      try Self.page("GettingStarted", shows: printed.take().replacing(folder.path("faulty.json"), with: "faulty.json")))
  }

  @Test("The tutorial's program with a store prints the output in the tutorial")
  func tutorialWithStore() throws {
    let folder = try Self.files()
    let printed = Printed()
    func print(_ items: Any...) { printed(items) }
    // swift-format-ignore: AlwaysUseLowerCamelCase
    func URL(filePath name: String) -> Foundation.URL { Foundation.URL(filePath: folder.path(name)) }

    for _ in 1...2 {
      let model = try ConcertsModel.load()
      let store = try SQLiteStore(at: URL(filePath: "concerts.graft"), model: model)
      let context = try ManagedObjectContext(model: model, store: store)
      print(try context.count(Concert.self), "concerts are stored")

      print(try context.importJSON(URL(filePath: "concerts.json"), into: Concert.self, at: "data"))
      print(try context.importJSON(URL(filePath: "artists.json"), into: Artist.self, at: "data"))
      #expect(try Self.page("GettingStarted", shows: printed.take()))
    }

    let model = try ConcertsModel.load()
    let store = try SQLiteStore(at: URL(filePath: "concerts.graft"), model: model)
    let context = try ManagedObjectContext(model: model, store: store)

    let budget = Decimal(15)
    let affordable = try context.results(Concert.self, where: #Predicate { $0.price! < budget }, sortedBy: \.startsAt)
    print("Affordable:", affordable.map { $0.title ?? "?" })

    let modelFile = try folder.file(
      "Concerts.model.json", try #require(ReadmeTests.blocks("jsonc", in: ReadmeTests.page("GettingStarted")).first))
    let graft = try Invocation([
      "import", "--model", modelFile, "--store", folder.path("concerts.graft"),
      "Concert@data=\(folder.path("finale.json"))",
    ])
    #expect(graft.status == 0)
    try context.merge()
    print("Affordable:", affordable.map { $0.title ?? "?" })
    #expect(try Self.page("GettingStarted", shows: printed.take()))

    if let finale = try Concert.find(id: 33, in: context) {
      finale.title = "Grand Finale"
      try context.commit()
      print(try jsonString(from: finale))
    }
    #expect(try Self.page("GettingStarted", shows: printed.take()))
  }

  /// Never called: the loop lasts as long as the store.
  private func follow(_ store: SQLiteStore, _ context: ManagedObjectContext, _ affordable: LiveResults<Concert>)
    async throws
  {
    for await _ in store.commits() {
      try context.merge()
      print("Affordable:", affordable.map { $0.title ?? "?" })
    }
  }
}
