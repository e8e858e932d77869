import Foundation
import Graft
import GraftTestSupport
import GraftTools
import Testing

/// Lists of values in the program's commands (M13).
@Suite("Typed lists in the program") struct TypedListTests {
  private static let model = """
    {"entities": {"Card": {"identityAttributes": "id", "attributes": {
      "id": {"type": "integer64", "JSONKeyPath": "id"},
      "tags": {"type": "string", "list": true, "JSONKeyPath": "tags", "maxLength": 9, "minCount": 2},
      "ranks": {"type": "string", "list": true, "optional": true, "JSONKeyPath": "ranks", "enum": ["low", "high"]},
      "times": {"type": "date", "list": true, "optional": true, "JSONKeyPath": "times", "JSONTransformerName": "UnixTime"}
    }}}}
    """

  private func folder() throws -> (TemporaryFolder, model: String) {
    let folder = try TemporaryFolder()
    return (folder, try folder.file("Cards.json", Self.model))
  }

  @Test("graft explain describes a list, and the example that it prints can be imported")
  func explain() throws {
    let (folder, model) = try folder()
    defer { withExtendedLifetime(folder) {} }
    let graft = try Invocation(["explain", model, "Card"])
    let words = graft.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words.contains(
        "A list of type 'string', required: JSON holds an array, and each element is a string. Allowed: at least 2 elements. "
          + "Allowed for each element: at most 9 characters."))
    #expect(words.contains("the transformer 'UnixTime' makes each element from a number"))
    let example = try ExplainTests.example(in: graft.output)
    let context = ManagedObjectContext(model: try ManagedObjectModel(text: Self.model))
    #expect(try context.importJSON(example.payload, ofEntity: example.entityName).inserted == ["Card": 1])
  }

  @Test("graft generate writes array types, and diagrams show brackets")
  func generate() throws {
    let (folder, model) = try folder()
    defer { withExtendedLifetime(folder) {} }
    let classes = try Invocation(["generate", model, "--output", "-"]).output
    #expect(classes.contains("var tags: [String]? {"))
    #expect(classes.contains("var ranks: [Ranks]? {"))
    #expect(classes.contains("/// Required, list of string;"))
    #expect(classes.contains(#""ranks: [string]? [\"low\",\"high\"]""#))
    #expect(try Invocation(["diagram", model]).output.contains("[date]"))
  }

  @Test("graft diff compares the element types of arrays")
  func diff() throws {
    let (folder, model) = try folder()
    func changes(_ from: String, _ to: String) throws -> String {
      let other = try folder.file("New.json", Self.model.replacing(from, with: to))
      return try Invocation(["diff", model, other]).output
    }
    #expect(
      try changes(#""string", "list": true, "optional""#, #""string", "optional""#)
        .contains("'Card.ranks' expects a string, not an array"))
    #expect(try changes(#""minCount": 2"#, #""minCount": 3"#).contains("'Card.tags' requires at least 3 elements"))
    #expect(try changes(#""enum": ["low", "high"]"#, #""enum": ["low"]"#).contains("no longer allows \"high\""))
  }

  @Test("graft import names the faulty element; the error for a condition says that a list has no order")
  func importing() throws {
    let (folder, model) = try folder()
    let payload = try folder.file("cards.json", #"[{"id": 1, "tags": ["a", 5]}]"#)
    let graft = try Invocation(["import", "--model", model, "Card=\(payload)"])
    #expect(graft.status == 1 && graft.messages.contains("at $[0].tags[1]"))
    let good = try folder.file("good.json", #"[{"id": 1, "tags": ["a", "b"]}]"#)
    let store = folder.path("cards.graft")
    #expect(try Invocation(["import", "--model", model, "--store", store, "Card=\(good)"]).status == 0)
    #expect(try Invocation(["export", "--store", store, "Card"]).output.contains(#""tags":["a","b"]"#))
    let export = try Invocation(["export", "--store", store, "Card", "--where", "tags = 'a'"])
    #expect(export.status != 0 && export.messages.contains("'tags' is a list, which can only be compared with null"))
    #expect(
      try Invocation(["export", "--store", store, "Card", "--where", "ranks = null"]).output.contains(#""id":1"#))
    #expect(try Invocation(["store", "verify", store]).status == 0)
    // The elements are unchanged if the new type is wider.
    let wider = try folder.file(
      "Wider.json", Self.model.replacing(#""string", "list": true, "J"#, with: #""json", "list": true, "J"#))
    #expect(try Invocation(["store", "migrate", store, "--model", wider, "--plan"]).status != 0)
    let json = try folder.file(
      "JSON.json",
      Self.model.replacing(
        #""string", "list": true, "JSONKeyPath": "tags", "maxLength": 9, "minCount": 2"#,
        with: #""json", "JSONKeyPath": "tags""#))
    #expect(try Invocation(["store", "migrate", store, "--model", json]).status == 0)
    #expect(try Invocation(["export", "--store", store, "Card"]).output.contains(#""tags":["a","b"]"#))
  }

  @Test("A payload schema describes the elements of lists", .enabled(if: SchemaValidator.isInstalled))
  func schema() throws {
    let model = try ManagedObjectModel(text: Self.model)
    let schema = PayloadSchema(model.contents, direction: .import).json(of: try #require(model.entity(named: "Card")))
    let payloads: [(String, isValid: Bool)] = [
      (#"[{"id": 1, "tags": ["a", "b"], "ranks": ["low"], "times": [1]}]"#, true),
      (#"[{"id": 1, "tags": ["a", "b"], "ranks": null}]"#, true), (#"[{"id": 1, "tags": ["a"]}]"#, false),
      (#"[{"id": 1, "tags": ["a", 5]}]"#, false), (#"[{"id": 1, "tags": "a"}]"#, false),
      (#"[{"id": 1, "tags": ["a", "b"], "ranks": ["odd"]}]"#, false),
      (#"[{"id": 1, "tags": ["a", "b"], "ranks": [null]}]"#, false),
    ]
    for (payload, isValid) in payloads {
      let json = try JSON(parsing: Array(payload.utf8))
      let faults = try SchemaValidator.faults([["name": "x", "schema": schema, "payload": json]])
      #expect(faults.isEmpty == isValid, "\(payload): \(faults)")
      let report = try? ManagedObjectContext(model: model).importJSON(payload, ofEntity: "Card")
      #expect((report != nil) == isValid, "\(payload)")
    }
  }
}
