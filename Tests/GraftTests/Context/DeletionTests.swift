import Graft
import GraftTestSupport
import Testing

@Suite("Context: deletion") struct DeletionTests {
  /// A team with members, whose relationship has a delete rule.
  private func team(_ rule: String, inverse: Bool = true) throws -> (ManagedObjectContext, ManagedObject) {
    let context = try Fixture.context(
      #"""
      "Team": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "members": {"destination": "Hero", "toMany": true, "deleteRule": "\#(rule)"\#(inverse ? #", "inverse": "team""# : "")},
        "leader": {"destination": "Hero", "deleteRule": "\#(rule)"\#(inverse ? #", "inverse": "leads""# : "")}}},
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        \#(inverse ? #""team": {"destination": "Team", "inverse": "members"}, "leads": {"destination": "Team", "inverse": "leader"},"# : "")
        "rival": {"destination": "Hero"}}}
      """#)
    let team = try context.load(
      #"{"id": 1, "members": [{"id": 2}, {"id": 3, "rival": 4}], "leader": {"id": 4}}"#, "Team")[0]
    return (context, team)
  }

  private func ids(_ context: ManagedObjectContext, _ entity: String = "Hero") throws -> [Int] {
    try context.fetch(ofEntity: entity).compactMap { $0["id"] }.sorted()
  }

  @Test(
    "M6: nullify and noAction keep the related objects and remove the links to them",
    arguments: ["nullify", "noAction"],
    [true, false])
  func nullify(rule: String, inverse: Bool) throws {
    let (context, team) = try team(rule, inverse: inverse)
    let before = context.dumpText
    try context.delete(team)
    #expect(try team.isDeleted && ids(context) == [2, 3, 4] && ids(context, "Team") == [])
    if inverse {
      #expect(try context.fetch(ofEntity: "Hero").allSatisfy { ($0["team"] as ManagedObject?) == nil })
    }
    #expect((team["members"] as [ManagedObject]).isEmpty && team["id"] as Int? == 1)
    #expect(context.checkInvariants() == [])
    context.rollBack()
    #expect(context.dumpText == before && !team.isDeleted)
    #expect(context.checkInvariants() == [])
  }

  @Test("M6: cascade deletes the destination, with and without an inverse", arguments: [true, false])
  func cascade(inverse: Bool) throws {
    let (context, team) = try team("cascade", inverse: inverse)
    let before = context.dumpText
    let hero = try #require(try context.find(ofEntity: "Hero", identity: 3))
    try context.delete(team)
    #expect(try ids(context) == [] && hero.isDeleted)
    #expect(context.dumpText == "{}\n")
    #expect(context.checkInvariants() == [])
    context.rollBack()
    #expect(context.dumpText == before)
    #expect(try context.find(ofEntity: "Hero", identity: 3) === hero)
    #expect(context.checkInvariants() == [])
  }

  @Test("M6: deny refuses a deletion while a related object exists, and names that object", arguments: [true, false])
  func deny(inverse: Bool) throws {
    let (context, team) = try team("deny", inverse: inverse)
    let before = context.dumpText
    let error = try #require(throws: PropertyError.self) { try context.delete(team) }
    #expect(
      error.description == #"'Team(1)' cannot be deleted: 'Team.members' still has objects"#)
    #expect(context.dumpText == before && !context.hasChanges)
    team["members"] = [ManagedObject]()
    #expect(throws: PropertyError.self) { try context.delete(team) }
    team["leader"] = nil as ManagedObject?
    try context.delete(team)
    #expect(try ids(context, "Team") == [])
    #expect(context.checkInvariants() == [])
  }

  @Test("M6: deny ignores objects that are deleted in the same operation")
  func denyWithinCascade() throws {
    let context = try Fixture.context(
      #"""
      "A": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "bs": {"destination": "B", "toMany": true, "inverse": "a", "deleteRule": "cascade"}}},
      "B": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "a": {"destination": "A", "inverse": "bs", "deleteRule": "deny"},
        "other": {"destination": "B", "deleteRule": "deny"}}}
      """#)
    let first = try context.load(#"{"id": 1, "bs": [{"id": 1, "other": {"id": 2}}, 2]}"#, "A")[0]
    let single = try #require(try context.find(ofEntity: "B", identity: 1))
    #expect(throws: PropertyError.self) { try context.delete(single) }
    try context.delete(first)
    #expect(try ids(context, "B") == [] && ids(context, "A") == [])
    let second = try context.load(#"{"id": 1, "bs": [{"id": 1, "other": {"id": 3}}]}"#, "A")[0]
    let error = try #require(throws: PropertyError.self) { try context.delete(second) }
    #expect(error.description == #"'B(1)' cannot be deleted: 'B.other' still has objects"#)
    #expect(try ids(context, "B") == [1, 3])
    #expect(context.checkInvariants() == [])
  }

  @Test("M6: cyclic cascades end, regardless of their length")
  func cascadeCycle() throws {
    let context = try Fixture.context(
      #"""
      "Node": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "next": {"destination": "Node", "inverse": "previous", "deleteRule": "cascade"},
        "previous": {"destination": "Node", "inverse": "next", "deleteRule": "cascade"},
        "itself": {"destination": "Node", "deleteRule": "cascade"}}}
      """#)
    let count = 20_000
    let text = (0..<count).map { "{\"id\":\($0),\"next\":\(($0 + 1) % count),\"itself\":\($0)}" }
    let nodes = try context.load("[\(text.joined(separator: ","))]", "Node")
    try context.delete(nodes[77])
    #expect(try context.count(ofEntity: "Node") == 0)
    #expect(context.checkInvariants() == [])
    context.rollBack()
    #expect(try context.count(ofEntity: "Node") == count)
    #expect(context.checkInvariants() == [])
  }

  @Test("C2: a deleted object reports isDeleted instead of crashing")
  func deletedObjects() throws {
    let context = try Fixture.context(Fixture.comics)
    let hero = try context.load(#"{"id": 1, "name": "Batman", "powers": [4], "publisher": 10}"#, "Hero")[0]
    let powers: RelatedObjects<ManagedObject> = hero["powers"]
    let power = powers[0]
    try context.delete(hero)
    try context.delete(hero)
    #expect(hero.isDeleted && !hero.isPlaceholder && hero.entity.name == "Hero")
    #expect(hero["name"] as String? == "Batman" && hero["publisher"] as ManagedObject? == nil)
    #expect(powers.isEmpty && !powers.contains(power))
    #expect((power["heroes"] as [ManagedObject]).isEmpty)
    #expect(throws: PropertyError.self) { try hero.setValue(.string("x"), of: "name") }
    #expect(throws: PropertyError.self) { try hero.value(of: "name", as: String.self) }
    #expect(try context.fetch(ofEntity: "Hero").isEmpty && context.count(ofEntity: "Hero") == 0)
    try context.commit()
    #expect(hero.isDeleted)
    #expect(context.checkInvariants() == [])
  }

  @Test(
    "C2: a link without an inverse reads as empty after its object is deleted, and is removed when the gaps are closed")
  func danglingLinks() throws {
    let context = try Fixture.context(
      #"""
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "friend": {"destination": "Friend"}, "friends": {"destination": "Friend", "toMany": true}}},
      "Friend": {"identityAttributes": "id", "attributes": {"id": "integer64"}}
      """#)
    let hero = try context.load(#"{"id": 1, "friend": 2, "friends": [1, 2, 3]}"#, "Hero")[0]
    try context.delete(try #require(try context.find(ofEntity: "Friend", identity: 2)))
    #expect((hero["friend"] as ManagedObject?) == nil)
    let friends: RelatedObjects<ManagedObject> = hero["friends"]
    #expect(friends.count == 2 && friends.map { $0["id"] as Int? } == [1, 3] && friends[1]["id"] as Int? == 3)
    #expect(try context.text(hero) == #"{"id":1,"friend":null,"friends":[1,3]}"#)
    #expect(context.checkInvariants() == [])
    try context.load(#"{"id": 1, "friend": 2}"#, "Hero")
    #expect((hero["friend"] as ManagedObject?)?.isPlaceholder == true)
    #expect(context.checkInvariants() == [])
  }
}
