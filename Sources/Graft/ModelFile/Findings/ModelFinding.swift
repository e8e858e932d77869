/// One thing that is wrong with a model, in words. Checks find facts; the extensions of this type word them.
struct ModelFinding: Sendable {
  var code: DiagnosticCode
  var severity: Diagnostic.Severity
  var message: String
  /// The name that leads nowhere, for which a near one can be suggested.
  var offender: String?
  /// What is suggested whatever is near.
  var suggestion: String?
  /// Whether the message already contains the suggestion.
  var namesSuggestion = false
  /// Whether the legal names are listed where none is near.
  var listsCandidates: Bool

  init(
    _ code: DiagnosticCode, _ message: String, offender: String? = nil, severity: Diagnostic.Severity = .error,
    listsCandidates: Bool = true
  ) {
    self.code = code
    self.severity = severity
    self.message = message
    self.offender = offender
    self.listsCandidates = listsCandidates
  }

  /// The same finding for programs: the message proposes this, and nothing else, for what is there.
  func proposing(_ replacement: String?) -> Self {
    guard let replacement else { return self }
    var finding = self
    finding.suggestion = replacement
    finding.namesSuggestion = true
    return finding
  }
}

extension String {
  /// The text in single quotes, as messages show names; long ones are cut.
  var quoted: String { "'\(shortened)'" }

  /// The text, cut where it is long.
  var shortened: String {
    let longest = FoundPhrase.longest
    return utf8.count > longest ? String(String.UnicodeScalarView(unicodeScalars.prefix(longest))) + "…" : self
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
