import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Dictionaries produce the same graph as text") struct DictionaryFormTests {
  private func dictionaries(_ text: String) throws -> [Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Any])
  }

  /// Imports the same payload as text and as dictionaries, and returns the dumps of both graphs.
  private func dumps(_ text: String, _ entity: String, _ model: String) throws -> (text: String, dictionaries: String) {
    let (first, second) = (try Fixture.context(model), try Fixture.context(model))
    try first.load(text, entity)
    try objects(ofEntity: entity, fromJSON: try dictionaries(text), in: second)
    return (first.dumpText, second.dumpText)
  }

  @Test("D14, M11: a keyed to-many from a dictionary keeps all elements, even if a key is also a property's name")
  func keyedElementNamedLikeProperty() throws {
    let model = #"""
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"powers": {"destination": "Power", "toMany": true}}},
      "Power": {"identityAttributes": "id", "attributes": {
        "id": {"type": "string", "JSONKeyPath": "id", "JSONKeyPathAliases": ["@key"]},
        "name": {"type": "string", "optional": true}}}
      """#
    let (text, other) = try dumps(
      #"[{"id": 1, "powers": {"name": {"name": "N"}, "x": {"name": "X"}, "y": {}}}]"#, "Hero", model)
    #expect(text.contains("Power(x)") && text.contains("Power(y)"))
    #expect(other == text)
  }

  @Test(
    "D14, M22: a lenient to-one from a dictionary reads one object, even if its entity has '@key'",
    arguments: [
      #"[{"id": 1, "best": {"id": 4, "info": {"a": 1, "b": [2]}}}]"#,
      #"[{"id": 1, "best": {"id": 4, "maker": {"id": 7, "title": "M"}}}]"#,
    ])
  func lenientToOneOfKeyedEntity(payload: String) throws {
    let model = #"""
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"best": {"destination": "Power", "lenient": true}, "powers": {"destination": "Power", "toMany": true}}},
      "Power": {"identityAttributes": "id", "attributes": {
          "id": "integer64", "name": {"type": "string", "optional": true, "JSONKeyPath": "@key"},
          "info": {"type": "json", "optional": true}},
        "relationships": {"maker": {"destination": "Maker"}}},
      "Maker": {"identityAttributes": "id",
        "attributes": {"id": "integer64", "title": {"type": "string", "optional": true}}}
      """#
    let (text, other) = try dumps(payload, "Hero", model)
    #expect(other == text)
  }

  @Test("D14, M22: a single element with the unmapped key 0 is read from a dictionary as it is from text")
  func elementWithUnmappedZero() throws {
    let model = #"""
      "A": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"many": {"destination": "B", "toMany": true, "lenient": true}}},
      "B": {"identityAttributes": "id", "attributes": {"id": "integer64"}}
      """#
    let (text, other) = try dumps(#"[{"id": 1, "many": {"id": 4, "0": "x"}}]"#, "A", model)
    #expect(text.contains("B(4)") && other == text)
  }

  private static let orderedItems = #"""
    "Repo": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
      "issues": {"destination": "Issue", "toMany": true, "ordered": true, "JSONKeyPath": "issues.edges[].node", "JSONDirection": "import"}}},
    "Issue": {"identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {"z": {"destination": "Item"}, "a": {"destination": "Item"}}},
    "Item": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": "string"}}
    """#

  @Test("I7, M25: objects on a key path through arrays are read from dictionaries in model order")
  func spreadInModelOrder() throws {
    let context = try Fixture.context(Self.orderedItems)
    // The model has "z" before "a", so the name in "a" is the later mention and wins.
    let node = #"{"id": 2, "z": {"id": 5, "name": "Z"}, "a": {"id": 5, "name": "A"}}"#
    try objects(
      ofEntity: "Repo", fromJSON: try dictionaries(#"[{"id": 1, "issues": {"edges": [{"node": \#(node)}]}}]"#),
      in: context)
    #expect(try context.fetch(ofEntity: "Item").map { $0["name"] as String? } == ["A"])
  }

  @Test("I7, M25: objects at an 'at:' path through arrays are read from dictionaries in model order")
  func rootSpreadInModelOrder() throws {
    let context = try Fixture.context(Self.orderedItems)
    let issue: [String: Any] = [
      "id": 2, "z": ["id": 5, "name": "Z"] as [String: Any], "a": ["id": 5, "name": "A"] as [String: Any],
    ]
    let document: [String: Any] = ["data": [["issue": issue] as [String: Any]] as [Any]]
    try objects(ofEntity: "Issue", fromJSON: document, in: context, at: "data[].issue")
    #expect(try context.fetch(ofEntity: "Item").map { $0["name"] as String? } == ["A"])
  }
}
