extension ModelChecker {
  /// D11: validation words stand where they can say something.
  func checkValidationWords(_ subject: AttributeSubject) {
    let attribute = subject.attribute
    guard attribute.source.isReadable(.type) else { return }
    let validation = attribute.validation
    let type = attribute.type
    let words: [(ModelFileKey, isGiven: Bool, fits: Bool, String)] = [
      (.minimum, validation.minimum != nil, type.isNumeric, "numbers"),
      (.maximum, validation.maximum != nil, type.isNumeric, "numbers"),
      (.minLength, validation.minLength != nil, type.hasLength, "strings and binary data"),
      (.maxLength, validation.maxLength != nil, type.hasLength, "strings and binary data"),
      (.pattern, validation.pattern != nil, type == .string, "strings"),
    ]
    for (word, isGiven, fits, kinds) in words where isGiven && !fits {
      findings.report(.unfitValidation(word, of: subject.name, type, fits: kinds), at: subject.place(of: word))
    }
  }
}
