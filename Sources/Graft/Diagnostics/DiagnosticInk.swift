/// Colours the parts of a diagnostic, or leaves them as they are. What it is given has been escaped before.
struct DiagnosticInk {
  let isColored: Bool

  /// A file's name, line and column.
  func place(_ text: String) -> String { paint(text, "1") }

  /// The word `error` or `warning`.
  func severity(_ severity: Diagnostic.Severity) -> String {
    paint(severity.rawValue, severity == .error ? "1;31" : "1;33")
  }

  /// The word `note`.
  func note(_ word: String) -> String { paint(word, "1;36") }

  /// The mark below the place in an excerpt.
  func caret(_ text: String) -> String { paint(text, "1;32") }

  private func paint(_ text: String, _ codes: String) -> String {
    isColored ? "\u{1B}[\(codes)m\(text)\u{1B}[0m" : text
  }
}
