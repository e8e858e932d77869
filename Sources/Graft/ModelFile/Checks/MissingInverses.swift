extension ModelChecker {
  /// M9: a relationship that owns its objects has an inverse.
  ///
  /// It owns them if its delete rule is `cascade`, or if nothing else leads to an entity without identity: then each import
  /// inserts new objects, and only an inverse can tell which of the old ones nothing refers to any more.
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
    } else if relationship.keyPath != nil, relationship.mergeRule == .replace,
      uses.relationshipCounts[root] == 1, !uses.rootsWithIdentity.contains(root),
      root != index.roots[subject.entityNumber]
    {
      findings.report(
        .ownerWithoutInverse(subject.name, to: relationship.destinationName, candidate(subject, destination)),
        at: relationship.source.place(), notes: notes)
    }
  }

  /// The name of the relationship that could be the inverse, if exactly one leads back.
  private func candidate(_ subject: RelationshipSubject, _ destination: Int) -> String? {
    let back = index.entities[destination].relationships.filter {
      $0.destinationName == subject.entityName && $0.name != subject.relationship.name
    }
    return back.count == 1 && back[0].inverseName == nil ? back[0].name : nil
  }
}
