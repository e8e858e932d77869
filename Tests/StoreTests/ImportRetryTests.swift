import Graft
import GraftTestSupport
import Testing

/// Imports during which another context commits the same objects, after the import has read them and before it commits.
@Suite("Imports that are repeated") struct ImportRetryTests {
  private static let rounds = [0, 1, 9, 10]

  /// Heroes whose names are read by a transformer that lets another context commit a change to the same hero.
  private final class Race: @unchecked Sendable {
    var left = 0
    var calls = 0
    var other: (() throws -> Void)?

    func run() throws {
      calls += 1
      guard left > 0, let other else { return }
      left -= 1
      self.other = nil
      defer { self.other = other }
      try other()
    }
  }

  private struct Two {
    let race = Race()
    let source: ContextSource
    let mine: ManagedObjectContext
    let theirs: ManagedObjectContext

    init(_ kind: ContextSource.Kind, rounds: Int) throws {
      var transformers = TransformerRegistry.standard
      transformers.registerValueTransformer(named: "Race") { [race] (name: String) throws -> String in
        try race.run()
        return name
      }
      let model = try ManagedObjectModel(
        text: #"""
          {"keyStrategy": "sameName", "entities": {"Hero": {"identityAttributes": "id", "attributes": {
            "id": "integer64", "name": {"type": "string", "optional": true, "JSONTransformerName": "Race"},
            "note": {"type": "string", "optional": true}, "count": {"type": "integer64", "default": 0}},
            "relationships": {"friends": {"destination": "Hero", "toMany": true, "mergeRule": "union"}}}}}
          """#, name: "m.json", transformers: transformers)
      source = try ContextSource(kind, model)
      try source.context().load(#"[{"id": 1}, {"id": 2}, {"id": 3}]"#, "Hero")
      mine = try source.context()
      theirs = try source.context()
      race.left = rounds
      race.other = { [theirs, race] in
        let hero = try #require(try theirs.find(ofEntity: "Hero", identity: 1))
        try theirs.merge()
        hero["count"] = (hero["count"] ?? 0) + 1
        hero["note"] = "theirs \(race.left)"
        (hero["friends"] as RelatedObjects<ManagedObject>).insert(
          try #require(try theirs.find(ofEntity: "Hero", identity: 3)))
        try theirs.commit()
      }
    }

    func hero() throws -> ManagedObject {
      try #require(try source.context().find(ofEntity: "Hero", identity: 1))
    }
  }

  @Test(
    "S5: an import that encounters a conflict is repeated on the other context's commits, at most ten times",
    arguments: ContextSource.Kind.allCases, rounds)
  func oneShot(kind: ContextSource.Kind, rounds: Int) throws {
    let two = try Two(kind, rounds: rounds)
    // In memory before the other context changes the hero.
    _ = try two.mine.find(ofEntity: "Hero", identity: 1)
    let payload = #"[{"id": 1, "name": "Mine", "friends": [2]}]"#
    guard rounds < 10 else {
      let error = #expect(throws: ImportError.self) { try two.mine.importJSON(payload, ofEntity: "Hero") }
      #expect(error?.underlyingError is ConflictError)
      #expect(!two.mine.hasChanges && two.race.calls == 10)
      #expect(try two.hero()["name"] as String? == nil)
      return
    }
    let report = try two.mine.importJSON(payload, ofEntity: "Hero")
    #expect("\(report)" == "Hero: 1 updated")
    #expect(two.race.calls == rounds + 1)
    let hero = try two.hero()
    #expect(hero["name"] == "Mine")
    #expect(hero["count"] == rounds)
    #expect(hero["note"] == (rounds == 0 ? nil : "theirs 0"))
    let friends: RelatedObjects<ManagedObject> = hero["friends"]
    #expect(Set(friends.compactMap { $0["id"] as Int? }) == (rounds == 0 ? [2] : [2, 3]))
    #expect(two.mine.checkInvariants() == [])
  }

  @Test("S5: each kind of import is repeated, and returns the result of the last attempt")
  func kinds() throws {
    func check(_ text: String, _ run: (ManagedObjectContext) throws -> String) throws {
      let two = try Two(.snapshot, rounds: 2)
      _ = try two.mine.find(ofEntity: "Hero", identity: 1)
      #expect(try run(two.mine) == text)
      let hero = try two.hero()
      #expect(hero["name"] == "Mine" && hero["count"] == 2)
    }
    try check("[Hero(1)]") { context in
      "\(try objects(ofEntity: "Hero", fromJSON: ["id": 1, "name": "Mine"] as [String: Any], in: context))"
    }
    try check("Hero(1)") { context in
      "\(try object(ofEntity: "Hero", fromJSON: #"{"id": 1, "name": "Mine"}"#, in: context))"
    }
    try check("Hero: 1 updated") { context in
      var options = ImportOptions()
      options.faultyElements = .skip
      let text = #"[{"id": 1, "name": "Mine"}, {"id": "x"}]"#
      let report = try context.importJSON(text, ofEntity: "Hero", options: options)
      #expect(report.faultyElements.count == 1)
      return report.updated == ["Hero": 1] ? "Hero: 1 updated" : "\(report)"
    }
    try check("Hero: 1 inserted, 1 updated, 1 unchanged") { context in
      let stream = try ImportStream(ofEntity: "Hero", in: context, format: .lines, batches: ImportBatches(size: 1))
      try stream.append(Array("{\"id\": 2}\n{\"id\": 1, \"name\": \"Mine\"}\n{\"id\": 7}\n".utf8))
      return "\(try stream.finish())"
    }
  }

  @Test("S5: an import is not repeated if there are pending changes, or inside a transaction")
  func once() throws {
    let payload = #"[{"id": 1, "name": "Mine"}]"#
    let two = try Two(.snapshot, rounds: 1)
    try #require(try two.mine.find(ofEntity: "Hero", identity: 1))["note"] = "by hand"
    #expect(throws: ImportError.self) { try two.mine.importJSON(payload, ofEntity: "Hero") }
    #expect(two.race.calls == 1)
    #expect(two.mine.changes.updated.map(\.id.description) == ["Hero(1)"])
    let other = try Two(.snapshot, rounds: 1)
    _ = try other.mine.find(ofEntity: "Hero", identity: 1)
    #expect(throws: ConflictError.self) {
      try other.mine.atomically { try other.mine.importJSON(payload, ofEntity: "Hero") }
    }
    #expect(other.race.calls == 1 && !other.mine.hasChanges)
  }

  @Test(
    "M17: if another import commits before an import of a complete list, the latter deletes the former's objects",
    arguments: ContextSource.Kind.allCases)
  func wholeLists(kind: ContextSource.Kind) throws {
    let two = try Two(kind, rounds: 0)
    two.race.left = 1
    two.race.other = { [theirs = two.theirs] in try theirs.load(#"[{"id": 20}]"#, "Hero") }
    try two.mine.importJSON(#"[{"id": 1, "name": "x"}, {"id": 10}]"#, [.objects(ofEntity: "Hero", missing: .delete)])
    let ids = try two.source.context().fetch(ofEntity: "Hero").compactMap { $0["id"] as Int? }.sorted()
    #expect(ids == [1, 10])
  }
}
