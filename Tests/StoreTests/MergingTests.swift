import Foundation
import Graft
import GraftSQLite
import GraftTestSupport
import Observation
import Testing

/// Contexts that automatically take over other contexts' commits.
///
/// The limits are wide because tests that compute for minutes can occupy all threads of the pool.
@Suite("Automatic merging") struct MergingTests {
  @Test(
    "S8: a context that merges automatically takes over commits when the program requests objects",
    arguments: ContextSource.Kind.allCases)
  func asks(kind: ContextSource.Kind) throws {
    let comics = try StoredComics(kind, StoredComics.heroes)
    let mine = try comics.context()
    mine.mergesChanges = true
    let hero = try #require(try mine.find(ofEntity: "Hero", identity: 1))
    let questions: [(ManagedObjectContext) throws -> Void] = [
      { _ = try $0.find(ofEntity: "Hero", identity: 2) }, { _ = try $0.fetch(ofEntity: "Power", limit: 1) },
      { _ = try $0.fetch(ofEntity: "Hero") { _ in true } }, { _ = try $0.count(ofEntity: "Hero") },
      { _ = try $0.placeholders },
      { _ = try $0.find(hero.objectID) }, { try $0.importJSON("[]", ofEntity: "Hero") },
    ]
    for (number, ask) in questions.enumerated() {
      try comics.context().load(#"[{"id": 1, "name": "\#(number)"}]"#, "Hero")
      let before: String? = hero["name"]
      #expect(before == (number == 0 ? "Heron" : "\(number - 1)"))
      try ask(mine)
      #expect(hero["name"] == "\(number)")
    }
  }

  @Test("S13: other contexts' changes are merged under pending changes, but not while a transaction is open")
  func waits() throws {
    let comics = try StoredComics(.sqlite, StoredComics.heroes)
    let mine = try comics.context()
    mine.mergesChanges = true
    let hero = try #require(try mine.find(ofEntity: "Hero", identity: 1))
    let otter = try #require(try mine.find(ofEntity: "Hero", identity: 2))
    try mine.atomically {
      try comics.context().load(#"[{"id": 1, "name": "Theirs"}]"#, "Hero")
      _ = try mine.fetch(ofEntity: "Hero")
      #expect(hero["name"] == "Heron")
    }
    otter["name"] = "Sea Otter"
    _ = try mine.fetch(ofEntity: "Hero")
    #expect(hero["name"] == "Theirs" && otter["name"] == "Sea Otter")
    #expect(mine.changes.updated.map(\.id) == [otter.objectID])
    try mine.commit()
    _ = try mine.fetch(ofEntity: "Hero")
    #expect(hero["name"] == "Theirs" && otter["name"] == "Sea Otter")
  }

  @Test("S8: a context that does not merge automatically keeps its objects unchanged")
  func doesNot() throws {
    let comics = try StoredComics(.snapshot, StoredComics.heroes)
    let mine = try comics.context()
    let hero = try #require(try mine.find(ofEntity: "Hero", identity: 1))
    try comics.context().load(#"[{"id": 1, "name": "Theirs"}]"#, "Hero")
    _ = try mine.fetch(ofEntity: "Hero")
    #expect(hero["name"] == "Heron")
  }

  @Test(
    "S8: a background context that merges automatically reports other contexts' commits",
    .timeLimit(.minutes(30)))
  func background() async throws {
    let comics = try StoredComics(.sqlite, StoredComics.heroes)
    let store = try #require(comics.source.store)
    let background = try BackgroundContext(model: comics.model, store: store, mergesChanges: true)
    _ = try await background.perform { try $0.find(ofEntity: "Hero", identity: 1)?["name"] as String? }
    let updates = await background.updates()
    try comics.context().load(#"[{"id": 1, "name": "Theirs"}]"#, "Hero")
    var causes: [ContextChanges.Cause] = []
    for await changes in updates {
      causes.append(changes.cause)
      #expect(changes.updated.map { $0.id.description } == ["Hero(1)"])
      break
    }
    #expect(causes == [.merge])
    #expect(try await background.perform { try $0.find(ofEntity: "Hero", identity: 1)?["name"] as String? } == "Theirs")
  }

  @Test(
    "S8: a background context that merges automatically is released like any other context", .timeLimit(.minutes(30)))
  func released() async throws {
    let comics = try StoredComics(.snapshot, StoredComics.heroes)
    weak var released: BackgroundContext?
    do {
      let background = try BackgroundContext(
        model: comics.model, store: try #require(comics.source.store), mergesChanges: true)
      released = background
      _ = try await background.perform { try $0.count(ofEntity: "Hero") }
    }
    while released != nil { try await Task.sleep(for: .milliseconds(20)) }
    #expect(released == nil)
  }

  #if canImport(Observation)
    @Test(
      "S8: a merge that deletes an owner and objects that another context added to it notifies observers of both sides",
      arguments: [ConflictPolicy.contextWins, .mergeByProperty])
    func cascade(policy: ConflictPolicy) throws {
      let model = try ManagedObjectModel(
        text: #"""
          {"keyStrategy": "sameName", "entities": {
            "Podcast": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
              "episodes": {"destination": "Episode", "toMany": true, "inverse": "podcast", "deleteRule": "cascade"}}},
            "Episode": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
              "podcast": {"destination": "Podcast", "inverse": "episodes"},
              "playlists": {"destination": "Playlist", "toMany": true, "inverse": "items"},
              "best": {"destination": "Playlist", "inverse": "bestOf"}}},
            "Playlist": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
              "relationships": {
                "items": {"destination": "Episode", "toMany": true, "inverse": "playlists"},
                "bestOf": {"destination": "Episode", "inverse": "best"}}}}}
          """#)
      let store = try SQLiteStore.inMemory(model: model)
      let (mine, others) = (ManagedObjectContext(store: store), ManagedObjectContext(store: store))
      mine.isObservable = true
      mine.conflictPolicy = policy
      try mine.importJSON(
        #"[{"id": 1, "items": [{"id": 2}, {"id": 3}], "bestOf": 2}, {"id": 5, "name": "x"}]"#, ofEntity: "Playlist")
      try mine.importJSON(#"{"id": 7}"#, ofEntity: "Podcast")
      let playlist = try #require(try mine.find(ofEntity: "Playlist", id: 1))
      let other = try #require(try mine.find(ofEntity: "Playlist", id: 5))
      let episode = try #require(try mine.find(ofEntity: "Episode", id: 2))
      other["name"] = "pending"
      try mine.delete(#require(try mine.find(ofEntity: "Podcast", id: 7)))
      try others.importJSON(#"{"id": 2, "podcast": 7}"#, ofEntity: "Episode")
      let fired = Locked<[String]>([])
      func observe(_ name: String, _ read: () -> Void) {
        withObservationTracking(read) { fired.withLock { $0.append(name) } }
      }
      observe("items") { _ = (playlist["items"] as [ManagedObject]).count }
      observe("bestOf") { _ = playlist["bestOf"] as ManagedObject? }
      observe("isDeleted") { _ = episode.isDeleted }
      observe("pending") { _ = other["name"] as String? }
      try mine.merge()
      #expect(episode.isDeleted && (playlist["items"] as [ManagedObject]).count == 1)
      // Changes that were already pending in this context notify no observers.
      #expect(fired.withLock { $0 }.sorted() == ["bestOf", "isDeleted", "items"])
    }

    @Test(
      "S8: a merge notifies readers of a one-way relationship only if another context deleted a possible destination"
    )
    func linksWithoutInverse() throws {
      let model = try ManagedObjectModel(
        text: #"""
          {"keyStrategy": "sameName", "entities": {
            "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
              "relationships": {"friend": {"destination": "Hero"}, "fans": {"destination": "Hero", "toMany": true}}}}}
          """#)
      let store = try SQLiteStore.inMemory(model: model)
      let (mine, others) = (ManagedObjectContext(store: store), ManagedObjectContext(store: store))
      mine.isObservable = true
      let heroes = try mine.load(
        #"[{"id": 1, "friend": 2, "fans": [2, 3]}, {"id": 2}, {"id": 3}]"#, "Hero")
      let count = Locked(0)
      func observe() {
        count.withLock { $0 = 0 }
        withObservationTracking {
          _ = heroes[0]["friend"] as ManagedObject?
          _ = (heroes[0]["fans"] as [ManagedObject]).count
        } onChange: {
          count.withLock { $0 += 1 }
        }
      }
      observe()
      try others.load(#"[{"id": 2, "name": "x"}, {"id": 4}]"#, "Hero")
      #expect(try mine.merge() && count.withLock { $0 } == 0)
      try others.delete(#require(try others.find(ofEntity: "Hero", id: 2)))
      try others.commit()
      #expect(try mine.merge() && count.withLock { $0 } == 1)
      #expect(heroes[0]["friend"] as ManagedObject? == nil && (heroes[0]["fans"] as [ManagedObject]).count == 1)
    }

    @Test("S8: uniting an object with another context's object notifies its readers", arguments: [false, true])
    func united(isCommit: Bool) throws {
      let comics = try StoredComics(.sqlite, StoredComics.heroes)
      let (mine, others) = (try comics.context(), try comics.context())
      mine.isObservable = true
      let hero = mine.insert(ofEntity: "Hero")
      hero["id"] = 77
      try others.load(#"[{"id": 77, "name": "Theirs"}]"#, "Hero")
      let count = Locked(0)
      withObservationTracking {
        _ = hero["name"] as String?
      } onChange: {
        count.withLock { $0 += 1 }
      }
      if isCommit { try mine.commit() } else { try mine.merge() }
      #expect(hero["name"] == "Theirs" && count.withLock { $0 } == 1)
    }
  #endif
}
