extension ManagedObject {
  /// Checks the object against the model and against the validations that were registered, as the end of an import does (I9).
  ///
  /// An object may be incomplete while it is edited: changes by hand are checked by ``ManagedObjectContext/commit()``, and this
  /// checks one object earlier. Placeholders are exempt.
  ///
  /// - Throws: a ``PropertyError`` with everything that is wrong, or if the object was deleted.
  public func validate() throws(PropertyError) {
    try context.checkUse("validate an object")
    guard !isDeleted else { throw PropertyError(.deletedObject, "'\(self)' was deleted") }
    guard !isPlaceholder else { return }
    // What a hook called before is not the doing of these closures.
    let earlier = context.activity.pointee.takeRefusedCall()
    defer { context.activity.pointee.refusedCall = earlier }
    let validator = RowValidator(context)
    var failures = validator.failures(base)
    if failures.isEmpty { failures = validator.failures(of: self) }
    if let call = context.activity.pointee.takeRefusedCall() { throw PropertyError(.reentrantCall, call) }
    guard failures.isEmpty else { throw PropertyError(failures.map { $0.diagnostic(entityPlan) }) }
  }
}
