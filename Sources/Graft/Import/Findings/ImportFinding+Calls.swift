// Calls that are not possible, regardless of the payload's contents.
extension ImportFinding {
  static func unknownEntity(_ name: String, _ plan: Plan) -> Self {
    Self(.unknownEntity, "the model has no entity '\(name)'")
      .suggesting(Suggestion.nearest(to: name, among: plan.entities.map(\.name)))
  }

  // MARK: Streams

  /// A context has at most one stream that is imported as a whole.
  static let openStream = Self(
    .openStream, "another stream is being imported as a whole into this context: finish or cancel it first")

  static let streamFromOutside = Self(
    .openStream,
    "the stream was opened outside the atomically(_:), dryRun(_:) or decoding(_:) call in which it is used")

  /// - Parameter bytes: the number of bytes that had been imported.
  static func stopped(afterBytes bytes: Int) -> Self {
    Self(.stopped, bytes == 0 ? "the import was stopped" : "the import was stopped after \(bytes) bytes")
  }

  static func stopped(_ reason: String) -> Self { Self(.stopped, "the import was stopped: \(reason)") }

  /// A stream divides a document into pieces, so values outside the objects cannot be read (M19).
  ///
  /// - Parameter path: a key path of such a value.
  static func streamWithoutDocument(
    _ path: JSONKeyPath, _ entity: EntityPlan, _ property: PropertyPlan, _ words: OptionWords
  ) -> Self {
    Self(
      .streamWithoutDocument, about: entity.subject,
      "'\(entity.name).\(property.name)' reads '\(path)', which a stream of the objects under \(words.at) skips: import the "
        + "document as a whole, or as JSON Lines",
      requirement: Requirement(
        property.source, .JSONKeyPath, "the key path of '\(property.name)' is declared here"))
  }

  /// A stream is cut into the elements of one array (I17).
  static func streamThroughArrays(_ words: OptionWords) -> Self {
    Self(
      .streamWithoutDocument,
      "a stream cannot follow a key path through arrays, which \(words.at) names: import the document as a whole, or as JSON Lines"
    )
  }

  // MARK: Parents

  /// A payload for a relationship that the entity does not have (I24).
  static func unknownRelationship(_ name: String, _ entity: EntityPlan) -> Self {
    let names = entity.properties.filter { $0.relationship != nil }.map(\.name)
    return Self(
      .unknownRelationship, about: Diagnostic.Subject(entityName: entity.name),
      "'\(entity.name)' has no relationship '\(name)'", requirement: Requirement(entity)
    ).suggesting(Suggestion.nearest(to: name, among: names))
  }

  static func unknownParentProperty(_ className: String) -> Self {
    Self(
      .unknownQueryableProperty,
      "the property is not among '\(className).queryableProperties'; use the name of the relationship")
  }

  static func unknownParent(_ id: String) -> Self { Self(.noObject, "the context has no object '\(id)'") }

  static func deletedParent(_ object: String) -> Self { Self(.noObject, "'\(object)' was deleted") }

  /// The dictionary merged onto an object has the identity of another object (I23).
  ///
  /// - Parameter mayUnite: whether the two objects can become one.
  static func identityOfOther(_ other: String, of object: String, _ mayUnite: Bool) -> Self {
    Self(
      .duplicateIdentity,
      "the dictionary is merged onto '\(object)', but has the identity of another object, '\(other)'",
      remark: mayUnite
        ? "with 'ifIdentityIsTaken: .unite', outside of 'atomically', the two become one"
        : "the two belong to different entities")
  }

  // MARK: Faulty elements

  static func tooManyFaultyElements(_ most: Int, _ words: OptionWords) -> Self {
    Self(
      .limitFaultyElements,
      "more than \(most) elements of the payload contain errors"
        + (words.hasLimits ? ", which exceeds the limit 'faultyElements'" : "")
        + "; the model probably does not fit the payload")
  }

  static func dependentElements(rounds: Int) -> Self {
    Self(
      .limitFaultyElements,
      "faulty elements cannot be skipped: in a chain of more than \(rounds) elements, each depends on one that is skipped"
    )
  }

  /// A file that changed, or became shorter, while it was read.
  static let lostPiece = Self(.unreadableFile, "a part of the payload can no longer be read")
}
