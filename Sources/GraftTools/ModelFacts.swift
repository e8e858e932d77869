package import Graft

/// The declarations of a model's entities, with what they inherit.
package struct ModelFacts: Sendable {
  package let model: ModelDescription
  private let table: [String: EntityDescription]

  package init(_ model: ModelDescription) {
    self.model = model
    table = Dictionary(model.entities.map { ($0.name, $0) }) { first, _ in first }
  }

  package func entity(_ name: String) -> EntityDescription? { table[name] }

  /// The entity, its parent, and so on.
  package func lineage(_ entity: EntityDescription) -> [EntityDescription] {
    Array(sequence(first: entity) { $0.parentName.flatMap(self.entity) })
  }

  /// The entity, its ancestors and its sub-entities.
  package func family(_ entity: EntityDescription) -> [EntityDescription] {
    lineage(entity) + model.entities.filter { $0.name != entity.name && inherits($0, from: entity) }
  }

  /// The entity that the nearest mapper chooses for objects with a discriminator; the declared one if it lists none.
  package func entity(of declared: EntityDescription, forKind value: String) -> EntityDescription {
    mapper(declared)?.cases.first { $0.value == value }.flatMap { entity($0.entityName) } ?? declared
  }

  /// The attributes, inherited ones first.
  package func attributes(_ entity: EntityDescription) -> [AttributeDescription] {
    lineage(entity).reversed().flatMap(\.attributes)
  }

  /// The relationships, inherited ones first.
  package func relationships(_ entity: EntityDescription) -> [RelationshipDescription] {
    lineage(entity).reversed().flatMap(\.relationships)
  }

  /// A part of an identity.
  package enum IdentityPart {
    case attribute(AttributeDescription)
    /// The object inside which an object is identified (M12).
    case owner(RelationshipDescription)

    /// The name of the property.
    package var name: String {
      switch self {
      case .attribute(let attribute): attribute.name
      case .owner(let relationship): relationship.name
      }
    }
  }

  /// The parts of an identity, in order.
  package func identityParts(_ entity: EntityDescription) -> [IdentityPart] {
    let (attributes, relationships) = (attributes(entity), relationships(entity))
    return identityNames(entity).compactMap { name in
      attributes.first { $0.name == name }.map { .attribute($0) }
        ?? relationships.first { $0.name == name }.map { .owner($0) }
    }
  }

  /// Whether the position in an array is a part of the identity (M12).
  package func isIdentifiedByIndex(_ entity: EntityDescription) -> Bool {
    identity(entity).contains { $0.keyPath?.isElementIndex == true }
  }

  /// The attributes in the identity, in order, without those of owners.
  package func identity(_ entity: EntityDescription) -> [AttributeDescription] {
    let all = attributes(entity)
    return identityNames(entity).compactMap { name in all.first { $0.name == name } }
  }

  /// The names in the identity, in order. A sub-entity may repeat those of its parents.
  package func identityNames(_ entity: EntityDescription) -> [String] {
    lineage(entity).reversed().flatMap(\.identityAttributes).reduce(into: []) { names, name in
      if !names.contains(name) { names.append(name) }
    }
  }

  /// The attributes that identify an object, those of owners at their position, each with the relationships on the path to it.
  package func flatIdentity(_ entity: EntityDescription) -> [(path: [String], attribute: AttributeDescription)] {
    identityParts(entity).flatMap { part -> [(path: [String], attribute: AttributeDescription)] in
      switch part {
      case .attribute(let attribute): return [([], attribute)]
      case .owner(let relationship):
        guard let owner = self.entity(relationship.destinationName) else { return [] }
        return flatIdentity(owner).map { ([relationship.name] + $0.path, $0.attribute) }
      }
    }
  }

  /// The declarative mapper that an entity has or inherits.
  package func mapper(_ entity: EntityDescription) -> EntityDescription.Mapper? {
    lineage(entity).lazy.compactMap(\.entityMapper).first
  }

  /// The modification attribute of an entity, its own or inherited (M17).
  package func modificationAttribute(_ entity: EntityDescription) -> String? {
    lineage(entity).lazy.compactMap(\.modificationAttribute).first
  }

  /// The value that marks a dictionary of an entity as the deletion of its object, its own or inherited (M17).
  package func deletionMark(_ entity: EntityDescription) -> EntityDescription.DeletionMark? {
    lineage(entity).lazy.compactMap(\.deletedWhen).first
  }

  /// The direct sub-entities of an entity.
  package func subEntities(_ entity: EntityDescription) -> [EntityDescription] {
    model.entities.filter { $0.parentName == entity.name }
  }

  /// Whether two entities are the same, or the first one inherits from the second one.
  package func inherits(_ entity: EntityDescription, from ancestor: EntityDescription) -> Bool {
    lineage(entity).contains { $0.name == ancestor.name }
  }

  /// The concrete entity of an entity's example; nil if no payload can name one.
  package func concrete(_ entity: EntityDescription) -> EntityDescription? {
    guard entity.isAbstract else { return entity }
    return mapper(entity)?.cases.lazy.compactMap { self.entity($0.entityName) }
      .first { !$0.isAbstract && inherits($0, from: entity) }
  }

  /// Whether the objects appear under a key that belongs to them.
  package func isKeyed(_ entity: EntityDescription) -> Bool {
    paths(entity).contains { $0.isObjectKey } || isElementValue(entity) && canStandUnderKeys(entity)
  }

  /// Whether an object can be read whose values are the entity's objects.
  package func canStandUnderKeys(_ entity: EntityDescription) -> Bool {
    attributes(entity).contains { ([$0.keyPath].compactMap(\.self) + $0.keyPathAliases).contains { $0.isObjectKey } }
  }

  /// Whether an element that is not an object is always the `@value` of its object, never an identifier (M23).
  package func readsElements(_ entity: EntityDescription) -> Bool {
    let aliases = attributes(entity).flatMap(\.keyPathAliases) + relationships(entity).flatMap(\.keyPathAliases)
    return !canStandUnderKeys(entity) && (isElementValue(entity) || aliases.contains { $0.isElementValue })
  }

  /// The to-one whose object is read from the same dictionary (M23).
  package func sharedRelationship(_ entity: EntityDescription) -> RelationshipDescription? {
    relationships(entity).first { $0.keyPath?.isElementValue == true && !$0.isToMany }
  }

  /// Whether JSON represents an object as a bare value.
  package func isElementValue(_ entity: EntityDescription) -> Bool { paths(entity).contains { $0.isElementValue } }

  /// The first key path of every property that has one.
  private func paths(_ entity: EntityDescription) -> [JSONKeyPath] {
    attributes(entity).compactMap(\.keyPath) + relationships(entity).compactMap(\.keyPath)
  }
}
