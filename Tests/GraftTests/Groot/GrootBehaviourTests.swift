import Foundation
import Graft
import GraftTestSupport
import Testing

/// Behavior that users of Groot expect, as far as Graft's contract preserves it.
@Suite("Groot's behavior") struct GrootBehaviourTests {
  private func context(_ entities: String, transformers: TransformerRegistry = .standard) throws -> ManagedObjectContext
  {
    ManagedObjectContext(
      model: try ManagedObjectModel(text: #"{"entities": {\#(entities)}}"#, transformers: transformers))
  }

  private static let heroes = #"""
    "Hero": {
      "identityAttributes": "id",
      "attributes": {
        "id": {"type": "integer64", "JSONKeyPath": "id", "JSONTransformerName": "StringToInteger"},
        "name": {"type": "string", "JSONKeyPath": "name", "default": "nobody"},
        "realName": {"type": "string", "optional": true, "JSONKeyPath": "real.name"},
        "note": {"type": "string", "optional": true}
      },
      "relationships": {
        "powers": {"destination": "Power", "toMany": true, "ordered": true, "inverse": "heroes", "JSONKeyPath": "powers"},
        "publisher": {"destination": "Publisher", "inverse": "heroes", "JSONKeyPath": "publisher"}
      }
    },
    "Power": {
      "identityAttributes": "id",
      "attributes": {"id": {"type": "integer64", "JSONKeyPath": "id"}, "name": {"type": "string", "JSONKeyPath": "name", "optional": true}},
      "relationships": {"heroes": {"destination": "Hero", "toMany": true, "inverse": "powers"}}
    },
    "Publisher": {
      "identityAttributes": "id",
      "attributes": {"id": {"type": "integer64", "JSONKeyPath": "id"}, "name": {"type": "string", "JSONKeyPath": "name", "optional": true}},
      "relationships": {"heroes": {"destination": "Hero", "toMany": true, "inverse": "publisher"}}
    }
    """#

  private func names(_ hero: ManagedObject, _ relationship: String = "powers") -> [String] {
    (hero[relationship] as RelatedObjects<ManagedObject>).map(\.description)
  }

  private func text(_ object: ManagedObject) throws -> String {
    String(decoding: try jsonData(from: object), as: UTF8.self)
  }

  // MARK: Entry points

  @Test(
    "Groot 1, 4, 5: each object produces one result, in payload order; nulls are skipped; an empty array produces none"
  )
  func entryPoints() throws {
    let context = try context(Self.heroes)
    #expect(try objects(ofEntity: "Hero", fromJSON: #"{"id": "1"}"#, in: context).map(\.description) == ["Hero(1)"])
    #expect(try object(ofEntity: "Hero", fromJSON: #"{"id": "2"}"#, in: context).description == "Hero(2)")
    let found = try objects(
      ofEntity: "Hero", fromJSON: #"[{"id": "3"}, null, {"id": "1"}, null, "2", {"id": "3"}]"#, in: context)
    #expect(found.map(\.description) == ["Hero(3)", "Hero(1)", "Hero(2)", "Hero(3)"])
    #expect(try objects(ofEntity: "Hero", fromJSON: "[]", in: context) == [])
    #expect(try objects(ofEntity: "Hero", fromJSON: [Any](), in: context) == [])
    let ways: [[ManagedObject]] = [
      try objects(ofEntity: "Hero", fromJSON: Data(#"[{"id": "9"}]"#.utf8), in: context),
      try objects(ofEntity: "Hero", fromJSON: Array(#"[{"id": "9"}]"#.utf8), in: context),
      try objects(ofEntity: "Hero", fromJSON: [["id": "9"]], in: context),
      try objects(ofEntity: "Hero", fromJSON: ["id": "9"] as [String: Any], in: context),
      try objects(ofEntity: "Hero", fromJSON: [["id": "9"]] as JSON, in: context),
    ]
    #expect(try Set(ways.joined()).count == 1 && context.count(ofEntity: "Hero") == 4)
  }

  // MARK: Annotations

  @Test("Groot 7: a property without a key path is neither read, nor written, nor cleared")
  func unmapped() throws {
    let context = try context(Self.heroes)
    let hero = try object(ofEntity: "Hero", fromJSON: #"{"id": "1", "note": 5, "heroes": {}}"#, in: context)
    hero["note"] = "mine"
    try object(ofEntity: "Hero", fromJSON: #"{"id": "1", "note": null}"#, in: context)
    #expect(hero["note"] as String? == "mine")
    #expect(try text(hero) == #"{"id":"1","name":"nobody","real":null,"powers":[],"publisher":null}"#)
  }

  @Test("Groot 9: identity attributes are split at commas and spaces; the old spelling causes a warning")
  func identityAttributes() throws {
    for spelling in [
      #""identityAttributes": "set, number""#, #""identityAttributes": "set number""#,
      #""identityAttributes": ["set", "number"]"#,
    ] {
      let context = try context(
        #""Card": {\#(spelling), "attributes": {"set": {"type": "string", "JSONKeyPath": "s"}, "number": {"type": "integer32", "JSONKeyPath": "n"}}}"#
      )
      try objects(
        ofEntity: "Card", fromJSON: #"[{"s": "A", "n": 1}, {"s": "A", "n": 2}, {"n": 1, "s": "A"}, ["A", 2]]"#,
        in: context)
      #expect(try context.fetch(ofEntity: "Card").map(\.description) == ["Card(A,1)", "Card(A,2)"])
    }
    let old = try ManagedObjectModel(
      text:
        #"{"entities": {"Card": {"identityAttribute": "id", "attributes": {"id": {"type": "string", "JSONKeyPath": "id"}}}}}"#
    )
    #expect(old.warnings.count == 1)
    let cards = ManagedObjectContext(model: old)
    try objects(ofEntity: "Card", fromJSON: #"["a", "a", {"id": "a"}]"#, in: cards)
    #expect(try cards.count(ofEntity: "Card") == 1)
  }

  @Test("Groot 10: an unregistered transformer name causes an error when the model is loaded")
  func unregistered() throws {
    for word in ["JSONDictionaryTransformerName", "entityMapperName"] {
      #expect(throws: ModelError.self) { try context(#""A": {"\#(word)": "Nobody"}"#) }
    }
    #expect(throws: ModelError.self) {
      try context(
        #""A": {"attributes": {"x": {"type": "string", "JSONKeyPath": "x", "JSONTransformerName": "Nobody"}}}"#)
    }
  }

  @Test(
    "Groot 11: a transformer is called once per value, never for null or absent values; another type causes an error")
  func transformers() throws {
    let calls = Locked(0)
    var transformers = TransformerRegistry.standard
    transformers.registerValueTransformer(named: "Short") { (text: String) -> String? in
      calls.withLock { $0 += 1 }
      return text.isEmpty ? nil : String(text.prefix(3))
    }
    let context = try context(
      #""A": {"attributes": {"x": {"type": "string", "optional": true, "JSONKeyPath": "x", "JSONTransformerName": "Short"}}}"#,
      transformers: transformers)
    let all = try objects(ofEntity: "A", fromJSON: #"[{"x": "abcdef"}, {"x": null}, {}, {"x": ""}]"#, in: context)
    #expect(all.map { $0["x"] as String? } == ["abc", nil, nil, nil])
    #expect(calls.withLock { $0 } == 2)
    let error = #expect(throws: ImportError.self) { try objects(ofEntity: "A", fromJSON: #"{"x": 5}"#, in: context) }
    #expect(error?.diagnostics.map(\.message) == ["expected a string for 'A.x', found the number 5"])
  }

  // MARK: Identity

  @Test("Groot 15: without identity attributes, every dictionary inserts an object, and identifiers cause errors")
  func insert() throws {
    let context = try context(
      #""A": {"attributes": {"x": {"type": "integer32", "optional": true, "JSONKeyPath": "x"}}}"#)
    try objects(ofEntity: "A", fromJSON: #"[{"x": 1}, {"x": 1}, {}]"#, in: context)
    try objects(ofEntity: "A", fromJSON: #"[{"x": 1}]"#, in: context)
    #expect(try context.count(ofEntity: "A") == 4)
    #expect(throws: ImportError.self) { try objects(ofEntity: "A", fromJSON: "[1]", in: context) }
  }

  @Test(
    "Groot 16, 18, 19: objects are found by transformed identity; values are not coerced; absent values never match"
  )
  func uniquing() throws {
    let context = try context(Self.heroes)
    try objects(ofEntity: "Hero", fromJSON: #"[{"id": "1", "name": "a"}, {"id": "2", "name": "b"}]"#, in: context)
    try objects(ofEntity: "Hero", fromJSON: #"[{"id": "2", "name": "c"}]"#, in: context)
    #expect(try context.count(ofEntity: "Hero") == 2)
    #expect(try context.find(ofEntity: "Hero", identity: 2)?["name"] as String? == "c")
    #expect(throws: ImportError.self) { try objects(ofEntity: "Hero", fromJSON: #"[{"id": 2}]"#, in: context) }
    // Without an identity, a new object is inserted, and validation reports the missing identity.
    let error = #expect(throws: ImportError.self) {
      try objects(ofEntity: "Hero", fromJSON: #"[{"name": "x"}]"#, in: context)
    }
    #expect(error?.diagnostics.map(\.path) == ["$[0].id"])
  }

  @Test(
    "Groot 22, 23, 30: a bare identifier refers to an existing object, or to a placeholder to be filled later")
  func placeholders() throws {
    let context = try context(Self.heroes)
    let hero = try object(ofEntity: "Hero", fromJSON: #"{"id": "1", "publisher": 10, "powers": [4, 5]}"#, in: context)
    #expect(try context.placeholders.map(\.description) == ["Power(4)", "Power(5)", "Publisher(10)"])
    let publisher = try #require(hero["publisher"] as ManagedObject?)
    try object(ofEntity: "Publisher", fromJSON: #"{"id": 10, "name": "Lantern"}"#, in: context)
    #expect(publisher["name"] as String? == "Lantern" && !publisher.isPlaceholder)
    #expect(names(publisher, "heroes") == ["Hero(1)"])
  }

  // MARK: Dictionaries

  /// Groot's table of keys and their effects, for an existing object with a name, a real name and a publisher.
  static let states: [(String, String)] = [
    (#"{"id": "1"}"#, "a, r, Publisher(10), [Power(4)]"),
    (#"{"id": "1", "real": {}}"#, "a, r, Publisher(10), [Power(4)]"),
    (#"{"id": "1", "real": null, "publisher": null, "powers": null}"#, "a, nil, nil, []"),
    (#"{"id": "1", "real": {"name": null}, "powers": []}"#, "a, nil, Publisher(10), []"),
    (#"{"id": "1", "name": null}"#, "error at $.name"),
    (#"{"id": "1", "name": "z", "real": {"name": "q"}}"#, "z, q, Publisher(10), [Power(4)]"),
    (#"{"id": "1", "publisher": 11, "powers": [5, 4, 5]}"#, "a, r, Publisher(11), [Power(5), Power(4)]"),
    (#"{"id": "1", "publisher": {"id": 10}, "powers": [null, {"id": 6}]}"#, "a, r, Publisher(10), [Power(6)]"),
    (#"{"id": "1", "publisher": [10]}"#, "error at $.publisher"), (#"{"id": "1", "powers": 4}"#, "error at $.powers"),
    (#"{"id": "1", "powers": {"id": 4}}"#, "error at $.powers"),
    (#"{"id": "1", "powers": [[4]]}"#, "error at $.powers[0]"),
  ]

  @Test(
    "Groot 24, 28, 29: absent keys keep values, null clears values, and other values must have the matching form",
    arguments: states)
  func state(text: String, expected: String) throws {
    let context = try context(Self.heroes)
    let hero = try object(
      ofEntity: "Hero", fromJSON: #"{"id": "1", "name": "a", "real": {"name": "r"}, "publisher": 10, "powers": [4]}"#,
      in: context)
    var outcome: String
    do {
      try object(ofEntity: "Hero", fromJSON: text, in: context)
      let publisher: ManagedObject? = hero["publisher"]
      outcome =
        "\(hero["name"] as String? ?? "nil"), \(hero["realName"] as String? ?? "nil"), \(publisher?.description ?? "nil"), [\(names(hero).joined(separator: ", "))]"
    } catch {
      outcome = "error at \(error.diagnostics.first?.path ?? "")"
    }
    #expect(outcome == expected)
    #expect(context.checkInvariants() == [])
    // Objects removed from a relationship still exist.
    #expect(
      try context.find(ofEntity: "Power", identity: 4) != nil
        && context.find(ofEntity: "Publisher", identity: 10) != nil)
  }

  @Test("Groot 24: a new object gets its defaults, and an absent key does not clear them")
  func defaults() throws {
    let context = try context(Self.heroes)
    #expect(try object(ofEntity: "Hero", fromJSON: #"{"id": "1"}"#, in: context)["name"] as String? == "nobody")
    let plain = try self.context(
      #""A": {"attributes": {"x": {"type": "integer32", "default": 7, "JSONKeyPath": "x"}}}"#)
    #expect(try object(ofEntity: "A", fromJSON: "{}", in: plain)["x"] as Int? == 7)
  }

  @Test(
    "Groot 31: a child that contains its parent refers to that parent, even if the identity comes after the child")
  func embedded() throws {
    let context = try context(
      #"""
      "Node": {"identityAttributes": "id", "attributes": {"id": {"type": "string", "JSONKeyPath": "id"}, "n": {"type": "integer32", "optional": true, "JSONKeyPath": "n"}},
        "relationships": {"up": {"destination": "Node", "inverse": "down", "JSONKeyPath": "up"}, "down": {"destination": "Node", "toMany": true, "inverse": "up", "JSONKeyPath": "down"}}}
      """#)
    try objects(
      ofEntity: "Node", fromJSON: #"{"down": [{"up": {"n": 1, "id": "a"}, "id": "b"}], "n": 2, "id": "a"}"#, in: context
    )
    #expect(try context.fetch(ofEntity: "Node").map(\.description).sorted() == ["Node(a)", "Node(b)"])
    let a = try #require(try context.find(ofEntity: "Node", identity: "a"))
    // The parent's dictionary is applied when it ends, so the outer mention is the later one (I7).
    #expect(a["n"] as Int? == 2 && names(a, "down") == ["Node(b)"])
    #expect(context.checkInvariants() == [])
  }

  // MARK: Export

  @Test(
    "Groot 35, 38, 39: nil is null, an empty relationship is [], a key path without values is null, and order is kept"
  )
  func export() throws {
    let context = try context(Self.heroes)
    let hero = try object(
      ofEntity: "Hero", fromJSON: #"{"id": "1", "powers": [{"id": 5, "name": "b"}, {"id": 4, "name": "a"}]}"#,
      in: context)
    #expect(
      try text(hero)
        == #"{"id":"1","name":"nobody","real":null,"powers":[{"id":5,"name":"b"},{"id":4,"name":"a"}],"publisher":null}"#
    )
    let dictionary = try json(from: hero)
    #expect(dictionary["publisher"] is NSNull && dictionary["real"] is NSNull)
    #expect(try (json(from: [hero]) as? [[String: Any]])?.first?["id"] as? String == "1")
  }

  @Test(
    "Groot 36: the reverse transformer restores the input; without a reverse transformer, the stored value is written")
  func reverse() throws {
    var transformers = TransformerRegistry.standard
    transformers.registerValueTransformer(named: "Stars") { (stars: String) in
      stars.count
    } reverse: {
      $0 == 0 ? nil : String(repeating: "*", count: $0)
    }
    transformers.registerValueTransformer(named: "OneWay") { (text: String) in text.count }
    let context = try context(
      #"""
      "A": {"attributes": {
        "stars": {"type": "integer32", "JSONKeyPath": "stars", "JSONTransformerName": "Stars"},
        "length": {"type": "integer32", "JSONKeyPath": "length", "JSONTransformerName": "OneWay"}}}
      """#, transformers: transformers)
    #expect(
      try text(object(ofEntity: "A", fromJSON: #"{"stars": "***", "length": "four"}"#, in: context))
        == #"{"stars":"***","length":4}"#)
    #expect(
      try text(object(ofEntity: "A", fromJSON: #"{"stars": "", "length": ""}"#, in: context))
        == #"{"stars":null,"length":0}"#)
  }

  @Test("Groot 40: each object omits the inverse of the relationship through which it was reached")
  func inverses() throws {
    let context = try context(
      #"""
      "P": {"identityAttributes": "id", "attributes": {"id": {"type": "integer32", "JSONKeyPath": "id"}},
        "relationships": {"children": {"destination": "C", "toMany": true, "inverse": "parent", "JSONKeyPath": "children"}}},
      "C": {"identityAttributes": "id", "attributes": {"id": {"type": "integer32", "JSONKeyPath": "id"}},
        "relationships": {"parent": {"destination": "P", "inverse": "children", "JSONKeyPath": "parent"}}}
      """#)
    let parent = try object(ofEntity: "P", fromJSON: #"{"id": 1, "children": [{"id": 1}, {"id": 2}]}"#, in: context)
    #expect(try text(parent) == #"{"id":1,"children":[{"id":1},{"id":2}]}"#)
    let child = try #require(try context.find(ofEntity: "C", identity: 2))
    #expect(try text(child) == #"{"id":2,"parent":{"id":1}}"#)
    #expect(try String(decoding: jsonData(from: [child, parent]), as: UTF8.self) == "[\(text(child)),\(text(parent))]")
  }
}
