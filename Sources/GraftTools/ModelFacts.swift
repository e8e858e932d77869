package import Graft

/// The declarations of a model's entities, including inherited declarations.
package struct ModelFacts: Sendable {
  package let model: ModelDescription
  private let table: [String: EntityDescription]

  package init(_ model: ModelDescription) {
    self.model = model
    table = Dictionary(model.entities.map { ($0.name, $0) }) { first, _ in first }
  }

  package func entity(_ name: String) -> EntityDescription? { table[name] }

  /// Returns the entity, its parent, and so on.
  package func lineage(_ entity: EntityDescription) -> [EntityDescription] {
    Array(sequence(first: entity) { $0.parentName.flatMap(self.entity) })
  }

  /// Returns the entity, its ancestors and its sub-entities.
  package func family(_ entity: EntityDescription) -> [EntityDescription] {
    lineage(entity) + model.entities.filter { $0.name != entity.name && inherits($0, from: entity) }
  }

  /// Returns the entity that the nearest mapper chooses for objects with a discriminator; the declared entity if the mapper does
  /// not list it.
  package func entity(of declared: EntityDescription, forKind value: String) -> EntityDescription {
    mapper(declared)?.listed(value).flatMap { entity($0.entityName) } ?? declared
  }

  /// Returns the attributes, inherited ones first.
  package func attributes(_ entity: EntityDescription) -> [AttributeDescription] {
    lineage(entity).reversed().flatMap(\.attributes)
  }

  /// Returns the relationships, inherited ones first.
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

  /// Returns the parts of an identity, in order.
  package func identityParts(_ entity: EntityDescription) -> [IdentityPart] {
    let (attributes, relationships) = (attributes(entity), relationships(entity))
    return identityNames(entity).compactMap { name in
      attributes.first { $0.name == name }.map { .attribute($0) }
        ?? relationships.first { $0.name == name }.map { .owner($0) }
    }
  }

  /// Returns whether the position in an array is a part of the identity (M12).
  package func isIdentifiedByIndex(_ entity: EntityDescription) -> Bool {
    identity(entity).contains { $0.keyPath?.isElementIndex == true }
  }

  /// Returns the attributes in the identity, in order, without the attributes of owners.
  package func identity(_ entity: EntityDescription) -> [AttributeDescription] {
    let all = attributes(entity)
    return identityNames(entity).compactMap { name in all.first { $0.name == name } }
  }

  /// Returns the names in the identity, in order. A sub-entity may repeat its parents' names.
  package func identityNames(_ entity: EntityDescription) -> [String] {
    lineage(entity).reversed().flatMap(\.identityAttributes).reduce(into: []) { names, name in
      if !names.contains(name) { names.append(name) }
    }
  }

  /// Returns the attributes that identify an object, each with the relationships on the path to it. An owner's attributes are at
  /// the owner's position.
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

  /// Returns the declarative mapper that an entity has or inherits.
  package func mapper(_ entity: EntityDescription) -> EntityDescription.Mapper? {
    lineage(entity).lazy.compactMap(\.entityMapper).first
  }

  /// Returns the modification attribute of an entity, its own or inherited (M17).
  package func modificationAttribute(_ entity: EntityDescription) -> String? {
    lineage(entity).lazy.compactMap(\.modificationAttribute).first
  }

  /// Returns the value that marks a dictionary of an entity as the deletion of its object, declared or inherited (M17).
  package func deletionMark(_ entity: EntityDescription) -> EntityDescription.DeletionMark? {
    lineage(entity).lazy.compactMap(\.deletedWhen).first
  }

  /// Returns the direct sub-entities of an entity.
  package func subEntities(_ entity: EntityDescription) -> [EntityDescription] {
    model.entities.filter { $0.parentName == entity.name }
  }

  /// Returns whether two entities are the same, or the first inherits from the second.
  package func inherits(_ entity: EntityDescription, from ancestor: EntityDescription) -> Bool {
    lineage(entity).contains { $0.name == ancestor.name }
  }

  /// Returns the concrete entity of an entity's example, or nil if no payload can name one.
  package func concrete(_ entity: EntityDescription) -> EntityDescription? {
    guard entity.isAbstract else { return entity }
    return mapper(entity)?.cases.lazy.compactMap { self.entity($0.entityName) }
      .first { !$0.isAbstract && inherits($0, from: entity) }
  }

  /// Returns whether the objects appear under a key that belongs to them.
  package func isKeyed(_ entity: EntityDescription) -> Bool {
    paths(entity).contains { $0.isObjectKey } || isElementValue(entity) && canStandUnderKeys(entity)
  }

  /// Returns whether an import can read an object whose values are the entity's objects.
  package func canStandUnderKeys(_ entity: EntityDescription) -> Bool {
    attributes(entity).contains { ([$0.keyPath].compactMap(\.self) + $0.keyPathAliases).contains { $0.isObjectKey } }
  }

  /// Returns whether an element that is not an object is always the `@value` of its object, never an identifier (M23).
  package func readsElements(_ entity: EntityDescription) -> Bool {
    let aliases = attributes(entity).flatMap(\.keyPathAliases) + relationships(entity).flatMap(\.keyPathAliases)
    return !canStandUnderKeys(entity) && (isElementValue(entity) || aliases.contains { $0.isElementValue })
  }

  /// Returns the to-one whose object is read from the same dictionary (M23).
  package func sharedRelationship(_ entity: EntityDescription) -> RelationshipDescription? {
    relationships(entity).first { $0.keyPath?.isElementValue == true && !$0.isToMany }
  }

  /// Returns whether JSON represents an object as a bare value.
  package func isElementValue(_ entity: EntityDescription) -> Bool { paths(entity).contains { $0.isElementValue } }

  /// Returns the first key path of every property that has one.
  private func paths(_ entity: EntityDescription) -> [JSONKeyPath] {
    attributes(entity).compactMap(\.keyPath) + relationships(entity).compactMap(\.keyPath)
  }
}
