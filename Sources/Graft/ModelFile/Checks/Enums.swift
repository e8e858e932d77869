extension ModelChecker {
  /// Checks that `enum` is not empty and lists each value once (D11).
  func checkEnum(_ subject: AttributeSubject) {
    guard let values = subject.attribute.validation.allowedValues, subject.attribute.source.isReadable(.enum) else {
      return
    }
    if values.isEmpty { findings.report(.emptyEnum(subject.name), at: subject.place(of: .enum)) }
    var seen: [AttributeValue: Int] = [:]
    for (element, value) in values.enumerated() {
      guard let first = seen[value] else {
        seen[value] = element
        continue
      }
      findings.report(
        .repeatedEnumValue(subject.name, value), at: subject.place(of: .enum, element: element),
        notes: [.init("it is listed here first", at: subject.place(of: .enum, element: first))])
    }
  }

  /// Checks that `extensible` accompanies `enum` (M14).
  func checkExtensible(_ subject: AttributeSubject) {
    let attribute = subject.attribute
    guard attribute.validation.isExtensible, attribute.validation.allowedValues == nil,
      attribute.source[.enum] == nil
    else { return }
    findings.report(.extensibleWithoutEnum(subject.name), at: subject.place(of: .extensible))
  }
}
