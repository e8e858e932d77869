extension ModelChecker {
  /// Checks that a pattern is a regular expression of the dialect that JSON Schema recommends (M9).
  ///
  /// - Returns: the pattern, or nil if there is no pattern or it cannot be used.
  func checkPattern(_ subject: AttributeSubject) -> TextPattern? {
    guard let pattern = subject.attribute.validation.pattern else { return nil }
    do throws(TextPattern.Fault) {
      return try TextPattern(pattern)
    } catch {
      let place = subject.place(of: .pattern)
      findings.report(
        error.isUnsupported
          ? .unsupportedPattern(pattern, of: subject.name, error.reason)
          : .malformedPattern(pattern, of: subject.name, error.reason),
        at: error.range.map(place.part) ?? place)
      return nil
    }
  }
}
