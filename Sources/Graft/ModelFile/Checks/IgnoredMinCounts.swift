extension ModelChecker {
  /// Checks for a `minCount` of 0 on a to-many relationship that is not optional, which requires at least one object anyway (M9, D6).
  func checkIgnoredMinCount(_ subject: RelationshipSubject) {
    let relationship = subject.relationship
    guard relationship.isToMany, !relationship.isOptional, relationship.minCount == 0 else { return }
    findings.report(
      .ignoredMinCount(subject.name), at: subject.place(of: .minCount),
      notes: [.init("'optional' is given here", at: subject.place(of: .optional))])
  }
}
