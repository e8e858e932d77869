extension ModelChecker {
  /// Checks that a property's name can be displayed and listed.
  func checkPropertyName(_ name: String, _ source: DescriptionSource, _ what: String) {
    guard let reason = NameRules.fault(inPropertyName: name) else { return }
    findings.report(.badName(name, of: what, reason), at: source.place())
  }
}
