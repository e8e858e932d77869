extension ModelChecker {
  /// Checks that identity attributes are properties of the entity and can identify objects (M3, M9, M12).
  func checkIdentityAttributes(_ entity: EntityDescription, _ number: Int) {
    var seen: [UTF8Key: SourcePlace] = [:]
    for (element, name) in entity.identityAttributes.enumerated() {
      let place = entity.source.place(of: .identityAttributes, element: element)
      if let first = seen.updateValue(place, forKey: UTF8Key(name)) {
        findings.report(
          .repeatedIdentityAttribute(name, of: entity.name), at: place,
          notes: [.init("it is given here first", at: first)])
        continue
      }
      switch index.property(named: name, of: number) {
      case nil:
        guard index.knowsAllProperties(of: number) else { continue }
        findings.report(
          .unknownIdentityAttribute(name, of: entity.name), at: place,
          near: index.attributeNames(of: number) + index.relationshipNames(of: number))
      case (let owner, .relationship(let position))?:
        let relationship = index.entities[owner].relationships[position]
        guard let reason = faultOfOwner(relationship) else { continue }
        findings.report(
          .identityRelationship(name, of: entity.name, reason), at: place,
          notes: [.init("it is declared here", at: relationship.source.place())])
      case (let owner, .attribute(let position))?:
        let attribute = index.entities[owner].attributes[position]
        if attribute.defaultValue != nil {
          findings.report(
            .identityDefault(name, of: entity.name), at: attribute.source.place(of: .default),
            notes: [.init("it is an identity attribute here", at: place)])
        }
        guard attribute.type == .json, attribute.source.isReadable(.type) else { continue }
        findings.report(
          .unusableIdentityAttribute(name, of: entity.name), at: place,
          notes: [.init("its type is given here", at: attribute.source.place(of: .type))])
      }
    }
  }
}
