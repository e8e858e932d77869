/// Checks a model from a file or built in Swift (M9, M10, D11).
///
/// This is the list of the checks, each of which is in its own file in `Checks/`. A check looks for one kind of fault. If something
/// that the check needs is already known to be faulty, it reports nothing.
struct ModelChecker {
  let index: ModelIndex
  let model: ModelDescription
  let transformers: TransformerRegistry
  /// The severity of an unregistered name (M9).
  let unregisteredNames: Diagnostic.Severity
  let findings: ModelFindings

  init(
    _ model: ModelDescription, _ transformers: TransformerRegistry, _ unregisteredNames: Diagnostic.Severity,
    _ findings: ModelFindings
  ) {
    index = ModelIndex(model)
    self.model = model
    self.transformers = transformers
    self.unregisteredNames = unregisteredNames
    self.findings = findings
  }

  /// Runs all checks.
  func run() {
    checkSize()
    checkParents()
    checkRedeclaredProperties()
    checkFullNames()
    checkClassNames()
    checkIdentityKeyPaths()
    checkOwnerCycles()
    checkKeyPathCollisions()
    checkKeyWords()
    checkSharedDictionaries()
    checkListKeyPaths()
    checkFormerNames()
    checkRemoved()
    checkNulls(model.nulls, model.nullsSource, "the model")
    for number in index.entities.indices {
      let entity = index.entities[number]
      checkEntityName(entity, number)
      checkIdentityAttributes(entity, number)
      checkExtendedIdentity(entity, number)
      checkMapper(entity, number)
      checkSynchronization(entity, number)
      checkAlternateIdentities(entity, number)
      checkIndexes(entity, number)
      checkDictionaryTransformer(entity)
      for attribute in entity.attributes { check(attribute, in: entity, number) }
      for relationship in entity.relationships { check(relationship, in: entity, number) }
    }
    // Advice about a model with errors would often only repeat these errors.
    if !findings.hasErrors { advise() }
  }

  /// Runs the checks for content that is legal but probably a mistake (M9).
  private func advise() {
    let uses = ModelUses(index)
    checkUnmappedEntities(uses)
    for (number, entity) in index.entities.enumerated() {
      checkUnreachedEntity(entity, number, uses)
      checkOneWayClosures(entity, number, uses)
      checkFallback(entity, number, uses)
      checkDeletionMark(entity, number)
      for attribute in entity.attributes {
        let subject = AttributeSubject(attribute, of: entity)
        checkUnfilledAttribute(subject, number, uses)
        checkUnexportedAttribute(subject)
      }
      for relationship in entity.relationships {
        let subject = RelationshipSubject(relationship, of: entity, number)
        checkMissingInverse(subject, uses)
        checkIgnoredMinCount(subject)
        checkUnexportedRelationship(subject)
      }
    }
  }

  /// Runs the checks of one attribute.
  private func check(_ attribute: AttributeDescription, in entity: EntityDescription, _ number: Int) {
    let subject = AttributeSubject(attribute, of: entity)
    checkPropertyName(attribute.name, attribute.source, "an attribute")
    checkKeyPaths(attribute.keyPath, attribute.keyPathAliases, attribute.source, { subject.name })
    checkDirection(subject, in: number)
    checkValueTransformers(subject)
    checkList(subject)
    checkNulls(attribute.nulls ?? [], attribute.source, subject.name.quoted)
    checkExtensible(subject)
    checkSensitive(subject)
    checkRoundTrip(subject)
    checkMigration(subject, in: entity, number)
    guard !attribute.validation.isEmpty || attribute.defaultValue != nil else { return }
    checkStoredForms(subject)
    checkValidationWords(subject)
    checkBounds(subject)
    let pattern = checkPattern(subject)
    checkEnum(subject)
    checkOwnValues(subject, pattern)
  }

  /// Runs the checks of one relationship.
  private func check(_ relationship: RelationshipDescription, in entity: EntityDescription, _ number: Int) {
    let subject = RelationshipSubject(relationship, of: entity, number)
    checkPropertyName(relationship.name, relationship.source, "a relationship")
    checkKeyPaths(relationship.keyPath, relationship.keyPathAliases, relationship.source, { subject.name })
    checkDirection(subject)
    checkDestination(subject)
    checkInverse(subject)
    checkToManyWords(subject)
    checkCounts(subject)
    checkOrphans(subject)
    checkRepresentation(subject)
    checkIdentifierTransformers(subject)
    checkReferences(subject)
    checkIdentifierKeyPaths(subject)
    checkMigration(subject)
    checkNulls(relationship.nulls ?? [], relationship.source, subject.name.quoted)
  }
}

/// An attribute being checked.
struct AttributeSubject {
  let attribute: AttributeDescription
  private let entity: String

  init(_ attribute: AttributeDescription, of entity: EntityDescription) {
    self.attribute = attribute
    self.entity = entity.name
  }

  /// `Hero.name`, for messages.
  var name: String { "\(entity).\(attribute.name)" }

  func place(of key: ModelFileKey, element: Int? = nil) -> SourcePlace {
    attribute.source.place(of: key, element: element)
  }
}

/// A relationship being checked.
struct RelationshipSubject {
  let relationship: RelationshipDescription
  let entityNumber: Int
  let entityName: String

  init(_ relationship: RelationshipDescription, of entity: EntityDescription, _ number: Int) {
    self.relationship = relationship
    entityNumber = number
    entityName = entity.name
  }

  /// `Hero.team`, for messages.
  var name: String { "\(entityName).\(relationship.name)" }

  func place(of key: ModelFileKey) -> SourcePlace { relationship.source.place(of: key) }
}
