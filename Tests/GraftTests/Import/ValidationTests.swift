import Graft
import GraftTestSupport
import Testing

@Suite("Validation of imports") struct ValidationTests {
  @Test(
    "I9: each validation keyword accepts values at its bounds and rejects values beyond its bounds",
    arguments: [
      (
        #""type": "integer16", "minimum": 1, "maximum": 3"#, ["1", "2", "3", "3.0"], ["0", "4"],
        ["expected at least 1 for 'T.x', found the number 0", "expected at most 3 for 'T.x', found the number 4"]
      ),
      (
        #""type": "double", "minimum": -0.5"#, ["-0.5", "1e300"], ["-0.6"],
        ["expected at least -0.5 for 'T.x', found the number -0.6"]
      ),
      (
        #""type": "decimal", "maximum": 0.1"#, ["0.1", "0.10"], ["0.1000000000000000000001"],
        ["expected at most 0.1 for 'T.x', found the number 0.1000000000000000000001"]
      ),
      (
        #""type": "string", "minLength": 2, "maxLength": 3"#, [#""ab""#, #""äöü""#, #""e\u0301\u0301""#, #""😀😀😀""#],
        [#""a""#, #""abcd""#, #""""#],
        [
          "expected at least 2 characters for 'T.x', found 1", "expected at most 3 characters for 'T.x', found 4",
          "expected at least 2 characters for 'T.x', found 0",
        ]
      ),
      (
        #""type": "binary", "maxLength": 2"#, [#""AAA=""#, #""""#], [#""AAAA""#],
        ["expected at most 2 bytes for 'T.x', found 3"]
      ),
      (
        #""type": "string", "pattern": "^[a-z]+$""#, [#""abc""#], [#""""#, #""aB""#],
        [
          "expected text that matches the pattern ^[a-z]+$ for 'T.x', found the string \"\"",
          "expected text that matches the pattern ^[a-z]+$ for 'T.x', found the string \"aB\"",
        ]
      ),
      (
        #""type": "string", "enum": ["a", "b"]"#, [#""a""#, #""\u0062""#], [#""c""#, #""A""#],
        [
          "expected one of \"a\", \"b\" for 'T.x', found the string \"c\"",
          "expected one of \"a\", \"b\" for 'T.x', found the string \"A\"",
        ]
      ),
      (
        #""type": "integer64", "enum": [1, 2]"#, ["1", "2.0"], ["3"],
        ["expected one of 1, 2 for 'T.x', found the number 3"]
      ),
    ] as [(String, [String], [String], [String])])
  func words(words: String, legal: [String], illegal: [String], messages: [String]) throws {
    let context = try Fixture.context(#""T": {"attributes": {"x": {\#(words), "optional": true}}}"#)
    for value in legal + ["null"] {
      #expect(refusals(#"[{"x": \#(value)}, {}]"#, of: "T", in: context) == [])
    }
    for (value, message) in zip(illegal, messages) {
      #expect(refusals(#"[{"x": 1️⃣\#(value)}]"#, of: "T", in: context) == ["1️⃣ error: \(message) (at $[0].x)"])
    }
  }

  private static let heroes = """
    "Hero": {
      "identityAttributes": "id",
      "attributes": {
        "id": "integer64",
        "name": {"type": "string", "minLength": 2, "pattern": "^[A-Z]"},
        "height": {"type": "double", "optional": true, "minimum": 0, "JSONKeyPath": "body.height"}
      },
      "relationships": {
        "home": {"destination": "Home", "optional": false, "inverse": "heroes"},
        "friends": {"destination": "Hero", "toMany": true, "maxCount": 2, "ordered": true}
      }
    },
    "Home": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {
        "heroes": {"destination": "Hero", "toMany": true, "inverse": "home", "minCount": 1, "maxCount": 2},
        "rooms": {"destination": "Room", "toMany": true, "optional": false, "inverse": "home"}
      }
    },
    "Room": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {"home": {"destination": "Home", "optional": false, "inverse": "rooms"}}
    }
    """

  @Test("I9: all failures are collected in payload order, each at the location of its value")
  func all() throws {
    let context = try Fixture.context(Self.heroes)
    #expect(
      refusals(
        """
        [
          {"id": 1, "name": 1️⃣"x", "home": 1, "body": {"height": 2️⃣-1}},
          3️⃣{"id": 2, "home": 1},
          {"id": 3, "name": "Robin", "home": 4️⃣null, "friends": 5️⃣[1, 2, 4]},
          6️⃣{"id": 5, "name": 7️⃣"Alfred ", "home": 8️⃣{"id": 9}, "body": 9️⃣3}
        ]
        """, of: "Hero", in: context) == [
          "1️⃣ error: expected at least 2 characters for 'Hero.name', found 1 (at $[0].name)",
          "1️⃣ error: expected text that matches the pattern ^[A-Z] for 'Hero.name', found the string \"x\" (at $[0].name)",
          "2️⃣ error: expected at least 0 for 'Hero.height', found the number -1 (at $[0].body.height)",
          "3️⃣ error: expected a value for 'Hero.name', which is not optional, found none (at $[1].name)",
          "4️⃣ error: expected a value for 'Hero.home', which is not optional, found none (at $[2].home)",
          "5️⃣ error: expected at most 2 objects in 'Hero.friends', found 3 (at $[2].friends)",
          "8️⃣ error: expected at least one object in 'Home.rooms', found none (at $[3].home.rooms)",
          "9️⃣ error: expected an object on the key path 'body.height' of 'Hero.height', found the number 3 (at $[3].body)",
        ])
  }

  @Test("I9: the merged value is validated at the end of the payload")
  func merged() throws {
    let context = try Fixture.context(Self.heroes)
    try objects(
      ofEntity: "Hero",
      fromJSON: """
        [
          {"id": 1, "name": "wrong at first", "body": {"height": -1}},
          {"id": 1, "name": "Batman", "home": {"id": 1, "rooms": [{"id": 1}]}},
          {"id": 1, "body": {"height": 1.9}}
        ]
        """, in: context)
    #expect(
      context.drawing == """
        Hero(1) name="Batman" height=1.9 home=Home(1)
        Home(1) heroes=[Hero(1)] rooms=[Room(1)]
        Room(1) home=Home(1)
        """)
  }

  @Test("I9: a fault in a merged value is at the value's last mention; a missing value is at the first dictionary")
  func places() throws {
    let context = try Fixture.context(Self.heroes)
    #expect(
      refusals(
        #"[1️⃣{"id": 1, "name": "Batman"}, {"id": 1, "name": 2️⃣"batman", "home": 5}, 3️⃣{"id": 2, "name": "Robin"}, {"id": 2}]"#,
        of: "Hero", in: context) == [
          "2️⃣ error: expected text that matches the pattern ^[A-Z] for 'Hero.name', found the string \"batman\" (at $[1].name)",
          "3️⃣ error: expected a value for 'Hero.home', which is not optional, found none (at $[2].home)",
        ])
  }

  @Test("I9: only objects that the payload touches are validated")
  func untouched() throws {
    let context = try Fixture.context(Self.heroes)
    try objects(ofEntity: "Hero", fromJSON: #"[{"id": 1, "name": "Batman", "home": 1}]"#, in: context)
    try context.find(ofEntity: "Hero", identity: 1)?["name"] = ""
    #expect(refusals(#"[{"id": 2, "name": "Robin", "home": 7}, 1]"#, of: "Hero", in: context) == [])
    #expect(
      refusals(#"[1️⃣{"id": 1}]"#, of: "Hero", in: context) == [
        "1️⃣ error: expected at least 2 characters for 'Hero.name', found 0 (at $[0].name)",
        "1️⃣ error: expected text that matches the pattern ^[A-Z] for 'Hero.name', found the string \"\" (at $[0].name)",
      ])
  }

  @Test("I9: placeholders are not validated until they are filled")
  func placeholders() throws {
    let context = try Fixture.context(Self.heroes)
    #expect(refusals("[1, 2]", of: "Hero", in: context) == [])
    #expect(refusals(#"[{"id": 3, "name": "Robin", "home": 7, "friends": [1, 2]}]"#, of: "Hero", in: context) == [])
    #expect(
      refusals(#"[{"id": 1, "name": 1️⃣"b", "home": 7}]"#, of: "Hero", in: context) == [
        "1️⃣ error: expected at least 2 characters for 'Hero.name', found 1 (at $[0].name)",
        "1️⃣ error: expected text that matches the pattern ^[A-Z] for 'Hero.name', found the string \"b\" (at $[0].name)",
      ])
  }

  @Test("M6: minCount and maxCount apply to the resulting to-many; `optional: false` requires at least one object (D6)")
  func counts() throws {
    let context = try Fixture.context(Self.heroes)
    #expect(
      refusals(
        #"[1️⃣{"id": 1}, {"id": 2, "heroes": 2️⃣[], "rooms": 3️⃣null}, {"id": 3, "heroes": 4️⃣[1, 2, 3], "rooms": [{"id": 1}]}, {"id": 4, "heroes": [7, 7, null, 7], "rooms": [{"id": 2}, 2]}]"#,
        of: "Home", in: context) == [
          "1️⃣ error: expected at least one object in 'Home.rooms', found none (at $[0].rooms)",
          "1️⃣ error: expected at least 1 object in 'Home.heroes', found 0 (at $[0].heroes)",
          "2️⃣ error: expected at least 1 object in 'Home.heroes', found 0 (at $[1].heroes)",
          "3️⃣ error: expected at least one object in 'Home.rooms', found none (at $[1].rooms)",
          "4️⃣ error: expected at most 2 objects in 'Home.heroes', found 3 (at $[2].heroes)",
        ])
  }

  @Test("D6: an import fails if an object loses a required to-one through an inverse")
  func lostThroughInverse() throws {
    let context = try Fixture.context(Self.heroes)
    try objects(
      ofEntity: "Home",
      fromJSON:
        #"[{"id": 1, "rooms": [{"id": 1}, {"id": 2}], "heroes": [1]}, {"id": 2, "rooms": [{"id": 3}], "heroes": [2]}]"#,
      in: context)
    #expect(
      refusals(#"[1️⃣{"id": 1, "rooms": [1]}]"#, of: "Home", in: context, withNotes: true) == [
        "1️⃣ error: expected a value for 'Room.home', which is not optional, found none (Room(2) was changed through an inverse) (at $[0])",
        "  m.json:23:65: note: 'home' is declared here",
      ])
    // Home 2 loses its only room to home 1, and its only hero.
    #expect(
      refusals(#"[1️⃣{"id": 1, "rooms": [1, 2, 3], "heroes": [2]}]"#, of: "Home", in: context, withNotes: true) == [
        "1️⃣ error: expected at least one object in 'Home.rooms', found none (Home(2) was changed through an inverse) (at $[0])",
        "  m.json:18:66: note: 'rooms' is declared here",
        "1️⃣ error: expected at least 1 object in 'Home.heroes', found 0 (Home(2) was changed through an inverse) (at $[0])",
        "  m.json:17:86: note: 'heroes' is declared here",
      ])
    // A room that moves to another home in the same payload causes no error.
    #expect(refusals(#"[{"id": 1, "rooms": [1]}, {"id": 2, "rooms": [3, {"id": 2}]}]"#, of: "Home", in: context) == [])
    #expect(
      context.drawing == """
        Hero(1) placeholder home=Home(1)
        Hero(2) placeholder home=Home(2)
        Home(1) heroes=[Hero(1)] rooms=[Room(1)]
        Home(2) heroes=[Hero(2)] rooms=[Room(2), Room(3)]
        Room(1) home=Home(1)
        Room(2) home=Home(2)
        Room(3) home=Home(2)
        """)
  }

  @Test("D6: an import fails if an object gains too many links through an inverse")
  func gainedThroughInverse() throws {
    let context = try Fixture.context(Self.heroes)
    try objects(ofEntity: "Home", fromJSON: #"[{"id": 1, "rooms": [{"id": 1}], "heroes": [8, 9]}]"#, in: context)
    #expect(
      refusals(#"[1️⃣{"id": 1, "name": "Batman", "home": 1}]"#, of: "Hero", in: context) == [
        "1️⃣ error: expected at most 2 objects in 'Home.heroes', found 3 (Home(1) was changed through an inverse) (at $[0])"
      ])
  }

  @Test("D6: taking the partner of an object with a required one-to-one causes a missing-value error")
  func displaced() throws {
    let context = try Fixture.context(
      """
      "Person": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"desk": {"destination": "Desk", "optional": false, "inverse": "person"}}
      },
      "Desk": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"person": {"destination": "Person", "inverse": "desk"}}
      }
      """)
    try objects(ofEntity: "Person", fromJSON: #"[{"id": 1, "desk": 1}]"#, in: context)
    #expect(
      refusals(#"[1️⃣{"id": 2, "desk": 1}]"#, of: "Person", in: context) == [
        "1️⃣ error: expected a value for 'Person.desk', which is not optional, found none (Person(1) was changed through an inverse) (at $[0])"
      ])
    #expect(refusals(#"[{"id": 1, "desk": 2}, {"id": 2, "desk": 1}]"#, of: "Person", in: context) == [])
    #expect(
      refusals(#"[{"id": 3, "desk": 1️⃣3}, 2️⃣{"id": 4, "desk": 3}]"#, of: "Person", in: context) == [
        "1️⃣ error: expected a value for 'Person.desk', which is not optional, found none (no known object has this identifier, or another object later took that object) (at $[0].desk)"
      ])
  }

  @Test("I9: a value that is rejected is not also reported as missing")
  func refusedOnce() throws {
    let context = try Fixture.context(Self.heroes)
    #expect(
      refusals(#"[{"id": 1️⃣"1", "name": 2️⃣5, "home": 3️⃣[1]}]"#, of: "Hero", in: context) == [
        "1️⃣ error: expected an integer for 'Hero.id', found the string \"1\" (at $[0].id)",
        "2️⃣ error: expected a string for 'Hero.name', found the number 5 (at $[0].name)",
        "3️⃣ error: expected an object or an identifier for 'Hero.home', found an array (at $[0].home)",
      ])
  }

  @Test("I9: an object is validated by its sub-entity's rules")
  func subentity() throws {
    let context = try Fixture.context(
      """
      "Base": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"sub": "Sub"}}
      },
      "Sub": {"parent": "Base", "attributes": {"size": {"type": "integer16", "minimum": 1}}}
      """)
    #expect(
      refusals(
        #"[{"id": 1, "kind": "other"}, 1️⃣{"id": 2, "kind": "sub"}, {"id": 3, "kind": "sub", "size": 2️⃣0}]"#, of: "Base",
        in: context) == [
          "1️⃣ error: expected a value for 'Sub.size', which is not optional, found none (at $[1].size)",
          "2️⃣ error: expected at least 1 for 'Sub.size', found the number 0 (at $[2].size)",
        ])
  }

  @Test("D9: the length of binary data is its number of bytes")
  func binaryLength() throws {
    let context = try Fixture.context(
      #""Blob": {"attributes": {"data": {"type": "binary", "minLength": 2, "maxLength": 2}}}"#)
    #expect(refusals(#"[{"data": "gIA="}]"#, of: "Blob", in: context).isEmpty)
    #expect(refusals(#"[{"data": "gICA"}]"#, of: "Blob", in: context).count == 1)
  }
}
