import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Export: omitted relationships") struct ExportOmissionTests {
  private func options(
    depth: Int = 512, once: Bool = false, identifiersOnly: Bool = false,
    incomplete: ExportOptions.IncompleteRelationships = .omit
  ) -> ExportOptions {
    ExportOptions(
      sharedObjects: once ? .once : .full, identifiersOnly: identifiersOnly, maxDepth: depth,
      incompleteRelationships: incomplete)
  }

  /// Expects that importing an export does not change the graph.
  private func expectHarmless(_ text: String, _ entity: String, _ context: ManagedObjectContext) throws {
    let before = context.dumpText
    let report = try context.importJSON(Array(text.utf8), ofEntity: entity)
    #expect(context.dumpText == before)
    #expect(report.inserted.isEmpty && report.updated.isEmpty && report.deleted.isEmpty)
  }

  private func refusal(_ context: ManagedObjectContext, _ object: ManagedObject, _ options: ExportOptions) -> String {
    do {
      return "written: \(try context.text(object, options))"
    } catch {
      return "\(error)"
    }
  }

  @Test("E5: an export and import of the timetable loses nothing, at any depth limit", arguments: 2...8)
  func timetable(depth: Int) throws {
    let models = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Models")
    let context = ManagedObjectContext(
      model: try ManagedObjectModel(contentsOf: models.appendingPathComponent("Timetable.json")))
    try context.load(
      #"""
      [{"code": "CS-101", "title": "A", "lecturer": {"id": 1, "name": "L"}, "times": [
          {"weekday": 1, "from": "08:00", "to": "09:00", "weeks": [1, 2], "room": {"number": "1"}},
          {"weekday": 2, "from": "08:00", "to": "09:00", "weeks": [[3]], "room": {"number": "2"}}]},
       {"code": "CS-102", "title": "B", "times": [
          {"weekday": 3, "from": "08:00", "to": "09:00", "weeks": [], "room": {"number": "1"}},
          {"weekday": 4, "from": "08:00", "to": "09:00", "weeks": [], "room": {"number": "2"}}]}]
      """#, "Course")
    let before = context.dumpText
    for once in [false, true] {
      try context.load(try context.exported("Course", options(depth: depth, once: once)), "Course")
      #expect(try context.count(ofEntity: "CourseTime") == 4)
      #expect(context.dumpText == before)
    }
  }

  private func notes() throws -> (ManagedObjectContext, ManagedObject) {
    let context = try Fixture.context(
      #"""
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "notes": {"destination": "Note", "toMany": true, "ordered": true}, "best": {"destination": "Note", "JSONKeyPath": "g.h.best"}}},
      "Note": {"attributes": {"text": "string"}, "relationships": {"about": {"destination": "Topic"}, "more": {"destination": "Note"}}},
      "Topic": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}}}
      """#)
    let hero = try context.load(
      #"""
      {"id": 1, "notes": [{"text": "a", "about": {"id": 5}, "more": {"text": "c"}}, {"text": "b"}],
       "g": {"h": {"best": {"text": "d"}}}}
      """#, "Hero")[0]
    return (context, hero)
  }

  @Test("E5: a to-many, a to-one or a group below the depth limit is omitted, never shortened or null")
  func belowTheLimit() throws {
    let (context, hero) = try notes()
    let best = #""g":{"h":{"best":{"text":"d","about":null,"more":null}}}"#
    let notes =
      #""notes":[{"text":"a","about":{"id":5,"name":null},"more":{"text":"c","about":null,"more":null}},{"text":"b","about":null,"more":null}]"#
    // At depth 3, the inner note cannot be written. The outer note has no identity, so an import would insert it without the inner note.
    let expected = [
      1: #"{"id":1}"#, 2: #"{"id":1}"#, 3: #"{"id":1}"#, 4: #"{"id":1,\#(notes),\#(best)}"#,
    ]
    for (depth, text) in expected { #expect(try context.text(hero, options(depth: depth)) == text) }
  }

  @Test(
    "E5: an incomplete object without identity is omitted with the relationship to it, but is written as a root")
  func incompleteOwners() throws {
    let (context, _) = try notes()
    let note = try #require(try context.fetch(ofEntity: "Note").first { $0["text"] as String? == "a" })
    // A root without identity is inserted in any case, so nothing is lost.
    #expect(try context.text(note, options(depth: 1)) == #"{"text":"a","about":5}"#)
    #expect(
      try context.text(note, options(depth: 2))
        == #"{"text":"a","about":{"id":5,"name":null},"more":{"text":"c","about":null,"more":null}}"#)
  }

  @Test("E5: with `incompleteRelationships: .error`, the export throws, names both objects, and releases the context")
  func errors() throws {
    let (context, hero) = try notes()
    let advice = "or omit the relationship with 'incompleteRelationships: .omit'"
    #expect(
      refusal(context, hero, options(depth: 2, incomplete: .error))
        == "<export>: error: 'Hero(1).notes' cannot be written completely: 'Note#2' is below the depth limit of 2 and has no identifier that can be written there; raise 'maxDepth', \(advice) (at $.notes)"
    )
    #expect(
      refusal(context, hero, options(depth: 3, incomplete: .error)).hasPrefix(
        "<export>: error: 'Note#2.more' cannot be written completely: 'Note#1' is below the depth limit of 3"))
    let error = #expect(throws: ExportError.self) {
      try jsonData(from: hero, options: options(depth: 3, incomplete: .error))
    }
    #expect(error?.diagnostics.map(\.code) == [.incompleteRelationship])
    #expect(error?.diagnostics.map(\.path) == ["$.notes[0].more"])
    #expect(context.checkInvariants() == [])
    #expect(try context.text(hero, options(depth: 4, incomplete: .error)) == context.text(hero))
    let group = #expect(throws: ExportError.self) {
      try jsonData(
        from: hero, options: ExportOptions(properties: ["Hero": ["best"]], maxDepth: 1, incompleteRelationships: .error)
      )
    }
    #expect(group?.diagnostics[0].message.hasPrefix("'Hero(1).best' cannot be written completely: 'Note#") == true)
  }

  @Test("E5: the error names the placeholder that prevents a keyed collection from being written")
  func keyedPlaceholder() throws {
    let context = try Fixture.context(
      #"""
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {"powers": {"destination": "Power", "toMany": true}}},
      "Power": {"identityAttributes": "id", "attributes": {"id": {"type": "integer64", "JSONKeyPath": "@key"}, "name": {"type": "string", "optional": true}}}
      """#)
    let hero = try context.load(#"{"id": 1, "powers": [9, 4]}"#, "Hero")[0]
    try context.load(#"{"9": {"name": "x"}}"#, "Power")
    #expect(try context.text(hero) == #"{"id":1}"#)
    try expectHarmless(context.text(hero), "Hero", context)
    #expect(
      refusal(context, hero, options(incomplete: .error))
        == "<export>: error: 'Hero(1).powers' cannot be written completely: 'Power(4)' is a placeholder, and an identifier has no place in a collection by keys; import the object first, or omit the relationship with 'incompleteRelationships: .omit' (at $.powers)"
    )
    #expect(try context.text(hero, options(identifiersOnly: true)) == #"{"id":1,"powers":[4,9]}"#)
  }

  @Test("E5: an identifiers-only export omits relationships to objects without identity")
  func identifiersOnly() throws {
    let (context, hero) = try notes()
    #expect(try context.text(hero, options(identifiersOnly: true)) == #"{"id":1}"#)
    try expectHarmless(context.text(hero, options(identifiersOnly: true)), "Hero", context)
  }

  @Test(
    "E5: with `.once`, objects without identity are written in one list; another list of the same objects is omitted")
  func once() throws {
    let context = try Fixture.context(
      #"""
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "friend": {"destination": "Hero"},
        "notes": {"destination": "Note", "toMany": true, "ordered": true}, "same": {"destination": "Note", "toMany": true, "ordered": true}}},
      "Note": {"attributes": {"text": "string"}, "relationships": {"more": {"destination": "Note"}}}
      """#)
    let hero = try context.load(#"{"id": 1, "notes": [{"text": "a"}, {"text": "b"}]}"#, "Hero")[0]
    let notes: [ManagedObject] = hero["notes"]
    hero["same"] = notes
    #expect(
      try context.text(hero, options(once: true))
        == #"{"id":1,"friend":null,"notes":[{"text":"a","more":null},{"text":"b","more":null}]}"#)
    #expect(try context.text(hero).contains(#""same":[{"text":"a""#))
    // The first note refers to the second note, which is already written in the list, so the first note is incomplete.
    hero["same"] = [ManagedObject]()
    notes[0]["more"] = notes[1]
    #expect(try context.text(hero, options(once: true)) == #"{"id":1,"friend":null,"same":[]}"#)
    #expect(context.checkInvariants() == [])
  }

  @Test(
    "D1: a placeholder's identifier is not written if the relationship rejects placeholders",
    arguments: ["skip", "deny"])
  func rejectedPlaceholders(rule: String) throws {
    let context = try Fixture.context(
      #"""
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "powers": {"destination": "Power", "toMany": true, "unresolvedRule": "\#(rule)"}, "any": {"destination": "Power", "toMany": true}}},
      "Power": {"identityAttributes": "id", "attributes": {"id": "integer64"}}
      """#)
    let hero = try context.load(#"{"id": 1, "powers": [{"id": 4}], "any": [9]}"#, "Hero")[0]
    hero["powers"] = (hero["powers"] as [ManagedObject]) + (hero["any"] as [ManagedObject])
    #expect(try context.text(hero) == #"{"id":1,"any":[9]}"#)
    try expectHarmless(context.text(hero), "Hero", context)
  }

  @Test("E5: an object that an import would read as an object of another entity is omitted")
  func unreadableEntity() throws {
    let context = try Fixture.context(
      #"""
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {"items": {"destination": "Item", "toMany": true}}},
      "Item": {"identityAttributes": "id", "attributes": {"id": "integer64"}},
      "Special": {"parent": "Item", "identityAttributes": "number", "attributes": {"number": "integer64"}}
      """#)
    let hero = try context.load(#"{"id": 1, "items": [{"id": 2}]}"#, "Hero")[0]
    let special = try context.load(#"{"id": 2, "number": 3}"#, "Special")
    hero["items"] = (hero["items"] as [ManagedObject]) + special
    #expect(try context.text(hero) == #"{"id":1}"#)
    try expectHarmless(context.text(hero), "Hero", context)
    let error = #expect(throws: ExportError.self) { try context.exported("Item") }
    #expect(
      error?.description
        == "<export>: error: 'Special(2,3)' would be imported as an object of 'Item': add 'Special' to the mapper of 'Item', or export the objects of 'Special' separately (at $)"
    )
    #expect(error?.diagnostics.map(\.code) == [.unreadableObject])
    #expect(try context.exported("Special") == #"[{"id":2,"number":3}]"#)
    // Without the 'number' that 'Special' adds, its identity could be that of an 'Item'.
    try special[0].setValue(nil, of: "number")
    #expect(throws: ExportError.self) { try context.exported("Item") }
  }

  // MARK: Identifiers that the destination reads

  private func extended() throws -> (ManagedObjectContext, ManagedObject) {
    let context = try Fixture.context(
      #"""
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "items": {"destination": "Item", "toMany": true, "JSONRepresentation": "identifier"}, "best": {"destination": "Item"}}},
      "Item": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {"owner": {"destination": "Hero", "JSONRepresentation": "identifier"}, "next": {"destination": "Item"}},
        "entityMapper": {"JSONKeyPath": "type", "entities": {"special": "Special"}}},
      "Special": {"parent": "Item", "identityAttributes": "number", "attributes": {"number": "integer64"}}
      """#)
    let hero = try context.load(
      #"{"id": 1, "items": [{"id": 2}, {"type": "special", "id": 2, "number": 3}], "best": {"type": "special", "id": 2, "number": 3, "owner": 1}}"#,
      "Hero")[0]
    return (context, hero)
  }

  private let special = #"{"type":"special","id":2,"owner":1,"next":null,"number":3}"#

  @Test(
    "E6: an object with an extended identity is written in full if the destination cannot read the identifier")
  func extendedIdentity() throws {
    let (context, hero) = try extended()
    #expect(try context.text(hero) == #"{"id":1,"items":[2,\#(special)],"best":\#(special)}"#)
    #expect(
      try context.text(hero, options(identifiersOnly: true)) == #"{"id":1,"items":[2,\#(special)],"best":\#(special)}"#)
    for options in [options(), options(identifiersOnly: true), options(once: true)] {
      try expectHarmless(context.text(hero, options), "Hero", context)
    }
    let copy = ManagedObjectContext(model: context.model)
    try copy.load(context.exported("Item"), "Item")
    try copy.load(context.exported("Hero"), "Hero")
    #expect(copy.dumpText == context.dumpText)
  }

  @Test("E6: with `.once`, an object with an extended identity is repeated with its identity only, in linear size")
  func extendedIdentityOnce() throws {
    let (context, hero) = try extended()
    #expect(
      try context.text(hero, options(once: true))
        == #"{"id":1,"items":[2,\#(special)],"best":{"type":"special","id":2,"number":3}}"#)
  }

  @Test("D15: a relationship is omitted if its object is already being written and has no identifier form")
  func extendedIdentityInACycle() throws {
    let (context, hero) = try extended()
    let special = try #require(hero["best"] as ManagedObject?)
    special["next"] = special
    #expect(try context.text(special) == #"{"type":"special","id":2,"owner":1,"number":3}"#)
    try expectHarmless(context.text(special), "Special", context)
    let error = #expect(throws: ExportError.self) { try jsonData(from: special, options: options(incomplete: .error)) }
    #expect(
      error?.diagnostics[0].message.contains(
        "'Special(2,3).next' cannot be written completely: 'Special(2,3)' is already being written further up, and 'Item' cannot read its identifier"
      ) == true)
  }

  @Test("E6: a placeholder with an extended identity is not written in a list of objects of its parent entity")
  func extendedPlaceholder() throws {
    let context = try Fixture.context(
      #"""
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "items": {"destination": "Item", "toMany": true}, "special": {"destination": "Special"}}},
      "Item": {"identityAttributes": "id", "attributes": {"id": "integer64"}},
      "Special": {"parent": "Item", "identityAttributes": "number", "attributes": {"number": "integer64"}}
      """#)
    let hero = try context.load(#"{"id": 1, "items": [7], "special": [2, 3]}"#, "Hero")[0]
    hero["items"] = (hero["items"] as [ManagedObject]) + [(hero["special"] as ManagedObject?)].compactMap(\.self)
    #expect(try context.text(hero) == #"{"id":1,"special":[2,3]}"#)
    try expectHarmless(context.text(hero), "Hero", context)
  }

  // MARK: Values and groups

  @Test("E5: a group below the limit is null only if an import would read all of its properties as nil")
  func groups() throws {
    let context = try Fixture.context(
      #"""
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64",
          "a": {"type": "string", "optional": true, "JSONKeyPath": "g.a"}, "b": {"type": "string", "optional": true, "JSONKeyPath": "b", "JSONKeyPathAliases": ["h.b"]},
          "c": {"type": "string", "optional": true, "JSONKeyPath": "h.c"}},
        "relationships": {"secret": {"destination": "Hero", "JSONKeyPath": "g.secret", "JSONRepresentation": "none"}}}
      """#)
    let hero = try context.load(#"{"id": 1, "b": "x", "g": {"secret": 7}}"#, "Hero")[0]
    #expect(try context.text(hero, options(depth: 1)) == #"{"id":1,"b":"x"}"#)
    for chosen: Set<String> in [[], ["a", "c"]] {
      let text = try context.text(hero, ExportOptions(properties: ["Hero": chosen], maxDepth: 1))
      try expectHarmless(text, "Hero", context)
    }
    hero["secret"] = nil as ManagedObject?
    hero["b"] = nil as String?
    #expect(try context.text(hero, options(depth: 1)) == #"{"id":1,"g":null,"b":null,"h":null}"#)
  }

  @Test("E2: a choice of properties keeps the attribute that determines the entity")
  func chosenDiscriminator() throws {
    let context = try Fixture.context(
      #"""
      "Item": {"identityAttributes": "id", "attributes": {"id": "integer64", "type": {"type": "string", "optional": true}, "name": {"type": "string", "optional": true}},
        "entityMapper": {"JSONKeyPath": "type", "entities": {"special": "Special"}}},
      "Special": {"parent": "Item", "identityAttributes": "number", "attributes": {"number": "integer64"}}
      """#)
    let item = try context.load(#"{"type": "special", "id": 2, "number": 3, "name": "x"}"#, "Item")[0]
    let text = try context.text(item, ExportOptions(properties: ["Item": []]))
    #expect(text == #"{"type":"special","id":2,"number":3}"#)
    try expectHarmless(text, "Item", context)
  }

  @Test("M11: `@value` cannot be written if the object has other values or needs a discriminator")
  func values() throws {
    let context = try Fixture.context(
      #"""
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {"scores": {"destination": "Score", "toMany": true, "ordered": true}}},
      "Score": {"attributes": {"name": {"type": "string", "JSONKeyPath": "@key"}, "points": {"type": "integer64", "optional": true, "JSONKeyPath": "@value"}, "note": {"type": "string", "optional": true}},
        "entityMapper": {"JSONKeyPath": "type", "entities": {"bonus": "Bonus"}}},
      "Bonus": {"parent": "Score"}
      """#)
    let hero = try context.load(#"{"id": 1, "scores": {"a": 3, "b": {"note": "x"}, "c": {"type": "bonus"}}}"#, "Hero")[
      0]
    let scores: [ManagedObject] = hero["scores"]
    #expect(
      try context.text(hero) == #"{"id":1,"scores":{"a":3,"b":{"note":"x"},"c":{"type":"bonus","note":null}}}"#)
    scores[1]["points"] = 4
    #expect(
      refusal(context, hero, ExportOptions())
        == "<export>: error: 'Score#2' has other values, so its 'Score.points' would be lost: give the attribute its own key path, with '@value' as an alias (at $.scores.b)"
    )
    scores[1]["points"] = nil as Int?
    scores[2]["points"] = 5
    let error = #expect(throws: ExportError.self) { try jsonData(from: hero) }
    #expect(error?.diagnostics.map(\.code) == [.misplacedValue])
    #expect(context.checkInvariants() == [])
  }
}
