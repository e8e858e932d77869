extension ModelChecker {
  /// Checks that a sensitive attribute is not read from a key, because messages contain keys, alone and in paths (M29).
  func checkSensitive(_ subject: AttributeSubject) {
    guard subject.attribute.isSensitive else { return }
    if subject.attribute.keyPath?.isObjectKey == true {
      findings.report(.sensitiveKey(subject.name), at: subject.place(of: .JSONKeyPath))
    }
    for (index, alias) in subject.attribute.keyPathAliases.enumerated() where alias.isObjectKey {
      findings.report(.sensitiveKey(subject.name), at: subject.place(of: .JSONKeyPathAliases, element: index))
    }
  }
}
