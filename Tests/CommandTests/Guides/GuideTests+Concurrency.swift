import Foundation
import Graft
import GraftSQLite
import Testing

@MainActor final class ConcertLibrary {
  let context: ManagedObjectContext
  private let background: BackgroundContext

  init(store: any PersistentStore) throws {
    context = try ManagedObjectContext(model: store.model, store: store)
    background = try BackgroundContext(model: store.model, store: store)
  }

  /// Imports a response without blocking the main actor.
  func update(with response: Data) async throws {
    try await background.importJSON(response, into: Concert.self, at: "data")
    try context.merge()
  }
}

actor ConcertImporter {
  private let context: ManagedObjectContext

  init(store: any PersistentStore) throws {
    context = try ManagedObjectContext(model: store.model, store: store)
  }

  /// Imports a response and returns the titles of new concerts.
  func importConcerts(_ response: Data) throws -> [String] {
    let before = Set(try context.fetch(Concert.self).map(\.objectID))
    let concerts = try objects(Concert.self, fromJSON: response, in: context, at: "data")
    return concerts.filter { !before.contains($0.objectID) }.compactMap(\.title)
  }
}

@Sendable func titles(from store: any PersistentStore) async throws -> [String] {
  let context = try ManagedObjectContext(model: store.model, store: store)
  return try context.fetch(Concert.self, sortedBy: \.startsAt).compactMap(\.title)
}

extension GuideTests {
  @Test("Concurrency: a main context follows a background context")
  @MainActor func mainAndBackground() async throws {
    let printed = Printed()
    func print(_ items: Any...) { printed(items) }
    let store = try SQLiteStore.inMemory(model: ConcertsModel.load())
    let library = try ConcertLibrary(store: store)
    let list = try library.context.results(Concert.self, sortedBy: \.startsAt)
    try await library.update(with: Data(Self.payloads().concerts.utf8))
    #expect(list.map(\.title) == ["Late Strings", "Brass at Noon"])

    let background = try BackgroundContext(model: store.model, store: store)
    let total = try await background.perform { context in
      let concerts = try context.fetch(Concert.self, where: #Predicate { $0.venue?.name == "Boathouse" })
      return concerts.reduce(Decimal(0)) { $0 + ($1.price ?? 0) }
    }
    #expect(total == 27.5)

    let id = try await background.perform { context in
      let wanted = #Predicate<Concert> { $0.title == "Late Strings" }
      return try context.fetchOne(Concert.self, where: wanted, sortedBy: \.startsAt)?.objectID
    }
    if let id, let concert = try library.context.find(id) as? Concert {
      print(concert.title ?? "?")
    }
    #expect(printed.take() == "Late Strings")

    struct ConcertRow: Decodable, Sendable {
      var title: String
      var price: Decimal
    }

    let rows: [ConcertRow] = try await background.perform { context in
      try context.fetch(Concert.self, sortedBy: \.startsAt).map { try $0.decoded() }
    }
    #expect(rows.map(\.price) == [18.5, 9])
  }

  @Test("Concurrency: actors and tasks with their own contexts")
  func actorsAndTasks() async throws {
    let store = try SQLiteStore.inMemory(model: ConcertsModel.load())
    let importer = try ConcertImporter(store: store)
    let response = Data(try Self.payloads().concerts.utf8)
    #expect(try await importer.importConcerts(response) == ["Late Strings", "Brass at Noon"])
    #expect(try await importer.importConcerts(response) == [])
    async let first = titles(from: store)
    async let second = titles(from: store)
    #expect(try await first == second)
  }

  @Test("Concurrency: snapshots and changes without a store")
  func withoutStore() async throws {
    let background = BackgroundContext(try Self.context().snapshot())

    let main = ManagedObjectContext(await background.snapshot())
    let updates = await background.updates()
    try await background.importJSON(#"{"id": 31, "title": "Later Strings"}"#, into: Concert.self)
    for await changes in updates {
      main.merge(changes)
      break
    }
    #expect(try Concert.find(id: 31, in: main)?.title == "Later Strings")
  }
}
