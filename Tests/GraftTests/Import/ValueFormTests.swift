import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Other forms of values") struct ValueFormTests {
  /// Imports a payload and returns its export.
  private func roundTrip(
    _ payload: String, of entity: String, in context: ManagedObjectContext,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws -> String {
    try context.importJSON(payload, ofEntity: entity)
    #expect(context.checkInvariants().isEmpty, sourceLocation: sourceLocation)
    let text = try exported(entity, context)
    // Checks that importing the export changes nothing (E4).
    let before = context.dump()
    try context.importJSON(text, ofEntity: entity)
    #expect(context.dump() == before, sourceLocation: sourceLocation)
    return text
  }

  private func exported(_ entity: String, _ context: ManagedObjectContext) throws -> String {
    String(decoding: try jsonData(from: try context.fetch(ofEntity: entity)), as: UTF8.self)
  }

  @Test("M24: the mapper's 'otherwise' applies to the '@type' of a reference with several keys")
  func fallbacks() throws {
    for (base, expected) in [
      (
        #""abstract": true, "entityMapper": {"JSONKeyPath": "kind", "entities": {"cat": "Cat"}, "otherwise": null},"#,
        nil
      ),
      (
        #""abstract": true, "entityMapper": {"JSONKeyPath": "kind", "entities": {"cat": "Cat"}, "otherwise": "Other"},"#,
        "Other"
      ),
      (#""entityMapper": {"JSONKeyPath": "kind", "entities": {"cat": "Cat"}},"#, "Pet"),
    ] {
      let context = try Fixture.context(
        #"""
        "Pet": {\#(base) "identityAttributes": "id", "attributes": {"id": "integer64"}}, "Cat": {"parent": "Pet"}, "Other": {"parent": "Pet"},
        "Visit": {
          "identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"pet": {"destination": "Pet", "JSONKeyPath": {"@type": "pet_type", "id": "pet_id"}}}
        }
        """#.replacing("\\#(base)", with: base))
      let visit = try context.object(ofEntity: "Visit", fromJSON: #"{"id": 1, "pet_type": "bird", "pet_id": 4}"#)
      #expect((visit["pet"] as ManagedObject?)?.entity.name == expected)
      #expect(context.checkInvariants().isEmpty)
    }
  }

  @Test("M15, M24: a reference to a kind that the mapper skips does not change the link, and causes a warning")
  func skippedReference() throws {
    let context = try Fixture.context(
      #"""
      "Pet": {
        "abstract": true, "entityMapper": {"JSONKeyPath": "kind", "entities": {"cat": "Cat"}, "otherwise": null},
        "identityAttributes": "id", "attributes": {"id": "integer64"}
      },
      "Cat": {"parent": "Pet"},
      "Visit": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"pet": {"destination": "Pet", "JSONKeyPath": {"@type": "pet_type", "id": "pet_id"}}}
      }
      """#)
    let visit = try context.object(ofEntity: "Visit", fromJSON: #"{"id": 1, "pet_type": "cat", "pet_id": 4}"#)
    let report = try context.importJSON(#"{"id": 1, "pet_type": "bird", "pet_id": 4}"#, ofEntity: "Visit")
    #expect((visit["pet"] as ManagedObject?)?["id"] == 4 && report.updated.isEmpty && report.unlinked.isEmpty)
    #expect(report.warnings.map(\.code) == [.skippedDictionary], "\(report.warnings)")
    // Like a skipped dictionary, the reference is treated as the identifier of an existing object (D13).
    try context.object(ofEntity: "Cat", fromJSON: #"{"id": 5, "kind": "cat"}"#)
    for (identifier, expected) in [("5", 5), ("6", 5), (#""x""#, 5), ("4", 4)] {
      let payload = #"{"id": 1, "pet_type": "bird", "pet_id": \#(identifier)}"#
      try context.importJSON(payload, ofEntity: "Visit")
      #expect((visit["pet"] as ManagedObject?)?["id"] == expected, "\(payload)")
    }
    #expect(try context.count(ofEntity: "Pet") == 2)
    // The order does not matter: the object of the second reference exists at the end of the payload.
    let payload = #"[{"id": 2, "pet_type": "bird", "pet_id": 7}, {"id": 3, "pet_type": "cat", "pet_id": 7}]"#
    try context.importJSON(payload, ofEntity: "Visit")
    let visits = try context.fetch(ofEntity: "Visit", where: "id > 1")
    let pets = visits.map { ($0["pet"] as ManagedObject?)?["id"] as Int? }
    #expect(pets == [7, 7])
  }

  @Test("M19: on a path through arrays, each object reads from the object that contains it")
  func surroundingsOfElements() throws {
    let context = try Fixture.context(
      #"""
      "Post": {
        "identityAttributes": "id",
        "attributes": {
          "id": "integer64",
          "score": {"type": "integer64", "optional": true, "JSONKeyPath": "@parent.score"},
          "page": {"type": "integer64", "optional": true, "JSONKeyPath": "@root.page"}
        }
      }
      """#)
    let posts =
      #"{"page": 3, "score": 0, "d": [{"x": {"id": 1}, "score": 5}, {"x": {"id": 2}}, {"score": 7, "x": {"id": 3}}]}"#
    for payload in [
      posts,
      #"{"d": [{"o": {"x": {"id": 1}, "score": 5}}, {"o": {"x": {"id": 2}}, "score": 6}, {"o": {"score": 7, "x": {"id": 3}}}], "page": 3}"#,
    ] {
      let path: JSONKeyPath = payload == posts ? "d[].x" : "d[].o.x"
      try context.importJSON(payload, ofEntity: "Post", at: path)
      let found = try context.fetch(ofEntity: "Post")
      #expect(found.map { $0["score"] as Int? } == [5, nil, 7] && found.allSatisfy { $0["page"] == 3 })
      try context.delete(found)
      try context.importJSON(try JSON(text: payload), ofEntity: "Post", at: path)
      #expect(try context.fetch(ofEntity: "Post").map { $0["score"] as Int? } == [5, nil, 7])
      try context.delete(context.fetch(ofEntity: "Post"))
    }
    try context.importJSON(
      #"{"page": 1, "a": [{"score": 1, "b": [{"id": 1}, {"id": 2}]}, {"score": 2, "b": [{"id": 3}]}]}"#,
      ofEntity: "Post", at: "a[].b[]")
    #expect(try context.fetch(ofEntity: "Post").map { $0["score"] as Int? } == [1, 1, 2])
  }

  @Test(
    "M25: a property is absent if no element has its value; an import fails if no element has an object")
  func absentInAllElements() throws {
    let context = try Fixture.context(Self.spreads)
    try context.importJSON(#"{"id": 1, "values": [{"v": 1}]}"#, ofEntity: "Page")
    let page = try #require(try context.fetch(ofEntity: "Page").first)
    #expect(page["numbers"] as [Int]? == [1])
    try context.importJSON(#"{"id": 1, "values": [{"w": 1}, null]}"#, ofEntity: "Page")
    #expect(page["numbers"] as [Int]? == [1])
    try context.importJSON(#"{"id": 1, "values": []}"#, ofEntity: "Page")
    #expect(page["numbers"] as [Int]? == [])
    let error = #expect(throws: ImportError.self) {
      try context.importJSON(#"{"d": [{"page": {"id": 2}}]}"#, ofEntity: "Page", at: "d[].typo")
    }
    let message = error?.diagnostics.first?.message ?? ""
    #expect(message.contains("'typo'"), "\(message)")
  }

  private static let spreads = #"""
    "Page": {
      "identityAttributes": "id",
      "attributes": {"id": "integer64", "numbers": {"type": "integer64", "list": true, "optional": true, "JSONKeyPath": "values[].v"}}
    }
    """#

  @Test("E1: an export of wrapped elements with missing positions can be imported")
  func wrappedPositions() throws {
    let context = try Fixture.context(
      #"""
      "Page": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"items": {"destination": "Item", "toMany": true, "JSONKeyPath": "e[].n"}}
      },
      "Item": {"identityAttributes": "id", "attributes": {"id": "integer64", "place": {"type": "integer64", "JSONKeyPath": "@index"}}}
      """#)
    // The positions of these items are 2 and 5.
    try context.importJSON(#"[{"id": 7}, {"id": 8}, {"id": 1}, {"id": 7}, {"id": 8}, {"id": 2}]"#, ofEntity: "Item")
    try context.importJSON(#"{"id": 1, "e": [{"n": 1}, {"n": 2}]}"#, ofEntity: "Page")
    let before = context.dump()
    let text = try exported("Page", context)
    try context.importJSON(text, ofEntity: "Page")
    #expect(context.dump() == before, "\(text)")
  }

  @Test(
    "M26: a transformer reads the last segment of a path or URL",
    arguments: [
      ("https://example.org/planets/7/", "7"), ("planets/7?x=/8", "7"), ("/planets/7#a/b", "7"), ("7", "7"),
      ("urn:7", "urn:7"),
      ("https://example.org", nil), ("https://example.org/?q", nil), ("//", nil), ("", nil),
    ] as [(String, String?)])
  func lastSegments(_ text: String, _ segment: String?) throws {
    let registry = TransformerRegistry()
    guard let segment else {
      #expect(throws: (any Error).self) { try registry.value("LastPathSegment", from: .string(text)) }
      return
    }
    #expect(try registry.value("LastPathSegment", from: .string(text)) == .string(segment))
  }

  // MARK: Values that mean null

  private static let items = #"""
    "Item": {
      "identityAttributes": "id",
      "attributes": {
        "id": "integer64",
        "price": {"type": "decimal", "optional": true, "JSONTransformerName": "StringToDecimal", "JSONNulls": ["", false]},
        "name": {"type": "string", "optional": true, "JSONNulls": ["n/a", 0, {}]},
        "tags": {"type": "string", "list": true, "optional": true, "JSONNulls": [[], ""]}
      },
      "relationships": {
        "meta": {"destination": "Meta", "JSONNulls": [[], false]},
        "parent": {"destination": "Item", "inverse": "children", "JSONNulls": [0]},
        "children": {"destination": "Item", "toMany": true, "inverse": "parent", "JSONKeyPath": null}
      }
    },
    "Meta": {"attributes": {"color": {"type": "string", "optional": true}}}
    """#

  @Test("M20: values in JSONNulls are read as null, before transformers, in attributes, lists and relationships")
  func nulls() throws {
    let context = try Fixture.context(Self.items)
    let payload = #"""
      [{"id": 1, "price": "", "name": "n/a", "tags": [ ], "meta": [], "parent": 0},
       {"id": 2, "price": false, "name": 0.0, "tags": "", "meta": false, "parent": 1},
       {"id": 3, "price": "1.5", "name": "", "tags": ["a"], "meta": {"color": "red"}, "parent": null},
       {"id": 4, "name": { }}]
      """#
    let items = try objects(ofEntity: "Item", fromJSON: payload, in: context)
    #expect(items.map { $0["price"] as Decimal? } == [nil, nil, 1.5, nil])
    #expect(items.map { $0["name"] as String? } == [nil, nil, "", nil])
    #expect(items.map { $0["tags"] as [String]? } == [nil, nil, ["a"], nil])
    #expect(items.map { ($0["parent"] as ManagedObject?)?["id"] as Int? } == [nil, 1, nil, nil])
    #expect(try context.count(ofEntity: "Item") == 4)
    #expect(
      try exported("Item", context).contains(#""id":1,"price":null,"name":null,"tags":null,"meta":null,"parent":null"#))
  }

  @Test("M20: values that JSONNulls does not list are still refused, at their locations")
  func refusedBesideNulls() throws {
    let context = try Fixture.context(Self.items)
    #expect(
      refusals(#"[{"id": 1, "price": 1️⃣0}, {"id": 2, "name": 2️⃣[]}, {"id": 3, "meta": 3️⃣[1]}]"#, of: "Item", in: context)
        == [
          "1️⃣ error: expected a string with a decimal number, such as \"12.5\", of at most 38 digits for 'Item.price', found the number 0 (at $[0].price)",
          "2️⃣ error: expected a string for 'Item.name', found an array (at $[1].name)",
          "3️⃣ error: expected an object for 'Item.meta', found an array (at $[2].meta)",
        ])
  }

  @Test("M20: the model's JSONNulls apply to properties that declare none, even with key paths outside the object")
  func nullsOfTheModel() throws {
    let model = try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "JSONNulls": ["", "-"], "entities": {"A": {
          "identityAttributes": "id", "attributes": {
            "id": "string", "x": {"type": "integer64", "optional": true}, "y": {"type": "string", "optional": true, "JSONNulls": []},
            "z": {"type": "string", "optional": true, "JSONKeyPath": "@root.z"}, "k": {"type": "string", "optional": true, "JSONKeyPath": "g.k"}}}}}
        """#, name: "m.json")
    let context = ManagedObjectContext(model: model)
    let payload = #"{"z": "-", "list": [{"id": "1", "x": "", "y": "-", "g": {"k": ""}}]}"#
    let a = try #require(try objects(ofEntity: "A", fromJSON: payload, in: context, at: "list").first)
    #expect(a["x"] as Int? == nil && a["y"] == "-" && a["z"] as String? == nil && a["k"] as String? == nil)
    // A nil identity matches no object (I2), and an identifier cannot be null.
    #expect(
      refusals(#"[{"id": 1️⃣""}]"#, of: "A", in: context) == [
        "1️⃣ error: expected a value for 'A.id', which is not optional, found none (at $[0].id)"
      ])
  }

  @Test("M20: a value that an import would read as null is not exported; a link with such an identifier is omitted")
  func exportsOfNulls() throws {
    let context = try Fixture.context(Self.items)
    try context.importJSON(#"[{"id": 1}, {"id": 0}]"#, ofEntity: "Item")
    let item = try #require(try context.find(ofEntity: "Item", identity: 1))
    item["name"] = "n/a"
    let error = #expect(throws: ExportError.self) { try exported("Item", context) }
    #expect(error.map { "\($0)" }?.contains("an import would read the string \"n/a\" of 'Item.name' as null") == true)
    item["name"] = "x"
    item["parent"] = try context.find(ofEntity: "Item", identity: 0)
    let text = String(
      decoding: try jsonData(from: item, options: ExportOptions(identifiersOnly: true)), as: UTF8.self)
    #expect(text == #"{"id":1,"price":null,"name":"x","tags":null,"meta":null}"#)
    let before = context.dump()
    try context.importJSON(text, ofEntity: "Item")
    #expect(context.dump() == before)
  }

  @Test("T8, I11: a part of a string that is out of range is named; a faulty identity causes no missing-value errors")
  func partsAndIdentities() throws {
    let context = try Fixture.context(
      #"""
      "Item": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": "string",
        "sizes": {"type": "integer16", "list": true, "optional": true, "JSONTransformerName": ["Split(,)", "StringToInteger"]}}}
      """#)
    try context.importJSON(#"[{"id": 1, "name": "a"}]"#, ofEntity: "Item")
    #expect(
      refusals(#"[{"id": 1, "sizes": 1️⃣"1,99999"}, {"id": 2️⃣"1"}]"#, of: "Item", in: context) == [
        "1️⃣ error: expected an integer from -32768 to 32767 for each part of 'Item.sizes', found \"99999\" (at $[0].sizes)",
        "2️⃣ error: expected an integer for 'Item.id', found the string \"1\" (at $[1].id)",
      ])
  }

  @Test("M20, I5: to-many elements that JSONNulls lists are skipped, in arrays, keyed collections and single elements")
  func nullsAmongElements() throws {
    let context = try Fixture.context(
      #"""
      "List": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {
          "items": {"destination": "Item", "toMany": true, "ordered": true, "lenient": true, "JSONNulls": ["", {}, [], 0]},
          "named": {"destination": "Named", "toMany": true, "JSONNulls": [false, {}]},
          "nodes": {"destination": "Item", "toMany": true, "ordered": true, "JSONKeyPath": "edges[].node", "JSONNulls": [{}]}
        }
      },
      "Item": {"identityAttributes": "id", "attributes": {"id": "string", "name": {"type": "string", "optional": true}}},
      "Named": {
        "identityAttributes": "name",
        "attributes": {"name": {"type": "string", "JSONKeyPath": "@key"}, "size": {"type": "integer64", "optional": true}}
      }
      """#)
    let payload = #"""
      [{"id": 1, "items": ["a", "", {"id": "b", "name": "x"}, { }, 0, null, []], "named": {"p": false, "q": {"size": 1}, "r": {}},
        "edges": [{"node": {}}, {"node": {"id": "c"}}]},
       {"id": 2, "items": "", "named": false},
       {"id": 3, "items": ""}]
      """#
    let report = try context.importJSON(payload, ofEntity: "List")
    #expect(report.skipped == ["Item": 6, "Named": 2])
    let list = try #require(try context.find(ofEntity: "List", identity: 1))
    #expect((list["items"] as [ManagedObject]).map { $0["id"] as String? } == ["a", "b"])
    #expect((list["nodes"] as [ManagedObject]).map { $0["id"] as String? } == ["c"])
    #expect((list["named"] as [ManagedObject]).map { $0["name"] as String? } == ["q"])
  }

  @Test("M20, E5: a to-many with an element that an import would skip as null is omitted")
  func exportsOfElementsThatMeanNull() throws {
    let context = try Fixture.context(
      #"""
      "List": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {
          "items": {"destination": "Item", "toMany": true, "ordered": true, "JSONNulls": [""]},
          "lines": {"destination": "Line", "inverse": "list", "toMany": true, "ordered": true, "JSONNulls": [{}]},
          "named": {"destination": "Named", "inverse": "list", "toMany": true, "JSONNulls": [{}]}
        }
      },
      "Item": {"identityAttributes": "id", "attributes": {"id": "string"}},
      "Line": {
        "attributes": {"text": {"type": "string", "optional": true}},
        "relationships": {"list": {"destination": "List", "inverse": "lines"}}
      },
      "Named": {
        "identityAttributes": ["list", "name"],
        "attributes": {"name": {"type": "string", "JSONKeyPath": "@key"}, "size": {"type": "integer64", "optional": true}},
        "relationships": {"list": {"destination": "List", "inverse": "named"}}
      }
      """#)
    let payload =
      #"[{"id": 1, "items": [{"id": "a"}], "lines": [{"text": "x"}, {"text": "y"}], "named": {"p": {"size": 1}}}]"#
    try context.importJSON(payload, ofEntity: "List")
    let all = ExportOptions(omitsNil: true, identifiersOnly: false)
    #expect(
      try context.exported("List", all)
        == #"[{"id":1,"items":[{"id":"a"}],"lines":[{"text":"x"},{"text":"y"}],"named":{"p":{"size":1}}}]"#)
    let list = try #require(try context.find(ofEntity: "List", identity: 1))
    for line in (list["lines"] as [ManagedObject]) { line["text"] = nil as String? }
    for named in (list["named"] as [ManagedObject]) { named["size"] = nil as Int? }
    #expect(try context.exported("List", all) == #"[{"id":1,"items":[{"id":"a"}]}]"#)
    for element in (list["items"] as [ManagedObject]) { try element.setValue("", of: "id") }
    let before = context.dump()
    let identifiers = ExportOptions(omitsNil: true, identifiersOnly: true)
    #expect(try !context.exported("List", identifiers).contains("items"))
    try context.importJSON(try context.exported("List", identifiers), ofEntity: "List")
    #expect(context.dump() == before)
  }

  @Test("M20, E5: an empty object that an import would read as null is omitted, together with its relationship")
  func exportsOfEmptyObjects() throws {
    let context = try Fixture.context(
      #"""
      "Car": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"engine": {"destination": "Engine", "inverse": "car", "JSONNulls": [{}]}}
      },
      "Engine": {
        "identityAttributes": "car", "attributes": {"power": {"type": "integer64", "optional": true}},
        "relationships": {"car": {"destination": "Car", "inverse": "engine"}}
      }
      """#)
    let payload = #"[{"id": 1, "engine": {"power": 9}}, {"id": 2, "engine": {"power": null}}]"#
    try context.importJSON(payload, ofEntity: "Car")
    let all = ExportOptions(omitsNil: true)
    #expect(try context.exported("Car", all) == #"[{"id":1,"engine":{"power":9}},{"id":2}]"#)
    let before = context.dump()
    try context.importJSON(try context.exported("Car", all), ofEntity: "Car")
    #expect(context.dump() == before)
    let error = #expect(throws: ExportError.self) {
      try context.exported("Car", ExportOptions(omitsNil: true, incompleteRelationships: .error))
    }
    let message = error.map { "\($0)" } ?? ""
    #expect(
      message.contains(
        "an import would read the value written for 'Engine(2)' as null; give it another value, or omit"),
      "\(message)")
  }

  // MARK: Dictionaries that only refer

  private static let references = #"""
    "Terminal": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {
        "kind": {"destination": "Kind", "JSONReferences": true},
        "kinds": {"destination": "Kind", "toMany": true, "ordered": true, "JSONReferences": true},
        "known": {"destination": "Kind", "unresolvedRule": "skip", "JSONReferences": true},
        "people": {"destination": "Party", "toMany": true, "ordered": true, "JSONReferences": true}
      }
    },
    "Kind": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": "string"}},
    "Party": {
      "abstract": true, "identityAttributes": "id", "entityMapper": {"JSONKeyPath": "type", "entities": {"p": "Person", "o": "Group"}},
      "attributes": {"id": {"type": "integer64", "JSONTransformerName": "StringToInteger"}}
    },
    "Person": {"parent": "Party", "attributes": {"age": "integer64"}},
    "Group": {"parent": "Party", "attributes": {"size": {"type": "integer64", "JSONKeyPath": "attributes.size"}}}
    """#

  @Test(
    "D8, M21: a mapped key that occurs twice in a dictionary that is a reference causes an error",
    arguments: [
      #""kind": {"id": 7, "id": 8}"#, #""kinds": [{"id": 7, "id": 7}]"#,
      #""people": [{"type": "p", "type": "o", "id": "1"}]"#,
      #""people": [{"type": "o", "attributes": {}, "attributes": {}, "id": "1"}]"#,
    ])
  func repeatedKeys(member: String) throws {
    let context = try Fixture.context(Self.references)
    let error = #expect(throws: ImportError.self) {
      try context.importJSON("{\"id\": 1, \(member)}", ofEntity: "Terminal")
    }
    #expect(error?.diagnostics.contains { $0.code == .duplicateKey } == true, "\(String(describing: error))")
  }

  @Test("M21: a dictionary whose only mapped key is the identity is read as an identifier")
  func references() throws {
    let context = try Fixture.context(Self.references)
    try context.importJSON(
      #"""
      {"id": 1, "kind": {"id": 7, "href": "x"}, "kinds": [{"id": 8, "name": "b"}, {"type": "kind", "id": 7}, 9],
       "known": {"id": 10}, "people": [{"type": "p", "id": "1"}, {"id": "2", "type": "o", "attributes": {"size": 3}}]}
      """#, ofEntity: "Terminal")
    let terminal = try #require(try context.find(ofEntity: "Terminal", identity: 1))
    let kinds: [ManagedObject] = terminal["kinds"]
    #expect(kinds.map(\.isPlaceholder) == [false, true, true])
    #expect(terminal["kind"] as ManagedObject? === kinds[1])
    #expect(terminal["known"] as ManagedObject? == nil)
    let people: [ManagedObject] = terminal["people"]
    #expect(people.map(\.entity.name) == ["Person", "Group"] && people.map(\.isPlaceholder) == [true, false])
    #expect(context.checkInvariants().isEmpty)
  }

  @Test("M21: a dictionary with more mapped values, or in another relationship, is read as an object")
  func notOnlyReferences() throws {
    let context = try Fixture.context(Self.references)
    #expect(
      refusals(#"{"id": 1, "kind": 1️⃣{"id": 7, "name": null}}"#, of: "Terminal", in: context).count == 1)
    #expect(refusals(#"{"id": 1, "kind": {"id": 1️⃣"7"}}"#, of: "Terminal", in: context).count == 1)
    #expect(refusals(#"1️⃣{"id": 7}"#, of: "Kind", in: context).count == 1)
    try context.importJSON(#"[{"id": 7, "name": "a"}]"#, ofEntity: "Kind")
    try context.importJSON(#"{"id": 1, "known": {"id": 7}, "kind": {"id": 7}}"#, ofEntity: "Terminal")
    let terminal = try #require(try context.find(ofEntity: "Terminal", identity: 1))
    #expect((terminal["known"] as ManagedObject?)?["name"] == "a")
  }

  // MARK: Shapes that lose nothing

  private static let lenient = #"""
    "A": {
      "identityAttributes": "id",
      "attributes": {
        "id": "integer64", "tags": {"type": "string", "list": true, "optional": true, "lenient": true, "JSONTransformerName": "Lenient"},
        "any": {"type": "json", "list": true, "optional": true, "lenient": true}
      },
      "relationships": {
        "one": {"destination": "B", "lenient": true},
        "many": {"destination": "B", "toMany": true, "ordered": true, "lenient": true},
        "lines": {"destination": "Line", "toMany": true, "ordered": true, "lenient": true, "inverse": "a"}
      }
    },
    "B": {"identityAttributes": "id", "attributes": {"id": "integer64", "n": {"type": "integer64", "optional": true}}},
    "Line": {
      "identityAttributes": ["a", "place"], "attributes": {"place": {"type": "integer64", "JSONKeyPath": "@index"}, "x": "string"},
      "relationships": {"a": {"destination": "A", "inverse": "lines", "JSONKeyPath": null}}
    }
    """#

  @Test("M22: a lenient property reads an element as a list, a list as an element, and an object with numbers as keys")
  func lenient() throws {
    let context = try Fixture.context(Self.lenient)
    let text = try roundTrip(
      #"""
      [{"id": 1, "tags": "x", "any": {"0": 1}, "one": [{"id": 1, "n": 1}], "many": {"id": 2}, "lines": {"x": "a"}},
       {"id": 2, "tags": {"0": "x", "1": "y"}, "any": [1], "one": [], "many": {"0": 3, "1": {"id": 4}}, "lines": {"0": {"x": "b"}, "1": {"x": "c"}}},
       {"id": 3, "tags": [], "one": "", "many": 5}, {"id": 4, "tags": {}, "one": false, "many": {}}, {"id": 5, "one": [[6]], "many": []}]
      """#.replacingOccurrences(of: "[[6]]", with: "[6]"), of: "A", in: context)
    #expect(
      text == #"""
        [{"id":1,"tags":["x"],"any":[{"0":1}],"one":{"id":1,"n":1},"many":[{"id":2,"n":null}],"lines":[{"x":"a"}]},\#
        {"id":2,"tags":["x","y"],"any":[1],"one":null,"many":[3,{"id":4,"n":null}],"lines":[{"x":"b"},{"x":"c"}]},\#
        {"id":3,"tags":[],"any":null,"one":null,"many":[5],"lines":[]},{"id":4,"tags":[],"any":null,"one":null,"many":[],"lines":[]},\#
        {"id":5,"tags":null,"any":null,"one":6,"many":[],"lines":[]}]
        """#)
  }

  @Test(
    "M22, M12: an object that only its owner identifies can have an array as identifier, like its owner")
  func arraysOfOwners() throws {
    let context = try Fixture.context(
      #"""
      "Seat": {
        "identityAttributes": ["row", "place"], "attributes": {"row": "string", "place": "integer64"},
        "relationships": {"ticket": {"destination": "Ticket", "inverse": "seat"}}
      },
      "Ticket": {
        "identityAttributes": "seat", "attributes": {"price": {"type": "integer64", "optional": true}},
        "relationships": {"seat": {"destination": "Seat", "inverse": "ticket"}}
      },
      "Guest": {
        "identityAttributes": "name", "attributes": {"name": "string"},
        "relationships": {"ticket": {"destination": "Ticket", "lenient": true}}
      }
      """#)
    try context.importJSON(#"{"row": "A", "place": 1, "ticket": {"price": 9}}"#, ofEntity: "Seat")
    for ticket in [#"["A", 1]"#, #"[["A", 1]]"#] {
      try context.importJSON(#"{"name": "Ann", "ticket": null}"#, ofEntity: "Guest")
      try context.importJSON(#"{"name": "Ann", "ticket": \#(ticket)}"#, ofEntity: "Guest")
      #expect(
        try context.exported("Guest", ExportOptions(identifiersOnly: true)) == #"[{"name":"Ann","ticket":["A",1]}]"#)
    }
    let ticket = try object(ofEntity: "Ticket", fromJSON: #"["A", 1]"#, in: context)
    #expect(ticket["price"] == 9)
  }

  @Test("M22: a lenient property refuses all other forms")
  func refusedLeniently() throws {
    let context = try Fixture.context(Self.lenient)
    #expect(
      refusals(
        #"[{"id": 1, "one": 1️⃣[1, 2]}, {"id": 2, "many": {"0": 1, 2️⃣"2": 2}}, {"id": 3, "tags": [3️⃣[]]}, {"id": 4, "one": 4️⃣"x"}]"#,
        of: "A", in: context) == [
          "1️⃣ error: expected one object for the to-one relationship 'A.one', found 2 (at $[0].one)",
          "2️⃣ error: expected the key \"1\" in the object that represents the list 'A.many', found \"2\" (at $[1].many['2'])",
          "3️⃣ error: expected a string, a number, true or false for 'A.tags', found an array (at $[2].tags[0])",
          "4️⃣ error: expected an integer for 'B.id', found the string \"x\" (at $[3].one)",
        ])
  }

  // MARK: References in several keys

  private static let parts = #"""
    "Line": {
      "identityAttributes": "id", "attributes": {"id": "integer64", "sku": {"type": "string", "optional": true}},
      "relationships": {"product": {"destination": "Product", "inverse": "lines", "JSONKeyPath": {"shop": "shop.id", "sku": "sku"}}}
    },
    "Product": {
      "identityAttributes": ["shop", "sku"], "attributes": {"sku": "string"},
      "relationships": {
        "shop": {"destination": "Shop", "inverse": "products", "JSONKeyPath": "shop_id"},
        "lines": {"destination": "Line", "toMany": true, "inverse": "product", "JSONKeyPath": null}
      }
    },
    "Shop": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {"products": {"destination": "Product", "toMany": true, "inverse": "shop"}}
    },
    "Comment": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {"target": {"destination": "Target", "JSONKeyPath": {"@type": "on.type", "id": "on.id"}}}
    },
    "Target": {
      "abstract": true, "identityAttributes": "id", "entityMapper": {"JSONKeyPath": "type", "entities": {"a": "Action", "f": "FollowUp"}},
      "attributes": {"id": "integer64"}
    },
    "Action": {"parent": "Target"}, "FollowUp": {"parent": "Target"}
    """#

  @Test("M24: a to-one is read from several keys, one for each value of its identifier")
  func parts() throws {
    let context = try Fixture.context(Self.parts)
    let text = try roundTrip(
      #"[{"id": 1, "shop": {"id": 3}, "sku": "A"}, {"id": 2, "sku": "B", "shop": null}, {"id": 3, "sku": "C"}]"#,
      of: "Line",
      in: context)
    #expect(
      text
        == #"[{"id":1,"sku":"A","shop":{"id":3}},{"id":2,"sku":"B","shop":null},{"id":3,"sku":"C","shop":null}]"#
        || text
          == #"[{"id":1,"sku":"A","shop":{"id":3}},{"id":2,"sku":"B","shop":{"id":null}},{"id":3,"sku":"C","shop":{"id":null}}]"#
    )
    let product = try #require(try context.fetch(ofEntity: "Product").first)
    #expect(product["sku"] == "A" && (product["shop"] as ManagedObject?)?["id"] == 3)
    let comments = try roundTrip(
      #"[{"id": 1, "on": {"type": "f", "id": 5}}, {"id": 2, "on": {"type": "a", "id": 6}}]"#, of: "Comment", in: context
    )
    #expect(comments == #"[{"id":1,"on":{"type":"f","id":5}},{"id":2,"on":{"type":"a","id":6}}]"#)
    let dump = String(decoding: context.dump(), as: UTF8.self)
    #expect(dump.contains("FollowUp(5)") && dump.contains("Action(6)"))
  }

  @Test("E2: an object inside its owner is written in full if it has a reference with several keys")
  func partsInside() throws {
    let context = try Fixture.context(
      #"""
      "Order": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"lines": {"destination": "Line", "toMany": true, "inverse": "order"}}
      },
      "Line": {
        "identityAttributes": ["order", "n"], "attributes": {"n": "integer64"},
        "relationships": {
          "order": {"destination": "Order", "inverse": "lines", "JSONKeyPath": null},
          "product": {"destination": "Product", "JSONKeyPath": {"shop": "shop", "sku": "sku"}}
        }
      },
      "Product": {"identityAttributes": ["shop", "sku"], "attributes": {"shop": "integer64", "sku": "string"}}
      """#)
    let payload = #"[{"id":1,"lines":[{"n":4,"shop":3,"sku":"A"}]}]"#
    #expect(try roundTrip(payload, of: "Order", in: context) == payload)
  }

  @Test("M24: an identifier whose values are missing or invalid is refused at their locations")
  func wrongParts() throws {
    let context = try Fixture.context(Self.parts)
    #expect(
      refusals(
        #"[{"id": 1, "shop": {"id": 1️⃣1}}, {"id": 2, "sku": "B", "shop": {"id": 2️⃣"x"}}, {"id": 3, "sku": null, "shop": {"id": 3️⃣3}}]"#,
        of: "Line", in: context)
        == [
          "1️⃣ error: expected a value at the key path 'sku', for the rest of the identifier of 'Line.product', found null or none (at $[0].shop.id)",
          "2️⃣ error: expected an integer for 'Shop.id', found the string \"x\" (at $[1].shop.id)",
          "3️⃣ error: expected a value at the key path 'sku', for the rest of the identifier of 'Line.product', found null or none (at $[2].shop.id)",
        ])
    let unlisted = refusals(#"{"id": 1, "on": {"type": 1️⃣"x", "id": 5}}"#, of: "Comment", in: context)
    #expect(unlisted.count == 1 && unlisted[0].hasPrefix("1️⃣"), "\(unlisted)")
    #expect(
      refusals(#"{"id": 1, "on": 1️⃣5}"#, of: "Comment", in: context) == [
        "1️⃣ error: expected an object on the key path 'on.type' of 'Comment.target', found the number 5 (at $.on)"
      ])
  }

  // MARK: Paths through arrays

  private static let connections = #"""
    "Repo": {
      "identityAttributes": "name",
      "attributes": {
        "name": "string", "cursors": {"type": "string", "list": true, "optional": true, "JSONKeyPath": "issues.edges[].cursor", "JSONDirection": "import"},
        "labels": {"type": "string", "list": true, "optional": true, "JSONKeyPath": "labels[].name"},
        "deep": {"type": "integer64", "list": true, "optional": true, "JSONKeyPath": "a[].b[].c.d", "JSONDirection": "import"}
      },
      "relationships": {
        "issues": {"destination": "Issue", "toMany": true, "ordered": true, "inverse": "repo", "JSONKeyPath": "issues.edges[].node", "JSONDirection": "import"},
        "users": {"destination": "User", "toMany": true, "ordered": true, "JSONKeyPath": "users[].user"}
      }
    },
    "Issue": {
      "identityAttributes": "id", "attributes": {"id": "string", "title": {"type": "string", "optional": true}},
      "relationships": {
        "repo": {"destination": "Repo", "inverse": "issues", "JSONKeyPath": null},
        "comments": {"destination": "Comment", "toMany": true, "ordered": true, "JSONKeyPath": "comments.edges[].node"}
      }
    },
    "Comment": {"attributes": {"text": "string"}},
    "User": {"identityAttributes": "id", "attributes": {"id": "integer64"}}
    """#

  @Test("M25: a list and a to-many collect values from all elements of an array")
  func spreads() throws {
    let context = try Fixture.context(Self.connections)
    let payload = #"""
      {"issues": {"edges": [
         {"cursor": "x", "node": {"id": "I1", "title": "a", "comments": {"edges": [{"node": {"text": "c1"}}, {"node": {"text": "c2"}}]}}},
         null, {"cursor": "y", "node": {"id": "I2"}}, {"node": null, "cursor": "z"}, {"node": "I3"}], "pageInfo": {}},
       "name": "r", "labels": [{"name": "l1"}, {"name": "l2", "color": 1}], "a": [{"b": [{"c": {"d": 1}}, {"c": {"d": 2}}]}, {"b": []}, {"b": [{"c": {"d": 3}}]}],
       "users": [{"user": {"id": 1}}, {"user": 2}]}
      """#
    let repo: ManagedObject = try context.object(ofEntity: "Repo", fromJSON: payload)
    let issues: [ManagedObject] = repo["issues"]
    #expect(issues.map { $0["id"] as String? } == ["I1", "I2", "I3"])
    #expect(issues.map(\.isPlaceholder) == [false, false, true])
    #expect(issues.allSatisfy { $0["repo"] as ManagedObject? === repo })
    let comments: [ManagedObject] = issues[0]["comments"]
    #expect(comments.map { $0["text"] as String? } == ["c1", "c2"])
    #expect(repo["cursors"] == ["x", "y", "z"] && repo["labels"] == ["l1", "l2"] && repo["deep"] == [1, 2, 3])
    #expect(context.checkInvariants().isEmpty)
    let text = try exported("Repo", context)
    #expect(text == #"[{"name":"r","labels":[{"name":"l1"},{"name":"l2"}],"users":[{"user":{"id":1}},{"user":2}]}]"#)
    let before = context.dump()
    try context.importJSON(text, ofEntity: "Repo")
    #expect(context.dump() == before)
    // Absent, null and empty arrays are distinguished.
    try context.importJSON(#"{"name": "r", "issues": {}, "labels": null, "users": []}"#, ofEntity: "Repo")
    let kept: [ManagedObject] = repo["issues"]
    #expect(kept.count == 3 && repo["labels"] as [String]? == nil)
    #expect((repo["users"] as [ManagedObject]).isEmpty)
    try context.importJSON(#"{"name": "r", "issues": {"edges": []}}"#, ofEntity: "Repo")
    #expect((repo["issues"] as [ManagedObject]).isEmpty)
  }

  @Test("M25: other values on the path are refused at their locations, and the import changes nothing")
  func refusedSpreads() throws {
    let context = try Fixture.context(Self.connections)
    #expect(
      refusals(
        #"{"name": "r", "labels": 1️⃣"x", "issues": {"edges": [2️⃣5, {"node": {"id": 3️⃣7}}]}, "users": [{"user": 4️⃣"a"}]}"#,
        of: "Repo", in: context) == [
          "1️⃣ error: expected an array on the key path 'labels[].name' of 'Repo.labels', found the string \"x\" (at $.labels)",
          "2️⃣ error: expected an object on the key path 'issues.edges[].cursor' of 'Repo.cursors', found the number 5 (at $.issues.edges[0])",
          "2️⃣ error: expected an object on the key path 'issues.edges[].node' of 'Repo.issues', found the number 5 (at $.issues.edges[0])",
          "4️⃣ error: expected an integer for 'User.id', found the string \"a\" (at $.users[0].user)",
        ])
    #expect(
      refusals(
        #"{"name": "r", "a": [{"b": [{"c": 1️⃣5}]}], "labels": [{"name": "x", 2️⃣"name": "y"}]}"#, of: "Repo", in: context)
        == [
          "1️⃣ error: expected an object on the key path 'a[].b[].c.d' of 'Repo.deep', found the number 5 (at $.a[0].b[0].c)",
          "2️⃣ error: the key \"name\" occurs twice in one object (at $.labels[0].name)",
        ])
  }

  @Test("M25: a payload's objects can be at a path through arrays")
  func rootSpread() throws {
    let context = try Fixture.context(Self.connections)
    let payload =
      #"{"data": {"pages": [{"items": [{"name": "a"}, {"name": "b"}]}, {"items": []}, {}, {"items": [null, {"name": "c"}]}], "next": 1}}"#
    let repos = try objects(ofEntity: "Repo", fromJSON: payload, in: context, at: "data.pages[].items[]")
    #expect(repos.map { $0["name"] as String? } == ["a", "b", "c"])
    let dictionaries = try #require(try JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [String: Any])
    let again = try objects(ofEntity: "Repo", fromJSON: dictionaries, in: context, at: "data.pages[].items[]")
    #expect(again == repos)
    #expect(throws: ImportError.self) {
      try object(ofEntity: "Repo", fromJSON: payload, in: context, at: "data.pages[].items[]")
    }
    #expect(
      refusals(#"{"a": [{"b": {"name": "x"}}, 1️⃣7]}"#, of: "Repo", in: context, at: "a[].b") == [
        "1️⃣ error: expected an object on the key path through arrays, which 'at' names, found the number 7 (at $.a[1])"
      ])
    #expect(refusals(#"{"a": 1️⃣{}}"#, of: "Repo", in: context, at: "a[].b").count == 1)
    #expect(refusals(#"1️⃣{}"#, of: "Repo", in: context, at: "a[].b").count == 1)
    #expect(throws: ImportError.self) {
      try ImportStream(ofEntity: "Repo", in: context, at: "a[].b")
    }
  }

  /// Twelve members, whose keys have a different order when they are sorted as strings.
  private static let numbered = (0..<12).map { "\"\($0)\": \($0 + 100)" }.joined(separator: ", ")

  // MARK: Transformers

  private static let chains = #"""
    "P": {
      "identityAttributes": "id",
      "attributes": {
        "id": "integer64",
        "age": {"type": "integer64", "optional": true, "JSONTransformerName": ["Blank", "StringToInteger"]},
        "born": {"type": "date", "optional": true, "JSONTransformerName": "DateFormat(yyyy-MM-dd|dd.MM.yyyy|'|'yyyy)"},
        "seen": {"type": "date", "optional": true, "JSONTransformerName": ["StringToDecimal", "UnixTime"]},
        "noted": {"type": "date", "optional": true, "JSONTransformerName": "UnixTimeMilliseconds"},
        "tags": {"type": "string", "list": true, "optional": true, "JSONTransformerName": ["Split(, )", "Lowercase"]},
        "days": {"type": "date", "list": true, "optional": true, "JSONTransformerName": ["Split(;)", "DateFormat(yyyy)"]},
        "counts": {"type": "integer64", "list": true, "optional": true, "JSONTransformerName": "Split(,)"},
        "note": {"type": "string", "optional": true, "JSONTransformerName": "Blank"}
      },
      "relationships": {
        "planet": {"destination": "Planet", "JSONTransformerName": ["LastPathSegment", "StringToInteger"]},
        "films": {"destination": "Film", "toMany": true, "ordered": true, "JSONTransformerName": "Split(/)"},
        "boss": {"destination": "P", "JSONTransformerName": "StringToInteger", "JSONRepresentation": "identifier"}
      }
    },
    "Planet": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}}},
    "Film": {"identityAttributes": ["series", "part"], "attributes": {"series": "string", "part": {"type": "integer64", "JSONTransformerName": "StringToInteger"}}}
    """#

  @Test("T8: chains of transformers read several patterns, times in strings, lists in one string, and blank strings")
  func chains() throws {
    let context = try Fixture.context(Self.chains)
    let text = try roundTrip(
      #"""
      [{"id": 1, "age": "  ", "born": "03.02.2020", "seen": "1.5", "noted": "1500", "tags": "A, b", "days": "1970;1971", "counts": "1,-2", "note": " \n"},
       {"id": 2, "age": "41", "born": "2020-02-03", "seen": null, "noted": 1500, "tags": "", "days": "", "counts": "", "note": "x "},
       {"id": 3, "born": "|1999", "tags": "a", "counts": [4]}]
      """#.replacingOccurrences(of: ", \"counts\": [4]", with: ""), of: "P", in: context)
    #expect(
      text.hasPrefix(
        #"[{"id":1,"age":null,"born":"2020-02-03","seen":"1.5","noted":1500,"tags":"a, b","days":"1970;1971","counts":"1,-2","note":null,"#
      ))
    #expect(
      text.contains(
        #""id":2,"age":"41","born":"2020-02-03","seen":null,"noted":1500,"tags":"","days":"","counts":"","note":"x ""#))
    #expect(text.contains(#""id":3,"age":null,"born":"1999-01-01""#))
  }

  @Test("T8: a string that a transformer cannot read is refused at its location")
  func refusedChains() throws {
    let context = try Fixture.context(Self.chains)
    #expect(
      refusals(
        #"[{"id": 1, "age": 1️⃣"x"}, {"id": 2, "counts": 2️⃣"1, 2"}, {"id": 3, "born": 3️⃣"1/2/2020"}, {"id": 4, "days": 4️⃣"1970;x"}, {"id": 5, "tags": 5️⃣7}]"#,
        of: "P", in: context) == [
          "1️⃣ error: expected a value that 'StringToInteger' can read (a string of digits, such as \"42\", that fits in 64 bits, without leading zeros) after the preceding transformers for 'P.age', found the string \"x\" (at $[0].age)",
          "2️⃣ error: expected text that spells an integer for each part of 'P.counts', found \" 2\" (at $[1].counts)",
          "3️⃣ error: expected a string with a date in the format 'yyyy-MM-dd' or 'dd.MM.yyyy' or ''|'yyyy' for 'P.born', found the string \"1/2/2020\" (at $[2].born)",
          "4️⃣ error: expected text that 'DateFormat(yyyy)' can read for each part of 'P.days', found \"x\" (at $[3].days)",
          "5️⃣ error: expected an array for 'P.tags', found the number 7 (at $[4].tags)",
        ])
  }

  @Test("T8: a list that cannot be joined into one string is not exported")
  func unjoinable() throws {
    let context = try Fixture.context(Self.chains)
    try context.importJSON(#"{"id": 1}"#, ofEntity: "P")
    let p = try #require(try context.find(ofEntity: "P", identity: 1))
    for tags in [["a, b"], [""]] {
      p["tags"] = tags
      #expect(throws: ExportError.self) { try exported("P", context) }
    }
    p["tags"] = ["a", ""]
    #expect(try exported("P", context).contains(#""tags":"a, ""#))
  }

  @Test("M26: transformers also apply to references")
  func transformedReferences() throws {
    let context = try Fixture.context(Self.chains)
    let text = try roundTrip(
      #"""
      [{"id": 1, "planet": "https://example.org/planets/7/", "films": ["sw/4", "sw/5"], "boss": "2"},
       {"id": 2, "planet": {"id": 7, "name": "x"}, "films": [], "boss": null}, {"id": 3, "planet": null}]
      """#, of: "P", in: context)
    #expect(
      text.contains(#""planet":{"id":7,"name":"x"}"#) && text.contains(#""films":["sw/4","sw/5"]"#)
        && text.contains(#""boss":"2""#))
    #expect(
      refusals(#"[{"id": 1, "planet": 1️⃣7, "boss": 2️⃣"x"}, {"id": 2, "films": [3️⃣"a"]}]"#, of: "P", in: context).map {
        $0.prefix(3)
      }
        == ["1️⃣", "2️⃣", "3️⃣"].map { "\($0) error".prefix(3) })
  }

  @Test(
    "M22: a dictionary without mapped keys is one element, like the same object in text; an empty dictionary is no element"
  )
  func unmappedElement() throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Box": {"relationships": {"items": {"destination": "Item", "toMany": true, "lenient": true}}},
          "Item": {"attributes": {"n": {"type": "integer64", "optional": true}}}}}
        """)
    for (text, count) in [(#"{"items": {"x": null}}"#, 1), (#"{"items": {"1": null}}"#, 1), (#"{"items": {}}"#, 0)] {
      let dictionary = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      let (first, second) = (ManagedObjectContext(model: model), ManagedObjectContext(model: model))
      try first.importJSON(text, ofEntity: "Box")
      try second.importJSON(dictionary, ofEntity: "Box")
      #expect(try first.count(ofEntity: "Item") == count && second.count(ofEntity: "Item") == count, "\(text)")
    }
  }

  @Test(
    "M23: a json value is also read completely from dictionaries, and unmapped values can be of any type")
  func wholeElements() throws {
    let context = try Fixture.context(
      #"""
      "Box": {"relationships": {
        "things": {"destination": "Thing", "toMany": true, "ordered": true}, "maker": {"destination": "Maker"}}},
      "Thing": {"attributes": {"value": {"type": "json", "JSONKeyPath": "@value"}}},
      "Maker": {"attributes": {"name": {"type": "string", "optional": true}}}
      """#)
    let box: ManagedObject = try object(
      ofEntity: "Box", fromJSON: ["things": [["b": 2, "a": 1] as [String: Any], [:]], "maker": ["since": Date()]],
      in: context)
    let values = (box["things"] as [ManagedObject]).map { ($0["value"] as JSON?)?.description }
    #expect(values == [#"{"a":1,"b":2}"#, "{}"] && box["maker"] as ManagedObject? != nil)
  }

  @Test("Imports of bytes and of dictionaries produce the same graph from all forms of values")
  func dictionaries() throws {
    for (model, entity, payload) in [
      (Self.items, "Item", #"[{"id": 1, "price": "", "name": {}, "tags": "", "meta": [], "parent": 0}]"#),
      (Self.lenient, "A", #"[{"id": 2, "tags": {"0": "x", "1": "y"}, "one": [], "many": {"0": 3, "1": {"id": 4}}}]"#),
      (Self.lenient, "A", "[{\"id\": 3, \"tags\": {\(Self.numbered)}, \"many\": {\(Self.numbered)}}]"),
      (Self.parts, "Line", #"[{"id": 1, "shop": {"id": 3}, "sku": "A"}]"#),
      (
        Self.connections, "Repo",
        #"[{"name": "r", "issues": {"edges": [{"node": {"id": "I1"}}]}, "labels": [{"name": "x"}]}]"#
      ),
      (Self.chains, "P", #"[{"id": 1, "planet": "a/7", "films": ["sw/4"], "tags": "A, b"}]"#),
      (Self.references, "Terminal", #"[{"id": 1, "kind": {"id": 7}}]"#),
    ] {
      let (first, second) = (try Fixture.context(model), try Fixture.context(model))
      try first.importJSON(payload, ofEntity: entity)
      let dictionaries = try #require(try JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [Any])
      try objects(ofEntity: entity, fromJSON: dictionaries, in: second)
      #expect(first.dump() == second.dump())
      #expect(String(decoding: first.dump(), as: UTF8.self).contains(entity))
    }
  }

  private static let numberedModel = #"""
    "A": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {"many": {"destination": "B", "toMany": true, "ordered": true, "lenient": true}}
    },
    "B": {"identityAttributes": "id", "attributes": {"id": "integer64"}}
    """#

  @Test(
    "M22, D14: an object with only some numeric keys causes the same error in dictionaries as in text, without changes",
    arguments: [
      #"{"0": {"id": 4}, "2": {"id": 5}}"#, #"{"0": 4, "x": 5}"#, #"{"0": {"id": 4}, "1": {"id": 5}, "3": {"id": 6}}"#,
    ])
  func numberedWithGaps(value: String) throws {
    let context = try Fixture.context(Self.numberedModel)
    try context.load(#"[{"id": 1, "many": [4, 5]}]"#, "A")
    let before = context.dumpText
    let text = #"[{"id": 1, "many": \#(value)}]"#
    let dictionaries = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Any])
    #expect(refusals(text, of: "A", in: context).count == 1)
    #expect(refusals(dictionaries, of: "A", in: context).count == 1)
    #expect(context.dumpText == before)
  }
}
