import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Context: changes to to-many relationships") struct RelatedObjectsTests {
  private static let model = #"""
    "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
      "powers": {"destination": "Power", "toMany": true, "inverse": "heroes"},
      "ranked": {"destination": "Power", "toMany": true, "ordered": true, "inverse": "owner"},
      "friends": {"destination": "Hero", "toMany": true, "inverse": "friends"},
      "liked": {"destination": "Power", "toMany": true}}},
    "Power": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
      "heroes": {"destination": "Hero", "toMany": true, "inverse": "powers", "JSONKeyPath": null},
      "owner": {"destination": "Hero", "inverse": "ranked", "JSONKeyPath": null}}}
    """#

  private func graph() throws -> (ManagedObjectContext, [ManagedObject], [ManagedObject]) {
    let context = try Fixture.context(Self.model)
    let heroes = try context.load(
      #"[{"id": 1, "powers": [1, 2], "ranked": [1, 2, 3]}, {"id": 2, "ranked": [4, 5]}]"#, "Hero")
    return try (context, heroes, (1...5).compactMap { try context.find(ofEntity: "Power", identity: $0) })
  }

  private func ids(_ objects: RelatedObjects<ManagedObject>) -> [Int] { objects.compactMap { $0["id"] } }

  @Test("C1: a relationship can be set to an array literal, which can also be passed as a list of related objects")
  func literals() throws {
    let (context, heroes, powers) = try graph()
    heroes[0]["ranked"] = [powers[4], powers[0], powers[4]] as RelatedObjects<ManagedObject>
    let ranked: RelatedObjects<ManagedObject> = heroes[0]["ranked"]
    #expect(ids(ranked) == [5, 1])
    heroes[0]["powers"] = [] as RelatedObjects<ManagedObject>
    #expect((heroes[0]["powers"] as RelatedObjects<ManagedObject>).isEmpty)
    // Sets the relationship of one object to the relationship of another object.
    heroes[1]["ranked"] = ranked
    #expect(ids(heroes[1]["ranked"]) == [5, 1] && ids(ranked) == [])
    let nobody = try context.find(ofEntity: "Hero", identity: 9)
    let fallback: RelatedObjects<ManagedObject> = nobody?["ranked"] ?? [powers[2], powers[1]]
    #expect(ids(fallback) == [3, 2] && fallback.count == 2 && fallback[1] == powers[1] && fallback.last == powers[1])
    #expect(fallback.contains(powers[2]) && !fallback.contains(powers[0]) && "\(fallback)" == "[Power(3), Power(2)]")
    let none: RelatedObjects<ManagedObject> = nobody?["ranked"] ?? []
    #expect(none.isEmpty && ids(none) == [] && !none.contains(powers[0]) && "\(none)" == "[]")
    #expect(context.checkInvariants() == [])
  }

  @Test("C1: a slice of a relationship contains the objects that were in the relationship when the slice was taken")
  func slices() throws {
    let (context, heroes, powers) = try graph()
    let ranked: RelatedObjects<ManagedObject> = heroes[0]["ranked"]
    let (first, rest) = (ranked.prefix(2), ranked.dropFirst())
    for power in first { ranked.remove(power) }
    #expect(ids(ranked) == [3])
    #expect(Array(first) == [powers[0], powers[1]] && first.indices == 0..<2 && first[1] == powers[1])
    #expect(Array(rest) == [powers[1], powers[2]] && rest.startIndex == 1 && rest[2] == powers[2])
    #expect(Array(rest[2..<3]) == [powers[2]] && rest.dropFirst().startIndex == 2 && rest[3...].isEmpty)
    #expect("\(rest)" == "[Power(2), Power(3)]")
    for power in ranked.suffix(1) { try context.delete(power) }
    #expect(ranked.isEmpty && rest.last?.isDeleted == true)
    #expect(ranked.prefix(3).isEmpty && ranked[0..<0].isEmpty)
  }

  @Test("C1: a slice of a live list does not change when the list changes", arguments: [false, true])
  func slicesOfResults(hasStore: Bool) throws {
    let (memory, _, _) = try graph()
    let context =
      hasStore
      ? try ManagedObjectContext(model: memory.model, store: SnapshotStore.inMemory(model: memory.model)) : memory
    if hasStore { try context.load("[{\"id\": 1}, {\"id\": 2}, {\"id\": 3}, {\"id\": 4}, {\"id\": 5}]", "Power") }
    let list = try context.results(ofEntity: "Power", sortedBy: .ascending("id"))
    let (first, rest) = (list.prefix(2), list[2...])
    for power in first { try context.delete(power) }
    #expect(list.compactMap { $0["id"] as Int? } == [3, 4, 5])
    #expect(rest.compactMap { $0["id"] as Int? } == [3, 4, 5] && rest.startIndex == 2)
    for power in list.dropFirst() { try context.delete(power) }
    #expect(list.compactMap { $0["id"] as Int? } == [3])
  }

  @Test("C1: objects in a relationship are replaced and removed by position")
  func replacing() throws {
    let (context, heroes, powers) = try graph()
    let ranked: RelatedObjects<ManagedObject> = heroes[0]["ranked"]
    #expect(ranked.remove(at: 1) == powers[1] && ids(ranked) == [1, 3])
    ranked.replaceAll(with: [powers[3], powers[0], powers[2], powers[0]])
    #expect(ids(ranked) == [4, 1, 3] && ids(heroes[1]["ranked"]) == [5])
    #expect(ranked.removeFirst() == powers[3] && ranked.removeLast() == powers[2] && ids(ranked) == [1])
    ranked.replaceAll(with: [])
    #expect(ranked.isEmpty && context.checkInvariants() == [])
  }

  @Test("C1: union, subtraction and removal update both sides of a relationship, and can be rolled back")
  func sets() throws {
    let (context, heroes, powers) = try graph()
    let before = context.dumpText
    let own: RelatedObjects<ManagedObject> = heroes[0]["powers"]
    own.formUnion([powers[1], powers[3], powers[2], powers[3]])
    #expect(ids(own) == [1, 2, 4, 3])
    #expect(powers.map { ($0["heroes"] as [ManagedObject]).count } == [1, 1, 1, 1, 0])
    own.subtract([powers[0], powers[4], powers[2], powers[0]])
    #expect(ids(own) == [2, 4])
    own.removeAll { $0 == powers[1] }
    #expect(ids(own) == [4])
    own.removeAll()
    #expect(own.isEmpty && powers.allSatisfy { ($0["heroes"] as [ManagedObject]).isEmpty })
    own.insert(powers[4])
    #expect(ids(own) == [5] && context.checkInvariants() == [])
    context.rollBack()
    #expect(context.dumpText == before && context.checkInvariants() == [])
  }

  @Test("I6: adding an object to an exclusive relationship removes it from its previous owner")
  func displacing() throws {
    let (context, heroes, powers) = try graph()
    let (first, second): (RelatedObjects<ManagedObject>, RelatedObjects<ManagedObject>) = (
      heroes[0]["ranked"], heroes[1]["ranked"]
    )
    first.insert(powers[3])
    #expect(ids(first) == [1, 2, 3, 4] && ids(second) == [5])
    second.insert(powers[0], at: 0)
    #expect(ids(first) == [2, 3, 4] && ids(second) == [1, 5])
    second.formUnion(Array(first))
    #expect(ids(first) == [] && ids(second) == [1, 5, 2, 3, 4])
    #expect(context.checkInvariants() == [])
  }

  @Test("I6: a symmetric relationship keeps both sides consistent, including links to itself")
  func symmetric() throws {
    let (context, heroes, _) = try graph()
    let friends: RelatedObjects<ManagedObject> = heroes[0]["friends"]
    friends.formUnion(heroes)
    #expect(ids(friends) == [1, 2] && ids(heroes[1]["friends"]) == [1])
    friends.remove(heroes[0])
    #expect(ids(friends) == [2] && context.checkInvariants() == [])
    friends.remove(heroes[1])
    #expect(ids(heroes[1]["friends"]) == [] && context.checkInvariants() == [])
  }

  @Test("C1: an ordered relationship supports changes by position, as list views require")
  func positions() throws {
    let (context, heroes, powers) = try graph()
    let ranked: RelatedObjects<ManagedObject> = heroes[0]["ranked"]
    ranked.formUnion(powers)
    ranked.move(fromOffsets: [0], toOffset: 3)
    #expect(ids(ranked) == [2, 3, 1, 4, 5])
    ranked.move(fromOffsets: IndexSet([1, 4]), toOffset: 0)
    #expect(ids(ranked) == [3, 5, 2, 1, 4])
    ranked.move(fromOffsets: [0, 1], toOffset: 5)
    #expect(ids(ranked) == [2, 1, 4, 3, 5])
    ranked.insert(powers[4], at: 1)
    #expect(ids(ranked) == [2, 5, 1, 4, 3])
    ranked.insert(powers[4], at: 5)
    #expect(ids(ranked) == [2, 1, 4, 3, 5])
    ranked.remove(atOffsets: IndexSet([0, 2]))
    #expect(ids(ranked) == [1, 3, 5] && context.checkInvariants() == [])
    context.rollBack()
    #expect(ids(ranked) == [1, 2, 3] && context.checkInvariants() == [])
  }

  @Test(
    "C1: random in-place changes have the same result as in sets and arrays, for every kind of inverse",
    arguments: ["powers", "ranked", "friends", "liked"])
  func random(name: String) throws {
    let (context, heroes, powers) = try graph()
    var random = SeededRandom(seed: 5)
    let pool = name == "friends" ? heroes + (0..<6).map { _ in context.insert(ofEntity: "Hero") } : powers
    for (index, hero) in pool.enumerated() where name == "friends" { hero["id"] = index + 1 }
    let objects: RelatedObjects<ManagedObject> = heroes[0][name]
    var expected = Array(objects)
    for step in 0..<400 {
      let some = (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in pool.randomElement(using: &random) }
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        objects.formUnion(some)
        for object in some where !expected.contains(object) { expected.append(object) }
      case 1:
        objects.subtract(some)
        expected.removeAll { some.contains($0) }
      case 2:
        for object in some.prefix(1) {
          objects.insert(object)
          if !expected.contains(object) { expected.append(object) }
        }
      default:
        for object in some.prefix(1) {
          objects.remove(object)
          expected.removeAll { $0 == object }
        }
      }
      #expect(Array(objects) == expected, "step \(step)")
      if step % 40 == 0 {
        #expect(context.checkInvariants() == [], "step \(step)")
        if step % 80 == 0 { try context.commit() }
      }
    }
  }

  @Test("C3: an object is dumped with its values and the names of its related objects")
  func descriptions() throws {
    let context = try Fixture.context(
      #"""
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": "string",
        "code": {"type": "string", "optional": true, "sensitive": true}},
        "relationships": {"powers": {"destination": "Power", "toMany": true, "inverse": "heroes"}, "best": {"destination": "Power"}}},
      "Power": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "heroes": {"destination": "Hero", "toMany": true, "inverse": "powers"}}}
      """#)
    let hero = try context.load(#"{"id": 1, "name": "a", "code": "secret", "powers": [4, 7], "best": 7}"#, "Hero")[0]
    let powers: RelatedObjects<ManagedObject> = hero["powers"]
    #expect("\(powers)" == "[Power(4), Power(7)]")
    var text = ""
    dump(hero, to: &text)
    for expected in ["name: ", "\"a\"", "<hidden>", "Power(4)", "Power(7)"] {
      #expect(text.contains(expected), "\(text)")
    }
    #expect(!text.contains("secret") && text.utf8.count < 1000, "\(text)")
  }

  @Test("C1: the time to add to or remove from a large relationship does not grow with its size")
  func large() throws {
    let (context, heroes, _) = try graph()
    let objects: RelatedObjects<ManagedObject> = heroes[0]["powers"]
    let powers = try context.load("[\((10..<20_010).map(String.init).joined(separator: ","))]", "Power")
    for power in powers { objects.insert(power) }
    #expect(objects.count == 20_002)
    for power in powers.shuffled() { objects.remove(power) }
    #expect(objects.count == 2 && context.checkInvariants() == [])
  }
}
