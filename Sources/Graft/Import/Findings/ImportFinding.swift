/// One problem with a payload, in words. The importer finds the facts, and the extensions of this type put them into words.
struct ImportFinding: Sendable {
  /// The line of a model that states the violated requirement, and the note that explains it.
  struct Requirement: Sendable {
    var source: DescriptionSource
    var key: ModelFileKey?
    var note: String

    init(_ source: DescriptionSource, _ key: ModelFileKey? = nil, _ note: String) {
      self.source = source
      self.key = key
      self.note = note
    }
  }

  /// What a payload has instead of what is expected.
  enum Found: ExpressibleByStringInterpolation {
    /// The phrase for a value of the payload, which is hidden if the value is sensitive (M29).
    case value(String)
    /// Keys, counts, names and other facts, which are always shown.
    case fact(String)

    init(stringLiteral text: String) { self = .fact(text) }

    /// - Parameter isHidden: whether the value is sensitive.
    fileprivate func text(isHidden: Bool) -> String {
      switch self {
      case .value(let phrase): isHidden ? HiddenValue.phrase(phrase) : phrase
      case .fact(let text): text
      }
    }
  }

  var code: DiagnosticCode
  /// The expectation or the problem. In the message, the actual value follows it.
  var expectation: String
  /// The actual value; nil if the message does not contain it.
  var found: String?
  /// The key or word that was probably intended.
  var suggestion: String?
  /// Whether the message already contains the suggestion.
  var namesSuggestion = false
  var requirement: Requirement?
  /// Whether the problem may be caused by another object that is missing or took a link.
  var isRelational = false
  /// Whether the finding is about the text of the payload. If the model has sensitive attributes, the path of the finding is not shown
  /// (M29).
  var isOfText = false
  /// Whether each value is reported individually, rather than counted with other values of its kind.
  var isKindOfItsValue = false
  /// Further explanations without a location.
  var remarks: [String]
  /// The entity and the property that the finding is about, and the object if it already exists.
  var subject: Diagnostic.Subject?

  init(
    _ code: DiagnosticCode, about subject: Diagnostic.Subject? = nil, _ expectation: String, found: Found? = nil,
    requirement: Requirement? = nil,
    remark: String? = nil
  ) {
    self.code = code
    self.expectation = expectation
    self.found = found?.text(isHidden: subject?.hidesValues == true)
    self.requirement = requirement
    remarks = remark.map { [$0] } ?? []
    self.subject = subject
  }

  /// The whole message.
  var message: String { found.map { "\(expectation), found \($0)" } ?? expectation }

  /// Findings of one kind probably have one cause: the same property of the same entity, with the same wording except for the
  /// value, and the same advice.
  ///
  ///     expected a number for 'Order.total', found the string "12.50"
  ///     expected a number for 'Order.total', found the string "3.20"
  var kind: String {
    if isKindOfItsValue { return "\(code)\n\(message)" }
    let words = found?.split(separator: " ", maxSplits: 2).prefix(2).joined(separator: " ") ?? ""
    return "\(code)\n\(expectation)\n\(words)\n\(requirement?.note ?? "")"
  }

  /// This finding, with an explanation at the end of its message.
  func explained(_ explanation: String) -> Self {
    var finding = self
    if let found { finding.found = "\(found) (\(explanation))" } else { finding.expectation += " (\(explanation))" }
    return finding
  }

  /// This finding, marked as one that may be caused by another object.
  var relational: Self {
    var finding = self
    finding.isRelational = true
    return finding
  }

  /// This finding, with a name that was probably intended.
  func suggesting(_ suggestion: String?) -> Self {
    var finding = self
    finding.suggestion = suggestion
    return finding
  }

  /// This finding as an error thrown by the call, without a location in a payload.
  func error(underlyingError: (any Error)? = nil) -> ImportError {
    let places = requirement.map { [Diagnostic.Note($0.note, at: $0.source.location(of: $0.key))] } ?? []
    var diagnostic = Diagnostic(
      code: code, message, suggestion: suggestion, notes: places + remarks.map { Diagnostic.Note($0) })
    diagnostic.subject = subject
    return ImportError([diagnostic], underlyingError: underlyingError)
  }

  // MARK: Facts

  /// A property whose value is wrong.
  struct Subject {
    let entity: EntityPlan
    let property: PropertyPlan

    /// Whether the property identifies objects of the entity.
    var isIdentity: Bool { entity.identitySlots.contains { entity.properties[$0].name == property.name } }

    /// The subject of diagnostics.
    var named: Diagnostic.Subject {
      var subject = Diagnostic.Subject(entityName: entity.name, propertyName: property.name)
      subject.hidesValues = property.isSensitive
      return subject
    }

    /// `'Hero.name'`
    var quoted: String { "'\(entity.name).\(property.name)'" }
  }

  /// Returns a list such as `"a", "b" and 3 more`.
  static func list(_ keys: [String]) -> String {
    let most = 8
    let listed = keys.prefix(most).map { FoundPhrase.quoted($0.utf8) }.joined(separator: ", ")
    return keys.count > most ? "\(listed) and \(keys.count - most) more" : listed
  }
}
