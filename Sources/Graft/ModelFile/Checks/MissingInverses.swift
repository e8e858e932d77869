extension ModelChecker {
  /// Checks that a relationship that owns its objects has an inverse (M9).
  ///
  /// A relationship owns its objects if its delete rule is `cascade`, or if it is the only relationship to an entity without
  /// identity. In that case, each import inserts new objects, and only an inverse shows which of the old objects are no longer referenced.
  func checkMissingInverse(_ subject: RelationshipSubject, _ uses: ModelUses) {
    let relationship = subject.relationship
    guard relationship.inverseName == nil, let destination = index.entity(named: relationship.destinationName)
    else { return }
    let root = index.roots[destination]
    let notes = [declaration(of: destination)]
    if relationship.deleteRule == .cascade {
      let candidate = candidate(subject, destination)
      let finding = ModelFinding.cascadeWithoutInverse(subject.name, to: relationship.destinationName, candidate?.name)
      findings.report(
        candidate.map { fixed(finding, subject, $0) } ?? finding, at: subject.place(of: .deleteRule), notes: notes)
    } else if relationship.importedKeyPath != nil, relationship.mergeRule == .replace,
      uses.relationshipCounts[root] == 1, !uses.rootsWithIdentity.contains(root),
      root != index.roots[subject.entityNumber]
    {
      findings.report(
        .ownerWithoutInverse(subject.name, to: relationship.destinationName, candidate(subject, destination)?.name),
        at: relationship.source.place(), notes: notes)
    }
  }

  /// Returns a finding whose fix makes two relationships each other's inverse, if there is no other candidate for the second relationship.
  private func fixed(
    _ finding: ModelFinding, _ subject: RelationshipSubject, _ inverse: RelationshipDescription
  ) -> ModelFinding {
    let relationship = subject.relationship
    let others = index.entities[subject.entityNumber].relationships.count {
      $0.destinationName == relationship.destinationName && $0.name != inverse.name
    }
    guard others == 1 else { return finding }
    return finding.fixed(
      by: relationship.source.insertion(of: .inverse, inverse.name, after: .destination),
      inverse.source.insertion(of: .inverse, relationship.name, after: .destination))
  }

  /// Returns the relationship that could be the inverse, if exactly one relationship points back.
  private func candidate(_ subject: RelationshipSubject, _ destination: Int) -> RelationshipDescription? {
    let back = index.entities[destination].relationships.filter {
      $0.destinationName == subject.entityName && $0.name != subject.relationship.name
    }
    return back.count == 1 && back[0].inverseName == nil ? back[0] : nil
  }
}
