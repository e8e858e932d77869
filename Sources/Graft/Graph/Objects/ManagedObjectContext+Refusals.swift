extension ManagedObjectContext {
  /// Whether an import, an export or a validation is under way.
  var isBusy: Bool { activity.pointee.work != .none }

  /// Returns the reason why the running closure must not make a call; nil if the closure may make the call, or if no closure is
  /// running. If the closure must not make the call, the work fails, even if the closure catches the error.
  ///
  /// - Parameters:
  ///   - call: the call, as a verb phrase.
  ///   - isForHooks: whether the call only changes objects, which the `didImport` hook may do at the end of an import.
  func refusal(of call: @autoclosure () -> String, isForHooks: Bool = false) -> String? {
    guard isBusy else { return nil }
    let work = activity.pointee.work.nounPhrase
    precondition(
      activity.pointee.isOnItsThread,
      "the context is used by two threads at once: one tries to \(call()) while another is in the middle of \(work). A context and its objects belong to the isolation that created them; to share a context, use 'BackgroundContext'"
    )
    if isForHooks, activity.pointee.closure.isEditing { return nil }
    let words =
      "\(activity.pointee.closure.name(model.plan)) must not \(call()): the context is in the middle of \(work)"
    activity.pointee.noteRefusedCall(.reentrantCall, words)
    return words
  }

  /// Throws if a closure that may only read makes a call that changes objects (T5).
  func checkUse(_ call: @autoclosure () -> String) throws(PropertyError) {
    activity.pointee.noteCall()
    if activity.pointee.isFree { return }
    willChange()
    if let words = refusal(of: call(), isForHooks: true) { throw PropertyError(.reentrantCall, words) }
  }

  /// Whether a closure makes a call that it must not make, and that cannot throw. The call is ignored, and the work fails (T5).
  func isReentrant(_ call: @autoclosure () -> String, isForHooks: Bool = true) -> Bool {
    activity.pointee.noteCall()
    if activity.pointee.isFree { return false }
    willChange()
    return refusal(of: call(), isForHooks: isForHooks) != nil
  }

  /// Whether a closure makes a call that it must not make, although the call does not change the graph (T5).
  func isRefused(_ call: @autoclosure () -> String) -> Bool { refusal(of: call()) != nil }
}
