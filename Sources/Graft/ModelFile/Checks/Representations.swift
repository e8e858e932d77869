extension ModelChecker {
  /// Checks that only objects with an identity are written as identifiers (M9).
  func checkRepresentation(_ subject: RelationshipSubject) {
    let relationship = subject.relationship
    guard relationship.representation == .identifier, relationship.source.isReadable(.JSONRepresentation),
      relationship.source.isReadable(.destination),
      let destination = index.entity(named: relationship.destinationName), index.knowsAllProperties(of: destination)
    else { return }
    let mayHaveIdentity = index.lineage(destination).contains { number in
      let entity = index.entities[number]
      return !entity.identityAttributes.isEmpty || !entity.source.isReadable(.identityAttributes)
        || !entity.source.isReadable(.identityAttribute)
    }
    guard !mayHaveIdentity else { return }
    findings.report(
      .identifierWithoutIdentity(subject.name, to: index.entities[destination].name),
      at: subject.place(of: .JSONRepresentation), notes: [declaration(of: destination)])
  }
}
