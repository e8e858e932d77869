extension ModelChecker {
  /// M6: whether an object is an orphan shows in its inverse.
  func checkOrphans(_ subject: RelationshipSubject) {
    let relationship = subject.relationship
    guard relationship.deletesOrphans, relationship.inverseName == nil, relationship.source.isReadable(.inverse) else {
      return
    }
    findings.report(.orphansWithoutInverse(subject.name), at: subject.place(of: .deleteOrphans))
  }
}
