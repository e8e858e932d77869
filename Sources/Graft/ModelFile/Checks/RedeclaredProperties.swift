extension ModelChecker {
  /// M9: an entity has one property of a name, those of its ancestors included.
  func checkRedeclaredProperties() {
    /// Who declares a name, among the entity at hand and its ancestors.
    var owners: [String: (entity: Int, source: DescriptionSource)] = [:]
    var declared: [[String]] = []

    func declare(_ name: String, _ source: DescriptionSource, in entity: Int) {
      guard !name.isEmpty, name.utf8.count <= NameRules.longest else { return }
      guard let owner = owners[name] else {
        owners[name] = (entity, source)
        declared[declared.count - 1].append(name)
        return
      }
      let finding = ModelFinding.redeclaredProperty(
        name, in: index.entities[entity].name, declaredIn: index.entities[owner.entity].name)
      findings.report(
        finding, at: source.place(), notes: [.init("it is declared here first", at: owner.source.place())])
    }

    index.walkHierarchies { entity in
      declared.append([])
      for attribute in index.entities[entity].attributes { declare(attribute.name, attribute.source, in: entity) }
      for relationship in index.entities[entity].relationships {
        declare(relationship.name, relationship.source, in: entity)
      }
    } leave: { _ in
      for name in declared.removeLast() { owners[name] = nil }
    }
  }
}
