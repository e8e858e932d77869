// Findings about relationships (M6, M9, D6, D11).
extension ModelFinding {
  static func inverseIsAttribute(_ inverse: String, of relationship: String) -> Self {
    Self(
      .unknownInverse,
      "the inverse of relationship \(relationship.quoted) is \(inverse.quoted), which is an attribute")
  }

  /// - Parameter back: the name that it should have.
  static func inverseNamesOther(
    _ inverse: String, _ named: String?, of relationship: String, _ back: String
  ) -> Self {
    let found =
      named.map {
        "has the inverse \($0.quoted), and a relationship has only one; leave 'inverse' out here, or declare another "
          + "relationship that leads back to \(back.quoted)"
      } ?? "names no inverse; add \"inverse\": \"\(back)\" there"
    return Self(
      .inverseDoesNotPointBack,
      "the inverse \(inverse.quoted) of relationship \(relationship.quoted) does not point back: it \(found)")
  }

  static func inverseLeadsElsewhere(
    _ inverse: String, to destination: String, of relationship: String, in entity: String
  ) -> Self {
    Self(
      .inverseDoesNotPointBack,
      "the inverse \(inverse.quoted) of relationship \(relationship.quoted) does not point back: it leads to "
        + "\(destination.quoted), not to \(entity.quoted)")
  }

  static func inverseIsInherited(_ inverse: String, from ancestor: String, of relationship: String) -> Self {
    Self(
      .inverseDoesNotPointBack,
      "the inverse \(inverse.quoted) of relationship \(relationship.quoted) is declared in \(ancestor.quoted): the "
        + "destination itself has to declare it")
  }

  static func toManyOnly(_ word: ModelFileKey, of relationship: String) -> Self {
    Self(
      .toManyOnly,
      "\(word.quoted) is for to-many relationships, and \(relationship.quoted) is to-one: leave it out, or "
        + "add \"toMany\": true")
  }

  static func maxCountBelowOne(_ relationship: String, _ count: Int) -> Self {
    Self(
      .impossibleBounds,
      "'maxCount' of \(relationship.quoted) is \(count): expected 1 or more; without it there is no limit")
  }

  static func orphansWithoutInverse(_ relationship: String) -> Self {
    Self(
      .orphansWithoutInverse,
      "'deleteOrphans' of \(relationship.quoted) needs an 'inverse', which tells who still refers to an object")
  }

  static func identifierWithoutIdentity(_ relationship: String, to destination: String) -> Self {
    Self(
      .identifierWithoutIdentity,
      "'JSONRepresentation' of \(relationship.quoted) is \"identifier\", but \(destination.quoted) has no identity: use "
        + "\"object\", or give \(destination.quoted) 'identityAttributes'")
  }
}
