import Foundation
import Graft
import GraftTestSupport
import Testing

/// Heroes and their powers; the argument declares how a power's identifier is read.
private func powers(_ identifier: String, _ more: String = "") throws -> ManagedObjectContext {
  try Fixture.context(
    """
    "Hero": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {
        "powers": {"destination": "Power", "toMany": true, "ordered": true}, "best": {"destination": "Power"}
      }
    },
    "Power": {
      "identityAttributes": "id",
      "attributes": {
        "id": {\(identifier)}, "name": {"type": "string", "optional": true}\(more)
      }
    }
    """)
}

private let first = #""type": "integer64", "JSONKeyPath": "@key""#
private let alias = #""type": "integer64", "JSONKeyPath": "id", "JSONKeyPathAliases": ["@key"]"#

@Suite("Keyed collections") struct KeyedCollectionTests {
  @Test("M11: a to-many can be an object whose values are the elements", arguments: [first, alias])
  func toMany(identifier: String) throws {
    let text = #"{"id": 1, "powers": {"9": {"name": "Strength"}, "4": {"name": "Agility"}, "7": null, "5": {}}}"#
    let context = try powers(identifier)
    try object(ofEntity: "Hero", fromJSON: text, in: context)
    #expect(
      context.drawing == """
        Hero(1) powers=[Power(9), Power(4), Power(5)]
        Power(4) name="Agility"
        Power(5)
        Power(9) name="Strength"
        """)
  }

  @Test(
    "M11: a keyed collection can be a dictionary, which is read in the order of its keys", arguments: [first, alias])
  func dictionaries(identifier: String) throws {
    let context = try powers(identifier)
    try object(
      ofEntity: "Hero",
      fromJSON: ["id": 1, "powers": ["9": ["name": "Strength"], "4": ["name": "Agility"], "7": NSNull()]], in: context)
    #expect(
      context.drawing == """
        Hero(1) powers=[Power(4), Power(9)]
        Power(4) name="Agility"
        Power(9) name="Strength"
        """)
  }

  @Test("M11: a whole payload can be an object whose values are the objects", arguments: [first, alias])
  func wholePayload(identifier: String) throws {
    let text = #"{"4": {"name": "Agility"}, "9": {}, "7": null}"#
    let context = try powers(identifier)
    #expect(try objects(ofEntity: "Power", fromJSON: text, in: context).map(\.description) == ["Power(4)", "Power(9)"])
    let dictionary = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    let other = try powers(identifier)
    #expect(
      try objects(ofEntity: "Power", fromJSON: dictionary, in: other).map(\.description) == ["Power(4)", "Power(9)"])
    #expect(other.dump() == context.dump())
    #expect(try objects(ofEntity: "Power", fromJSON: #"{"data": \#(text)}"#, in: context, at: "data").count == 2)
    #expect(try context.count(ofEntity: "Power") == 2)
  }

  @Test("M11: if @key is an alias, both forms are read: an object with one of the entity's keys is a single object")
  func bothShapes() throws {
    let context = try powers(alias)
    #expect(
      try objects(ofEntity: "Power", fromJSON: #"{"id": 1, "name": "a"}"#, in: context).map(\.description) == [
        "Power(1)"
      ])
    #expect(
      try objects(ofEntity: "Power", fromJSON: #"{"2": {"id": 3}, "4": {"name": "b"}}"#, in: context).map(\.description)
        == ["Power(3)", "Power(4)"])
    try object(ofEntity: "Hero", fromJSON: #"{"id": 1, "powers": [{"id": 5}, 4], "best": {"id": 6}}"#, in: context)
    #expect(context.drawing.hasPrefix("Hero(1) powers=[Power(5), Power(4)] best=Power(6)\n"))
  }

  @Test("D3: if both the key path and @key are present, the key path wins; a key path with the value null is present")
  func precedence() throws {
    let context = try powers(alias)
    try object(
      ofEntity: "Hero", fromJSON: #"{"id": 1, "powers": {"4": {"id": 5}, "6": {"name": "x", "id": 7}}}"#, in: context)
    #expect(context.drawing == "Hero(1) powers=[Power(5), Power(7)]\nPower(5)\nPower(7) name=\"x\"")
    #expect(
      refusals(#"{"id": 1, "powers": {"4": {"id": 1️⃣null}}}"#, of: "Hero", in: context) == [
        "1️⃣ error: expected a value for 'Power.id', which is not optional, found none (at $.powers['4'].id)"
      ])
  }

  @Test(
    "M11: an attribute that is not a string reads its value from the text of the key",
    arguments: [
      (#""type": "integer64""#, "-4", "Power(-4)"), (#""type": "string""#, "a b", "Power(a b)"),
      (#""type": "string""#, "", "Power()"),
      (#""type": "double""#, "1.50", "Power(1.5)"), (#""type": "decimal""#, "1.50", "Power(1.5)"),
      (#""type": "boolean""#, "true", "Power(true)"),
      (#""type": "uuid""#, "e621e1f8-c36c-495a-93fc-0c247a3e6e5f", "Power(e621e1f8-c36c-495a-93fc-0c247a3e6e5f)"),
      (#""type": "integer64", "JSONTransformerName": "StringToInteger""#, "12", "Power(12)"),
      (
        #""type": "date", "JSONTransformerName": "DateFormat(yyyy-MM-dd)""#, "2024-01-02", "Power(2024-01-02T00:00:00Z)"
      ),
      (#""type": "string", "JSONTransformerName": "Lowercase""#, "ABC", "Power(abc)"),
    ])
  func spelled(type: String, key: String, expected: String) throws {
    let context = try powers(type + #", "JSONKeyPath": "@key""#)
    let objects = try objects(ofEntity: "Power", fromJSON: #"{"\#(key)": {"name": "x"}}"#, in: context)
    #expect(objects.map(\.description) == [expected])
  }

  @Test("M11: faults in keyed collections are reported at their locations")
  func faults() throws {
    let context = try powers(first)
    #expect(
      refusals(
        #"{"id": 1, "powers": {"4": 1️⃣7, 2️⃣"x": {"name": 3️⃣5}, "5": 4️⃣[], 5️⃣"4": {}, 6️⃣"01": {}, "9": 7️⃣"text"}, "best": 8️⃣{"name": "b"}}"#,
        of: "Hero", in: context) == [
          "1️⃣ error: expected an object of 'Power' under its key, found the number 7 (at $.powers['4'])",
          "2️⃣ error: expected a key that spells an integer for 'Power.id', found the key \"x\" (at $.powers.x)",
          "3️⃣ error: expected a string for 'Power.name', found the number 5 (at $.powers.x.name)",
          "4️⃣ error: expected an object of 'Power' under its key, found an array (at $.powers['5'])",
          "5️⃣ error: the key \"4\" occurs twice in one object (at $.powers['4'])",
          "6️⃣ error: expected a key that spells an integer for 'Power.id', found the key \"01\", which has a leading zero (at $.powers['01'])",
          "7️⃣ error: expected an object of 'Power' under its key, found the string \"text\" (at $.powers['9'])",
          "8️⃣ error: expected a value for 'Power.id', which is not optional, found none (at $.best)",
        ])
    #expect(
      refusals(#"{"id": 1, "powers": 1️⃣7}"#, of: "Hero", in: context) == [
        "1️⃣ error: expected an array or an object of objects for the to-many relationship 'Hero.powers', found the number 7 (at $.powers)"
      ])
  }

  @Test("M11: a key that the identity cannot hold is rejected at the key's location, even if @key is an alias")
  func wrongKeys() throws {
    let context = try powers(alias)
    #expect(
      refusals(
        #"{"id": 1, "powers": {1️⃣"x": {"name": "a"}, "\u0079": 2️⃣{}, "5": {"id": 3️⃣"z"}, "6": {}}}"#, of: "Hero",
        in: context) == [
          "1️⃣ error: expected a key that spells an integer for 'Power.id', found the key \"x\" (at $.powers.x)",
          "2️⃣ error: expected a key that spells an integer for 'Power.id', found the key \"y\" (at $.powers.y)",
          "3️⃣ error: expected an integer for 'Power.id', found the string \"z\" (at $.powers['5'].id)",
        ])
  }

  @Test("M11: an object in an array has no key, so its identity is missing")
  func noKey() throws {
    let context = try powers(first)
    #expect(refusals(#"{"id": 1, "powers": [1️⃣{"name": "a"}]}"#, of: "Hero", in: context).count == 1)
    #expect(refusals(#"{"id": 1, "powers": [4, 5]}"#, of: "Hero", in: context) == [])
    #expect(context.drawing == "Hero(1) powers=[Power(4), Power(5)]\nPower(4) placeholder\nPower(5) placeholder")
  }

  @Test("M11: `object` accepts a collection of one object, and rejects a collection of several objects")
  func single() throws {
    let context = try powers(first)
    #expect(try object(ofEntity: "Power", fromJSON: #"{"4": {"name": "a"}}"#, in: context).description == "Power(4)")
    let error = #expect(throws: ImportError.self) {
      try object(ofEntity: "Power", fromJSON: #"{"5": {}, "6": {}}"#, in: context)
    }
    #expect(error?.diagnostics.map(\.message) == ["expected one object of 'Power', found 2"])
    #expect(context.drawing == #"Power(4) name="a""#)
  }

  @Test("M11: collections can be nested, and their objects can be of sub-entities")
  func nested() throws {
    let context = try Fixture.context(
      """
      "Folder": {
        "identityAttributes": "name", "attributes": {"name": {"type": "string", "JSONKeyPath": "@key"}},
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"smart": "Smart"}},
        "relationships": {"folders": {"destination": "Folder", "toMany": true, "inverse": "parent"}, "parent": {"destination": "Folder", "inverse": "folders"}}
      },
      "Smart": {"parent": "Folder", "attributes": {"query": "string"}}
      """)
    try objects(
      ofEntity: "Folder",
      fromJSON: #"{"a": {"folders": {"b": {"kind": "smart", "query": "q"}, "c": {"folders": {"d": {}}}}}}"#, in: context
    )
    let expected = """
      Folder(a) folders=[Smart(b), Folder(c)]
      Folder(c) folders=[Folder(d)] parent=Folder(a)
      Folder(d) parent=Folder(c)
      Smart(b) query="q" parent=Folder(a)
      """
    #expect(context.drawing == expected)
    let other = try Fixture.context(
      """
      "Folder": {
        "identityAttributes": "name", "attributes": {"name": {"type": "string", "JSONKeyPath": "@key"}},
        "relationships": {"folders": {"destination": "Folder", "toMany": true}, "last": {"destination": "Folder"}}
      }
      """)
    try objects(ofEntity: "Folder", fromJSON: ["a": ["folders": ["b": ["folders": [String: Any]()]]]], in: other)
    #expect(other.drawing == "Folder(a) folders=[Folder(b)]\nFolder(b)")
  }

  // MARK: @value

  private static let prices = """
    "Product": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {"prices": {"destination": "Price", "toMany": true}}
    },
    "Price": {
      "attributes": {
        "currency": {"type": "string", "JSONKeyPath": "@key"},
        "amount": {"type": "decimal", "JSONKeyPath": "@value", "minimum": 0}
      }
    }
    """

  @Test("M11: `@value` reads an element that is not an object")
  func values() throws {
    let context = try Fixture.context(Self.prices)
    try object(ofEntity: "Product", fromJSON: #"{"id": 1, "prices": {"EUR": 9.90, "CHF": 10}}"#, in: context)
    #expect(
      context.drawing == """
        Product(1) prices=[Price#1, Price#2]
        Price#1 currency="EUR" amount=9.9
        Price#2 currency="CHF" amount=10
        """)
  }

  @Test("M11: faults in `@value` are reported at their locations")
  func wrongValues() throws {
    let context = try Fixture.context(Self.prices)
    #expect(
      refusals(
        #"{"id": 1, "prices": {"EUR": 1️⃣"9.90", "CHF": 2️⃣-1, "USD": null, "GBP": 3️⃣{"amount": 3}, "JPY": 4️⃣[1]}}"#,
        of: "Product", in: context)
        == [
          "1️⃣ error: expected a decimal number for 'Price.amount', found the string \"9.90\" (at $.prices.EUR)",
          "2️⃣ error: expected at least 0 for 'Price.amount', found the number -1 (at $.prices.CHF)",
          "3️⃣ error: expected a decimal number for 'Price.amount', found an object (at $.prices.GBP)",
          "4️⃣ error: expected a decimal number for 'Price.amount', found an array (at $.prices.JPY)",
        ])
  }

  @Test("M11: `@value` of a to-many reads keyed lists and lists of lists")
  func lists() throws {
    let context = try Fixture.context(
      """
      "Index": {
        "attributes": {"name": {"type": "string", "JSONKeyPath": "@key"}},
        "relationships": {"words": {"destination": "Word", "toMany": true, "ordered": true, "JSONKeyPath": "@value"}}
      },
      "Word": {"identityAttributes": "text", "attributes": {"text": "string"}}
      """)
    try objects(ofEntity: "Index", fromJSON: #"{"a": ["x", {"text": "y"}], "b": [], "c": ["x"]}"#, in: context)
    #expect(
      context.drawing == """
        Index#1 name="a" words=[Word(x), Word(y)]
        Index#2 name="b"
        Index#3 name="c" words=[Word(x)]
        Word(x) placeholder
        Word(y)
        """)
  }

  private static func settings(_ type: String) -> String {
    """
    "Setting": {"identityAttributes": "name", "attributes": {
      "name": {"type": "string", "JSONKeyPath": "@key"},
      "value": {"type": "\(type)", "optional": true, "JSONKeyPath": "@value"}}}
    """
  }

  @Test("M23: `@value` of type json reads any value, even an object")
  func anyValues() throws {
    let text = #"{"e":{},"a":"x","b":{"deep":"y"},"c":["z"],"d":5}"#
    for isDictionary in [false, true] {
      let context = try Fixture.context(Self.settings("json"))
      try objects(ofEntity: "Setting", fromJSON: #"{"e": {"old": 1}}"#, in: context)
      if isDictionary {
        let dictionary = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
        try objects(ofEntity: "Setting", fromJSON: dictionary, in: context)
      } else {
        try objects(ofEntity: "Setting", fromJSON: text, in: context)
      }
      #expect(String(decoding: try jsonData(from: context.fetch(ofEntity: "Setting")), as: UTF8.self) == text)
    }
  }

  @Test("M23: an object that `@value` cannot hold causes an error, even if the value is optional")
  func objectsAsValues() throws {
    let context = try Fixture.context(Self.settings("string"))
    #expect(
      refusals(#"{"a": "x", "b": 1️⃣{"deep": "y"}, "c": {}}"#, of: "Setting", in: context) == [
        "1️⃣ error: expected a string for 'Setting.value', found an object (at $.b)"
      ])
  }

  @Test("E5: an object without its `@value` cannot be exported, because an import would read {} as its value")
  func noAnyValue() throws {
    let context = try Fixture.context(Self.settings("json"))
    context.insert(ofEntity: "Setting")["name"] = "a"
    #expect(throws: ExportError.self) { try jsonData(from: context.fetch(ofEntity: "Setting")) }
  }

  @Test("M23: a to-many with the key path `@value` reads a JSON object that contains the elements under their keys")
  func collectionsAsValues() throws {
    let context = try Fixture.context(
      """
      "Index": {
        "identityAttributes": "name",
        "attributes": {"name": {"type": "string", "JSONKeyPath": "@key"}},
        "relationships": {"words": {"destination": "Word", "toMany": true, "JSONKeyPath": "@value"}}
      },
      "Word": {
        "identityAttributes": "text",
        "attributes": {"text": {"type": "string", "JSONKeyPath": "@key"}, "count": "integer64"}
      }
      """)
    let text = #"{"a":{"x":{"count":1},"y":{"count":2}},"b":{"x":{"count":1}}}"#
    try objects(ofEntity: "Index", fromJSON: text, in: context)
    #expect(String(decoding: try jsonData(from: context.fetch(ofEntity: "Index")), as: UTF8.self) == text)
  }

  private static let things = #"""
    "Thing": {"ABSTRACT "identityAttributes": "id", "attributes": {
      "id": {"type": "string", "JSONKeyPath": "@key", "JSONTransformerName": "Count"},
      "name": {"type": "string", "optional": true, "JSONKeyPath": "@value", "JSONKeyPathAliases": ["name"]}},
      "entityMapper": {"JSONKeyPath": "kind", "entities": {"tool": "Tool"}}},
    "Tool": {"parent": "Thing"}
    """#

  @Test(
    "M11: an element that is not an object has no discriminator: its identity or the declared entity decides")
  func elementOfSubentity() throws {
    let calls = Locked(0)
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Count") { (text: String) in
      calls.withLock { $0 += 1 }
      return text
    }
    let plain = try Fixture.context(Self.things.replacing("\"ABSTRACT", with: ""), transformers: registry)
    try objects(ofEntity: "Thing", fromJSON: #"{"a": {"kind": "tool"}}"#, in: plain)
    try objects(ofEntity: "Thing", fromJSON: #"{"a": "saw", "b": "salt"}"#, in: plain)
    #expect(plain.drawing == "Thing(b) name=\"salt\"\nTool(a) name=\"saw\"")
    // T3: the transformer is called once per value, even if the identity is read ahead.
    #expect(calls.withLock { $0 } == 3)

    let abstract = try Fixture.context(
      Self.things.replacing("\"ABSTRACT", with: "\"abstract\": true,"), transformers: registry)
    try objects(ofEntity: "Thing", fromJSON: #"{"a": {"kind": "tool"}}"#, in: abstract)
    try objects(ofEntity: "Thing", fromJSON: #"{"a": "saw"}"#, in: abstract)
    #expect(abstract.drawing == "Tool(a) name=\"saw\"")
    #expect(
      refusals(#"{"b": 1️⃣"salt"}"#, of: "Thing", in: abstract) == [
        "1️⃣ error: cannot tell which sub-entity of the abstract entity 'Thing' this object belongs to (at $.b)"
      ])
  }

  @Test("M11: the element itself can be part of the identity, and is read ahead only once")
  func elementIsIdentity() throws {
    let context = try Fixture.context(
      """
      "Score": {"identityAttributes": ["name", "points"], "attributes": {
        "name": {"type": "string", "JSONKeyPath": "@key"},
        "points": {"type": "integer64", "JSONKeyPath": "@value", "JSONKeyPathAliases": ["points"]}},
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"high": "High"}}},
      "High": {"parent": "Score"}
      """)
    try objects(ofEntity: "Score", fromJSON: #"{"a": {"points": 7, "kind": "high"}}"#, in: context)
    try objects(ofEntity: "Score", fromJSON: #"{"a": 7, "b": 7}"#, in: context)
    #expect(context.drawing == "Score(b,7)\nHigh(a,7)")
  }

  @Test("M11: if @key is an alias, the aliases after it are ignored")
  func keyBeforeAlias() throws {
    let context = try Fixture.context(
      """
      "Power": {"identityAttributes": "id", "attributes": {
        "id": {"type": "integer64", "JSONKeyPathAliases": ["@key", "number"]}}}
      """)
    try objects(ofEntity: "Power", fromJSON: #"{"7": {"number": 8}, "9": {"id": 10, "number": 8}}"#, in: context)
    try objects(ofEntity: "Power", fromJSON: #"[{"number": 11}]"#, in: context)
    #expect(context.drawing == "Power(7)\nPower(10)\nPower(11)")
  }
}
