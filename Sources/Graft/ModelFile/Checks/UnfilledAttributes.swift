extension ModelChecker {
  /// M9: something gives a required attribute its value: a payload, or the default.
  func checkUnfilledAttribute(_ subject: AttributeSubject, _ number: Int, _ uses: ModelUses) {
    let attribute = subject.attribute
    guard !attribute.isOptional, attribute.keyPath == nil, attribute.defaultValue == nil, uses.isMapped(number)
    else { return }
    findings.report(.unfilledAttribute(subject.name), at: attribute.source.place())
  }
}
