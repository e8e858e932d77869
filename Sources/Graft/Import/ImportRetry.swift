/// Repeats an import if another context or program wrote data that it depends on.
extension ManagedObjectContext {
  /// The maximum number of attempts. An import is repeated only if another context or program committed the same objects while it ran.
  private static let mostImportAttempts = 10

  /// Runs an import. If another context or program committed changes to the same objects while it ran, the import is rolled back
  /// and run again on top of those changes, because each import begins with a merge.
  ///
  /// Changes made in code and closures of the program cannot be repeated, so an import that follows such changes, or is inside a
  /// larger transaction, runs only once.
  ///
  /// - Parameter body: the import. Its argument is the number of earlier attempts.
  func retryingConflicts<Result>(
    _ body: (_ attempt: Int) throws(ImportError) -> Result
  ) throws(ImportError) -> Result {
    guard binding != nil, state.openUnits == 0, !state.hasChanges, !units.isRetried else { return try body(0) }
    defer { units.noteRetried(false) }
    var attempt = 0
    while true {
      units.noteRetried(attempt + 1 < ManagedObjectContext.mostImportAttempts)
      do throws(ImportError) {
        return try body(attempt)
      } catch {
        attempt += 1
        guard error.underlyingError is StoreMoved else { throw error }
      }
    }
  }
}
