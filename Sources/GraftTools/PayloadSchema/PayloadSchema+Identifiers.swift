import Graft

/// Identifiers in payloads (I4, M12, M24, M26).
extension PayloadSchema {
  /// Returns the schema of an entity's identifiers; nil if its objects have none.
  func identifier(of entity: EntityDescription) -> JSON? {
    let parts = facts.identityParts(entity)
    guard parts.count > 1 else {
      return parts.first.map { part in
        let schema = value(of: part)
        return schema == true ? ["type": ["string", "number", "boolean"]] : schema
      }
    }
    let count = JSON.number(JSONNumber(parts.count))
    return ["type": "array", "prefixItems": .array(parts.map { value(of: $0) }), "minItems": count, "maxItems": count]
  }

  /// Returns the schema of a value in an identifier. An owner is represented by its own identifier.
  private func value(of part: ModelFacts.IdentityPart) -> JSON {
    switch part {
    case .attribute(let attribute):
      guard attribute.keyPath != nil, isRelevant(attribute.direction) else { return false }
      return schema(of: attribute).identifier
    case .owner(let relationship):
      return facts.entity(relationship.destinationName).flatMap { identifier(of: $0) } ?? false
    }
  }

  /// Returns the schema of the identifiers of a relationship's objects: the values that its transformers read, if it has any.
  func identifier(of relationship: RelationshipDescription, to destination: EntityDescription) -> JSON? {
    guard !relationship.transformerNames.isEmpty else { return identifier(of: destination) }
    return TransformerSchema.input(
      of: relationship.transformerNames[...], for: .json, base: true, allowsBlank: true)
  }

  // MARK: Several keys

  /// Returns the schema of the objects with an identifier in several keys (M24), which contain none of its values, or all of them.
  func identifierInKeys(
    _ relationship: RelationshipDescription, of entity: EntityDescription, to destination: EntityDescription
  ) -> JSON {
    let parts = relationship.identifierKeyPaths
    let paths = otherPaths(than: relationship, of: entity)
    // A key that another property also reads does not show that there is a reference. If there are no other keys, all of them do.
    let shown = parts.filter { part in !paths.contains { part.keyPath.keys.starts(with: $0.keys) } }
    let notNull = SchemaPart.without(nulls(of: relationship) + [.null], true)
    let isOpen = facts.mapper(destination)?.otherwise == .skip
    let identity = facts.identityParts(destination)
    let given = parts.map { part in
      let own = identity.first { $0.name == part.name }.map { value(of: $0) } ?? true
      return KeyTree(part.keyPath, SchemaPart.allOf([notNull, isOpen ? true : own]), isRequired: true).object
    }
    let isGiven = (shown.isEmpty ? parts : shown).map { KeyTree($0.keyPath, notNull, isRequired: true).object }
    return [
      "if": shown.isEmpty ? SchemaPart.allOf(isGiven) : SchemaPart.anyOf(isGiven), "then": SchemaPart.allOf(given),
    ]
  }

  /// Returns the key paths of the other properties, of the mapper and of the deletion mark.
  private func otherPaths(than relationship: RelationshipDescription, of entity: EntityDescription) -> [JSONKeyPath] {
    let others = facts.relationships(entity).filter { $0.name != relationship.name }
    let properties =
      facts.attributes(entity).flatMap { [$0.keyPath].compactMap(\.self) + $0.keyPathAliases }
      + others.flatMap { other in
        let parts = other.identifierKeyPaths.map(\.keyPath)
        return parts.isEmpty ? [other.keyPath].compactMap(\.self) + other.keyPathAliases : parts
      }
    let mappers = facts.lineage(entity).compactMap(\.entityMapper?.keyPath)
    return properties + mappers + [facts.deletionMark(entity)?.keyPath].compactMap(\.self)
  }
}
