/// An entity, compiled: what the import, the export and the context need to know of it, with every name resolved.
final class EntityPlan {
  let index: Int
  let name: String
  let description: EntityDescription
  let parent: EntityPlan?
  let properties: [PropertyPlan]
  /// By name; canonically equivalent names are told apart by nobody in Swift, so neither here.
  let slotNumbers: [String: Int]
  /// The slots of the identity, in the order of `identityAttributes`; empty: no identity.
  let identitySlots: [Int]
  /// The registered mapper and dictionary transformer that count for this entity, inherited or its own.
  let mapper: MapperPlan?
  let dictionaryTransformer: DictionaryTransformerPlan?
  /// Slots whose values have rules beyond being there, with the rules.
  var rules: [SlotRules] = []
  /// What a program asks of whole objects.
  var validations: [ObjectValidation] = []
  /// Values of slots on insert.
  var defaults: [(slot: Int, cell: Cell)] = []
  /// The fields of a slot: its key path, then its aliases.
  var fieldsOfSlot: [Int: [Int]] = [:]
  /// The entities that are this one or inherit from it.
  var concreteAndSubentities: [Int] = []

  init(
    index: Int, description: EntityDescription, parent: EntityPlan?, properties: [PropertyPlan], identitySlots: [Int],
    mapper: MapperPlan?, dictionaryTransformer: DictionaryTransformerPlan?
  ) {
    self.index = index
    self.name = description.name
    self.description = description
    self.parent = parent
    self.properties = properties
    self.identitySlots = identitySlots
    self.mapper = mapper
    self.dictionaryTransformer = dictionaryTransformer
    slotNumbers = Dictionary(
      properties.indices.map { (properties[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The key paths of the declarative mappers that may have chosen the entity, its own and those of its ancestors.
  var discriminators: [JSONKeyPath] {
    sequence(first: self, next: \.parent).compactMap {
      if case .table(let path, _) = $0.mapper { path } else { nil }
    }
  }

  /// Whether this entity is the other one or inherits from it.
  func inherits(from other: EntityPlan) -> Bool {
    var entity: EntityPlan? = self
    while let candidate = entity {
      if candidate === other { return true }
      entity = candidate.parent
    }
    return false
  }
}

/// A property of an entity with what the description says about it. A class: sub-entities share it, and descriptions are
/// large to copy.
final class PropertyPlan {
  enum Description {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)
  }

  let name: String
  let description: Description
  /// The entity that declares it, for messages.
  let declaringEntity: String
  /// The value transformer, where the attribute names one.
  let transformer: ValueTransformer?
  let keyPath: JSONKeyPath?
  let isOptional: Bool

  init(_ attribute: AttributeDescription, of entity: String, transformer: ValueTransformer?) {
    name = attribute.name
    description = .attribute(attribute)
    declaringEntity = entity
    self.transformer = transformer
    keyPath = attribute.keyPath
    isOptional = attribute.isOptional
  }

  init(_ relationship: RelationshipDescription, of entity: String) {
    name = relationship.name
    description = .relationship(relationship)
    declaringEntity = entity
    transformer = nil
    keyPath = relationship.keyPath
    isOptional = relationship.isOptional
  }

  var attribute: AttributeDescription? {
    if case .attribute(let attribute) = description { return attribute }
    return nil
  }
  var relationship: RelationshipDescription? {
    if case .relationship(let relationship) = description { return relationship }
    return nil
  }
  var source: DescriptionSource {
    switch description {
    case .attribute(let attribute): attribute.source
    case .relationship(let relationship): relationship.source
    }
  }
  var keyPathAliases: [JSONKeyPath] { attribute?.keyPathAliases ?? relationship?.keyPathAliases ?? [] }
}

/// How an entity mapper answers.
enum MapperPlan {
  case closure(name: String, TransformerRegistry.EntityMapper)
  /// The discriminator's key path, and the entity for each value, as JSON text or string.
  case table(keyPath: JSONKeyPath, entities: [String: Int])
}

/// A dictionary transformer with its name.
struct DictionaryTransformerPlan {
  var name: String
  /// The entity that declares it, which its sub-entities inherit it from.
  var owner: Int
  var transform: TransformerRegistry.DictionaryTransformer
}

/// What a slot's value must meet at the end of an import (I9).
struct SlotRules {
  var slot: Int
  var minimum: AttributeValue?
  var maximum: AttributeValue?
  var minLength: Int?
  var maxLength: Int?
  var pattern: TextPattern?
  var allowedValues: [AttributeValue]?
  var minCount: Int?
  var maxCount: Int?
  /// What a program asks of the values, beyond the words of the model.
  var validations: [ValueValidation] = []
}
