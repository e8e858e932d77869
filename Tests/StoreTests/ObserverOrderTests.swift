import Foundation
import Graft
import GraftTestSupport
import Observation
import Testing

/// Observers of properties can make any call, so they are notified after the change set that they observe, when the context has finished.
@Suite("Observers and change sets") struct ObserverOrderTests {
  enum Operation: CaseIterable { case rollBack, reset, restore }

  private func all<Element>(_ stream: AsyncStream<Element>) async -> [Element] {
    var elements: [Element] = []
    for await element in stream { elements.append(element) }
    return elements
  }

  @Test(
    "S14: an observer's import into a list comes after the changes that the observer was notified of, and is kept",
    arguments: Operation.allCases, [nil] + ContextSource.Kind.allCases)
  func importInObserver(operation: Operation, kind: ContextSource.Kind?) async throws {
    if operation == .restore, kind != nil { return }
    let model = try Fixture.context(Fixture.comics).model
    let source = try kind.map { try ContextSource($0, model) }
    var stream: AsyncStream<ContextChanges>?
    do {
      nonisolated(unsafe) let context = try source?.context() ?? ManagedObjectContext(model: model)
      try context.load(#"[{"id": 1}, {"id": 2}]"#, "Hero")
      context.isObservable = true
      let list = try context.results(ofEntity: "Hero")
      let snapshot = ManagedObjectContext(model: model).snapshot()
      if operation == .rollBack { context.insert(ofEntity: "Hero")["id"] = 9 }
      nonisolated(unsafe) var count = 0
      stream = context.updates()
      withObservationTracking {
        count = list.count
      } onChange: {
        #expect(throws: Never.self) { try context.load(#"{"id": 7}"#, "Hero") }
      }
      switch operation {
      case .rollBack: context.rollBack()
      case .reset: context.reset()
      case .restore: context.restore(snapshot)
      }
      #expect(count == (operation == .rollBack ? 3 : 2))
      #expect(try context.find(ofEntity: "Hero", id: 7) != nil)
      #expect(try context.fetch(ofEntity: "Hero").count == (kind == nil && operation != .rollBack ? 1 : 3))
      #expect(list.count == (kind == nil && operation != .rollBack ? 1 : 3))
      #expect(context.checkInvariants().isEmpty)
    }
    let causes = await all(try #require(stream)).map(\.cause.rawValue)
    let own =
      switch operation {
      case .rollBack: "rollBack"
      case .reset: "reset"
      case .restore: "restore"
      }
    #expect(causes == [own, "import"])
  }

  @Test(
    "C2, S3: replacing a list that is not loaded notifies observers that read the inverse",
    arguments: ContextSource.Kind.allCases, [false, true])
  func replacedList(kind: ContextSource.Kind, isEmptied: Bool) throws {
    let comics = try StoredComics(kind, StoredComics.heroes)
    let context = try comics.context()
    context.isObservable = true
    let (hero, other) = (try context.object("Hero", 1), try context.object("Hero", 3))
    let publisher = try context.object("Publisher", 9)
    let told = Locked(0)
    withObservationTracking {
      _ = hero["publisher"] as ManagedObject?
    } onChange: {
      told.withLock { $0 += 1 }
    }
    publisher["heroes"] = isEmptied ? [ManagedObject]() : [other]
    #expect(hero["publisher"] as ManagedObject? == nil)
    #expect(told.withLock { $0 } == 1)
  }

  @Test(
    "M6, S14: a deletion by 'cascade' follows what its observers linked to the object",
    arguments: ContextSource.Kind.allCases, ["cascade", "deny"])
  func linkBeforeDeletion(kind: ContextSource.Kind, rule: String) throws {
    let model = try ManagedObjectModel(
      entities: #"""
        "Album": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
          "photos": {"destination": "Photo", "toMany": true, "inverse": "album", "deleteRule": "cascade"}}},
        "Photo": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
          "album": {"destination": "Album", "inverse": "photos"},
          "notes": {"destination": "Note", "toMany": true, "inverse": "photo", "deleteRule": "\#(rule)"}}},
        "Note": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"photo": {"destination": "Photo", "inverse": "notes"}}}
        """#)
    let source = try ContextSource(kind, model)
    try source.context().importJSON(#"{"id": 1}"#, ofEntity: "Album")
    try source.context().importJSON(#"{"id": 2, "notes": [{"id": 3}]}"#, ofEntity: "Photo")
    nonisolated(unsafe) let context = try source.context()
    context.isObservable = true
    nonisolated(unsafe) let album = try context.object("Album", 1)
    let isNotified = Locked(false)
    withObservationTracking {
      _ = album["id"] as Int?
    } onChange: {
      isNotified.withLock { $0 = true }
      // The notes of the photo are not loaded.
      #expect(throws: Never.self) { try context.object("Photo", 2)["album"] = album }
    }
    if rule == "deny" {
      #expect(throws: PropertyError.self) { try context.delete(album) }
    } else {
      try context.delete(album)
    }
    #expect(isNotified.withLock { $0 })
    try context.commit()
    let found = try source.context()
    #expect(try found.ids(of: "Album") == (rule == "deny" ? [1] : []))
    #expect(try found.ids(of: "Photo") == (rule == "deny" ? [2] : []))
    #expect(try found.ids(of: "Note") == (rule == "deny" ? [3] : []))
    try source.expectAgreement(of: context)
  }
}
