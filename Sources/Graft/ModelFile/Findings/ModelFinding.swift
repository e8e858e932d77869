/// One thing that is wrong with a model, in words. Checks find facts; the extensions of this type word them.
struct ModelFinding: Sendable {
  var code: ModelFindingCode
  var severity: Diagnostic.Severity
  var message: String
  /// The name that leads nowhere, for which a near one can be suggested.
  var offender: String?
  /// What is suggested whatever is near.
  var suggestion: String?

  init(
    _ code: ModelFindingCode, _ message: String, offender: String? = nil, severity: Diagnostic.Severity = .error
  ) {
    self.code = code
    self.severity = severity
    self.message = message
    self.offender = offender
  }
}

extension String {
  /// The text in single quotes, as messages show names; long ones are cut.
  var quoted: String {
    let longest = FoundPhrase.longest
    guard utf8.count > longest else { return "'\(self)'" }
    return "'\(String(String.UnicodeScalarView(unicodeScalars.prefix(longest))))…'"
  }
}

extension ModelFileKey {
  /// The key in single quotes, as messages show it.
  var quoted: String { rawValue.quoted }
}

extension ModelFileNode {
  /// What was found, for messages: `the string "4"`.
  var foundPhrase: String {
    switch kind {
    case .array: "an array"
    case .object: "an object"
    default: FoundPhrase.of(json)
    }
  }
}
