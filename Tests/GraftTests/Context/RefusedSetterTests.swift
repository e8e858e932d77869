import Graft
import GraftTestSupport
import Testing

/// Property setters cannot throw, so a later call throws their errors.
@Suite("Refused setters") struct RefusedSetterTests {
  private static func heroes() throws -> (ManagedObjectContext, ManagedObject) {
    let context = try Fixture.context(
      """
      "Hero": {
        "identityAttributes": "id",
        "attributes": {"id": "integer64", "level": {"type": "integer16", "optional": true}},
        "relationships": {"ally": {"destination": "Hero"}, "team": {"destination": "Hero", "toMany": true}}
      }
      """)
    return (context, try context.load(#"[{"id": 1, "level": 1}, {"id": 2}]"#, "Hero")[0])
  }

  /// Values that setters refuse, and the errors thrown for them.
  private static let refusals: [(String, @Sendable (ManagedObject) throws -> Void)] = [
    ("there is already another object 'Hero(2)'", { $0["id"] = 2 }),
    ("'Hero.level' is declared integer16: it cannot hold the number 70000", { $0["level"] = 70_000 }),
    ("'Hero.level' is declared integer16: it cannot hold the string \"x\"", { $0["level"] = "x" }),
    (
      "'Hero(2)' was deleted: it cannot be linked",
      { hero in
        let other = try #require(try hero.context.find(ofEntity: "Hero", identity: 2))
        try hero.context.delete(other)
        hero["ally"] = other
      }
    ),
    (
      "'Hero(1)' was deleted: its properties cannot be set",
      { hero in
        try hero.context.delete(hero)
        hero["team"] = [ManagedObject]()
      }
    ),
  ]

  @Test(
    "I10, I20: a transaction in which a setter refuses a value throws the setter's error and rolls back",
    arguments: refusals.indices)
  func transactions(_ index: Int) throws {
    let (words, change) = Self.refusals[index]
    let (context, hero) = try Self.heroes()
    hero["level"] = 3
    let before = context.dumpText
    let runs: [(() throws -> Void) throws -> Void] = [
      { try context.atomically($0) }, { try context.dryRun($0) }, { try context.decoding($0) },
      { body in
        try context.atomically {
          context.atomically { _ = Result { try body() } }; try context.validate()
        }
      },
    ]
    for run in runs {
      let error = #expect(throws: PropertyError.self) {
        try run {
          context.insert(ofEntity: "Hero")["id"] = 9
          try change(hero)
          #expect(try context.count(ofEntity: "Hero") > 1)
        }
      }
      #expect(error?.description == words)
      #expect(context.dumpText == before && context.checkInvariants() == [])
    }
    #expect(context.hasChanges && !hero.isDeleted)
  }

  @Test(
    "I10: a transaction rolls back if its closure throws PropertyError; the closure's own error takes precedence")
  func typed() throws {
    struct Stop: Error {}
    let (context, hero) = try Self.heroes()
    let before = context.dumpText
    do throws(PropertyError) {
      try context.atomically { () throws(PropertyError) in hero["id"] = 2 }
      Issue.record("accepted")
    } catch {
      #expect(error.description == "there is already another object 'Hero(2)'")
    }
    #expect(throws: Stop.self) {
      try context.atomically {
        hero["id"] = 2
        throw Stop()
      }
    }
    #expect(context.dumpText == before)
    // The next transaction starts without the error.
    try context.atomically { try hero.setValue(.integer(7), of: "id") }
    #expect(try context.find(ofEntity: "Hero", identity: 7) === hero)
  }

  @Test("I4: the identity of a placeholder cannot be removed")
  func placeholder() throws {
    let (context, hero) = try Self.heroes()
    try context.load(#"{"id": 1, "ally": 5}"#, "Hero")
    let ally = try #require(try context.find(ofEntity: "Hero", identity: 5))
    let error = #expect(throws: PropertyError.self) { try ally.setValue(nil, of: "id") }
    #expect(error?.description == "'Hero(5)' is a placeholder: without its identity it could not be imported again")
    #expect(throws: PropertyError.self) {
      try context.decoding { ally["id"] = Int?.none }
    }
    #expect(
      try ally.isPlaceholder && context.find(ofEntity: "Hero", identity: 5) === ally && context.checkInvariants() == [])
    // A placeholder can get another identity, and a full object can lack an identity until it is validated.
    try ally.setValue(.integer(6), of: "id")
    try hero.setValue(nil, of: "id")
    #expect(try context.find(ofEntity: "Hero", identity: 6) === ally && context.checkInvariants() == [])
  }

  @Test("C1: assigning a nil literal to a property removes its value")
  func literalNil() throws {
    let (context, hero) = try Self.heroes()
    hero["ally"] = try context.find(ofEntity: "Hero", identity: 2)
    hero["level"] = nil
    hero["ally"] = nil
    #expect(hero["level"] as Int? == nil && hero["ally"] as ManagedObject? == nil)
    #expect(context.changes.updated.first?["level"] == .attribute(old: .integer(1), new: nil))
  }
}
