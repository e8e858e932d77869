/// A compiled entity: everything that imports, exports and contexts need to know about it, with all names resolved.
final class EntityPlan {
  let index: Int
  let name: String
  let description: EntityDescription
  let parent: EntityPlan?
  let properties: [PropertyPlan]
  /// The slots by name. Swift treats canonically equivalent names as equal, and so does this dictionary.
  let slotNumbers: [String: Int]
  /// The slots of the identity, in the order of `identityAttributes`. Empty if there is no identity.
  let identitySlots: [Int]
  /// The slots of the relationships to owners that are part of the identity (M12).
  let ownerSlots: [Int]
  /// The alternate identities that the entity declares or inherits, each with the entity that declares it (M27).
  let alternates: [AlternateIdentity]
  /// The slots of to-many relationships that payloads contain, and for which a model file does not declare whether they are
  /// ordered.
  let slotsOfUndeclaredOrder: [Int]
  /// The registered mapper and dictionary transformer of this entity, inherited or its own.
  let mapper: MapperPlan?
  let dictionaryTransformer: DictionaryTransformerPlan?
  /// The treatment of dictionaries whose discriminator the table of ``mapper`` does not list (M15).
  var fallback: MapperFallback?
  /// The synchronization keys, if the entity has any (M17).
  private(set) lazy var synchronization = SynchronizationPlan(self)
  /// The slots whose values have constraints other than being required, with the constraints.
  var rules: [SlotRules] = []
  /// The registered validations of whole objects.
  var validations: [ObjectValidation] = []
  /// The default values of slots.
  var defaults: [(slot: Int, cell: Cell)] = []
  /// The keys that are read.
  var fields = EntityFields()
  /// The values that the entity's objects read from their surroundings, and the values that objects inside them read from the entity's
  /// objects.
  var surroundings = SurroundingPaths()
  /// The entities of the objects that are read from the same dictionary (M23).
  var sharingEntities: [Int] = []
  /// The key paths that the objects of `sharingEntities` read.
  var sharedPaths: [JSONKeyPath] = []
  /// Whether any attribute of the model is sensitive (M29).
  var hidesValues = false
  /// Whether the names of the entity's objects hide their identity (M29).
  var hidesIdentity = false
  /// This entity and the entities that inherit from it.
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
    alternates =
      (parent?.alternates ?? [])
      + description.alternateIdentities.enumerated().map { number, names in
        AlternateIdentity(
          owner: index, number: number,
          slots: names.properties.compactMap { name in properties.firstIndex { $0.name == name } })
      }.sorted { UTF8Key.precedes($0.names(in: properties), $1.names(in: properties)) }
    ownerSlots = identitySlots.filter { properties[$0].relationship != nil }
    self.mapper = mapper
    self.dictionaryTransformer = dictionaryTransformer
    slotsOfUndeclaredOrder = properties.indices.filter { slot in
      guard let relationship = properties[slot].relationship, properties[slot].keyPath != nil else { return false }
      let source = relationship.source
      return relationship.isToMany && !relationship.isOrdered && source[.toMany] != nil && source[.ordered] == nil
    }
    slotNumbers = Dictionary(
      properties.indices.map { (properties[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The key paths of the declarative mappers that can choose the entity: the entity's own mapper and those of its ancestors.
  var discriminators: [JSONKeyPath] {
    sequence(first: self, next: \.parent).compactMap {
      if case .table(let path, _) = $0.mapper { path } else { nil }
    }
  }

  /// Returns whether this is the given entity, or inherits from it.
  func inherits(from other: EntityPlan) -> Bool {
    var entity: EntityPlan? = self
    while let candidate = entity {
      if candidate === other { return true }
      entity = candidate.parent
    }
    return false
  }
}

/// Properties whose values are unique to each object (M27).
struct AlternateIdentity {
  /// The entity that declares the alternate identity, and the position of the alternate identity in that entity.
  var owner: Int
  var number: Int
  var slots: [Int]

  /// Returns the names of the properties. The alternate identities of an entity are sorted by these names.
  func names(in properties: [PropertyPlan]) -> String { slots.map { properties[$0].name }.joined(separator: ",") }
}

/// A property of an entity with its description. This is a class because sub-entities share it, and because descriptions are expensive to
/// copy.
final class PropertyPlan {
  enum Description {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)
  }

  let name: String
  let description: Description
  /// The name of the entity that declares the property, for messages.
  let declaringEntity: String
  /// The value transformer, if the property names one: of an attribute's values, or of a relationship's identifiers (M26).
  let transformer: ValueTransformer?
  /// The separator of a list that JSON holds as one string (T8).
  let separator: String?
  /// The key path that the model declares, regardless of the property's direction.
  let keyPath: JSONKeyPath?
  let direction: JSONDirection
  let isOptional: Bool
  /// Whether the property's values or identifiers are hidden (M29).
  var isSensitive = false
  /// The way in which exports write an attribute's value.
  let writing: ExportStep.Writing

  /// Whether exports write the property's values with the reverse of a transformer.
  var isReversed: Bool {
    guard let transformer, let attribute else { return false }
    return transformer.reverse != nil && !transformer.keepsText(of: attribute.type)
  }

  /// Whether the property is the `@value`, whose object is read from the same dictionary (M23).
  var isShared: Bool { exportedKeyPath?.isElementValue == true && relationship?.isToMany == false }

  init(
    _ attribute: AttributeDescription, of entity: String, nulls: [JSON], transformer: ValueTransformer?,
    separator: String?
  ) {
    name = attribute.name
    // For a boolean attribute, a boolean is null only if the property's own list contains it.
    let common = attribute.type == .boolean ? nulls.filter { $0.booleanValue == nil } : nulls
    self.nulls = attribute.nulls ?? common
    self.separator = separator
    description = .attribute(attribute)
    declaringEntity = entity
    self.transformer = transformer
    keyPath = attribute.keyPath
    direction = attribute.direction
    isOptional = attribute.isOptional
    writing = separator != nil ? .joined : transformer.map { ExportStep.Writing($0, attribute) } ?? .plain
  }

  init(_ relationship: RelationshipDescription, of entity: String, nulls: [JSON], transformer: ValueTransformer?) {
    name = relationship.name
    self.nulls = relationship.nulls ?? nulls
    separator = nil
    description = .relationship(relationship)
    declaringEntity = entity
    self.transformer = transformer
    keyPath = relationship.keyPath
    direction = relationship.direction
    isOptional = relationship.isOptional
    writing = .plain
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
  /// The key path that imports read, or nil if the property is not imported.
  var importedKeyPath: JSONKeyPath? { direction == .export ? nil : keyPath }
  /// The key path that exports write, or nil if the property is not exported.
  var exportedKeyPath: JSONKeyPath? { direction.exports(keyPath) }
  var keyPathAliases: [JSONKeyPath] { attribute?.keyPathAliases ?? relationship?.keyPathAliases ?? [] }
  /// The values that the property reads as null (M20).
  let nulls: [JSON]
  var isLenient: Bool { attribute?.isLenient ?? relationship?.isLenient ?? false }
}

/// An entity mapper: a table or a registered closure.
enum MapperPlan {
  case closure(name: String, TransformerRegistry.EntityMapper)
  /// The discriminator's key path, and the entity for each discriminator.
  case table(keyPath: JSONKeyPath, entities: DiscriminatorTable)
}

/// The entities selected by the discriminators that a declarative mapper lists (M3). Discriminators are strings, or the JSON
/// text of other values, and are compared by their bytes: canonically equivalent strings are different discriminators (D4).
struct DiscriminatorTable {
  private let entities: [UTF8Key: Int]

  init(_ lines: [(discriminator: String, entity: Int)]) {
    entities = Dictionary(lines.map { (UTF8Key($0.discriminator), $0.entity) }) { first, _ in first }
  }

  subscript(discriminator: String) -> Int? { entities[UTF8Key(discriminator)] }

  /// The listed discriminators, sorted.
  var discriminators: [String] { entities.keys.map(\.text).sorted(by: UTF8Key.precedes) }

  /// Returns whether a discriminator selects an entity.
  func selects(_ entity: Int) -> Bool { entities.values.contains(entity) }
}

/// The treatment of dictionaries whose discriminator a table does not list (M15).
enum MapperFallback {
  case entity(Int)
  case skip
}

/// A dictionary transformer with its name.
struct DictionaryTransformerPlan {
  var name: String
  /// The entity that declares the transformer. Its sub-entities inherit the transformer.
  var owner: Int
  var transform: TransformerRegistry.DictionaryTransformer
}

/// The constraints on a slot's value, checked at the end of an import (I9).
struct SlotRules {
  var slot: Int
  var minimum: AttributeValue?
  var maximum: AttributeValue?
  var minLength: Int?
  var maxLength: Int?
  var pattern: TextPattern?
  var allowedValues: [AttributeValue]?
  /// The values that an open `enum` lists (M14). Other values are kept, with a warning.
  var knownValues: [AttributeValue]?
  /// The minimum number of objects of a relationship, or of elements of a list.
  var minCount: Int?
  var maxCount: Int?
  /// The registered validations of the values, in addition to the model's validation keywords.
  var validations: [ValueValidation] = []
}
