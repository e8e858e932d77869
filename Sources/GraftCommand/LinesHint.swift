import Graft

/// The hint that a file that was read as one document is JSON Lines.
enum LinesHint {
  /// Adds the hint to an error if the line after the document begins like another document.
  static func hinted(_ diagnostic: Diagnostic) -> Diagnostic {
    guard diagnostic.message == JSONSyntaxError.textAfterEnd, let location = diagnostic.location else {
      return diagnostic
    }
    let line = location.excerpt.unicodeScalars.drop { $0 == " " || $0 == "\t" }
    let indent = location.excerpt.unicodeScalars.count - line.count
    guard location.excerptColumn + indent == location.column, line.first == "{" || line.first == "[" else {
      return diagnostic
    }
    var hinted = diagnostic
    hinted.notes.insert(Diagnostic.Note("for one document on each line, use --lines"), at: 0)
    return hinted
  }
}
