extension Diagnostic {
  /// The ID of the object that the diagnostic is about; nil if there is none, such as for an object without an identity in a payload that
  /// was refused.
  public var objectID: ManagedObjectID? { subject?.object(as: ManagedObjectID.self) }
}
