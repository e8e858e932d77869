extension ModelChecker {
  /// M9: patterns are regular expressions.
  ///
  /// - Returns: the expression; nil where there is none, or none that can be used.
  func checkPattern(_ subject: AttributeSubject) -> Regex<AnyRegexOutput>? {
    guard let pattern = subject.attribute.validation.pattern else { return nil }
    do {
      return try ModelPattern.compile(pattern)
    } catch {
      findings.report(
        .malformedPattern(pattern, of: subject.name, error.reason), at: subject.place(of: .pattern))
      return nil
    }
  }
}
