extension ModelChecker {
  /// Checks that a required attribute gets its value from a payload or a default (M9).
  func checkUnfilledAttribute(_ subject: AttributeSubject, _ number: Int, _ uses: ModelUses) {
    let attribute = subject.attribute
    guard !attribute.isOptional, attribute.keyPath == nil, attribute.defaultValue == nil, uses.isMapped(number)
    else { return }
    findings.report(.unfilledAttribute(subject.name), at: attribute.source.place())
  }
}
