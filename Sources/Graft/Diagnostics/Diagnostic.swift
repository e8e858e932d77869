/// One finding: what is wrong, where, and what to do about it.
///
/// A diagnostic is a value; how it is drawn is the renderer's business (``description`` is one line). Positions come
/// first, in the form that editors jump to:
///
///     heroes.json:7:15: error: expected an integer for 'Power.identifier', found the string "4"
public struct Diagnostic: Sendable, Hashable {
  /// How bad it is: an error stops the load or the import, a warning does not.
  public enum Severity: String, Sendable, Hashable { case error, warning }

  /// A second place that explains the first one, such as the line of the model that asks for an integer.
  public struct Note: Sendable, Hashable {
    /// What there is to say about the place, in lower case and without a full stop.
    public var message: String
    /// The place, where there is one.
    public var location: SourceLocation?

    /// Makes a note.
    public init(_ message: String, at location: SourceLocation? = nil) {
      self.message = message
      self.location = location
    }
  }

  /// How bad it is.
  public var severity: Severity
  /// The kind of finding, for programs: messages may change, codes do not.
  public var code: DiagnosticCode
  /// What was expected and what was found, in lower case and without a full stop.
  public var message: String
  /// The place in the model file or the payload. nil where there is no text, as in a payload of dictionaries.
  public var location: SourceLocation?
  /// The JSON path in a payload, such as `$.powers[0].id` (D7). nil for a model file.
  public var path: String?
  /// The nearest legal name, where one is near: `Team` for `Teem`.
  public var suggestion: String?
  /// Other places involved, most often the line of the model that asks.
  public var notes: [Note]
  /// How often the same fault occurs. If it is more than once, the message ends with it, and the first notes are the next places.
  public internal(set) var count = 1
  /// Whether the message already contains the suggestion, so that a line does not repeat it.
  package var namesSuggestion = false
  /// What the JSON path leads through, where there is no text with a name.
  package var document = "<payload>"

  /// Makes a diagnostic.
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
