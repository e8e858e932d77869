extension ModelChecker {
  /// Checks that an inverse is a relationship of the destination whose own inverse is this relationship (M9).
  ///
  ///     Hero.team  destination Team, inverse members
  ///     Team.members  destination Hero, inverse team
  ///
  /// Both sides must name each other, and the destination of each must be exactly the entity that declares the other. If it were an
  /// ancestor or a sub-entity of that entity, one side could contain objects that the other side does not accept. A relationship may be its
  /// own inverse.
  func checkInverse(_ subject: RelationshipSubject) {
    let relationship = subject.relationship
    guard let name = relationship.inverseName, relationship.source.isReadable(.destination),
      let destination = index.entity(named: relationship.destinationName)
    else { return }
    let place = subject.place(of: .inverse)
    switch index.property(named: name, of: destination) {
    case nil:
      guard index.knowsAllProperties(of: destination) else { return }
      findings.report(
        .unknownInverse(name, of: subject.name, in: relationship.destinationName), at: place,
        near: index.relationshipNames(of: destination), notes: [declaration(of: destination)])
    case (let owner, .attribute(let position))?:
      let attribute = index.entities[owner].attributes[position]
      findings.report(
        .inverseIsAttribute("\(index.entities[owner].name).\(name)", of: subject.name), at: place,
        notes: [.init("it is declared here", at: attribute.source.place())])
    case (let owner, .relationship(let position))?:
      check(index.entities[owner].relationships[position], declaredIn: owner, isInverseOf: subject, destination)
    }
  }

  /// Returns whether the inverse of a relationship is unknown.
  private func leadsNowhere(_ relationship: RelationshipDescription) -> Bool {
    guard let name = relationship.inverseName, let end = index.entity(named: relationship.destinationName) else {
      return false
    }
    return index.property(named: name, of: end) == nil
  }

  /// Returns whether a relationship without a declared inverse could only have this inverse.
  private func isOnlyClaim(
    on inverse: RelationshipDescription, _ owner: Int, _ subject: RelationshipSubject, _ destination: Int
  ) -> Bool {
    guard inverse.inverseName == nil, owner == destination, inverse.destinationName == subject.entityName else {
      return false
    }
    let claims = index.entities[subject.entityNumber].relationships.count {
      $0.inverseName == inverse.name && $0.destinationName == subject.relationship.destinationName
    }
    return claims == 1
  }

  private func check(
    _ inverse: RelationshipDescription, declaredIn owner: Int, isInverseOf subject: RelationshipSubject,
    _ destination: Int
  ) {
    let name = "\(index.entities[owner].name).\(inverse.name)"
    let place = subject.place(of: .inverse)
    guard inverse.source.isReadable(.inverse), inverse.source.isReadable(.destination) else { return }
    if inverse.inverseName != subject.relationship.name {
      // An unknown inverse is reported at its own declaration.
      guard !leadsNowhere(inverse) else { return }
      let finding = ModelFinding.inverseNamesOther(
        name, inverse.inverseName, of: subject.name, subject.relationship.name)
      findings.report(
        isOnlyClaim(on: inverse, owner, subject, destination)
          ? finding.fixed(by: inverse.source.insertion(of: .inverse, subject.relationship.name, after: .destination))
          : finding, at: place,
        notes: [.init("\(name.quoted) is declared here", at: inverse.source.place(of: .inverse))])
    } else if inverse.destinationName != subject.entityName {
      // An unknown destination is reported at its own declaration.
      guard index.entity(named: inverse.destinationName) != nil else { return }
      findings.report(
        .inverseLeadsElsewhere(name, to: inverse.destinationName, of: subject.name, in: subject.entityName), at: place,
        notes: [.init("the destination of \(name.quoted) is given here", at: inverse.source.place(of: .destination))])
    } else if owner != destination {
      findings.report(
        .inverseIsInherited(name, from: index.entities[owner].name, of: subject.name), at: place,
        notes: [.init("\(name.quoted) is declared here", at: inverse.source.place())])
    }
  }
}
