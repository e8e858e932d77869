import Graft

extension CostCase {
  private static let surroundingModel = #"""
    {
      "keyStrategy": "sameName",
      "entities": {
        "Page": {
          "attributes": {"id": "integer64"},
          "relationships": {"items": {"destination": "Item", "toMany": true}}
        },
        "Item": {
          "identityAttributes": "sku",
          "attributes": {
            "sku": "integer64",
            "page": {"type": "integer64", "JSONKeyPath": "@parent.id"},
            "title": {"type": "string", "optional": true, "JSONKeyPath": "@root.meta.title"}
          }
        },
        "Level": {
          "identityAttributes": "id",
          "attributes": {
            "id": "integer64",
            "above": {"type": "integer64", "optional": true, "JSONKeyPath": "@parent.id"},
            "top": {"type": "string", "optional": true, "JSONKeyPath": "@root.title"},
            "value": {"type": "json", "optional": true}
          },
          "relationships": {"child": {"destination": "Level"}, "children": {"destination": "Level", "toMany": true}}
        }
      }
    }
    """#

  /// Objects that read values that come after the objects, outside them. If each object searched for these values itself, the cost would be
  /// quadratic.
  static let surroundingCases: [CostCase] = [
    surrounding("surroundings-wide", 2_000, "Page", "Item", objects: { $0 }) { size in
      let items = (0..<size).map { #"{"sku":\#($0)}"# }.joined(separator: ",")
      return #"{"items":[\#(items)],"meta":{"title":"the title"},"id":5}"#
    },
    surrounding("surroundings-deep", 220, "Level", "Level", objects: { $0 + 1 }) { size in
      let core =
        #"{"id":-1,"value":\#(CostModel.array(size) { _ in "[" + String(repeating: "1,", count: 48) + "1]" })}"#
      return String(repeating: #"{"child":"#, count: size) + core
        + (0..<size).map { #","title":"t","id":\#($0)}"# }.joined()
    },
    surrounding("surroundings-deep-lists", 20, "Level", "Level", objects: { $0 * 170 }) { size in
      let chain = { (first: Int) in
        String(repeating: #"{"children":["#, count: 169) + #"{"id":\#(first + 169)}"#
          + (0..<169).map { #"],"id":\#(first + $0)}"# }.joined()
      }
      return "[" + (0..<size).map { chain($0 * 170) }.joined(separator: ",") + "]"
    },
  ]

  private static func surrounding(
    _ name: String, _ size: Int, _ entity: String, _ counted: String, objects: @escaping @Sendable (Int) -> Int,
    _ text: @escaping @Sendable (Int) -> String
  ) -> CostCase {
    CostCase(name, size) { size in
      let context = ManagedObjectContext(model: try ManagedObjectModel(text: surroundingModel))
      let text = text(size)
      return Work {
        try context.load(text, entity)
      } check: {
        try expectEqual(context.count(ofEntity: counted), objects(size))
      }
    }
  }
}
