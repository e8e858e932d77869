import Graft

/// The text of a rule that messages and the documentation cite, in the form that `graft explain` prints.
struct RuleText {
  /// The number of the rule: `M12`.
  let name: String
  private let lines: [Substring]

  /// Creates the text of the rule with a number. Fails if there is no such rule.
  init?(_ word: String) {
    let name = word.uppercased()
    let all = RulePage.text.split(separator: "\n", omittingEmptySubsequences: false)
    guard RuleText.isLikeRule(word), let start = all.firstIndex(of: "### \(name)") else { return nil }
    self.name = name
    lines = Array(all[(start + 1)...].prefix { !$0.hasPrefix("#") })
  }

  /// The numbers of all rules, in the order of the page.
  static let names = RulePage.text.split(separator: "\n").filter { $0.hasPrefix("### ") }.map {
    String($0.dropFirst(4))
  }

  /// Returns whether a word has the form of a rule's number: a letter and one or two digits.
  static func isLikeRule(_ word: String) -> Bool {
    word.wholeMatch(of: /[A-Za-z][0-9]{1,2}/) != nil
  }

  /// Lines of at most 80 columns.
  var text: String {
    var paragraphs = Paragraphs(width: 80)
    paragraphs.add(name, indent: 0)
    for paragraph in lines.split(whereSeparator: \.isEmpty) {
      paragraphs.skip()
      if paragraph.allSatisfy({ $0.hasPrefix("- ") || $0.hasPrefix("  ") }) {
        for item in items(paragraph) { paragraphs.add(plain(item), indent: 2) }
      } else {
        paragraphs.add(plain(paragraph.joined(separator: " ")), indent: 2)
      }
    }
    return paragraphs.text
  }

  /// Returns the items of a list, each of which may have several lines.
  private func items(_ lines: ArraySlice<Substring>) -> [String] {
    lines.reduce(into: []) { items, line in
      if line.hasPrefix("- ") { items.append(String(line)) } else { items[items.count - 1] += " " + line }
    }
  }

  /// Returns text without Markdown syntax: code in single quotes, and links as their titles.
  private func plain(_ markdown: String) -> String {
    let text = markdown.replacing(/\[([^\]]*)\]\((?:#|doc:|https?:)[^)]*\)/) { String($0.1) }
      .replacing("**", with: "").replacing("``", with: "`")
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    return parts.enumerated().map { index, part in
      if index.isMultiple(of: 2) { return String(part) }
      // Code that already contains quotes is not quoted.
      return part.contains("\"") || part.contains("'") ? String(part) : "'\(part)'"
    }.joined()
  }
}
