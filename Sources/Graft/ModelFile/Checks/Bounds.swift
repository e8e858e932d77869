extension ModelChecker {
  /// Checks that a value can satisfy both bounds (D11).
  func checkBounds(_ subject: AttributeSubject) {
    let validation = subject.attribute.validation
    if let low = validation.minimum, let high = validation.maximum, high.isLess(than: low) {
      report(.minimum, low.description, .maximum, high.description, subject)
    }
    for (word, value) in [(ModelFileKey.minLength, validation.minLength), (.maxLength, validation.maxLength)] {
      guard let value, value < 0 else { continue }
      findings.report(.negativeBound(word, of: subject.name, value), at: subject.place(of: word))
    }
    if let low = validation.minLength, let high = validation.maxLength, high >= 0, low > high {
      report(.minLength, "\(low)", .maxLength, "\(high)", subject)
    }
  }

  private func report(
    _ low: ModelFileKey, _ lowText: String, _ high: ModelFileKey, _ highText: String, _ subject: AttributeSubject
  ) {
    findings.report(
      .impossibleBounds(low, lowText, high, highText, of: subject.name), at: subject.place(of: low),
      notes: [.init("\(high.quoted) is given here", at: subject.place(of: high))])
  }
}
