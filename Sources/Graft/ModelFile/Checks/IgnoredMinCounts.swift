extension ModelChecker {
  /// M9, D6: a to-many that is not optional holds at least one object, whatever `minCount` is.
  func checkIgnoredMinCount(_ subject: RelationshipSubject) {
    let relationship = subject.relationship
    guard relationship.isToMany, !relationship.isOptional, relationship.minCount == 0 else { return }
    findings.report(
      .ignoredMinCount(subject.name), at: subject.place(of: .minCount),
      notes: [.init("'optional' is given here", at: subject.place(of: .optional))])
  }
}
