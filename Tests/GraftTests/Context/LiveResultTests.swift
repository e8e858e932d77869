import Foundation
import GraftSQLite
import GraftTestSupport
import Observation
import Testing

@testable import Graft

private final class Publisher: ManagedObject {
  override class var queryableProperties: [QueryableProperty] { [.init(\Publisher.name, "name")] }
  var name: String? {
    get { self["name"] }
    set { self["name"] = newValue }
  }
}

private final class Hero: ManagedObject {
  override class var queryableProperties: [QueryableProperty] {
    [.init(\Hero.name, "name"), .init(\Hero.age, "age"), .init(\Hero.publisher, "publisher")]
  }
  var name: String? {
    get { self["name"] }
    set { self["name"] = newValue }
  }
  var age: Int? {
    get { self["age"] }
    set { self["age"] = newValue }
  }
  var publisher: Publisher? {
    get { self["publisher"] }
    set { self["publisher"] = newValue }
  }
}

@Suite("Live results") struct LiveResultTests {
  private let model: ManagedObjectModel

  init() throws {
    model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Hero": {"identityAttributes": "id",
            "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}, "age": {"type": "integer64", "optional": true}},
            "relationships": {
              "publisher": {"destination": "Publisher", "inverse": "heroes"},
              "friend": {"destination": "Hero"}}},
          "Publisher": {"identityAttributes": "id",
            "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
            "relationships": {"heroes": {"destination": "Hero", "toMany": true, "inverse": "publisher"}}}}}
        """, classes: [Hero.self, Publisher.self])
  }

  private static let heroes = """
    [{"id": 1, "name": "Heron", "age": 30, "publisher": {"id": 9, "name": "Marsh"}},
     {"id": 2, "name": "Otter", "age": 20, "publisher": 9, "friend": 1},
     {"id": 3, "name": "Newt", "age": 20, "publisher": {"id": 8, "name": "Pond"}}]
    """

  private func context() throws -> ManagedObjectContext {
    let context = ManagedObjectContext(model: model)
    try context.load(Self.heroes, "Hero")
    return context
  }

  private func store() throws -> SQLiteStore {
    let store = try SQLiteStore.inMemory(model: model)
    try ManagedObjectContext(model: model, store: store).load(Self.heroes, "Hero")
    return store
  }

  private func names(_ list: LiveResults<Hero>) -> [String] { list.map { $0.name ?? "" } }

  @Test(
    "S18: a live list is updated when an object that its condition or its sort order reads changes",
    arguments: [false, true])
  func related(hasStore: Bool) throws {
    let context = hasStore ? try ManagedObjectContext(model: model, store: store()) : try context()
    let wanted = "Marsh"
    let list = try context.results(
      Hero.self, where: #Predicate { $0.publisher?.name == wanted }, sortedBy: .descending("publisher.name"),
      .ascending(\.name))
    let friends = try context.results(Hero.self, where: "friend.name = 'Heron'")
    #expect(names(list) == ["Heron", "Otter"] && names(friends) == ["Otter"])
    #expect("\(list)" == "\(Array(list))" && "\(friends)".hasPrefix("[Hero("))

    let pond = try #require(try context.find(Publisher.self, id: 8))
    pond.name = "Marsh"
    #expect(names(list) == ["Heron", "Newt", "Otter"])
    // The relationship 'friend' has no inverse.
    try #require(try context.find(Hero.self, id: 1)).name = "Crane"
    #expect(names(list) == ["Crane", "Newt", "Otter"] && names(friends) == [])
    context.rollBack()
    #expect(names(list) == ["Heron", "Otter"] && names(friends) == ["Otter"])
    try context.delete(try #require(try context.find(Publisher.self, id: 9)))
    #expect(names(list) == [] && list.isEmpty)
  }

  @Test(
    "S18: a list that counts an owner's objects is updated when objects join or leave an owner, not when values change"
  )
  func siblings() async throws {
    for context in [try context(), try ManagedObjectContext(model: model, store: store())] {
      let list = try context.results(Hero.self, where: "publisher.heroes.count > 1", sortedBy: .ascending("id"))
      let named = try context.results(
        Hero.self, where: "some publisher.heroes (name = 'Otter')", sortedBy: .ascending("id"))
      #expect(names(list) == ["Heron", "Otter"] && names(named) == ["Heron", "Otter"])
      var received = list.updates().makeAsyncIterator()
      func next() async throws -> [String] {
        try #require(await received.next()).description.split(separator: "\n").map(String.init)
      }
      list[0].name = "Crane"
      try context.commit()
      #expect(try await next() == ["Hero(1) at 0 updated"])
      let newt = try #require(try context.find(Hero.self, id: 3))
      newt.publisher = list[0].publisher
      try context.commit()
      #expect(try await next().sorted() == ["+ Hero(3) at 2", "Hero(1) at 0 updated", "Hero(2) at 1 updated"])
      #expect(names(named) == ["Crane", "Otter", "Newt"])
      // A condition can depend on the values of other objects in the list.
      list[1].name = "Beaver"
      #expect(named.isEmpty && list.count == 3)
      context.rollBack()
      #expect(named.count == 3)
      try context.delete([list[1], list[2]])
      #expect(list.isEmpty && named.isEmpty)
    }
  }

  @Test(
    "S18: a list reports the new IDs of its objects after the identities of their owners change",
    arguments: [false, true])
  func idsOfParts(hasStore: Bool) async throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Order": {"identityAttributes": "id", "attributes": {"id": "integer64", "note": {"type": "string", "optional": true}},
            "relationships": {"lines": {"destination": "Line", "toMany": true, "inverse": "order", "deleteRule": "cascade"}}},
          "Line": {"identityAttributes": ["order", "n"], "attributes": {"n": "integer64"}, "relationships": {
            "order": {"destination": "Order", "inverse": "lines"},
            "parts": {"destination": "Part", "toMany": true, "inverse": "line", "deleteRule": "cascade"}}},
          "Part": {"identityAttributes": ["line", "n"], "attributes": {"n": "integer64"},
            "relationships": {"line": {"destination": "Line", "inverse": "parts"}}}}}
        """)
    let context =
      hasStore
      ? ManagedObjectContext(store: try SQLiteStore.inMemory(model: model)) : ManagedObjectContext(model: model)
    try context.importJSON(
      """
      [{"id": 1, "lines": [{"n": 1, "parts": [{"n": 1}, {"n": 2}]}, {"n": 2}]}, {"id": 2, "lines": [{"n": 1, "parts": [{"n": 1}]}]}]
      """, ofEntity: "Order")
    for entity in ["Line", "Part"] {
      let list = try context.results(ofEntity: entity, sortedBy: .ascending("n"))
      var ids = list.objectIDs
      var received = list.updates().makeAsyncIterator()
      let order = try #require(try context.fetch(ofEntity: "Order", sortedBy: .ascending("id")).last)
      // Changing a value that is not part of the order's identity does not change any IDs.
      order["note"] = "x"
      try context.commit()
      order["id"] = (order["id"] ?? 0) + 10
      try context.commit()
      let other = try #require(try context.fetch(ofEntity: "Order", sortedBy: .ascending("id")).first)
      other["id"] = (other["id"] ?? 0) + 100
      try context.commit()
      var count = 0
      for _ in 1...2 {
        let changes = try #require(await received.next())
        count += changes.steps.count
        ids = ids.applying(changes)
      }
      #expect(ids == list.objectIDs && count == 3, "\(entity): \(ids) \(count)")
    }
  }

  @Test(
    "S18: a list reports its objects that depend on a changed object, even by a relationship without inverse",
    arguments: ["memory", "store", "others", "child"])
  func readers(kind: String) async throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "H": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
            "t": {"destination": "T"}, "u": {"destination": "T", "inverse": "hs"},
            "many": {"destination": "T", "toMany": true}}},
          "T": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
            "relationships": {"next": {"destination": "T"}, "hs": {"destination": "H", "toMany": true, "inverse": "u"}}}}}
        """)
    let store = try SQLiteStore.inMemory(model: model)
    let parent = ManagedObjectContext(model: model)
    func make() -> ManagedObjectContext {
      switch kind {
      case "memory": parent
      case "child": parent.makeChild()
      default: ManagedObjectContext(store: store)
      }
    }
    let context = make()
    try context.importJSON(
      """
      [{"id": 1, "t": {"id": 1, "name": "a", "next": 2}, "u": 3, "many": [1]}, {"id": 2, "t": {"id": 2, "name": "b"}, "u": 1, "many": [2]},
       {"id": 3, "t": 1, "u": {"id": 3, "name": "c"}, "many": []}]
      """, ofEntity: "H")
    try context.commit()
    // For each list, the objects that read T(1), T(2) and T(3).
    let lists: [(list: LiveResults<ManagedObject>, readers: [[Int]])] = [
      (try context.results(ofEntity: "H", sortedBy: .ascending("t.name"), .ascending("id")), [[1, 3], [2], []]),
      (
        try context.results(ofEntity: "H", where: "t.name is not null", sortedBy: .ascending("id")), [[1, 3], [2], []]
      ),
      (
        try context.results(ofEntity: "H", where: "t.next.name != ''", sortedBy: .ascending("id")),
        [[1, 3], [1, 2, 3], []]
      ),
      (
        try context.results(ofEntity: "H", sortedBy: .ascending("u.name"), .ascending("t.name"), .ascending("id")),
        [[1, 2, 3], [2], [1, 3]]
      ),
      (
        try context.results(ofEntity: "H", sortedBy: .ascending("t.name"), .ascending("id"), limit: 2),
        [[1, 3], [2], []]
      ),
      (
        try context.results(ofEntity: "H", where: "not some many (name = 'x')", sortedBy: .ascending("id")),
        [[1], [2], []]
      ),
    ]
    var received = lists.map { $0.list.updates().makeAsyncIterator() }
    let author = kind == "others" ? make() : context
    for (round, number) in [1, 2, 3, 1].enumerated() {
      let target = try #require(try author.find(ofEntity: "T", id: number))
      target["name"] = "\(target["name"] ?? "")a"
      try author.commit()
      if kind == "others" { try context.merge() }
      // All lists report this change.
      for object in try context.fetch(ofEntity: "H") { object["id"] = (object["id"] ?? 0) + 10 }
      try context.commit()
      for (index, entry) in lists.enumerated() {
        func told() async throws -> Set<Int> {
          let changes = try #require(await received[index].next())
          return Set(
            changes.steps.compactMap { step in
              if case .updated(_, let place) = step { entry.list[place.position]["id"] as Int? } else { nil }
            }.map { $0 - 10 * (round + 1) })
        }
        let shown = Set(entry.list.map { ($0["id"] ?? 0) - 10 * (round + 1) })
        let expected = Set(entry.readers[number - 1]).intersection(shown)
        if !expected.isEmpty {
          let first = try await told()
          #expect(first.isSuperset(of: expected), "list \(index), round \(round)")
          // If each relationship in the condition is a to-one, the list reports exactly the expected objects.
          if index < 5 { #expect(first == expected, "list \(index), round \(round)") }
        }
        var all = Set<Int>()
        while all != shown { all.formUnion(try await told()) }
      }
    }
  }

  @Test("S18: the steps of a change can be applied in sequence, also to a list with sections")
  func steps() async throws {
    let context = try context()
    let list = try context.results(Hero.self, sortedBy: .ascending(\.name), sectionedBy: .descending("age"))
    #expect(list.sections.map(\.value) == [.integer(30), .integer(20)])
    #expect(list.sections.map(\.positions) == [0..<1, 1..<3])
    var received = list.updates().makeAsyncIterator()
    func next() async throws -> [String] {
      try #require(await received.next()).description.split(separator: "\n").map(String.init)
    }
    list[0].age = 25
    try context.commit()
    #expect(try await next() == ["+ section 0", "Hero(1) from 0 to 0", "- section 1", "Hero(1) at 0 updated"])
    list[1].age = 25
    #expect(list.count == 3)
    #expect(try await next() == ["Hero(3) from 1 to 1", "Hero(3) at 1 updated"])
    context.rollBack()
    #expect(try await next() == ["Hero(3) from 1 to 1", "Hero(3) at 1 updated"])
    try context.delete(list[0])
    try context.load(#"{"id": 4, "age": 20}"#, "Hero")
    #expect(try await next() == ["- 0", "- section 0", "+ Hero(4) at 2"])
    #expect(list.sections.map(\.positions) == [0..<3])
  }

  @Test("A view that reads a list is notified when the list changes, but not when unrelated objects change")
  func observation() throws {
    let context = try context()
    context.isObservable = true
    let list = try context.results(Hero.self, where: "age = 20", sortedBy: .ascending("name"))
    let changes = Locked(0)
    func track() {
      withObservationTracking {
        _ = list.count
      } onChange: {
        changes.withLock { $0 += 1 }
      }
    }
    track()
    try #require(try context.find(Hero.self, id: 1)).age = 31
    try #require(try context.find(Publisher.self, id: 9)).name = "Fen"
    #expect(changes.withLock { $0 } == 0)
    try #require(try context.find(Hero.self, id: 1)).age = 20
    #expect(changes.withLock { $0 } == 1)
    track()
    try context.commit()
    #expect(changes.withLock { $0 } == 1)
    try context.load(#"{"id": 2, "age": 7}"#, "Hero")
    #expect(changes.withLock { $0 } == 2 && names(list) == ["Heron", "Newt"])
  }

  @Test("A list's sequence of changes ends when the list is released, and a context without lists has no further cost")
  func end() async throws {
    let context = try context()
    var list: LiveResults<Hero>? = try context.results(Hero.self)
    let updates = try #require(list).updates()
    #expect(context.hub.results != nil && context.hasHeldRows)
    list = nil
    for await _ in updates { Issue.record("nothing has changed") }
    try #require(try context.find(Hero.self, id: 1)).age = 31
    try context.commit()
    #expect(context.hub.results == nil && !context.hasHeldRows)
  }

  @Test("A live list rejects sort keys whose changes it cannot track")
  func closures() throws {
    let context = try context()
    let error = #expect(throws: StoreError.self) {
      try context.results(Hero.self, sortedBy: .ascending { $0.publisher?.name })
    }
    #expect(error?.diagnostics.first?.code == .untranslatablePredicate)
    #expect(throws: StoreError.self) { try context.results(Hero.self, sortedBy: .ascending("team")) }
    #expect(throws: StoreError.self) { try context.results(Hero.self, limit: -1) }
    #expect(throws: StoreError.self) { try context.results(ofEntity: "Villain") }
  }

  @Test(
    "With a store, a list's count and sections load almost no objects, and reading an object loads its neighbors")
  func loading() throws {
    let store = try SQLiteStore.inMemory(model: model)
    let heroes = (0..<1_000).map { #"{"id": \#($0), "name": "\#($0 % 3)", "age": \#($0)}"# }
    try ManagedObjectContext(model: model, store: store).load("[\(heroes.joined(separator: ","))]", "Hero")
    let context = try ManagedObjectContext(model: model, store: store)
    var loaded: Int { context.state.tables[model.plan.layouts[0].table].rowCount }
    let list = try context.results(
      Hero.self, where: "age >= 10", sortedBy: .ascending("age"), sectionedBy: .ascending("name"))
    #expect(list.count == 990 && list.sections.map(\.positions.count) == [330, 330, 330] && loaded == 3)
    #expect(list[400].age == 220 && loaded < 150)

    // Changes from another context are checked against the list object by object.
    let other = try ManagedObjectContext(model: model, store: store)
    try other.load(#"[{"id": 5, "name": "1", "age": 15}, {"id": 900, "age": 0}]"#, "Hero")
    try context.merge()
    #expect(list.count == 990 && list.sections.map(\.positions.count) == [329, 331, 330] && loaded < 180)

    let page = try context.results(Hero.self, sortedBy: .descending("age"), limit: 3)
    #expect(page.map(\.age) == [999, 998, 997])
    try other.load(#"{"id": 6, "age": 5000}"#, "Hero")
    try context.merge()
    #expect(page.map(\.age) == [5000, 999, 998] && loaded < 200)
  }

  @Test("S18: applying changes to the old list yields the new list, even if the changes include a move")
  func moved() async throws {
    let context = try context()
    let list = try context.results(Hero.self, sortedBy: .ascending(\.name))
    let before = list.objectIDs
    var updates = list.updates().makeAsyncIterator()
    try #require(try context.find(Hero.self, id: 1)).name = "Zander"
    try context.commit()
    let changes = try #require(await updates.next())
    #expect(changes.steps.contains { if case .moved = $0 { true } else { false } }, "\(changes)")
    #expect(names(list) == ["Newt", "Otter", "Zander"])
    #expect(before.applying(changes) == list.objectIDs)
  }

  @Test(
    "S18: adding or removing a member of an owner does not report the owner's other members as changed",
    arguments: [false, true])
  func membersOfOwner(hasStore: Bool) async throws {
    let context = hasStore ? try ManagedObjectContext(model: model, store: store()) : try context()
    let list = try context.results(
      Hero.self, where: #Predicate { $0.publisher?.name != "Moor" },
      sortedBy: .ascending("publisher.name"), .ascending(\.name))
    var updates = list.updates().makeAsyncIterator()
    let hero = Hero(context: context)
    hero["id"] = 4
    hero.name = "Pike"
    hero.publisher = try context.find(Publisher.self, id: 9)
    try context.commit()
    let inserted = try #require(await updates.next())
    #expect(inserted.steps.count == 1 && names(list) == ["Heron", "Otter", "Pike", "Newt"], "\(inserted)")
    try context.delete(hero)
    try context.commit()
    let deleted = try #require(await updates.next())
    #expect(deleted.steps.count == 1 && names(list) == ["Heron", "Otter", "Newt"], "\(deleted)")
    try #require(try context.find(Publisher.self, id: 9)).name = "Quag"
    try context.commit()
    let renamed = try #require(await updates.next())
    #expect(renamed.steps.count >= 2 && names(list) == ["Newt", "Heron", "Otter"], "\(renamed)")
  }

  @Test("S18: a live value is updated by commits of other contexts without loading their objects")
  func mergedValue() throws {
    let store = try store()
    let context = try ManagedObjectContext(model: model, store: store)
    let sum = try context.liveSum(\Hero.age)
    let elders: (ObjectCondition) = "age >= 35"
    let (some, least) = (
      try context.liveSum(\Hero.age, where: elders), try context.liveMinimum(\Hero.age, where: elders)
    )
    let (most, average) = (
      try context.liveMaximum(\Hero.age, where: elders), try context.liveAverage(\Hero.age, where: elders)
    )
    #expect(sum.value == 70 && some.value == 0 && least.value == nil && most.value == nil && average.value == nil)
    try ManagedObjectContext(model: model, store: store).load(#"{"id": 1, "age": 40}"#, "Hero")
    try context.merge()
    #expect(some.value == 40 && least.value == 40 && most.value == 40 && average.value == 40)
    #expect(sum.value == 80 && context.state.tables[model.plan.layouts[0].table].rowCount == 0)
  }

  @Test(
    "S18: a list is updated when an object that only the list's objects reference is deleted",
    arguments: [false, true])
  func deletedWithoutInverse(hasStore: Bool) throws {
    let context = try hasStore ? ManagedObjectContext(model: model, store: store()) : context()
    if !hasStore { try context.commit() }
    let list = try context.results(Hero.self, where: "friend != null")
    #expect(names(list) == ["Otter"])
    try context.delete(try #require(try context.find(Hero.self, id: 1)))
    #expect(names(list).isEmpty)
    context.rollBack()
    #expect(names(list) == ["Otter"])
    let some = try context.results(Publisher.self, where: "some heroes (friend != null)")
    #expect(some.count == 1)
    try context.delete(try #require(try context.find(Hero.self, id: 1)))
    #expect(some.isEmpty)
    try context.commit()
    #expect(list.isEmpty && some.isEmpty)
  }

  @Test(
    "S18: if a merge unites a new object with an object of the list, the list contains the object once",
    arguments: [nil, 2])
  func united(limit: Int?) throws {
    let store = try store()
    let context = try ManagedObjectContext(model: model, store: store)
    let list = try context.results(Hero.self, sortedBy: \.age, limit: limit)
    let new = context.insert(Hero.self)
    try new.setValue(4, of: "id")
    new.age = 1
    #expect(list.count == limit ?? 4)
    let other = try ManagedObjectContext(model: model, store: store)
    try #require(try other.find(Hero.self, id: 3)).setValue(4, of: "id")
    try other.commit()

    context.conflictPolicy = .contextWins
    try context.merge()
    #expect(try list.objectIDs == context.fetch(Hero.self, sortedBy: \.age, limit: limit).map(\.objectID))
    #expect(list.count == limit ?? 3 && list.first?.age == 1)
  }

  @Test("Objects can be changed and deleted while a list is iterated")
  func iteration() throws {
    let context = try context()
    let list = try context.results(Hero.self, sortedBy: \.age)
    for hero in list {
      hero.age = (hero.age ?? 0) - 100
      try context.delete(hero)
      try context.commit()
    }
    #expect(list.isEmpty)
  }

  @Test("If a condition fails, the list stays unchanged and reports the error")
  func failures() throws {
    let context = try context()
    let list = try context.results(Hero.self, where: #Predicate { ($0.age ?? 0) + 1 > 25 })
    #expect(names(list) == ["Heron"] && list.error == nil)
    let otter = try #require(try context.find(Hero.self, id: 2))
    otter.age = .max
    #expect(list.count == 1 && list.error?.diagnostics.first?.code == .untranslatablePredicate)
    otter.age = 90
    #expect(list.error == nil && names(list) == ["Heron", "Otter"])
  }

  @Test("S18: live counts, sums and other values stay current")
  func values() async throws {
    let context = try context()
    let young = 25
    let count = try context.liveCount(Hero.self, where: #Predicate { ($0.age ?? 0) < young })
    let same = try context.liveCount(ofEntity: "Hero", where: "age < 25")
    let all = try context.liveCount(ofEntity: "Hero")
    let total = all.value
    let sum = try context.liveSum(\Hero.age)
    let (least, most) = (try context.liveMinimum(\Hero.age), try context.liveMaximum(\Hero.age))
    let average = try context.liveAverage(\Hero.age, where: #Predicate { $0.name != nil })
    var updates = sum.updates().makeAsyncIterator()
    #expect(count.value == 2 && same.value == 2 && sum.value == 70 && least.value == 20 && most.value == 30)
    try #require(try context.find(Hero.self, id: 1)).age = 5
    #expect(count.value == 3 && same.value == 3 && sum.value == 45 && least.value == 5 && most.value == 20)
    #expect(average.value == 15 && average.error == nil)
    context.insert(Hero.self)
    #expect(all.value == total + 1)
    context.rollBack()
    #expect(all.value == total && count.value == 2 && sum.value == 70)
    #expect(await updates.next() == 45)
    #expect(await updates.next() == 70)
  }

  @Test("S20: conditions ignore case and accents on request", arguments: [false, true])
  func search(hasStore: Bool) throws {
    let context = hasStore ? try ManagedObjectContext(model: model, store: store()) : try context()
    try context.load(
      #"[{"id": 4, "name": "Ångström", "friend": 4}, {"id": 5, "name": "A\u030angstro\u0308m"}, {"id": 6, "name": null}]"#,
      "Hero")
    func count(_ condition: ObjectCondition) throws -> Int { try context.count(ofEntity: "Hero", where: condition) }
    #expect(try count("name contains[cd] 'GSTRÖM'") == 2 && count("name contains[c] 'GSTRÖM'") == 1)
    #expect(try count("name =[cd] 'angstrom'") == 2 && count("name =[d] 'angstrom'") == 0)
    #expect(try count("name =[d] 'Angstrom'") == 2 && count("name = 'Angstrom'") == 0)
    #expect(try count("name beginsWith[dc] 'å'") == 2 && count("name !=[cd] 'angstrom'") == 4)
    #expect(try count("friend.name contains[cd] 'angst'") == 1 && count("name =[c] null") == 1)
    #expect(try count("name =[c] name") == 6)
    for (condition, message) in [
      ("age =[c] 3", "apply to =, !=, contains and beginsWith"), ("name <[c] 'a'", "apply to =, !="),
      ("name contains[x] 'a'", "expected 'c' to ignore case"), ("name contains[c 'a'", "expected ']'"),
      ("friend =[c] 1", "apply to ="),
    ] {
      let error = #expect(throws: StoreError.self) { try count(ObjectCondition(condition)) }
      #expect(error?.description.contains(message) == true, "\(condition): \(error?.description ?? "")")
    }
  }

  @Test(
    "S18: a list whose condition names an object by number still matches that object after its number changes",
    arguments: [false, true])
  func numbers(hasStore: Bool) throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Hero": {"attributes": {"name": {"type": "string", "optional": true}, "age": {"type": "integer64", "optional": true}},
            "relationships": {"publisher": {"destination": "Publisher", "inverse": "heroes"}}},
          "Publisher": {"attributes": {"name": {"type": "string", "optional": true}},
            "relationships": {"heroes": {"destination": "Hero", "toMany": true, "inverse": "publisher"}}}}}
        """, classes: [Hero.self, Publisher.self])
    let context =
      hasStore ? ManagedObjectContext(store: SnapshotStore.inMemory(model: model)) : ManagedObjectContext(model: model)
    let others = (0..<1_000).map { _ in context.insert(Publisher.self) }
    let publisher = context.insert(Publisher.self)
    let id = publisher.objectID
    let heroes = (1...2).map { age -> Hero in
      let hero = context.insert(Hero.self)
      (hero.age, hero.publisher) = (age, publisher)
      return hero
    }
    let condition = #Predicate<Hero> { $0.publisher?.objectID == id }
    let list = try context.results(Hero.self, where: condition, sortedBy: \.age)
    let (count, sum) = (
      try context.liveCount(Hero.self, where: condition), try context.liveSum(\Hero.age, where: condition)
    )
    func expect(_ shown: [Hero], _ comment: String) throws {
      #expect(Array(list) == shown && count.value == shown.count, "\(comment)")
      #expect(sum.value == shown.reduce(0) { $0 + ($1.age ?? 0) }, "\(comment)")
      #expect(try context.fetch(Hero.self, where: condition, sortedBy: \.age) == shown, "\(comment)")
    }
    try expect(heroes, "inserted")
    try context.commit()
    heroes[0].name = "x"
    try expect(heroes, "committed")
    for other in others { try context.delete(other) }
    try context.commit()
    heroes[1].age = 3
    try expect(heroes, "rows moved")
    heroes[0].publisher = nil
    try expect([heroes[1]], "left")
    context.rollBack()
    try expect(heroes, "rolled back")
    let new = context.insert(Publisher.self)
    let newID = new.objectID
    let newList = try context.results(Hero.self, where: #Predicate { $0.publisher?.objectID == newID })
    heroes[0].publisher = new
    #expect(newList.count == 1)
    context.rollBack()
    heroes[0].publisher = context.insert(Publisher.self)
    #expect(newList.isEmpty, "another object has the row now")
  }

  @Test(
    "S18: a list whose condition names an object with owners is updated when another object gets that name",
    arguments: [false, true],
    [false, true])
  func owners(isKnownBefore: Bool, hasStore: Bool) throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Hero": {"identityAttributes": "id",
            "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}, "age": {"type": "integer64", "optional": true}},
            "relationships": {"publisher": {"destination": "Publisher"}}},
          "Publisher": {"identityAttributes": ["order", "position"],
            "attributes": {"position": "integer64", "name": {"type": "string", "optional": true}},
            "relationships": {"order": {"destination": "Order", "inverse": "lines", "optional": false}}},
          "Order": {"identityAttributes": ["shop", "id"], "attributes": {"id": "integer64"},
            "relationships": {"shop": {"destination": "Shop", "inverse": "orders", "optional": false},
              "lines": {"destination": "Publisher", "toMany": true, "inverse": "order", "deleteRule": "cascade"}}},
          "Shop": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"orders": {"destination": "Order", "toMany": true, "inverse": "shop", "deleteRule": "cascade"}}}}}
        """, classes: [Hero.self, Publisher.self])
    let other = ManagedObjectContext(model: model)
    let payload = { (shop: Int) in Array(#"{"id": \#(shop), "orders": [{"id": 4, "lines": [{"position": 1}]}]}"#.utf8) }
    try other.importJSON(payload(5), ofEntity: "Shop")
    let id = try #require(try other.fetch(Publisher.self).first).objectID
    let context =
      hasStore ? ManagedObjectContext(store: SnapshotStore.inMemory(model: model)) : ManagedObjectContext(model: model)
    let before = isKnownBefore ? 5 : 6
    try context.importJSON(payload(before), ofEntity: "Shop")
    let line = try #require(try context.fetch(Publisher.self).first)
    let hero = context.insert(Hero.self)
    hero["id"] = 1
    hero.publisher = line
    if hasStore { try context.commit() }
    let condition = #Predicate<Hero> { $0.publisher?.objectID == id }
    let list = try context.results(Hero.self, where: condition)
    let ages = try context.liveSum(\Hero.age, where: condition)
    let shop = try #require(try context.fetch(ofEntity: "Shop").first)
    func expect(_ isShown: Bool, _ comment: String) throws {
      #expect(try context.fetch(Hero.self, where: condition).count == (isShown ? 1 : 0), "\(comment)")
      #expect(list.count == (isShown ? 1 : 0) && ages.value == (isShown ? hero.age ?? 0 : 0), "\(comment)")
    }
    hero.age = 7
    try expect(isKnownBefore, "created")
    // Only the identity of the shop, the owner's owner, changes.
    try shop.setValue(isKnownBefore ? 6 : 5, of: "id")
    try expect(!isKnownBefore, "the shop has another identity")
    hero.age = 8
    try expect(!isKnownBefore, "the hero is another one")
    try shop.setValue(before, of: "id")
    try expect(isKnownBefore, "the shop has its identity again")
    let order = try #require(try context.fetch(ofEntity: "Order").first)
    try order.setValue(9, of: "id")
    try expect(false, "the order has another identity")
    try order.setValue(4, of: "id")
    try expect(isKnownBefore, "the order has its identity again")
    try shop.setValue(5, of: "id")
    try expect(true, "the shop is the one that is named")
    try line.setValue(2, of: "position")
    try expect(false, "the line has another identity")
    try line.setValue(1, of: "position")
    try expect(true, "the line has its identity again")
  }

  @Test("S18: a list of uncommitted objects is read in time proportional to the number of changes since the last read")
  func linearTime() throws {
    let context = try context()
    let list = try context.results(Hero.self, where: "age = 20")
    let publisher = try #require(try context.find(Publisher.self, id: 9))
    let before = list.count
    // With quadratic time, this loop would take minutes.
    for number in 0..<20_000 {
      let hero = context.insert(Hero.self)
      hero["id"] = 1000 + number
      hero.publisher = publisher
      hero.age = 20
      #expect(list.count == before + number + 1)
    }
    for hero in Array(list) where hero["id"] ?? 0 >= 1000 {
      hero.age = 21
      hero.publisher = nil
      _ = list.count
    }
    #expect(list.count == before)
    context.rollBack()
    #expect(list.count == before && context.checkInvariants().isEmpty)
  }

  @Test("S18: a live list reports a commit made by its own observer like any other commit")
  func commitInObserver() async throws {
    var stream: AsyncStream<ResultChanges>?
    do {
      nonisolated(unsafe) let context = try Fixture.context(Fixture.comics)
      let list = try context.results(ofEntity: "Hero")
      stream = list.updates()
      withObservationTracking {
        _ = list.count
      } onChange: {
        let hero = context.insert(ofEntity: "Hero")
        hero["id"] = 2
        #expect(throws: Never.self) { try context.commit() }
      }
      try context.load(#"{"id": 1}"#, "Hero")
      #expect(try context.count(ofEntity: "Hero") == 2)
      // Nothing reads the list after the import.
    }
    var count = 0
    for await _ in try #require(stream) { count += 1 }
    #expect(count == 2)
  }
}
