extension ModelChecker {
  /// Checks that a number of objects can satisfy `minCount` and `maxCount` (D11).
  func checkCounts(_ subject: RelationshipSubject) {
    let (least, most) = (subject.relationship.minCount, subject.relationship.maxCount)
    if let least, least < 0 {
      findings.report(.negativeBound(.minCount, of: subject.name, least), at: subject.place(of: .minCount))
    }
    if let most, most < 1 {
      findings.report(.maxCountBelowOne(subject.name, most), at: subject.place(of: .maxCount))
    } else if let least, let most, least > most {
      findings.report(
        .impossibleBounds(.minCount, "\(least)", .maxCount, "\(most)", of: subject.name),
        at: subject.place(of: .minCount), notes: [.init("'maxCount' is given here", at: subject.place(of: .maxCount))])
    }
  }
}
