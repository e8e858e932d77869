import Foundation
import Graft
import GraftTestSupport
import Testing

private let messages = """
  "Message": {
    "identityAttributes": "id",
    "entityMapper": {
      "JSONKeyPath": "meta.type",
      "entities": {"text": "Text", "photo": "Photo", "1": "Text", "1.50": "Photo", "true": "Photo", "old": "OldText"}
    },
    "attributes": {"id": "integer64", "note": {"type": "string", "optional": true}}
  },
  "Text": {"parent": "Message", "attributes": {"text": {"type": "string", "optional": true}}},
  "OldText": {"parent": "Text"},
  "Photo": {"parent": "Message", "attributes": {"url": {"type": "uri", "optional": true}}}
  """

/// A log of the arguments that closures receive, in order.
private final class Log: Sendable {
  private let storage = Locked<[String]>([])
  var lines: [String] { storage.withLock { $0 } }
  func note(_ line: String) { storage.withLock { $0.append(line) } }
}

@Suite("Choice of the entity") struct EntityChoiceTests {
  @Test(
    "D4: discriminators are compared by their JSON text; an unlisted or missing discriminator chooses no entity",
    arguments: [
      (#""text""#, "Text(1)"), (#""\u0074ext""#, "Text(1)"), (#""old""#, "OldText(1)"), ("1", "Text(1)"),
      ("1.0", "Message(1)"), ("1.50", "Photo(1)"), ("1.5", "Message(1)"), ("true", "Photo(1)"),
      (#""true""#, "Photo(1)"),
      (#""1""#, "Text(1)"), ("false", "Message(1)"), ("null", "Message(1)"), (#""video""#, "Message(1)"),
      (#""Text""#, "Message(1)"),
      ("{}", "Message(1)"), ("[]", "Message(1)"), (#"["text"]"#, "Message(1)"),
    ])
  func discriminator(value: String, expected: String) throws {
    let context = try Fixture.context(messages)
    try objects(ofEntity: "Message", fromJSON: #"[{"id": 1, "meta": {"type": \#(value)}}]"#, in: context)
    #expect(context.drawing == expected)
  }

  @Test(
    "D4: if the key path of the discriminator is blocked or absent, no entity is chosen",
    arguments: [
      #"{"id": 1}"#, #"{"id": 1, "meta": null}"#, #"{"id": 1, "meta": {}}"#, #"{"id": 1, "meta": "text"}"#,
      #"{"id": 1, "meta": [{"type": "text"}]}"#,
    ])
  func unreachable(text: String) throws {
    let context = try Fixture.context(messages)
    try object(ofEntity: "Message", fromJSON: text, in: context)
    #expect(context.drawing == "Message(1)")
  }

  @Test("I7: if no entity is chosen, the existing object's entity is used, or else the declared entity")
  func noAnswer() throws {
    let context = try Fixture.context(messages)
    try objects(
      ofEntity: "Message",
      fromJSON: #"[{"meta": {"type": "text"}, "id": 1}, {"text": "hello", "id": 1}, {"id": 2, "text": "ignored"}]"#,
      in: context)
    #expect(context.drawing == "Message(2)\nText(1) text=\"hello\"")
  }

  @Test("I7: an object keeps its entity: choosing a different entity causes an error, even a parent entity")
  func conflict() throws {
    let context = try Fixture.context(messages)
    try objects(ofEntity: "Message", fromJSON: #"[{"id": 1, "meta": {"type": "text"}}, {"id": 2}]"#, in: context)
    #expect(
      refusals(
        #"[1️⃣{"id": 1, "meta": {"type": "photo"}}, 2️⃣{"id": 1, "meta": {"type": "old"}}, 3️⃣{"id": 2, "meta": {"type": "text"}}]"#,
        of: "Message", in: context, withNotes: true) == [
          "1️⃣ error: expected an object of 'Photo', but the object with this identity belongs to 'Text' (at $[0])",
          "  m.json:12:1: note: 'Photo' is declared here",
          "  note: an object never changes its entity, but a placeholder can become an object of a sub-entity",
          "2️⃣ error: expected an object of 'OldText', but the object with this identity belongs to 'Text' (at $[1])",
          "  m.json:11:1: note: 'OldText' is declared here",
          "  note: an object never changes its entity, but a placeholder can become an object of a sub-entity",
          "3️⃣ error: expected an object of 'Text', but the object with this identity belongs to 'Message' (at $[2])",
          "  m.json:10:1: note: 'Text' is declared here",
          "  note: an object never changes its entity, but a placeholder can become an object of a sub-entity",
        ])
    try objects(ofEntity: "Message", fromJSON: #"[{"id": 1, "meta": {"type": "text"}, "text": "x"}]"#, in: context)
    #expect(context.drawing == "Message(2)\nText(1) text=\"x\"")
  }

  @Test("D4: a chosen entity outside the declared entity's hierarchy causes an error at the discriminator")
  func outside() throws {
    let context = try Fixture.context(messages)
    #expect(
      refusals(
        #"[{"id": 1, "meta": {"type": 1️⃣"photo"}}, {"meta": {"type": 2️⃣1.50}}]"#, of: "Text", in: context,
        withNotes: true) == [
          "1️⃣ error: the mapper chose \"Photo\", which is not 'Text' or a sub-entity of it: expected one of 'Text', 'OldText' (at $[0].meta.type)",
          "  m.json:10:1: note: 'Text' is declared here",
          "2️⃣ error: the mapper chose \"Photo\", which is not 'Text' or a sub-entity of it: expected one of 'Text', 'OldText' (at $[1].meta.type)",
          "  m.json:10:1: note: 'Text' is declared here",
        ])
    try objects(
      ofEntity: "Text", fromJSON: #"[{"id": 1, "meta": {"type": "old"}}, {"id": 2, "meta": {"type": "video"}}]"#,
      in: context)
    #expect(context.drawing == "Text(2)\nOldText(1)")
  }

  @Test("I7: an abstract entity requires the choice of a sub-entity")
  func abstract() throws {
    let context = try Fixture.context(
      """
      "Shape": {
        "abstract": true, "identityAttributes": "id", "attributes": {"id": "integer64"},
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"dot": "Dot", "box": "Box"}}
      },
      "Dot": {"parent": "Shape"}, "Box": {"parent": "Shape"}
      """)
    try objects(ofEntity: "Shape", fromJSON: #"[{"id": 1, "kind": "dot"}, {"id": 1}]"#, in: context)
    #expect(context.drawing == "Dot(1)")
    #expect(
      refusals(#"[1️⃣{"id": 2}, {"id": 2, "kind": 2️⃣"circle"}]"#, of: "Shape", in: context, withNotes: true) == [
        "1️⃣ error: cannot tell which sub-entity of the abstract entity 'Shape' this object belongs to (at $[0])",
        "  m.json:3:15: note: 'Shape' is declared abstract here",
        "  note: expected 'kind' to be one of \"box\", \"dot\"",
        "2️⃣ error: expected one of \"box\", \"dot\" for 'kind', which chooses the sub-entity of 'Shape', found the string \"circle\" (at $[1].kind)",
        "  m.json:4:19: note: 'Shape' is mapped to its sub-entities here",
      ])
  }

  // MARK: Closures

  private static func registry(_ log: Log) -> TransformerRegistry {
    var registry = TransformerRegistry.standard
    registry.registerDictionaryTransformer(named: "Unwrap") { dictionary in
      log.note("unwrap \(dictionary.keys.sorted())")
      return dictionary["wrapped"] as? [String: Any]
    }
    registry.registerEntityMapper(named: "Map") { dictionary in
      log.note("map \(dictionary.keys.sorted())")
      return dictionary["entity"] as? String
    }
    registry.registerDictionaryTransformer(named: "Trim") { dictionary in
      log.note("trim \(dictionary.keys.sorted())")
      guard var result = dictionary["raw"] as? [String: Any] else { return nil }
      result["id"] = dictionary["id"]
      return result
    }
    registry.registerValueTransformer(named: "Log") { (text: String) in
      log.note("value \(text)")
      return text
    }
    return registry
  }

  private static let closures = """
    "Base": {
      "identityAttributes": "id", "JSONDictionaryTransformerName": "Unwrap", "entityMapperName": "Map",
      "attributes": {"id": "integer64", "name": {"type": "string", "optional": true, "JSONTransformerName": "Log"}}
    },
    "Plain": {"parent": "Base"},
    "Trimmed": {
      "parent": "Base", "JSONDictionaryTransformerName": "Trim",
      "attributes": {"size": {"type": "integer16", "optional": true}}
    },
    "Other": {"attributes": {"x": {"type": "string", "optional": true}}},
    "Box": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {"content": {"destination": "Base"}, "all": {"destination": "Base", "toMany": true}}
    }
    """

  @Test(
    "I7: the dictionary transformer runs first, then the mapper, the sub-entity's transformer, and the properties")
  func order() throws {
    let log = Log()
    let context = try Fixture.context(Self.closures, transformers: Self.registry(log))
    try objects(
      ofEntity: "Base",
      fromJSON:
        #"[{"wrapped": {"id": 1, "entity": "Trimmed", "raw": {"name": "n", "size": 4}, "name": "lost"}, "id": 9}]"#,
      in: context)
    #expect(
      log.lines == [
        #"unwrap ["id", "wrapped"]"#, #"map ["entity", "id", "name", "raw"]"#, #"trim ["entity", "id", "name", "raw"]"#,
        "value n",
      ])
    #expect(context.drawing == #"Trimmed(1) name="n" size=4"#)
  }

  @Test("I7: a dictionary transformer that returns nil keeps the original; an inherited transformer runs once")
  func original() throws {
    let log = Log()
    let context = try Fixture.context(Self.closures, transformers: Self.registry(log))
    try objects(ofEntity: "Base", fromJSON: #"[{"id": 1, "entity": "Plain", "name": "n"}, {"id": 2}]"#, in: context)
    #expect(
      log.lines == [
        #"unwrap ["entity", "id", "name"]"#, #"map ["entity", "id", "name"]"#, "value n", #"unwrap ["id"]"#,
        #"map ["id"]"#,
      ])
    #expect(context.drawing == "Base(2)\nPlain(1) name=\"n\"")
  }

  @Test("I7: an entity's closures also run for its objects in relationships, but not for identifiers and nulls")
  func nested() throws {
    let log = Log()
    let context = try Fixture.context(Self.closures, transformers: Self.registry(log))
    try objects(
      ofEntity: "Box",
      fromJSON:
        #"[{"id": 1, "content": {"wrapped": {"id": 1}}, "all": [{"id": 2, "entity": "Trimmed", "raw": {"size": 1}}, null, 1, {"id": 3}]}]"#,
      in: context)
    #expect(
      log.lines == [
        #"unwrap ["wrapped"]"#, #"map ["id"]"#, #"unwrap ["entity", "id", "raw"]"#, #"map ["entity", "id", "raw"]"#,
        #"trim ["entity", "id", "raw"]"#, #"unwrap ["id"]"#, #"map ["id"]"#,
      ])
    #expect(
      context.drawing
        == "Base(1)\nBase(3)\nTrimmed(2) size=1\nBox(1) content=Base(1) all=[Base(1), Base(3), Trimmed(2)]")
  }

  @Test("I7: if no entity is chosen, the identity is read ahead, but each value transformer is called once")
  func readAhead() throws {
    let log = Log()
    var registry = Self.registry(log)
    registry.registerValueTransformer(named: "ID") { (text: String) in
      log.note("id \(text)")
      return Int(text)
    }
    let context = try Fixture.context(
      """
      "Base": {
        "identityAttributes": "id", "entityMapper": {"JSONKeyPath": "kind", "entities": {"sub": "Sub"}},
        "attributes": {
          "id": {"type": "integer64", "JSONTransformerName": "ID"},
          "name": {"type": "string", "optional": true, "JSONTransformerName": "Log"}
        }
      },
      "Sub": {"parent": "Base", "attributes": {"size": {"type": "integer16", "optional": true}}}
      """, transformers: registry)
    try objects(
      ofEntity: "Base", fromJSON: #"[{"id": "1", "kind": "sub"}, {"name": "n", "id": "1", "size": 3}]"#, in: context)
    #expect(log.lines == ["id 1", "id 1", "value n"])
    #expect(context.drawing == #"Sub(1) name="n" size=3"#)
  }

  @Test("I7: a mapper that returns an entity outside the hierarchy causes an error that lists the hierarchy's entities")
  func wrongAnswers() throws {
    let context = try Fixture.context(Self.closures, transformers: Self.registry(Log()))
    #expect(
      refusals(
        #"[1️⃣{"id": 1, "entity": "Other"}, 2️⃣{"id": 2, "entity": "Nothing"}, 3️⃣{"wrapped": {"id": 3, "entity": "trimmed"}}]"#,
        of: "Base", in: context, withNotes: true) == [
          "1️⃣ error: the entity mapper 'Map' chose \"Other\", which is not 'Base' or a sub-entity of it: expected one of 'Base', 'Plain', 'Trimmed' (at $[0])",
          "  m.json:2:1: note: 'Base' is declared here",
          "2️⃣ error: the entity mapper 'Map' chose \"Nothing\", which is not 'Base' or a sub-entity of it: expected one of 'Base', 'Plain', 'Trimmed' (at $[1])",
          "  m.json:2:1: note: 'Base' is declared here",
          "3️⃣ error: the entity mapper 'Map' chose \"trimmed\", which is not 'Base' or a sub-entity of it: expected one of 'Base', 'Plain', 'Trimmed' (at $[2])",
          "  m.json:2:1: note: 'Base' is declared here",
        ])
    #expect(
      refusals(#"[1️⃣{"id": 1, "entity": "Base"}]"#, of: "Plain", in: context) == [
        "1️⃣ error: the entity mapper 'Map' chose \"Base\", which is not 'Plain' or a sub-entity of it: expected 'Plain' (at $[0])"
      ])
  }

  @Test("I7: a transformed dictionary is validated like the payload, with the original's location")
  func faultsInside() throws {
    let context = try Fixture.context(Self.closures, transformers: Self.registry(Log()))
    #expect(
      refusals(#"[{"id": 1}, 1️⃣{"wrapped": {"id": "x", "name": 5}}, {"id": 2, "name": 2️⃣6}]"#, of: "Base", in: context)
        == [
          "1️⃣ error: expected an integer for 'Base.id', found the string \"x\" (at $[1])",
          "1️⃣ error: expected a string for 'Base.name', found the number 5 (at $[1])",
          "2️⃣ error: expected a string for 'Base.name', found the number 6 (at $[2].name)",
        ])
  }

  // MARK: Order of properties

  private static let ordered = """
    "Owner": {
      "attributes": {"z": {"type": "string", "optional": true}},
      "relationships": {"second": {"destination": "Thing"}, "first": {"destination": "Thing"}}
    },
    "Sub": {"parent": "Owner"},
    "Thing": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": "string"}}
    """

  @Test("I15: the depth of a dictionary transformer's result is counted from the depth of the original")
  func transformedDepth() throws {
    var registry = TransformerRegistry.standard
    registry.registerDictionaryTransformer(named: "Wrap") { ["tree": [[$0["tree"]]]] }
    let context = try Fixture.context(
      #""Leaf": {"JSONDictionaryTransformerName": "Wrap", "attributes": {"tree": "json"}}"#, transformers: registry)
    var options = ImportOptions()
    options.limits.depth = 4
    #expect(refusals(#"[{"tree": []}]"#, of: "Leaf", in: context, options: options).count == 1)
    options.limits.depth = 5
    #expect(refusals(#"[{"tree": []}]"#, of: "Leaf", in: context, options: options).isEmpty)
  }

  @Test("I7: a placeholder that a relationship narrowed also determines the entity")
  func narrowedPlaceholder() throws {
    let context = try Fixture.context(
      """
      "Base": {"identityAttributes": "id", "attributes": {"id": "integer64"}},
      "Sub": {"parent": "Base", "attributes": {"x": {"type": "integer64", "optional": true}}},
      "Pair": {"relationships": {"base": {"destination": "Base"}, "sub": {"destination": "Sub"}}}
      """)
    try objects(ofEntity: "Pair", fromJSON: #"{"base": 1, "sub": 1}"#, in: context)
    try objects(ofEntity: "Base", fromJSON: #"{"id": 1, "x": 5}"#, in: context)
    #expect(try context.find(ofEntity: "Sub", identity: 1)?["x"] as Int? == 5)
  }

  @Test("D3: if the identity determines the entity, null at the identity's key path is not replaced by an alias")
  func nullIdentityAhead() throws {
    let context = try Fixture.context(
      """
      "Base": {"identityAttributes": "id",
        "attributes": {"id": {"type": "integer64", "optional": true, "JSONKeyPathAliases": ["number"]}},
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"sub": "Sub"}}},
      "Sub": {"parent": "Base"}
      """)
    try objects(ofEntity: "Base", fromJSON: #"[{"number": 1, "kind": "sub"}]"#, in: context)
    try objects(ofEntity: "Base", fromJSON: #"[{"number": 1}]"#, in: context)
    #expect(context.drawing == "Sub(1)")
    try objects(ofEntity: "Base", fromJSON: #"[{"id": null, "number": 1}]"#, in: context)
    #expect(try context.count(ofEntity: "Base") == 2)
  }

  @Test("I7: text is read in payload order, and the later mention of an object wins")
  func payloadOrder() throws {
    for entity in ["Owner", "Sub"] {
      let context = try Fixture.context(Self.ordered)
      try object(
        ofEntity: entity, fromJSON: #"{"second": {"id": 1, "name": "s"}, "first": {"id": 1, "name": "f"}}"#, in: context
      )
      #expect(context.drawing.hasSuffix(#"Thing(1) name="f""#))
      try object(
        ofEntity: entity, fromJSON: #"{"first": {"id": 1, "name": "f"}, "second": {"id": 1, "name": "s"}}"#, in: context
      )
      #expect(context.drawing.hasSuffix(#"Thing(1) name="s""#))
    }
  }

  @Test("I7: dictionaries are read in model order, with or without sub-entities, nested or not")
  func modelOrder() throws {
    let dictionary: [String: Any] = ["first": ["id": 1, "name": "f"], "second": ["id": 1, "name": "s"]]
    let context = try Fixture.context(Self.ordered)
    try object(ofEntity: "Sub", fromJSON: dictionary, in: context)
    #expect(context.drawing.hasSuffix(#"Thing(1) name="f""#))
    try object(ofEntity: "Owner", fromJSON: dictionary, in: context)
    #expect(context.drawing.hasSuffix(#"Thing(1) name="f""#))
  }

  @Test("I7: closures receive unmapped keys at any depth, and nested objects are still read in model order")
  func wholeDictionaries() throws {
    let log = Log()
    var registry = TransformerRegistry.standard
    registry.registerEntityMapper(named: "See") { dictionary in
      log.note(JSON.object(try JSON(foundation: dictionary).objectValue ?? [:]).description)
      return nil
    }
    let context = try Fixture.context(
      """
      "Owner": {
        "entityMapperName": "See", "attributes": {"z": {"type": "string", "optional": true}},
        "relationships": {"things": {"destination": "Thing", "toMany": true}}
      },
      "Thing": {
        "identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
        "relationships": {"second": {"destination": "Thing"}, "first": {"destination": "Thing"}}
      }
      """, transformers: registry)
    let thing: [String: Any] = [
      "id": 1, "unmapped": ["x": 1], "first": ["id": 2, "name": "f"], "second": ["id": 2, "name": "s", "y": [1]],
    ]
    try object(ofEntity: "Owner", fromJSON: ["things": [thing], "other": 1], in: context)
    #expect(
      log.lines == [
        #"{"other":1,"things":[{"first":{"id":2,"name":"f"},"id":1,"second":{"id":2,"name":"s","y":[1]},"unmapped":{"x":1}}]}"#
      ])
    #expect(
      context.drawing == "Owner#1 things=[Thing(1)]\nThing(1) second=Thing(2) first=Thing(2)\nThing(2) name=\"f\"")
  }

  @Test("I7: a dictionary transformer's result is read in model order")
  func transformedOrder() throws {
    var registry = TransformerRegistry.standard
    registry.registerDictionaryTransformer(named: "Copy") { $0 }
    let context = try Fixture.context(
      Self.ordered.replacing(#""Owner": {"#, with: #""Owner": {"JSONDictionaryTransformerName": "Copy","#),
      transformers: registry)
    let text = #"{"first": {"id": 1, "name": "f"}, "second": {"id": 1, "name": "s"}}"#
    try object(ofEntity: "Sub", fromJSON: text, in: context)
    #expect(context.drawing.hasSuffix(#"Thing(1) name="f""#))
  }

  @Test("M11: the objects of keyed collections are read in model order")
  func keyedOrder() throws {
    let context = try Fixture.context(
      """
      "Owner": {
        "identityAttributes": "id", "attributes": {"id": {"type": "string", "JSONKeyPath": "@key"}},
        "relationships": {"second": {"destination": "Thing"}, "first": {"destination": "Thing"}}
      },
      "Thing": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": "string"}}
      """)
    let owner: [String: Any] = ["first": ["id": 1, "name": "f"], "second": ["id": 1, "name": "s"]]
    try objects(ofEntity: "Owner", fromJSON: ["a": owner] as [String: Any], in: context)
    #expect(context.drawing == "Owner(a) second=Thing(1) first=Thing(1)\nThing(1) name=\"f\"")
  }

  @Test("I7: an object is applied when its dictionary ends, so a nested mention of the object is applied first")
  func nestedFirst() throws {
    let context = try Fixture.context(
      """
      "Node": {
        "identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
        "relationships": {"next": {"destination": "Node"}}
      }
      """)
    try object(
      ofEntity: "Node", fromJSON: #"{"id": 1, "name": "outer", "next": {"id": 1, "name": "inner"}}"#, in: context)
    #expect(context.drawing == #"Node(1) name="outer" next=Node(1)"#)
  }

  @Test("D4: discriminators are compared by code points, so a table can list canonically equivalent values")
  func equivalentDiscriminators() throws {
    let context = try Fixture.context(
      #"""
      "M": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "abstract": true,
        "entityMapper": {"JSONKeyPath": "type", "entities": {"\#u{E9}": "A", "e\#u{301}": "B"}}},
      "A": {"parent": "M"}, "B": {"parent": "M"}
      """#)
    let text = "[{\"type\":\"\u{E9}\",\"id\":1},{\"type\":\"e\u{301}\",\"id\":2}]"
    try context.load(text, "M")
    #expect(try context.count(ofEntity: "A") == 1 && context.count(ofEntity: "B") == 1)
    #expect(try Array(context.exported("M").utf8) == Array(text.utf8))
    #expect(try context.importJSON(context.exported("M"), ofEntity: "M").unchanged == ["A": 1, "B": 1])
  }
}
