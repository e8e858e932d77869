// The parts of a model whose values are not shown (M29).
extension PlanBuilder {
  /// Marks the parts of the model that have sensitive values. A model without sensitive attributes has no marks.
  func markSensitive() {
    guard entities.contains(where: { $0.properties.contains { $0.attribute?.isSensitive == true } }) else { return }
    for entity in entities {
      entity.hidesValues = true
      entity.hidesIdentity = hidesIdentity(entity)
    }
    for entity in entities {
      for property in entity.properties {
        if let attribute = property.attribute { property.isSensitive = attribute.isSensitive }
        guard let destination = property.relationship.flatMap({ entityNumbers[$0.destinationName] }) else { continue }
        // The relationship contains identifiers of its destination's objects.
        property.isSensitive = entities[destination].concreteAndSubentities.contains { entities[$0].hidesIdentity }
      }
    }
  }

  /// Returns whether the identity contains a sensitive value, either directly or in the identity of an owner (M12). Owners do not form
  /// cycles.
  private func hidesIdentity(_ entity: EntityPlan) -> Bool {
    entity.identitySlots.contains { slot in
      let property = entity.properties[slot]
      if let attribute = property.attribute { return attribute.isSensitive }
      guard let owner = property.relationship.flatMap({ entityNumbers[$0.destinationName] }) else { return false }
      return entities[owner].concreteAndSubentities.contains { hidesIdentity(entities[$0]) }
    }
  }
}

extension Plan {
  /// Whether any attribute of the model is sensitive. If so, excerpts of payloads are not shown.
  var hidesValues: Bool { entities.first?.hidesValues ?? false }
}

extension EntityPlan {
  /// The subject of diagnostics about the entity.
  var subject: Diagnostic.Subject {
    var subject = Diagnostic.Subject(entityName: name)
    subject.hidesValues = hidesValues
    return subject
  }
}

extension PropertyPlan {
  /// Returns the displayed form of a value of the property.
  func shown(_ value: JSON) -> JSON { isSensitive && !value.isNull ? .string(HiddenValue.text) : value }

  /// Returns the phrase for a value of the property in messages.
  func phrase(_ found: String) -> String { isSensitive ? HiddenValue.phrase(found) : found }
}
