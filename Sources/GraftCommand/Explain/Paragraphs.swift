import Graft

/// Text in lines of at most 100 columns.
struct Paragraphs {
  private(set) var text = ""

  /// Adds a line, or more if the words do not fit into one.
  mutating func add(_ words: String, indent: Int) {
    let margin = String(repeating: " ", count: indent)
    var line = margin
    for word in words.split(whereSeparator: \.isWhitespace) {
      let word = String(word).escapedForDisplay()
      if line.count > indent, line.count + word.count >= 100 {
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
  /// The items in quotes, with a word before the last one: `'a', 'b' and 'c'`.
  func listed(_ word: String = "and") -> String {
    let names = map { "'\($0)'" }
    guard let last = names.last, names.count > 1 else { return names.joined() }
    return names.dropLast().joined(separator: ", ") + " \(word) \(last)"
  }
}
