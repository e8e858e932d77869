import Graft
import GraftTestSupport
import Testing

@Suite("Context: memory that is used again") struct ContextMemoryTests {
  private static let model = #"""
    "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
      "relationships": {
        "team": {"destination": "Team", "inverse": "members"}, "rival": {"destination": "Hero"},
        "rivals": {"destination": "Hero", "toMany": true, "ordered": true},
        "friends": {"destination": "Hero", "toMany": true, "inverse": "friends"}}},
    "Team": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
      "members": {"destination": "Hero", "toMany": true, "inverse": "team"},
      "star": {"destination": "Hero"}, "guests": {"destination": "Hero", "toMany": true}}}
    """#

  /// Heroes who know each other, and their team.
  private func heroes(_ count: Int) throws -> (ManagedObjectContext, [ManagedObject]) {
    let context = try Fixture.context(Self.model)
    let text = (0..<count).map { id in
      #"""
      {"id": \#(id), "name": "hero \#(id)", "team": 1, "rival": \#((id + 1) % count),
       "rivals": [\#((id + 2) % count), \#((id + 1) % count)], "friends": [\#((id + 3) % count)]}
      """#
    }
    let heroes = try context.load("[\(text.joined(separator: ","))]", "Hero")
    try context.load(#"{"id": 1, "star": 7, "guests": [6, 7, 8]}"#, "Team")
    return (context, heroes)
  }

  @Test("C2: closing the gaps of many deleted objects keeps handles, links, identities and order")
  func gaps() throws {
    let count = 2_000
    let (context, heroes) = try heroes(count)
    for hero in heroes where (hero["id"] as Int? ?? 0) % 4 != 3 { try context.delete(hero) }
    let left = heroes.filter { !$0.isDeleted }
    let before = context.dumpText
    #expect(left.count == count / 4)
    try context.commit()
    #expect(context.dumpText == before)
    #expect(context.checkInvariants() == [])
    #expect(left.map { $0["id"] as Int? ?? 0 } == Array(stride(from: 3, to: count, by: 4)))
    #expect(left.allSatisfy { !$0.isDeleted && context.find(entityNamed: "Hero", $0["id"] as Int? ?? 0) === $0 })
    #expect(heroes[0].isDeleted && heroes[0].entity.name == "Hero")
    let team = try #require(context.find(entityNamed: "Team", 1))
    #expect(Set(team["members"] as [ManagedObject]) == Set(left))
    #expect((team["star"] as ManagedObject?)?["name"] as String? == "hero 7")
    #expect((team["guests"] as [ManagedObject]).map { $0["id"] as Int? } == [7])
    #expect(!context.hasChanges)
  }

  @Test("C2: after the gaps are closed the context goes on as before: edits, imports, rolling back")
  func gapsAndOn() throws {
    let (context, heroes) = try heroes(1_500)
    for hero in heroes.dropLast(200) { try context.delete(hero) }
    try context.commit()
    let before = context.dumpText
    let last = heroes[1_499]
    last["name"] = "edited"
    last["rival"] = heroes[1_400]
    try context.delete(heroes[1_450])
    context.insert(entityNamed: "Hero")["id"] = 5
    #expect(context.changes.deleted == [heroes[1_450].objectID] && context.changes.inserted.count == 1)
    context.rollBack()
    #expect(context.dumpText == before)
    #expect(context.checkInvariants() == [])
    var options = ExportOptions()
    options.identifiersOnly = true
    let report = try context.importJSON(Array(try context.exported("Hero", options).utf8), into: "Hero")
    #expect(report.inserted.isEmpty && report.updated.isEmpty && report.unchanged["Hero"] == 200)
    #expect(context.dumpText == before)
  }

  @Test("C2: an import that fails does not close gaps halfway, nor does one on top of changes")
  func gapsAndImports() throws {
    let (context, heroes) = try heroes(1_200)
    for hero in heroes.dropLast(10) { try context.delete(hero) }
    let before = context.dumpText
    #expect(throws: ImportError.self) { try context.load(#"[{"id": 9999, "friends": [1195]}, {"id": true}]"#, "Hero") }
    #expect(context.dumpText == before)
    #expect(context.checkInvariants() == [])
    try context.load(#"{"id": 1195, "friends": [1196, 1197]}"#, "Hero")
    #expect(context.checkInvariants() == [])
    try context.load(#"{"id": 1198, "friends": [1199]}"#, "Hero")
    #expect(context.checkInvariants() == [])
    #expect(heroes[1_195]["name"] as String? == "hero 1195")
    #expect(Set(heroes[1_195]["friends"] as [ManagedObject]) == [heroes[1_196], heroes[1_197]])
    #expect(context.count(of: "Hero") == 10)
  }

  @Test("C2: objects that come and go do not make the context grow, nor lose what stays")
  func comingAndGoing() throws {
    let context = try Fixture.context(Self.model)
    let keeper = try context.load(#"{"id": 0, "name": "keeper", "team": 1}"#, "Hero")[0]
    for round in 1...6 {
      let text = (1...700).map { #"{"id": \#($0), "name": "round \#(round)", "friends": [0], "team": 1}"# }
      let heroes = try context.load("[\(text.joined(separator: ","))]", "Hero")
      #expect((keeper["friends"] as RelatedObjects<ManagedObject>).count == 700)
      for hero in heroes { try context.delete(hero) }
      try context.commit()
      #expect(context.checkInvariants() == [])
      #expect((keeper["friends"] as RelatedObjects<ManagedObject>).isEmpty)
    }
    #expect(context.count(of: "Hero") == 1 && keeper["name"] as String? == "keeper")
    #expect(context.find(entityNamed: "Hero", 0) === keeper)
  }

  @Test("C2: texts that nobody refers to are given back, and the others stay what they are")
  func texts() throws {
    let context = try Fixture.context(
      #"""
      "X": {"identityAttributes": "id", "attributes": {"id": "string", "text": {"type": "string", "optional": true},
        "json": {"type": "json", "optional": true}, "uuid": {"type": "uuid", "optional": true}}}
      """#)
    let long = String(repeating: "ä", count: 40_000)
    let uuid = "123e4567-e89b-12d3-a456-42661417400f"
    let objects = try context.load(
      #"[{"id": "a", "text": "kept", "json": {"k": [1.50]}, "uuid": "\#(uuid)"}, {"id": "b", "text": "\#(long)"}]"#, "X"
    )
    for round in 0..<60 { try context.load(#"{"id": "c", "text": "\#(round)\#(long)"}"#, "X") }
    #expect(objects[0]["text"] as String? == "kept" && objects[1]["text"] as String? == long)
    #expect(try context.text(objects[0]) == #"{"id":"a","text":"kept","json":{"k":[1.50]},"uuid":"\#(uuid)"}"#)
    #expect(context.find(entityNamed: "X", "c")?["text"] as String? == "59" + long)
    #expect(context.find(entityNamed: "X", "b") === objects[1])
    #expect(context.checkInvariants() == [])
    objects[1]["text"] = "short"
    context.rollBack()
    #expect(objects[1]["text"] as String? == long)
  }
}
