// Findings about the synchronization keys of an entity (M17).
extension ModelFinding {
  static func unknownModificationAttribute(_ name: String, of entity: String) -> Self {
    Self(
      .unknownModificationAttribute,
      "the 'modificationAttribute' \(name.quoted) of entity \(entity.quoted) is not one of its attributes",
      offender: name)
  }

  static func unusableModificationAttribute(_ name: String, of entity: String, _ reason: String) -> Self {
    Self(
      .unusableModificationAttribute,
      "\(name.quoted) cannot be the 'modificationAttribute' of entity \(entity.quoted): \(reason)")
  }

  static func unusableDeletionMark(of entity: String) -> Self {
    Self(
      .wrongType, "expected a string, a number or a boolean for 'equals' of 'deletedWhen' of entity \(entity.quoted)")
  }

  static func unmatchedDeletionMark(
    _ mark: EntityDescription.DeletionMark, of entity: String, _ attribute: String, expected: String
  ) -> Self {
    Self(
      .unmatchedDeletionMark,
      "'deletedWhen' of entity \(entity.quoted) expects \(FoundPhrase.of(mark.value)) for "
        + "\(mark.keyPath.description.quoted), but \(attribute.quoted), which reads the same key, accepts \(expected)",
      severity: .warning)
  }

  static func synchronizationWithoutIdentity(_ key: ModelFileKey, of entity: String) -> Self {
    Self(
      .synchronizationWithoutIdentity,
      "entity \(entity.quoted) has \(key.quoted) but no 'identityAttributes', so stored objects cannot be found")
  }
}
