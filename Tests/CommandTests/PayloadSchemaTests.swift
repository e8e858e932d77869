import Foundation
import Graft
import GraftTestSupport
import GraftTools
import Testing

@Suite("graft schema --payload", .enabled(if: SchemaValidator.isInstalled)) struct PayloadSchemaTests {
  @Test(
    "Faulty payloads are not valid",
    arguments: [
      #"true"#, #"{"id": "x"}"#, #"[{"id": 40000}]"#, #"{"id": 1, "image": 5}"#, #"{"id": 1, "image": {"url": 5}}"#,
      #"{"id": 1, "kind": "none"}"#, #"{"id": 1, "kind": "rare", "power": "high"}"#, #"{"id": 1, "name": ""}"#,
      #"{"id": 1, "parts": {}}"#, #"{"id": 1, "parts": [{}]}"#, #"{"id": 1, "parts": [{"text": null}]}"#,
      #"{"id": 1, "friend": []}"#, #"{"id": 1, "friend": "x"}"#, #"{"id": 1, "code": "A1"}"#,
    ])
  func faults(payload: String) throws {
    let model = try ManagedObjectModel(text: Self.cards)
    let card = try #require(model.entity(named: "Card"))
    let json = try JSON(parsing: Array(payload.utf8))
    let schema = PayloadSchema(model.contents, direction: .import).json(of: card)
    // Both the schema and the import refuse the payload.
    #expect(try !SchemaValidator.faults([["name": "x", "schema": schema, "payload": json]]).isEmpty)
    #expect(throws: ImportError.self) {
      try ManagedObjectContext(model: model).importJSON(payload, ofEntity: "Card")
    }
  }

  @Test("M23: there is a schema for elements that are lists of elements of their own kind")
  func elementsOfThemselves() throws {
    let entities = [
      #""A": {"relationships": {"all": {"destination": "A", "JSONKeyPath": "@value", "toMany": true}}}"#,
      #"""
      "A": {"relationships": {"all": {"destination": "B", "JSONKeyPath": "@value", "toMany": true}}},
      "B": {"relationships": {"all": {"destination": "A", "JSONKeyPath": "@value", "toMany": true}}}
      """#,
    ]
    for entity in entities {
      let model = try ManagedObjectModel(text: "{\"entities\": {\(entity)}}")
      let context = ManagedObjectContext(model: model)
      try context.importJSON("[[[], []], [[]]]", ofEntity: "A")
      let objects = try context.fetch(ofEntity: "A").filter { ($0["all"] as RelatedObjects<ManagedObject>).count == 2 }
      for (direction, payload) in [
        (PayloadSchema.Direction.import, "[[[], []], [[]]]"), (.export, try jsonString(from: objects)),
      ] {
        let schema = PayloadSchema(model.contents, direction: direction).json(
          of: try #require(model.entity(named: "A")))
        let json = try JSON(parsing: Array(payload.utf8))
        #expect(try SchemaValidator.faults([["name": "x", "schema": schema, "payload": json]]).isEmpty, "\(payload)")
      }
    }
  }

  @Test("A collection by keys is valid if an alias reads its elements")
  func elementsOfAliases() throws {
    let model = try ManagedObjectModel(
      text: """
        {"entities": {"Price": {"identityAttributes": "name", "attributes": {
          "name": {"type": "string", "JSONKeyPath": "@key"},
          "cents": {"type": "integer32", "JSONKeyPath": "cents", "JSONKeyPathAliases": ["@value"]}}}}}
        """)
    let payload = #"{"small": 4, "large": {"cents": 5}}"#
    let context = ManagedObjectContext(model: model)
    #expect(try context.importJSON(payload, ofEntity: "Price").inserted == ["Price": 2])
    let schema = PayloadSchema(model.contents, direction: .import).json(of: try #require(model.entity(named: "Price")))
    let json = try JSON(parsing: Array(payload.utf8))
    #expect(try SchemaValidator.faults([["name": "x", "schema": schema, "payload": json]]).isEmpty)
  }

  @Test("An object of a sub-entity that is found by its alternate identity needs no identity")
  func alternateOfSubentity() throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Base": {"identityAttributes": "id", "attributes": {"id": "integer32"},
            "entityMapper": {"JSONKeyPath": "t", "entities": {"b": "Base", "c": "Child"}}},
          "Child": {"parent": "Base", "alternateIdentities": ["slug"], "attributes": {"slug": {"type": "string", "optional": true}}}}}
        """)
    let payload = #"[{"id": 1, "t": "c", "slug": "q"}, {"t": "c", "slug": "q"}]"#
    let context = ManagedObjectContext(model: model)
    #expect(try context.importJSON(payload, ofEntity: "Base").inserted == ["Child": 1])
    let schema = PayloadSchema(model.contents, direction: .import).json(of: try #require(model.entity(named: "Base")))
    let json = try JSON(parsing: Array(payload.utf8))
    #expect(try SchemaValidator.faults([["name": "x", "schema": schema, "payload": json]]).isEmpty)
  }

  private static let cards = #"""
    {
      "keyStrategy": "sameName",
      "entities": {
        "Card": {
          "identityAttributes": "id",
          "entityMapper": { "JSONKeyPath": "kind", "entities": { "common": "Card", "rare": "RareCard" } },
          "attributes": {
            "id": "integer16",
            "kind": { "type": "string", "optional": true, "enum": ["common", "rare"] },
            "name": { "type": "string", "optional": true, "minLength": 1 },
            "code": { "type": "string", "optional": true, "pattern": "^[A-Z]{2}$" },
            "url": { "type": "uri", "optional": true, "JSONKeyPath": "image.url" },
          },
          "relationships": {
            "parts": { "destination": "Part", "toMany": true, "inverse": "card" },
            "friend": { "destination": "Card" },
          },
        },
        "RareCard": { "parent": "Card", "attributes": { "power": { "type": "double", "optional": true } } },
        "Part": {
          "attributes": { "text": "string" },
          "relationships": { "card": { "destination": "Card", "inverse": "parts", "JSONKeyPath": null } },
        },
      },
    }
    """#

  /// A model, an entity, a payload in Examples/Payloads, and the keys that lead to the objects in the payload.
  static let samples: [(model: String, entity: String, payload: String, keys: [String])] = [
    ("Comics", "Hero", "comics", []), ("Comics", "Power", "powers", []), ("Messages", "Conversation", "messages", []),
    ("Posts", "Post", "posts", []), ("Twitter", "Tweet", "tweets", ["statuses"]), ("Cards", "Deck", "cards", []),
    ("GitHubEvents", "Event", "events", []), ("Timetable", "Course", "timetable", []),
  ]

  @Test("The sample payloads and their exports are valid", arguments: samples)
  func valid(model: String, entity: String, payload: String, keys: [String]) throws {
    let url = Invocation.root.appendingPathComponent("Examples/Payloads/\(payload).json")
    var json = try JSON(parsing: [UInt8](try Data(contentsOf: url)))
    for key in keys { json = try #require(json[key]) }
    func schema(_ option: String) throws -> JSON {
      let graft = try Invocation(["schema", option, "Models/\(model).json", entity])
      #expect(graft.messages == "" && graft.status == 0)
      return try JSON(parsing: Array(graft.output.utf8))
    }
    #expect(try SchemaValidator.faults([["name": "import", "schema": schema("--payload"), "payload": json]]) == [])
    let folder = try TemporaryFolder()
    let export = folder.path("export.json")
    let at = keys.isEmpty ? [] : ["--at", keys.joined(separator: ".")]
    let words = [
      "import", "--model", "Models/\(model).json", "\(entity)=\(url.path)", "--export", "\(entity)=\(export)",
    ]
    let graft = try Invocation(words + at)
    #expect(graft.status == 0, "\(graft.messages)")
    let written = try JSON(parsing: Array(folder.text("export.json").utf8))
    #expect(try SchemaValidator.faults([["name": "export", "schema": schema("--export"), "payload": written]]) == [])
  }

  @Test(
    "Usage errors are reported",
    arguments: [
      ("schema --payload", "expected MODEL ENTITY, found 0 arguments"),
      ("schema --payload Models/Comics.json", "expected MODEL ENTITY, found 1 argument"),
      ("schema --export Models/Comics.json Heros", "the model has no entity 'Heros'; did you mean 'Hero'?"),
    ])
  func usage(words: String, message: String) throws {
    let graft = try Invocation(words)
    #expect(graft.status == 2 && graft.messages.hasPrefix("graft schema: \(message)\n") && graft.output == "")
  }
}
