import Foundation
import Graft
import GraftSQLite
import GraftTestSupport
import Testing

/// A new model's rules apply to all objects that a migration keeps, regardless of why these objects lose links or values.
@Suite("Migrations and the rules of the new model") struct MigrationRuleTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// The entities before and after.
    var old: String
    var new: String
    var payload: String
    /// The expected error; nil if the store is migrated.
    var message: String?
    /// Other members of the new model.
    var rest = ""
  }

  private static let subentity = #"""
    "P": {"identityAttributes": "id", "entityMapper": {"JSONKeyPath": "type", "entities": {"p": "P", "d": "D"}},
      "attributes": {"id": "integer64"}}, "D": {"parent": "P"}
    """#
  private static let withoutSubentity = #"""
    "P": {"identityAttributes": "id", "entityMapper": {"JSONKeyPath": "type", "entities": {"p": "P"}},
      "attributes": {"id": "integer64"}}
    """#
  private static let removal = #", "removed": ["D"]"#

  private static func heroes(_ relationship: String, _ attribute: String = "") -> String {
    #""H": {"identityAttributes": "id", "attributes": {"id": "integer64"\#(attribute)}, "relationships": {\#(relationship)}}"#
  }

  private static func things(_ relationship: String = "") -> String {
    #""T": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {\#(relationship)}}"#
  }

  private static func loss(_ relationship: String, _ payload: String, _ message: String?) -> Case {
    Case(
      testDescription: "removal, \(relationship)", old: "\(subentity), \(heroes(relationship))",
      new: "\(withoutSubentity), \(heroes(relationship))", payload: payload, message: message, rest: removal)
  }

  /// A model in which things identify other objects, with or without a sub-entity.
  private static func owners(_ hasSubentity: Bool) -> String {
    #"""
    "P": {"identityAttributes": "id", "entityMapper": {"JSONKeyPath": "type", "entities": {"p": "P"\#(hasSubentity ? #", "d": "D""# : "")}},
      "attributes": {"id": "integer64"},
      "relationships": {"hs": {"destination": "H", "toMany": true, "inverse": "owner"}}}\#(hasSubentity ? #", "D": {"parent": "P"}"# : "")
    """#
  }

  /// A removal of things that identify the objects of a sub-entity.
  private static func identified(_ payload: String, _ message: String?) -> Case {
    let rest = #"""
      , "H": {"identityAttributes": "id", "entityMapper": {"JSONKeyPath": "type", "entities": {"h": "H", "e": "E"}},
        "attributes": {"id": "integer64"}, "relationships": {"owner": {"destination": "P", "inverse": "hs"}}},
      "E": {"parent": "H", "identityAttributes": ["id", "owner"]}
      """#
    return Case(
      testDescription: "removal of owners, \(payload)", old: owners(true) + rest, new: owners(false) + rest,
      payload: payload, message: message, rest: removal)
  }

  /// A removal together with an unrelated step.
  private static func step(_ payload: String, _ message: String?) -> Case {
    let h = #"""
      , "H": {"identityAttributes": ["id", "owner"], "attributes": {"id": "integer64"},
        "relationships": {"owner": {"destination": "P", "inverse": "hs"}}}
      """#
    let age = #"""
      "type": "integer64", "optional": true,
      "migratedFrom": {"version": "2", "attributes": "age", "JSONTransformerName": "StringToInteger"}
      """#
    return Case(
      testDescription: "removal beside a step, \(payload)",
      old: #"\#(owners(true))\#(h), "Z": {"attributes": {"age": {"type": "string", "optional": true}}}"#,
      new: #"\#(owners(false))\#(h), "Z": {"attributes": {"age": {\#(age)}}}"#,
      payload: payload, message: message, rest: #"\#(removal), "version": "2""#)
  }

  private static func pages(_ lang: String) -> String {
    #"""
    "H": {"identityAttributes": "id", "entityMapper": {"JSONKeyPath": "type", "entities": {"h": "H", "e": "E"}},
      "attributes": {"id": "integer64", "lang": \#(lang)}}, "E": {"parent": "H", "identityAttributes": ["id", "lang"]}
    """#
  }

  private static func alternates(_ alternates: String) -> String {
    #""H": {"identityAttributes": "id", \#(alternates)"attributes": {"id": "integer64", "n": "integer64"}, "relationships": {"p": {"destination": "P", "optional": true}}}"#
  }

  private static func moved(_ rest: String, _ payload: String, _ message: String?) -> Case {
    let head = #""identityAttributes": "id", "entityMapper": {"JSONKeyPath": "type", "entities": {"p": "H", "d": "D"}}"#
    let x = #""x": {"type": "string", "optional": true}"#
    return Case(
      testDescription: "an attribute that moves to the parent, \(payload)\(rest)",
      old: #""H": {\#(head), "attributes": {"id": "integer64"}}, "D": {"parent": "H", "attributes": {\#(x)}}"#,
      new: #""H": {\#(head), "attributes": {"id": "integer64", \#(x)}}, "D": {"parent": "H"}"#,
      payload: payload, message: message, rest: rest)
  }

  static let cases: [Case] = [
    loss(
      #""pub": {"destination": "P", "optional": false}"#, #"[{"id": 1, "pub": {"type": "d", "id": 5}}]"#,
      "'H.pub' must not be empty, but the object H(1) has only objects of 'D', which are removed; link it to another object first, or delete it"
    ),
    loss(
      #""pub": {"destination": "P", "optional": false}"#, #"[{"id": 1, "pub": {"type": "p", "id": 5}}]"#, nil),
    loss(
      #""ps": {"destination": "P", "toMany": true, "minCount": 2}"#,
      #"[{"id": 1, "ps": [{"type": "d", "id": 5}, {"type": "p", "id": 6}]}]"#,
      "the object H(1) violates the rules of the model: expected at least 2 objects in 'H.ps', found 1; link it to another object first, or delete it"
    ),
    loss(
      #""ps": {"destination": "P", "toMany": true, "optional": false}"#,
      #"[{"id": 1, "ps": [{"type": "d", "id": 5}, {"type": "p", "id": 6}]}]"#, nil),
    Case(
      testDescription: "a new list with minCount", old: "\(heroes("")), \(things())",
      new: "\(heroes(#""t": {"destination": "T", "toMany": true, "minCount": 1}"#)), \(things())",
      payload: #"[{"id": 3}]"#,
      message:
        "the object H(3) violates the rules of the model: expected at least 1 object in 'H.t', found 0; change those objects first, or keep the rules"
    ),
    Case(
      testDescription: "a new inverse with maxCount",
      old: "\(heroes(#""t": {"destination": "T", "optional": true}"#)), \(things())",
      new:
        "\(heroes(#""t": {"destination": "T", "optional": true, "inverse": "hs"}"#)), \(things(#""hs": {"destination": "H", "toMany": true, "inverse": "t", "maxCount": 1}"#))",
      payload: #"[{"id": 1, "t": {"id": 1}}, {"id": 2, "t": {"id": 1}}]"#,
      message:
        "the object T(1) violates the rules of the model: expected at most 1 object in 'T.hs', found 2; change those objects first, or keep the rules"
    ),
    Case(
      testDescription: "a new inverse that is required, and has objects",
      old: "\(heroes(#""t": {"destination": "T", "optional": true}"#)), \(things())",
      new:
        "\(heroes(#""t": {"destination": "T", "optional": true, "inverse": "hs"}"#)), \(things(#""hs": {"destination": "H", "toMany": true, "inverse": "t", "optional": false}"#))",
      payload: #"[{"id": 1, "t": {"id": 1}}, {"id": 2}]"#, message: nil),
    Case(
      testDescription: "a to-one that becomes a list with minCount",
      old: "\(heroes(#""t": {"destination": "T", "optional": true}"#)), \(things())",
      new: "\(heroes(#""t": {"destination": "T", "toMany": true, "minCount": 2}"#)), \(things())",
      payload: #"[{"id": 1, "t": {"id": 1}}]"#,
      message:
        "the object H(1) violates the rules of the model: expected at least 2 objects in 'H.t', found 1; change those objects first, or keep the rules"
    ),
    Case(
      testDescription: "a to-one that becomes a required list, and is always there",
      old: "\(heroes(#""t": {"destination": "T", "optional": true}"#)), \(things())",
      new: "\(heroes(#""t": {"destination": "T", "toMany": true, "optional": false}"#)), \(things())",
      payload: #"[{"id": 1, "t": {"id": 1}}]"#, message: nil),
    Case(
      testDescription: "a to-one that becomes a required list, and is not always there",
      old: "\(heroes(#""t": {"destination": "T", "optional": true}"#)), \(things())",
      new: "\(heroes(#""t": {"destination": "T", "toMany": true, "optional": false}"#)), \(things())",
      payload: #"[{"id": 1, "t": {"id": 1}}, {"id": 2}]"#,
      message:
        "'H.t' becomes required, but the object H(2) has none; give those objects one first, or leave it optional"
    ),
    Case(
      testDescription: "the default of an identity",
      old: #""H": {"identityAttributes": "id", "attributes": {"id": {"type": "integer64", "optional": true}}}"#,
      new: #""H": {"identityAttributes": "id", "attributes": {"id": {"type": "integer64", "default": 0}}}"#,
      payload: "[{}]",
      message:
        "'H.id' becomes required, but the object H#1 has none; give those objects one first, or leave it optional"
    ),
    identified(#"[{"type": "h", "id": 1}]"#, nil),
    identified(#"[{"type": "h", "id": 1, "owner": {"type": "d", "id": 5}}]"#, nil),
    identified(
      #"[{"type": "e", "id": 1, "owner": {"type": "d", "id": 5}}]"#,
      "'H.owner' must not be empty, but the object E#1 has only objects of 'D', which are removed; link it to another object first, or delete it"
    ),
    step(
      #"[{"id": 1, "owner": {"type": "d", "id": 5}}]"#,
      "'H.owner' identifies the objects of 'H', but the object H#1 has none; link it to another object first, or delete it"
    ),
    step(#"[{"id": 1, "owner": {"type": "p", "id": 5}}]"#, nil),
    Case(
      testDescription: "a default for all but objects that the attribute identifies",
      old: pages(#"{"type": "string", "optional": true}"#), new: pages(#"{"type": "string", "default": "en"}"#),
      payload: #"[{"type": "h", "id": 1}, {"type": "e", "id": 2, "lang": "de"}]"#),
    Case(
      testDescription: "no default for objects that the attribute identifies",
      old: pages(#"{"type": "string", "optional": true}"#), new: pages(#"{"type": "string", "default": "en"}"#),
      payload: #"[{"type": "h", "id": 1}, {"type": "e", "id": 2}]"#,
      message:
        "'H.lang' becomes required, but the object E#2 has none; give those objects one first, or leave it optional"
    ),
    Case(
      testDescription: "alternate identities that differ without the removed objects",
      old: "\(subentity), \(alternates(""))",
      new: "\(withoutSubentity), \(alternates(#""alternateIdentities": [["p", "n"]], "#))",
      payload: #"[{"id": 1, "n": 1, "p": {"type": "d", "id": 5}}, {"id": 2, "n": 1, "p": {"type": "d", "id": 5}}]"#,
      rest: removal),
    moved("", #"[{"type": "p", "id": 1}]"#, nil),
    moved(
      "", #"[{"type": "d", "id": 1, "x": "a"}]"#,
      "'D.x' moves to 'H.x', and its values would be lost; leave it where it is, give it another name, or allow the removal of 'D.x'"
    ),
    moved(#", "removed": ["D.x"]"#, #"[{"type": "d", "id": 1, "x": "a"}]"#, nil),
    Case(
      testDescription: "names of tables that are set aside",
      old:
        #""H": {"attributes": {"id": "integer64"}}, "_graft_old_table_0": {"attributes": {"id": "integer64"}}, "_graft_old_H": {"attributes": {"id": "integer64"}}"#,
      new:
        #""H": {"attributes": {"id": "string"}}, "_graft_old_table_0": {"attributes": {"id": "string"}}, "_graft_old_H": {"attributes": {"id": "string"}}"#,
      payload: #"[{"id": 1}]"#),
  ]

  @Test(
    "S16: a store is migrated if all objects that the migration keeps fit the new model",
    arguments: MigratedPlace.Kind.available,
    cases)
  func rules(kind: MigratedPlace.Kind, of test: Case) throws {
    func model(_ entities: String, _ rest: String = "") throws -> ManagedObjectModel {
      try ManagedObjectModel(
        text: "{\"keyStrategy\": \"sameName\", \"entities\": {\(entities)}\(rest)}", name: "m.json")
    }
    let place = try MigratedPlace(kind)
    let old = try model(test.old)
    try place.open(old).importJSON(test.payload, ofEntity: "H")
    guard let message = test.message else {
      let context = try place.open(model(test.new, test.rest))
      for entity in context.model.entities {
        for object in try context.fetch(ofEntity: entity.name) { #expect(throws: Never.self) { try object.validate() } }
      }
      #expect(try place.damage(context.model).isEmpty)
      return
    }
    let before = try place.open(old).dumpText
    let error = #expect(throws: StoreError.self) { try place.open(model(test.new, test.rest)) }
    #expect(error?.diagnostics.map(\.message).contains(message) == true, "\(error.map { "\($0)" } ?? "")")
    #expect(try place.open(old).dumpText == before)
  }

  /// The members of a relationship, except its destination and its inverse.
  private static let shapes = ["", #", "toMany": true"#, #", "toMany": true, "ordered": true"#]

  @Test(
    "S16: relationships that are no longer each other's inverse keep their links on both sides",
    arguments: MigratedPlace.Kind.available, [true, false])
  func lostInverses(kind: MigratedPlace.Kind, isEmpty: Bool) throws {
    for one in Self.shapes {
      for other in Self.shapes {
        for kept in ["", "A"] {
          func model(_ version: Int, _ hasInverse: Bool) -> String {
            func side(_ name: String, _ destination: String, _ inverse: String, _ rest: String) -> String {
              """
              "\(name)": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
                "to\(destination)": {"destination": "\(destination)", "JSONRepresentation": "identifier"\(rest)\(hasInverse ? ", \"inverse\": \"\(inverse)\"" : "")}}}
              """
            }
            let sides = [side("A", "B", "toA", one), side("B", "A", "toB", other)]
            // One side is removed, with consent.
            let left =
              kept.isEmpty || hasInverse
              ? sides : kept == "A" ? [sides[0], Self.plain("B")] : [Self.plain("A"), sides[1]]
            let removed = kept.isEmpty || hasInverse ? "" : #""removed": ["\#(kept == "A" ? "B.toA" : "A.toB")"], "#
            return
              "{\(removed)\"version\": \"\(version)\", \"keyStrategy\": \"sameName\", \"entities\": {\(left.joined(separator: ",\n"))}}"
          }
          let place = try MigratedPlace(kind)
          let members =
            one.isEmpty ? ["2", "1", "null"] : other.isEmpty ? ["[2, 1]", "[3]", "[]"] : ["[2, 1]", "[1, 3]", "[]"]
          let payload = members.enumerated().map { #"{"id": \#($0 + 1), "toB": \#($1)}"# }.joined(separator: ",")
          try place.fill(model(1, true), "A", isEmpty ? "[]" : "[\(payload)]")
          func exported(_ context: ManagedObjectContext) throws -> [String: [String]] {
            try ["A", "B"].filter { kept.isEmpty || $0 == kept }.reduce(into: [:]) { texts, entity in
              texts[entity] = try context.fetch(ofEntity: entity, sortedBy: .ascending("id")).map { object in
                let targets = (try object.propertyValue(of: entity == "A" ? "toB" : "toA")).map(Self.ids) ?? []
                return
                  "\(object["id"] as Int? ?? 0): \((entity == "A" ? one : other).contains("ordered") ? targets : targets.sorted())"
              }
            }
          }
          let before = try exported(place.open(model(1, true)))
          let (old, new) = (try ManagedObjectModel(text: model(1, true)), try ManagedObjectModel(text: model(2, false)))
          guard SQLiteStore.migrationPlan(from: old, to: new).isPossible else {
            // A to-one's links are in its column, which both sides share.
            #expect(one.isEmpty || other.isEmpty || !kept.isEmpty, "\(one) and \(other), kept \(kept)")
            // A snapshot store without objects needs no migration.
            if kind != .snapshot || !isEmpty { #expect(throws: StoreError.self) { try place.open(model(2, false)) } }
            continue
          }
          let context = try place.open(model(2, false))
          #expect(try exported(context) == before, "\(one) and \(other), kept \(kept)")
          #expect(try place.damage(context.model).isEmpty)
        }
      }
    }
  }

  @Test(
    "S16: a to-one becomes a to-many with a different inverse, in one version or over several",
    arguments: MigratedPlace.Kind.available, [[0, 1, 2], [0, 2]])
  func toManyWithOtherInverse(kind: MigratedPlace.Kind, path: [Int]) throws {
    let (to, many) = (#""destination": "B", "JSONRepresentation": "identifier""#, #", "toMany": true, "lenient": true"#)
    let back = #""destination": "A", "JSONRepresentation": "identifier", "inverse": "b""#
    /// The relationships of A and B in each version.
    let chains: [[(a: String, b: String)]] = [
      [(to, ""), (to + many, ""), (to + many + #", "inverse": "a""#, back + many)],
      [(to + #", "inverse": "a""#, back), (to, ""), (to + many, "")],
      [(to + #", "inverse": "a""#, back + many), (to, ""), (to + many, "")],
      [(to, ""), (to + #", "inverse": "a""#, back + many), (to + many + #", "inverse": "a""#, back + many)],
    ]
    for (number, chain) in chains.enumerated() {
      let models = chain.enumerated().map { version, sides in
        """
        {"version": "\(version + 1)", "keyStrategy": "sameName", "removed": [\(sides.b.isEmpty ? "\"B.a\"" : "")], "entities": {
          "A": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {"b": {\(sides.a)}}},
          "B": {"identityAttributes": "id", "attributes": {"id": "integer64"}\(sides.b.isEmpty ? "" : ", \"relationships\": {\"a\": {\(sides.b)}}")}}}
        """
      }
      let place = try MigratedPlace(kind)
      try place.fill(models[0], "A", #"[{"id": 1, "b": 3}, {"id": 2, "b": 4}, {"id": 5, "b": null}]"#)
      for version in path { _ = try place.open(models[version]) }
      let context = try place.open(models[2])
      let texts = try context.fetch(ofEntity: "A", sortedBy: .ascending("id")).map { try jsonString(from: $0) }
      #expect(texts == [#"{"id":1,"b":[3]}"#, #"{"id":2,"b":[4]}"#, #"{"id":5,"b":[]}"#], "chain \(number)")
      #expect(try place.damage(context.model).isEmpty)
    }
  }

  private static func plain(_ name: String) -> String {
    "\"\(name)\": {\"identityAttributes\": \"id\", \"attributes\": {\"id\": \"integer64\"}}"
  }

  private static func ids(_ value: PropertyValue) -> [Int] {
    switch value {
    case .object(let object): [object["id"] as Int? ?? 0]
    case .objects(let objects): objects.map { $0["id"] as Int? ?? 0 }
    case .attribute: []
    }
  }

  @Test(
    "S9: replacing the Unicode characters of a name with equivalent characters is a migration",
    arguments: MigratedPlace.Kind.available)
  func normalization(kind: MigratedPlace.Kind) throws {
    func model(_ e: String) -> String {
      """
      {"keyStrategy": "sameName", "entities": {
        "H\(e)": {"identityAttributes": "id", "attributes": {"id": "integer64", "n\(e)": "string"},
          "relationships": {"r\(e)": {"destination": "H\(e)", "toMany": true, "ordered": true}},
          "entityMapper": {"JSONKeyPath": "k", "entities": {"s": "S\(e)"}}}, "S\(e)": {"parent": "H\(e)"}}}
      """
    }
    let (composed, decomposed) = (model("\u{e9}"), model("e\u{301}"))
    let place = try MigratedPlace(kind)
    try place.fill(
      composed, "H\u{e9}", #"[{"id": 1, "né": "x", "ré": [{"id": 2, "né": "y", "k": "s"}]}]"#)
    for text in [decomposed, decomposed] {
      let context = try place.open(text)
      let (one, two) = (try context.find(ofEntity: "Hé", id: 1), try context.find(ofEntity: "Sé", id: 2))
      #expect(one?["né"] as String? == "x" && two?["né"] as String? == "y")
      #expect(try one.map { ($0["ré"] as [ManagedObject]) == [try #require(two)] } == true)
      try context.importJSON(#"[{"id": 1, "né": "x"}]"#, ofEntity: "Hé")
      #expect(try place.damage(context.model).isEmpty)
    }
  }
}
