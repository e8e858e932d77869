extension ModelChecker {
  /// Names of properties can be shown and listed.
  func checkPropertyName(_ name: String, _ source: DescriptionSource, _ what: String) {
    guard let reason = NameRules.fault(inPropertyName: name) else { return }
    findings.report(.badName(name, of: what, reason), at: source.place())
  }
}
