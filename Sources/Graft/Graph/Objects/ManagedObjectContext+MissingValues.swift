extension ManagedObjectContext {
  /// Returns whether a missing required value reads as nil. If so, records that a value was missing.
  func isMissingNil() -> Bool {
    guard activity.pointee.missing.isNil else { return false }
    activity.pointee.missing.occurred = true
    return true
  }

  /// Returns whether a closure of the program is running. If so, its read of a missing or invalid value makes the work fail (I20).
  func isReadInClosure(_ words: String, advice: String? = "check 'isPlaceholder' first, or read an optional value")
    -> Bool
  {
    guard isBusy, activity.pointee.isOnItsThread else { return false }
    activity.pointee.noteRefusedCall(
      .missingValue,
      "\(activity.pointee.closure.name(model.plan)) reads \(words)\(advice.map { "; \($0)" } ?? "")"
    )
    return true
  }
}
