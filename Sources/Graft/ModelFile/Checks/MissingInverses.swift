extension ModelChecker {
  /// Checks that a relationship that owns its objects has an inverse (M9).
  ///
  /// A relationship owns its objects if its delete rule is `cascade`, or if it is the only one that leads to an entity
  /// without identity. In that case, each import inserts new objects, and only an inverse shows which of the old ones are
  /// no longer referenced.
  func checkMissingInverse(_ subject: RelationshipSubject, _ uses: ModelUses) {
    let relationship = subject.relationship
    guard relationship.inverseName == nil, let destination = index.entity(named: relationship.destinationName)
    else { return }
    let root = index.roots[destination]
    let notes = [declaration(of: destination)]
    if relationship.deleteRule == .cascade {
      findings.report(
        .cascadeWithoutInverse(subject.name, to: relationship.destinationName, candidate(subject, destination)),
        at: subject.place(of: .deleteRule), notes: notes)
    } else if relationship.importedKeyPath != nil, relationship.mergeRule == .replace,
      uses.relationshipCounts[root] == 1, !uses.rootsWithIdentity.contains(root),
      root != index.roots[subject.entityNumber]
    {
      findings.report(
        .ownerWithoutInverse(subject.name, to: relationship.destinationName, candidate(subject, destination)),
        at: relationship.source.place(), notes: notes)
    }
  }

  /// Returns the name of the relationship that could be the inverse, if exactly one leads back.
  private func candidate(_ subject: RelationshipSubject, _ destination: Int) -> String? {
    let back = index.entities[destination].relationships.filter {
      $0.destinationName == subject.entityName && $0.name != subject.relationship.name
    }
    return back.count == 1 && back[0].inverseName == nil ? back[0].name : nil
  }
}
