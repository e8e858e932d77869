/// The line of a text that a diagnostic is about, with a caret below the place.
///
///     7 |       { "id": "4", "name": "Agility" }
///       |               ^~~
///
/// The caret stands right also after tabs, wide and combining characters, and after characters that are escaped.
struct SourceExcerpt {
  /// The line, with its number.
  private let text: String
  /// What stands before the caret.
  private let indent: String
  /// The caret and its tail.
  private let mark: String

  /// How many spaces stand for a tab.
  private static let tab = "    "

  /// Fails where the text of the line is not known.
  init?(_ location: SourceLocation) {
    guard !location.excerpt.isEmpty else { return nil }
    var drawn = location.excerptColumn > 1 ? "…" : ""
    var width = location.excerptColumn > 1 ? 1 : 0
    var caret: Int?
    var end = width
    var column = location.excerptColumn
    var isJoined = false
    for scalar in location.excerpt.unicodeScalars {
      if column == location.column { caret = width }
      let cell = scalar == "\t" ? SourceExcerpt.tab : scalar.escapedForDisplay ?? String(scalar)
      drawn += cell
      if scalar == "\t" || scalar.escapedForDisplay != nil {
        width += cell.unicodeScalars.count
      } else if !isJoined {
        width += scalar.displayWidth
      }
      isJoined = scalar == "\u{200D}"
      column += 1
      if column == location.column + location.length { end = width }
    }
    // The place may be just behind the end of the line.
    let start = caret ?? width
    if column < location.column + location.length { end = width }
    let number = String(location.line)
    let gutter = String(repeating: " ", count: number.count)
    let tail = String(repeating: "~", count: max(0, end - start - 1))
    text = "\(number) | \(drawn)\(location.isExcerptCut ? "…" : "")"
    indent = "\(gutter) | " + String(repeating: " ", count: start)
    mark = "^" + tail
  }

  /// The line, and the one with the caret.
  func lines(_ ink: DiagnosticInk) -> [String] { [text, indent + ink.caret(mark)] }
}
