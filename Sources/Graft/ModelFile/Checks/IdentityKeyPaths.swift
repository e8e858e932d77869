extension ModelChecker {
  /// Checks that the identity attributes of an entity that appears in JSON have key paths (M9).
  ///
  /// An entity appears in JSON if it, an ancestor or a sub-entity has a mapped property, or if one of them is the destination
  /// of a mapped relationship. A model may also contain entities that never appear in JSON.
  func checkIdentityKeyPaths() {
    var takesPart = Array(repeating: false, count: index.entities.count)
    for (number, entity) in index.entities.enumerated() {
      if entity.attributes.contains(where: { $0.keyPath != nil }) { takesPart[index.roots[number]] = true }
      for relationship in entity.relationships where relationship.keyPath != nil {
        takesPart[index.roots[number]] = true
        if let destination = index.entity(named: relationship.destinationName) {
          takesPart[index.roots[destination]] = true
        }
      }
    }
    for (number, entity) in index.entities.enumerated() where takesPart[index.roots[number]] {
      for (element, name) in entity.identityAttributes.enumerated() {
        guard case (let owner, .attribute(let position))? = index.property(named: name, of: number) else { continue }
        let attribute = index.entities[owner].attributes[position]
        guard attribute.keyPath == nil, attribute.source.isReadable(.JSONKeyPath) else { continue }
        findings.report(
          .identityWithoutKeyPath(name, of: entity.name),
          at: entity.source.place(of: .identityAttributes, element: element),
          notes: [.init("\(name.quoted) is declared here", at: attribute.source.place())])
      }
    }
  }
}
