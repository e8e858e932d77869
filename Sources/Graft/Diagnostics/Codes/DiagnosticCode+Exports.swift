// Exports.
extension DiagnosticCode {
  /// The entity has no relationship with this name.
  public static let unknownRelationship = Self("unknown-relationship")
  /// A relationship has no key path, so an export cannot write it.
  public static let unmappedRelationship = Self("unmapped-relationship")
  /// A relationship would be exported without some of its objects.
  public static let incompleteRelationship = Self("incomplete-relationship")
  /// An import could not read an object in the form in which it would be exported.
  public static let unreadableObject = Self("unreadable-object")
  /// Two objects of a collection by keys have the same key.
  public static let duplicateObjectKey = Self("duplicate-object-key")
  /// An object of a collection by keys has no key.
  public static let missingObjectKey = Self("missing-object-key")
  /// An object that is identified inside its owner, or by its position, is exported where an import would not recognize it.
  public static let misplacedObject = Self("misplaced-object")
  /// An object whose first key path is `@key` is exported outside a collection by keys.
  public static let misplacedKey = Self("misplaced-key")
  /// An object whose first key path is `@value` is exported outside a collection by keys.
  public static let misplacedValue = Self("misplaced-value")
  /// A reverse transformer returned a value that JSON cannot represent.
  public static let invalidExport = Self("invalid-export")
  /// The export of an object is not a dictionary, or the export of several objects is not an array, although the function must return one.
  public static let otherForm = Self("other-form")
  /// An export cannot be written to its destination.
  public static let unwritableFile = Self("unwritable-file")
}
