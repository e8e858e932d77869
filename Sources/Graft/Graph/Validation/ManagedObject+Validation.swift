extension ManagedObject {
  /// Checks the object against the model and against the validations that were registered, as the end of an import does (I9).
  ///
  /// An object may be incomplete while it is edited: changes by hand are checked by ``ManagedObjectContext/commit()``, and this
  /// checks one object earlier. Placeholders are exempt.
  ///
  /// - Throws: a ``PropertyError`` with everything that is wrong, or if the object was deleted.
  public func validate() throws(PropertyError) {
    try context.checkUse()
    guard !isDeleted else { throw PropertyError("'\(self)' was deleted") }
    guard !isPlaceholder else { return }
    // The closures may look, but not change anything (T5).
    let (wasBusy, wasInHook) = (context.isBusy, context.isInHook)
    (context.isBusy, context.isInHook) = (true, false)
    defer { (context.isBusy, context.isInHook) = (wasBusy, wasInHook) }
    let validator = RowValidator(plan: context.model.plan, reader: RowReader(context.state))
    var failures = validator.failures(base)
    if failures.isEmpty { failures = validator.failures(of: self) }
    if let call = context.takeReentrantCall() { throw PropertyError(call) }
    guard failures.isEmpty else { throw PropertyError(failures.map(\.message).joined(separator: "; ")) }
  }
}
