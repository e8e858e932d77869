/// The kinds of findings in a model file. Programs read their names, which are stable.
enum ModelFindingCode: String, Sendable, CaseIterable {
  // The text.
  case syntaxError = "syntax-error"
  case wrongEncoding = "wrong-encoding"
  case tooDeep = "too-deep"
  case tooLarge = "too-large"
  case tooManyFindings = "too-many-findings"

  // Structure.
  case unknownKey = "unknown-key"
  case duplicateKey = "duplicate-key"
  case missingKey = "missing-key"
  case conflictingKeys = "conflicting-keys"
  case wrongType = "wrong-type"
  case unknownWord = "unknown-word"
  case oldSpelling = "old-spelling"
  case badName = "bad-name"
  case badClassName = "bad-class-name"

  // Unknown names.
  case unknownEntity = "unknown-entity"
  case unknownInverse = "unknown-inverse"
  case unknownIdentityAttribute = "unknown-identity-attribute"
  case unknownTransformer = "unknown-transformer"
  case unknownDictionaryTransformer = "unknown-dictionary-transformer"
  case unknownMapper = "unknown-mapper"

  // Entities.
  case duplicateEntity = "duplicate-entity"
  case duplicateClass = "duplicate-class"
  case parentCycle = "parent-cycle"
  case redeclaredProperty = "redeclared-property"
  case repeatedIdentityAttribute = "repeated-identity-attribute"
  case unusableIdentityAttribute = "unusable-identity-attribute"
  case identityDefault = "identity-default"
  case identityWithoutKeyPath = "identity-without-key-path"
  case extendedIdentity = "extended-identity"
  case identityOrder = "identity-order"
  case emptyMapper = "empty-mapper"
  case duplicateDiscriminator = "duplicate-discriminator"
  case mapperTargetOutsideHierarchy = "mapper-target-outside-hierarchy"
  case abstractMapperTarget = "abstract-mapper-target"
  case abstractDestination = "abstract-destination"

  // Key paths.
  case malformedKeyPath = "malformed-key-path"
  case foreignKeyPath = "foreign-key-path"
  case collidingKeyPaths = "colliding-key-paths"
  case nestedKeyPaths = "nested-key-paths"
  case aliasWithoutKeyPath = "alias-without-key-path"
  case misplacedKeyWord = "misplaced-key-word"

  // Attributes.
  case unfitValue = "unfit-value"
  case brokenValidation = "broken-validation"
  case unfitValidation = "unfit-validation"
  case impossibleBounds = "impossible-bounds"
  case emptyEnum = "empty-enum"
  case repeatedEnumValue = "repeated-enum-value"
  case malformedPattern = "malformed-pattern"
  case unfitTransformer = "unfit-transformer"
  case oneWayTransformer = "one-way-transformer"

  // Relationships.
  case inverseDoesNotPointBack = "inverse-does-not-point-back"
  case toManyOnly = "to-many-only"
  case orphansWithoutInverse = "orphans-without-inverse"
  case identifierWithoutIdentity = "identifier-without-identity"

  // Advice.
  case unmappedEntity = "unmapped-entity"
  case unfilledAttribute = "unfilled-attribute"
  case ignoredMinCount = "ignored-min-count"
  case missingInverse = "missing-inverse"
  case unreachedEntity = "unreached-entity"
  case oneWayClosure = "one-way-closure"
  case unexportedRelationship = "unexported-relationship"
}
