import Foundation
import Graft
import Testing

@Suite("graft explain") struct ExplainTests {
  static let models =
    (try? FileManager.default.contentsOfDirectory(atPath: Invocation.root.appendingPathComponent("Models").path))?
    .filter { $0.hasSuffix(".json") && !$0.hasSuffix(".schema.json") }.sorted() ?? []

  /// Returns the entity as which a printed example is imported, and the example.
  static func example(in text: String) throws -> (entityName: String, payload: String) {
    let parts = text.components(separatedBy: "\n  Example, imported as ")
    try #require(parts.count == 2, "\(text)")
    let name = parts[1].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    let lines = parts[1].split(separator: "\n").dropFirst().prefix { $0.hasPrefix("    ") }
    return (String(name), lines.joined(separator: "\n"))
  }

  @Test("The explanation of every entity of every model has an example that can be imported", arguments: models)
  func examples(name: String) throws {
    let url = Invocation.root.appendingPathComponent("Models/\(name)")
    let model = try ManagedObjectModel(contentsOf: url)
    var all: [String] = []
    for entity in model.entities {
      let graft = try Invocation(["explain", "Models/\(name)", entity.name])
      #expect(graft.output.hasPrefix("\(entity.name)\n") && graft.messages == "" && graft.status == 0)
      #expect(graft.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
      let example = try ExplainTests.example(in: graft.output)
      let context = ManagedObjectContext(model: model)
      let report = try context.importJSON(example.payload, ofEntity: example.entityName)
      #expect(!report.inserted.isEmpty)
      all.append(graft.output)
    }
    #expect(try Invocation(["explain", "Models/\(name)"]).output == all.joined(separator: "\n"))
  }

  @Test("An entity is described in words")
  func words() throws {
    let graft = try Invocation("explain Models/Comics.json Publisher")
    #expect(
      graft.output == """
        Publisher

          Identity: 'identifier'. The object with this value is updated; if there is none, one is inserted.
          An identifier is the bare value: "1".

          identifier
            In JSON it is "id". Type 'integer64', required; the transformer 'StringToInteger' makes it from
            a string. null is refused. Absent: no object is found; a new object is refused.

          name
            In JSON it is "name". Type 'string', required: JSON holds a string. null is refused. Absent: it
            stays as it is; a new object is refused.

          foundedIn
            In JSON it is "founded". Type 'integer16', optional: JSON holds an integer. Allowed: at least
            1800. null sets nil. Absent: it stays as it is; in a new object it is nil.

          website
            In JSON it is "website". Type 'uri', optional: JSON holds a URI. null sets nil. Absent: it stays
            as it is; in a new object it is nil.

          heroes
            In JSON it is "heroes". To many 'Hero', unordered, optional. Its inverse is 'Hero.publisher';
            both sides always agree. JSON holds an array of objects, identifiers, or both; it replaces the
            existing objects. An unknown identifier creates a placeholder. null empties it. Absent: it stays
            as it is; in a new object it is empty. Exports write identifiers. The object cannot be deleted
            while it has related objects.

          Example, imported as Publisher:

            {
              "id": "1",
              "name": "name",
              "founded": 1801,
              "website": "https://example.org/1",
              "heroes": [
                "2"
              ]
            }

        """)
  }

  @Test("Sub-entities are explained with the key that selects them")
  func inheritance() throws {
    let words = try Invocation("explain Models/Messages.json Message").output.split(whereSeparator: \.isWhitespace)
    let text = words.joined(separator: " ")
    #expect(text.contains("Abstract: each object belongs to a sub-entity."))
    #expect(text.contains("Sub-entities: 'TextMessage', 'ImageMessage' and 'LocationMessage'."))
    #expect(try Invocation("explain Models/Messages.json TextMessage").output.contains("A sub-entity of 'Message'"))
  }

  @Test("M12: an identity inside an owner is explained, with a payload that can be imported")
  func owners() throws {
    let model =
      #"{"keyStrategy": "sameName", "entities": {"Order": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "#
      + #""relationships": {"lines": {"destination": "Line", "toMany": true, "inverse": "order"}}}, "Line": {"#
      + #""identityAttributes": ["order", "n"], "attributes": {"n": {"type": "integer32", "JSONKeyPath": "@index"}}, "#
      + #""relationships": {"order": {"destination": "Order", "inverse": "lines"}}}}}"#
    let words = try Invocation("explain - Line", input: model).output.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    #expect(words.contains("Identity: 'order' and 'n'.") || words.contains("Identity: order and n."))
    #expect(words.contains("Objects nested in 'Order.lines' have the object that contains them as their 'order'"))
    #expect(words.contains("An identifier is an array of the values, in this order: [1,1]."))
    #expect(words.contains("the position of the object in its array, from 0 ('@index')"))
  }

  @Test("M15: a mapper's fallback is explained")
  func fallback() throws {
    func explain(_ otherwise: String) throws -> String {
      let model =
        #"{"entities": {"A": {"entityMapper": {"JSONKeyPath": "k", "entities": {"b": "B"}, "otherwise": \#(otherwise)}}, "#
        + #""B": {"parent": "A", "attributes": {"k": {"type": "string", "JSONKeyPath": "k"}}}}}"#
      return try Invocation("explain - A", input: model).output.split(whereSeparator: \.isWhitespace)
        .joined(separator: " ")
    }
    #expect(try explain("\"B\"").contains(#""b" means 'B'. Any other value means 'B'."#))
    #expect(try explain("null").contains("An object with any other value is skipped, with a warning."))
  }

  @Test("M17: synchronization keys are explained")
  func synchronization() throws {
    let model = #"""
      {"entities": {"A": {
        "identityAttributes": "id", "modificationAttribute": "v", "deletedWhen": {"JSONKeyPath": "state", "equals": "gone"},
        "attributes": {"id": {"type": "integer64", "JSONKeyPath": "id"}, "v": {"type": "date", "JSONKeyPath": "v"}}}}}
      """#
    let words = try Invocation("explain - A", input: model).output.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    #expect(
      words.contains(
        "An object in JSON is skipped, with everything in it, if its 'v' is not newer than the stored value. An object in JSON whose 'state' is \"gone\" deletes the stored object, and is not inserted."
      ))
  }

  @Test("If there are several identity attributes, the explained identifier is an array")
  func identifier() throws {
    let words = try Invocation("explain Models/Cards.json Card").output.split(whereSeparator: \.isWhitespace)
    #expect(words.joined(separator: " ").contains(#"an array of the values, in this order: ["ABC",1]."#))
  }

  @Test("If there is no example, the explanation gives the reason")
  func noExample() throws {
    func explain(_ attribute: String) throws -> String {
      let graft = try Invocation(
        "explain -", input: #"{"entities": {"A": {"attributes": {"a": {"JSONKeyPath": "a", \#(attribute)}}}}}"#)
      #expect(graft.messages == "" && graft.status == 0)
      return graft.output
    }
    let pattern = try explain(#""type": "string", "pattern": "a^b""#)
    #expect(
      pattern.hasSuffix("\n  No example: no value was found for 'A.a' that matches the pattern a^b.\n"))
    let optional = try explain(#""type": "string", "optional": true, "pattern": "a^b""#)
    #expect(optional.contains("\n  Example, imported as A:\n\n    {}\n\n  'a' is left out: "))
    #expect(
      try explain(#""type": "string", "JSONTransformerName": "Own""#).contains("\n  No example: the model names "))
  }

  @Test("A model with errors is not explained; its errors are shown instead")
  func errors() throws {
    let graft = try Invocation("explain -", input: #"{"entities": {"A": {"parent": "B"}}}"#)
    #expect(graft.output == "" && graft.status == 1)
    #expect(graft.messages.hasSuffix("\n1 error in the model; nothing is explained\n"))
    #expect(try Invocation("explain Models/None.json").status == 3)
  }

  @Test("M16: the explanation states the direction, and the example contains only imported properties")
  func directions() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "m.json",
      #"""
      {"entities": {"Hero": {"identityAttributes": "id", "attributes": {
        "id": {"type": "integer64", "JSONKeyPath": "id"},
        "secret": {"type": "string", "optional": true, "JSONKeyPath": "secret", "JSONDirection": "import"},
        "origin": {"type": "string", "default": "app", "JSONKeyPath": "origin", "JSONDirection": "export"}}}}}
      """#)
    let text = try Invocation(["explain", model, "Hero"]).output
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains(#"In JSON it is "secret". Exports omit it. Type 'string', optional"#), "\(text)")
    #expect(
      words.contains(#"In JSON it is "origin". Exports write it, and imports ignore it. Type 'string', required."#))
    let example = try ExplainTests.example(in: text).payload
    #expect(example.contains("\"secret\"") && !example.contains("\"origin\""))
  }

  @Test("M19: the explanation names the containing object, and the example includes it")
  func surroundings() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "m.json",
      #"""
      {"entities": {
        "Order": {"identityAttributes": "id", "attributes": {"id": {"type": "integer64", "JSONKeyPath": "id"}},
          "relationships": {"lines": {"destination": "Line", "toMany": true, "JSONKeyPath": "lines"}}},
        "Line": {"identityAttributes": "sku", "attributes": {
          "sku": {"type": "string", "JSONKeyPath": "sku"},
          "order": {"type": "integer64", "JSONKeyPath": "@parent.id"},
          "page": {"type": "integer64", "JSONKeyPath": "page", "JSONKeyPathAliases": ["@root.meta.page"]},
          "time": {"type": "integer64", "JSONKeyPath": "@root.meta.time"}},
          "relationships": {"user": {"destination": "User", "optional": false, "JSONKeyPath": "@parent.user"}}},
        "User": {"identityAttributes": "name", "attributes": {"name": {"type": "string", "JSONKeyPath": "name"}}}}}
      """#)
    let text = try Invocation(["explain", model, "Line"]).output
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words.contains(
        #"In JSON it is "id" in the object that contains this one ('@parent'). Exports omit it. Type 'integer64', required"#
      ), "\(text)")
    #expect(
      words.contains(
        #"it is read from "page" in "meta" in the whole document ('@root'); exports write only the first."#))
    #expect(
      words.contains("To one 'User', required. JSON holds an identifier. An unknown identifier creates a placeholder."))
    #expect(words.contains("Example, imported as Order, which contains Line:"), "\(text)")
    let example = try ExplainTests.example(in: text).payload
    #expect(
      example.filter { !$0.isWhitespace }
        == #"{"id":1,"lines":[{"sku":"sku2","page":1}],"user":"name3","meta":{"time":1}}"#, "\(example)")
  }
}
