extension ModelChecker {
  /// Checks that the default and the values of `enum` satisfy the attribute's own validation (M9, D11).
  func checkOwnValues(_ subject: AttributeSubject, _ pattern: TextPattern?) {
    let attribute = subject.attribute
    guard attribute.source.isReadable(.type) else { return }
    for (element, value) in (attribute.validation.allowedValues ?? []).enumerated() {
      check(value, .enum, subject, pattern, element: element)
    }
    guard let value = attribute.defaultValue else { return }
    for (element, value) in value.elements.enumerated() {
      checkDefault(value, subject, pattern, element: attribute.isList ? element : nil)
    }
  }

  private func checkDefault(
    _ value: AttributeValue, _ subject: AttributeSubject, _ pattern: TextPattern?, element: Int?
  ) {
    let attribute = subject.attribute
    let isBroken = check(value, .default, subject, pattern, element: element)
    if !isBroken, let allowed = attribute.validation.onlyValues, !allowed.isEmpty,
      attribute.source.isReadable(.enum), !allowed.contains(value)
    {
      findings.report(
        .notListed(subject.name, value), at: subject.place(of: .default, element: element),
        notes: [.init("'enum' is given here", at: subject.place(of: .enum))])
    }
  }

  /// Reports the first validation keyword that a value violates, and returns whether there is one.
  @discardableResult private func check(
    _ value: AttributeValue, _ key: ModelFileKey, _ subject: AttributeSubject, _ pattern: TextPattern?,
    element: Int? = nil
  ) -> Bool {
    guard let (word, limit) = brokenWord(by: value, subject.attribute, pattern) else { return false }
    findings.report(
      .brokenValidation(key, of: subject.name, value, word, limit), at: subject.place(of: key, element: element),
      notes: [.init("\(word.quoted) is given here", at: subject.place(of: word))])
    return true
  }

  /// Returns the first validation keyword that a value violates, and the keyword's value.
  private func brokenWord(
    by value: AttributeValue, _ attribute: AttributeDescription, _ pattern: TextPattern?
  ) -> (ModelFileKey, String)? {
    let validation = attribute.validation
    if let least = validation.minimum, value.isLess(than: least) { return (.minimum, least.description) }
    if let most = validation.maximum, most.isLess(than: value) { return (.maximum, most.description) }
    if let length = value.length {
      if let least = validation.minLength, length < least { return (.minLength, "\(least)") }
      if let most = validation.maxLength, length > most { return (.maxLength, "\(most)") }
    }
    if let pattern, case .string(let text) = value, !pattern.matches(text) {
      return (.pattern, (validation.pattern ?? "").quoted)
    }
    return nil
  }
}
