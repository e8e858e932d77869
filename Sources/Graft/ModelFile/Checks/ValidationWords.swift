extension ModelChecker {
  /// Checks that validation keywords apply to the attribute's type (D11).
  func checkValidationWords(_ subject: AttributeSubject) {
    let attribute = subject.attribute
    guard attribute.source.isReadable(.type) else { return }
    for (word, kinds) in ModelFileKey.bounds where !word.fits(attribute.type) && attribute.validation.has(word) {
      findings.report(
        .unfitValidation(word, of: subject.name, attribute.type, fits: kinds), at: subject.place(of: word))
    }
  }
}

extension AttributeValidation {
  /// Returns whether one of ``ModelFileKey/bounds`` is present.
  fileprivate func has(_ word: ModelFileKey) -> Bool {
    switch word {
    case .minimum: minimum != nil
    case .maximum: maximum != nil
    case .minLength: minLength != nil
    case .maxLength: maxLength != nil
    case .pattern: pattern != nil
    default: false
    }
  }
}
