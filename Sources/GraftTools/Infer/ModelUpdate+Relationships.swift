import Graft

// Changes of relationships that the import of the samples shows to be necessary.
extension ModelUpdate {
  /// Makes a to-many read a single object as a list of one, if the samples can then be imported: many services write the only element
  /// without its list. Returns whether the model changed.
  mutating func makeRelationshipLenient(
    _ name: String, of entityName: String, _ samples: [ModelInference.Sample]
  ) -> Bool {
    guard let entity = facts.entity(entityName),
      let owner = facts.lineage(entity).first(where: { $0.relationships.contains { $0.name == name } }),
      let relationship = owner.relationships.first(where: { $0.name == name }),
      relationship.isToMany, !relationship.isLenient, relationship.keyPath != nil
    else { return false }
    var changed = editor
    changed.set(ModelFileKey.lenient.rawValue, true, at: ["entities", owner.name, "relationships", name])
    guard !isRefused(name, of: entityName, with: changed.text, samples) else { return false }
    editor = changed
    changes.append("'\(owner.name).\(name)' now reads one object as a list of one")
    return true
  }

  /// Whether JSON has both sides of an inferred relationship: the objects at its destination contain the objects at its source.
  func isOtherSide(_ relationship: RelationshipDescription) -> Bool {
    entity(relationship.destinationName)?.relationships.contains {
      $0.name == relationship.inverseName && $0.keyPath != nil
    } == true
  }

  /// Whether an entity of the model identifies its objects inside their owner. Elsewhere, they have no owner.
  func isIdentifiedInOwner(_ name: String) -> Bool {
    guard let entity = facts.entity(name) else { return false }
    let identity = facts.lineage(entity).flatMap(\.identityAttributes)
    return facts.relationships(entity).contains { identity.contains($0.name) }
  }
}
