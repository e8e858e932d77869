extension Diagnostic: CustomStringConvertible {
  /// One line: the location, the message and the nearest legal name.
  ///
  ///     Models/Comics.json:12:24: error: entity 'Hero' has no relationship 'teem'; did you mean 'team'?
  ///
  /// If there is no location in a text, the line begins with `<payload>` or `<export>` and contains the JSON path. Control characters are
  /// escaped, and a very long path is shortened in the middle.
  public var description: String { line(DiagnosticInk(isColored: false)) }

  /// The message and the suggestion.
  var words: String {
    namesSuggestion ? message : suggestion.map { "\(message); did you mean '\($0)'?" } ?? message
  }

  /// Returns the line of ``description``, optionally in color.
  func line(_ ink: DiagnosticInk) -> String {
    let line = "\(ink.severity(severity)): \(words.escapedForDisplay())"
    if let location { return "\(ink.place(location.description)): \(line)" }
    guard let path else { return line }
    return "\(ink.place(document)): \(line) (at \(path.escapedForDisplay().shortenedPath()))"
  }
}

extension Diagnostic.Note: CustomStringConvertible {
  /// One line: the location, if there is one, and the message.
  public var description: String { line(DiagnosticInk(isColored: false)) }

  /// Returns the line of ``description``, optionally in color.
  func line(_ ink: DiagnosticInk) -> String {
    let line = "\(ink.note("note")): \(message.escapedForDisplay())"
    return location.map { "\(ink.place($0.description)): \(line)" } ?? line
  }
}

extension SourceLocation: CustomStringConvertible {
  /// `file:line:column`, the form that editors recognize as a link.
  public var description: String { "\(file.escapedForDisplay()):\(line):\(column)" }
}
