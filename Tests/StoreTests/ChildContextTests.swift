import Foundation
import Graft
import GraftSQLite
import GraftTestSupport
import Testing

#if canImport(Observation)
  import Observation
#endif

/// Contexts whose store is another context. Features that contexts of all stores share are tested with ``ContextSource``.
@Suite("Child contexts") struct ChildContextTests {
  /// A parent context with three heroes, and a child context.
  private struct Family {
    let parent: ManagedObjectContext
    let child: ManagedObjectContext
    let heron: ManagedObject

    /// - Parameter hasStore: whether the parent has a store.
    init(hasStore: Bool = false) throws {
      let memory = try Fixture.context(Fixture.comics)
      parent =
        hasStore
        ? try ManagedObjectContext(model: memory.model, store: SQLiteStore.inMemory(model: memory.model)) : memory
      try parent.load(StoredComics.heroes, "Hero")
      child = parent.makeChild()
      heron = try #require(try child.find(ofEntity: "Hero", identity: 1))
    }

    func parentsHero(_ id: Int = 1) throws -> ManagedObject {
      try #require(try parent.find(ofEntity: "Hero", identity: id))
    }
  }

  /// Every way in which a parent can change. A child and a sibling that have read the parent must continue to show the same state.
  private static let changes:
    [(name: String, change: @Sendable (ManagedObjectContext, ManagedObject) async throws -> Void)] =
      [
        ("a value", { _, hero in hero["name"] = "new" }),
        ("a value by name", { _, hero in try hero.setValue("new", of: "name") }),
        ("a relationship", { _, hero in hero["publisher"] = nil as ManagedObject? }),
        ("an insertion", { parent, _ in parent.insert(ofEntity: "Hero")["id"] = 99 }),
        ("a deletion", { parent, hero in try parent.delete(hero) }),
        (
          "an import",
          { parent, _ in try parent.importJSON(#"[{"id":1,"name":"new"},{"id":98,"name":"x"}]"#, ofEntity: "Hero") }
        ),
        (
          "a failed import",
          { parent, _ in _ = try? parent.importJSON(#"[{"id":1,"name":"new"},{"id":[]}]"#, ofEntity: "Hero") }
        ),
        ("a transaction", { parent, hero in parent.atomically { hero["name"] = "new" } }),
        ("a dry run", { parent, hero in parent.dryRun { hero["name"] = "new" } }),
        ("a snapshot", { parent, _ in parent.restore(ManagedObjectContext(model: parent.model).snapshot()) }),
        ("reset", { parent, _ in parent.reset() }),
        (
          "changes of another context",
          { parent, _ in
            let other = ManagedObjectContext(parent.snapshot())
            var updates = other.updates().makeAsyncIterator()
            try #require(try other.find(ofEntity: "Hero", identity: 1))["name"] = "new"
            try other.commit()
            parent.merge(try #require(await updates.next()))
          }
        ),
        (
          "the commit of a sibling",
          { parent, _ in
            let sibling = parent.makeChild()
            try #require(try sibling.find(ofEntity: "Hero", identity: 1))["name"] = "new"
            try sibling.commit()
          }
        ),
      ]

  @Test(
    "S8: a child shows one state of its parent, no matter how the parent changes",
    arguments: changes.indices, [false, true])
  func oneState(number: Int, isLoadedBefore: Bool) async throws {
    let family = try Family()
    let other = family.parent.makeChild()
    for context in [family.child, other] {
      _ = try context.find(ofEntity: "Hero", identity: 1)
      if isLoadedBefore { _ = context.dump() }
    }
    // This commit moves the child to a state that it reads without copying it.
    family.heron["name"] = "earlier"
    try family.child.commit()
    if isLoadedBefore { _ = family.child.dump() }
    let before = family.parent.dump()
    let unread = try Family()
    _ = try unread.child.find(ofEntity: "Hero", identity: 2)
    let untouched = unread.parent.dump()
    for (parent, hero) in [(family.parent, try family.parentsHero()), (unread.parent, try unread.parentsHero())] {
      try await ChildContextTests.changes[number].change(parent, hero)
    }
    #expect(family.child.dump() == before)
    #expect(unread.child.dump() == untouched, "what was not loaded before the change")
    for child in [family.child, other, unread.child] { try child.merge() }
    #expect(family.child.dump() == family.parent.dump())
    #expect(other.dump() == family.parent.dump())
    #expect(unread.child.dump() == unread.parent.dump())
  }

  @Test(
    "S8: an observer that reads a child during an operation of the parent sees the parent's state at that moment",
    arguments: ["import", "atomically", "child", "merge", "reset"])
  func readInOperation(way: String) async throws {
    #if canImport(Observation)
      let parent = try Family().parent
      parent.isObservable = true
      let many = (10..<2000).map { #"{"id":\#($0)}"# }.joined(separator: ",")
      try parent.load("[\(many)]", "Hero")
      // The gaps that these deletions leave are closed before the next transaction, and observers are notified.
      parent.atomically {
        for hero in (try? parent.fetch(ofEntity: "Hero", where: "id >= 20 and id < 1990")) ?? [] {
          try? parent.delete(hero)
        }
      }
      let hero = try #require(try parent.find(ofEntity: "Hero", identity: 1))
      nonisolated(unsafe) let child = parent.makeChild()
      let writer = parent.makeChild()
      try #require(try writer.find(ofEntity: "Hero", identity: 1))["name"] = "new"
      let other = ManagedObjectContext(parent.snapshot())
      var updates = other.updates().makeAsyncIterator()
      try #require(try other.find(ofEntity: "Hero", identity: 1))["name"] = "new"
      try other.commit()
      let changes = try #require(await updates.next())
      if way == "reset" { hero["name"] = "pending" }
      withObservationTracking {
        _ = hero["name"] as String?
      } onChange: {
        _ = try? child.find(ofEntity: "Hero", identity: 2)
      }
      let before = parent.dump()
      switch way {
      case "import": try parent.load(#"[{"id":1,"name":"new"},{"id":1999,"name":"new"},{"id":3000}]"#, "Hero")
      case "atomically": parent.atomically { hero["name"] = "new" }
      case "child": try writer.commit()
      case "merge": parent.merge(changes)
      default: parent.reset()
      }
      // A merge notifies observers of its changes, as does the rollback at the beginning of a reset.
      if way != "merge", way != "reset" { #expect(child.dump() == before) }
      try child.merge()
      #expect(child.dump() == parent.dump())
      #expect(child.checkInvariants() == [])
    #endif
  }

  @Test("S8: a child shows the same state whether or not an observer reads it before the parent changes")
  func readBeforeChange() throws {
    #if canImport(Observation)
      let family = try Family()
      family.parent.isObservable = true
      let hero = try family.parentsHero()
      let name: String? = hero["name"]
      for change in 0..<3 {
        nonisolated(unsafe) let child = family.parent.makeChild()
        withObservationTracking {
          _ = (hero["name"] as String?, hero["publisher"] as ManagedObject?)
        } onChange: {
          _ = try? child.find(ofEntity: "Hero", identity: 1)
        }
        switch change {
        case 0: hero["name"] = "new"
        case 1: hero["publisher"] = nil as ManagedObject?
        default: try family.parent.delete(hero)
        }
        let shown = try #require(try child.find(ofEntity: "Hero", identity: 1))
        #expect(shown["name"] == (change == 0 ? name : "new"))
        #expect((shown["publisher"] as ManagedObject? == nil) == (change == 2))
        #expect(try child.merge())
        #expect(child.dump() == family.parent.dump())
      }
    #endif
  }

  @Test(
    "S8: an object that the parent rolls back disappears from the parent's children and their children",
    arguments: 0..<8)
  func takenBack(steps: Int) throws {
    let parent = try Fixture.context(
      """
      "Bird": {"identityAttributes": "id",
        "attributes": {"id": "integer64", "name": "string", "note": {"type": "string", "optional": true}}}
      """)
    let bird = parent.insert(ofEntity: "Bird")
    bird["id"] = 9
    let child = parent.makeChild()
    let grandchild = child.makeChild()
    for context in [parent, child, grandchild] { context.conflictPolicy = .contextWins }
    try #require(try child.find(ofEntity: "Bird", identity: 9))["note"] = "a"
    parent.rollBack()
    if steps & 1 != 0 {
      #expect(throws: ImportError.self) { try child.importJSON("{}", ofEntity: "Bird") }
    }
    try #require(try grandchild.find(ofEntity: "Bird", identity: 9))["note"] = "b"
    if steps & 2 != 0 {
      #expect(throws: (any Error).self) { try grandchild.commit() }
    }
    grandchild.rollBack()
    if steps & 4 != 0 {
      #expect(throws: (any Error).self) { try child.commit() }
    }
    child.rollBack()
    for context in [child, grandchild] {
      try context.merge()
      #expect(try context.find(ofEntity: "Bird", identity: 9) == nil, "\(context === child)")
      #expect(try context.count(ofEntity: "Bird") == 0 && context.checkInvariants().isEmpty)
    }
  }

  @Test("S8: a child's commits become uncommitted changes of its parent", arguments: [false, true])
  func commits(hasStore: Bool) throws {
    let family = try Family(hasStore: hasStore)
    let hero = try family.parentsHero()
    family.heron["name"] = "Bittern"
    let toad = family.child.insert(ofEntity: "Hero")
    try toad.setValue(4, of: "id")
    #expect(hero["name"] == "Heron")
    try family.child.commit()
    #expect(!family.child.hasChanges)
    #expect(hero["name"] == "Bittern")
    #expect(family.parent.changes.inserted.map(\.description) == ["Hero(4)"])
    #expect(family.parent.changes.updated.map(\.id.description) == ["Hero(1)"])
    #expect(try family.parentsHero(4).objectID == toad.objectID)
    family.parent.rollBack()
    #expect(hero["name"] == "Heron")
    #expect(try family.parent.count(ofEntity: "Hero") == 3)
    try family.child.merge()
    #expect(family.heron["name"] == "Heron")
    #expect(toad.isDeleted)
    #expect(family.parent.checkInvariants() == [] && family.child.checkInvariants() == [])
  }

  @Test(
    "S8: a link that a child did not show when it deleted the target exists again after the parent rolls back",
    arguments: [false, true])
  func deletionTakenBack(hasStore: Bool) throws {
    let family = try Family(hasStore: hasStore)
    try family.parent.load(#"{"id": 10}"#, "Publisher")
    try family.child.merge()
    try family.child.delete(try #require(try family.child.find(ofEntity: "Publisher", identity: 10)))
    try family.parent.load(#"{"id": 3, "publisher": 10}"#, "Hero")
    try family.child.merge()
    let newt = try #require(try family.child.find(ofEntity: "Hero", identity: 3))
    #expect((newt["publisher"] as ManagedObject?) == nil)
    try family.parentsHero(3)["publisher"] = nil as ManagedObject?
    try family.child.commit()
    family.parent.rollBack()
    try family.child.merge()
    #expect((newt["publisher"] as ManagedObject?)?["id"] == 10)
    #expect(family.child.dumpText == family.parent.dumpText)
    #expect(family.child.checkInvariants() == [])
  }

  @Test("S8: rolling a child back does not change its parent")
  func rollsBack() throws {
    let family = try Family()
    let before = family.parent.dumpText
    family.heron["name"] = "Bittern"
    try family.child.delete(try #require(try family.child.find(ofEntity: "Publisher", identity: 9)))
    family.child.rollBack()
    try family.child.commit()
    #expect(family.parent.dumpText == before)
    #expect(!family.parent.hasChanges)
    #expect(family.child.dumpText == before)
  }

  @Test("S8: a child reads its parent's uncommitted changes, and takes over later ones by merging")
  func readsChanges() throws {
    let family = try Family()
    try family.parentsHero(2)["name"] = "Sea Otter"
    #expect(try family.child.find(ofEntity: "Hero", identity: 2)?["name"] == "Otter")
    try family.parentsHero()["name"] = "Grey Heron"
    #expect(family.heron["name"] == "Heron")
    #expect(try family.child.merge())
    #expect(family.heron["name"] == "Grey Heron")
    #expect(try family.child.find(ofEntity: "Hero", identity: 2)?["name"] == "Sea Otter")
    #expect(try !family.child.merge())
  }

  @Test("S8: an import into a child is all or nothing, and is an uncommitted change of the parent")
  func imports() throws {
    let family = try Family()
    let before = family.parent.dumpText
    #expect(throws: ImportError.self) {
      try family.child.importJSON(#"[{"id": 1, "name": "X"}, {"id": "five"}]"#, ofEntity: "Hero")
    }
    #expect(family.parent.dumpText == before && !family.parent.hasChanges)
    let payload = #"[{"id": 1, "name": "Bittern", "powers": [2, 3]}, {"id": 5, "publisher": 9}]"#
    let report = try family.child.importJSON(payload, ofEntity: "Hero")
    #expect("\(report)" == "Hero: 1 inserted, 1 updated\nPower: 1 placeholder")
    #expect(family.parent.hasChanges)
    let whole = ManagedObjectContext(model: family.parent.model)
    try whole.load(StoredComics.heroes, "Hero")
    try whole.load(payload, "Hero")
    #expect(family.parent.dumpText == whole.dumpText)
    family.parent.rollBack()
    #expect(family.parent.dumpText == before)
  }

  @Test("S8: the parent's commit validates the changes that all of its children committed")
  func validates() throws {
    let parent = try Fixture.context(
      #"""
      "Team": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"members": {"destination": "Player", "toMany": true, "inverse": "team", "maxCount": 2}}},
      "Player": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"team": {"destination": "Team", "inverse": "members"}}}
      """#)
    try parent.load(#"[{"id": 1, "members": [{"id": 1}]}]"#, "Team")
    for id in [2, 3] {
      let child = parent.makeChild()
      if id == 3 { _ = try #require(try child.find(ofEntity: "Team", identity: 1)) }
      let player = child.insert(ofEntity: "Player")
      try player.setValue(id, of: "id")
      player["team"] = try child.find(ofEntity: "Team", identity: 1)
      if id == 2 { try child.commit() } else { #expect(throws: ValidationError.self) { try child.commit() } }
    }
    let one = parent.makeChild()
    let other = parent.makeChild()
    for (id, child) in [(4, one), (5, other)] {
      let player = child.insert(ofEntity: "Player")
      try player.setValue(id, of: "id")
    }
    try one.commit()
    try other.commit()
    try parent.commit()
    #expect(try parent.count(ofEntity: "Player") == 4)
  }

  @Test(
    "S8: an object that the parent changed in the meantime causes a conflict, committed or not")
  func conflicts() throws {
    for isCommitted in [false, true] {
      let family = try Family()
      try family.parentsHero()["name"] = "Theirs"
      if isCommitted { try family.parent.commit() }
      family.heron["name"] = "Mine"
      let error = #expect(throws: ConflictError.self) { try family.child.commit() }
      #expect(
        error?.description
          == "error: 'Hero(1)' was changed in the parent since it was loaded; changed here: name. Roll back, merge and repeat the change, or choose a conflict policy that resolves this"
      )
      #expect(try family.parentsHero()["name"] == "Theirs")
      family.child.conflictPolicy = .contextWins
      try family.child.commit()
      #expect(try family.parentsHero()["name"] == "Mine")
    }
  }

  @Test("S8: if two children change one object, the second child to commit has a conflict unless it merged first")
  func siblings() throws {
    let family = try Family()
    let sibling = family.parent.makeChild()
    let other = try #require(try sibling.find(ofEntity: "Hero", identity: 1))
    family.heron["name"] = "First"
    try family.child.commit()
    other["name"] = "Second"
    #expect(throws: ConflictError.self) { try sibling.commit() }
    sibling.rollBack()
    try sibling.merge()
    #expect(other["name"] == "First")
    other["name"] = "Second"
    try sibling.commit()
    #expect(try family.parentsHero()["name"] == "Second")
  }

  @Test("S8: a child can change a member of an ordered list while its parent adds and removes other members")
  func order() throws {
    let parent = try Fixture.context(
      #"""
      "List": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"items": {"destination": "Item", "toMany": true, "ordered": true, "inverse": "list"}}},
      "Item": {"identityAttributes": "id", "attributes": {"id": "integer64", "text": {"type": "string", "optional": true}},
        "relationships": {"list": {"destination": "List", "inverse": "items"}}}
      """#)
    try parent.load(#"[{"id": 1, "items": [{"id": 1}, {"id": 2}, {"id": 3}]}]"#, "List")
    let child = parent.makeChild()
    let third = try #require(try child.find(ofEntity: "Item", identity: 3))
    third["text"] = "mine"
    try parent.delete(try #require(try parent.find(ofEntity: "Item", identity: 1)))
    try parent.load(#"[{"id": 4, "list": 1}]"#, "Item")
    try child.commit()
    let list = try #require(try parent.find(ofEntity: "List", identity: 1))
    func ids(_ list: ManagedObject) -> [Int?] { (list["items"] as RelatedObjects<ManagedObject>).map { $0["id"] } }
    #expect(ids(list) == [2, 3, 4])
    // Different orders of one list are a conflict, like different values.
    try child.merge()
    let childsList = try #require(try child.find(ofEntity: "List", identity: 1))
    #expect(ids(childsList) == [2, 3, 4])
    let items: RelatedObjects<ManagedObject> = list["items"]
    items.move(fromOffsets: [2], toOffset: 0)
    try child.merge()
    #expect(ids(childsList) == [4, 2, 3])
    (childsList["items"] as RelatedObjects<ManagedObject>).move(fromOffsets: [0], toOffset: 2)
    try child.commit()
    #expect(ids(list) == [2, 4, 3])
    #expect(parent.checkInvariants() == [])
  }

  @Test("S8: a child still finds its objects after rows of the parent move and disappear")
  func moves() throws {
    let family = try Family()
    try family.parent.importJSON(
      "[\((100..<2_000).map { "{\"id\": \($0), \"name\": \"\($0)\"}" }.joined(separator: ","))]", ofEntity: "Hero")
    try family.child.merge()
    let late = try #require(try family.child.find(ofEntity: "Hero", identity: 1_999))
    try family.parent.atomically {
      for hero in try family.parent.fetch(ofEntity: "Hero") where (hero["id"] ?? 0) < 1_990 {
        try family.parent.delete(hero)
      }
    }
    try family.parent.importJSON(#"[{"id": 3000, "name": "new"}]"#, ofEntity: "Hero")
    late["name"] = "changed"
    try family.child.commit()
    #expect(try family.parent.find(ofEntity: "Hero", identity: 1_999)?["name"] == "changed")
    try family.child.merge()
    #expect(family.heron.isDeleted)
    #expect(try family.child.fetch(ofEntity: "Hero").count == 11)
    family.parent.reset()
    try family.child.merge()
    #expect(late.isDeleted)
    #expect(try family.child.fetch(ofEntity: "Hero").isEmpty)
  }

  @Test("S8: when a parent restores a snapshot, its children keep their objects that the snapshot contains")
  func restores() throws {
    let family = try Family()
    let snapshot = family.parent.snapshot()
    let otter = try #require(try family.child.find(ofEntity: "Hero", identity: 2))
    try family.parent.load(#"[{"id": 1, "name": "Bittern"}, {"id": 20, "name": "Crane"}]"#, "Hero")
    try family.child.merge()
    let crane = try #require(try family.child.find(ofEntity: "Hero", identity: 20))
    family.parent.restore(snapshot)
    try family.child.merge()
    #expect(family.heron["name"] == "Heron")
    #expect(crane.isDeleted)
    otter["name"] = "Sea Otter"
    try family.child.commit()
    #expect(try family.parentsHero(2)["name"] == "Sea Otter")
    #expect(try family.parent.count(ofEntity: "Hero") == 3)
  }

  @Test("S8: objects without an identity correspond to each other in child and parent")
  func withoutIdentity() throws {
    let parent = try Fixture.context(#""Note": {"attributes": {"text": {"type": "string", "optional": true}}}"#)
    let notes = try parent.load(#"[{"text": "a"}, {"text": "b"}]"#, "Note")
    let child = parent.makeChild()
    let copies = try child.fetch(ofEntity: "Note")
    #expect(copies.map { $0["text"] as String? } == ["a", "b"])
    copies[1]["text"] = "c"
    try child.delete(copies[0])
    try child.commit()
    #expect(notes[0].isDeleted)
    #expect(notes[1]["text"] == "c")
    #expect(try parent.count(ofEntity: "Note") == 1)
  }

  @Test("S8: deleting an object to which other objects refer without an inverse causes no conflict")
  func deletesReferenced() throws {
    let parent = try Fixture.context(
      #"""
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
        "relationships": {"favorite": {"destination": "Power"}}},
      "Power": {"identityAttributes": "id", "attributes": {"id": "integer64"}}
      """#)
    try parent.load(#"[{"id": 1, "favorite": {"id": 1}}]"#, "Hero")
    let child = parent.makeChild()
    let hero = try #require(try child.find(ofEntity: "Hero", identity: 1))
    let power: ManagedObject = try #require(hero["favorite"])
    try child.delete(power)
    try child.commit()
    #expect(try parent.find(ofEntity: "Hero", identity: 1)?["favorite"] as ManagedObject? == nil)
    hero["name"] = "Heron"
    try child.commit()
    #expect(try parent.find(ofEntity: "Hero", identity: 1)?["name"] == "Heron")
  }

  @Test("S8: a child of a child commits to its parent only, and sees objects that were committed in the meantime")
  func grandchild() throws {
    let family = try Family(hasStore: true)
    let grandchild = family.child.makeChild()
    #expect(grandchild.parent === family.child && family.child.parent === family.parent && family.parent.parent == nil)
    #expect(grandchild.store === family.parent.store)
    let publisher = grandchild.insert(ofEntity: "Publisher")
    try publisher.setValue(50, of: "id")
    let hero = try #require(try grandchild.find(ofEntity: "Hero", identity: 1))
    hero["publisher"] = publisher
    try grandchild.commit()
    #expect((family.heron["publisher"] as ManagedObject?)?["id"] == 50)
    #expect(((try family.parentsHero())["publisher"] as ManagedObject?)?["id"] == 9)
    try family.child.commit()
    try family.parent.commit()
    // The publisher has a different number in the store than in the grandchild.
    let id = publisher.objectID
    let other = grandchild.insert(ofEntity: "Hero")
    try other.setValue(51, of: "id")
    other["publisher"] = publisher
    try grandchild.commit()
    let heroes: RelatedObjects<ManagedObject> = publisher["heroes"]
    #expect(heroes.compactMap { $0["id"] as Int? }.sorted() == [1, 51])
    #expect(try grandchild.find(id) === publisher)
    #expect(grandchild.checkInvariants() == [] && family.child.checkInvariants() == [])
  }

  @Test("S8, T5: a closure that the parent's import calls must not use a child")
  func closures() throws {
    let text = Locked("")
    final class Reach: @unchecked Sendable { var child: ManagedObjectContext? }
    let reach = Reach()
    var transformers = TransformerRegistry.standard
    transformers.registerValueTransformer(named: "Meddle") { (value: String) throws -> String in
      guard let child = reach.child else { return value }
      do { _ = try child.find(ofEntity: "Note", identity: 2) } catch { text.withLock { $0 = "\(error)" } }
      child.insert(ofEntity: "Note")["id"] = 9
      do { try child.commit() } catch { text.withLock { $0 += "\n\(error)" } }
      return value
    }
    let parent = try Fixture.context(
      #"""
      "Note": {"identityAttributes": "id", "attributes": {"id": "integer64",
        "text": {"type": "string", "optional": true, "JSONTransformerName": "Meddle"}}}
      """#, transformers: transformers)
    reach.child = parent.makeChild()
    let refused = "the transformer 'Meddle' must not"
    let failure = #expect(throws: ImportError.self) { try parent.load(#"[{"id": 1, "text": "a"}]"#, "Note") }
    #expect(
      failure?.description
        == "<payload>:1:20: error: \(refused) read objects through a child: the context is in the middle of an import\n  at $[0].text"
    )
    #expect(
      text.withLock { $0 } == """
        error: \(refused) read objects through a child: the context is in the middle of an import
        error: \(refused) read objects through a child: the context is in the middle of an import
        """)
    #expect(try parent.count(ofEntity: "Note") == 0)
    let child = try #require(reach.child)
    reach.child = nil
    child.rollBack()
    try parent.load(#"[{"id": 1, "text": "a"}]"#, "Note")
    #expect(try child.find(ofEntity: "Note", identity: 1)?["text"] == "a")
  }

  @Test(
    "S8: a child can commit while its parent imports a whole stream; the commit is rolled back with the stream")
  func openStream() throws {
    let family = try Family()
    let before = family.parent.dumpText
    let stream = try ImportStream(
      ofEntity: "Hero", in: family.parent, format: .lines, batches: ImportBatches(size: 1, atomicity: .whole))
    try stream.append(Array(#"{"id": 1, "name": "Stream"}"#.utf8) + [10])
    try family.child.merge()
    #expect(family.heron["name"] == "Stream")
    family.heron["name"] = "Child"
    try family.child.commit()
    #expect(try family.parentsHero()["name"] == "Child")
    try stream.append(Array(#"{"id": 2, "name": "Second"}"#.utf8) + [10])
    try family.child.merge()
    #expect(try family.child.find(ofEntity: "Hero", identity: 2)?["name"] == "Second")
    stream.cancel()
    #expect(family.parent.dumpText == before)
    try family.child.merge()
    #expect(family.heron["name"] == "Heron")
  }

  #if canImport(Observation)
    @Test("S8: the parent's observers are notified when a child commits, and can use the child")
    func observation() throws {
      let family = try Family()
      family.parent.isObservable = true
      let hero = try family.parentsHero()
      let seen = Locked<[String?]>([])
      nonisolated(unsafe) let heron = family.heron
      withObservationTracking {
        _ = hero["name"] as String?
      } onChange: {
        seen.withLock { $0.append(heron["name"]) }
      }
      family.heron["name"] = "Bittern"
      #expect(seen.withLock { $0 } == [])
      try family.child.commit()
      #expect(seen.withLock { $0 } == ["Bittern"])
    }
  #endif

  @Test("S8: a child reads lists that are ordered on both sides in time proportional to the number of links")
  func orderedOnBothSides() throws {
    let model = try ManagedObjectModel(
      entities: #"""
        "A": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
          "row": {"destination": "B", "toMany": true, "ordered": true, "inverse": "rows"}}},
        "B": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
          "rows": {"destination": "A", "toMany": true, "ordered": true, "inverse": "row"}}}
        """#)
    func time(_ count: Int) throws -> Duration {
      let parent = ManagedObjectContext(model: model)
      try parent.importJSON(#"{"id": 1}"#, ofEntity: "B")
      let objects = (0..<count).map { #"{"id": \#($0), "row": [1]}"# }.joined(separator: ",")
      try parent.importJSON("[\(objects)]", ofEntity: "A")
      let child = parent.makeChild()
      return try ProcessorClock().measure {
        for object in try child.fetch(ofEntity: "A") { #expect((object["row"] as [ManagedObject]).count == 1) }
      }
    }
    _ = try time(50)
    let (few, many) = (try time(1_000), try time(8_000))
    // Eight times as many links. Quadratic work would take 64 times as long.
    #expect(many < few * 20, "\(few), \(many)")
  }
}
