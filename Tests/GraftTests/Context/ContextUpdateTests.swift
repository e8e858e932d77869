import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Context: updates") struct ContextUpdateTests {
  /// Collects all elements of a sequence until it ends.
  private func all<Element>(_ stream: AsyncStream<Element>) async -> [Element] {
    var elements: [Element] = []
    for await element in stream { elements.append(element) }
    return elements
  }

  @Test(
    "C2: updates() yields a value for each commit, import, rollback, reset and restore that changes something")
  func causes() async throws {
    var stream: AsyncStream<ContextChanges>?
    do {
      let context = try Fixture.context(Fixture.comics)
      let hero = try context.load(#"{"id": 1}"#, "Hero")[0]
      let snapshot = context.snapshot()
      stream = context.updates()
      hero["name"] = "Batman"
      try context.commit()
      try context.commit()
      hero["name"] = "Robin"
      context.insert(ofEntity: "Hero")["id"] = 9
      context.rollBack()
      context.rollBack()
      try context.load(#"[{"id": 1, "name": "Bruce"}, {"id": 2, "powers": [4]}]"#, "Hero")
      try context.load(#"{"id": 1, "name": "Bruce"}"#, "Hero")
      #expect(throws: ImportError.self) { try context.load(#"[{"id": 3}, {"id": true}]"#, "Hero") }
      context.restore(snapshot)
      context.reset()
    }
    let changes = await all(try #require(stream))
    #expect(
      changes.map { "\($0.cause.rawValue)\n\($0)" } == [
        "commit\nHero(1) name: nil -> \"Batman\"",
        "rollBack\nHero(1) name: \"Robin\" -> \"Batman\"\n- Hero(9)",
        "import\n+ Hero(2)\n+ Power(4)\nHero(1) name: \"Batman\" -> \"Bruce\"",
        "restore\nHero(1) name: \"Bruce\" -> nil\n- Hero(2)\n- Power(4)",
        "reset\n- Hero(1)",
      ])
  }

  @Test("C2: the update of an import includes earlier changes made in code, because the import commits them")
  func importOnTop() async throws {
    var stream: AsyncStream<ContextChanges>?
    do {
      let context = try Fixture.context(Fixture.comics)
      let heroes = try context.load(#"[{"id": 1}, {"id": 2}]"#, "Hero")
      stream = context.updates()
      heroes[0]["name"] = "Batman"
      try context.load(#"{"id": 2, "name": "Robin"}"#, "Hero")
    }
    let changes = await all(try #require(stream))
    #expect(
      changes.map(\.description) == ["Hero(1) name: nil -> \"Batman\"\nHero(2) name: nil -> \"Robin\""])
  }

  @Test("C2: an object's updates continue after a change of identity and end when the object is deleted")
  func ofOneObject() async throws {
    let context = try Fixture.context(Fixture.comics)
    let heroes = try context.load(#"[{"id": 1}, {"id": 2}]"#, "Hero")
    let stream = heroes[0].updates()
    let new = context.insert(ofEntity: "Hero")
    let ofNew = new.updates()
    new["id"] = 7
    heroes[1]["name"] = "not mine"
    try context.commit()
    new["name"] = "new"
    heroes[0]["id"] = 10
    try context.commit()
    try context.load(#"{"id": 10, "name": "Batman"}"#, "Hero")
    try context.delete(heroes[0])
    try context.delete(new)
    try context.commit()
    #expect(await all(stream).map(\.description) == ["Hero(10) id: 1 -> 10", "Hero(10) name: nil -> \"Batman\""])
    #expect(await all(ofNew).map(\.description) == ["Hero(7) name: nil -> \"new\""])
    #expect(await all(heroes[0].updates()).isEmpty)
  }

  @Test("C2: an observer is released when its loop ends, and other observers still receive updates")
  func stopping() async throws {
    let context = try Fixture.context(Fixture.comics)
    let kept = context.updates()
    do {
      let stream = context.updates()
      try context.load("[1]", "Hero")
      for await _ in stream { break }
    }
    for id in 2...4 { try context.load("[\(id)]", "Hero") }
    context.reset()
    var causes: [String] = []
    for await changes in kept {
      causes.append(changes.cause.rawValue)
      if changes.cause == .reset { break }
    }
    #expect(causes == ["import", "import", "import", "import", "reset"])
  }

  @Test("C3: an object that a snapshot restores as another entity's object is reported as a deletion and an insertion")
  func sibling() async throws {
    var stream: AsyncStream<ContextChanges>?
    do {
      let context = try Fixture.context(
        #"""
        "Shape": {"identityAttributes": "id", "attributes": {"id": "integer64"}},
        "Circle": {"parent": "Shape", "attributes": {"radius": {"type": "integer64", "optional": true}}},
        "Label": {"parent": "Shape", "attributes": {"text": {"type": "string", "optional": true}}}
        """#)
      try context.load(#"{"id": 1, "text": "a text of more than a few bytes"}"#, "Label")
      let snapshot = context.snapshot()
      context.reset()
      try context.load(#"{"id": 1, "radius": 12345678901}"#, "Circle")
      stream = context.updates()
      context.restore(snapshot)
    }
    #expect(await all(try #require(stream)).map(\.description) == ["+ Label(1)\n- Circle(1)"])
  }

  @Test("C2: another spelling of a URI in a list is reported as a change, also after a snapshot is restored")
  func spelling() async throws {
    var stream: AsyncStream<ContextChanges>?
    do {
      let context = try Fixture.context(
        #"""
        "Page": {"identityAttributes": "id", "attributes": {"id": "integer64", "links": {"type": "uri", "list": true}}}
        """#)
      try context.load(#"{"id": 1, "links": ["https://a.b/%C3%A9"]}"#, "Page")
      let snapshot = context.snapshot()
      stream = context.updates()
      try context.load(#"{"id": 1, "links": ["https://a.b/é"]}"#, "Page")
      context.restore(snapshot)
    }
    #expect(await all(try #require(stream)).map(\.updated.count) == [1, 1])
  }

  @Test("C2: changes are plain data that can be passed to another task")
  func elsewhere() async throws {
    let background = BackgroundContext(model: try Fixture.context(Fixture.comics).model)
    let stream = await background.updates()
    let reader = Task { () -> Int in
      var count = 0
      for await changes in stream {
        count += changes.inserted.count
        if count == 30 { break }
      }
      return count
    }
    for id in 0..<30 {
      try await background.perform { context in _ = try objects(ofEntity: "Hero", fromJSON: "[\(id)]", in: context) }
    }
    #expect(await reader.value == 30)
  }

  @Test("C2: an object's updates continue after its row moves and after it exchanges identities with another object")
  func followedPlaces() async throws {
    let context = try Fixture.context(Fixture.comics)
    var heroes = try context.load("[" + (0..<1_500).map { #"{"id": \#($0)}"# }.joined(separator: ",") + "]", "Hero")
    let last = heroes[1_499].updates()
    var other: AsyncStream<ContextChanges.Update>?
    do {
      // No variable keeps a reference to the object.
      let hero = heroes[1_498]
      other = hero.updates()
    }
    for hero in heroes.dropLast(3) { try context.delete(hero) }
    heroes = []
    try context.commit()
    // The hero with the ID 1499 gets the ID 1498, and the hero with the ID 1498 gets the ID 7.
    let pair = try [1_499, 1_498].compactMap { try context.find(ofEntity: "Hero", identity: $0) }
    pair[1]["id"] = 7
    pair[0]["id"] = 1_498
    try context.commit()
    let snapshot = context.snapshot()
    pair[0]["name"] = "Batman"
    try context.commit()
    context.restore(snapshot)
    try context.delete(pair[0])
    try context.delete(pair[1])
    try context.commit()
    #expect(
      await all(last).map(\.description) == [
        "Hero(1498) id: 1499 -> 1498", "Hero(1498) name: nil -> \"Batman\"", "Hero(1498) name: \"Batman\" -> nil",
      ])
    #expect(await all(try #require(other)).map(\.description) == ["Hero(7) id: 1498 -> 7"])
  }

  @Test(
    "C2: an object's updates end when its insertion is rolled back, or if it is deleted before its first commit")
  func followedInsertions() async throws {
    struct Stop: Error {}
    let context = try Fixture.context(Fixture.comics)
    var streams: [AsyncStream<ContextChanges.Update>] = []
    try? context.atomically { () throws(Stop) in
      streams.append(context.insert(ofEntity: "Hero").updates())
      throw Stop()
    }
    let new = context.insert(ofEntity: "Hero")
    new["id"] = 1
    streams.append(new.updates())
    context.rollBack()
    let gone = context.insert(ofEntity: "Hero")
    gone["id"] = 2
    streams.append(gone.updates())
    try context.delete(gone)
    try context.commit()
    let reset = context.insert(ofEntity: "Hero")
    streams.append(reset.updates())
    context.reset()
    // The rows now belong to other objects.
    for hero in try context.load(#"[{"id": 1}, {"id": 2}, {"id": 3}]"#, "Hero") { hero["name"] = "new" }
    try context.commit()
    for stream in streams { #expect(await all(stream).isEmpty) }
  }

  @Test("C2: an unused updates sequence leaves no trace when rows are removed, moved and replaced")
  func droppedSequences() throws {
    let context = try Fixture.context(Fixture.comics)
    try context.load(#"[{"id": 1}, {"id": 2}]"#, "Hero")
    try context.commit()
    let snapshot = context.snapshot()
    func insertAndRollBack() {
      for _ in 0..<1_999 { context.insert(ofEntity: "Hero") }
      _ = context.insert(ofEntity: "Hero").updates()
      context.rollBack()
    }
    insertAndRollBack()
    let heroes = try context.load("[\((1...1_000).map { "{\"id\": \($0)}" }.joined(separator: ","))]", "Hero")
    try context.commit()
    for hero in heroes.dropLast() { try context.delete(hero) }
    try context.commit()
    #expect(try context.fetch(ofEntity: "Hero").map { $0["id"] as Int? } == [1_000])
    insertAndRollBack()
    context.restore(snapshot)
    #expect(try context.fetch(ofEntity: "Hero").map { $0["id"] as Int? } == [1, 2])
  }
}
