// Findings about relationships (M6, M9, D6, D11).
extension ModelFinding {
  static func inverseIsAttribute(_ inverse: String, of relationship: String) -> Self {
    Self(
      .unknownInverse,
      "the inverse of relationship \(relationship.quoted) is \(inverse.quoted), which is an attribute")
  }

  /// - Parameter back: the name that the inverse should have.
  static func inverseNamesOther(
    _ inverse: String, _ named: String?, of relationship: String, _ back: String
  ) -> Self {
    let found =
      named.map {
        "has the inverse \($0.quoted), and a relationship has only one inverse; remove 'inverse' here, or declare another "
          + "relationship as the inverse of \(back.quoted)"
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
      "the inverse \(inverse.quoted) of relationship \(relationship.quoted) does not point back: its destination is "
        + "\(destination.quoted), not \(entity.quoted)")
  }

  static func inverseIsInherited(_ inverse: String, from ancestor: String, of relationship: String) -> Self {
    Self(
      .inverseDoesNotPointBack,
      "the inverse \(inverse.quoted) of relationship \(relationship.quoted) is declared in \(ancestor.quoted): the "
        + "destination itself must declare it")
  }

  static func toManyOnly(_ word: ModelFileKey, of relationship: String) -> Self {
    Self(
      .toManyOnly,
      "\(word.quoted) is for to-many relationships, but \(relationship.quoted) is to-one: remove it, or "
        + "add \"toMany\": true")
  }

  static func maxCountBelowOne(_ relationship: String, _ count: Int) -> Self {
    Self(
      .impossibleBounds,
      "'maxCount' of \(relationship.quoted) is \(count): expected 1 or more; for no limit, remove it")
  }

  static func orphansWithoutInverse(_ relationship: String) -> Self {
    Self(
      .orphansWithoutInverse,
      "'deleteOrphans' of \(relationship.quoted) requires an 'inverse', which shows whether an object still has an owner"
    )
  }

  static func identifierWithoutIdentity(_ relationship: String, to destination: String) -> Self {
    Self(
      .identifierWithoutIdentity,
      "'JSONRepresentation' of \(relationship.quoted) is \"identifier\", but \(destination.quoted) has no identity: use "
        + "\"object\", or give \(destination.quoted) 'identityAttributes'")
  }
}
