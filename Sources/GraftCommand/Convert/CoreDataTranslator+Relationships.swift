import Graft

extension CoreDataTranslator {
  /// Converts a relationship, or returns nil if it is omitted.
  mutating func translate(_ relationship: CoreDataRelationship, of entity: CoreDataEntity) -> RelationshipDescription? {
    guard isNamed(relationship.name, relationship.tag) else { return nil }
    let name = "\(entity.name).\(relationship.name)"
    guard let destination = relationship.destinationName else {
      notes.add(.noDestination(name, place(relationship.tag, "name")))
      return nil
    }
    var info = relationship.userInfo
    let annotations = annotations(of: relationship, destination, &info)
    var description = RelationshipDescription(
      relationship.name, to: destination, isToMany: relationship.isToMany, inverse: relationship.inverseName)
    description.isOptional = relationship.isOptional
    if relationship.isToMany {
      description.isOrdered = relationship.isOrdered
      description.maxCount = relationship.maxCount
      description.minCount = minCount(of: relationship, name)
      description.mergeRule = annotations.addsToMany ? .union : .replace
    }
    description.deleteRule = deleteRule(of: relationship, name)
    (description.keyPath, description.keyPathAliases) = keyPaths(annotations, relationship.name, name, &info)
    if annotations.isNotExported { description.representation = .none }
    noteUnused(info, name)
    description.userInfo = info.kept
    return description
  }

  private func annotations(
    of relationship: CoreDataRelationship, _ destination: String, _ info: inout CoreDataUserInfo
  ) -> PropertyAnnotations {
    switch convention {
    case .groot: GrootAnnotations.ofRelationship(&info)
    case .magicalRecord: MagicalRecordAnnotations.ofRelationship(&info)
    case .sync: SyncAnnotations.ofRelationship(&info)
    case nil: PropertyAnnotations()
    }
  }

  /// Returns the minimum count. A required relationship always contains at least one object. In Core Data, an optional relationship
  /// may be empty regardless of its minimum count.
  private mutating func minCount(of relationship: CoreDataRelationship, _ name: String) -> Int? {
    guard let count = relationship.minCount, count > 1 else { return nil }
    guard relationship.isOptional else { return count }
    notes.add(.optionalMinCount(count, of: name, place(relationship.tag, "minCount")))
    return nil
  }

  private mutating func deleteRule(
    of relationship: CoreDataRelationship, _ name: String
  ) -> RelationshipDescription.DeleteRule {
    switch relationship.deletionRule {
    case "Nullify": return .nullify
    case "Cascade": return .cascade
    case "Deny": return .deny
    case "No Action": return .noAction
    case let rule:
      let legal = "'Nullify', 'Cascade', 'Deny' or 'No Action'"
      notes.add(.unreadable("delete rule", rule, of: name, legal, place(relationship.tag, "deletionRule")))
      return .nullify
    }
  }
}
