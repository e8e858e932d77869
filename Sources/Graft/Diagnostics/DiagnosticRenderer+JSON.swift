extension DiagnosticRenderer {
  /// Returns the lines of a JSON object for a diagnostic. The object always has these members, in this order, with `null` for
  /// absent values: `file`, `line`, `column`, `length`, `path`, `severity`, `code`, `message`, `suggestion`, `notes`.
  static func indentedJSON(_ diagnostic: Diagnostic) -> [String] {
    let notes = diagnostic.notes.map { note in
      IndentedJSON.object(place(note.location) + [("message", IndentedJSON.text(note.message))])
    }
    return IndentedJSON.object(
      place(diagnostic.location) + [
        ("path", IndentedJSON.text(diagnostic.path)),
        ("severity", IndentedJSON.text(diagnostic.severity.rawValue)),
        ("code", IndentedJSON.text(diagnostic.code.rawValue)),
        ("message", IndentedJSON.text(diagnostic.message)),
        ("suggestion", IndentedJSON.text(diagnostic.suggestion)),
        ("notes", IndentedJSON.array(notes)),
      ])
  }

  private static func place(_ location: SourceLocation?) -> [IndentedJSON.Member] {
    [
      ("file", IndentedJSON.text(location?.file)),
      ("line", IndentedJSON.number(location?.line)),
      ("column", IndentedJSON.number(location?.column)),
      ("length", IndentedJSON.number(location?.length)),
    ]
  }
}
