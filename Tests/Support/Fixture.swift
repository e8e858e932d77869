package import Graft

/// Short helpers that create contexts and convert objects to text.
package enum Fixture {
  /// Returns an empty context for a model with the given entities.
  ///
  ///     let context = try Fixture.context(#""Hero": {"attributes": {"name": "string"}}"#)
  ///
  /// Properties have their own names as key paths, which keeps models short.
  package static func context(
    _ entities: String, keyStrategy: String = "sameName", transformers: TransformerRegistry = .standard,
    classes: [ManagedObject.Type] = []
  ) throws -> ManagedObjectContext {
    try ManagedObjectContext(
      model: ManagedObjectModel(
        text: "{\"keyStrategy\": \"\(keyStrategy)\", \"entities\": {\n\(entities)\n}}", name: "m.json",
        transformers: transformers, classes: classes))
  }

  /// Entities for heroes, their powers and their publisher, with both sides of every relationship.
  package static let comics = #"""
    "Hero": {
      "identityAttributes": "id",
      "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
      "relationships": {
        "powers": {"destination": "Power", "toMany": true, "inverse": "heroes"},
        "publisher": {"destination": "Publisher", "inverse": "heroes"}
      }
    },
    "Power": {
      "identityAttributes": "id",
      "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
      "relationships": {
        "heroes": {"destination": "Hero", "toMany": true, "inverse": "powers", "JSONKeyPath": null}
      }
    },
    "Publisher": {
      "identityAttributes": "id",
      "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
      "relationships": {
        "heroes": {"destination": "Hero", "toMany": true, "inverse": "publisher", "JSONKeyPath": null}
      }
    }
    """#
}

extension ManagedObjectContext {
  /// Imports JSON text as objects of an entity.
  @discardableResult
  package func load(_ text: String, _ entity: String) throws -> [ManagedObject] {
    try objects(ofEntity: entity, fromJSON: text)
  }

  /// The dump of the whole graph as text.
  package var dumpText: String { String(decoding: dumpBytes(), as: UTF8.self) }

  /// Exports an object as JSON text.
  package func text(_ object: ManagedObject?, _ options: ExportOptions = ExportOptions()) throws -> String {
    guard let object else { return "none" }
    return String(decoding: try jsonData(from: object, options: options), as: UTF8.self)
  }

  /// Exports all objects of an entity as JSON text, sorted by identity.
  package func exported(_ entity: String, _ options: ExportOptions = ExportOptions()) throws -> String {
    String(decoding: try exportAll(of: entity, options: options), as: UTF8.self)
  }
}
