import Graft

/// Text in lines of limited length.
struct Paragraphs {
  /// The maximum number of columns of a line.
  var width = 100
  private(set) var text = ""

  init(width: Int = 100) { self.width = width }

  /// Adds a line, or several if the words do not fit into one.
  mutating func add(_ words: String, indent: Int) {
    let margin = String(repeating: " ", count: indent)
    var line = margin
    for word in words.split(whereSeparator: \.isWhitespace) {
      let word = String(word).escapedForDisplay()
      if line.count > indent, line.count + word.count >= width {
        text += line + "\n"
        line = margin
      }
      line += line.count > indent ? " " + word : word
    }
    if line.count > indent { text += line + "\n" }
  }

  /// Adds sentences as one paragraph.
  mutating func add(_ sentences: [String], indent: Int) { add(sentences.joined(separator: " "), indent: indent) }

  /// Adds an empty line.
  mutating func skip() { text += "\n" }
}

extension Sequence<String> {
  /// Returns the items in quotes, with a word before the last item: `'a', 'b' and 'c'`.
  func listed(_ word: String = "and") -> String {
    let names = map { "'\($0)'" }
    guard let last = names.last, names.count > 1 else { return names.joined() }
    return names.dropLast().joined(separator: ", ") + " \(word) \(last)"
  }
}
