package import Graft

/// Describes fixes.
package enum FixText {
  /// The maximum number of characters of text that are shown.
  private static let longest = 60

  /// Returns a description of a fix that was made: `replaced "Teem" with "Team"`.
  package static func past(_ edits: [SourceEdit], in source: SourceText) -> String {
    text(edits, source, insert: "inserted", remove: "removed", replace: "replaced")
  }

  /// Returns a description of a fix to choose: `Replace "Teem" with "Team"`.
  package static func imperative(_ edits: [SourceEdit], in source: SourceText) -> String {
    text(edits, source, insert: "Insert", remove: "Remove", replace: "Replace")
  }

  private static func text(
    _ edits: [SourceEdit], _ source: SourceText, insert: String, remove: String, replace: String
  ) -> String {
    let parts = SourceEdit.ordered(edits).map { edit in
      let range = edit.range
      let old = shown(String(decoding: source.bytes[range.offset..<range.offset + range.length], as: UTF8.self))
      let new = shown(edit.text)
      if range.length == 0 { return "\(insert) \(new)" }
      return edit.text.isEmpty ? "\(remove) \(old)" : "\(replace) \(old) with \(new)"
    }
    let rest = parts.dropFirst().map { " and " + $0.prefix(1).lowercased() + $0.dropFirst() }
    return (parts.prefix(1) + rest).joined()
  }

  /// Returns text on one line, without leading commas and white space, which only separate it. Invisible characters are escaped.
  private static func shown(_ text: String) -> String {
    let isSeparator = { (scalar: Unicode.Scalar) in ", \r\n\t".unicodeScalars.contains(scalar) }
    let core = text.unicodeScalars.drop(while: isSeparator)
    guard !core.isEmpty else { return text.contains(",") ? "','" : "' '" }
    let line = String(String.UnicodeScalarView(core))
    let cut = line.count > longest ? String(line.prefix(longest)) + "…" : line
    return cut.first.map { "\"'`“”{[".contains($0) } ?? false ? cut : "'\(cut)'"
  }
}
