// The shape of a model: its keys, words and names.
extension DiagnosticCode {
  /// A model file is nested too deeply, or an entity has too many ancestors.
  public static let tooDeep = Self("too-deep")
  /// A model has more entities or properties than the engine supports.
  public static let tooLarge = Self("too-large")
  /// A model has more findings than are shown.
  public static let tooManyFindings = Self("too-many-findings")
  /// An unknown key in a model file, or an unmapped key in a payload whose keys must all be mapped.
  public static let unknownKey = Self("unknown-key")
  /// A required key of a model file is missing.
  public static let missingKey = Self("missing-key")
  /// Two keys of a model file contradict each other.
  public static let conflictingKeys = Self("conflicting-keys")
  /// A value does not have the required type.
  public static let wrongType = Self("wrong-type")
  /// A word in a model file is not one of the allowed words.
  public static let unknownWord = Self("unknown-word")
  /// A model file uses an old spelling.
  public static let oldSpelling = Self("old-spelling")
  /// A name cannot be used for an entity or a property.
  public static let badName = Self("bad-name")
  /// A class name is not the name of a Swift type.
  public static let badClassName = Self("bad-class-name")

  // MARK: References

  /// There is no entity with this name.
  public static let unknownEntity = Self("unknown-entity")
  /// The destination has no relationship with the name of the inverse.
  public static let unknownInverse = Self("unknown-inverse")
  /// The entity has no attribute or relationship with the name in `identityAttributes`.
  public static let unknownIdentityAttribute = Self("unknown-identity-attribute")
  /// No value transformer has this name.
  public static let unknownTransformer = Self("unknown-transformer")
  /// No dictionary transformer has this name.
  public static let unknownDictionaryTransformer = Self("unknown-dictionary-transformer")
  /// No entity mapper has this name.
  public static let unknownMapper = Self("unknown-mapper")

  // MARK: Entities

  /// Two entities have the same name.
  public static let duplicateEntity = Self("duplicate-entity")
  /// Two entities have the same class.
  public static let duplicateClass = Self("duplicate-class")
  /// An entity inherits from itself.
  public static let parentCycle = Self("parent-cycle")
  /// A property is declared twice.
  public static let redeclaredProperty = Self("redeclared-property")
  /// An identity attribute is listed twice.
  public static let repeatedIdentityAttribute = Self("repeated-identity-attribute")
  /// An attribute of type `json` cannot identify objects.
  public static let unusableIdentityAttribute = Self("unusable-identity-attribute")
  /// A property cannot be part of an alternate identity, or the alternate identity can never identify an object.
  public static let unusableAlternateIdentity = Self("unusable-alternate-identity")
  /// A relationship in `identityAttributes` cannot name owners.
  public static let identityRelationship = Self("identity-relationship")
  /// The default value of an identity attribute is never used.
  public static let identityDefault = Self("identity-default")
  /// An identity attribute has no key path.
  public static let identityWithoutKeyPath = Self("identity-without-key-path")
  /// A sub-entity extends the identity of its parent.
  public static let extendedIdentity = Self("extended-identity")
  /// The identity of a sub-entity does not begin with its parent's identity.
  public static let identityOrder = Self("identity-order")
  /// An entity mapper has no entries.
  public static let emptyMapper = Self("empty-mapper")
  /// An entity mapper lists a value twice.
  public static let duplicateDiscriminator = Self("duplicate-discriminator")
  /// An entity mapper lists an entity of another hierarchy.
  public static let mapperTargetOutsideHierarchy = Self("mapper-target-outside-hierarchy")
  /// An entity mapper lists an abstract entity.
  public static let abstractMapperTarget = Self("abstract-mapper-target")
  /// The destination of a relationship is abstract, and nothing selects a concrete entity.
  public static let abstractDestination = Self("abstract-destination")

  /// The entity has no attribute with the name in `modificationAttribute`.
  public static let unknownModificationAttribute = Self("unknown-modification-attribute")
  /// A property cannot show which version of an object is newer.
  public static let unusableModificationAttribute = Self("unusable-modification-attribute")
  /// An entity has synchronization keys, but no identity.
  public static let synchronizationWithoutIdentity = Self("synchronization-without-identity")

  /// The attribute at the key path of `deletedWhen` cannot have the value that marks an object as deleted.
  public static let unmatchedDeletionMark = Self("unmatched-deletion-mark")

  /// `indexes` names something that is not an attribute or a to-one relationship of the entity.
  public static let unknownIndexProperty = Self("unknown-index-property")
  /// A property cannot be indexed, or an index has no properties.
  public static let unusableIndex = Self("unusable-index")
  /// An index is listed twice, or lists a property twice.
  public static let repeatedIndex = Self("repeated-index")
  /// An index repeats an index that stores always have.
  public static let redundantIndex = Self("redundant-index")

  // MARK: Key paths

  /// A key path has an empty key.
  public static let malformedKeyPath = Self("malformed-key-path")
  /// A key path is written in the syntax of another language.
  public static let foreignKeyPath = Self("foreign-key-path")
  /// Two properties have the same key path.
  public static let collidingKeyPaths = Self("colliding-key-paths")
  /// A key path leads into a value that another property reads.
  public static let nestedKeyPaths = Self("nested-key-paths")
  /// A property has aliases but no key path.
  public static let aliasWithoutKeyPath = Self("alias-without-key-path")
  /// A word such as `@key` is used in a key path where it has no meaning.
  public static let misplacedKeyWord = Self("misplaced-key-word")
  /// A word about the forms of values, such as `lenient`, is used where it has no meaning.
  public static let misplacedForm = Self("misplaced-form")
  /// `migratedFrom` does not fit its property, or names a version that the model has not reached.
  public static let misplacedMigration = Self("misplaced-migration")
  /// The key paths of an identifier that is spread over several keys do not match the identity of the destination.
  public static let wrongIdentifierPaths = Self("wrong-identifier-paths")
  /// A property has a direction that contradicts its other keys.
  public static let misplacedDirection = Self("misplaced-direction")
  /// An attribute is a list, but a mapper or a deletion mark reads a single value at its key path.
  public static let misplacedList = Self("misplaced-list")
  /// A required attribute that is only exported has no default.
  public static let missingDefault = Self("missing-default")

  // MARK: Attributes

  /// A value in the model does not fit the type of its attribute.
  public static let unfitValue = Self("unfit-value")
  /// A value in the model violates the validation of its attribute.
  public static let brokenValidation = Self("broken-validation")
  /// A validation does not fit the type of its attribute.
  public static let unfitValidation = Self("unfit-validation")
  /// No value can satisfy both bounds.
  public static let impossibleBounds = Self("impossible-bounds")
  /// An `enum` lists no values.
  public static let emptyEnum = Self("empty-enum")
  /// An `enum` lists a value twice.
  public static let repeatedEnumValue = Self("repeated-enum-value")
  /// A pattern is not a valid or supported regular expression.
  public static let malformedPattern = Self("malformed-pattern")
  /// A transformer does not fit the type of its attribute.
  public static let unfitTransformer = Self("unfit-transformer")
  /// A transformer has no reverse.
  public static let oneWayTransformer = Self("one-way-transformer")
  /// The first of several date patterns, the one used for writing, loses part of what another pattern reads.
  public static let lossyDateFormat = Self("lossy-date-format")
  /// A default is written in a form that imports read as null.
  public static let defaultMeansNull = Self("default-means-null")

  /// A sensitive attribute is read from a key, and messages contain keys.
  public static let sensitiveKey = Self("sensitive-key")

  // MARK: Relationships

  /// The inverse of a relationship does not point back to it.
  public static let inverseDoesNotPointBack = Self("inverse-does-not-point-back")
  /// A key is for to-many relationships only.
  public static let toManyOnly = Self("to-many-only")
  /// `deleteOrphans` requires an inverse.
  public static let orphansWithoutInverse = Self("orphans-without-inverse")
  /// Objects without identity cannot be exported as identifiers.
  public static let identifierWithoutIdentity = Self("identifier-without-identity")

  // MARK: Advice

  /// An entity has no key paths.
  public static let unmappedEntity = Self("unmapped-entity")
  /// No payload can set a required attribute.
  public static let unfilledAttribute = Self("unfilled-attribute")
  /// `minCount` has no effect.
  public static let ignoredMinCount = Self("ignored-min-count")
  /// A relationship should have an inverse.
  public static let missingInverse = Self("missing-inverse")
  /// No mapper or relationship reaches a sub-entity.
  public static let unreachedEntity = Self("unreached-entity")
  /// A mapper or dictionary transformer cannot be reversed for an export.
  public static let oneWayClosure = Self("one-way-closure")
  /// No exported value selects the entity of a mapper's `otherwise`.
  public static let oneWayFallback = Self("one-way-fallback")
  /// A required attribute is not exported, so an export cannot be imported into another graph.
  public static let unexportedAttribute = Self("unexported-attribute")
  /// The links of a relationship are lost when an export is imported.
  public static let unexportedRelationship = Self("unexported-relationship")
}
