// The entity of an object (I7, D4), and deletions (M6, D1).
extension ImportFinding {
  /// - Parameters:
  ///   - answer: the entity that the mapper chose.
  ///   - mapper: the name of the mapper; nil for a table in the model.
  ///   - legal: the entities that the mapper may choose.
  static func wrongEntity(_ answer: String, _ declared: EntityPlan, mapper: String?, legal: [String]) -> Self {
    Self(
      .wrongEntity, about: declared.subject,
      "\(mapper.map { "the entity mapper '\($0)'" } ?? "the mapper") chose \(declared.hidesValues && mapper != nil ? "an entity" : FoundPhrase.quoted(answer.utf8)), which is not "
        + "'\(declared.name)' or a sub-entity of it: expected "
        + (legal.count == 1 ? "" : "one of ") + legal.map { "'\($0)'" }.joined(separator: ", "),
      requirement: Requirement(declared))
  }

  /// An object cannot change its entity.
  static func entityConflict(_ own: EntityPlan, expected: EntityPlan) -> Self {
    Self(
      .entityConflict, about: own.subject,
      "expected an object of '\(expected.name)', but the object with this identity belongs to '\(own.name)'",
      requirement: Requirement(expected),
      remark: "an object never changes its entity, but a placeholder can become an object of a sub-entity"
    ).relational
  }

  /// The mapper of an abstract entity does not list the value of its key.
  ///
  /// - Parameters:
  ///   - text: the value of the mapper's key, if it is a string.
  ///   - legal: the values that the mapper lists.
  static func unlistedDiscriminator(
    _ entity: EntityPlan, _ path: JSONKeyPath, _ text: String?, legal: [String], found: String
  ) -> Self {
    Self(
      .abstractEntity, about: entity.subject,
      "expected \(choice(legal)) for '\(path)', which chooses the sub-entity of '\(entity.name)'", found: .value(found),
      requirement: Requirement(
        entity.description.source, .entityMapper, "'\(entity.name)' is mapped to its sub-entities here")
    ).suggesting(text.flatMap { Suggestion.nearest(to: $0, among: legal) })
  }

  /// Nothing chooses a sub-entity of an abstract entity.
  ///
  /// - Parameter mapper: the key path that the mapper reads, and the values that it lists.
  static func abstractEntity(_ entity: EntityPlan, mapper: (path: JSONKeyPath, legal: [String])?) -> Self {
    let missing = "it has no sub-entity yet: declare one, or remove \"abstract\""
    return Self(
      .abstractEntity, about: entity.subject,
      "cannot tell which sub-entity of the abstract entity '\(entity.name)' this object belongs to",
      requirement: Requirement(entity.description.source, .abstract, "'\(entity.name)' is declared abstract here"),
      remark: mapper.map { "expected '\($0.path)' to be \(choice($0.legal))" }
        ?? (entity.concreteAndSubentities.count > 1 ? nil : missing))
  }

  /// Returns a phrase that lists the legal values: `"text"`, or `one of "image", "text"`.
  private static func choice(_ legal: [String]) -> String {
    (legal.count == 1 ? "" : "one of ") + legal.map { "\"\($0)\"" }.joined(separator: ", ")
  }

  // MARK: Deletions

  /// The reason why an object is deleted.
  enum Deletion {
    case orphan
    /// The payload is a complete list that does not contain the object.
    case unmentioned
    /// A dictionary of the payload marks the object as deleted (M17).
    case marked
  }

  /// A delete rule denies the deletion of an object.
  static func deletionDenied(_ object: String, _ deletion: Deletion, _ denier: Subject) -> Self {
    let what =
      switch deletion {
      case .orphan: "the orphan '\(object)'"
      case .unmentioned: "'\(object)', which the payload does not mention,"
      case .marked: "'\(object)', which is marked as deleted,"
      }
    return Self(
      .deletionDenied, about: denier.named, "\(what) cannot be deleted: \(denier.quoted) still has objects",
      requirement: Requirement(
        denier.property.source, .deleteRule, "'\(denier.property.name)' declares \"deleteRule\": \"deny\" here")
    ).relational
  }
}
