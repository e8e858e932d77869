/// A parser for date patterns. Runs of one letter are fields, and everything else is literal. Quotes make letters literal.
enum DatePattern {
  enum Item: Hashable {
    case field(Character, count: Int)
    case literal(String)
  }

  /// The letters that are fields in UTS 35.
  private static let letters = Set("GyYuUrQqMLlwWdDFgEecabBhHkKmsSAzZOvVXx")

  /// Returns the items of a pattern after checking it.
  static func items(of pattern: String) throws(DateFormat.PatternError) -> [Item] {
    let items = try split(pattern)
    var fields: Set<Character> = []
    for case .field(let letter, _) in items {
      guard letters.contains(letter) else {
        throw DateFormat.PatternError(description: "'\(letter)' is not a date field; put literal letters in quotes")
      }
      fields.insert(letter)
    }
    guard !fields.isEmpty else { throw DateFormat.PatternError(description: "the pattern has no date field") }
    // Such a pattern is well-formed, but certainly a mistake.
    if fields.contains("Y"), !fields.contains("w") {
      throw DateFormat.PatternError(description: "'Y' is the week-based year; use 'y' for the calendar year")
    }
    if fields.contains("D"), !fields.isDisjoint(with: "ML") {
      throw DateFormat.PatternError(description: "'D' is the day of the year; use 'd' for the day of the month")
    }
    if !fields.isDisjoint(with: "hK"), fields.isDisjoint(with: "abB") {
      throw DateFormat.PatternError(description: "'h' is a 12-hour clock and needs 'a'; use 'H' for 24 hours")
    }
    return items
  }

  /// Returns whether the pattern includes the offset from UTC.
  static func hasZone(_ items: [Item]) -> Bool {
    items.contains { if case .field(let letter, _) = $0 { "zZOvVXx".contains(letter) } else { false } }
  }

  private static func split(_ pattern: String) throws(DateFormat.PatternError) -> [Item] {
    var items: [Item] = []
    // Compare scalars, because a combining mark forms one character with the quote or letter before it.
    var rest = pattern.unicodeScalars[...]
    func literal(_ text: String) {
      if case .literal(let before)? = items.last {
        items[items.count - 1] = .literal(before + text)
      } else {
        items.append(.literal(text))
      }
    }
    while let first = rest.first {
      if first == "'" {
        rest.removeFirst()
        if rest.first == "'" {
          // Two quotes represent one.
          rest.removeFirst()
          literal("'")
          continue
        }
        var text = String.UnicodeScalarView()
        while true {
          guard let next = rest.popFirst() else {
            throw DateFormat.PatternError(description: "the pattern has a quote that is not closed")
          }
          if next != "'" {
            text.append(next)
          } else if rest.first == "'" {
            rest.removeFirst()
            text.append("'")
          } else {
            break
          }
        }
        literal(String(text))
      } else if first.isASCII, first.properties.isAlphabetic {
        let count = rest.prefix { $0 == first }.count
        rest.removeFirst(count)
        items.append(.field(Character(first), count: count))
      } else {
        rest.removeFirst()
        literal(String(first))
      }
    }
    return items
  }
}
