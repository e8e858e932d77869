import Foundation
import Graft
import GraftTestSupport
import Testing

private final class Hero: ManagedObject {
  var name: String? { self["name"] }
}

private let entities = """
  "Hero": {
    "identityAttributes": "id",
    "attributes": {
      "id": "integer64", "name": {"type": "string", "optional": true}, "height": {"type": "double", "optional": true}
    },
    "relationships": {"powers": {"destination": "Power", "toMany": true}}
  },
  "Power": {"identityAttributes": "id", "attributes": {"id": "integer64"}}
  """

/// A payload type, such as a network library might return.
private struct Body: JSONPayload {
  var text: String
  var payloadContent: PayloadContent { .data(Data(text.utf8)) }
}

/// A form of input: imports a payload that the test provides as text.
private struct WayIn: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var importAll: @Sendable (String, ManagedObjectContext) throws -> [ManagedObject]

  static let all = [
    WayIn(testDescription: "text") { try objects(Hero.self, fromJSON: $0, in: $1) },
    WayIn(testDescription: "data") { try objects(Hero.self, fromJSON: Data($0.utf8), in: $1) },
    WayIn(testDescription: "bytes") { try objects(Hero.self, fromJSON: Array($0.utf8), in: $1) },
    WayIn(testDescription: "JSON") { try objects(Hero.self, fromJSON: try JSON(foundation: parsed($0)), in: $1) },
    WayIn(testDescription: "array") {
      let value = try parsed($0)
      if let dictionary = value as? [String: Any] { return try objects(Hero.self, fromJSON: dictionary, in: $1) }
      return try objects(Hero.self, fromJSON: value as? [Any] ?? [], in: $1)
    },
    WayIn(testDescription: "substring") { try objects(Hero.self, fromJSON: $0[...], in: $1) },
    WayIn(testDescription: "file") { text, context in
      let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try Data(text.utf8).write(to: url)
      defer { try? FileManager.default.removeItem(at: url) }
      return try objects(Hero.self, fromJSON: url, in: context)
    },
    WayIn(testDescription: "a type of one's own") { try objects(Hero.self, fromJSON: Body(text: $0), in: $1) },
    WayIn(testDescription: "text, by name") { try objects(ofEntity: "Hero", fromJSON: $0, in: $1) },
    WayIn(testDescription: "data, by name") { try objects(ofEntity: "Hero", fromJSON: Data($0.utf8), in: $1) },
    WayIn(testDescription: "bytes, by name") { try objects(ofEntity: "Hero", fromJSON: Array($0.utf8), in: $1) },
    WayIn(testDescription: "JSON, by name") {
      try objects(ofEntity: "Hero", fromJSON: try JSON(foundation: parsed($0)), in: $1)
    },
    WayIn(testDescription: "array, by name") {
      let value = try parsed($0)
      if let dictionary = value as? [String: Any] { return try objects(ofEntity: "Hero", fromJSON: dictionary, in: $1) }
      return try objects(ofEntity: "Hero", fromJSON: value as? [Any] ?? [], in: $1)
    },
  ]

  private static func parsed(_ text: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(text.utf8))
  }
}

@Suite("Forms of input") struct WaysInTests {
  private enum Name: String { case robin = "Robin" }

  @Test("I1: dictionaries can contain Substrings, NSStrings, optionals and enums as strings and numbers")
  func texts() throws {
    let context = try Fixture.context(entities)
    let text = "Batman and Robin"
    try objects(
      ofEntity: "Hero",
      fromJSON: [
        ["id": 1, "name": text.prefix(6)], ["id": 2, "name": Name.robin],
        ["id": Optional(3) as Any, "name": Optional(NSString("Joker")) as Any, "height": Optional<Double>.none as Any],
      ], in: context)
    #expect(context.drawing == "Hero(1) name=\"Batman\"\nHero(2) name=\"Robin\"\nHero(3) name=\"Joker\"")
  }

  @Test("I1: every form of input produces the same graph and returns results in payload order", arguments: WayIn.all)
  private func sameGraph(way: WayIn) throws {
    let context = try Fixture.context(entities, classes: [Hero.self])
    let heroes = try way.importAll(
      #"[{"id": 2, "name": "Robin", "height": 12.350636104367496}, null, 3, {"id": 1, "powers": [9, {"id": 4}]}, {"id": 2}]"#,
      context)
    #expect(heroes.map(\.description) == ["Hero(2)", "Hero(3)", "Hero(1)", "Hero(2)"])
    #expect(
      context.drawing == """
        Hero(1) powers=[Power(4), Power(9)]
        Hero(2) name="Robin" height=12.350636104367496
        Hero(3) placeholder
        Power(4)
        Power(9) placeholder
        """)
  }

  @Test("I1: a single top-level object produces a single result", arguments: WayIn.all)
  private func oneObject(way: WayIn) throws {
    let context = try Fixture.context(entities, classes: [Hero.self])
    let heroes = try way.importAll(#"{"id": 1, "name": "Batman"}"#, context)
    #expect(heroes.map(\.description) == ["Hero(1)"])
    #expect(context.drawing == #"Hero(1) name="Batman""#)
  }

  @Test("I1: every form of input causes the same errors, with the same JSON paths", arguments: WayIn.all)
  private func sameErrors(way: WayIn) throws {
    let context = try Fixture.context(entities, classes: [Hero.self])
    let error = #expect(throws: ImportError.self) {
      try way.importAll(
        #"[{"id": 1, "name": 5}, {"name": "Robin"}, {"id": 3, "powers": [{"id": true}, "x"]}, [4]]"#, context)
    }
    #expect(
      error?.diagnostics.map { "\($0.path ?? ""): \($0.message)" } == [
        "$[0].name: expected a string for 'Hero.name', found the number 5",
        "$[1].id: expected a value for 'Hero.id', which is not optional, found none",
        "$[2].powers[0].id: expected an integer for 'Power.id', found true",
        "$[2].powers[1]: expected an integer for 'Power.id', found the string \"x\"",
        "$[3]: expected an object or an identifier, found an array",
      ])
  }

  @Test("I1: errors in text and bytes have line numbers; errors in dictionaries and JSON values have none")
  func places() throws {
    let context = try Fixture.context(entities)
    func location(_ body: () throws(ImportError) -> [ManagedObject]) -> String? {
      do {
        _ = try body()
        return "accepted"
      } catch {
        return error.diagnostics.first?.location?.description
      }
    }
    let text = "[\n {\"id\": \"1\"}]"
    let array: [Any] = [["id": "1"]]
    let json: JSON = [["id": "1"]]
    #expect(
      location { () throws(ImportError) in try objects(ofEntity: "Hero", fromJSON: text, in: context) }
        == "<payload>:2:9")
    #expect(
      location { () throws(ImportError) in try objects(ofEntity: "Hero", fromJSON: Data(text.utf8), in: context) }
        == "<payload>:2:9")
    #expect(location { () throws(ImportError) in try objects(ofEntity: "Hero", fromJSON: array, in: context) } == nil)
    #expect(location { () throws(ImportError) in try objects(ofEntity: "Hero", fromJSON: json, in: context) } == nil)
  }

  @Test("I1: an array of small numbers is read as identifiers; only [UInt8] is read as bytes")
  func arraysOfNumbers() throws {
    let context = try Fixture.context(entities, classes: [Hero.self])
    let parsed = try #require(try JSONSerialization.jsonObject(with: Data("[7, 8]".utf8)) as? [Any])
    try objects(Hero.self, fromJSON: parsed, in: context)
    try objects(Hero.self, fromJSON: [1, 2], in: context)
    try objects(Hero.self, fromJSON: [Int32(3)], in: context)
    try objects(Hero.self, fromJSON: [UInt8(ascii: "9")], in: context)
    #expect(context.drawing == [1, 2, 3, 7, 8, 9].map { "Hero(\($0)) placeholder" }.joined(separator: "\n"))
  }

  @Test("I1: mixed dictionary and array literals need no type annotation")
  func literals() throws {
    let context = try Fixture.context(entities, classes: [Hero.self])
    let hero: Hero = try object(fromJSON: ["id": 1, "name": "Batman", "powers": [4, ["id": 9]]], in: context)
    #expect(hero.name == "Batman")
    #expect(try objects(Hero.self, fromJSON: [["id": 2, "name": "Robin", "height": nil], 3], in: context).count == 2)
    try context.importJSON(
      ["heroes": [["id": 4]], "powers": [5]],
      [.objects(ofEntity: "Hero", at: "heroes"), .objects(ofEntity: "Power", at: "powers")])
    #expect(try context.count(ofEntity: "Hero") == 4 && context.find(ofEntity: "Power", identity: 5) != nil)
  }

  @Test("I1: a string literal is read as JSON text, not as an identifier")
  func textLiteral() throws {
    let context = try Fixture.context(entities, classes: [Hero.self])
    let hero: Hero = try object(fromJSON: #"{"id": 1, "name": "Batman"}"#, in: context)
    #expect(hero.name == "Batman")
    let known: Hero = try object(fromJSON: "1", in: context)
    #expect(known === hero)
    #expect(throws: ImportError.self) { try object(Hero.self, fromJSON: "Batman", in: context) }
  }

  @Test("I1: `object` accepts a dictionary, JSON identifiers, data, bytes and text, with a class or an entity name")
  func single() throws {
    let context = try Fixture.context(entities, classes: [Hero.self])
    let hero = try object(Hero.self, fromJSON: ["id": 1, "name": "Batman"], in: context)
    #expect(try object(Hero.self, fromJSON: JSON.number(1), in: context) === hero)
    #expect(try object(Hero.self, fromJSON: Data(#"{"id": 1}"#.utf8), in: context) === hero)
    #expect(try object(Hero.self, fromJSON: Array(#"{"id": 1}"#.utf8), in: context) === hero)
    #expect(try object(ofEntity: "Hero", fromJSON: #"{"id": 1}"#, in: context) === hero)
    #expect(try object(ofEntity: "Hero", fromJSON: ["id": 1], in: context) === hero)
    #expect(try object(ofEntity: "Hero", fromJSON: JSON.number(1), in: context) === hero)
    #expect(try object(ofEntity: "Hero", fromJSON: Data("1".utf8), in: context) === hero)
    #expect(try object(ofEntity: "Hero", fromJSON: Array("1".utf8), in: context) === hero)
    #expect(context.drawing == #"Hero(1) name="Batman""#)
  }

  @Test("I1: `object` rejects an array, and a payload without an object")
  func notSingle() throws {
    let context = try Fixture.context(entities, classes: [Hero.self])
    let array = #expect(throws: ImportError.self) { try object(Hero.self, fromJSON: #"[{"id": 1}]"#, in: context) }
    #expect(
      array?.description == """
        <payload>:1:1: error: expected an object or an identifier of 'Hero', found an array
          at $
        note: to import arrays, call objects(fromJSON:in:)
        """)
    let nothing = #expect(throws: ImportError.self) { try object(Hero.self, fromJSON: "null", in: context) }
    #expect(nothing?.description == "error: expected an object of 'Hero' in the payload, found none")
    #expect(context.drawing == "")
  }

  @Test(
    "I1: `at:` is the key path of the objects; everything next to the objects is only parsed",
    arguments: [
      (#"{"data": {"items": [{"id": 1}, 2]}, "id": 9}"#, "data.items"),
      (#"{"meta": [[]], "data": {"next": null, "items": [{"id": 1}, 2], "more": {}}}"#, "data.items"),
      (#"{"a.b": {"": [{"id": 1}, 2]}}"#, ["a.b", ""]),
      (#"{"d\u0061ta": [{"id": 1}, 2]}"#, "data"),
    ] as [(String, JSONKeyPath)])
  func keyPath(text: String, path: JSONKeyPath) throws {
    let context = try Fixture.context(entities)
    let heroes = try objects(ofEntity: "Hero", fromJSON: text, in: context, at: path)
    #expect(heroes.map(\.description) == ["Hero(1)", "Hero(2)"])
    #expect(context.drawing == "Hero(1)\nHero(2) placeholder")

    let value = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    let other = try Fixture.context(entities)
    try objects(ofEntity: "Hero", fromJSON: value, in: other, at: path)
    #expect(other.dump() == context.dump())
  }

  @Test("I1: `at:` can be the path of a single object, an identifier or null")
  func keyPathToOne() throws {
    let context = try Fixture.context(entities)
    #expect(
      try object(ofEntity: "Hero", fromJSON: #"{"hero": {"id": 1}}"#, in: context, at: "hero").description == "Hero(1)")
    #expect(try object(ofEntity: "Hero", fromJSON: #"{"hero": 2}"#, in: context, at: "hero").description == "Hero(2)")
    #expect(try objects(ofEntity: "Hero", fromJSON: #"{"hero": null}"#, in: context, at: "hero").isEmpty)
  }

  @Test("I1: an unknown entity causes an error that suggests the most similar name")
  func unknownEntity() throws {
    let context = try Fixture.context(entities)
    #expect(
      refusals("[]", of: "Heroes", in: context) == ["error: the model has no entity 'Heroes'; did you mean 'Hero'?"])
    let error = #expect(throws: ImportError.self) { try objects(ofEntity: "Pow", fromJSON: [Any](), in: context) }
    #expect(error?.description == "error: the model has no entity 'Pow'; did you mean 'Power'?")
  }

  @Test("D3: a payload that is null or an empty array imports nothing")
  func nothing() throws {
    let context = try Fixture.context(entities)
    for text in ["null", "[]", " [ null , null ] ", " null\n"] {
      #expect(try objects(ofEntity: "Hero", fromJSON: text, in: context).isEmpty)
    }
    #expect(try objects(ofEntity: "Hero", fromJSON: [NSNull()], in: context).isEmpty)
    #expect(context.drawing == "")
  }

  @Test(
    "D3: an `at:` that leads nowhere causes an error",
    arguments: [
      (#"{1️⃣"datum": []}"#, "expected the key 'data', which 'at' names; did you mean 'datum'? (at $)"),
      (#"{"data": 1️⃣{}}"#, "expected the key 'items', which 'at' names (at $.data)"),
      (
        #"{"data": 1️⃣[{"items": []}]}"#,
        "expected an object with the key 'items', which 'at' names, found an array (at $.data)"
      ),
      (#"{"data": 1️⃣null}"#, "expected an object with the key 'items', which 'at' names, found null (at $.data)"),
      ("1️⃣[]", "expected an object with the key 'data', which 'at' names, found an array (at $)"),
      ("1️⃣7", "expected an object with the key 'data', which 'at' names, found the number 7 (at $)"),
    ])
  func pathToNowhere(text: String, message: String) throws {
    let context = try Fixture.context(entities)
    #expect(refusals(text, of: "Hero", in: context, at: "data.items") == ["1️⃣ error: " + message])
  }

  @Test("I13: a key on the path in `at:` must not occur twice")
  func pathTwice() throws {
    let context = try Fixture.context(entities)
    #expect(
      refusals(#"{"data": [{"id": 1}], 1️⃣"data": []}"#, of: "Hero", in: context, at: "data") == [
        "1️⃣ error: the key \"data\" occurs twice in one object (at $.data)"
      ])
  }

  @Test(
    "I13: anything after the objects must be valid JSON",
    arguments: [
      (
        #"{"data": [], "more": 1️⃣tru}"#,
        "1️⃣ error: expected a JSON value: an object, an array, a string, a number, true, false or null (at $.more)"
      ),
      (#"{"data": []1️⃣"#, "1️⃣ error: the text ends where ',' or '}' was expected (at $.data)"),
      (#"{"data": []} 1️⃣{}"#, "1️⃣ error: expected nothing after the end of the JSON value (at $)"),
      (#"[{"id": 1}] 1️⃣x"#, "1️⃣ error: expected nothing after the end of the JSON value (at $)"),
    ])
  func remainder(text: String, message: String) throws {
    let context = try Fixture.context(entities)
    let keyPath: JSONKeyPath? = text.hasPrefix("{") ? "data" : nil
    #expect(refusals(text, of: "Hero", in: context, at: keyPath) == [message])
  }

  @Test("I1: dictionaries can contain the values that JSONSerialization returns, and equivalent Swift values")
  func swiftValues() throws {
    let context = try Fixture.context(
      """
      "T": {
        "identityAttributes": "id",
        "attributes": {
          "id": "integer64", "f": {"type": "double", "optional": true}, "s": {"type": "string", "optional": true},
          "b": {"type": "boolean", "optional": true}, "d": {"type": "decimal", "optional": true},
          "j": {"type": "json", "optional": true}
        },
        "relationships": {"all": {"destination": "T", "toMany": true, "ordered": true}}
      }
      """)
    let missing: String? = nil
    let given: Int? = 3
    let dictionaries: [[String: Any]] = [
      [
        "id": Int8(1), "f": Float(0.1), "s": NSString(string: "x"), "b": NSNumber(value: true),
        "d": Decimal(string: "1.10") ?? 0,
      ],
      ["id": UInt64(2), "f": NSNumber(value: 2), "s": "y", "b": false, "d": NSDecimalNumber(string: "0.1")],
      ["id": given as Any, "s": missing as Any, "b": NSNull(), "j": ["b": [1, 2.5], "a": NSNull()] as [String: Any]],
      ["id": JSON.number(4), "all": JSON.array([1, ["id": 2]]), "j": JSON.array([.null])],
      ["id": 5.0, "all": [NSNumber(value: 3), ["id": 4]] as NSArray, "j": 12.350636104367496],
      NSDictionary(dictionary: ["id": 6, "s": "z"]) as? [String: Any] ?? [:],
    ]
    try objects(ofEntity: "T", fromJSON: dictionaries, in: context)
    #expect(
      context.drawing == """
        T(1) f=0.1 s="x" b=true d=1.1
        T(2) f=2 s="y" b=false d=0.1
        T(3) j={"a":null,"b":[1,2.5]}
        T(4) j=[null] all=[T(1), T(2)]
        T(5) j=12.350636104367496 all=[T(3), T(4)]
        T(6) s="z"
        """)
    #expect(
      refusals(
        [["id": true], ["id": NSNumber(value: true)], ["id": 7, "b": 1], ["id": 8, "b": NSNumber(value: 1)]], of: "T",
        in: context) == [
          "<payload>: error: expected an integer for 'T.id', found true (at $[0].id)",
          "<payload>: error: expected an integer for 'T.id', found true (at $[1].id)",
          "<payload>: error: expected true or false for 'T.b', found the number 1 (at $[2].b)",
          "<payload>: error: expected true or false for 'T.b', found the number 1 (at $[3].b)",
        ])
  }

  @Test("I14: dictionary values that have no JSON form are rejected with their path")
  func notJSON() throws {
    let context = try Fixture.context(entities)
    #expect(
      refusals([["id": 1, "name": Date(timeIntervalSince1970: 0)]], of: "Hero", in: context) == [
        "<payload>: error: a Date is not a JSON value (at $[0].name)"
      ])
    #expect(
      refusals([["id": 1, "height": Double.nan]], of: "Hero", in: context) == [
        "<payload>: error: nan is not a JSON number (at $[0].height)"
      ])
    #expect(
      refusals([["id": Date(timeIntervalSince1970: 0)]], of: "Hero", in: context) == [
        "<payload>: error: a Date is not a JSON value (at $[0].id)"
      ])
  }
}
