import Foundation
import Graft
import GraftTestSupport
import Testing

private let details = ImportOptions(reportsDetails: true)

/// The outcome of the import for each object, one per line: `updated Hero(1) at $[0]: name "A" -> "B"`.
private func lines(_ report: ImportReport) -> String {
  report.details.map { detail in
    let changes = detail.changes.map { "\($0.name) \($0.old) -> \($0.new)" }
    return "\(detail.outcome) \(detail.name) at \(detail.path)"
      + (changes.isEmpty ? "" : ": " + changes.joined(separator: ", "))
  }.joined(separator: "\n")
}

@Suite("Report details") struct ReportDetailTests {
  @Test("I12: details list new objects and placeholders in payload order, with their locations")
  func inserted() throws {
    let context = try Fixture.context(Fixture.comics)
    let report = try context.importJSON(
      #"[{"id": 1, "powers": [{"id": 4}, 5]}, {"publisher": {"id": 10}, "id": 2, "powers": [4]}]"#, ofEntity: "Hero",
      options: details)
    #expect(
      lines(report) == """
        inserted Hero(1) at $[0]
        inserted Power(4) at $[0].powers[0]
        placeholder Power(5) at $[0].powers[1]
        inserted Hero(2) at $[1]
        inserted Publisher(10) at $[1].publisher
        """)
  }

  @Test("I12: details list updated objects with old and new values; unchanged objects are only counted")
  func updated() throws {
    let context = try Fixture.context(Fixture.comics)
    try context.load(
      #"[{"id": 1, "name": "A", "powers": [4, 5], "publisher": 10}, {"id": 2, "name": "B"}, {"id": 3}]"#, "Hero")
    let report = try context.importJSON(
      #"""
      {"heroes": [
        {"id": 1, "name": "Ä", "powers": [5, {"id": 6}], "publisher": null}, {"id": 2, "name": "B"},
        {"id": 3, "powers": []}
      ]}
      """#, ofEntity: "Hero", at: "heroes", options: details)
    #expect(
      lines(report) == """
        updated Hero(1) at $.heroes[0]: name "A" -> "Ä", powers ["Power(4)","Power(5)"] -> ["Power(5)","Power(6)"], publisher "Publisher(10)" -> null
        unlinked Power(4) at $.heroes[0]: heroes ["Hero(1)"] -> []
        unlinked Publisher(10) at $.heroes[0]: heroes ["Hero(1)"] -> []
        inserted Power(6) at $.heroes[0].powers[1]
        """)
    #expect(report.unchanged == ["Hero": 2] && report.updated == ["Hero": 1])
    #expect(report.unlinked == ["Power": 1, "Publisher": 1])
  }

  @Test(
    "E8: details list objects of unordered relationships by identity, and of ordered relationships in order"
  )
  func orderOfLinks() throws {
    let context = try Fixture.context(
      """
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "powers": {"destination": "Power", "toMany": true}, "rank": {"destination": "Power", "toMany": true, "ordered": true}}},
      "Power": {"identityAttributes": "id", "attributes": {"id": "integer64"}}
      """)
    try context.load(#"{"id": 1, "powers": [10, 9, 2], "rank": [10, 9, 2]}"#, "Hero")
    let report = try context.importJSON(
      #"{"id": 1, "powers": [11, 9, 10], "rank": [11, 9, 10]}"#, ofEntity: "Hero", options: details)
    let change = report.details.first { $0.outcome == .updated }?.changes.map { "\($0.name) \($0.old) -> \($0.new)" }
    #expect(
      change == [
        #"powers ["Power(2)","Power(9)","Power(10)"] -> ["Power(9)","Power(10)","Power(11)"]"#,
        #"rank ["Power(10)","Power(9)","Power(2)"] -> ["Power(11)","Power(9)","Power(10)"]"#,
      ])
  }

  @Test("I12: skipped nulls in lists are counted, with their locations")
  func nulls() throws {
    let model =
      Fixture.comics + #"""
        , "Book": {"identityAttributes": "title", "attributes": {"title": {"type": "string", "JSONKeyPath": "@key"}}},
        "Line": {"attributes": {"place": {"type": "integer64", "JSONKeyPath": "@index"}, "text": "string"}}
        """#
    let context = try Fixture.context(model)
    let report = try context.importJSON(
      #"[null, {"id": 1, "powers": [4, null, {"id": 5}, null], "publisher": null}]"#, ofEntity: "Hero", options: details
    )
    #expect(report.skipped == ["Hero": 1, "Power": 2])
    #expect(
      lines(report) == """
        skipped Hero at $[0]
        inserted Hero(1) at $[1]
        placeholder Power(4) at $[1].powers[0]
        skipped Power at $[1].powers[1]
        inserted Power(5) at $[1].powers[2]
        skipped Power at $[1].powers[3]
        """)
    let dictionaries = try context.importJSON(["id": 1, "powers": [NSNull(), 4] as [Any]], ofEntity: "Hero")
    #expect(dictionaries.skipped == ["Power": 1])
    #expect(try context.importJSON(#"{"a": null, "b": {}}"#, ofEntity: "Book").skipped == ["Book": 1])
    // An element that follows a null keeps its position; null in place of the whole payload is not an element.
    #expect(try context.importJSON(#"[null, {"text": "b"}]"#, ofEntity: "Line").skipped.isEmpty)
    #expect(try context.importJSON("null", ofEntity: "Hero").skipped.isEmpty)
    for size in [1, 2, 100] {
      let stream = try ImportStream(
        ofEntity: "Hero", in: context, format: .lines, batches: ImportBatches(size: size))
      try stream.append(Array("{\"id\": 1}\nnull\n{\"id\": 2}\nnull\n".utf8))
      #expect(try stream.finish().skipped == ["Hero": 2], "\(size)")
    }
  }

  @Test(
    "D10: an object that a stream deletes is reported with the entity that it had before the stream")
  func deletedAfterNarrowing() throws {
    let context = try Fixture.context(
      """
      "Item": {"identityAttributes": "id",
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"special": "Special"}},
        "deletedWhen": {"JSONKeyPath": "gone", "equals": true},
        "attributes": {"id": {"type": "integer64", "JSONKeyPath": "id"}},
        "relationships": {"next": {"destination": "Item", "JSONKeyPath": "next"}}},
      "Special": {"parent": "Item"}
      """)
    try context.load(#"{"id": 2, "next": 1}"#, "Item")
    for reportsDetails in [true, false] {
      try context.dryRun {
        let stream = try ImportStream(
          ofEntity: "Item", in: context, format: .lines, batches: ImportBatches(size: 1),
          options: ImportOptions(reportsDetails: reportsDetails))
        try stream.append(Array("{\"id\": 1, \"kind\": \"special\"}\n{\"id\": 1, \"gone\": true}\n".utf8))
        #expect(try stream.finish().deleted == ["Item": 1], "\(reportsDetails)")
      }
    }
  }

  @Test("I12: old values are the values before the import, even if the payload contains other values in between")
  func twice() throws {
    let context = try Fixture.context(Fixture.comics)
    try context.load(#"[{"id": 1, "name": "A", "powers": [4]}, {"id": 2, "name": "A"}]"#, "Hero")
    let report = try context.importJSON(
      #"""
      [{"id": 1, "name": "B", "powers": [5, 6]}, {"id": 1, "name": "C", "powers": [6]}, {"id": 2, "name": "B"},
       {"id": 2, "name": "A"}]
      """#, ofEntity: "Hero", options: details)
    #expect(
      lines(report) == """
        updated Hero(1) at $[0]: name "A" -> "C", powers ["Power(4)"] -> ["Power(6)"]
        unlinked Power(4) at $[0]: heroes ["Hero(1)"] -> []
        placeholder Power(5) at $[0].powers[0]
        placeholder Power(6) at $[0].powers[1]
        """)
    #expect(report.updated == ["Hero": 1] && report.unchanged == ["Hero": 1])
  }

  @Test("I12: details include filled placeholders, owners that lose an object, and earlier changes in code")
  func filled() throws {
    let context = try Fixture.context(
      #"""
      "Team": {
        "identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
        "relationships": {
          "members": {"destination": "Person", "toMany": true, "ordered": true, "inverse": "team"},
          "friends": {"destination": "Person", "toMany": true}
        }
      },
      "Person": {
        "identityAttributes": "id",
        "attributes": {"id": "integer64", "name": {"type": "string", "optional": true, "default": "?"}},
        "relationships": {"team": {"destination": "Team", "inverse": "members"}}
      }
      """#)
    try context.load(#"[{"id": 1, "members": [7, 8], "friends": [9]}, {"id": 2}]"#, "Team")
    try context.find(ofEntity: "Team", identity: 1)?["name"] = "by hand"
    let report = try context.importJSON(
      #"[{"id": 2, "members": [8, {"id": 7}]}, {"id": 1, "friends": []}]"#, ofEntity: "Team", options: details)
    #expect(
      lines(report) == """
        updated Team(2) at $[0]: members [] -> ["Person(8)","Person(7)"]
        unlinked Person(8) at $[0]: team "Team(1)" -> "Team(2)"
        filled Person(7) at $[0].members[1]: name null -> "?", team "Team(1)" -> "Team(2)"
        updated Team(1) at $[1]: members ["Person(7)","Person(8)"] -> [], friends ["Person(9)"] -> []
        unlinked Person(9) at $[1]
        """)
  }

  @Test("I12: details list unknown identifiers as skipped, in the spelling of the payload")
  func skipped() throws {
    let context = try Fixture.context(
      #"""
      "Song": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {
          "artist": {"destination": "Artist", "unresolvedRule": "skip"},
          "cards": {"destination": "Card", "toMany": true, "unresolvedRule": "skip"}
        }
      },
      "Artist": {"identityAttributes": "id", "attributes": {"id": "string"}},
      "Card": {
        "identityAttributes": ["set", "number"], "attributes": {"set": "string", "number": "integer64"}
      }
      """#)
    let report = try context.importJSON(
      #"[{"id": 1, "artist": "ab\u0063", "cards": [["DAW", 1], {"set": "DAW", "number": 2}]}]"#, ofEntity: "Song",
      options: details)
    #expect(report.skipped == ["Artist": 1, "Card": 1] && report.inserted == ["Song": 1, "Card": 1])
    #expect(
      lines(report) == """
        inserted Song(1) at $[0]
        skipped Artist(abc) at $[0].artist
        skipped Card(DAW,1) at $[0].cards[0]
        inserted Card(DAW,2) at $[0].cards[1]
        """)
    #expect(report.description.contains("Artist: 1 skipped"))
  }

  @Test("I12, M25: unmapped keys next to keys on paths through arrays are counted once, and can be rejected")
  func unknownKeysOnPaths() throws {
    let context = try Fixture.context(
      #"""
      "T": {"attributes": {
        "ids": {"type": "integer64", "list": true, "JSONKeyPath": "data.edges[].node.id", "JSONDirection": "import"},
        "tags": {"type": "string", "list": true, "optional": true, "JSONKeyPath": "data.edges[].tags[]", "JSONDirection": "import"}
      }}
      """#)
    let payload = #"""
      {"data": {"page": 1, "edges": [{"node": {"id": 1, "x": 0}, "y": {"z": 1}}, null, {"tags": ["a"], "y": 2}, {"node": null}]}}
      """#
    let report = try context.importJSON(payload, ofEntity: "T", options: ImportOptions(unknownKeys: .report))
    #expect(
      report.unknownKeys.map { "\($0.key) \($0.count) \($0.path)" } == [
        "page 1 $.data.page", "x 1 $.data.edges[0].node.x", "y 2 $.data.edges[0].y",
      ])
    let error = #expect(throws: ImportError.self) {
      try context.importJSON(payload, ofEntity: "T", options: ImportOptions(unknownKeys: .error))
    }
    #expect(
      error?.diagnostics.compactMap(\.path) == [
        "$.data.page", "$.data.edges[0].node.x", "$.data.edges[0].y", "$.data.edges[2].y",
      ])
  }

  @Test("I12: unmapped keys are reported once per entity, with a count")
  func unknownKeys() throws {
    let context = try Fixture.context(Fixture.comics)
    let options = ImportOptions(unknownKeys: .report)
    let text = #"""
      [{"id": 1, "age": 5, "powers": [{"id": 4, "age": 1, "x\ty": 0}]}, {"age": [{"age": 1}], "id": 2, "A.b": null}]
      """#
    let report = try context.importJSON(text, ofEntity: "Hero", options: options)
    let found = report.unknownKeys.map { "\($0.entityName) \($0.key.debugDescription) \($0.count) \($0.path)" }
    #expect(
      found == [
        #"Hero "age" 2 $[0].age"#, #"Power "age" 1 $[0].powers[0].age"#, #"Power "x\ty" 1 $[0].powers[0]['x\ty']"#,
        #"Hero "A.b" 1 $[1]['A.b']"#,
      ])
    let other = try Fixture.context(Fixture.comics)
    let dictionaries = try JSON(foundation: [["id": 1, "age": 5]]).foundationValue as? [Any] ?? []
    #expect(
      try other.importJSON(dictionaries, ofEntity: "Hero", options: options).unknownKeys.map(\.path) == ["$[0].age"])
    #expect(try context.importJSON(text, ofEntity: "Hero").unknownKeys.isEmpty)
  }

  @Test("I12: a dry run returns the report, shows the resulting graph, and changes nothing")
  func dryRun() throws {
    let context = try Fixture.context(Fixture.comics)
    try context.load(#"[{"id": 1, "name": "A", "powers": [4]}]"#, "Hero")
    let hero = try #require(try context.find(ofEntity: "Hero", identity: 1))
    hero["name"] = "by hand"
    let before = context.dumpText
    var seen = ""
    var new: ManagedObject?
    let report = try context.dryRun {
      let report = try context.importJSON(#"[{"id": 1, "name": "B", "powers": []}, {"id": 2}]"#, ofEntity: "Hero")
      seen = context.dumpText
      new = try context.find(ofEntity: "Hero", identity: 2)
      return report
    }
    #expect(report.inserted == ["Hero": 1] && report.updated == ["Hero": 1])
    #expect(seen.contains("Hero(2)") && seen.contains("\"B\""))
    #expect(context.dumpText == before && new?.isDeleted == true && context.hasChanges)
    context.rollBack()
    #expect(hero["name"] == "A")
    #expect(throws: ImportError.self) { try context.dryRun { try context.importJSON("[true]", ofEntity: "Hero") } }
    #expect(context.checkInvariants() == [] && !context.hasChanges)
  }

  @Test("I10: several imports and changes can be one transaction: if one of them fails, none is kept")
  func atomically() throws {
    let context = try Fixture.context(Fixture.comics)
    try context.load(#"[{"id": 1, "name": "A"}]"#, "Hero")
    let before = context.dumpText
    #expect(throws: ImportError.self) {
      try context.atomically {
        try context.load(#"[{"id": 4, "name": "Flight"}]"#, "Power")
        try context.find(ofEntity: "Hero", identity: 1)?["name"] = "B"
        try context.atomically { try context.load(#"{"id": 1, "powers": [4]}"#, "Hero") }
        try context.load("[true]", "Power")
      }
    }
    #expect(context.dumpText == before && !context.hasChanges && context.checkInvariants() == [])
    let count = try context.atomically {
      // An import inside the transaction can fail and be rolled back without the other changes.
      #expect(throws: ImportError.self) { try context.load("[{\"id\": 7}, true]", "Hero") }
      return try context.load("[8, 9]", "Hero").count
    }
    #expect(
      try count == 2 && context.count(ofEntity: "Hero") == 3 && !context.hasChanges && context.checkInvariants() == [])
  }

  @Test("I1: several entities of one document are one payload, at whose end the known identifiers are determined")
  func parts() throws {
    let context = try Fixture.context(
      #"""
      "Song": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"artist": {"destination": "Artist", "unresolvedRule": "deny"}}
      },
      "Artist": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": "string"}}
      """#)
    let parts: [ImportPart] = [
      .objects(ofEntity: "Song", at: "songs"), .objects(ofEntity: "Artist", at: "more.artists", isRequired: false),
    ]
    let text = #"{"songs": [{"id": 1, "artist": 5}], "more": {"artists": [{"id": 5, "name": "E"}]}}"#
    let json: JSON = ["songs": [["id": 1, "artist": 5]], "more": ["artists": [["id": 5, "name": "E"]]]]
    let report = try context.importJSON(text, parts)
    #expect(report.inserted == ["Song": 1, "Artist": 1])
    #expect(try context.importJSON(Array(text.utf8), parts).unchanged == ["Song": 1, "Artist": 1])
    #expect(try context.importJSON(json, parts).unchanged == ["Song": 1, "Artist": 1])
    #expect(try context.importJSON(#"{"songs": [2]}"#, parts).placeholders == ["Song": 1])
    let before = context.dumpText
    func message(_ text: String) -> String {
      do {
        try context.importJSON(text, parts)
        return "accepted"
      } catch { return error.diagnostics.map { "\($0.message) (at \($0.path ?? ""))" }.joined(separator: "\n") }
    }
    #expect(
      message(#"{"songs": [{"id": 3, "artist": 6}], "more": {"artists": [{"id": 7}]}}"#) == """
        no 'Artist' has this identifier, and 'Song.artist' accepts existing objects only (at $.songs[0].artist)
        expected a value for 'Artist.name', which is not optional, found none (at $.more.artists[0].name)
        """)
    #expect(message(#"{"more": {}}"#).contains("the key 'songs', which 'at' names"))
    #expect(message(#"{"songs": [], "more": {"artists": [}}"#) != "accepted")
    #expect(context.dumpText == before)
  }
}

@Suite("Whole lists") struct WholeListTests {
  private let model = #"""
    "Team": {
      "identityAttributes": "id", "attributes": {"id": "integer64", "country": {"type": "string", "optional": true}},
      "relationships": {
        "members": {"destination": "Person", "toMany": true, "inverse": "team", "deleteRule": "cascade"},
        "rival": {"destination": "Team"}, "sponsor": {"destination": "Sponsor", "inverse": "teams"}
      }
    },
    "Club": {"parent": "Team"},
    "Person": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {"team": {"destination": "Team", "inverse": "members"}}
    },
    "Sponsor": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {"teams": {"destination": "Team", "toMany": true, "inverse": "sponsor", "deleteRule": "deny"}}
    }
    """#

  private func loaded() throws -> ManagedObjectContext {
    let context = try Fixture.context(model)
    try context.load(
      #"[{"id": 1, "country": "de"}, {"id": 2, "members": [{"id": 7}, {"id": 8}]}, 3, {"id": 4}]"#, "Team")
    try context.load(#"[{"id": 5, "country": "de"}]"#, "Club")
    return context
  }

  @Test(
    "I12: objects that a complete list omits are deleted by their delete rules; any mention keeps an object")
  func delete() throws {
    let context = try loaded()
    let report = try context.importJSON(
      #"{"teams": [{"id": 1, "rival": 4}, {"id": 6}]}"#, [.objects(ofEntity: "Team", at: "teams", missing: .delete)])
    #expect(report.deleted == ["Team": 1, "Person": 2, "Club": 1] && report.inserted == ["Team": 1])
    #expect(try context.fetch(ofEntity: "Team").map(\.description) == ["Team(1)", "Team(3)", "Team(4)", "Team(6)"])
    #expect(try context.count(ofEntity: "Person") == 0 && context.checkInvariants() == [])
  }

  @Test("I12: omitted objects stay by default, if the closure returns false, or if the list is null or absent")
  func keep() throws {
    let context = try loaded()
    let before = context.dumpText
    try context.importJSON("[]", ofEntity: "Team")
    try context.importJSON("null", [.objects(ofEntity: "Team", missing: .delete)])
    try context.importJSON("{}", [.objects(ofEntity: "Team", at: "teams", isRequired: false, missing: .delete)])
    #expect(context.dumpText == before)
    let report = try context.importJSON(
      "[]", [.objects(ofEntity: "Team", missing: .deleteWhere { $0["country"] == "de" })])
    #expect(report.deleted == ["Team": 1, "Club": 1])
    #expect(
      try context.importJSON("[]", [.objects(ofEntity: "Team", missing: .delete)]).deleted == ["Team": 2, "Person": 2])
    #expect(context.drawing == "Team(3) placeholder")
  }

  @Test("I10: if the deletion of an omitted object is denied, the import fails and leaves no trace")
  func denied() throws {
    let context = try Fixture.context(
      #"""
      "Order": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"lines": {"destination": "Line", "toMany": true, "inverse": "order", "deleteRule": "deny"}}
      },
      "Line": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"order": {"destination": "Order", "inverse": "lines"}}
      }
      """#)
    try context.load(#"[{"id": 1, "lines": [5]}, {"id": 2}]"#, "Order")
    let before = context.dumpText
    let error = #expect(throws: ImportError.self) {
      try context.importJSON(#"{"orders": [{"id": 3}]}"#, [.objects(ofEntity: "Order", at: "orders", missing: .delete)])
    }
    #expect(
      error?.diagnostics.map { "\($0.message) (at \($0.path ?? ""))" } == [
        "'Order(1)', which the payload does not mention, cannot be deleted: 'Order.lines' still has objects (at $.orders)"
      ])
    #expect(context.dumpText == before && context.checkInvariants() == [])
  }
}
