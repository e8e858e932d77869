// Objects and identifiers in relationships (I4, I5, M11).
extension ImportFinding {
  /// A value that is neither an object nor an identifier.
  ///
  /// - Parameters:
  ///   - subject: the relationship; nil at the top of the payload.
  ///   - isOutside: whether the value is outside the object, where only identifiers are read (M19).
  static func notAnIdentifier(
    _ entity: EntityPlan, _ subject: Subject?, isArray: Bool, isOutside: Bool, found: String
  ) -> Self {
    let identity = entity.identityNames
    var remark: String?
    if isArray, identity.count < 2, let relationship = subject?.property.relationship, !relationship.isToMany {
      remark = "for several objects, declare the relationship with \"toMany\": true"
    }
    let expected: String
    switch identity.count {
    case 0:
      expected = "an object"
      remark = "'\(entity.name)' has no identity attributes, so identifiers cannot refer to its objects"
    case 1:
      expected = (isOutside ? "an identifier" : "an object or an identifier") + (isArray ? "" : " (\(identity[0]))")
    default:
      expected = (isOutside ? "" : "an object or ") + "an array of \(identity.count) identity values"
      remark = "'\(entity.name)' is identified by \(identity.joined(separator: ", ")), in this order"
    }
    return Self(
      .wrongType, about: subject?.named ?? entity.subject,
      "expected \(expected)" + (subject.map { " for \($0.quoted)" } ?? ""),
      found: .value(found),
      requirement: subject?.relationship ?? Requirement(entity), remark: remark)
  }

  static func wrongIdentifierCount(_ entity: EntityPlan, _ count: Int) -> Self {
    let identity = entity.identityNames
    return Self(
      .wrongIdentifier, about: entity.subject,
      "expected an array of \(identity.count) values (\(identity.joined(separator: ", "))) to identify '\(entity.name)'",
      found: "\(count)", requirement: Requirement(identityOf: entity))
  }

  static func nilIdentifier(_ entity: EntityPlan) -> Self {
    Self(
      .wrongIdentifier, about: entity.subject,
      "an identifier of '\(entity.name)' cannot be null", requirement: Requirement(identityOf: entity)
    )
  }

  static func unresolvedIdentifier(_ relationship: RelationshipDescription, of entity: EntityPlan) -> Self {
    Self(
      .unresolvedIdentifier, about: Diagnostic.Subject(entityName: entity.name, propertyName: relationship.name),
      "no '\(relationship.destinationName)' has this identifier, and '\(entity.name).\(relationship.name)' accepts "
        + "existing objects only",
      requirement: Requirement(
        relationship.source, .unresolvedRule, "'\(relationship.name)' declares \"unresolvedRule\": \"deny\" here"))
  }

  // MARK: Owners

  /// An object inside its owner that names another owner (M12).
  ///
  /// - Parameter owner: the name of the object that contains this object.
  static func otherOwner(_ subject: Subject, inside owner: String) -> Self {
    Self(
      .otherOwner, about: subject.named, "expected \(owner) for \(subject.quoted), the object that contains this one",
      found: "another object or none",
      requirement: Requirement(identityOf: subject.entity),
      remark: "omit '\(subject.property.name)' where an object is nested in its owner")
  }

  /// A dictionary without identity may describe an object that the payload deletes or changes, or another object (M27).
  static func ambiguousAlternate(
    _ entity: EntityPlan, _ number: Int, _ first: String, isDeleted: Bool, other: String
  ) -> Self {
    let change = isDeleted ? "deletes" : "gives another value"
    return severalByAlternate(entity, number, "'\(first)', which the payload \(change), and '\(other)'")
  }

  /// A dictionary without identity could describe too many objects, all of which currently have its values (M27).
  static func crowdedAlternate(_ entity: EntityPlan, _ number: Int) -> Self {
    severalByAlternate(entity, number, "more than 100")
  }

  private static func severalByAlternate(_ entity: EntityPlan, _ number: Int, _ found: String) -> Self {
    let names = entity.alternates[number].slots.map { "'\(entity.properties[$0].name)'" }.joined(separator: " and ")
    return Self(
      .duplicateIdentity, about: entity.subject,
      "expected one object with the \(names) of this one, found \(found)",
      requirement: Requirement(
        entity.description.source, .alternateIdentities, "'\(entity.name)' declares its alternate identities here"),
      remark: "also give its identity (\(entity.identityNames.joined(separator: ", ")))")
  }

  /// The values of a dictionary would give its object the identity of another object. The object was found by an alternate identity
  /// (M27), or by its position in a list (I23).
  static func completedIdentity(_ entity: EntityPlan, _ other: String) -> Self {
    Self(
      .duplicateIdentity, about: entity.subject,
      "with the values of this dictionary, its object would have the identity of another object, '\(other)'",
      requirement: Requirement(identityOf: entity),
      remark: "give the whole identity (\(entity.identityNames.joined(separator: ", ")))")
  }

  /// Returns advice about objects that lose the owner that identifies them (M12).
  static func orphansRemark(_ owner: RelationshipDescription) -> String {
    "to delete objects that leave '\(owner.destinationName).\(owner.inverseName ?? "")', add \"deleteOrphans\": true to it"
  }

  /// An object in place of the identifier of an owner (M12).
  static func objectInIdentifier(_ owner: EntityPlan, of entity: EntityPlan) -> Self {
    Self(
      .wrongIdentifier, about: entity.subject,
      "expected an identifier of '\(owner.name)' in the identifier of '\(entity.name)'",
      found: "an object", requirement: Requirement(identityOf: entity))
  }

  /// An object in place of an identifier that a key path reads from outside (M19).
  static func surroundingObject(_ path: JSONKeyPath, _ subject: Subject, _ destination: EntityPlan) -> Self {
    let identity = destination.identitySlots.first.flatMap { destination.properties[$0].keyPath }
    let inner = identity.flatMap { $0.isKeyWord || destination.identitySlots.count > 1 ? nil : "\(path).\($0)" }
    return Self(
      .wrongType, about: subject.named, "expected an identifier at the key path '\(path)' of \(subject.quoted)",
      found: "an object",
      requirement: subject.relationship,
      remark: "'@parent' and '@root' read identifiers of objects"
        + (inner.map { ": to read the identifier of this object, write \"JSONKeyPath\": \"\($0)\"" } ?? ""))
  }

  // MARK: Lists

  /// - Parameter isKeyed: whether an object of objects is also read.
  static func notAList(_ subject: Subject, isKeyed: Bool, isObject: Bool, found: String) -> Self {
    let single = "to read a single \(isObject ? "object" : "value") as a list of one, add \"lenient\": true"
    let keyed =
      "; to read an object whose values are the elements, give an attribute of "
      + "'\(subject.property.relationship?.destinationName ?? "")' the key path \"@key\""
    return Self(
      .wrongType, about: subject.named,
      "expected an array\(isKeyed ? " or an object of objects" : "") for the to-many relationship \(subject.quoted)",
      found: .value(found), requirement: subject.relationship,
      remark: isKeyed || subject.property.isLenient ? nil : isObject ? single + keyed : single)
  }

  static func notAKeyedElement(_ entity: EntityPlan, found: String) -> Self {
    Self(
      .wrongType, about: entity.subject,
      "expected an object of '\(entity.name)' under its key", found: .value(found),
      requirement: Requirement(entity),
      remark: "to read an element that is not an object, give an attribute of '\(entity.name)' the key path \"@value\"")
  }

  /// A key of an object that is read as a list (M22).
  static func wrongNumber(_ subject: Subject, expected: Int, found: String) -> Self {
    Self(
      .wrongType, about: subject.named,
      "expected the key \"\(expected)\" in the object that represents the list \(subject.quoted)", found: .value(found),
      requirement: subject.lenience,
      remark: "an object is read as a list if its keys are 0, 1 and so on, in this order")
  }

  /// A list in place of one object (M22).
  static func severalForOne(_ subject: Subject, _ count: Int) -> Self {
    Self(
      .wrongType, about: subject.named, "expected one object for the to-one relationship \(subject.quoted)",
      found: "\(count)", requirement: subject.lenience,
      remark: "for several objects, declare the relationship with \"toMany\": true")
  }

  /// An identifier in several keys, some of which are missing (M24).
  static func incompleteIdentifier(_ subject: Subject, missing: [JSONKeyPath]) -> Self {
    let paths = missing.map { "'\($0)'" }.joined(separator: ", ")
    return Self(
      .wrongIdentifier, about: subject.named,
      "expected a value at the key path \(paths), for the rest of the identifier of \(subject.quoted)",
      found: "null or none",
      requirement: Requirement(
        subject.property.source, .JSONKeyPath, "the key paths of '\(subject.property.name)' are given here"))
  }

  /// A value on a path through arrays (M25).
  static func wrongOnPath(_ path: JSONKeyPath, _ subject: Subject, expected: String, found: String) -> Self {
    Self(
      .wrongType, about: subject.named, "expected \(expected) on the key path '\(path)' of \(subject.quoted)",
      found: .value(found),
      requirement: Requirement(
        subject.property.source, .JSONKeyPath, "the key path of '\(subject.property.name)' is given here"))
  }

  /// - Parameter words: how the call names the path of the payload's objects.
  static func wrongOnPath(words: String, expected: String, found: String) -> Self {
    Self(.wrongType, "expected \(expected) on the key path through arrays, which \(words) names", found: .value(found))
  }

  // MARK: Single objects

  /// An array where one object is imported.
  static func arrayForOne(_ entity: EntityPlan) -> Self {
    Self(
      .wrongType, about: entity.subject,
      "expected an object or an identifier of '\(entity.name)'", found: "an array",
      remark: "to import arrays, call objects(fromJSON:in:)")
  }

  /// A collection by keys where one object is imported.
  static func severalForOne(_ entity: EntityPlan, _ count: Int) -> Self {
    Self(
      .wrongType, about: entity.subject, "expected one object of '\(entity.name)'",
      found: "\(count)",
      remark: "to import collections, call objects(fromJSON:in:)")
  }

  /// The payload must be one object, but marks it as deleted (M17).
  static func markedForOne(_ entity: EntityPlan) -> Self {
    Self(
      .noObject, about: entity.subject,
      "expected an object of '\(entity.name)' in the payload", found: "one that is marked as deleted",
      remark: "import it as a list, with objects(fromJSON:) or importJSON, to delete the object")
  }

  /// The payload has no object.
  static func noObject(_ entityName: String) -> Self {
    Self(
      .noObject, about: Diagnostic.Subject(entityName: entityName),
      "expected an object of '\(entityName)' in the payload", found: "none")
  }

  /// A value that encodes to null.
  static func encodedNull(_ entityName: String) -> Self {
    Self(
      .noObject, about: Diagnostic.Subject(entityName: entityName), "expected an object of '\(entityName)'",
      found: "a value that encodes to null")
  }
}

extension ImportFinding.Subject {
  /// The declaration that allows other forms.
  fileprivate var lenience: ImportFinding.Requirement {
    ImportFinding.Requirement(property.source, .lenient, "'\(property.name)' is declared \"lenient\": true here")
  }

  /// The declaration of the relationship.
  fileprivate var relationship: ImportFinding.Requirement? {
    guard let relationship = property.relationship else { return nil }
    return ImportFinding.Requirement(
      property.source, relationship.isToMany ? .toMany : .destination,
      "'\(property.name)' is a \(relationship.isToMany ? "to-many" : "to-one") relationship to "
        + "'\(relationship.destinationName)' here")
  }
}

extension EntityPlan {
  /// The identity attributes in quotes, in order.
  fileprivate var identityNames: [String] { identitySlots.map { "'\(properties[$0].name)'" } }
}
