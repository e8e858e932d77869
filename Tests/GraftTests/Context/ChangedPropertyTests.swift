import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Context: changed properties") struct ChangedPropertyTests {
  private static let model = #"""
    "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true},
      "extra": {"type": "json", "optional": true}, "born": {"type": "date", "optional": true}},
      "relationships": {"team": {"destination": "Team", "inverse": "members"}, "rival": {"destination": "Hero"},
        "ranked": {"destination": "Hero", "toMany": true, "ordered": true}}},
    "Sidekick": {"parent": "Hero", "attributes": {"boss": {"type": "string", "optional": true}}},
    "Team": {"identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {"members": {"destination": "Hero", "toMany": true, "inverse": "team"}}},
    "Note": {"attributes": {"text": "string"}}
    """#

  @Test("C2: `changes` contains each changed property with its old and new value, on both sides of a link")
  func oldAndNew() throws {
    let context = try Fixture.context(Self.model)
    try context.load(#"[{"id": 1}, {"id": 2}, {"id": 3}]"#, "Hero")
    let heroes = try context.load(
      #"[{"id": 1, "name": "A", "team": 1, "rival": 3, "ranked": [2, 3]}, {"id": 2, "team": 1}, {"id": 3}]"#, "Hero")
    heroes[0]["name"] = "B"
    heroes[0]["name"] = "C"
    let team = context.insert(ofEntity: "Team")
    heroes[0]["team"] = team as ManagedObject?
    heroes[0]["rival"] = nil as ManagedObject?
    heroes[0]["ranked"] = [heroes[2], heroes[1]]
    heroes[1]["extra"] = ["x": 1] as JSON
    #expect(
      context.changes.updated.map(\.description) == [
        #"Hero(1) name: "A" -> "C", team: Team(1) -> \#(team.objectID), rival: Hero(3) -> nil, ranked: reordered"#,
        #"Hero(2) extra: nil -> {"x":1}"#, "Team(1) members: - Hero(1)",
      ])
    let update = try #require(context.changes.updated.first)
    #expect(update["name"] == .attribute(old: .string("A"), new: .string("C")))
    #expect(update["rival"] == .toOne(old: heroes[2].objectID, new: nil) && update["born"] == nil)
    #expect(context.changes.cause == .pending)
    context.rollBack()
    #expect(context.changes.isEmpty && context.changes.description == "no changes")
  }

  @Test("C2: a change that is reverted is not reported")
  func back() throws {
    let context = try Fixture.context(Self.model)
    let heroes = try context.load(#"[{"id": 1, "name": "A", "team": 1, "ranked": [2]}, {"id": 2}]"#, "Hero")
    let team: ManagedObject? = heroes[0]["team"]
    heroes[0]["name"] = nil as String?
    heroes[0]["team"] = nil as ManagedObject?
    heroes[0]["ranked"] = [ManagedObject]()
    #expect(context.changes.updated.count == 2)
    heroes[0]["name"] = "A"
    heroes[0]["team"] = team
    heroes[0]["ranked"] = [heroes[1]]
    #expect(!context.hasChanges && context.changes.isEmpty)
  }

  @Test(
    "C2: a change of identity is reported with the old and the new ID; a deleted object is reported with its old ID")
  func identities() throws {
    let context = try Fixture.context(Self.model)
    let heroes = try context.load(#"[{"id": 1}, {"id": 2}]"#, "Hero")
    let ids = heroes.map(\.objectID)
    heroes[0]["id"] = 10
    heroes[1]["id"] = 20
    try context.delete(heroes[1])
    let update = try #require(context.changes.updated.first)
    #expect(update.previousID == ids[0] && update.id == heroes[0].objectID && update.id.description == "Hero(10)")
    #expect(context.changes.deleted == [ids[1]])
  }

  @Test("C2: filling a placeholder is reported as an update, even if the placeholder becomes an object of a sub-entity")
  func filled() throws {
    let context = try Fixture.context(Self.model)
    try context.load(#"{"id": 1, "rival": 2}"#, "Hero")
    let placeholder = try #require(try context.find(ofEntity: "Hero", identity: 2))
    placeholder["name"] = "Robin"
    let update = try #require(context.changes.updated.first)
    #expect(update.filledPlaceholder && update.description == #"Hero(2) placeholder filled, name: nil -> "Robin""#)
  }

  @Test("C2: an object that becomes a placeholder again is reported as an update")
  func emptied() async throws {
    var updates: AsyncStream<ContextChanges>?
    do {
      let context = try Fixture.context(#""Power": {"identityAttributes": "id", "attributes": {"id": "integer64"}}"#)
      updates = context.updates()
      try context.importJSON(#"4"#, [.objects(ofEntity: "Power")])
      let snapshot = context.snapshot()
      try context.importJSON(#"{"id": 4}"#, ofEntity: "Power")
      context.restore(snapshot)
      #expect(try context.fetch(ofEntity: "Power").map(\.isPlaceholder) == [true])
    }
    var found: [String] = []
    for await changes in try #require(updates) {
      found.append("\(changes.cause) \(changes.inserted.count) \(changes.updated.map { "\($0.filledPlaceholder)" })")
    }
    #expect(found == [#"import 1 []"#, #"import 0 ["true"]"#, #"restore 0 ["false"]"#])
  }

  @Test("C2: a to-many that grew and shrank repeatedly is reported by its additions and removals since the last commit")
  func toMany() throws {
    let context = try Fixture.context(Self.model)
    var random = SeededRandom(seed: 11)
    let heroes = try context.load(
      "[\((1...60).map { #"{"id": \#($0), "team": \#($0 % 3)}"# }.joined(separator: ","))]", "Hero")
    let teams = try (0..<3).compactMap { try context.find(ofEntity: "Team", identity: $0) }
    for round in 0..<200 {
      let before = teams.map { Set($0["members"] as [ManagedObject]) }
      for _ in 0..<Int.random(in: 1...30, using: &random) {
        let team = Int.random(in: 0..<4, using: &random) == 3 ? nil : teams.randomElement(using: &random)
        heroes.randomElement(using: &random)?["team"] = team
      }
      let updates = context.changes.updated
      for (team, members) in zip(teams, before) {
        let now = Set(team["members"] as [ManagedObject])
        var (came, went): (Set<ManagedObjectID>, Set<ManagedObjectID>) = ([], [])
        if case .toMany(let inserted, let removed) = updates.first(where: { $0.id == team.objectID })?["members"] {
          (came, went) = (Set(inserted), Set(removed))
        }
        #expect(came == Set(now.subtracting(members).map(\.objectID)), "round \(round)")
        #expect(went == Set(members.subtracting(now).map(\.objectID)), "round \(round)")
      }
      if round % 3 == 0 { context.rollBack() } else { try context.commit() }
    }
    #expect(context.checkInvariants() == [])
  }
}
