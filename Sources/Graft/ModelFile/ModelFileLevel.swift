/// The kinds of objects in a model file, and the keys that are legal in each (M2, M3, M4, M6).
package enum ModelFileLevel: String, Sendable, CaseIterable {
  case model, entity, mapper, attribute, relationship

  /// The legal keys, in the order in which the formatter writes them.
  package var keys: [ModelFileKey] {
    switch self {
    case .model: [.schema, .name, .version, .doc, .keyStrategy, .entities, .userInfo]
    case .entity:
      [
        .doc, .parent, .abstract, .class, .identityAttributes, .identityAttribute, .entityMapperName, .entityMapper,
        .JSONDictionaryTransformerName, .attributes, .relationships, .userInfo,
      ]
    case .mapper: [.doc, .JSONKeyPath, .entities]
    case .attribute:
      [
        .doc, .type, .optional, .default, .JSONKeyPath, .JSONKeyPathAliases, .JSONTransformerName, .minimum, .maximum,
        .minLength, .maxLength, .pattern, .enum, .userInfo,
      ]
    case .relationship:
      [
        .doc, .destination, .toMany, .ordered, .inverse, .optional, .minCount, .maxCount, .deleteRule, .mergeRule,
        .unresolvedRule, .deleteOrphans, .JSONRepresentation, .JSONKeyPath, .JSONKeyPathAliases, .userInfo,
      ]
    }
  }

  /// With its article, for messages.
  var nounPhrase: String {
    switch self {
    case .model: "the model"
    case .entity: "an entity"
    case .mapper: "an entity mapper"
    case .attribute: "an attribute"
    case .relationship: "a relationship"
    }
  }

  /// The legal key that a text names; nil if there is none. Expected O(1).
  func key(_ text: String) -> ModelFileKey? {
    guard text.utf8.count <= 32 else { return nil }
    return switch self {
    case .model: Self.modelKeys[text]
    case .entity: Self.entityKeys[text]
    case .mapper: Self.mapperKeys[text]
    case .attribute: Self.attributeKeys[text]
    case .relationship: Self.relationshipKeys[text]
    }
  }

  /// The level at which a text is a legal key, for those who wrote it in the wrong place.
  static func home(of text: String) -> ModelFileLevel? {
    allCases.first { $0.key(text) != nil }
  }

  private static let modelKeys = table(.model)
  private static let entityKeys = table(.entity)
  private static let mapperKeys = table(.mapper)
  private static let attributeKeys = table(.attribute)
  private static let relationshipKeys = table(.relationship)

  private static func table(_ level: Self) -> [String: ModelFileKey] {
    Dictionary(uniqueKeysWithValues: level.keys.map { ($0.rawValue, $0) })
  }
}
