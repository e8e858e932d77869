extension ModelChecker {
  /// Checks that property names are unique within an entity and its ancestors (M9).
  func checkRedeclaredProperties() {
    for (number, entity) in index.entities.enumerated() {
      let isAlone = index.properties[number].count == entity.attributes.count + entity.relationships.count
      // Most entities have no parent and no duplicate name, so nothing needs to be looked up.
      guard !isAlone || index.parents[number] != nil else { continue }
      for (place, attribute) in entity.attributes.enumerated() {
        check(attribute.name, attribute.source, in: number) { if case .attribute(place) = $0 { true } else { false } }
      }
      for (place, relationship) in entity.relationships.enumerated() {
        check(relationship.name, relationship.source, in: number) {
          if case .relationship(place) = $0 { true } else { false }
        }
      }
    }
  }

  /// - Parameter isItself: whether a property of the entity is the one being checked.
  private func check(
    _ name: String, _ source: DescriptionSource, in entity: Int, isItself: (ModelIndex.Property) -> Bool
  ) {
    // Empty names are reported elsewhere.
    guard !name.isEmpty else { return }
    let inherited = index.parents[entity].flatMap { index.property(named: name, of: $0) }
    guard let first = inherited ?? index.property(named: name, of: entity) else { return }
    if first.entity == entity, isItself(first.property) { return }
    let owner = index.entities[first.entity]
    let place =
      switch first.property {
      case .attribute(let number): owner.attributes[number].source.place()
      case .relationship(let number): owner.relationships[number].source.place()
      }
    findings.report(
      .redeclaredProperty(name, in: index.entities[entity].name, declaredIn: owner.name), at: source.place(),
      notes: [.init("it is declared here first", at: place)])
  }
}
