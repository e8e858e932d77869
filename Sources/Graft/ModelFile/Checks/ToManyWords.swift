extension ModelChecker {
  /// M6: some words only make sense where there are many.
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
