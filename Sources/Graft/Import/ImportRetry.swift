/// Repeats an import if others wrote data that it depends on.
extension ManagedObjectContext {
  /// The maximum number of attempts. Each time, others must have committed the same objects while it ran.
  private static let mostImportAttempts = 10

  /// Runs an import. If others committed changes of the same objects while it ran, it is rolled back and runs again, based on
  /// what they committed: each import begins with a merge.
  ///
  /// Changes by hand and closures of the program cannot be repeated, so an import on top of the former, or inside a larger
  /// transaction, runs once.
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
