import Graft

/// The explanation of a code, in the form that `graft explain` prints.
struct CodeText {
  let explanation: CodeExplanation

  /// Lines of at most 80 columns; examples may be longer.
  var text: String {
    var paragraphs = Paragraphs(width: 80)
    paragraphs.add(explanation.code.rawValue, indent: 0)
    paragraphs.skip()
    paragraphs.add(plain(explanation.meaning), indent: 2)
    paragraphs.skip()
    paragraphs.add("Example:", indent: 2)
    let example = explanation.example.split(separator: "\n", omittingEmptySubsequences: false)
    let lines = example.map { "    \($0)\n" }.joined()
    var fix = Paragraphs(width: 80)
    fix.skip()
    fix.add("Fix: " + plain(explanation.fix), indent: 2)
    return paragraphs.text + lines + fix.text
  }

  /// Returns text with code in single quotes, as in messages. Code that already contains quotes is not quoted.
  private func plain(_ text: String) -> String {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    return parts.enumerated().map { index, part in
      index.isMultiple(of: 2) || part.hasPrefix("\"") ? String(part) : "'\(part)'"
    }.joined()
  }
}
