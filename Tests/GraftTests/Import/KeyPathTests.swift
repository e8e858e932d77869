import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Key paths") struct KeyPathTests {
  private static let hero = """
    "Hero": {
      "identityAttributes": "id",
      "attributes": {
        "id": "integer64",
        "city": {"type": "string", "optional": true, "JSONKeyPath": "home.address.city"},
        "zip": {"type": "string", "optional": true, "JSONKeyPath": "home.address.zip"},
        "rooms": {"type": "integer16", "optional": true, "JSONKeyPath": "home.rooms"}
      },
      "relationships": {"pet": {"destination": "Pet", "JSONKeyPath": "home.pet"}}
    },
    "Pet": {"identityAttributes": "id", "attributes": {"id": "integer64"}}
    """

  @Test("I8: a key path is followed through objects with any order of keys and with additional keys")
  func through() throws {
    let context = try Fixture.context(Self.hero)
    try object(
      ofEntity: "Hero",
      fromJSON:
        #"{"home": {"x": [], "pet": {"id": 7}, "address": {"zip": "8000", "y": {}, "city": "Zurich"}, "rooms": 3}, "id": 1}"#,
      in: context)
    #expect(context.drawing == #"Hero(1) city="Zurich" zip="8000" rooms=3 pet=Pet(7)"# + "\nPet(7)")
  }

  @Test(
    "I8: if a key path leads through null, the value is null; if it leads through a missing key, the value is absent",
    arguments: [
      (#"{"id": 1, "home": null}"#, "Hero(1)"),
      (#"{"id": 1, "home": {"address": null}}"#, "Hero(1) rooms=3 pet=Pet(7)"),
      (#"{"id": 1, "home": {}}"#, #"Hero(1) city="Zurich" zip="8000" rooms=3 pet=Pet(7)"#),
      (#"{"id": 1}"#, #"Hero(1) city="Zurich" zip="8000" rooms=3 pet=Pet(7)"#),
      (#"{"id": 1, "home": {"address": {"zip": null}, "pet": null}}"#, #"Hero(1) city="Zurich" rooms=3"#),
    ])
  func nullOnTheWay(text: String, expected: String) throws {
    for isDictionary in [false, true] {
      let context = try Fixture.context(Self.hero)
      try object(
        ofEntity: "Hero",
        fromJSON: #"{"id": 1, "home": {"address": {"city": "Zurich", "zip": "8000"}, "rooms": 3, "pet": 7}}"#,
        in: context)
      if isDictionary {
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        try objects(ofEntity: "Hero", fromJSON: [value], in: context)
      } else {
        try object(ofEntity: "Hero", fromJSON: text, in: context)
      }
      #expect(context.drawing.split(separator: "\n").first == Substring(expected))
    }
  }

  @Test(
    "I8: a key path through any other scalar, or through an array, causes an error",
    arguments: ["5", #""text""#, "true", "false", "[]", #"[{"address": {"city": "Zurich"}}]"#])
  func blocked(value: String) throws {
    let context = try Fixture.context(Self.hero)
    let found =
      switch value.first {
      case "[": "an array"
      case "\"": "the string \(value)"
      case "5": "the number 5"
      default: value
      }
    #expect(
      refusals(#"[{"id": 1, "home": 1️⃣\#(value)}, {"id": 2, "home": {"address": 2️⃣\#(value)}}]"#, of: "Hero", in: context)
        == [
          "1️⃣ error: expected an object on the key path 'home.address.city' of 'Hero.city', found \(found) (at $[0].home)",
          "2️⃣ error: expected an object on the key path 'home.address.city' of 'Hero.city', found \(found) (at $[1].home.address)",
        ])
  }

  @Test("G5: any JSON type at any step of a key path produces a value, nil or an error, but never a trap")
  func everyTypeEverywhere() throws {
    let values = ["null", "true", "0", "-1.5e3", #""""#, "[]", "[[]]", "{}", #"{"address": {}}"#, #"{"@count": 1}"#]
    let context = try Fixture.context(Self.hero)
    for value in values {
      for text in [
        value, #"{"id": \#(value)}"#, #"{"id": 1, "home": \#(value)}"#, #"{"id": 1, "home": {"address": \#(value)}}"#,
        #"{"id": 1, "home": {"address": {"city": \#(value)}}}"#, #"{"id": 1, "home": {"pet": \#(value)}}"#,
        #"{"id": 1, "home": {"rooms": \#(value)}}"#,
      ] {
        let refused = refusals(text, of: "Hero", in: context)
        #expect(!refused.contains { $0.contains("changed") }, "\(text)")
      }
    }
    #expect(try context.count(ofEntity: "Hero") > 0)
  }

  @Test("M7: a key with a dot or other special characters is written in an array of keys")
  func arraysOfKeys() throws {
    let context = try Fixture.context(
      #"""
      "Thing": {
        "attributes": {
          "a": {"type": "string", "optional": true, "JSONKeyPath": ["a.b", "c"]},
          "b": {"type": "string", "optional": true, "JSONKeyPath": "a.b.c"},
          "c": {"type": "string", "optional": true, "JSONKeyPath": [""]},
          "d": {"type": "string", "optional": true, "JSONKeyPath": ["\"\\\n"]},
          "e": {"type": "string", "optional": true, "JSONKeyPath": "größe"},
          "f": {"type": "string", "optional": true, "JSONKeyPath": ["@key"]},
          "g": {"type": "string", "optional": true, "JSONKeyPath": "a_key_of_more_than_sixteen_bytes"},
          "h": {"type": "string", "optional": true, "JSONKeyPath": "a_key_of_more_than_sixteen_bites"}
        }
      }
      """#)
    try object(
      ofEntity: "Thing",
      fromJSON:
        #"{"a.b": {"c": "1"}, "a": {"b": {"c": "2"}}, "": "3", "\"\\\n": "4", "gr\u00f6\u00dfe": "5", "@key": "6", "a_key_of_more_than_sixteen_bites": "8", "a_key_of_more_than_sixteen_bytes": "7"}"#,
      in: context)
    #expect(context.drawing == #"Thing#1 a="1" b="2" c="3" d="4" e="5" f="6" g="7" h="8""#)
  }

  @Test("M7: keys are compared by their bytes")
  func keysByBytes() throws {
    let context = try Fixture.context(#""Thing": {"attributes": {"caf\u00e9": {"type": "string", "optional": true}}}"#)
    try objects(
      ofEntity: "Thing", fromJSON: #"[{"caf\u00e9": "yes"}, {"cafe\u0301": "no"}, {"Caf\u00e9": "no"}]"#, in: context)
    #expect(context.drawing == "Thing#1 caf\u{E9}=\"yes\"\nThing#2\nThing#3")
  }

  private static let aliases = """
    "Hero": {
      "attributes": {
        "name": {"type": "string", "optional": true, "JSONKeyPath": "name", "JSONKeyPathAliases": ["title", "old.name"]}
      },
      "relationships": {
        "boss": {"destination": "Hero", "JSONKeyPath": "boss", "JSONKeyPathAliases": ["chief"]},
        "team": {"destination": "Hero", "toMany": true, "JSONKeyPath": "team", "JSONKeyPathAliases": ["crew"]}
      }
    }
    """

  @Test(
    "M7: an alias is read if the key path and the aliases before it are absent; a null value is present (D3)",
    arguments: [
      (#"{"name": "n"}"#, #""n""#), (#"{"title": "t"}"#, #""t""#), (#"{"old": {"name": "o"}}"#, #""o""#),
      (#"{"name": "n", "title": "t"}"#, #""n""#), (#"{"title": "t", "name": "n"}"#, #""n""#),
      (#"{"old": {"name": "o"}, "title": "t"}"#, #""t""#), (#"{"title": "t", "old": {"name": "o"}}"#, #""t""#),
      (#"{"name": null, "title": "t"}"#, nil), (#"{"title": "t", "name": null}"#, nil),
      (#"{"old": {"name": "o"}, "title": null}"#, nil), (#"{"old": null, "title": "t"}"#, #""t""#),
      (#"{"title": "t", "old": null}"#, #""t""#), (#"{"old": null}"#, nil), (#"{"old": {}}"#, nil), (#"{}"#, nil),
    ] as [(String, String?)])
  func aliases(text: String, expected: String?) throws {
    let expectedDrawing = "Hero#1" + (expected.map { " name=\($0)" } ?? "")
    let context = try Fixture.context(Self.aliases)
    try object(ofEntity: "Hero", fromJSON: text, in: context)
    #expect(context.drawing == expectedDrawing)
    let other = try Fixture.context(Self.aliases)
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    try object(ofEntity: "Hero", fromJSON: value, in: other)
    #expect(other.drawing == expectedDrawing)
  }

  @Test("D3: if both the key path and an alias are present, the key path wins, also for relationships")
  func aliasesOfRelationships() throws {
    let context = try Fixture.context(Self.aliases)
    try object(
      ofEntity: "Hero",
      fromJSON: #"{"chief": {"name": "x"}, "boss": {"name": "b"}, "crew": [{"name": "y"}], "team": [{"name": "t"}]}"#,
      in: context)
    #expect(
      Set(context.drawing.split(separator: "\n")) == [
        "Hero#1 name=\"b\"", "Hero#2 name=\"t\"", "Hero#3 boss=Hero#1 team=[Hero#2]",
      ])
    let alias = try Fixture.context(Self.aliases)
    try object(ofEntity: "Hero", fromJSON: #"{"chief": {"name": "x"}, "crew": [{"name": "y"}]}"#, in: alias)
    #expect(alias.drawing.hasSuffix("Hero#3 boss=Hero#1 team=[Hero#2]"))
  }

  @Test("M7: an identity can be read from an alias")
  func aliasOfIdentity() throws {
    let context = try Fixture.context(
      """
      "Base": {
        "identityAttributes": "id", "entityMapper": {"JSONKeyPath": "kind", "entities": {"sub": "Sub"}},
        "attributes": {"id": {"type": "integer64", "JSONKeyPath": "id", "JSONKeyPathAliases": ["meta.id"]}}
      },
      "Sub": {"parent": "Base"}
      """)
    try objects(
      ofEntity: "Base",
      fromJSON:
        #"[{"id": 1, "kind": "sub"}, {"meta": {"id": 1}}, {"meta": {"id": 2}, "id": 1}, {"meta": {"id": 3}, "kind": "sub"}]"#,
      in: context)
    #expect(context.drawing == "Sub(1)\nSub(3)")
  }

  @Test(
    "M7: the key strategy determines the key of a property without a key path",
    arguments: [
      ("explicit", "Thing#1"),
      ("sameName", #"Thing#1 realName="same" iOSName="same" x="x""#),
      ("snakeCase", #"Thing#1 realName="snake" iOSName="snake" x="x""#),
    ])
  func strategies(strategy: String, expected: String) throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "\(strategy)", "entities": {"Thing": {"attributes": {
          "realName": {"type": "string", "optional": true},
          "iOSName": {"type": "string", "optional": true},
          "x": {"type": "string", "optional": true},
          "out": {"type": "string", "optional": true, "JSONKeyPath": null}
        }}}}
        """)
    let context = ManagedObjectContext(model: model)
    try object(
      ofEntity: "Thing",
      fromJSON:
        #"{"realName": "same", "real_name": "snake", "iOSName": "same", "i_os_name": "snake", "ios_name": "snake", "x": "x", "out": "o"}"#,
      in: context)
    #expect(context.drawing == expected)
  }

  @Test("M7: an alias is ignored if the key path is present, so a value that blocks the alias causes no error")
  func blockedAlias() throws {
    let context = try Fixture.context(
      """
      "Hero": {"attributes": {
        "name": {"type": "string", "optional": true, "JSONKeyPath": "name", "JSONKeyPathAliases": ["person.name"]},
        "age": {"type": "integer16", "optional": true, "JSONKeyPath": "age", "JSONKeyPathAliases": ["person.data.age"]}}}
      """)
    try objects(ofEntity: "Hero", fromJSON: #"[{"name": "a", "age": null, "person": 5}]"#, in: context)
    try objects(ofEntity: "Hero", fromJSON: #"[{"person": [], "name": "b", "age": 7}]"#, in: context)
    #expect(context.drawing == "Hero#1 name=\"a\"\nHero#2 name=\"b\" age=7")
    #expect(
      refusals(#"[{"name": "a", "person": 1️⃣5}]"#, of: "Hero", in: context) == [
        "1️⃣ error: expected an object on the key path 'person.data.age' of 'Hero.age', found the number 5 (at $[0].person)"
      ])
  }

  @Test("I8: a blocked key path of the identity causes an error, even if the identity is read ahead")
  func blockedIdentity() throws {
    let context = try Fixture.context(
      """
      "Thing": {"identityAttributes": "id", "attributes": {"id": {"type": "integer64", "JSONKeyPath": "meta.id"}},
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"tool": "Tool"}}},
      "Tool": {"parent": "Thing"}
      """)
    try objects(ofEntity: "Thing", fromJSON: #"[{"kind": "tool", "meta": {"id": 1}}]"#, in: context)
    #expect(
      refusals(#"[{"meta": 1️⃣5}]"#, of: "Thing", in: context) == [
        "1️⃣ error: expected an object on the key path 'meta.id' of 'Thing.id', found the number 5 (at $[0].meta)"
      ])
  }

  @Test("I8: an alias does not replace a blocked key path of the identity, even if the identity is read ahead")
  func blockedIdentityBesideAlias() throws {
    let context = try Fixture.context(
      """
      "Thing": {"identityAttributes": "id",
        "attributes": {"id": {"type": "integer64", "JSONKeyPath": "meta.id", "JSONKeyPathAliases": ["@key", "id"]}},
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"tool": "Tool"}}},
      "Tool": {"parent": "Thing"}
      """)
    try objects(ofEntity: "Thing", fromJSON: #"[{"kind": "tool", "meta": {"id": 1}}]"#, in: context)
    let problem = "1️⃣ error: expected an object on the key path 'meta.id' of 'Thing.id', found the number 5"
    #expect(refusals(#"{"1": {"meta": 1️⃣5}}"#, of: "Thing", in: context) == ["\(problem) (at $['1'].meta)"])
    for object in [#"{"meta": 1️⃣5, "id": 1}"#, #"{"id": 1, "meta": 1️⃣5}"#] {
      #expect(refusals("[\(object)]", of: "Thing", in: context) == ["\(problem) (at $[0].meta)"])
    }
  }
}
