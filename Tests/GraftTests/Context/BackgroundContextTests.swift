import Foundation
import Graft
import GraftSQLite
import GraftTestSupport
import Testing

@Suite("Context: in the background") struct BackgroundContextTests {
  private func background() throws -> BackgroundContext {
    BackgroundContext(model: try Fixture.context(Fixture.comics).model)
  }

  @Test("C3: a closure receives the context; the closure's result is returned, and its error is rethrown unchanged")
  func perform() async throws {
    let background = try background()
    let id = try await background.perform { context throws(ImportError) in
      try object(ofEntity: "Hero", fromJSON: #"{"id": 1, "name": "Batman"}"#, in: context).objectID
    }
    #expect(try await background.perform { context in try context.find(id)?["name"] as String? } == "Batman")
    do {
      _ = try await background.perform { context throws(ImportError) in
        try object(ofEntity: "Hero", fromJSON: "[", in: context).objectID
      }
      Issue.record("no error")
    } catch {
      #expect(error.diagnostics.count == 1)
    }
    await background.perform { context in #expect(context.checkInvariants() == []) }
  }

  private final class Hero: ManagedObject {}

  @Test("I21: a stream is imported into a class in the background")
  func classStream() async throws {
    let model = Fixture.comics.replacing("\"Hero\": {", with: "\"Hero\": {\"class\": \"Hero\",", maxReplacements: 1)
    let background = BackgroundContext(model: try Fixture.context(model, classes: [Hero.self]).model)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("graft-heroes-\(UUID()).jsonl")
    try Data("{\"id\": 1}\n{\"id\": 2}\n".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let report = try await background.importStream(contentsOf: file, into: Hero.self, format: .lines)
    #expect(report.inserted == ["Hero": 2])
    let chunks = AsyncStream<[UInt8]> { stream in
      stream.yield(Array("{\"id\": 3}\n{\"id\": 1}\n".utf8))
      stream.finish()
    }
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
    let more = try await background.importStream(chunks, into: Hero.self, format: .lines)
    #expect(more.inserted == ["Hero": 1] && more.unchanged == ["Hero": 1])
  }

  @Test("I21, I24: parts of a document, and the value of a relationship, are imported in the background")
  func parts() async throws {
    let background = try background()
    let report = try await background.importJSON(
      #"{"heroes": [{"id": 1}], "powers": [{"id": 4}]}"#,
      [.objects(ofEntity: "Hero", at: "heroes"), .objects(ofEntity: "Power", at: "powers")])
    #expect(report.inserted == ["Hero": 1, "Power": 1])
    let id = try #require(try await background.perform { try $0.find(ofEntity: "Hero", id: 1)?.objectID })
    let more = try await background.importJSON(#"[{"id": 5}, 4]"#, into: "powers", of: id)
    #expect(more.inserted == ["Power": 1])
    let powers = try await background.perform { context in
      let powers: RelatedObjects<ManagedObject> = try #require(try context.find(id))["powers"]
      return powers.map { "\($0)" }.sorted()
    }
    #expect(powers == ["Power(4)", "Power(5)"])
    let other = try self.background()
    let error = await #expect(throws: ImportError.self) {
      try await other.importJSON("[]", into: "powers", of: id)
    }
    #expect(error?.diagnostics.map(\.message) == ["the context has no object 'Hero(1)'"])
  }

  @Test("C3: an object of another context is found by its ID")
  func counterpart() throws {
    let context = try Fixture.context(Fixture.comics)
    let hero = try context.load(#"{"id": 1, "name": "old"}"#, "Hero")[0]
    let child = context.makeChild()
    let draft = try #require(try child.find(hero))
    #expect(draft !== hero && draft.context === child && draft["name"] as String? == "old")
    #expect(try context.find(draft) === hero)
    let new = child.insert(ofEntity: "Hero")
    #expect(try context.find(new) == nil)
    #expect(try child.find(new) === new)
  }

  @Test("C3: a background import's snapshot can be restored in another context, which keeps its objects")
  @MainActor func toMain() async throws {
    let background = try background()
    let main = ManagedObjectContext(model: background.model)
    let hero = try main.load(#"{"id": 1, "name": "old"}"#, "Hero")[0]
    let id = hero.objectID
    await background.restore(main.snapshot())
    try await background.perform { context in
      _ = try objects(
        ofEntity: "Hero", fromJSON: #"[{"id": 1, "name": "new", "powers": [4]}, {"id": 2}]"#, in: context)
    }
    main.restore(await background.snapshot())
    #expect(try hero["name"] as String? == "new" && main.find(id) === hero && main.count(ofEntity: "Hero") == 2)
    #expect(main.checkInvariants() == [])
  }

  /// The payload that a task imports in a step: a few heroes, some of which are also imported by other tasks.
  private static func payload(_ task: Int, _ step: Int) -> String {
    let ids = [step % 17, 100 + task, (step * 7 + task) % 23]
    return
      "[\(ids.map { #"{"id": \#($0), "name": "task \#(task) step \#(step)", "powers": [\#($0 % 5), \#(task)]}"# }.joined(separator: ","))]"
  }

  @Test("C3: concurrent tasks leave a context in a state that a sequential order of the tasks could also produce")
  func racing() async throws {
    let background = try background()
    let (tasks, steps) = (8, 150)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<tasks {
        group.addTask {
          for step in 0..<steps {
            try await background.perform { context in
              try objects(ofEntity: "Hero", fromJSON: Self.payload(task, step), in: context)
              if step % 10 == 0, let hero = try context.find(ofEntity: "Hero", identity: 100 + task) {
                hero["name"] = "scrapped"
                context.rollBack()
              }
            }
            if step % 25 == 0 { _ = ManagedObjectContext(await background.snapshot()).dump() }
          }
        }
      }
      try await group.waitForAll()
    }
    // All values of a hero come from a single import.
    try await background.perform { context in
      #expect(context.checkInvariants() == [])
      #expect(try context.count(ofEntity: "Hero") == 23 + tasks && context.count(ofEntity: "Power") == tasks)
      for hero in try context.fetch(ofEntity: "Hero") {
        let id = try #require(hero["id"] as Int?)
        let words = try #require(hero["name"] as String?).split(separator: " ").compactMap { Int($0) }
        try #require(words.count == 2)
        #expect(
          Self.payload(words[0], words[1]).contains(#"{"id": \#(id), "name": "task \#(words[0]) step \#(words[1])""#))
        let powers = Set((hero["powers"] as [ManagedObject]).compactMap { $0["id"] as Int? })
        #expect(powers == [id % 5, words[0]])
        if id >= 100 { #expect(words == [id - 100, steps - 1]) }
      }
    }
  }

  @Test("C3: contexts of one model import in parallel, each into its own graph")
  func sideBySide() async throws {
    let model = try Fixture.context(Fixture.comics).model
    let dumps = try await withThrowingTaskGroup(of: Data.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let background = BackgroundContext(model: model)
          for step in 0..<40 {
            try await background.perform { context in
              _ = try objects(ofEntity: "Hero", fromJSON: Self.payload(3, step), in: context)
            }
          }
          return await background.perform { $0.dump() }
        }
      }
      return try await group.reduce(into: Set<Data>()) { $0.insert($1) }
    }
    #expect(dumps.count == 1 && dumps.first?.isEmpty == false)
  }

  @Test("C3: contexts that wait for a store do not block the threads of other tasks")
  func blocked() async throws {
    let store = try SQLiteStore.inMemory(model: Fixture.context(Fixture.comics).model)
    let contexts = try (0..<64).map { _ in try BackgroundContext(model: store.model, store: store) }
    let open = Guarded(false)
    let hasStarted = AsyncStream<Void>.makeStream()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for background in contexts {
        group.addTask {
          try await background.perform { context in
            hasStarted.continuation.yield()
            // SQLite also blocks the thread while another connection writes. Reaching the limit means that the other tasks were blocked.
            // The limit is long because other tests use the same threads.
            let limit = ContinuousClock.now + .seconds(900)
            while !open.withLock({ $0 }) {
              try #require(ContinuousClock.now < limit)
              Thread.sleep(forTimeInterval: 0.01)
            }
            #expect(try context.count(ofEntity: "Hero") == 0)
          }
        }
      }
      // There are more contexts than threads in the pool.
      var started = hasStarted.stream.makeAsyncIterator()
      for _ in 0..<8 { await started.next() }
      for _ in 0..<100 { await Task.detached {}.value }
      open.withLock { $0 = true }
      try await group.waitForAll()
    }
  }

  @Test("C3: closures run in the isolation of their context, with or without a store")
  func isolation() async throws {
    let model = try Fixture.context(Fixture.comics).model
    let store = try SQLiteStore.inMemory(model: model)
    let contexts = [
      BackgroundContext(model: model), try BackgroundContext(model: model, store: store),
      BackgroundContext(ManagedObjectContext(model: model).snapshot()),
    ]
    for background in contexts {
      await background.perform { _ in background.assertIsolated() }
      #expect(await background.perform { $0.checkInvariants() } == [])
    }
  }
}
