import Foundation
import Graft
import GraftPostgreSQL
import GraftTestSupport
import Testing

/// Several programs that share a database. Each program has a store with its own connections.
@Suite("PostgreSQL: shared databases", .enabled(if: Cluster.isAvailable)) struct SharedDatabaseTests {
  static let model = """
    {"keyStrategy": "sameName", "entities": {
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
        "relationships": {"powers": {"toMany": true, "destination": "Power", "inverse": "heroes"}}},
      "Power": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"heroes": {"toMany": true, "destination": "Hero", "inverse": "powers"}}},
      "Event": {"identityAttributes": "id", "attributes": {"id": "string"}},
      "Counter": {"identityAttributes": "id", "attributes": {"id": "integer64", "value": {"type": "integer64", "default": 0}}}
    }}
    """

  /// Makes a payload of heroes, some of which are also in other payloads.
  static func heroes(_ random: inout SeededRandom) -> String {
    let heroes = (0..<8).map { _ in
      let id = random.below(40)
      let powers = (0..<random.below(4)).map { _ in "\(random.below(12))" }.joined(separator: ", ")
      return "{\"id\": \(id), \"name\": \"\(random.below(5))\", \"powers\": [\(powers)]}"
    }
    return "[\(heroes.joined(separator: ", "))]"
  }

  /// Imports heroes and an event that records this import in one commit. The import is repeated as long as other programs commit heroes in
  /// the meantime.
  static func commit(_ event: String, in store: PostgreSQLStore, _ random: inout SeededRandom) throws -> String {
    let payload = heroes(&random)
    while true {
      do {
        let context = ManagedObjectContext(store: store)
        try context.atomically {
          _ = try objects(ofEntity: "Hero", fromJSON: payload, in: context)
          _ = try objects(ofEntity: "Event", fromJSON: "[{\"id\": \"\(event)\"}]", in: context)
        }
        return event
      } catch is ConflictError { continue }
    }
  }

  @Test("eight programs import overlapping payloads: each identity has one object, and no acknowledged commit is lost")
  func overlapping() async throws {
    let model = try ManagedObjectModel(text: Self.model, name: "m.json")
    let schema = try PrivateSchema()
    _ = try schema.store(model)
    let (url, rounds) = (schema.url, 15)
    let acknowledged = try await withThrowingTaskGroup(of: [String].self) { group in
      for number in 0..<8 {
        group.addTask {
          try await Task.detached {
            let store = try PostgreSQLStore(url, model: model)
            var random = SeededRandom(seed: UInt64(number + 1))
            var events: [String] = []
            for round in 0..<rounds { events.append(try Self.commit("\(number)-\(round)", in: store, &random)) }
            return events
          }.value
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    let context = ManagedObjectContext(store: try schema.store(model))
    let events: [String] = try context.fetch(ofEntity: "Event").compactMap { $0["id"] as String? }
    #expect(events.sorted() == acknowledged.sorted())
    let ids: [Int] = try context.fetch(ofEntity: "Hero").compactMap { $0["id"] as Int? }
    #expect(Set(ids).count == ids.count && ids.count > 20)
    #expect(context.checkInvariants() == [])
    let store = try schema.store(model)
    #expect(try store.verify() == [])
    #expect(try store.latestCommit() == 8 * Int64(rounds))
  }

  @Test("if eight programs increment a counter, no increment is lost")
  func counters() async throws {
    let model = try ManagedObjectModel(text: Self.model, name: "m.json")
    let schema = try PrivateSchema()
    let first = ManagedObjectContext(store: try schema.store(model))
    _ = try objects(ofEntity: "Counter", fromJSON: #"[{"id": 1}]"#, in: first)
    let url = schema.url
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await Task.detached {
            let store = try PostgreSQLStore(url, model: model)
            for _ in 0..<10 {
              while true {
                let context = ManagedObjectContext(store: store)
                let counter = try #require(try context.find(ofEntity: "Counter", identity: 1))
                try counter.setValue((counter["value"] as Int? ?? 0) + 1, of: "value")
                do {
                  try context.commit()
                  break
                } catch is ConflictError { continue }
              }
            }
          }.value
        }
      }
      try await group.waitForAll()
    }
    #expect(try first.merge())
    #expect(try first.find(ofEntity: "Counter", identity: 1)?["value"] as Int? == 80)
  }

  @Test("contexts that read see one consistent state, and merge other programs' commits")
  func versions() throws {
    let model = try ManagedObjectModel(text: Self.model, name: "m.json")
    let schema = try PrivateSchema()
    let mine = ManagedObjectContext(store: try schema.store(model))
    let other = ManagedObjectContext(store: try schema.store(model))
    _ = try objects(ofEntity: "Hero", fromJSON: #"[{"id": 1, "name": "a"}, {"id": 2, "name": "a"}]"#, in: mine)
    #expect(try other.count(ofEntity: "Hero", where: "name = 'a'") == 2)
    _ = try objects(ofEntity: "Hero", fromJSON: #"[{"id": 1, "name": "b"}, {"id": 3, "name": "a"}]"#, in: mine)
    #expect(try other.count(ofEntity: "Hero", where: "name = 'a'") == 2)
    #expect(try other.find(ofEntity: "Hero", identity: 1)?["name"] as String? == "a")
    #expect(try other.merge())
    #expect(try other.find(ofEntity: "Hero", identity: 1)?["name"] as String? == "b")
    #expect(try other.count(ofEntity: "Hero") == 3)
  }

  @Test("if there are more threads than readers, the threads take turns, and no thread waits forever")
  func manyThreads() async throws {
    let model = try ManagedObjectModel(text: Self.model, name: "m.json")
    let schema = try PrivateSchema()
    var options = PostgreSQLStore.Options()
    options.maximumReaders = 2
    options.waitingTime = .seconds(120)
    let store = try schema.store(model, options)
    let failures = Locked<[String]>([])
    let threads = DispatchGroup()
    for number in 0..<12 {
      threads.enter()
      Thread.detachNewThread {
        defer { threads.leave() }
        do {
          var random = SeededRandom(seed: UInt64(number + 1))
          for round in 0..<5 { _ = try Self.commit("\(number)-\(round)", in: store, &random) }
        } catch { failures.withLock { $0.append("\(error)") } }
      }
    }
    // The call does not block a thread of the pool.
    await withCheckedContinuation { done in threads.notify(queue: .global()) { done.resume() } }
    #expect(failures.withLock { $0 } == [])
    #expect(try ManagedObjectContext(store: store).count(ofEntity: "Event") == 60)
  }

  @Test("a store that has too many reading contexts reports this")
  func exhausted() throws {
    let model = try ManagedObjectModel(text: Self.model, name: "m.json")
    let schema = try PrivateSchema()
    var options = PostgreSQLStore.Options()
    options.maximumReaders = 1
    options.waitingTime = .milliseconds(50)
    let store = try schema.store(model, options)
    let first = ManagedObjectContext(store: store)
    _ = try first.count(ofEntity: "Hero")
    let second = ManagedObjectContext(store: store)
    let error = #expect(throws: StoreError.self) { try second.count(ofEntity: "Hero") }
    #expect(error?.description.contains("1 context reads it, and none has ended within") == true)
    first.reset()
    #expect(try second.count(ofEntity: "Hero") == 0)
  }

  @Test("if two programs create a store at the same time, they share it")
  func creation() async throws {
    let model = try ManagedObjectModel(text: Self.model, name: "m.json")
    for _ in 0..<3 {
      let schema = try PrivateSchema()
      let url = schema.url
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<4 {
          group.addTask {
            let context = ManagedObjectContext(store: try PostgreSQLStore(url, model: model))
            _ = try objects(ofEntity: "Event", fromJSON: "[{\"id\": \"\(number)\"}]", in: context)
          }
        }
        try await group.waitForAll()
      }
      #expect(try ManagedObjectContext(store: schema.store(model)).count(ofEntity: "Event") == 4)
    }
  }

  /// The state of a context when the server loses its latest commit.
  enum Lost: CaseIterable { case read, pending, ownCommit }

  @Test(
    "if the server loses a commit and reuses its number, an open context reports this and overwrites nothing",
    arguments: Lost.allCases)
  func lostCommit(lost: Lost) throws {
    let schema = try PrivateSchema()
    let model = try ManagedObjectModel(text: Self.model, name: "m.json")
    let program = "lost-\(UUID())"
    let store = try PostgreSQLStore(schema.url + "&application_name=\(program)", model: model)
    let writer = ManagedObjectContext(store: try schema.store(model))
    try writer.importJSON(#"[{"id": 1, "value": 0}, {"id": 2, "value": 0}]"#, ofEntity: "Counter")
    let context = ManagedObjectContext(store: store)
    if lost == .ownCommit {
      _ = try context.fetch(ofEntity: "Counter")
    } else {
      try writer.importJSON(#"{"id": 1, "value": 100}"#, ofEntity: "Counter")
    }
    let counter = try #require(try context.find(ofEntity: "Counter", id: 1))
    if lost == .ownCommit {
      counter["value"] = 100
      try context.commit()
    }
    if lost == .pending { counter["value"] = 101 }
    writer.reset()
    // The server crashes, so all connections end, and the last commit is lost.
    try schema.connection().execute(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '\(program)';
      UPDATE "Counter" SET "value" = 0, "_version" = 1; DELETE FROM _graft_log WHERE sequence = 2; UPDATE _graft_state SET latest = 1
      """)
    let other = ManagedObjectContext(store: try schema.store(model))
    try other.importJSON(#"[{"id": 1, "value": 5}, {"id": 2, "value": 7}]"#, ofEntity: "Counter")
    #expect(try store.latestCommit() == 2)
    // Broken connections are replaced with new ones.
    _ = try? context.find(ofEntity: "Counter", id: 2)
    for _ in 1...2 {
      counter["value"] = 102
      let error = try #require(throws: StoreError.self) { try context.commit() }
      #expect(error.description.contains("has lost commits"), "\(error)")
      #expect(throws: StoreError.self) { try context.merge() }
      context.rollBack()
    }
    let fresh = ManagedObjectContext(store: store)
    #expect(try fresh.fetch(ofEntity: "Counter").map { $0["value"] as Int? } == [5, 7])
  }

  @Test(
    "a context whose idle transaction the server has ended continues to work if the store has not changed",
    arguments: [false, true])
  func idle(isChanged: Bool) throws {
    let schema = try PrivateSchema(settings: ["synchronous_commit=off", "idle_in_transaction_session_timeout=200"])
    let model = try ManagedObjectModel(text: Self.model, name: "m.json")
    try ManagedObjectContext(store: schema.store(model))
      .importJSON(#"[{"id": 1, "value": 0}, {"id": 2, "value": 0}]"#, ofEntity: "Counter")
    let context = ManagedObjectContext(store: try schema.store(model))
    let counter = try #require(try context.find(ofEntity: "Counter", id: 1))
    for round in 1...2 {
      #expect(try context.count(ofEntity: "Counter", where: "value >= 0") == 2)
      counter["value"] = round
      if isChanged {
        try ManagedObjectContext(store: schema.store(model)).load(#"{"id": 2, "value": \#(round)}"#, "Counter")
      }
      Thread.sleep(forTimeInterval: 0.5)
      if isChanged {
        let error = try #require(throws: StoreError.self) { try context.find(ofEntity: "Counter", id: 2) }
        #expect(error.description.contains("the store has changed since; merge the context"), "\(error)")
        try context.merge()
      } else {
        #expect(try context.count(ofEntity: "Counter", where: "value >= 0") == 2)
        Thread.sleep(forTimeInterval: 0.5)
      }
      try context.commit()
    }
    #expect(
      try ManagedObjectContext(store: schema.store(model)).fetch(ofEntity: "Counter").map { $0["value"] as Int? }
        == [2, isChanged ? 2 : 0])
  }

  @Test("if a server is killed during commits, no acknowledged commit is lost, and the store can still be used")
  func killed() async throws {
    let kills = ProcessInfo.processInfo.environment["GRAFT_SERVER_KILLS"].flatMap(Int.init) ?? 3
    let cluster = try Cluster()
    let model = try ManagedObjectModel(text: Self.model, name: "m.json")
    _ = try PostgreSQLStore(cluster.url, model: model)
    let isOver = Locked(false)
    let url = cluster.url
    let writers = (0..<3).map { number in
      Task.detached { () -> (events: [String], failures: [String]) in
        let store = try PostgreSQLStore(url, model: model)
        var (events, failures): ([String], [String]) = ([], [])
        var random = SeededRandom(seed: UInt64(number + 1))
        var round = 0
        while !isOver.withLock({ $0 }) {
          round += 1
          // Calls to the server block their threads, and the pool can have fewer threads than there are writers.
          await Task.yield()
          do {
            events.append(try Self.commit("\(number)-\(round)", in: store, &random))
          } catch {
            failures.append("\(error)")
            try await Task.sleep(for: .milliseconds(20))
          }
        }
        return (events, failures)
      }
    }
    for _ in 0..<kills {
      try await Task.sleep(for: .milliseconds(400))
      try cluster.kill()
      try cluster.restart()
    }
    try await Task.sleep(for: .milliseconds(300))
    isOver.withLock { $0 = true }
    var (events, failures): ([String], [String]) = ([], [])
    for writer in writers {
      let result = try await writer.value
      events += result.events
      failures += result.failures
    }
    let store = try PostgreSQLStore(cluster.url, model: model)
    #expect(try store.verify() == [])
    let context = ManagedObjectContext(store: store)
    let stored = Set(try context.fetch(ofEntity: "Event").compactMap { $0["id"] as String? })
    #expect(Set(events).subtracting(stored) == [], "acknowledged, and lost")
    #expect(!events.isEmpty)
    for failure in failures { #expect(failure.contains("the store 'postgresql:///postgres' cannot be"), "\(failure)") }
    print(
      "server killed \(kills) times: \(events.count) commits, \(failures.count) errors, \(stored.count - Set(events).count) unknown"
    )
  }
}
