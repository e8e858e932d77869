/// Renders diagnostics for people or programs.
///
///     characters.json:7:15: error: expected an integer for 'Power.identifier', found the string "4"
///       at $.powers[0].id
///     7 |       { "id": "4", "name": "Agility" }
///       |               ^~~
///     Models/Comics.json:31:23: note: 'identifier' is declared integer64 here
///
/// Control and direction characters from a file are escaped, so that they cannot affect the terminal. For a diagnostic in
/// one line, without its notes, use its ``Diagnostic/description``.
public struct DiagnosticRenderer: Sendable {
  /// The form of the output.
  public enum Style: String, Sendable, CaseIterable {
    /// The message, the JSON path and the notes, one line each.
    case line
    /// Like ``line``, but with the line of the file and a caret below the error.
    case excerpt
    /// A JSON object for each diagnostic, for editors and scripts.
    ///
    ///     {
    ///       "file": "characters.json",
    ///       "line": 7,
    ///       "column": 15,
    ///       "length": 3,
    ///       "path": "$.powers[0].id",
    ///       "severity": "error",
    ///       "code": "wrong-type",
    ///       "message": "expected an integer for 'Power.identifier', found the string \"4\"",
    ///       "suggestion": null,
    ///       "notes": []
    ///     }
    ///
    /// All members are always present; their value is `null` if they do not apply. `column` and `length` count Unicode
    /// scalars. Lines and columns are counted from 1 ([D7](doc:Rules#D7)). A note has `file`, `line`, `column`, `length`
    /// and `message`.
    case json
  }

  /// The form of the output.
  public var style: Style
  /// Whether locations, severities and carets are colored with ANSI escape sequences, for a terminal. JSON is never
  /// colored.
  public var isColored: Bool
  /// The maximum width of an excerpt in columns, such as the width of a terminal. A longer line would wrap and misplace the
  /// caret. If it is nil, an excerpt shows as much of the line as its ``SourceLocation/excerpt`` contains.
  public var width: Int?

  /// Creates a renderer.
  public init(style: Style = .excerpt, isColored: Bool = false, width: Int? = nil) {
    self.style = style
    self.isColored = isColored
    self.width = width
  }

  /// Returns a diagnostic as text, without a line end after the last line. Except in JSON, a very long path is shortened in
  /// the middle.
  public func render(_ diagnostic: Diagnostic) -> String {
    if style == .json { return DiagnosticRenderer.indentedJSON(diagnostic).joined(separator: "\n") }
    let ink = DiagnosticInk(isColored: isColored)
    var lines = [diagnostic.line(ink)]
    if diagnostic.location != nil, let path = diagnostic.path {
      lines.append("  at \(path.escapedForDisplay().shortenedPath())")
    }
    if style == .excerpt, let location = diagnostic.location {
      lines += SourceExcerpt(location, width: width)?.lines(ink) ?? []
    }
    lines += diagnostic.notes.map { $0.line(ink) }
    return lines.joined(separator: "\n")
  }

  /// Returns diagnostics as text, in order, or as a JSON array. There is no line end after the last line.
  public func render(_ diagnostics: [Diagnostic]) -> String {
    if style == .json {
      return IndentedJSON.array(diagnostics.map(DiagnosticRenderer.indentedJSON)).joined(separator: "\n")
    }
    return diagnostics.map { render($0) }.joined(separator: "\n")
  }
}
