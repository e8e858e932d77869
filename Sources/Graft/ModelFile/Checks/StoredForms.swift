extension ModelChecker {
  /// Checks that defaults and the values of validation keywords have the attribute's type (D5). Reading a model file
  /// ensures this; a model built in Swift may violate it.
  func checkStoredForms(_ subject: AttributeSubject) {
    let attribute = subject.attribute
    guard attribute.source.isReadable(.type) else { return }
    checkDefault(subject)
    for (element, value) in (attribute.validation.allowedValues ?? []).enumerated() {
      check(value, .enum, subject, element: element)
    }
    guard attribute.type.isNumeric else { return }
    check(attribute.validation.minimum, .minimum, subject)
    check(attribute.validation.maximum, .maximum, subject)
  }

  /// Checks the default or, for a list, each of its elements (M13).
  private func checkDefault(_ subject: AttributeSubject) {
    guard let value = subject.attribute.defaultValue else { return }
    guard subject.attribute.isList else { return check(value, .default, subject) }
    guard case .list(let elements) = value else {
      let error = AttributeValueError(expected: "an array", found: value.foundPhrase)
      return findings.report(.unfitValue(.default, of: subject.name, error), at: subject.place(of: .default))
    }
    for (number, element) in elements.enumerated() {
      if case .json(.null) = element {
        let error = AttributeValueError(expected: "a value in the array", found: "null")
        findings.report(
          .unfitValue(.default, of: subject.name, error), at: subject.place(of: .default, element: number))
      } else {
        check(element, .default, subject, element: number)
      }
    }
  }

  private func check(_ value: AttributeValue?, _ key: ModelFileKey, _ subject: AttributeSubject, element: Int? = nil) {
    guard let value else { return }
    let type = subject.attribute.type
    do throws(AttributeValueError) {
      guard try value.converted(to: type).isSameKind(as: value) else {
        throw AttributeValueError(expected: "a value of type '\(type.rawValue)'", found: "a value of another type")
      }
    } catch {
      findings.report(.unfitValue(key, of: subject.name, error), at: subject.place(of: key, element: element))
    }
  }
}
