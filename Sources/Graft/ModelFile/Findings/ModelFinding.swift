/// The wording of one finding about a model. Checks find the facts, and the extensions of this type put them into words.
struct ModelFinding: Sendable {
  var code: DiagnosticCode
  var severity: Diagnostic.Severity
  var message: String
  /// The unknown name, for which a similar name can be suggested.
  var offender: String?
  /// A suggestion that takes precedence over similar names.
  var suggestion: String?
  /// Whether the message already contains the suggestion.
  var namesSuggestion = false
  /// Whether the legal names are listed if none is similar.
  var listsCandidates: Bool
  /// The change to the file that resolves the finding, if it is more than replacing the unknown name.
  var edits: [SourceEdit] = []
  /// Returns whether replacing the unknown name with a suggestion resolves the finding. If this closure is nil, the
  /// replacement resolves errors but not warnings.
  var acceptsName: (@Sendable (_ suggestion: String) -> Bool)?

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

  /// Returns the finding with the change to the file that resolves it.
  func fixed(by edits: SourceEdit?...) -> Self {
    var finding = self
    let all = edits.compactMap(\.self)
    if all.count == edits.count { finding.edits = all }
    return finding
  }

  /// The finding with a suggestion that only the author can accept, because the name exists and may not be misspelled.
  var withoutFix: Self {
    var finding = self
    finding.acceptsName = { _ in false }
    return finding
  }

  /// Returns the finding with a single suggestion, for programs that replace the offending text.
  func proposing(_ replacement: String?) -> Self {
    guard let replacement else { return self }
    var finding = self
    finding.suggestion = replacement
    finding.namesSuggestion = true
    return finding
  }
}

extension String {
  /// The text in single quotes, as names appear in messages. Long text is truncated.
  var quoted: String { "'\(shortened)'" }

  /// The text, truncated if it is long.
  var shortened: String {
    let longest = FoundPhrase.longest
    return utf8.count > longest ? String(String.UnicodeScalarView(unicodeScalars.prefix(longest))) + "…" : self
  }
}

extension ModelFileKey {
  /// The key in single quotes, as in messages.
  var quoted: String { rawValue.quoted }
}

extension ModelFileNode {
  /// The value in the form used in messages: `the string "4"`.
  var foundPhrase: String {
    switch kind {
    case .array: "an array"
    case .object: "an object"
    default: FoundPhrase.of(json)
    }
  }
}
