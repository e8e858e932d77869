extension ManagedObject {
  /// Checks the object against the model and the registered validations, as at the end of an import ([I9](doc:Rules#I9)).
  ///
  /// An object may be incomplete while it is edited. ``ManagedObjectContext/commit()`` checks all changes; this method checks a single
  /// object earlier. Placeholders are exempt.
  ///
  /// - Throws: a ``PropertyError`` that describes everything that is wrong, or states that the object was deleted or the store cannot be
  ///   read.
  public func validate() throws(PropertyError) {
    if let words = context.refusal(of: "validate an object", isForHooks: true) {
      throw PropertyError(.reentrantCall, words)
    }
    guard !isDeleted else { throw PropertyError(.deletedObject, "'\(self)' was deleted") }
    guard !isPlaceholder else { return }
    context.loadToValidate([RowPlace(table: table, row: number)])
    // If rows could not be loaded, it is unknown whether the object is valid.
    if let failure = context.binding?.failure { throw PropertyError(failure.diagnostics) }
    // A call that a hook made earlier is not attributed to these validations. If a hook validates, refused calls of the validations make
    // the hook's work fail.
    let earlier = context.activity.pointee.takeRefusedCall()
    var call: ContextActivity.RefusedCall?
    defer { context.activity.pointee.refusedCall = earlier ?? (context.isBusy ? call : nil) }
    let validator = RowValidator(context)
    var failures = validator.failures(row, GraphNames(context.state, context.model.plan))
    if failures.isEmpty { failures = validator.failures(of: self) }
    call = context.activity.pointee.takeRefusedCall()
    if let call { throw PropertyError(call.code, call.words) }
    guard failures.isEmpty else { throw PropertyError(failures.map { $0.diagnostic(entityPlan, self) }) }
  }
}
