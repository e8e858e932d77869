extension ModelChecker {
  /// Checks that keys for to-many relationships are not used on a to-one relationship (M6).
  func checkToManyWords(_ subject: RelationshipSubject) {
    let relationship = subject.relationship
    guard !relationship.isToMany, relationship.source.isReadable(.toMany) else { return }
    let words: [(ModelFileKey, Bool)] = [
      (.ordered, relationship.isOrdered), (.minCount, relationship.minCount != nil),
      (.maxCount, relationship.maxCount != nil), (.mergeRule, relationship.mergeRule != .replace),
    ]
    for (word, isGiven) in words where isGiven {
      findings.report(.toManyOnly(word, of: subject.name), at: subject.place(of: word))
    }
  }
}
