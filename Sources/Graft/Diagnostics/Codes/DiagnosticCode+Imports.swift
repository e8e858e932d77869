// Faults in a payload, and in calls that import payloads.
extension DiagnosticCode {
  /// A required value or object is missing.
  public static let missingValue = Self("missing-value")
  /// A value violates a validation.
  public static let invalidValue = Self("invalid-value")
  /// A key path passes through a value that is not an object.
  public static let blockedKeyPath = Self("blocked-key-path")
  /// A Swift value in a payload is not a JSON value.
  public static let notJSON = Self("not-json")

  // MARK: Identity and entities

  /// An identifier does not fit the identity attributes of its entity.
  public static let wrongIdentifier = Self("wrong-identifier")
  /// No object has this identifier, and the relationship accepts only existing objects.
  public static let unresolvedIdentifier = Self("unresolved-identifier")
  /// An object nested in its owner names a different owner, or no owner.
  public static let otherOwner = Self("other-owner")
  /// An entity mapper chose an entity outside the hierarchy.
  public static let wrongEntity = Self("wrong-entity")
  /// An object belongs to an abstract entity, and nothing selects a concrete entity.
  public static let abstractEntity = Self("abstract-entity")
  /// The object with this identity belongs to another entity.
  public static let entityConflict = Self("entity-conflict")
  /// A delete rule denies the deletion of an object.
  public static let deletionDenied = Self("deletion-denied")

  // MARK: Closures

  /// A value does not have the type that its transformer accepts.
  public static let wrongTransformerInput = Self("wrong-transformer-input")
  /// A transformer returned a value that its attribute cannot hold.
  public static let wrongTransformerOutput = Self("wrong-transformer-output")
  /// A value transformer threw an error.
  public static let transformerFailed = Self("transformer-failed")
  /// An entity mapper or a dictionary transformer threw an error.
  public static let closureFailed = Self("closure-failed")
  /// An import hook threw an error.
  public static let hookFailed = Self("hook-failed")
  /// A closure made a call that is not allowed while it runs.
  public static let reentrantCall = Self("reentrant-call")

  // MARK: Warnings

  /// Two dictionaries of a payload have the same identity and different values.
  public static let contradiction = Self("contradiction")
  /// An object has no key that its entity maps.
  public static let noMappedKey = Self("no-mapped-key")
  /// An unmapped key is almost the same as a mapped key, which is absent.
  public static let nearUnmappedKey = Self("near-unmapped-key")
  /// A mapper skipped a dictionary, because its table does not list the discriminator.
  public static let skippedDictionary = Self("skipped-dictionary")
  /// An open `enum` does not list a value.
  public static let unlistedValue = Self("unlisted-value")
  /// The order of an array is lost, because its relationship is not ordered.
  public static let lostOrder = Self("lost-order")
  /// Two lists or to-one relationships in a payload claim the same object, which can be linked to only one of them.
  public static let lostLink = Self("lost-link")
  /// An ordered list names an object several times.
  public static let repeatedElement = Self("repeated-element")
  /// An identifier such as 0 or "", which probably means that there is no object, created a placeholder.
  public static let emptyReference = Self("empty-reference")

  // MARK: Limits

  /// A payload or an export has more bytes than the limit.
  public static let limitBytes = Self("limit-bytes")
  /// A payload or an export is nested more deeply than the limit.
  public static let limitDepth = Self("limit-depth")
  /// A payload or an export has more objects than the limit.
  public static let limitObjects = Self("limit-objects")
  /// A string has more bytes than the limit.
  public static let limitStringBytes = Self("limit-string-bytes")
  /// A number has more bytes than the limit.
  public static let limitNumberBytes = Self("limit-number-bytes")

  /// A payload has more faulty elements than a tolerant import may skip.
  public static let limitFaultyElements = Self("limit-faulty-elements")

  // MARK: The call

  /// A payload contains no object, or no object at its key path.
  public static let noObject = Self("no-object")
  /// A context is used in a way that its open stream does not allow.
  public static let openStream = Self("open-stream")
  /// A stream skips parts of the document from which its objects read values.
  public static let streamWithoutDocument = Self("stream-without-document")
  /// An import was stopped before it ended.
  public static let stopped = Self("stopped")
}
