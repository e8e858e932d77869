/// The key paths that objects read from the dictionary of the object whose `@value` they are (M23). These key paths are also known keys of
/// that object.
///
///     Entry ── song: "@value" ──▶ Song, which reads "id", "title"
///
///     {"added": "2026-01-01", "id": 5, "title": "Hurt"}      Entry knows added, id, title
enum SharedPaths {
  /// Resolves the paths of all entities. The checks of the model exclude cycles.
  static func resolve(_ entities: [EntityPlan], _ numbers: [String: Int]) {
    func paths(of number: Int) -> [JSONKeyPath] {
      guard let destination = destination(of: entities[number]).flatMap({ numbers[$0] }) else { return [] }
      return entities[destination].concreteAndSubentities.flatMap { own(entities[$0]) + paths(of: $0) }
    }
    for entity in entities {
      var next = destination(of: entity)
      while let number = next.flatMap({ numbers[$0] }) {
        entity.sharingEntities.append(number)
        next = destination(of: entities[number])
      }
      var met: Set<JSONKeyPath> = []
      entity.sharedPaths = paths(of: entity.index).filter { met.insert($0).inserted }
    }
  }

  /// Returns the entity whose objects are read from the same dictionaries.
  private static func destination(of entity: EntityPlan) -> String? {
    let property = entity.properties.first { $0.importedKeyPath?.isElementValue == true }
    guard let relationship = property?.relationship, !relationship.isToMany else { return nil }
    return relationship.destinationName
  }

  private static func own(_ entity: EntityPlan) -> [JSONKeyPath] {
    let properties = entity.properties.flatMap { property -> [JSONKeyPath] in
      let parts = property.relationship?.identifierKeyPaths.map(\.keyPath) ?? []
      guard let path = property.keyPath else { return parts }
      return (parts.isEmpty ? [path] : parts) + property.keyPathAliases
    }
    let paths = properties + entity.discriminators + (entity.deletionMark.map { [$0.keyPath] } ?? [])
    return paths.compactMap { path in
      let first = path.segments.first.map { JSONKeyPath(keys: $0) } ?? path
      return first.isKeyWord ? nil : first
    }
  }
}
