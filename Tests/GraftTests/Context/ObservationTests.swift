#if canImport(Observation)
  import Foundation
  import Graft
  import GraftTestSupport
  import Observation
  import Testing

  /// The number of times an observation fired.
  private final class Counter: Sendable {
    private let value = Locked(0)
    var count: Int { value.withLock { $0 } }
    func fire() { value.withLock { $0 += 1 } }
  }

  private final class PlainHero: ManagedObject { override class var entityName: String { "Hero" } }

  @Suite("Context: observation") struct ObservationTests {
    /// Runs a closure that reads something, and counts the notifications that follow.
    private func observing(_ read: () -> Void) -> Counter {
      let counter = Counter()
      withObservationTracking(read) { counter.fire() }
      return counter
    }

    private func heroes() throws -> (ManagedObjectContext, [ManagedObject]) {
      let context = try Fixture.context(Fixture.comics)
      context.isObservable = true
      let heroes = try context.load(
        #"[{"id": 1, "name": "A", "powers": [4, 5], "publisher": 10}, {"id": 2, "name": "B", "powers": [4]}, {"id": 3}]"#,
        "Hero")
      return (context, heroes)
    }

    @Test(
      "C2: readers of an object's ID, name or changes are notified, but not if another object's values change")
    func identities() throws {
      let context = try Fixture.context(
        #"""
        "Order": {"identityAttributes": "id", "attributes": {"id": "integer64", "note": {"type": "string", "optional": true}},
          "relationships": {"lines": {"destination": "Line", "toMany": true, "inverse": "order"}}},
        "Line": {"identityAttributes": ["order", "number"], "attributes": {"number": "integer64"},
          "relationships": {"order": {"destination": "Order", "inverse": "lines"}}}
        """#)
      context.isObservable = true
      let order = try #require(try context.load(#"{"id": 1, "lines": [{"number": 5}]}"#, "Order").first)
      let line = try #require((order["lines"] as [ManagedObject]).first)
      let fresh = context.insert(ofEntity: "Order")
      func all() -> [Counter] {
        [
          observing { _ = line.objectID }, observing { _ = "\(line)" }, observing { _ = fresh.objectID },
          observing { _ = context.hasChanges }, observing { _ = context.changes },
        ]
      }
      func expect(_ wanted: [Int], _ line: Int = #line, _ change: () throws -> Void) rethrows {
        let counters = all()
        try change()
        #expect(counters.map { min($0.count, 1) } == wanted, "line \(line)")
      }
      expect([0, 0, 1, 1, 1]) { fresh["id"] = 2 }
      expect([0, 0, 0, 1, 1]) { order["note"] = "x" }
      try expect([0, 0, 0, 1, 1]) { try context.commit() }
      // A line is identified by its number and its order.
      expect([1, 1, 0, 1, 1]) { order["id"] = 3 }
      expect([1, 1, 0, 1, 1]) { context.rollBack() }
      try expect([1, 1, 0, 1, 1]) { try context.delete(order) }
      expect([1, 1, 0, 1, 1]) { context.rollBack() }
      expect([0, 0, 0, 1, 1]) { _ = context.insert(ofEntity: "Order") }
      expect([0, 0, 0, 1, 1]) { context.rollBack() }
      #expect(!context.hasChanges && "\(line)" == "Line(1,5)", "\(line)")
      // The name of an object without an identity contains the number of objects before it.
      let more = (0..<2).map { _ in context.insert(ofEntity: "Order") }
      let name = observing { _ = "\(more[1])" }
      #expect("\(more[1])" == "Order#2")
      try context.delete(more[0])
      #expect(name.count == 1 && "\(more[1])" == "Order#1")
    }

    @Test(
      "C2: a reader of a property is notified once, before a setter changes it, and not when another property changes")
    func attribute() throws {
      let (_, heroes) = try heroes()
      let name = observing { _ = heroes[0]["name"] as String? }
      let id = observing { _ = heroes[0]["id"] as Int? }
      let other = observing { _ = heroes[1]["name"] as String? }
      let before = Locked<String?>(nil)
      nonisolated(unsafe) let hero = heroes[0]
      withObservationTracking {
        _ = heroes[0].string(slot: 1)
      } onChange: {
        before.withLock { $0 = hero["name"] }
      }
      heroes[0]["name"] = "C"
      heroes[0]["name"] = "D"
      #expect(name.count == 1 && id.count == 0 && other.count == 0)
      #expect(before.withLock { $0 } == "A")
    }

    @Test(
      "C2: setting a link notifies readers on both sides, and readers of a link that it displaces",
      arguments: ["setter", "insert", "import"])
    func links(way: String) throws {
      let context = try Fixture.context(
        #"""
        "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"team": {"destination": "Team", "inverse": "members"}}},
        "Team": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"members": {"destination": "Hero", "toMany": true, "inverse": "team"}}}
        """#)
      context.isObservable = true
      let hero = try context.load(#"{"id": 1, "team": 1}"#, "Hero")[0]
      let teams = try context.load("[1, 2, 3]", "Team")
      let team = observing { _ = hero["team"] as ManagedObject? }
      let members = teams.map { team in observing { _ = (team["members"] as RelatedObjects<ManagedObject>).count } }
      switch way {
      case "setter": hero["team"] = teams[1]
      case "insert": (teams[1]["members"] as RelatedObjects<ManagedObject>).insert(hero)
      default: try context.load(#"{"id": 2, "members": [1]}"#, "Team")
      }
      #expect(team.count == 1 && members.map(\.count) == [1, 1, 0])
    }

    @Test(
      "C2: an import notifies readers once, after all changes are in place, and only of what has changed")
    func imports() throws {
      let (context, heroes) = try heroes()
      let power = try #require(try context.find(ofEntity: "Power", identity: 4))
      let seen = Locked<[String]>([])
      nonisolated(unsafe) let graph = context
      withObservationTracking {
        _ = heroes[0]["name"] as String?
        _ = (heroes[0]["powers"] as [ManagedObject]).count
      } onChange: {
        seen.withLock { $0.append(graph.drawing.split(separator: "\n").last.map(String.init) ?? "") }
      }
      let id = observing { _ = heroes[0]["id"] as Int? }
      let other = observing { _ = heroes[1]["name"] as String? }
      let filled = observing { _ = power.isPlaceholder }
      let back = observing { _ = power["heroes"] as [ManagedObject] }
      try context.load(#"{"id": 1, "name": "A", "powers": [4, 5], "publisher": 10}"#, "Hero")
      #expect(seen.withLock { $0 } == [])
      try context.load(
        #"[{"id": 1, "name": "X", "powers": [{"id": 4, "name": "Flight"}], "publisher": {"id": 10, "name": "last"}}]"#,
        "Hero")
      #expect(seen.withLock { $0 } == [#"Publisher(10) name="last" heroes=[Hero(1)]"#])
      #expect(id.count == 0 && other.count == 0 && filled.count == 1 && back.count == 0)
    }

    @Test(
      "C2: readers of a relationship without an inverse are notified when an object in it is deleted",
      arguments: ["delete", "import", "merge"])
    func deletionsWithoutInverse(way: String) throws {
      let entities = #"""
        "Team": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
          "fans": {"destination": "Fan", "toMany": true}, "best": {"destination": "Fan"}}},
        "Fan": {"identityAttributes": "id", "deletedWhen": {"JSONKeyPath": "gone", "equals": true}, "attributes": {"id": "integer64"}}
        """#
      let memory = try Fixture.context(entities)
      let store = SnapshotStore.inMemory(model: memory.model)
      let context = way == "merge" ? ManagedObjectContext(store: store) : memory
      context.isObservable = true
      let team = try context.load(#"{"id": 1, "fans": [{"id": 1}, {"id": 2}], "best": {"id": 1}}"#, "Team")[0]
      let fans: RelatedObjects<ManagedObject> = team["fans"]
      let counters = [
        observing { _ = fans.count }, observing { for fan in fans { _ = fan } }, observing { _ = fans.first },
        observing { _ = team["best"] as ManagedObject? }, observing { _ = fans.contains(fans[1]) },
      ]
      switch way {
      case "delete": try context.delete(try #require(fans.first))
      case "import": try context.load(#"{"id": 1, "gone": true}"#, "Fan")
      default:
        try ManagedObjectContext(store: store).load(#"{"id": 1, "gone": true}"#, "Fan")
        try context.merge()
      }
      #expect(counters.map(\.count) == [1, 1, 1, 1, 1])
      #expect(fans.count == 1 && team["best"] as ManagedObject? == nil)
    }

    @Test(
      "C2: code that looks up a missing object, or reads an object's entity, is notified if the result changes"
    )
    func found() throws {
      let context = try Fixture.context(
        #"""
        "Person": {"identityAttributes": "id", "entityMapper": {"JSONKeyPath": "kind", "entities": {"boss": "Boss"}, "otherwise": "Person"},
          "attributes": {"id": "integer64"}, "relationships": {"friend": {"destination": "Person"}}},
        "Boss": {"parent": "Person", "attributes": {"rank": {"type": "integer64", "optional": true}}}
        """#)
      let other = try Fixture.context(
        #""Person": {"identityAttributes": "id", "attributes": {"id": "integer64"}}"#)
      let id = try #require(try other.load(#"{"id": 7}"#, "Person").first).objectID
      context.isObservable = true
      let finding = observing { _ = try? context.find(id) }
      try context.load(#"{"id": 1, "friend": 7}"#, "Person")
      #expect(finding.count == 1)
      let person = try #require(try context.find(id))
      let entity = observing { _ = person.entity.name }
      try context.load(#"{"id": 7, "kind": "boss"}"#, "Person")
      #expect(entity.count == 1)
      #expect(try context.find(id)?.entity.name == "Boss")
    }

    @Test(
      "C2: an observer that is notified of an inserted object can call any method of the context",
      arguments: ["commit", "roll back", "reset"])
    func insertedAndGone(change: String) throws {
      for isTyped in [false, true] {
        let context = try Fixture.context(
          #""Hero": {"identityAttributes": "id", "attributes": {"id": {"type": "integer64", "optional": true}}}"#,
          classes: [PlainHero.self])
        context.isObservable = true
        try context.load("[\((1...200).map { "{\"id\": \($0)}" }.joined(separator: ","))]", "Hero")
        try context.delete(context.fetch(ofEntity: "Hero", where: "id < 190"))
        nonisolated(unsafe) let observed = context
        nonisolated(unsafe) var isTold = false
        withObservationTracking {
          _ = context.hasChanges
          _ = try? context.fetch(ofEntity: "Hero")
        } onChange: {
          // The observer's own changes notify the observer again.
          if isTold { return }
          isTold = true
          switch change {
          case "commit": try? observed.commit()
          case "reset": observed.reset()
          default: observed.rollBack()
          }
        }
        let hero = isTyped ? PlainHero(context: context) : context.insert(ofEntity: "Hero")
        #expect(hero.isDeleted == (change != "commit"))
        if change == "commit" {
          hero["id"] = 1_000
          #expect(try context.find(ofEntity: "Hero", id: 1_000) === hero)
        }
        #expect(context.checkInvariants() == [])
      }
    }

    @Test("C2: code that exports is notified of changes to the exported objects")
    func exports() throws {
      struct Named: Decodable { var name: String? }
      let (_, heroes) = try heroes()
      let counters = [
        observing { _ = try? jsonString(from: heroes[0]) }, observing { _ = try? heroes[0].decoded(as: Named.self) },
        observing { _ = try? jsonString(from: heroes[1]) },
      ]
      heroes[0]["name"] = "C"
      #expect(counters.map(\.count) == [1, 1, 0])
    }

    @Test("C2: a context sends no notifications until it is made observable")
    func switchedOff() throws {
      let context = try Fixture.context(Fixture.comics)
      let hero = try context.load(#"{"id": 1}"#, "Hero")[0]
      let before = observing { _ = hero["name"] as String? }
      hero["name"] = "A"
      context.isObservable = true
      let after = observing { _ = hero["name"] as String? }
      try context.load(#"{"id": 1, "name": "B"}"#, "Hero")
      #expect(before.count == 0 && after.count == 1 && context.isObservable)
      context.isObservable = false
      let off = observing { _ = hero["name"] as String? }
      hero["name"] = "C"
      context.reset()
      #expect(off.count == 0)
    }

    @Test("C2: a failed import sends no notifications")
    func failedImport() throws {
      let (context, heroes) = try heroes()
      let name = observing { _ = heroes[0]["name"] as String? }
      let list = observing { _ = try? context.count(ofEntity: "Hero") }
      #expect(throws: ImportError.self) {
        try context.load(#"[{"id": 1, "name": "X"}, {"id": 9}, {"id": "x"}]"#, "Hero")
      }
      #expect(name.count == 0 && list.count == 0)
    }

    @Test("C2: rolling back, resetting, restoring and deleting notify the readers of what they change")
    func otherChanges() throws {
      let (context, heroes) = try heroes()
      let snapshot = context.snapshot()
      heroes[0]["name"] = "X"
      let new = context.insert(ofEntity: "Hero")
      let name = observing { _ = heroes[0]["name"] as String? }
      let isDeleted = observing { _ = new.isDeleted }
      let other = observing { _ = heroes[1]["name"] as String? }
      context.rollBack()
      #expect(name.count == 1 && isDeleted.count == 1 && other.count == 0 && new.isDeleted)
      let power = try #require(try context.find(ofEntity: "Power", identity: 4))
      let back = observing { _ = (power["heroes"] as [ManagedObject]).count }
      let gone = observing { _ = heroes[1].isDeleted }
      try context.delete(heroes[1])
      #expect(back.count == 1 && gone.count == 1)
      let restored = observing { _ = heroes[0]["name"] as String? }
      context.restore(snapshot)
      #expect(restored.count == 1)
      let reset = observing { _ = heroes[0].isDeleted }
      context.reset()
      #expect(reset.count == 1 && heroes[0].isDeleted)
    }

    @Test(
      "C2: readers are notified if objects join or leave a list, or if values in a sorted or filtered list change")
    func lists() throws {
      let (context, heroes) = try heroes()
      func observeLists() -> [Counter] {
        [
          observing { _ = try? context.fetch(ofEntity: "Hero") },
          observing { _ = try? context.count(ofEntity: "Hero") },
          observing { _ = try? context.fetch(ofEntity: "Hero", sortedBy: [.ascending("name")]) },
          observing { _ = try? context.fetch(ofEntity: "Hero") { $0["name"] as String? == "A" } },
          observing { _ = try? context.find(ofEntity: "Hero", identity: 77) },
          observing { _ = try? context.fetch(ofEntity: "Power") },
        ]
      }
      var lists = observeLists()
      heroes[0]["name"] = "Z"
      #expect(lists.map(\.count) == [0, 0, 1, 1, 0, 0])
      lists = observeLists()
      context.insert(ofEntity: "Hero")
      #expect(lists.map(\.count) == [1, 1, 1, 1, 1, 0])
      lists = observeLists()
      try context.delete(heroes[2])
      #expect(lists.map(\.count) == [1, 1, 1, 1, 1, 0])
      lists = observeLists()
      try context.load(#"[{"id": 77, "powers": []}]"#, "Hero")
      #expect(lists.map(\.count) == [1, 1, 1, 1, 1, 0])
      lists = observeLists()
      try context.load(#"[{"id": 1, "name": "Y", "powers": [4, 5]}]"#, "Hero")
      #expect(lists.map(\.count) == [0, 0, 1, 1, 0, 0])
    }

    @Test("C2: readers of an object are still notified after its row moves")
    func movedRows() throws {
      let context = try Fixture.context(Fixture.comics)
      context.isObservable = true
      let heroes = try context.load("[\((1...2_000).map { "{\"id\": \($0)}" }.joined(separator: ","))]", "Hero")
      let last = heroes[1_999]
      for hero in heroes.dropLast() { try context.delete(hero) }
      try context.commit()
      let name = observing { _ = last["name"] as String? }
      try context.load(#"{"id": 2000, "name": "last"}"#, "Hero")
      #expect(name.count == 1 && last["name"] as String? == "last")
    }
  }
#endif
