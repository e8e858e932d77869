extension Diagnostic {
  /// The ID of the object that the diagnostic is about; nil if there is none, for example because the object has no identity and its
  /// payload was refused.
  public var objectID: ManagedObjectID? { subject?.object(as: ManagedObjectID.self) }
}
