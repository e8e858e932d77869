/// Draws diagnostics as text.
///
///     characters.json:7:15: error: expected an integer for 'Power.identifier', found the string "4"
///       at $.powers[0].id
///     7 |       { "id": "4", "name": "Agility" }
///       |               ^~~
///     Models/Comics.json:31:23: note: 'identifier' is declared integer64 here
///
/// What comes from a file cannot steer a terminal: control and direction characters are escaped.
public struct DiagnosticRenderer: Sendable {
  /// How much is drawn.
  public enum Style: String, Sendable, CaseIterable {
    /// The message, the JSON path and the notes, a line each.
    case line
    /// The same, and the offending line of the file with a caret below it.
    case excerpt
  }

  /// How much is drawn.
  public var style: Style

  /// Makes a renderer.
  public init(style: Style = .excerpt) {
    self.style = style
  }

  /// A diagnostic as text, without a line end after the last line.
  public func render(_ diagnostic: Diagnostic) -> String {
    var lines = [diagnostic.description]
    if diagnostic.location != nil, let path = diagnostic.path { lines.append("  at \(path.escapedForDisplay())") }
    if style == .excerpt, let location = diagnostic.location { lines += SourceExcerpt(location).lines }
    lines += diagnostic.notes.map(\.description)
    return lines.joined(separator: "\n")
  }

  /// Diagnostics as text, one after the other.
  public func render(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map { render($0) }.joined(separator: "\n")
  }
}
