// Findings about unknown names (M9).
extension ModelFinding {
  static func unknownParent(_ name: String, of entity: String) -> Self {
    Self(.unknownEntity, "the parent \(name.quoted) of entity \(entity.quoted) is not an entity", offender: name)
  }

  static func unknownDestination(_ name: String, of relationship: String) -> Self {
    Self(
      .unknownEntity, "the destination \(name.quoted) of relationship \(relationship.quoted) is not an entity",
      offender: name)
  }

  static func unknownMapperTarget(_ name: String, of entity: String) -> Self {
    Self(
      .unknownEntity, "the mapper of entity \(entity.quoted) lists \(name.quoted), which is not an entity",
      offender: name)
  }

  static func unknownInverse(_ name: String, of relationship: String, in destination: String) -> Self {
    Self(
      .unknownInverse,
      "the inverse \(name.quoted) of relationship \(relationship.quoted) is not a relationship of entity "
        + destination.quoted, offender: name)
  }

  static func unknownIdentityAttribute(_ name: String, of entity: String) -> Self {
    Self(
      .unknownIdentityAttribute, "the identity attribute \(name.quoted) is not an attribute of entity \(entity.quoted)",
      offender: name)
  }

  /// - Parameter owner: the attribute or relationship: `attribute 'Hero.name'`.
  static func unknownTransformer(_ name: String, of owner: String, _ severity: Diagnostic.Severity) -> Self {
    Self(
      .unknownTransformer,
      "the transformer \(name.quoted) of \(owner) is neither built in nor registered",
      offender: name, severity: severity, listsCandidates: severity == .error)
  }

  static func unknownDictionaryTransformer(
    _ name: String, of entity: String, _ severity: Diagnostic.Severity
  ) -> Self {
    Self(
      .unknownDictionaryTransformer,
      "the dictionary transformer \(name.quoted) of entity \(entity.quoted) is not registered", offender: name,
      severity: severity, listsCandidates: severity == .error)
  }

  static func unknownMapper(_ name: String, of entity: String, _ severity: Diagnostic.Severity) -> Self {
    Self(
      .unknownMapper, "the entity mapper \(name.quoted) of entity \(entity.quoted) is not registered",
      offender: name, severity: severity, listsCandidates: severity == .error)
  }

  /// - Parameter title: the entity or property, with its kind.
  static func formerNameInUse(_ name: String, of title: String) -> Self {
    Self(
      .badName,
      "the former name \(name.quoted) of \(title) is still in use: 'renamedFrom' requires a name that the model no longer uses"
    )
  }

  static func unknownMigratedAttribute(_ name: String, of relationship: String, destination: String) -> Self {
    Self(
      .misplacedMigration,
      "'migratedFrom' of \(relationship.quoted) gives a value to \(name.quoted), which is not an attribute of \(destination.quoted)",
      offender: name)
  }

  static func misplacedMigration(of title: String, _ reason: String) -> Self {
    Self(.misplacedMigration, "'migratedFrom' of \(title.quoted) cannot be used: \(reason)")
  }

  static func removedNameInUse(_ title: String) -> Self {
    Self(
      .badName,
      "'removed' lists \(title.quoted), which the model still declares: it requires names that the model no longer uses"
    )
  }

  static func repeatedFormerName(_ name: String, of title: String) -> Self {
    Self(.badName, "the former name \(name.quoted) of \(title) is given twice: only one of them can keep the data")
  }
}
