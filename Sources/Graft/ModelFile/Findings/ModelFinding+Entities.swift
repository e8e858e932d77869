// Findings about entities: hierarchy, identity, mappers (M3, M8, M9, D4, D11).
extension ModelFinding {
  static func duplicateEntity(_ name: String) -> Self {
    Self(.duplicateEntity, "entity \(name.quoted) is declared twice")
  }

  static func duplicateClass(_ name: String, of entity: String, and other: String) -> Self {
    Self(
      .duplicateClass,
      "entities \(other.quoted) and \(entity.quoted) have the same class \(name.quoted): each entity needs its own class"
    )
  }

  static func parentCycle(_ names: [String]) -> Self {
    let shown = names.count > 6 ? Array(names.prefix(3)) + ["…"] + names.suffix(2) : names
    return Self(
      .parentCycle, "entity \(names[0].quoted) inherits from itself: \(shown.joined(separator: " < "))")
  }

  static func tooManyAncestors(_ entity: String, limit: Int) -> Self {
    Self(.tooDeep, "entity \(entity.quoted) has more than \(limit) ancestors")
  }

  static func tooManyEntities(_ count: Int, limit: Int) -> Self {
    Self(.tooLarge, "the model has \(count) entities: the limit is \(limit)")
  }

  static func tooManyHierarchies(_ count: Int, limit: Int) -> Self {
    Self(.tooLarge, "the model has \(count) entities without a parent: the limit is \(limit)")
  }

  static func tooManyProperties(_ entity: String, _ count: Int, limit: Int) -> Self {
    Self(
      .tooLarge,
      "entity \(entity.quoted) has \(count) properties, including inherited ones: the limit is \(limit)")
  }

  static func redeclaredProperty(_ name: String, in entity: String, declaredIn other: String) -> Self {
    Self(
      .redeclaredProperty,
      entity == other
        ? "\(name.quoted) is declared twice in entity \(entity.quoted)"
        : "\(name.quoted) of entity \(entity.quoted) is inherited: its ancestor \(other.quoted) already declares it"
    )
  }

  static func repeatedIdentityAttribute(_ name: String, of entity: String) -> Self {
    Self(
      .repeatedIdentityAttribute, "the identity attribute \(name.quoted) of entity \(entity.quoted) is given twice")
  }

  static func unusableIdentityAttribute(_ name: String, of entity: String) -> Self {
    Self(
      .unusableIdentityAttribute,
      "the identity attribute \(name.quoted) of entity \(entity.quoted) is of type 'json', which cannot identify objects"
    )
  }

  static func listAsIdentity(_ name: String, of entity: String) -> Self {
    Self(
      .unusableIdentityAttribute,
      "the identity attribute \(name.quoted) of entity \(entity.quoted) is a list, which cannot identify objects")
  }

  /// - Parameter reason: why the objects cannot be identified inside an owner.
  static func identityRelationship(_ name: String, of entity: String, _ reason: String) -> Self {
    Self(
      .identityRelationship,
      "the relationship \(name.quoted) cannot be part of the identity of entity \(entity.quoted): \(reason)")
  }

  static func identityDefault(_ name: String, of entity: String) -> Self {
    Self(
      .identityDefault,
      "the default of \(name.quoted) is never used: it is an identity attribute of entity \(entity.quoted)",
      severity: .warning)
  }

  static func identityWithoutKeyPath(_ name: String, of entity: String) -> Self {
    Self(
      .identityWithoutKeyPath,
      "the identity attribute \(name.quoted) of entity \(entity.quoted) has no 'JSONKeyPath', so payloads cannot "
        + "identify objects; add one, such as \"JSONKeyPath\": \"\(name.shortened)\"")
  }

  static func extendedIdentity(_ entity: String, of parent: String) -> Self {
    Self(
      .extendedIdentity,
      "entity \(entity.quoted) extends the identity of \(parent.quoted): identifiers and partial updates imported "
        + "as \(parent.quoted) do not find its objects", severity: .warning)
  }

  static func identityOrder(_ entity: String, of parent: String, _ whole: [String]) -> Self {
    let written = whole.map { "\"\($0.shortened)\"" }.joined(separator: ", ")
    return Self(
      .identityOrder,
      "the identity of entity \(entity.quoted) must begin with the identity of \(parent.quoted), in the same order: "
        + "expected \"identityAttributes\": [\(written)]"
    ).proposing("[\(written)]")
  }

  static func emptyMapper(_ entity: String) -> Self {
    Self(
      .emptyMapper,
      "the mapper of entity \(entity.quoted) is empty: expected values and the entities that they select, as in "
        + "{ \"text\": \"TextMessage\" }")
  }

  static func duplicateDiscriminator(_ value: String, of entity: String) -> Self {
    Self(.duplicateDiscriminator, "the mapper of entity \(entity.quoted) lists \(value.quoted) twice")
  }

  static func mapperTargetOutsideHierarchy(_ target: String, of entity: String) -> Self {
    Self(
      .mapperTargetOutsideHierarchy,
      "the mapper of entity \(entity.quoted) lists \(target.quoted), which does not inherit from it",
      offender: target
    ).withoutFix
  }

  static func abstractMapperTarget(_ target: String, of entity: String) -> Self {
    Self(
      .abstractMapperTarget,
      "the mapper of entity \(entity.quoted) lists \(target.quoted), which is abstract and so cannot have objects",
      offender: target
    ).withoutFix
  }

  static func abstractWithoutSubentities(_ entity: String, reachedBy relationship: String) -> Self {
    Self(
      .abstractDestination,
      "the destination of relationship \(relationship.quoted) is the abstract entity \(entity.quoted), which has no "
        + "concrete sub-entity: it cannot have objects")
  }

  static func abstractWithoutMapper(_ entity: String, reachedBy relationship: String) -> Self {
    Self(
      .abstractDestination,
      "the destination of relationship \(relationship.quoted) is the abstract entity \(entity.quoted), which has no "
        + "'entityMapper' to select the sub-entity of an object")
  }

  static func abstractBeyondMapper(_ entity: String, mapperOf owner: String, reachedBy relationship: String) -> Self {
    Self(
      .abstractDestination,
      "the destination of relationship \(relationship.quoted) is the abstract entity \(entity.quoted), but the mapper of "
        + "entity \(owner.quoted) lists none of its sub-entities")
  }
}
