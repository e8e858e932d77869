extension Diagnostic: CustomStringConvertible {
  /// One line: the place, what is wrong, and the nearest legal name.
  ///
  ///     Models/Comics.json:12:24: error: entity 'Hero' has no relationship 'teem'; did you mean 'team'?
  ///
  /// Without a place in a text, `<payload>` or `<export>` stands for it and the JSON path follows. Control characters are escaped.
  public var description: String {
    let words = suggestion.map { "\(message); did you mean '\($0)'?" } ?? message
    let line = "\(severity.rawValue): \(words)"
    if let location { return "\(location): " + line.escapedForDisplay() }
    guard let path else { return line.escapedForDisplay() }
    return "\(document): \(line) (at \(path))".escapedForDisplay()
  }
}

extension Diagnostic.Note: CustomStringConvertible {
  /// One line: the place, where there is one, and the message.
  public var description: String {
    let line = "note: \(message)".escapedForDisplay()
    return location.map { "\($0): \(line)" } ?? line
  }
}

extension SourceLocation: CustomStringConvertible {
  /// `file:line:column`, the form that editors jump to.
  public var description: String { "\(file.escapedForDisplay()):\(line):\(column)" }
}
