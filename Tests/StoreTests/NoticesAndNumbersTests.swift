import Foundation
import Graft
import GraftTestSupport
import Testing

/// Notifications about objects that are not in memory, and objects that children know only by number.
@Suite("Stores: notifications and object numbers") struct NoticesAndNumbersTests {
  private static let comics = """
    {"keyStrategy": "sameName", "entities": {
      "Publisher": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
        "relationships": {"heroes": {"destination": "Hero", "toMany": true, "inverse": "publisher"}}},
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
        "relationships": {"publisher": {"destination": "Publisher", "inverse": "heroes", "optional": true}}},
      "Base": {"identityAttributes": "id", "attributes": {"id": "integer64"}},
      "Count": {"parent": "Base", "attributes": {"number": {"type": "integer64", "optional": true}}},
      "Title": {"parent": "Base", "attributes": {"text": {"type": "string", "optional": true}}},
      "Holder": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"base": {"destination": "Base", "optional": true}}}}}
    """
  private let model: ManagedObjectModel

  init() throws { model = try ManagedObjectModel(text: Self.comics, name: "m.json") }

  private func all<Element>(_ stream: AsyncStream<Element>) async -> [Element] {
    var elements: [Element] = []
    for await element in stream { elements.append(element) }
    return elements
  }

  private func store(_ json: String) throws -> SnapshotStore {
    let store = SnapshotStore.inMemory(model: model)
    _ = try ManagedObjectContext(store: store).load(json, "Hero")
    return store
  }

  private func hero(_ id: Int, _ context: ManagedObjectContext) throws -> ManagedObject {
    try #require(try context.find(ofEntity: "Hero", id: id))
  }

  @Test("S14: a link to an object that is not in memory is reported with its identity")
  func namesOfFaults() async throws {
    let store = try store(#"[{"id": 1, "publisher": {"id": 1}}, {"id": 2, "publisher": {"id": 2}}]"#)
    let other = ManagedObjectContext(store: store)
    var stream: AsyncStream<ContextChanges>?
    do {
      let context = ManagedObjectContext(store: store)
      _ = try hero(1, context)["name"]
      stream = context.updates()
      let publisher: ManagedObject? = try other.find(ofEntity: "Publisher", id: 2)
      try hero(1, other)["publisher"] = publisher
      try other.commit()
      try context.merge()
    }
    let told = await all(try #require(stream)).map(\.description)
    #expect(told == ["Hero(1) publisher: Publisher(1) -> Publisher(2)"])
  }

  @Test(
    "C2: a rollback ends the observation of inserted objects, even if other objects are loaded afterwards",
    .timeLimit(.minutes(1)))
  func endOfInsertions() async throws {
    let context = try ManagedObjectContext(store: store(#"[{"id": 5}]"#))
    let new = context.insert(ofEntity: "Hero")
    let stream = new.updates()
    _ = try hero(5, context)["name"]
    context.rollBack()
    #expect(await all(stream).isEmpty && new.isDeleted)
  }

  @Test("C2: if two objects become one, the observers of both are notified of that object", .timeLimit(.minutes(1)))
  func observersOfOne() async throws {
    let store = try store("[]")
    let context = ManagedObjectContext(store: store)
    let other = ManagedObjectContext(store: store)
    let first = context.insert(ofEntity: "Hero")
    first["id"] = 1
    try context.commit()
    let second = context.insert(ofEntity: "Hero")
    second["id"] = 2
    let streams = [first.updates(), second.updates()]
    // Another context sets the first object's identity to that of the second.
    try hero(1, other)["id"] = 2
    try other.commit()
    try context.merge()
    try hero(2, context)["name"] = "x"
    try context.commit()
    try context.delete(hero(2, context))
    try context.commit()
    for stream in streams { _ = await all(stream) }
  }

  @Test("C2: reset() reports committed objects as deleted, regardless of later changes")
  func resetOnTop() async throws {
    var stream: AsyncStream<ContextChanges>?
    do {
      let context = ManagedObjectContext(model: model)
      try context.load(#"[{"id": 1}, {"id": 2}]"#, "Hero")
      stream = context.updates()
      try context.delete(hero(1, context))
      try hero(2, context)["id"] = 3
      context.reset()
    }
    let told = await all(try #require(stream)).map { "\($0.cause.rawValue)\n\($0)" }
    #expect(told == ["rollBack\n+ Hero(1)\nHero(2) id: 3 -> 2", "reset\n- Hero(1)\n- Hero(2)"])
  }

  // MARK: Children

  @Test("S8: a child keeps an object that its parent inserted, committed and then evicted", arguments: [true, false])
  func resetOfParent(mergesBetween: Bool) throws {
    let parent = try ManagedObjectContext(store: store("[]"))
    parent.insert(ofEntity: "Hero")["id"] = 1
    let child = parent.makeChild()
    let found = try #require(try child.fetch(ofEntity: "Hero").first)
    try parent.commit()
    if mergesBetween { try child.merge() }
    parent.reset()
    try child.merge()
    #expect(try child.fetch(ofEntity: "Hero").count == 1 && !found.isDeleted)
    #expect(try child.find(ofEntity: "Hero", id: 1) === found)
    found["name"] = "x"
    try child.commit()
    try parent.commit()
    #expect(try hero(1, parent)["name"] == "x")
  }

  @Test("S5, S8: a child counts an object once if its parent united it with another object")
  func unitedObject() throws {
    let store = try store("[]")
    let parent = ManagedObjectContext(store: store)
    let new = parent.insert(ofEntity: "Publisher")
    new["id"] = 1
    let child = parent.makeChild()
    let found = try #require(try child.find(ofEntity: "Publisher", id: 1))
    let other = ManagedObjectContext(store: store)
    other.insert(ofEntity: "Publisher")["id"] = 1
    try other.commit()
    try parent.merge()
    try parent.commit()
    try child.merge()
    found["name"] = "Z"
    #expect(try child.count(ofEntity: "Publisher") == 1)
    #expect(try child.fetch(ofEntity: "Publisher", limit: 1).count == 1)
  }

  @Test(
    "S14: an object that moves to a sibling entity is reported with its values", .timeLimit(.minutes(1)))
  func siblings() async throws {
    var stream: AsyncStream<ContextChanges>?
    do {
      let parent = ManagedObjectContext(model: model)
      try parent.load(#"{"id": 1, "base": 7}"#, "Holder")
      let (first, second) = (parent.makeChild(), parent.makeChild())
      try first.load(#"{"id": 7, "number": 123456789}"#, "Count")
      try first.commit()
      _ = try #require(try second.find(ofEntity: "Base", id: 7))
      stream = second.updates()
      parent.rollBack()
      try first.merge()
      try first.load(#"{"id": 7, "text": "otter"}"#, "Title")
      try first.commit()
      try second.merge()
    }
    let told = await all(try #require(stream)).map(\.description).joined(separator: "\n")
    #expect(told.contains("otter") && !told.contains("123456789 ->"), "\(told)")
  }

  @Test("S14: insertions by another program are reported, although they are not logged")
  func otherProgram() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let url = folder.file("store.graft")
    let stores = try (0..<2).map { _ in try SnapshotStore(at: url, model: model) }
    let other = ManagedObjectContext(store: stores[1])
    try other.load(#"[{"id": 1}, {"id": 2}]"#, "Hero")
    var stream: AsyncStream<ContextChanges>?
    do {
      let context = ManagedObjectContext(store: stores[0])
      #expect(try context.fetch(ofEntity: "Hero").count == 2)
      stream = context.updates()
      try other.load(#"[{"id": 2, "name": "x"}, {"id": 9}]"#, "Hero")
      try other.delete(hero(1, other))
      try other.commit()
      try context.merge()
      #expect(try context.fetch(ofEntity: "Hero").count == 2)
    }
    let told = await all(try #require(stream))
    #expect(told.map { $0.inserted.map(\.description) } == [["Hero(9)"]])
    #expect(told.first?.deleted.map(\.description) == ["Hero(1)"])
  }
}
