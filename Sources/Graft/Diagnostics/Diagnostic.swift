/// An error or warning: what is wrong, where it is, and how to fix it.
///
/// A diagnostic is a value. Its ``description`` is a single line; a ``DiagnosticRenderer`` produces other forms. The location
/// comes first, in the form that editors recognize as a link:
///
///     heroes.json:7:15: error: expected an integer for 'Power.identifier', found the string "4"
public struct Diagnostic: Sendable, Hashable {
  /// The severity of a diagnostic. An error stops the load or the import; a warning does not.
  public enum Severity: String, Sendable, Hashable { case error, warning }

  /// A related location that explains a diagnostic, such as the line of the model that requires an integer.
  public struct Note: Sendable, Hashable {
    /// The message, in lower case and without a full stop.
    public var message: String
    /// The location, or nil if there is none.
    public var location: SourceLocation?

    /// Creates a note.
    public init(_ message: String, at location: SourceLocation? = nil) {
      self.message = message
      self.location = location
    }
  }

  /// The severity.
  public var severity: Severity
  /// The kind of diagnostic, for programs that read the output: messages may change, codes do not.
  public var code: DiagnosticCode
  /// The expected and the actual value, in lower case and without a full stop.
  public var message: String
  /// The location in the model file or the payload, or nil if there is no text, as in a payload of dictionaries.
  public var location: SourceLocation?
  /// The JSON path in a payload, such as `$.powers[0].id` ([D7](doc:Rules#D7)), or nil for a model file.
  public var path: String?
  /// The nearest legal name, such as `Team` for `Teem`, or nil if no name is similar.
  public var suggestion: String?
  /// Related locations, most often the line of the model that states the requirement.
  public var notes: [Note]
  /// The object, the entity and the property that the diagnostic is about, or nil if it is about something else.
  public var subject: Subject?
  /// The number of times that the problem occurs. If it is more than 1, the message ends with the count, and the first notes are
  /// the next locations.
  public internal(set) var count = 1
  /// Whether the message already contains the suggestion, so that it is not repeated.
  package var namesSuggestion = false
  /// The change to the text that resolves the diagnostic, if there is exactly one such change; otherwise empty.
  package var fix: [SourceEdit] = []
  /// The document that the JSON path refers to, if there is no named text.
  package var document = "<payload>"

  /// Creates a diagnostic.
  public init(
    _ severity: Severity = .error, code: DiagnosticCode, _ message: String, at location: SourceLocation? = nil,
    path: String? = nil, suggestion: String? = nil, notes: [Note] = []
  ) {
    self.severity = severity
    self.code = code
    self.message = message
    self.location = location
    self.path = path
    self.suggestion = suggestion
    self.notes = notes
  }
}
