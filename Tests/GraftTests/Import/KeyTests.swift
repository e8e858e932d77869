import Foundation
import Graft
import GraftTestSupport
import Testing

private let entities = """
  "Hero": {
    "identityAttributes": "id",
    "attributes": {
      "id": "integer64", "name": {"type": "string", "optional": true},
      "city": {"type": "string", "optional": true, "JSONKeyPath": "home.city", "JSONKeyPathAliases": ["town"]},
      "street": {"type": "string", "optional": true, "JSONKeyPath": "home.street"},
      "extra": {"type": "json", "optional": true}
    },
    "relationships": {"powers": {"destination": "Power", "toMany": true}}
  },
  "Power": {
    "identityAttributes": "id", "attributes": {"id": "integer64"},
    "entityMapper": {"JSONKeyPath": "meta.kind", "entities": {"super": "SuperPower"}}
  },
  "SuperPower": {"parent": "Power", "attributes": {"strength": {"type": "integer16", "optional": true}}}
  """

@Suite("Keys") struct KeyTests {
  @Test(
    "I13: a mapped key that occurs twice in one object causes an error, in any spelling",
    arguments: [
      (#"[{"id": 1, 1️⃣"id": 1}]"#, "the key \"id\" occurs twice in one object (at $[0].id)"),
      (
        #"[{"id": 1, "name": "a", "x": 0, 1️⃣"name": "b"}]"#, "the key \"name\" occurs twice in one object (at $[0].name)"
      ),
      (#"[{"id": 1, "name": null, 1️⃣"n\u0061me": "b"}]"#, "the key \"name\" occurs twice in one object (at $[0].name)"),
      (
        #"[{"id": 1, "home": {"city": "a"}, 1️⃣"home": {"street": "b"}}]"#,
        "the key \"home\" occurs twice in one object (at $[0].home)"
      ),
      (#"[{"id": 1, "home": null, 1️⃣"home": {}}]"#, "the key \"home\" occurs twice in one object (at $[0].home)"),
      (
        #"[{"id": 1, "home": {"city": "a", 1️⃣"city": "a"}}]"#,
        "the key \"city\" occurs twice in one object (at $[0].home.city)"
      ),
      (
        #"[{"id": 1, "home": {"city": "a"}, "town": "b", 1️⃣"town": "c"}]"#,
        "the key \"town\" occurs twice in one object (at $[0].town)"
      ),
      (#"[{"id": 1, "powers": [], 1️⃣"powers": [1]}]"#, "the key \"powers\" occurs twice in one object (at $[0].powers)"),
      (
        #"[{"id": 1, "powers": [{"id": 1, 1️⃣"id": 2}]}]"#,
        "the key \"id\" occurs twice in one object (at $[0].powers[0].id)"
      ),
      (
        #"[{"id": 1, "powers": [{"id": 1, "meta": {"kind": "super", 1️⃣"kind": "x"}}]}]"#,
        "the key \"kind\" occurs twice in one object (at $[0].powers[0].meta.kind)"
      ),
      (
        #"[{"id": 1, "powers": [{"meta": {"kind": "super"}, "id": 1, 1️⃣"m\u0065ta": {}}]}]"#,
        "the key \"meta\" occurs twice in one object (at $[0].powers[0].meta)"
      ),
    ])
  func twice(text: String, message: String) throws {
    let context = try Fixture.context(entities)
    #expect(refusals(text, of: "Hero", in: context) == ["1️⃣ error: " + message])
  }

  @Test("M7: a key that ends in a backslash is not confused with another key's escape")
  func backslash() throws {
    let context = try Fixture.context(
      #"""
      "Hero": {"attributes": {"name": {"type": "string", "optional": true, "JSONKeyPath": ["a\\"]}}}
      """#)
    // The key occurs both at the end of the payload and far from the end.
    let space = String(repeating: " ", count: 20)
    try objects(ofEntity: "Hero", fromJSON: #"[{"a\\": "x"}, {"a\"": 1}, {"a\\": "y"}]"# + space, in: context)
    try objects(ofEntity: "Hero", fromJSON: #"[{"a\"": 1}]"#, in: context)
    #expect(
      context.drawing == #"""
        Hero#1 name="x"
        Hero#2
        Hero#3 name="y"
        Hero#4
        """#)
  }

  @Test("I13: a key path and its alias are different keys; unmapped keys can occur twice")
  func notTwice() throws {
    let context = try Fixture.context(entities)
    try objects(
      ofEntity: "Hero",
      fromJSON:
        #"[{"id": 1, "home": {"city": "a", "x": 1, "x": 2}, "town": "b", "y": {"z": 1, "z": 2}, "y": [], "Name": 1}]"#,
      in: context)
    #expect(context.drawing == #"Hero(1) city="a""#)
  }

  @Test(
    "D4: if a value blocks the key path of the discriminator, no sub-entity is chosen",
    arguments: [
      "7", "null", "[]", #""text""#, "{}", #"{"kind": null}"#, #"{"kind": {"a": 1}}"#, #"{"kind": ["super"]}"#,
    ])
  func blockedDiscriminator(meta: String) throws {
    let context = try Fixture.context(entities)
    try objects(ofEntity: "Power", fromJSON: #"[{"id": 1, "meta": \#(meta)}]"#, in: context)
    #expect(context.drawing == "Power(1)")
    let dictionary = try JSONSerialization.jsonObject(with: Data(#"{"id": 2, "meta": \#(meta)}"#.utf8))
    try object(ofEntity: "Power", fromJSON: try #require(dictionary as? [String: Any]), in: context)
    #expect(context.drawing == "Power(1)\nPower(2)")
  }

  @Test("D4: a discriminator is a known key, but keys next to it on its key path are not")
  func discriminatorIsKnown() throws {
    let context = try Fixture.context(entities)
    var options = ImportOptions()
    options.unknownKeys = .error
    let text = #"[{"id": 1, "meta": {"kind": "super"}, "strength": 3}]"#
    try objects(ofEntity: "Power", fromJSON: text, in: context, options: options)
    #expect(context.drawing == "SuperPower(1) strength=3")
    #expect(
      refusals(#"[{"id": 2, "meta": {"kind": "super", 1️⃣"kinds": 1}}]"#, of: "Power", in: context, options: options)
        == [
          "1️⃣ error: the key \"kinds\" is not mapped by 'SuperPower'; did you mean 'kind'? (at $[0].meta.kinds)"
        ])
  }

  @Test(
    "D8: duplicate keys inside a `json` value cause errors",
    arguments: [#"{"a": 1, 1️⃣"a": 1}"#, #"[{"x": {"a": 1, "b": 2, 1️⃣"\u0061": 3}}]"#, #"{"": 1, 1️⃣"": 2}"#])
  func twiceInJSON(value: String) throws {
    let context = try Fixture.context(entities)
    let key = value.contains(#""""#) ? "" : "a"
    let lines = refusals(#"[{"id": 1, "extra": \#(value)}]"#, of: "Hero", in: context)
    #expect(
      lines.count == 1 && lines[0].hasPrefix("1️⃣ error: the key \"\(key)\" occurs twice in one object"), "\(lines)")
  }

  @Test(
    "I13: `json` attributes store any JSON value unchanged",
    arguments: [
      "null", "true", "0", "-1.50e+3", #""""#, "[]", "{}", #"{"b": 1, "a": [null, {"a": "\u0000"}]}"#,
      #"{"a": 1, "A": 2}"#,
      "123456789012345678901234567890.123456789",
    ])
  func json(value: String) throws {
    let context = try Fixture.context(entities)
    let hero = try object(ofEntity: "Hero", fromJSON: #"{"id": 1, "extra": \#(value)}"#, in: context)
    let kept: JSON? = hero["extra"]
    let other = try object(ofEntity: "Hero", fromJSON: #"{"id": 2, "extra": [\#(value)]}"#, in: context)
    #expect(value == "null" ? kept == nil : (other["extra"] as JSON?)?[0] == kept)
  }

  @Test(
    "I13: unmapped keys must be valid JSON",
    arguments: [
      (
        #"[{"x": 1️⃣undefined, "id": 1}]"#,
        "1️⃣ error: expected a JSON value, found undefined: JSON has null instead (at $[0].x)"
      ),
      (
        #"[{"id": 1, "x": {"y": [11️⃣, ]}}]"#,
        "1️⃣ error: expected more after the comma: JSON does not allow trailing commas (at $[0].x.y[0])"
      ),
      (#"[{"id": 1, "x": 01️⃣1}]"#, "1️⃣ error: expected no digit after a leading zero in a number (at $[0].x)"),
      (
        #"[{"id": 1, "x": "1️⃣\q"}]"#,
        #"1️⃣ error: expected an escape after '\': one of " \ / b f n r t, or u and four hexadecimal digits (at $[0].x)"#
      ),
    ])
  func invalid(text: String, message: String) throws {
    let context = try Fixture.context(entities)
    #expect(refusals(text, of: "Hero", in: context) == [message])
  }

  @Test("I13: on request, unknown keys are rejected, each with a suggestion of the most similar key")
  func refused() throws {
    let context = try Fixture.context(entities)
    var options = ImportOptions()
    options.unknownKeys = .error
    #expect(
      refusals(
        #"[{"id": 1, 1️⃣"nam": "x", "home": {"city": "a", 2️⃣"zip": [1]}, "powers": [{"id": 2, 3️⃣"strength": 4, "meta": {"kind": "none"}}], 4️⃣"": {"id": 5}}]"#,
        of: "Hero", in: context, options: options, withNotes: true) == [
          "1️⃣ error: the key \"nam\" is not mapped by 'Hero'; did you mean 'name'? (at $[0].nam)",
          "  m.json:2:1: note: 'Hero' is declared here",
          "2️⃣ error: the key \"zip\" is not mapped by 'Hero' (at $[0].home.zip)",
          "  m.json:2:1: note: 'Hero' is declared here",
          "3️⃣ error: the key \"strength\" is not mapped by 'Power' (at $[0].powers[0].strength)",
          "  m.json:12:1: note: 'Power' is declared here",
          "4️⃣ error: the key \"\" is not mapped by 'Hero' (at $[0][''])",
          "  m.json:2:1: note: 'Hero' is declared here",
        ])
    #expect(
      refusals(
        #"[{"id": 1, "town": "x", "home": {"street": "b"}, "extra": {"any": 1}, "powers": [{"id": 2, "meta": {"kind": "super"}, "strength": 4}]}]"#,
        of: "Hero", in: context, options: options) == [])
  }

  @Test("I13: on request, unknown keys of dictionaries are also rejected")
  func refusedInDictionaries() throws {
    let context = try Fixture.context(entities)
    var options = ImportOptions()
    options.unknownKeys = .error
    let error = #expect(throws: ImportError.self) {
      try objects(
        ofEntity: "Hero",
        fromJSON: [["id": 1, "nam": "x", "home": ["zip": 1], "powers": [["id": 1, "x": 1]]] as [String: Any]],
        in: context, options: options)
    }
    #expect(
      error?.diagnostics.map(\.description) == [
        "<payload>: error: the key \"zip\" is not mapped by 'Hero' (at $[0].home.zip)",
        "<payload>: error: the key \"x\" is not mapped by 'Power' (at $[0].powers[0].x)",
        "<payload>: error: the key \"nam\" is not mapped by 'Hero'; did you mean 'name'? (at $[0].nam)",
      ])
  }

  @Test("I13: the key of a property with a null key path is unknown")
  func optedOut() throws {
    let context = try Fixture.context(
      #""T": {"attributes": {"a": {"type": "string", "optional": true}, "b": {"type": "string", "optional": true, "JSONKeyPath": null}}}"#
    )
    var options = ImportOptions()
    options.unknownKeys = .error
    try objects(ofEntity: "T", fromJSON: #"[{"a": "x", "b": "y"}]"#, in: context)
    #expect(context.drawing == #"T#1 a="x""#)
    #expect(
      refusals(#"[{1️⃣"b": 5}]"#, of: "T", in: context, options: options) == [
        "1️⃣ error: the key \"b\" is not mapped by 'T' (at $[0].b)"
      ])
  }

  @Test("I1, I2: a key matches only if it has the same code points, even in dictionaries")
  func exactKeys() throws {
    let decomposed = "e\u{301}"
    for (key, path, isFound) in [
      ("é", "é", true), (decomposed, "é", false), (decomposed, "a.é", false), ("é", "a.é", true),
    ] {
      let inner = #"{"\#(key)": [{"id": 1, "\#(decomposed)": "x", "kind": "T"}]}"#
      let text = path.contains("a") ? #"{"a": \#(inner)}"# : inner
      for features in ["", #", "root": {"type": "string", "optional": true, "JSONKeyPath": "@root.r"}"#] {
        let context = try Fixture.context(
          #""T": {"identityAttributes": "id", "attributes": {"id": "integer64", "é": {"type": "string", "optional": true}\#(features)}}"#
        )
        let dictionary = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let imports: [() throws -> ImportReport] = [
          { try context.importJSON(text, ofEntity: "T", at: JSONKeyPath(path)) },
          { try context.importJSON(dictionary, ofEntity: "T", at: JSONKeyPath(path)) },
        ]
        for importing in imports {
          if isFound {
            _ = try importing()
            #expect(try context.fetch(ofEntity: "T").map { $0["é"] as String? } == [nil])
          } else {
            #expect(throws: ImportError.self) { try importing() }
          }
          context.reset()
        }
      }
    }
  }
}
