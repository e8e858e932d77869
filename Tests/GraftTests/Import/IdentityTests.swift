import Graft
import GraftTestSupport
import Testing

private let people = """
  "Person": {
    "identityAttributes": "id",
    "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
    "relationships": {
      "friends": {"destination": "Person", "toMany": true},
      "boss": {"destination": "Person"}
    }
  }
  """

@Suite("Identity") struct IdentityTests {
  @Test("I2: one identity is one object, regardless of nesting, order and cycles; the later mention wins")
  func onePayload() throws {
    let context = try Fixture.context(people)
    try objects(
      ofEntity: "Person",
      fromJSON: """
        [
          {"id": 1, "name": "a", "boss": {"id": 2, "boss": {"id": 1, "name": "b"}}},
          {"friends": [{"id": 3}, {"id": 1, "name": "c"}, 3], "id": 3},
          {"id": 2, "name": "d", "friends": [{"name": "e", "id": 2}]}
        ]
        """, in: context)
    #expect(
      context.drawing == """
        Person(1) name="c" boss=Person(2)
        Person(2) name="d" friends=[Person(2)] boss=Person(1)
        Person(3) friends=[Person(1), Person(3)]
        """)
  }

  @Test("I2: many copies of a new identity in an array are one object; the last copy wins", arguments: [2, 9, 100])
  func copies(count: Int) throws {
    let context = try Fixture.context(people)
    let text = "[" + (1...count).map { #"{"id": 9, "name": "\#($0)"}"# }.joined(separator: ",") + "]"
    let people = try objects(ofEntity: "Person", fromJSON: text, in: context)
    #expect(people.count == count && Set(people).count == 1)
    #expect(context.drawing == #"Person(9) name="\#(count)""#)
  }

  @Test("I2: an existing object is updated, and remains the same object")
  func update() throws {
    let context = try Fixture.context(people)
    let first = try object(ofEntity: "Person", fromJSON: #"{"id": 1, "name": "a", "boss": 2}"#, in: context)
    let second = try object(ofEntity: "Person", fromJSON: #"{"name": "b", "id": 1}"#, in: context)
    #expect(first === second)
    #expect(context.drawing == "Person(1) name=\"b\" boss=Person(2)\nPerson(2) placeholder")
  }

  @Test("I2: without identity attributes, every dictionary inserts an object")
  func noIdentity() throws {
    let context = try Fixture.context(
      #""Note": {"attributes": {"text": "string"}, "relationships": {"next": {"destination": "Note"}}}"#)
    for _ in 1...2 {
      try objects(
        ofEntity: "Note", fromJSON: #"[{"text": "a", "next": {"text": "a"}}, {"text": "a"}]"#, in: context)
    }
    #expect(try context.count(ofEntity: "Note") == 6)
  }

  @Test("I2: an absent or null identity value never matches: a new object is inserted and then validated")
  func nullIdentity() throws {
    let context = try Fixture.context(
      """
      "Tag": {
        "identityAttributes": "name",
        "attributes": {"name": {"type": "string", "optional": true}, "color": {"type": "string", "optional": true}}
      }
      """)
    let text = #"[{"color": "red"}, {"name": null, "color": "red"}, {"color": "red"}]"#
    #expect(try objects(ofEntity: "Tag", fromJSON: text, in: context).count == 3)
    #expect(try objects(ofEntity: "Tag", fromJSON: text, in: context).count == 3)
    #expect(context.drawing == (1...6).map { #"Tag#\#($0) color="red""# }.joined(separator: "\n"))
  }

  @Test("I2: an absent or null identity is neither the number 0 nor the empty string")
  func nullIsNotZero() throws {
    for (type, identity) in [("integer64", "0"), ("boolean", "false"), ("string", "\"\"")] {
      let context = try Fixture.context(
        """
        "Tag": {"identityAttributes": "id", "attributes": {
          "id": {"type": "\(type)", "optional": true}, "color": {"type": "string", "optional": true}}}
        """)
      try objects(ofEntity: "Tag", fromJSON: #"[{"id": \#(identity), "color": "red"}]"#, in: context)
      try objects(ofEntity: "Tag", fromJSON: #"[{"color": "green"}]"#, in: context)
      try objects(ofEntity: "Tag", fromJSON: #"[{"id": null, "color": "blue"}]"#, in: context)
      #expect(try context.count(ofEntity: "Tag") == 3, "\(type)")
    }
  }

  @Test("D9: an object with the identity 0 that is found by -0.0 keeps its 0")
  func negativeZero() throws {
    let context = try Fixture.context(#""Tag": {"identityAttributes": "id", "attributes": {"id": "double"}}"#)
    try objects(ofEntity: "Tag", fromJSON: #"[{"id": 0}]"#, in: context)
    let report = try context.importJSON(Array(#"[{"id": -0.0}]"#.utf8), ofEntity: "Tag")
    #expect(report.unchanged == ["Tag": 1])
    #expect(try context.exported("Tag") == #"[{"id":0}]"#)
  }

  @Test("I2: a missing required identity value is rejected")
  func requiredIdentity() throws {
    let context = try Fixture.context(people)
    #expect(
      refusals(#"[1️⃣{"name": "a"}, {"id": 2️⃣null}]"#, of: "Person", in: context) == [
        "1️⃣ error: expected a value for 'Person.id', which is not optional, found none (at $[0].id)",
        "2️⃣ error: expected a value for 'Person.id', which is not optional, found none (at $[1].id)",
      ])
  }

  private static let cards = """
    "Card": {
      "identityAttributes": ["set", "number"],
      "attributes": {
        "set": {"type": "string", "optional": true}, "number": {"type": "integer16", "optional": true},
        "title": {"type": "string", "optional": true}
      }
    }
    """

  @Test("I2: a composite identity matches only if all of its values match")
  func composite() throws {
    let context = try Fixture.context(Self.cards)
    try objects(
      ofEntity: "Card",
      fromJSON: """
        [
          {"set": "A", "number": 1, "title": "a"}, {"set": "A", "number": 2, "title": "b"},
          {"set": "B", "number": 1, "title": "c"}, {"title": "d", "number": 1, "set": "A"}
        ]
        """, in: context)
    #expect(
      context.drawing == """
        Card(A,1) title="d"
        Card(A,2) title="b"
        Card(B,1) title="c"
        """)
  }

  @Test("I2: a composite identity with an absent or null value never matches")
  func partialComposite() throws {
    let context = try Fixture.context(Self.cards)
    let text = #"[{"set": "A"}, {"set": "A", "number": null}, {"number": 1}, {"title": "x"}]"#
    try objects(ofEntity: "Card", fromJSON: text, in: context)
    try objects(ofEntity: "Card", fromJSON: text, in: context)
    #expect(try context.count(ofEntity: "Card") == 8)
  }

  @Test("I2: equal values at different positions of a composite identity are different")
  func swappedComposite() throws {
    let context = try Fixture.context(
      #""Pair": {"identityAttributes": ["a", "b"], "attributes": {"a": "string", "b": "string"}}"#)
    try objects(
      ofEntity: "Pair",
      fromJSON:
        #"[{"a": "x", "b": "y"}, {"a": "y", "b": "x"}, {"a": "xy", "b": ""}, {"a": "", "b": "xy"}, {"a": "", "b": ""}]"#,
      in: context)
    #expect(
      context.drawing
        == "Pair(,)\nPair(x,y)\nPair(xy,)\nPair(y,x)\nPair(,xy)".split(separator: "\n").sorted {
          ($0.count, $0) < ($1.count, $1)
        }.joined(separator: "\n"))
  }

  @Test("I2: strings are compared by their bytes, without Unicode normalization or case folding")
  func strings() throws {
    let context = try Fixture.context(#""Tag": {"identityAttributes": "name", "attributes": {"name": "string"}}"#)
    let composed = "caf\u{E9}"
    let decomposed = "cafe\u{301}"
    let tags = try objects(
      ofEntity: "Tag",
      fromJSON:
        #"["\#(composed)", "\#(decomposed)", "caf\u00e9", "cafe\u0301", "Caf\u00e9", "", " ", "a\u0000", "a", ""]"#,
      in: context)
    #expect(Set(tags).count == 7)
    #expect(tags[0] === tags[2] && tags[1] === tags[3] && tags[0] !== tags[1] && tags[5] === tags[9])
    #expect(try context.find(ofEntity: "Tag", identity: composed) === tags[0])
    #expect(try context.find(ofEntity: "Tag", identity: decomposed) === tags[1])
  }

  @Test(
    "I2: identities are compared as values, after transformation",
    arguments: [
      ("\"integer64\"", ["1", "1.0", "1e0", "10e-1", "100E-2"], ["2", "-1", "10"]),
      ("\"double\"", ["0", "-0.0", "0.0", "-0", "0e5"], ["1e-300", "-1"]),
      ("\"float\"", ["0.1", "1e-1", "0.1000000001"], ["0.2"]),
      ("\"decimal\"", ["1.10", "1.1", "11e-1", "1.100"], ["1.1000000000000000000000000001", "-1.1"]),
      ("\"boolean\"", ["true", "true"], ["false"]),
      ("\"uuid\"", [#""e621e1f8-c36c-495a-93fc-0c247a3e6e5f""#, #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#], []),
      (
        "\"date\"", [#""2024-01-01T00:00:00Z""#, #""2024-01-01T01:00:00.000+01:00""#],
        [#""2024-01-01T00:00:00.000001Z""#]
      ),
      ("\"binary\"", [#""AAE=""#, #""\u0041AE=""#], [#""AAI=""#, #""""#]),
      (#"{"type": "integer64", "JSONTransformerName": "StringToInteger"}"#, [#""7""#, #""\u0037""#], [#""-7""#]),
      (#"{"type": "string", "JSONTransformerName": "Lowercase"}"#, [#""AbC""#, #""abc""#], [#""abd""#]),
    ] as [(String, [String], [String])])
  func values(type: String, same: [String], others: [String]) throws {
    let context = try Fixture.context(#""Thing": {"identityAttributes": "id", "attributes": {"id": \#(type)}}"#)
    func imported(_ texts: [String]) throws -> [ManagedObject] {
      try objects(
        ofEntity: "Thing", fromJSON: "[\(texts.map { #"{"id": \#($0)}"# }.joined(separator: ","))]", in: context)
    }
    let first = try imported(same)
    #expect(Set(first).count == 1)
    #expect(try Set(imported(same) + imported(others)).count == 1 + others.count)
    let identifiers = try objects(
      ofEntity: "Thing", fromJSON: "[\((same + others).joined(separator: ","))]", in: context)
    #expect(Set(identifiers).count == 1 + others.count && identifiers[0] === first[0])
  }

  @Test("I2: a number, a string with its digits and a boolean are never equal")
  func types() throws {
    let context = try Fixture.context(people)
    #expect(
      refusals(#"[{"id": 1}, {"id": 1️⃣"1"}, {"id": 2️⃣true}, 3️⃣"1", 4️⃣true, {"id": 5️⃣1.5}]"#, of: "Person", in: context) == [
        "1️⃣ error: expected an integer for 'Person.id', found the string \"1\" (at $[1].id)",
        "2️⃣ error: expected an integer for 'Person.id', found true (at $[2].id)",
        "3️⃣ error: expected an integer for 'Person.id', found the string \"1\" (at $[3])",
        "4️⃣ error: expected an integer for 'Person.id', found true (at $[4])",
        "5️⃣ error: expected an integer from -9223372036854775808 to 9223372036854775807 for 'Person.id', found the number 1.5 (at $[5].id)",
      ])
  }

  private static let animals = """
    "Animal": {
      "identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
      "relationships": {"mother": {"destination": "Animal"}}
    },
    "Dog": {"parent": "Animal", "attributes": {"tricks": {"type": "integer16", "optional": true}}},
    "Cat": {"parent": "Animal"}
    """

  @Test("M8: an object is found through its parent entity, a relationship to the parent entity, and its own entity")
  func hierarchy() throws {
    let context = try Fixture.context(Self.animals)
    let dog = try object(ofEntity: "Dog", fromJSON: #"{"id": 1, "tricks": 3}"#, in: context)
    let animal = try object(ofEntity: "Animal", fromJSON: #"{"id": 1, "name": "Rex"}"#, in: context)
    let cat = try object(ofEntity: "Cat", fromJSON: #"{"id": 2, "mother": {"id": 1, "name": "Max"}}"#, in: context)
    #expect(dog === animal && cat["mother"] as ManagedObject? === dog)
    #expect(
      context.drawing == """
        Dog(1) name="Max" tricks=3
        Cat(2) mother=Dog(1)
        """)
  }

  @Test("M8: identities of a sub-entity that extends the identity are separate from those of its parent entity")
  func extendedIdentity() throws {
    let context = try Fixture.context(
      """
      "Base": {"identityAttributes": "id", "attributes": {"id": "integer64"}},
      "Extended": {"parent": "Base", "identityAttributes": "kind", "attributes": {"kind": "string"}}
      """)
    try objects(ofEntity: "Base", fromJSON: #"[{"id": 1}]"#, in: context)
    try objects(
      ofEntity: "Extended", fromJSON: #"[{"id": 1, "kind": "a"}, {"id": 1, "kind": "b"}, [1, "a"]]"#, in: context)
    try objects(ofEntity: "Base", fromJSON: #"[{"id": 1}, 1]"#, in: context)
    #expect(context.drawing == "Base(1)\nExtended(1,a)\nExtended(1,b)")
  }
}
