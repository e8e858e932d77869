/// Writes laid-out values as text.
struct LayoutWriter {
  /// The maximum width of a line that could be spread over several lines.
  static let width = 120

  private var text = ""

  /// Returns the text of a whole file, with a line end.
  static func text(of document: (root: LayoutItem, closing: [LayoutComment])) -> String {
    var writer = LayoutWriter()
    writer.append(document.root, depth: 0, comma: "", followsBlankLine: false)
    for comment in document.closing { writer.appendLine(comment, depth: 0) }
    return writer.text
  }

  /// Writes an item with its comments and the end of its line.
  private mutating func append(_ item: LayoutItem, depth: Int, comma: String, followsBlankLine: Bool) {
    let list = spread(item, depth)
    var item = item
    if list != nil, !item.value.tookSeveralLines {
      // A comment at the end of the item's only line would end up far from its beginning.
      item.lead(with: item.trailing)
      item.trailing = []
    }
    item.beginsBehindBlankLine = followsBlankLine
    for comment in item.leading { appendLine(comment, depth: depth) }
    if item.followsBlankLine { text += "\n" }
    indent(depth)
    text += item.start
    if let list { append(list, depth: depth) } else { text += item.value.oneLine ?? "" }
    text += comma
    for comment in item.trailing { append(comment, depth: depth, after: " ") }
    text += "\n"
  }

  /// Writes a list over several lines.
  private mutating func append(_ list: LayoutList, depth: Int) {
    text += list.brackets.open
    for comment in list.opening { append(comment, depth: depth, after: " ") }
    text += "\n"
    var isBehindSeveralLines = false
    for (number, item) in list.items.enumerated() {
      let takesSeveralLines = spread(item, depth + 1) != nil
      let isSetApart = list.role.setsItemsApart && (takesSeveralLines || isBehindSeveralLines)
      append(
        item, depth: depth + 1, comma: ",",
        followsBlankLine: number > 0 && (isSetApart || item.beginsBehindBlankLine))
      isBehindSeveralLines = takesSeveralLines
    }
    for (number, var comment) in list.closing.enumerated() {
      if number == 0, list.items.isEmpty { comment.followsBlankLine = false }
      appendLine(comment, depth: depth + 1)
    }
    indent(depth)
    text += list.brackets.close
  }

  /// Returns the list that an item's value must be spread into, or nil if it stays on one line.
  private func spread(_ item: LayoutItem, _ depth: Int) -> LayoutList? {
    guard let list = item.value.list else { return nil }
    guard let oneLine = item.value.oneLine else { return list }
    let columns = (item.start + oneLine).unicodeScalars.reduce(2 * depth + 1) { $0 + $1.displayWidth }
    return columns <= Self.width ? nil : list
  }

  // MARK: Comments

  private mutating func appendLine(_ comment: LayoutComment, depth: Int) {
    if comment.followsBlankLine { text += "\n" }
    indent(depth)
    append(comment, depth: depth, after: "")
    text += "\n"
  }

  private mutating func append(_ comment: LayoutComment, depth: Int, after space: String) {
    for (number, line) in comment.lines.enumerated() {
      if number == 0 {
        text += space
      } else {
        text += "\n"
        if !line.isEmpty { indent(depth) }
      }
      text += line
    }
  }

  private mutating func indent(_ depth: Int) { text += String(repeating: "  ", count: depth) }
}
