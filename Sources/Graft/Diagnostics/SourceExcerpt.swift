/// The line of text that a diagnostic refers to, with a caret below the location.
///
///     7 |       { "id": "4", "name": "Agility" }
///       |               ^~~
///
/// The caret is in the right column even after tabs, wide characters, combining characters and escaped characters. A line
/// longer than the width is cut on both sides, so that the location is visible.
struct SourceExcerpt {
  /// The line, with its number.
  private let text: String
  /// The text before the caret.
  private let indent: String
  /// The caret and its tail.
  private let mark: String

  /// The spaces that replace a tab.
  private static let tab = "    "
  /// The minimum number of columns for a useful excerpt.
  private static let narrowest = 24

  /// Returns nil if the text of the line is not known.
  ///
  /// - Parameter width: the number of columns available, line number included, or nil for no limit.
  init?(_ location: SourceLocation, width: Int? = nil) {
    guard !location.excerpt.isEmpty else { return nil }
    let number = String(location.line)
    let line = DrawnLine(location.excerpt)
    // The location may be just after the end of the line.
    let first = min(max(0, location.column - location.excerptColumn), line.count)
    let last = min(first + location.length, line.count)
    let columns = width.map { max($0, SourceExcerpt.narrowest) - number.count - 3 }
    let shown = line.window(
      around: first..<max(first, last), columns: columns,
      isCut: (location.excerptColumn > 1, location.isExcerptCut))
    let isCutBefore = location.excerptColumn > 1 || shown.lowerBound > 0
    let isCutAfter = location.isExcerptCut || shown.upperBound < line.count
    text = "\(number) | \(isCutBefore ? "…" : "")\(line.text(shown))\(isCutAfter ? "…" : "")"
    let start = (isCutBefore ? 1 : 0) + line.width(shown.lowerBound..<first)
    indent = String(repeating: " ", count: number.count) + " | " + String(repeating: " ", count: start)
    let covered = line.width(first..<max(first, min(last, shown.upperBound)))
    mark = "^" + String(repeating: "~", count: max(0, covered - 1))
  }

  /// Returns the line, and the line with the caret.
  func lines(_ ink: DiagnosticInk) -> [String] { [text, indent + ink.caret(mark)] }

  /// The scalars of a line as displayed, and their columns.
  private struct DrawnLine {
    private var cells: [String] = []
    /// The column at which each scalar begins, and the column at which the last one ends.
    private var columns = [0]

    var count: Int { cells.count }

    init(_ excerpt: String) {
      var isJoined = false
      for scalar in excerpt.unicodeScalars {
        let cell = scalar == "\t" ? SourceExcerpt.tab : scalar.escapedForDisplay ?? String(scalar)
        var width = cell.unicodeScalars.count
        if scalar != "\t", scalar.escapedForDisplay == nil { width = isJoined ? 0 : scalar.displayWidth }
        isJoined = scalar == "\u{200D}"
        cells.append(cell)
        columns.append(columns[columns.count - 1] + width)
      }
    }

    func text(_ range: Range<Int>) -> String { cells[range].joined() }

    func width(_ range: Range<Int>) -> Int { columns[range.upperBound] - columns[range.lowerBound] }

    /// Returns the range of scalars that fits into the given number of columns: the location, some of the following text, and as
    /// much as possible of the preceding text.
    ///
    /// - Parameter isCut: whether an ellipsis is required on either side.
    func window(around place: Range<Int>, columns room: Int?, isCut: (before: Bool, after: Bool)) -> Range<Int> {
      // The caret may be just after the last scalar.
      let caret = place.lowerBound == count ? 1 : 0
      let ends = (isCut.before ? 1 : 0) + max(isCut.after ? 1 : 0, caret)
      guard let room, width(0..<count) + ends > room else { return 0..<count }
      let inner = room - 2
      let mark = reach(from: place.lowerBound, columns: inner * 3 / 4, to: place.upperBound)
      var end = reach(from: mark, columns: inner / 4, to: count)
      var start = end
      while start > 0, width(start - 1..<end) <= inner - caret { start -= 1 }
      end = reach(from: start, columns: inner, to: count)
      // A combining mark cannot begin the window, because its base character is cut off. The location itself is kept.
      while start < place.lowerBound, width(start..<start + 1) == 0 { start += 1 }
      while start > 0, start < count, width(start..<start + 1) == 0 { start -= 1 }
      return start..<max(mark, reach(from: start, columns: inner, to: count))
    }

    /// Returns the end of the scalars that fit into the given number of columns.
    private func reach(from start: Int, columns: Int, to limit: Int) -> Int {
      var end = start
      while end < limit, width(start..<end + 1) <= columns { end += 1 }
      return end
    }
  }
}
