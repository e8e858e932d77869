import Graft

extension ManagedObjectContext {
  /// The graph as text, with a line for each object: its name, attributes and relationships.
  ///
  ///     Hero(1) name="Batman" powers=[Power(4), Power(9)] publisher=Publisher(10)
  ///     Power(4) name="Agility" heroes=[Hero(1)]
  ///     Power(9) placeholder heroes=[Hero(1)]
  ///
  /// Entities are in model order. Objects are sorted by name, shorter names first. The line of an object omits nil, empty relationships,
  /// and the identity, which the name contains. Unordered relationships are sorted. If the store cannot be read, this is the error's
  /// description.
  package var drawing: String {
    do {
      return try model.entities.flatMap { entity in
        try fetch(ofEntity: entity.name).filter { $0.entity.name == entity.name }
          .sorted { precedes($0.description, $1.description) }.map { draw($0, entity) }
      }.joined(separator: "\n")
    } catch {
      return "\(error)"
    }
  }

  private func draw(_ object: ManagedObject, _ entity: EntityDescription) -> String {
    var hierarchy = [entity]
    while let parent = hierarchy[0].parentName.flatMap({ model.entity(named: $0) }) { hierarchy.insert(parent, at: 0) }
    var words = [object.description] + (object.isPlaceholder ? ["placeholder"] : [])
    let identity = Set(hierarchy.flatMap(\.identityAttributes))
    for attribute in hierarchy.flatMap(\.attributes) where !identity.contains(attribute.name) {
      if let value = try? object.propertyValue(of: attribute.name) { words.append("\(attribute.name)=\(value)") }
    }
    for relationship in hierarchy.flatMap(\.relationships) {
      switch try? object.propertyValue(of: relationship.name) {
      case .objects(let targets):
        let names = targets.map(\.description)
        let drawn = relationship.isOrdered ? names : names.sorted(by: precedes)
        if !names.isEmpty { words.append("\(relationship.name)=[\(drawn.joined(separator: ", "))]") }
      case .some(let target): words.append("\(relationship.name)=\(target)")
      case nil: break
      }
    }
    return words.joined(separator: " ")
  }
}

private func precedes(_ left: String, _ right: String) -> Bool {
  left.count != right.count ? left.count < right.count : left < right
}
