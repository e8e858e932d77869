extension ModelChecker {
  /// Returns the names of an entity's attributes that the author also wrote as keys in their `JSONKeyPath`.
  private func confirmedNames(of entity: Int) -> [String] {
    index.lineage(entity).flatMap { index.entities[$0].attributes }.filter { attribute in
      attribute.source[.JSONKeyPath] != nil && attribute.keyPath?.keys.last == attribute.name
    }.map(\.name)
  }

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
        var finding = ModelFinding.unknownIdentityAttribute(name, of: entity.name)
        if entity.identityAttributes.count == 1 {
          // The attribute itself may be misspelled instead, unless its key path has the same name.
          let certain = Set(confirmedNames(of: number))
          finding.acceptsName = { certain.contains($0) }
        }
        findings.report(finding, at: place, near: index.attributeNames(of: number) + ownerNames(of: number))
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
        if attribute.isList {
          findings.report(
            .listAsIdentity(name, of: entity.name), at: place,
            notes: [.init("it is declared as a list here", at: attribute.source.place(of: .list))])
          continue
        }
        guard attribute.type == .json, attribute.source.isReadable(.type) else { continue }
        findings.report(
          .unusableIdentityAttribute(name, of: entity.name), at: place,
          notes: [.init("its type is given here", at: attribute.source.place(of: .type))])
      }
    }
  }
}
