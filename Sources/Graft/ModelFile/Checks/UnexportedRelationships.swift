extension ModelChecker {
  /// Checks that an export can be imported again. A relationship that is not written must be restored by its inverse (M9).
  func checkUnexportedRelationship(_ subject: RelationshipSubject) {
    let relationship = subject.relationship
    guard let path = relationship.importedKeyPath, !relationship.isExported else { return }
    // Values outside the object are never written (M19), so such a key path needs no warning.
    if path.surroundings != nil { return }
    let inverse = relationship.inverseName.flatMap { name -> RelationshipDescription? in
      guard let destination = index.entity(named: relationship.destinationName),
        case (let owner, .relationship(let position))? = index.property(named: name, of: destination)
      else { return nil }
      return index.entities[owner].relationships[position]
    }
    guard inverse.map({ !$0.isExported }) ?? true else { return }
    findings.report(
      .unexportedRelationship(
        subject.name, inverse: inverse?.name,
        relationship.direction == .import ? (.JSONDirection, "import") : (.JSONRepresentation, "none")),
      at: subject.place(of: relationship.direction == .import ? .JSONDirection : .JSONRepresentation),
      notes: inverse.map { [.init("its inverse is declared here", at: $0.source.place())] } ?? [])
  }
}

extension RelationshipDescription {
  /// Whether exports write the relationship.
  fileprivate var isExported: Bool { exportedKeyPath != nil && representation != .none }
}
