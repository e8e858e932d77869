// Probable mistakes in a payload or its model that do not make the import fail (I19).
extension ImportFinding {
  /// An object without any key of its entity.
  static func noMappedKey(_ entity: EntityPlan, found keys: [String]) -> Self {
    Self(
      .noMappedKey, about: entity.subject, "expected a key that '\(entity.name)' maps",
      found: keys.isEmpty ? "an empty object" : .fact(list(keys)),
      requirement: Requirement(entity))
  }

  /// An object of an entity that does not map any key.
  static func entityWithoutKeys(_ entity: EntityPlan) -> Self {
    Self(
      .noMappedKey, about: entity.subject,
      "no value of this object is imported, because '\(entity.name)' has no key paths",
      requirement: Requirement(entity),
      remark: "add a \"JSONKeyPath\" to its properties, or a \"keyStrategy\" to the model")
  }

  /// - Parameters:
  ///   - key: a key that is not mapped.
  ///   - absent: the mapped key that was probably intended.
  static func nearUnmappedKey(_ key: String, absent: String, _ entity: EntityPlan, _ property: PropertyPlan?) -> Self {
    let source = property?.source ?? entity.description.source
    let subject = property.map { "'\(entity.name).\($0.name)'" } ?? "'\(entity.name)'"
    var finding = Self(
      .nearUnmappedKey, about: entity.subject,
      "the key \(FoundPhrase.quoted(key.utf8)) is not mapped, and \(FoundPhrase.quoted(absent.utf8)), which \(subject) maps, "
        + "is absent; did you mean \(FoundPhrase.quoted(key.utf8)) in the model?",
      requirement: Requirement(
        source, source[.JSONKeyPath] == nil ? nil : .JSONKeyPath,
        "\(subject) reads \(FoundPhrase.quoted(absent.utf8)) here"))
    finding.suggestion = key
    finding.namesSuggestion = true
    return finding
  }

  /// Two dictionaries of one object give a property different values.
  static func contradiction(_ subject: Subject, old: String, new: String) -> Self {
    Self(
      .contradiction, about: subject.named,
      "expected dictionaries with the same identity to agree on \(subject.quoted)",
      found: .value("\(new) after \(old)"), requirement: Requirement(identityOf: subject.entity),
      remark:
        "the later value is kept; if the dictionaries describe different objects, 'identityAttributes' must tell them apart"
    )
  }

  /// An array whose order cannot be restored from the stored values.
  static func lostOrder(_ subject: Subject) -> Self {
    Self(
      .lostOrder, about: subject.named, "the order of this array is lost, because \(subject.quoted) is not ordered",
      requirement: Requirement(
        subject.property.source, .toMany,
        "to keep the order, add \"ordered\": true to '\(subject.property.name)'; if it does not matter, \"ordered\": false"
      ))
  }

  /// Returns a phrase such as `a list of 2 objects`.
  static func listPhrase(_ count: Int) -> String { "a list of \(count) object\(count == 1 ? "" : "s")" }

  /// An object that several lists or to-one relationships of the payload claim, although only one of them can keep it.
  ///
  /// - Parameters:
  ///   - inverse: the to-one relationship that can refer to only one of the claiming objects.
  ///   - object: the name of the object.
  static func lostLink(_ subject: Subject, _ inverse: Subject, _ object: String) -> Self {
    Self(
      .lostLink, about: subject.named, "expected each object in only one \(subject.quoted)",
      found: "the object '\(object)' again",
      requirement: Requirement(
        inverse.property.source, nil,
        "the inverse \(inverse.quoted) is a to-one, so the later link replaces the earlier one; if both are right, make it a "
          + "to-many"))
  }

  /// An object that names a second object whose own value for the inverse does not name the first.
  ///
  /// - Parameters:
  ///   - subject: the inverse.
  ///   - claimed: the relationship of the object that loses the link.
  static func contradictedLink(
    _ subject: Subject, _ claimed: Subject, owner: String, target: String, isNull: Bool
  ) -> Self {
    func place(_ subject: Subject) -> String {
      "\(subject.property.relationship?.isToMany == true ? "in" : "for") \(subject.quoted)"
    }
    return Self(
      .lostLink, about: subject.named,
      "expected '\(owner)' \(place(subject)), because it has '\(target)' \(place(claimed))",
      found: isNull ? "null" : subject.property.relationship?.isToMany == true ? "a list without it" : "another object",
      requirement: Requirement(
        subject.property.source, nil,
        "\(subject.quoted) is the inverse of \(claimed.quoted), so the later value removes the link; if both are right, these are "
          + "two relationships"))
  }

  /// An object that an ordered list names several times.
  static func repeatedElement(_ subject: Subject, _ object: String) -> Self {
    Self(
      .repeatedElement, about: subject.named, "expected each object only once in \(subject.quoted), which is ordered",
      found: "the object '\(object)' again",
      requirement: Requirement(
        subject.property.source, nil,
        "a relationship contains an object only once; to keep repeats, give each position its own object, identified by "
          + "its owner and '@index'"))
  }

  /// An identifier such as 0 that created a placeholder.
  ///
  /// - Parameter text: the identifier in JSON.
  static func emptyReference(_ subject: Subject, found: String, _ text: String?) -> Self {
    let destination = subject.property.relationship?.destinationName ?? ""
    let nulls = subject.property.nulls
    let addition =
      nulls.isEmpty ? "add \"JSONNulls\": [\(text ?? "")]" : "add \(text ?? "") to the \"JSONNulls\""
    return Self(
      .emptyReference, about: subject.named,
      "expected the identifier of an object for \(subject.quoted)", found: .value(found),
      requirement: Requirement(
        subject.property.source, nil,
        "if it means that there is no '\(destination)', \(addition)"
          + (subject.property.isOptional ? "" : " and \"optional\": true") + " here"),
      remark: "no object has this identifier, so it created a placeholder")
  }

  /// A value that an open `enum` does not list.
  static func unlistedValue(_ subject: Subject, _ value: AttributeValue) -> Self {
    Self(
      .unlistedValue, about: subject.named, "expected one of the known values of \(subject.quoted)",
      found: .value(value.foundPhrase),
      requirement: Requirement(subject.property.source, .enum, "the known values are listed here"),
      remark: "the value is kept; if it is correct, add it to the 'enum'")
  }

  /// An object that a mapper skips, because its table does not list the discriminator.
  static func skippedDictionary(_ entity: EntityPlan, _ path: JSONKeyPath, found: String) -> Self {
    let owner = sequence(first: entity, next: \.parent).first { $0.description.entityMapper != nil } ?? entity
    var finding = Self(
      .skippedDictionary, about: entity.subject,
      "this object of '\(entity.name)' is skipped, because the mapper does not list its '\(path)'",
      found: .value(found),
      requirement: Requirement(
        owner.description.source, .otherwise, "'otherwise' is null here, which skips objects with other values"))
    finding.isKindOfItsValue = true
    return finding
  }
}
