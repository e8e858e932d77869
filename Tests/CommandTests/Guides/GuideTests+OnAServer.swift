import Dispatch
import Foundation
import Graft
import GraftPostgreSQL
import GraftSQLite
import GraftTestSupport
import Testing

@Sendable func nextConcerts(in store: any PersistentStore) throws -> Data {
  let context = ManagedObjectContext(store: store)
  let concerts = try context.fetch(Concert.self, sortedBy: \.startsAt, limit: 20)
  return try jsonData(from: concerts)
}

@Sendable func importConcerts(_ body: Data, into store: any PersistentStore) async throws -> ImportReport {
  let background = try BackgroundContext(model: store.model, store: store)
  return try await background.importJSON(body, into: Concert.self, at: "data")
}

@Sendable func raisePrice(ofConcert id: Int, by amount: Decimal, in store: any PersistentStore) throws {
  for attempt in 1... {
    let context = ManagedObjectContext(store: store)
    guard let concert = try context.find(Concert.self, id: id) else { return }
    concert.price = (concert.price ?? 0) + amount
    do {
      return try context.commit()
    } catch is ConflictError where attempt < 10 {
      // Wait for a random time, so that the same requests do not collide again.
      Thread.sleep(forTimeInterval: .random(in: 0...0.02) * Double(attempt))
    }
  }
}

extension GuideTests {
  /// Runs the guide's code with a store.
  private static func serve(_ store: any PersistentStore) async throws {
    let body = Data(try payloads().concerts.utf8)
    let report = try await importConcerts(body, into: store)
    #expect(report.inserted["Concert"] == 2)
    #expect(try await importConcerts(body, into: store).unchanged["Concert"] == 2)
    #expect(String(decoding: try nextConcerts(in: store), as: UTF8.self).contains("Brass at Noon"))

    let context = ManagedObjectContext(store: store)
    let concert = try #require(try context.fetch(Concert.self, sortedBy: \.startsAt, limit: 1).first)
    let id = try #require(concert.id)
    let price = try #require(concert.price)
    let results = Locked<[Result<Void, any Error>]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      let result = Result { try raisePrice(ofConcert: id, by: 1, in: store) }
      results.withLock { $0.append(result) }
    }
    for result in results.withLock({ $0 }) { try result.get() }
    try context.merge()
    #expect(concert.price == price + 4)
  }

  @Test("On a server: requests have separate contexts, with SQLite")
  func onAServer() async throws { try await Self.serve(SQLiteStore.inMemory(model: ConcertsModel.load())) }

  @Test("On a server: requests have separate contexts, with PostgreSQL", .enabled(if: Cluster.isAvailable))
  func onAServerWithPostgreSQL() async throws {
    let schema = try PrivateSchema()
    let (url, model) = (schema.url, try ConcertsModel.load())

    var options = PostgreSQLStore.Options()
    options.maximumReaders = 8
    options.callTimeout = .seconds(20)
    let store = try PostgreSQLStore(url, model: model, options: options)

    try await Self.serve(store)
    // The pattern that makes a payload with U+0000 faulty.
    let page = try ReadmeTests.page("OnAServer")
    #expect(page.contains(#""pattern": "^[^\\u0000]*$""#))
    let payload = #"[{"id": 1, "title": "a\u0000b"}]"#
    let titled = #"{"identityAttributes": "id", "attributes": {"id": "integer64", "title": {"type": "string""#
    for (pattern, code) in [("", "unavailable-store"), (#", "pattern": "^[^\\u0000]*$""#, "pattern")] {
      let other = try PrivateSchema()
      let model = try ManagedObjectModel(
        text: #"{"keyStrategy": "sameName", "entities": {"Concert": "# + titled + pattern + "}}}}}")
      let context = ManagedObjectContext(store: try PostgreSQLStore(other.url, model: model))
      let error = #expect(throws: ImportError.self) { try context.importJSON(payload, ofEntity: "Concert") }
      #expect(error?.underlyingError is StoreError == pattern.isEmpty, "\(code): \(error as Any)")
    }
  }
}
