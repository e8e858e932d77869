/// Draws diagnostics, for people or for programs.
///
///     characters.json:7:15: error: expected an integer for 'Power.identifier', found the string "4"
///       at $.powers[0].id
///     7 |       { "id": "4", "name": "Agility" }
///       |               ^~~
///     Models/Comics.json:31:23: note: 'identifier' is declared integer64 here
///
/// What comes from a file cannot steer a terminal: control and direction characters are escaped. A diagnostic in one line,
/// without its notes, is its ``Diagnostic/description``.
public struct DiagnosticRenderer: Sendable {
  /// How diagnostics are drawn.
  public enum Style: String, Sendable, CaseIterable {
    /// The message, the JSON path and the notes, a line each.
    case line
    /// The same, and the offending line of the file with a caret below it.
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
    /// All members are always there, `null` where there is nothing to say. `column` and `length` count Unicode scalars, lines
    /// and columns from 1 (D7). A note has `file`, `line`, `column`, `length` and `message`.
    case json
  }

  /// How diagnostics are drawn.
  public var style: Style
  /// Whether places, severities and carets are coloured by escape sequences (ANSI), for a terminal. JSON has no colours.
  public var isColored: Bool
  /// How many columns an excerpt may take, such as the width of a terminal: a longer line would wrap, and the caret would be below
  /// another place. nil: as much of the line as its ``SourceLocation/excerpt`` holds.
  public var width: Int?

  /// Makes a renderer.
  public init(style: Style = .excerpt, isColored: Bool = false, width: Int? = nil) {
    self.style = style
    self.isColored = isColored
    self.width = width
  }

  /// A diagnostic as text, without a line end after the last line. In text, a very long path is shortened in the middle.
  public func render(_ diagnostic: Diagnostic) -> String {
    if style == .json { return DiagnosticRenderer.jsonLines(diagnostic).joined(separator: "\n") }
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

  /// Diagnostics as text, one after the other; as JSON, an array of them. Without a line end after the last line.
  public func render(_ diagnostics: [Diagnostic]) -> String {
    if style == .json {
      return JSONLines.array(diagnostics.map(DiagnosticRenderer.jsonLines)).joined(separator: "\n")
    }
    return diagnostics.map { render($0) }.joined(separator: "\n")
  }
}
