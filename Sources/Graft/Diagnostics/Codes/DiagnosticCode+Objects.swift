// Objects and their properties.
extension DiagnosticCode {
  /// An object was deleted.
  public static let deletedObject = Self("deleted-object")
  /// The entity has no property with this name.
  public static let unknownProperty = Self("unknown-property")
  /// A relationship is used as an attribute, or an attribute as a relationship.
  public static let wrongPropertyKind = Self("wrong-property-kind")
  /// Another object already has this identity.
  public static let duplicateIdentity = Self("duplicate-identity")
  /// A placeholder must keep its identity.
  public static let missingIdentity = Self("missing-identity")
}
