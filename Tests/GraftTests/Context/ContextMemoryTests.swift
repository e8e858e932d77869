import Graft
import GraftTestSupport
import Testing

@Suite("Context: reused memory") struct ContextMemoryTests {
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

  @Test("C2: closing the gaps of many deleted objects preserves handles, links, identities and order")
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
    #expect(
      try left.allSatisfy {
        try !$0.isDeleted && context.find(ofEntity: "Hero", identity: $0["id"] as Int? ?? 0) === $0
      })
    #expect(heroes[0].isDeleted && heroes[0].entity.name == "Hero")
    let team = try #require(try context.find(ofEntity: "Team", identity: 1))
    #expect(Set(team["members"] as [ManagedObject]) == Set(left))
    #expect((team["star"] as ManagedObject?)?["name"] as String? == "hero 7")
    #expect((team["guests"] as [ManagedObject]).map { $0["id"] as Int? } == [7])
    #expect(!context.hasChanges)
  }

  @Test("C2: edits, imports and rollbacks work as before after the gaps are closed")
  func gapsAndOn() throws {
    let (context, heroes) = try heroes(1_500)
    for hero in heroes.dropLast(200) { try context.delete(hero) }
    try context.commit()
    let before = context.dumpText
    let last = heroes[1_499]
    last["name"] = "edited"
    last["rival"] = heroes[1_400]
    try context.delete(heroes[1_450])
    context.insert(ofEntity: "Hero")["id"] = 5
    #expect(context.changes.deleted == [heroes[1_450].objectID] && context.changes.inserted.count == 1)
    context.rollBack()
    #expect(context.dumpText == before)
    #expect(context.checkInvariants() == [])
    var options = ExportOptions()
    options.identifiersOnly = true
    let report = try context.importJSON(Array(try context.exported("Hero", options).utf8), ofEntity: "Hero")
    #expect(report.inserted.isEmpty && report.updated.isEmpty && report.unchanged["Hero"] == 200)
    #expect(context.dumpText == before)
  }

  @Test("C2: a failed import closes the gaps completely or not at all, even after uncommitted changes")
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
    #expect(try context.count(ofEntity: "Hero") == 10)
  }

  @Test("C2: inserting and deleting objects repeatedly neither grows the context nor loses other objects")
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
    #expect(try context.count(ofEntity: "Hero") == 1 && keeper["name"] as String? == "keeper")
    #expect(try context.find(ofEntity: "Hero", identity: 0) === keeper)
  }

  @Test("C2: strings are released when no value refers to them, and other strings keep their content")
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
    #expect(try context.find(ofEntity: "X", identity: "c")?["text"] as String? == "59" + long)
    #expect(try context.find(ofEntity: "X", identity: "b") === objects[1])
    #expect(context.checkInvariants() == [])
    objects[1]["text"] = "short"
    context.rollBack()
    #expect(objects[1]["text"] as String? == long)
  }

  // MARK: Memory that is released

  private static let notes = #"""
    "Note": {"identityAttributes": "id", "attributes": {"id": "string", "text": {"type": "string", "optional": true}},
      "relationships": {"book": {"destination": "Book", "inverse": "notes"}}},
    "Mark": {"attributes": {"text": {"type": "string", "optional": true}}},
    "Book": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
      "notes": {"destination": "Note", "toMany": true, "inverse": "book"}}}
    """#

  /// The peak size of a context over several rounds, each of which inserts n notes of 1 KB and deletes them.
  private func peak(
    of rounds: Range<Int>, in context: ManagedObjectContext, _ count: Int,
    _ round: (ManagedObjectContext, String) throws -> Void
  ) throws -> Int {
    var most = 0
    for number in rounds {
      let text = String(repeating: "x", count: 1_000)
      let notes = (0..<count).map { #"{"id": "note \#(number) \#($0)", "text": "\#(text)", "book": 1}"# }
      try round(context, "[\(notes.joined(separator: ","))]")
      most = max(most, context.storageSizes.total)
    }
    #expect(try context.count(ofEntity: "Note") == 0)
    #expect(context.checkInvariants() == [])
    return most
  }

  @Test("C2: after 120 rounds of inserting and deleting 1,000 notes, a context is no larger than after 10 rounds")
  func rounds() throws {
    let context = try Fixture.context(Self.notes)
    let round = { (context: ManagedObjectContext, text: String) in
      for note in try context.load(text, "Note") {
        _ = context.insert(ofEntity: "Mark").objectID
        try context.delete(note)
      }
      for mark in try context.fetch(ofEntity: "Mark") { try context.delete(mark) }
      try context.commit()
    }
    let few = try peak(of: 0..<10, in: context, 1_000, round)
    let many = try peak(of: 10..<120, in: context, 1_000, round)
    #expect(Double(many) <= Double(few) * 1.05)
    #expect(context.storageSizes.texts < 1 << 20)
  }

  @Test("C2: objects inserted and deleted within a transaction leave no text in memory, even if other objects remain")
  func roundsWithinTransactions() throws {
    let context = try Fixture.context(Self.notes)
    let kept = try context.load(#"{"id": "kept", "text": "kept text"}"#, "Note")[0]
    let round = { (context: ManagedObjectContext, text: String) in
      try context.atomically {
        for note in try context.load(text, "Note") { try context.delete(note) }
      }
      try context.delete(context.fetch(ofEntity: "Note")[0])
      context.rollBack()
      #expect(kept["text"] as String? == "kept text")
    }
    func peak(_ rounds: Range<Int>) throws -> Int {
      try rounds.map { number in
        try round(
          context,
          "["
            + (0..<300).map { #"{"id": "\#(number) \#($0)", "text": "\#(String(repeating: "y", count: 1_000))"}"# }
            .joined(separator: ",") + "]")
        return context.storageSizes.total
      }.max() ?? 0
    }
    let few = try peak(0..<10)
    #expect(Double(try peak(10..<100)) <= Double(few) * 1.05)
    #expect(context.checkInvariants() == [])
  }

  @Test("C2: rolled-back deletions leave no text counted as garbage, at any depth of nesting")
  func garbageTakenBack() throws {
    struct Stop: Error {}
    let context = try Fixture.context(Self.notes)
    let notes = try context.load(
      "["
        + (0..<50).map { #"{"id": "\#($0)", "text": "\#(String(repeating: "z", count: 500))"}"# }.joined(separator: ",")
        + "]",
      "Note")
    for _ in 0..<3 {
      for note in notes.prefix(10) { try context.delete(note) }
      context.rollBack()
      #expect(throws: Stop.self) {
        try context.atomically {
          try context.delete(notes[0])
          try? context.atomically { () throws(Stop) in
            notes[1]["text"] = "another"
            try? context.delete(notes[2])
            throw Stop()
          }
          #expect(context.checkInvariants() == [])
          throw Stop()
        }
      }
      try context.dryRun { for note in notes { try context.delete(note) } }
      #expect(context.checkInvariants() == [])
    }
    #expect(notes.allSatisfy { ($0["text"] as String?)?.utf8.count == 500 })
    for note in notes { try context.delete(note) }
    try context.commit()
    #expect(context.checkInvariants() == [])
  }

  @Test("C2: a deleted object whose text was released reads as nil, also in a snapshot")
  func deletedText() throws {
    let context = try Fixture.context(Self.notes)
    let text = String(repeating: "long ", count: 20_000)
    let notes = try context.load(
      "[" + (0..<20).map { #"{"id": "\#($0)", "text": "\#(text)"}"# }.joined(separator: ",") + "]", "Note")
    for note in notes.dropFirst() { try context.delete(note) }
    let other = ManagedObjectContext(context.snapshot())
    try context.commit()
    #expect(notes[1].isDeleted && notes[1]["text"] as String? == nil)
    #expect(notes[0]["text"] as String? == text)
    for context in [context, other] {
      #expect(context.storageSizes.texts < 2 * text.utf8.count + (1 << 18))
      #expect(context.checkInvariants() == [])
    }
    #expect(try other.find(ofEntity: "Note", identity: "0")?["text"] as String? == text)
  }

  @Test(
    "C2: rows, handles, identities and numbers of deleted objects release their memory")
  func peaks() throws {
    let context = try Fixture.context(Self.notes)
    try context.load(#"{"id": "0", "text": "kept", "book": 1}"#, "Note")
    let before = context.storageSizes
    let text = (1...30_000).map { #"{"id": "\#($0)", "book": 1}"# }
    try context.load("[\(text.joined(separator: ","))]", "Note").forEach { try context.delete($0) }
    for _ in 0..<5_000 { _ = context.insert(ofEntity: "Mark").objectID }
    for mark in try context.fetch(ofEntity: "Mark") { try context.delete(mark) }
    try context.commit()
    try context.commit()
    let after = context.storageSizes
    #expect(after.rows <= before.rows + 3 * 1_024 && after.identities <= before.identities + 2_048)
    #expect(
      after.handles <= before.handles + 1 << 13 && after.numbers == 0 && after.journal <= before.journal + 1 << 14)
    #expect(try context.find(ofEntity: "Note", identity: "0")?["text"] as String? == "kept")
    #expect(context.checkInvariants() == [])
  }
}
