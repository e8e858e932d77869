/// The kinds of objects in a model file, and the keys that are legal in each (M2, M3, M4, M6).
package enum ModelFileLevel: String, Sendable, CaseIterable {
  case model, entity, mapper, deletion, attribute, relationship, attributeMigration, relationshipMigration

  /// The legal keys with their types and meanings, in the order in which the formatter writes them.
  package var fields: [ModelFileField] {
    switch self {
    case .model: ModelFileField.ofModel
    case .entity: ModelFileField.ofEntity
    case .mapper: ModelFileField.ofMapper
    case .deletion: ModelFileField.ofDeletion
    case .attribute: ModelFileField.ofAttribute
    case .relationship: ModelFileField.ofRelationship
    case .attributeMigration: ModelFileField.ofAttributeMigration
    case .relationshipMigration: ModelFileField.ofRelationshipMigration
    }
  }

  /// The legal keys, in the order in which the formatter writes them.
  package var keys: [ModelFileKey] { fields.map(\.key) }

  /// A description of the object in a few sentences of Markdown.
  package var summary: String {
    switch self {
    case .model: "A Graft model file: the entities, how their objects are identified, and where they are in JSON."
    case .entity: "A kind of object."
    case .mapper: "Selects the sub-entity of an object in JSON by one of its values."
    case .deletion: "The value that marks an object in JSON as deleted."
    case .attribute:
      "A value of an object. `\"name\": \"string\"` is short for `\"name\": {\"type\": \"string\"}`."
    case .relationship: "The related objects of an object."
    case .attributeMigration: "Where stores of earlier versions have the values of the attribute."
    case .relationshipMigration: "Where stores of earlier versions have the values of the related object."
    }
  }

  /// The object with its article, for messages.
  package var nounPhrase: String {
    switch self {
    case .model: "the model"
    case .entity: "an entity"
    case .mapper: "an entity mapper"
    case .deletion: "a deletion mark"
    case .attribute: "an attribute"
    case .relationship: "a relationship"
    case .attributeMigration: "'migratedFrom' of an attribute"
    case .relationshipMigration: "'migratedFrom' of a relationship"
    }
  }

  /// Returns the legal key with a name, or nil if there is no such key. Expected O(1).
  func key(_ text: String) -> ModelFileKey? {
    guard text.utf8.count <= 32 else { return nil }
    return switch self {
    case .model: Self.modelKeys[text]
    case .entity: Self.entityKeys[text]
    case .mapper: Self.mapperKeys[text]
    case .deletion: Self.deletionKeys[text]
    case .attribute: Self.attributeKeys[text]
    case .relationship: Self.relationshipKeys[text]
    case .attributeMigration: Self.attributeMigrationKeys[text]
    case .relationshipMigration: Self.relationshipMigrationKeys[text]
    }
  }

  /// Returns the level at which a key is legal, for messages about a key in the wrong place.
  static func home(of text: String) -> ModelFileLevel? {
    allCases.first { $0.key(text) != nil }
  }

  private static let modelKeys = table(.model)
  private static let entityKeys = table(.entity)
  private static let mapperKeys = table(.mapper)
  private static let deletionKeys = table(.deletion)
  private static let attributeKeys = table(.attribute)
  private static let relationshipKeys = table(.relationship)
  private static let attributeMigrationKeys = table(.attributeMigration)
  private static let relationshipMigrationKeys = table(.relationshipMigration)

  private static func table(_ level: Self) -> [String: ModelFileKey] {
    Dictionary(uniqueKeysWithValues: level.keys.map { ($0.rawValue, $0) })
  }
}
