import Graft
import GraftTestSupport
import Testing

@Suite("Import reports") struct ImportReportTests {
  private static let orders = #"""
    "Order": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
      "lines": {"destination": "Line", "toMany": true, "inverse": "order", "deleteOrphans": true}}},
    "Line": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
      "order": {"destination": "Order", "inverse": "lines"}}}
    """#

  private func run(_ context: ManagedObjectContext, _ text: String, _ entity: String = "Hero") throws -> ImportReport {
    try context.importJSON(Array(text.utf8), ofEntity: entity)
  }

  @Test("D10: objects are reported as inserted, updated, unchanged, or mentioned only by their identifier")
  func counts() throws {
    let context = try Fixture.context(Fixture.comics)
    var report = try run(context, #"[{"id": 1, "powers": [4, {"id": 9}]}, {"id": 1, "name": "B"}]"#)
    #expect(report.inserted == ["Hero": 1, "Power": 1] && report.placeholders == ["Power": 1])
    #expect(report.updated.isEmpty && report.unchanged.isEmpty && report.filled.isEmpty && report.deleted.isEmpty)
    report = try run(context, #"[{"id": 1, "name": "B", "powers": [4, 9]}]"#)
    #expect(report.unchanged == ["Hero": 1] && report.updated.isEmpty && report.inserted.isEmpty)
    report = try run(context, #"[{"id": 1, "name": "C"}, {"id": 1, "name": "B"}]"#)
    #expect(report.unchanged == ["Hero": 1] && report.updated.isEmpty)
    report = try run(context, #"[{"id": 1, "name": "C"}, {"id": 1, "name": "D"}]"#)
    #expect(report.updated == ["Hero": 1] && report.unchanged.isEmpty)
    try context.load(#"{"id": 1, "name": "B"}"#, "Hero")
    report = try run(context, #"[{"id": 4, "name": "Agility"}, {"id": 9}]"#, "Power")
    #expect(report.filled == ["Power": 1] && report.unchanged == ["Power": 1] && report.inserted.isEmpty)
  }

  @Test("D10: an object that only gained a link through an inverse is not reported as updated")
  func gainedThroughInverse() throws {
    let context = try Fixture.context(Fixture.comics)
    try context.load(#"[{"id": 1, "powers": [{"id": 4}]}, {"id": 2}]"#, "Hero")
    let report = try run(context, #"[{"id": 2, "powers": [{"id": 4}]}]"#)
    #expect(report.updated == ["Hero": 1] && report.unchanged == ["Power": 1])
  }

  @Test(
    "D10: objects that gain and lose links through an inverse are distinguished, in lists of any length",
    arguments: [1, 2, 4, 5, 13, 2000])
  func gainedAndLost(length: Int) throws {
    let context = try Fixture.context(Fixture.comics)
    let heroes = (1...length).map { "{\"id\": \($0), \"powers\": [{\"id\": 4}]}" }
    try context.load("[\(heroes.joined(separator: ",")), {\"id\": 3001}, {\"id\": 3002}]", "Hero")
    func power(_ steps: String...) throws -> ImportReport {
      let text = "[" + steps.joined(separator: ", ") + "]"
      return try context.dryRun { try context.importJSON(text, ofEntity: "Hero") }
    }
    let gain = { (id: Int) in "{\"id\": \(id), \"powers\": [{\"id\": 4}]}" }
    let loss = { (id: Int) in "{\"id\": \(id), \"powers\": []}" }
    #expect(try power(gain(3001), loss(3001)).updated.isEmpty)
    #expect(try power(gain(3001), gain(3002), loss(3001)).updated == ["Hero": 1])
    #expect(try power(gain(3001), loss(1)).updated == ["Hero": 2, "Power": 1])
    #expect(try power(gain(3001), loss(3001), loss(1), gain(1)).unchanged["Power"] == 1)
    #expect(try power(gain(3001), loss(1), gain(1), gain(3002), loss(3002)).updated == ["Hero": 1])
  }

  @Test("I12: an object with a dictionary is reported as updated if its relationship changed through an inverse")
  func movedThroughInverse() throws {
    let context = try Fixture.context(Fixture.comics)
    try context.load(#"[{"id": 1, "powers": [{"id": 4}]}, {"id": 2}]"#, "Hero")
    let text = #"[{"id": 1, "powers": []}, {"id": 2, "powers": [{"id": 4}]}]"#
    let report = try context.dryRun {
      try context.importJSON(text, ofEntity: "Hero", options: ImportOptions(reportsDetails: true))
    }
    #expect(report.updated == ["Hero": 2, "Power": 1] && report.unchanged.isEmpty)
    let power = report.details.first { $0.name == "Power(4)" }
    #expect(power?.outcome == .updated && power?.changes.map(\.old) == [["Hero(1)"]])
    #expect(power?.changes.map(\.new) == [["Hero(2)"]])
    #expect(try run(context, text).updated == ["Hero": 2, "Power": 1])
  }

  private static let friends = #"""
    "Person": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
      "friend": {"destination": "Person"}, "idols": {"destination": "Person", "toMany": true},
      "home": {"destination": "Home", "inverse": "owners"}}},
    "Home": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
      "owners": {"destination": "Person", "toMany": true, "inverse": "home", "deleteOrphans": true}}}
    """#

  private func details(_ context: ManagedObjectContext, _ text: String, _ entity: String) throws -> [String] {
    try context.importJSON(text, ofEntity: entity, options: ImportOptions(reportsDetails: true)).details.map { detail in
      "\(detail.outcome) \(detail.name)"
        + detail.changes.map { " \($0.name) \($0.old) -> \($0.new)" }.joined(separator: ",")
    }
  }

  @Test("I12: clearing a link to an already deleted object is not reported as a change", arguments: [false, true])
  func linkToFormerlyDeleted(reportsDetails: Bool) throws {
    let context = try Fixture.context(Self.friends)
    try context.load(#"[{"id": 1, "friend": 9, "idols": [8, 9]}, {"id": 8}, {"id": 9}]"#, "Person")
    try context.delete(context.find(ofEntity: "Person", identity: 9)!)
    try context.commit()
    let before = context.dumpText
    let report = try context.importJSON(
      #"{"id": 1, "friend": null, "idols": [8]}"#, ofEntity: "Person",
      options: ImportOptions(reportsDetails: reportsDetails))
    #expect(context.dumpText == before)
    #expect(report.updated.isEmpty && report.unchanged == ["Person": 1] && report.details.isEmpty)
  }

  @Test("I12: a link without an inverse to an object that the import deletes is reported as removed")
  func linkToDeleted() throws {
    let context = try Fixture.context(Self.friends)
    try context.load(
      #"[{"id": 1, "friend": 9, "idols": [8, 9]}, {"id": 8}, {"id": 9}, {"id": 7, "friend": 9}]"#, "Person")
    try context.load(#"{"id": 1, "owners": [9]}"#, "Home")
    #expect(
      try details(context, #"[{"id": 1, "owners": [{"id": 7}]}]"#, "Home") == [
        #"updated Home(1) owners ["Person(9)"] -> ["Person(7)"]"#, "deleted Person(9)",
        #"unlinked Person(1) friend "Person(9)" -> null, idols ["Person(8)","Person(9)"] -> ["Person(8)"]"#,
        #"updated Person(7) friend "Person(9)" -> null, home null -> "Home(1)""#,
      ])
    #expect(context.checkInvariants() == [])
  }

  @Test("I12: the new value in a reported change is never an object that the same import deletes")
  func newValueDeleted() throws {
    let context = try Fixture.context(Self.friends)
    try context.load(#"[{"id": 1}, {"id": 9}]"#, "Person")
    try context.load(#"{"id": 1, "owners": [9]}"#, "Home")
    let text = #"[{"id": 1, "owners": [{"id": 1, "friend": 9, "idols": [9]}]}]"#
    #expect(
      try details(context, text, "Home") == [
        #"updated Home(1) owners ["Person(9)"] -> ["Person(1)"]"#, "deleted Person(9)",
        #"updated Person(1) home null -> "Home(1)""#,
      ])
  }

  @Test("I12: a different spelling of the discriminator alone is not reported as a change")
  func bareDiscriminator() throws {
    let context = try Fixture.context(
      #"""
      "Note": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"5": "Memo"}}},
      "Memo": {"parent": "Note"}
      """#)
    try context.load(#"{"id": 1, "kind": 5}"#, "Note")
    #expect(try run(context, #"{"id": 1, "kind": "5"}"#, "Note").unchanged == ["Memo": 1])
  }

  @Test("I12: a placeholder that is narrowed to a sub-entity is reported as updated, with its former entity")
  func narrowed() throws {
    let context = try Fixture.context(
      #"""
      "Note": {"identityAttributes": "id", "attributes": {"id": "integer64"}},
      "Memo": {"parent": "Note"},
      "Desk": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"memo": {"destination": "Memo"}}}
      """#)
    try context.load("[1]", "Note")
    let report = try context.importJSON(
      #"{"id": 1, "memo": 1}"#, ofEntity: "Desk", options: ImportOptions(reportsDetails: true))
    #expect(report.updated == ["Memo": 1] && report.placeholders.isEmpty)
    let memo = report.details.first { $0.outcome == .updated }
    #expect(memo?.name == "Memo(1)" && memo?.previousName == "Note(1)" && memo?.changes == [])
  }

  @Test("I12: a change that a later payload of the run reverts is not reported")
  func changedBack() throws {
    let context = try Fixture.context(Fixture.comics)
    try context.load(#"[{"id": 1, "name": "A", "powers": [4, 5]}]"#, "Hero")
    let options = ImportOptions(reportsDetails: true)
    let report = try context.importPayloads(
      [#"[{"id": 1, "name": "B", "powers": [5]}]"#, #"[{"id": 1, "name": "A", "powers": [4, 5]}]"#].map {
        ImportPayload("Hero", bytes: Array($0.utf8), options: options)
      })
    #expect(report.details.isEmpty && report.updated.isEmpty && report.unlinked.isEmpty)
    #expect(report.unchanged == ["Hero": 1])
  }

  @Test("D10: an object mentioned only by its identifier is reported only if the mention creates a placeholder")
  func mentions() throws {
    let context = try Fixture.context(Fixture.comics)
    try context.load(#"{"id": 1, "powers": [{"id": 4}]}"#, "Hero")
    let report = try run(context, "[1, 2]")
    #expect(report.placeholders == ["Hero": 1])
    #expect(report.inserted.isEmpty && report.unchanged.isEmpty && report.updated.isEmpty)
  }

  @Test("D10: deleted orphans are reported; an object that is inserted and deleted as an orphan is not reported")
  func orphans() throws {
    let context = try Fixture.context(Self.orders)
    var report = try run(context, #"{"id": 1, "lines": [{"id": 1}, {"id": 2}]}"#, "Order")
    #expect(report.inserted == ["Order": 1, "Line": 2])
    report = try run(context, #"{"id": 1, "lines": [2]}"#, "Order")
    #expect(report.deleted == ["Line": 1] && report.updated == ["Order": 1])
    report = try run(context, #"[{"id": 1, "lines": [{"id": 3}]}, {"id": 1, "lines": [2]}]"#, "Order")
    #expect(try report.inserted.isEmpty && report.deleted.isEmpty && context.count(ofEntity: "Line") == 1)
    #expect(context.checkInvariants() == [])
  }

  @Test(
    "D10: an object is reported once per run: as inserted rather than updated, also if it fills a new placeholder"
  )
  func merging() throws {
    let context = try Fixture.context(Fixture.comics)
    func payload(_ text: String, _ entity: String) -> ImportPayload { ImportPayload(entity, bytes: Array(text.utf8)) }
    let total = try context.importPayloads([
      payload(#"[{"id": 1, "powers": [4]}]"#, "Hero"), payload(#"[{"id": 1, "name": "B"}, {"id": 2}]"#, "Hero"),
      payload(#"[{"id": 4, "name": "Agility"}]"#, "Power"),
    ])
    #expect(total.inserted == ["Hero": 2, "Power": 1])
    #expect(total.updated.isEmpty && total.placeholders.isEmpty && total.filled.isEmpty)
  }

  @Test("D10: several payloads in one transaction produce one report, or none if one payload fails")
  func units() throws {
    let context = try Fixture.context(Fixture.comics)
    func payload(_ text: String, _ entity: String) -> ImportPayload { ImportPayload(entity, bytes: Array(text.utf8)) }
    let report = try context.importPayloads([
      payload(#"[{"id": 1, "powers": [4]}]"#, "Hero"), payload(#"[{"id": 4}]"#, "Power"),
    ])
    #expect(report.inserted == ["Hero": 1, "Power": 1] && report.placeholders.isEmpty)
    let before = context.dumpText
    #expect(throws: ImportError.self) {
      try context.importPayloads([payload(#"[{"id": 1, "name": "B"}, 2]"#, "Hero"), payload("[true]", "Power")])
    }
    #expect(context.dumpText == before && !context.hasChanges)
    #expect(context.checkInvariants() == [])
  }

  @Test("D10: a placeholder that one payload creates and a later payload of the run deletes is not reported")
  func placeholderGone() throws {
    let context = try Fixture.context(Self.orders)
    let report = try context.importPayloads(
      ["[5]", "[]"].map { ImportPayload("Order", bytes: Array("{\"id\": 1, \"lines\": \($0)}".utf8)) })
    #expect(report.inserted == ["Order": 1] && report.placeholders.isEmpty && report.deleted.isEmpty)
    #expect(try context.count(ofEntity: "Line") == 0)
  }

  @Test("D10: a stream's report details, and its counts of unknown keys, cover the whole run")
  func detailsOfRun() throws {
    let context = try Fixture.context(Fixture.comics)
    try context.load(#"[{"id": 1, "name": "A"}]"#, "Hero")
    let stream = try ImportStream(
      ofEntity: "Hero", in: context, format: .lines, batches: ImportBatches(size: 1),
      options: ImportOptions(unknownKeys: .report, reportsDetails: true))
    let text = #"""
      {"id": 1, "name": "B", "age": 1}
      {"id": 2, "powers": [4], "age": 2}
      {"id": 1, "name": "A"}
      {"id": 3, "powers": [{"id": 4}]}
      """#
    try stream.append(text.utf8)
    let report = try stream.finish()
    #expect(report.unknownKeys.map(\.count) == [2])
    #expect(
      report.details.map { "\($0.outcome) \($0.name) \($0.changes.count)" } == [
        "inserted Hero(2) 0", "inserted Power(4) 0", "inserted Hero(3) 0",
      ])
    #expect(report.updated.isEmpty && report.unchanged == ["Hero": 1])
  }

  @Test("I12, M21: unknown keys of a dictionary that is only a reference are reported, or refused")
  func unknownKeysOfReferences() throws {
    let context = try Fixture.context(
      #"""
      "Post": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"author": {"destination": "Person", "JSONReferences": true},
          "readers": {"destination": "Person", "toMany": true, "JSONReferences": true}}},
      "Person": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "JSONKeyPath": "profile.name"}}}
      """#)
    let payload =
      #"{"id": 1, "author": {"id": 2, "nmae": "x"}, "readers": [{"id": 3, "nmae": "y"}, {"profile": {"nam": 1}, "id": 4}]}"#
    let report = try context.importJSON(payload, ofEntity: "Post", options: ImportOptions(unknownKeys: .report))
    #expect(report.unknownKeys.map { "\($0.entityName) \($0.key) \($0.count)" } == ["Person nmae 2", "Person nam 1"])
    let error = #expect(throws: ImportError.self) {
      try context.importJSON(payload, ofEntity: "Post", options: ImportOptions(unknownKeys: .error))
    }
    #expect(error?.diagnostics.map(\.path) == ["$.author.nmae", "$.readers[0].nmae", "$.readers[1].profile.nam"])
  }

  @Test("I12: a JSON value with reordered members is reported as unchanged")
  func reordered() throws {
    let context = try Fixture.context(
      #""Note": {"identityAttributes": "id", "attributes": {"id": "integer64", "data": "json"}}"#)
    _ = try run(context, #"{"id": 1, "data": {"a": 1, "b": [2]}}"#, "Note")
    #expect(try run(context, #"{"id": 1, "data": {"b": [2], "a": 1}}"#, "Note").unchanged == ["Note": 1])
    #expect(try run(context, #"{"id": 1, "data": {"b": [3], "a": 1}}"#, "Note").updated == ["Note": 1])
  }

  @Test("D10: an unordered relationship with reordered objects is reported as unchanged")
  func otherOrder() throws {
    let context = try Fixture.context(Fixture.comics)
    _ = try run(context, #"{"id": 1, "powers": [4, 5]}"#)
    #expect(try run(context, #"{"id": 1, "powers": [5, 4]}"#).unchanged == ["Hero": 1])
  }
}
