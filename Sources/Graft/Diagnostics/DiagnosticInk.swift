/// Colors the parts of a diagnostic, or leaves them unchanged. The parts must already be escaped.
struct DiagnosticInk {
  let isColored: Bool

  /// Colors a file's name, line and column.
  func place(_ text: String) -> String { paint(text, "1") }

  /// Colors the word `error` or `warning`.
  func severity(_ severity: Diagnostic.Severity) -> String {
    paint(severity.rawValue, severity == .error ? "1;31" : "1;33")
  }

  /// Colors the word `note`.
  func note(_ word: String) -> String { paint(word, "1;36") }

  /// Colors the caret below an excerpt.
  func caret(_ text: String) -> String { paint(text, "1;32") }

  private func paint(_ text: String, _ codes: String) -> String {
    isColored ? "\u{1B}[\(codes)m\(text)\u{1B}[0m" : text
  }
}
