extension ModelChecker {
  /// Checks that `deleteOrphans` has the inverse that determines which objects are orphans (M6).
  func checkOrphans(_ subject: RelationshipSubject) {
    let relationship = subject.relationship
    guard relationship.deletesOrphans, relationship.inverseName == nil, relationship.source.isReadable(.inverse) else {
      return
    }
    findings.report(.orphansWithoutInverse(subject.name), at: subject.place(of: .deleteOrphans))
  }
}
