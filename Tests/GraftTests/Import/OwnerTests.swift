import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Identity inside an owner") struct OwnerTests {
  private static let model = #"""
    "Order": {
      "identityAttributes": "id",
      "attributes": {"id": "string", "total": {"type": "integer64", "optional": true}},
      "relationships": {
        "lines": {"destination": "OrderLine", "toMany": true, "ordered": true, "inverse": "order", "deleteOrphans": true},
        "shipping": {"destination": "Shipping", "inverse": "order", "deleteOrphans": true}
      }
    },
    "OrderLine": {
      "identityAttributes": ["order", "position"],
      "attributes": {
        "position": {"type": "integer32", "JSONKeyPath": "@index"},
        "sku": {"type": "string", "optional": true}, "count": {"type": "integer32", "default": 1}
      },
      "relationships": {
        "order": {"destination": "Order", "inverse": "lines"},
        "options": {"destination": "LineOption", "toMany": true, "inverse": "line", "deleteOrphans": true}
      }
    },
    "LineOption": {
      "identityAttributes": ["line", "name"],
      "attributes": {"name": "string", "value": {"type": "integer32", "optional": true}},
      "relationships": {"line": {"destination": "OrderLine", "inverse": "options"}}
    },
    "Shipping": {
      "identityAttributes": ["order"],
      "attributes": {"street": {"type": "string", "optional": true}},
      "relationships": {"order": {"destination": "Order", "inverse": "shipping", "JSONKeyPath": null}}
    },
    "Note": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {
        "line": {"destination": "OrderLine"},
        "known": {"destination": "OrderLine", "unresolvedRule": "skip"},
        "option": {"destination": "LineOption"}
      }
    }
    """#

  private func context() throws -> ManagedObjectContext { try Fixture.context(Self.model) }

  private func imported(_ text: String, in context: ManagedObjectContext, as entity: String = "Order") throws -> String
  {
    let report = try context.importJSON(text, ofEntity: entity, options: ImportOptions(reportsDetails: true))
    return report.description.split(separator: "\n").joined(separator: "; ")
  }

  private func line(_ order: String, _ position: Int, in context: ManagedObjectContext) throws -> ManagedObject {
    try #require(try context.find(ofEntity: "OrderLine", identity: order, position))
  }

  @Test("M12: lines without an ID stay the same objects when their order is imported again")
  func lines() throws {
    let context = try context()
    let first = try imported(
      #"[{"id": "o-1", "lines": [{"sku": "A"}, {"sku": "B"}], "total": 7}, {"id": "o-2", "lines": [{"sku": "A"}]}]"#,
      in: context)
    #expect(first == "Order: 2 inserted; OrderLine: 3 inserted")
    #expect(context.checkInvariants().isEmpty)
    let lines = try [line("o-1", 0, in: context), line("o-1", 1, in: context), line("o-2", 0, in: context)]
    #expect(lines.map { $0["sku"] as String? } == ["A", "B", "A"])
    let report = try context.importJSON(
      #"[{"lines": [{"sku": "A"}, {"sku": "B", "count": 3}], "id": "o-1", "total": 7}, {"id": "o-2", "lines": [{"sku": "A"}]}]"#,
      ofEntity: "Order", options: ImportOptions(reportsDetails: true))
    #expect(report.updated == ["OrderLine": 1] && report.inserted.isEmpty && report.deleted.isEmpty)
    #expect(lines[1]["count"] == 3 && lines[1].description.contains("OrderLine(o-1,1)"))
    #expect(try context.count(ofEntity: "OrderLine") == 3)
    #expect(try line("o-1", 1, in: context) === lines[1])
    let order: ManagedObject? = lines[1]["order"]
    #expect(order?["id"] == "o-1")
    #expect(context.checkInvariants().isEmpty)
  }

  @Test("M12: a shorter list deletes the lines at the end, if orphans are deleted")
  func shorterList() throws {
    let context = try context()
    _ = try imported(#"{"id": "o-1", "lines": [{"sku": "A"}, {"sku": "B"}, {"sku": "C"}]}"#, in: context)
    #expect(
      try imported(#"{"id": "o-1", "lines": [{"sku": "B"}]}"#, in: context)
        == "Order: 1 updated; OrderLine: 1 updated, 2 deleted")
    #expect(try line("o-1", 0, in: context)["sku"] == "B")
    #expect(try context.count(ofEntity: "OrderLine") == 1 && context.checkInvariants().isEmpty)
  }

  @Test("M12: objects in an owner can be owners themselves")
  func chain() throws {
    let context = try context()
    let payload =
      #"[{"id": "o-1", "lines": [{"options": [{"name": "x", "value": 1}, {"name": "y"}]}, {"options": [{"name": "x"}]}]}]"#
    _ = try imported(payload, in: context)
    #expect(try context.count(ofEntity: "LineOption") == 3)
    let option = try #require(try context.find(ofEntity: "LineOption", identity: "o-1", 0, "x"))
    #expect(option["value"] == 1 && option.objectID.description == "LineOption(o-1,0,x)")
    #expect(try context.find(option.objectID) === option)
    let again = try imported(payload, in: context)
    #expect(again == "Order: 1 unchanged; OrderLine: 2 unchanged; LineOption: 3 unchanged")
    #expect(context.checkInvariants().isEmpty)
  }

  @Test("M12: an object in a to-one is identified by its owner alone")
  func toOne() throws {
    let context = try context()
    _ = try imported(#"{"id": "o-1", "shipping": {"street": "a"}}"#, in: context)
    let shipping = try #require(try context.find(ofEntity: "Shipping", identity: "o-1"))
    #expect(
      try imported(#"{"id": "o-1", "shipping": {"street": "b"}}"#, in: context)
        == "Order: 1 unchanged; Shipping: 1 updated")
    #expect(shipping["street"] == "b" && context.checkInvariants().isEmpty)
    #expect(
      try imported(#"{"id": "o-1", "shipping": null}"#, in: context) == "Order: 1 updated; Shipping: 1 deleted")
    #expect(shipping.isDeleted && context.checkInvariants().isEmpty)
  }

  @Test("M12, D12: an identifier contains the owner's identifier in place of the owner")
  func identifiers() throws {
    let context = try context()
    _ = try imported(
      #"[{"id": 1, "line": ["o-1", 0], "known": ["o-9", 0], "option": [["o-1", 0], "x"]}]"#, in: context, as: "Note")
    let line = try line("o-1", 0, in: context)
    #expect(try line.isPlaceholder && context.placeholders.count == 3 && context.count(ofEntity: "OrderLine") == 1)
    #expect(context.checkInvariants().isEmpty)
    _ = try imported(#"{"id": "o-1", "lines": [{"sku": "A", "options": [{"name": "x"}]}]}"#, in: context)
    #expect(try !line.isPlaceholder && line["sku"] == "A" && context.placeholders.isEmpty)
    let note = try #require(try context.find(ofEntity: "Note", identity: 1))
    let known: ManagedObject? = note["known"]
    #expect(try known == nil && context.count(ofEntity: "Order") == 1 && context.checkInvariants().isEmpty)
    _ = try imported(#"[{"id": 1, "known": ["o-1", 0]}]"#, in: context, as: "Note")
    #expect(note["known"] == line)
  }

  @Test("M12: an object can name its owner in its own dictionary")
  func ownName() throws {
    let context = try context()
    _ = try imported(#"[{"name": "x", "line": ["o-1", 0], "value": 3}]"#, in: context, as: "LineOption")
    #expect(try context.find(ofEntity: "LineOption", identity: "o-1", 0, "x")?["value"] == 3)
    _ = try imported(
      #"[{"id": "o-1", "lines": [{"order": {"total": 5, "id": "o-1"}, "options": [{"line": ["o-1", 0], "name": "x", "value": 4}]}]}]"#,
      in: context)
    #expect(try context.find(ofEntity: "LineOption", identity: "o-1", 0, "x")?["value"] == 4)
    #expect(try context.find(ofEntity: "Order", identity: "o-1")?["total"] == 5 && context.checkInvariants().isEmpty)
  }

  @Test(
    "M12: the error for an object whose owner is later deleted, or replaces the object, notes that location")
  func lostOwners() throws {
    let model = """
      "User": {
        "identityAttributes": "id", "deletedWhen": {"JSONKeyPath": "gone", "equals": true},
        "attributes": {"id": "integer64"},
        "relationships": {
          "profile": {"destination": "Profile", "inverse": "user"},
          "notes": {"destination": "Note", "toMany": true, "inverse": "user"}
        }
      },
      "Profile": {
        "identityAttributes": "user", "relationships": {"user": {"destination": "User", "inverse": "profile", "JSONKeyPath": null}}
      },
      "Note": {
        "identityAttributes": ["user", "key"], "attributes": {"key": "string"},
        "relationships": {"user": {"destination": "User", "inverse": "notes", "JSONKeyPath": null}}
      }
      """
    func faults(_ text: String) throws -> [String] {
      refusals(text, of: "User", in: try Fixture.context(model), withNotes: true)
        .filter { !$0.contains("is declared here") }
    }
    let profile =
      "1️⃣ error: expected an owner for 'Profile.user', which identifies the object (nest it in 'profile' of its 'User'), found none "
    let note =
      "1️⃣ error: expected an owner for 'Note.user', which identifies the object (nest it in 'notes' of its 'User'), found none "
    let (deleted, replaced) = ("(its owner is deleted)", "(the relationship that contained it was replaced)")
    #expect(
      try faults(#"[{"id": 1, "profile": 1️⃣{}}, {"id": 1, "gone": true}]"#) == [
        profile + deleted + " (at $[0].profile)", "  p.json:1:28: note: User(1) is marked as deleted at $[1]",
      ])
    #expect(
      try faults(#"[{"id": 1, "profile": 1️⃣{}}, {"id": 1, "profile": null}]"#) == [
        profile + replaced + " (at $[0].profile)",
        "  p.json:1:49: note: 'profile' of User(1) is replaced at $[1].profile",
      ])
    #expect(
      try faults(#"[{"id": 1, "notes": [{"key": "a"}, 1️⃣{"key": "b"}]}, {"id": 2}, {"id": 1, "notes": [{"key": "a"}]}]"#)
        == [
          note + replaced + " (at $[0].notes[1])", "  p.json:1:82: note: 'notes' of User(1) is replaced at $[2].notes",
        ])
  }

  @Test("M12: faults in owners and positions are reported at their locations")
  func faults() throws {
    let context = try context()
    func faults(_ text: String, _ entity: String = "Order") -> [String] { refusals(text, of: entity, in: context) }
    let other = "1️⃣ error: expected Order(o-1) for 'OrderLine.order', the object that contains this one, found "
    #expect(
      faults(#"[{"id": "o-1", "lines": [1️⃣{"order": "o-2"}]}]"#)
        == [other + "another object or none (at $[0].lines[0])"])
    #expect(
      faults(#"[{"id": "o-1", "lines": [1️⃣{"order": null}]}]"#)
        == [other + "another object or none (at $[0].lines[0])"])
    #expect(
      faults(#"[1️⃣{"name": "x"}]"#, "LineOption") == [
        "1️⃣ error: expected an owner for 'LineOption.line', which identifies the object (nest it in 'options' of its "
          + "'OrderLine', or name the owner under \"line\"), found none (at $[0].line)"
      ])
    #expect(
      faults(#"[1️⃣{"street": "x"}]"#, "Shipping") == [
        "1️⃣ error: expected an owner for 'Shipping.order', which identifies the object (nest it in 'shipping' of its "
          + "'Order'), found none (at $[0])"
      ])
    #expect(
      faults(#"{"id": "o-1", "lines": [1️⃣["o-2", 0]]}"#) == [other + "another object or none (at $.lines[0])"])
    #expect(
      faults(#"{"id": "o-1", "shipping": 1️⃣"o-3"}"#) == [
        "1️⃣ error: expected Order(o-1) for 'Shipping.order', the object that contains this one, found another object or "
          + "none (at $.shipping)"
      ])
    #expect(
      faults(#"{"id": 1, "line": ["o-1", 1️⃣"x"]}"#, "Note")
        == ["1️⃣ error: expected an integer for 'OrderLine.position', found the string \"x\" (at $.line[1])"])
    #expect(
      faults(#"{"id": 1, "line": 1️⃣"x"}"#, "Note") == [
        "1️⃣ error: expected an object or an array of 2 identity values for 'Note.line', found the string \"x\" (at $.line)"
      ])
    #expect(
      faults(#"{"id": 1, "option": [1️⃣["o-1"], "x"]}"#, "Note") == [
        "1️⃣ error: expected an array of 2 values ('order', 'position') to identify 'OrderLine', found 1 (at $.option[0])"
      ])
    #expect(
      faults(#"1️⃣{"order": "o-1", "sku": "x"}"#, "OrderLine")
        == ["1️⃣ error: expected a value for 'OrderLine.position', which is not optional, found none (at $)"])
    #expect(try context.count(ofEntity: "Order") == 0 && context.checkInvariants().isEmpty)
  }

  @Test("M12: setting an owner in code changes the identity; two objects cannot have the same identity")
  func byHand() throws {
    let context = try context()
    _ = try imported(
      #"[{"id": "o-1", "lines": [{"sku": "A"}, {"sku": "B"}]}, {"id": "o-2", "lines": [{}]}]"#, in: context)
    let line = try line("o-1", 1, in: context)
    let other = try #require(try context.find(ofEntity: "Order", identity: "o-2"))
    line["order"] = other
    #expect(try self.line("o-2", 1, in: context) === line && context.checkInvariants().isEmpty)
    #expect(try context.find(ofEntity: "OrderLine", identity: "o-1", 1) == nil)
    context.rollBack()
    #expect(try self.line("o-1", 1, in: context) === line && context.checkInvariants().isEmpty)
    try context.delete(other)
    #expect(throws: ValidationError.self) { try context.commit() }
    context.rollBack()
    #expect(context.checkInvariants().isEmpty)
  }

  // MARK: Exports

  private func export(_ object: ManagedObject) throws -> String {
    String(decoding: try jsonData(from: object), as: UTF8.self)
  }

  @Test("M12, E4: exporting owners restores the original JSON, without positions and owners")
  func roundTrip() throws {
    let context = try context()
    let payload =
      #"{"id":"o-1","total":7,"lines":[{"sku":"A","count":1,"options":[{"name":"x","value":1}]},{"sku":"B","count":2,"options":[]}],"shipping":{"street":"s"}}"#
    _ = try imported(payload, in: context)
    let order = try #require(try context.find(ofEntity: "Order", identity: "o-1"))
    let exported = try export(order)
    #expect(exported == payload)
    let report = try context.importJSON(try export(order), ofEntity: "Order")
    #expect(report.inserted.isEmpty && report.updated.isEmpty && report.deleted.isEmpty)
  }

  @Test("M12, E5: an object is written as its identifier outside of its owner, or if it is not at its position")
  func outside() throws {
    let context = try context()
    _ = try imported(#"{"id": "o-1", "lines": [{"sku": "A"}, {"sku": "B"}, {"sku": "C"}]}"#, in: context)
    _ = try imported(#"{"id": 1, "line": ["o-1", 1]}"#, in: context, as: "Note")
    let note = try #require(try context.find(ofEntity: "Note", identity: 1))
    #expect(try export(note) == #"{"id":1,"line":["o-1",1],"known":null,"option":null}"#)
    try context.delete(line("o-1", 0, in: context))
    let order = try #require(try context.find(ofEntity: "Order", identity: "o-1"))
    let exported = try export(order)
    #expect(
      exported
        == #"{"id":"o-1","total":null,"lines":[null,{"sku":"B","count":1,"options":[]},{"sku":"C","count":1,"options":[]}],"shipping":null}"#
    )
    try line("o-1", 1, in: context).setValue(5000, of: "position")
    #expect(try export(order).contains(#""lines":[["o-1",5000],null,{"sku":"C""#))
    let error = #expect(throws: ExportError.self) { try export(line("o-1", 2, in: context)) }
    #expect(error?.diagnostics.map(\.code) == [.misplacedObject])
    let option = try object(
      ofEntity: "LineOption", fromJSON: #"{"name": "x", "line": ["o-1", 2]}"#, in: context)
    #expect(try export(option) == #"{"name":"x","value":null,"line":["o-1",2]}"#)
  }

  private static let references = #"""
    "Order": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
      "other": {"destination": "Line"},
      "lines": {"destination": "Line", "toMany": true, "inverse": "order", "mergeRule": "RULE"}}},
    "Line": {"identityAttributes": ["order", "sku"],
      "attributes": {"sku": "string", "n": {"type": "integer64", "optional": true}, "m": {"type": "integer64", "optional": true}},
      "relationships": {"order": {"destination": "Order", "inverse": "lines", "JSONKeyPath": null}, "seeAlso": {"destination": "Order"}}}
    """#

  @Test(
    "M12, I2: the owner's dictionary inside one of its objects removes no objects before the outer dictionary ends",
    arguments: [
      ("", "Line(1,a)"), (#", "lines": []"#, "Line(1,a)"), (#", "lines": null"#, "Line(1,a)"),
      (#", "lines": [{"sku": "a", "n": 5}]"#, "Line(1,a)"),
      (#", "lines": [{"sku": "b", "seeAlso": {"id": 1, "lines": []}}]"#, nil),
      (#", "lines": [{"sku": "c"}]"#, "Line(1,a) Line(1,c)"),
    ], ["replace", "union"])
  func innerOwner(value: (inner: String, lines: String?), rule: String) throws {
    for isKnown in [false, true] {
      let context = try Fixture.context(Self.references.replacingOccurrences(of: "RULE", with: rule))
      if isKnown { try context.load(#"{"id": 1, "lines": [{"sku": "a"}]}"#, "Order") }
      let last = value.lines?.contains("c") == true ? #", {"sku": "c"}"# : ""
      let text =
        #"{"id": 1, "lines": [{"sku": "a", "n": 1}, {"sku": "a", "m": 2, "seeAlso": {"id": 1\#(value.inner)}}\#(last)]}"#
      let keepsAll = rule == "union"
      if value.lines == nil, !keepsAll {
        #expect(throws: ImportError.self) { try context.importJSON(text, ofEntity: "Order") }
        continue
      }
      try context.importJSON(text, ofEntity: "Order")
      #expect(context.checkInvariants() == [])
      let lines = try context.fetch(ofEntity: "Line").map { "\($0)" }.sorted().joined(separator: " ")
      #expect(lines == value.lines ?? "Line(1,a) Line(1,b)", "\(text)")
      let line = try #require(context.fetch(ofEntity: "Line", where: "sku = 'a'").first)
      #expect(line["m"] == 2 && line["n"] == (value.inner.contains("5") ? 5 : 1))
    }
  }

  @Test(
    "M12, I2, I17: an object that its owner loses and gets back within a payload stays the same object",
    arguments: [
      #"[{"id": 1, "lines": []}, {"id": 1, "lines": [{"sku": "a"}, {"sku": "b"}]}]"#,
      #"[{"id": 1, "lines": null}, {"id": 1, "lines": [{"sku": "a"}, {"sku": "b"}]}]"#,
      #"[{"id": 1, "lines": [{"sku": "c"}]}, {"id": 1, "lines": [{"sku": "b"}]}, {"id": 1, "lines": [{"sku": "b"}, {"sku": "a"}]}]"#,
      #"[{"id": 1, "lines": []}, {"id": 2, "lines": [{"sku": "a"}]}, {"id": 1, "lines": [{"sku": "a"}, {"sku": "b"}]}, {"id": 2, "lines": []}]"#,
      #"[{"id": 1, "lines": [{"sku": "a", "seeAlso": {"id": 1, "lines": []}}, {"sku": "b"}]}]"#,
      #"[{"id": 1, "lines": []}, {"id": 1, "lines": [[1, "a"], [1, "b"]]}]"#,
      #"[{"id": 1, "lines": []}, {"id": 1, "other": [1, "a"], "lines": [{"sku": "a"}, [1, "b"]]}]"#,
    ], ContextSource.Kind.allCases)
  func lostAndFound(payload: String, kind: ContextSource.Kind) throws {
    for deletesOrphans in [false, true] { try lostAndFound(payload, deletesOrphans: deletesOrphans, kind) }
  }

  private func lostAndFound(_ payload: String, deletesOrphans: Bool, _ kind: ContextSource.Kind) throws {
    let text = Self.references.replacing(
      #", "mergeRule": "RULE""#, with: deletesOrphans ? #", "deleteOrphans": true"# : "")
    let source = try ContextSource(
      kind, ManagedObjectModel(text: #"{"keyStrategy": "sameName", "entities": {\#(text)}}"#))
    let context = try source.context()
    try context.importJSON(#"{"id": 1, "lines": [{"sku": "a", "n": 7}, {"sku": "b", "n": 8}]}"#, ofEntity: "Order")
    let lines = try context.fetch(ofEntity: "Line", sortedBy: .ascending("sku"))
    // An object without an owner at the end of the payload must be deleted.
    let endsWithoutOwner = payload.contains("\"c\"") || payload.contains("\"id\": 2")
    if endsWithoutOwner, !deletesOrphans {
      #expect(throws: ImportError.self) { try context.importJSON(payload, ofEntity: "Order") }
      return
    }
    for _ in 1...2 {
      try context.importJSON(payload, ofEntity: "Order")
      #expect(context.checkInvariants() == [])
      let now = try context.fetch(ofEntity: "Line", sortedBy: .ascending("sku"))
      #expect(now == lines && now.map { $0["n"] as Int? } == [7, 8])
      #expect(now.allSatisfy { ($0["order"] as ManagedObject?)?["id"] == 1 })
      try context.commit()
    }
    #expect(try source.context().dumpText == context.dumpText)
  }

  @Test("I7: a dictionary is read in model order, whether or not an owner identifies its object")
  func ownedInModelOrder() throws {
    let line =
      #""relationships": {"order": {"destination": "Order", "inverse": "lines", "JSONKeyPath": null}, "z": {"destination": "Item"}, "a": {"destination": "Item"}}"#
    for identity in [#""number""#, #"["order", "number"]"#] {
      let context = try Fixture.context(
        #"""
        "Order": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"lines": {"destination": "Line", "toMany": true, "ordered": true, "inverse": "order"}}},
        "Line": {"identityAttributes": \#(identity), "attributes": {"number": "integer64"}, \#(line)},
        "Item": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": "string"}}
        """#)
      // The model has "z" before "a", so the name in "a" is the later mention and wins.
      let text = #"[{"id": 1, "lines": [{"number": 1, "z": {"id": 5, "name": "Z"}, "a": {"id": 5, "name": "A"}}]}]"#
      let dictionaries = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Any])
      try objects(ofEntity: "Order", fromJSON: dictionaries, in: context)
      #expect(try context.fetch(ofEntity: "Item").map { $0["name"] as String? } == ["A"], "\(identity)")
    }
  }
}
