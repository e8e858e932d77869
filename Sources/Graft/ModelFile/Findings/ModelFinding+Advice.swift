// Findings for models that are legal but probably a mistake (M9). All of these are warnings.
extension ModelFinding {
  /// - Parameter relationship: the only property with a key path.
  static func mappedOnlyByInverse(_ entity: String, _ relationship: String) -> Self {
    Self(
      .unmappedEntity,
      "entity \(entity.quoted) has no key path except that of \(relationship.quoted), a relationship with an inverse, so imports "
        + "and exports ignore its attributes; add a 'JSONKeyPath' to them, or \"JSONKeyPath\": null to one of them if that is "
        + "intended", severity: .warning)
  }

  static func unmappedEntity(_ entity: String) -> Self {
    Self(
      .unmappedEntity,
      "entity \(entity.quoted) has no key paths, so imports and exports ignore its properties; add a 'JSONKeyPath' to them "
        + "or a 'keyStrategy' to the model, or \"JSONKeyPath\": null to one of them if that is intended",
      severity: .warning)
  }

  static func unfilledAttribute(_ attribute: String) -> Self {
    Self(
      .unfilledAttribute,
      "\(attribute.quoted) is required, but no payload can give it a value; add a 'JSONKeyPath', a 'default' or "
        + "\"optional\": true",
      severity: .warning)
  }

  static func ignoredMinCount(_ relationship: String) -> Self {
    Self(
      .ignoredMinCount,
      "'minCount' 0 of \(relationship.quoted) has no effect: \"optional\": false requires at least one object",
      severity: .warning)
  }

  /// - Parameter candidate: the relationship that could be the inverse, if there is exactly one.
  static func cascadeWithoutInverse(_ relationship: String, to destination: String, _ candidate: String?) -> Self {
    Self(
      .missingInverse,
      "'cascade' of \(relationship.quoted) deletes objects that have no relationship to their owner; "
        + inverse(to: destination, candidate, and: ""), severity: .warning)
  }

  static func ownerWithoutInverse(_ relationship: String, to destination: String, _ candidate: String?) -> Self {
    Self(
      .missingInverse,
      "the objects of \(relationship.quoted) have no identity, so each import inserts new ones and leaves the old ones in "
        + "the graph; \(inverse(to: destination, candidate, and: "\"deleteOrphans\": true"))", severity: .warning)
  }

  /// Returns advice about a missing inverse.
  ///
  /// - Parameter more: further advice, or an empty string.
  private static func inverse(to destination: String, _ candidate: String?, and more: String) -> String {
    let more = more.isEmpty ? "" : " with \(more)"
    guard let candidate else {
      return "declare the inverse relationship in \(destination.quoted), and name it here as 'inverse'\(more)"
    }
    return "add \"inverse\": \"\(candidate.shortened)\" here\(more)"
  }

  static func unreachedEntity(_ entity: String, parent: String, mapperOf owner: String?) -> Self {
    let way =
      owner.map { "the mapper of entity \($0.quoted) does not list it" }
      ?? "no 'entityMapper' of \(parent.quoted) lists it"
    return Self(
      .unreachedEntity,
      "no relationship or mapper reaches entity \(entity.quoted): \(way)", severity: .warning)
  }

  static func oneWayMapper(_ name: String, of entity: String) -> Self {
    Self(
      .oneWayClosure,
      "exports of entity \(entity.quoted) may not be importable: the mapper \(name.quoted) is a closure, and exports do not "
        + "write what it reads; an 'entityMapper' works in both directions", severity: .warning)
  }

  static func oneWayFallback(_ entity: String, _ path: JSONKeyPath) -> Self {
    Self(
      .oneWayFallback,
      "exports of entity \(entity.quoted) may not be importable: they have no value at \(path.description.quoted) that "
        + "selects it; give it an attribute with this 'JSONKeyPath', or list a value for it in 'entities'",
      severity: .warning)
  }

  static func oneWayDictionaryTransformer(_ name: String, of entity: String) -> Self {
    Self(
      .oneWayClosure,
      "exports of entity \(entity.quoted) may not be importable: the dictionary transformer \(name.quoted) "
        + "changes the imported objects, and exports do not undo that",
      severity: .warning)
  }

  /// - Parameter word: the key that keeps the relationship out of exports, and the key's value.
  static func unexportedRelationship(
    _ relationship: String, inverse: String?, _ word: (key: ModelFileKey, value: String)
  ) -> Self {
    let reason =
      inverse.map { "its inverse \($0.quoted) is not exported either" } ?? "it has no inverse that is exported"
    return Self(
      .unexportedRelationship,
      "the links of \(relationship.quoted) are lost when an export is imported: \(word.key.quoted) is \(word.value.quoted), "
        + "and \(reason)", severity: .warning)
  }

  static func unexportedAttribute(_ attribute: String) -> Self {
    Self(
      .unexportedAttribute,
      "exports omit \(attribute.quoted), which is required, so they cannot be imported into another graph; add a 'default' or "
        + "\"optional\": true", severity: .warning)
  }
}
