/// The attributes whose values select the entities of their objects: the attributes at the key path of a mapper's table.
struct EntitySelectors {
  /// For each entity, the slot of the attribute; -1 if there is no such attribute, if a closure writes its value, or if several
  /// mappers may read the object. Empty if no entity has such an attribute.
  private let slots: [Int]

  init(_ entities: [EntityPlan]) {
    let slots = entities.map { EntitySelectors.slot(of: $0) ?? -1 }
    self.slots = slots.contains { $0 >= 0 } ? slots : []
  }

  var isEmpty: Bool { slots.isEmpty }

  subscript(entity: Int) -> Int? { slots[entity] < 0 ? nil : slots[entity] }

  private static func slot(of entity: EntityPlan) -> Int? {
    let mappers = sequence(first: entity, next: \.parent).filter { $0.description.entityMapper != nil }
    guard mappers.count == 1, let path = entity.discriminators.first else { return nil }
    return entity.properties.firstIndex { property in
      property.importedKeyPath == path && property.attribute?.isList == false
        && [.plain, .quotedInteger].contains(property.writing)
    }
  }
}
