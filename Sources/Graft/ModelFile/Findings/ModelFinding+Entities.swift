// Findings about entities: hierarchy, identity, mappers (M3, M8, M9, D4, D11).
extension ModelFinding {
  static func duplicateEntity(_ name: String) -> Self {
    Self(.duplicateEntity, "entity \(name.quoted) is declared twice")
  }

  static func duplicateClass(_ name: String, of entity: String, and other: String) -> Self {
    Self(
      .duplicateClass,
      "entities \(other.quoted) and \(entity.quoted) have the same class \(name.quoted): each needs one of its own")
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
    Self(.tooLarge, "the model has \(count) entities: at most \(limit) are possible")
  }

  static func tooManyHierarchies(_ count: Int, limit: Int) -> Self {
    Self(.tooLarge, "the model has \(count) entities without a parent: at most \(limit) are possible")
  }

  static func tooManyProperties(_ entity: String, _ count: Int, limit: Int) -> Self {
    Self(
      .tooLarge,
      "entity \(entity.quoted) has \(count) properties, inherited ones included: at most \(limit) are possible")
  }

  static func redeclaredProperty(_ name: String, in entity: String, declaredIn other: String) -> Self {
    Self(
      .redeclaredProperty,
      entity == other
        ? "\(name.quoted) is declared twice in entity \(entity.quoted)"
        : "\(name.quoted) of entity \(entity.quoted) is already declared in its ancestor \(other.quoted), and inherited"
    )
  }

  static func repeatedIdentityAttribute(_ name: String, of entity: String) -> Self {
    Self(
      .repeatedIdentityAttribute, "the identity attribute \(name.quoted) of entity \(entity.quoted) is given twice")
  }

  static func unusableIdentityAttribute(_ name: String, of entity: String) -> Self {
    Self(
      .unusableIdentityAttribute,
      "the identity attribute \(name.quoted) of entity \(entity.quoted) is of type 'json', which cannot tell objects apart"
    )
  }

  static func listAsIdentity(_ name: String, of entity: String) -> Self {
    Self(
      .unusableIdentityAttribute,
      "the identity attribute \(name.quoted) of entity \(entity.quoted) is a list, which cannot tell objects apart")
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
      "the default of \(name.quoted) is never used: the objects of entity \(entity.quoted) are told apart by it",
      severity: .warning)
  }

  static func identityWithoutKeyPath(_ name: String, of entity: String) -> Self {
    Self(
      .identityWithoutKeyPath,
      "the identity attribute \(name.quoted) of entity \(entity.quoted) has no 'JSONKeyPath': no payload could say which "
        + "object is meant; it is written so: \"JSONKeyPath\": \"\(name.shortened)\"")
  }

  static func extendedIdentity(_ entity: String, of parent: String) -> Self {
    Self(
      .extendedIdentity,
      "entity \(entity.quoted) extends the identity of \(parent.quoted): identifiers and partial updates that come "
        + "through \(parent.quoted) do not find its objects", severity: .warning)
  }

  static func identityOrder(_ entity: String, of parent: String, _ whole: [String]) -> Self {
    let written = whole.map { "\"\($0.shortened)\"" }.joined(separator: ", ")
    return Self(
      .identityOrder,
      "the identity of entity \(entity.quoted) begins with that of \(parent.quoted), in its order: "
        + "expected \"identityAttributes\": [\(written)]"
    ).proposing("[\(written)]")
  }

  static func emptyMapper(_ entity: String) -> Self {
    Self(
      .emptyMapper,
      "the mapper of entity \(entity.quoted) lists nothing: expected values and the entities that they mean, as in "
        + "{ \"text\": \"TextMessage\" }")
  }

  static func duplicateDiscriminator(_ value: String, of entity: String) -> Self {
    Self(.duplicateDiscriminator, "the mapper of entity \(entity.quoted) lists \(value.quoted) twice")
  }

  static func mapperTargetOutsideHierarchy(_ target: String, of entity: String) -> Self {
    Self(
      .mapperTargetOutsideHierarchy,
      "the mapper of entity \(entity.quoted) leads to \(target.quoted), which does not inherit from it",
      offender: target
    ).withoutFix
  }

  static func abstractMapperTarget(_ target: String, of entity: String) -> Self {
    Self(
      .abstractMapperTarget,
      "the mapper of entity \(entity.quoted) leads to \(target.quoted), which is abstract: no object can be made of it",
      offender: target
    ).withoutFix
  }

  static func abstractWithoutSubentities(_ entity: String, reachedBy relationship: String) -> Self {
    Self(
      .abstractDestination,
      "relationship \(relationship.quoted) leads to the abstract entity \(entity.quoted), which has no concrete "
        + "sub-entity: no object can be made of it")
  }

  static func abstractWithoutMapper(_ entity: String, reachedBy relationship: String) -> Self {
    Self(
      .abstractDestination,
      "relationship \(relationship.quoted) leads to the abstract entity \(entity.quoted), which has no "
        + "'entityMapper' to say which sub-entity an object is")
  }

  static func abstractBeyondMapper(_ entity: String, mapperOf owner: String, reachedBy relationship: String) -> Self {
    Self(
      .abstractDestination,
      "relationship \(relationship.quoted) leads to the abstract entity \(entity.quoted), but the mapper of entity "
        + "\(owner.quoted) lists no sub-entity of it")
  }
}
