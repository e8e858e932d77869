import Foundation
import Graft
import GraftSQLite
import Testing

@Suite struct ConcertTests {
  /// A graph in memory with some concerts.
  func graph(_ concerts: String) throws -> ManagedObjectContext {
    let context = ManagedObjectContext(model: try ConcertsModel.load())
    try context.importJSON(concerts, into: Concert.self)
    return context
  }

  @Test func concertsInOneHouseShareTheVenue() throws {
    let context = try graph(
      """
      [{"id": 1, "title": "A", "starts_at": "2025-07-04T20:00:00Z", "price": "10", "venue": {"id": 2, "name": "Boathouse"}},
       {"id": 2, "title": "B", "starts_at": "2025-07-05T20:00:00Z", "price": "10", "venue": 2}]
      """)
    let venue = try #require(try Venue.find(id: 2, in: context))
    #expect(venue.concerts.map(\.id) == [1, 2])
  }
}

extension GuideTests {
  @Test("Testing: graphs, reports and errors")
  func testedGraphs() throws {
    let context = try Self.context()
    let recorded = try Self.payloads().concerts

    let report = try context.importJSON(
      #"{"id": 31, "price": "20.00"}"#, into: Concert.self, options: ImportOptions(reportsDetails: true))
    #expect(report.updated == ["Concert": 1] && report.inserted.isEmpty)

    let change = try #require(report.details.first?.changes.first)
    #expect(change.name == "price" && change.new == 20)

    try context.importJSON(recorded, into: Concert.self, at: "data")
    let again = try context.importJSON(recorded, into: Concert.self, at: "data")
    #expect(again.inserted.isEmpty && again.updated.isEmpty && again.warnings.isEmpty)

    let error = #expect(throws: ImportError.self) {
      try context.importJSON(#"[{"id": 40, "title": "Encore", "price": 12}]"#, into: Concert.self)
    }
    #expect(error?.diagnostics.map(\.code) == [.missingValue, .wrongTransformerInput])
    #expect(error?.diagnostics.map(\.path) == ["$[0].starts_at", "$[0].price"])
    #expect(try Concert.find(id: 40, in: context) == nil)  // nothing was imported

    let finale = Concert(context: context, id: 33, title: "Finale", startsAt: .now, price: 12)
    finale.venue = try Venue.find(id: 2, in: context)
    try context.commit()

    let copy = ManagedObjectContext(model: context.model)
    try copy.importJSON(try jsonData(from: context.fetch(Concert.self)), into: Concert.self)
    try copy.importJSON(try jsonData(from: context.fetch(Artist.self)), into: Artist.self)
    #expect(copy.dump() == context.dump())
  }

  @Test("Testing: transformers, validations and live lists")
  func testedClosures() throws {
    #expect(try TransformerRegistry.standard.value("StringToDecimal", from: "12.50", as: .decimal) == .decimal(12.5))
    #expect(throws: TransformerError.self) {
      try TransformerRegistry.standard.value("StringToDecimal", from: "twelve", as: .decimal)
    }

    var transformers = TransformerRegistry.standard
    transformers.registerValidation(ofEntity: "Concert", attribute: "price") { (price: Decimal) in
      if price < 0 { throw ValidationFailure("a price is not negative") }
    }
    let model = try ConcertsModel.load(transformers: transformers)
    let concert = Concert(context: ManagedObjectContext(model: model), id: 1, title: "A", startsAt: .now, price: -1)

    let failure = #expect(throws: PropertyError.self) { try concert.validate() }
    #expect(failure?.diagnostics.first?.message == "'Concert.price' is not valid: a price is not negative")

    let context = try Self.context()
    let titles = try context.results(Concert.self, sortedBy: \.startsAt)
    try context.delete(titles[0])
    #expect(titles.map(\.title) == ["Brass at Noon"])
  }

  @Test("Testing: stores")
  func testedStores() throws {
    let recorded = try Self.payloads().concerts
    let store = try SQLiteStore.inMemory(model: ConcertsModel.load())
    let first = ManagedObjectContext(store: store)
    let second = ManagedObjectContext(store: store)
    #expect(try second.count(Concert.self) == 0)

    try first.importJSON(recorded, into: Concert.self, at: "data")
    #expect(try second.count(Concert.self) == 0)  // it shows the version that it read first
    try second.merge()
    #expect(try second.count(Concert.self) == 2)

    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appending(path: "concerts.graft")

    do {
      let context = try ManagedObjectContext(store: SQLiteStore(at: url, model: ConcertsModel.load()))
      try context.importJSON(recorded, into: Concert.self, at: "data")
    }
    let reopened = try ManagedObjectContext(store: SQLiteStore(at: url, model: ConcertsModel.load()))
    #expect(try reopened.count(Concert.self) == 2)
  }

  @Test("Testing: the commands for continuous integration do what the table says")
  func testedCommands() throws {
    let folder = try TemporaryFolder()
    let text = try #require(ReadmeTests.blocks("jsonc", in: ReadmeTests.page("GettingStarted")).first) + "\n"
    let model = try folder.file("Concerts.model.json", text)
    let good = try folder.file("good.json", try Self.payloads().concerts)
    #expect(try Invocation(["format", "--check", model]).status == 0)
    #expect(try Invocation(["explain", model, "Concert"]).output.contains("Example, imported as Concert:"))
    func check(_ payload: String) throws -> Int32 {
      try Invocation([
        "import", "--model", model, "Concert@data=\(payload)", "--dry-run", "--warnings", "error",
      ]).status
    }
    #expect(try check(good) == 0)
    let doubtful = #"{"data": [{"id": 1}, {"id": 2, "titel": "A"}]}"#
    #expect(try check(try folder.file("doubtful.json", doubtful)) == 1)
  }
}
