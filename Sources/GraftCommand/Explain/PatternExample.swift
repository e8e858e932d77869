/// Finds a short text that a simple pattern describes.
///
///     ^[A-Z]{2,4}-[0-9]{3}$        AB-234
///
/// It knows characters, classes, groups, alternatives and repetitions. Whatever else a pattern holds gives no example.
struct PatternExample {
  /// The longest text that is tried.
  private static let longest = 2_000

  private var rest: Substring
  /// How many repetitions are added where the pattern allows them.
  private let extra: Int
  /// Which character of a class comes next, so that examples are not all one letter.
  private var turn: Int
  private var budget = PatternExample.longest

  private struct Unknown: Error {}

  private init(_ pattern: String, extra: Int, turn: Int) {
    rest = pattern[...]
    self.extra = extra
    self.turn = turn
  }

  /// Texts to try, the shorter ones first. They are guesses: the pattern itself decides.
  static func candidates(_ pattern: String, turn: Int) -> [String] {
    (0..<24).compactMap { extra in
      var maker = PatternExample(pattern, extra: extra, turn: turn)
      guard let text = try? maker.alternatives(), maker.rest.isEmpty else { return nil }
      return text
    }
  }

  /// The first of several alternatives.
  private mutating func alternatives() throws -> String {
    let text = try sequence()
    while rest.first == "|" {
      rest.removeFirst()
      let before = turn
      _ = try sequence()
      turn = before
    }
    return text
  }

  private mutating func sequence() throws -> String {
    var text = ""
    while let character = rest.first, character != "|", character != ")" {
      let start = rest
      let before = turn
      let one = try piece()
      let end = rest
      let count = try repetitions()
      let after = rest
      if count == 0 { turn = before } else { text += one }
      // Each repetition is read anew, so that its characters may differ.
      for _ in 0..<max(0, count - 1) {
        rest = start
        text += try piece()
        guard rest.startIndex == end.startIndex, text.utf8.count < Self.longest else { throw Unknown() }
      }
      rest = after
    }
    return text
  }

  private mutating func piece() throws -> String {
    budget -= 1
    guard budget > 0, let character = rest.popFirst() else { throw Unknown() }
    switch character {
    case "^", "$": return ""
    case ".": return next(of: Array("abcdefghijklmnopqrstuvwxyz"))
    case "[": return next(of: try characterClass())
    case "(":
      if rest.hasPrefix("?") {
        guard rest.hasPrefix("?:") else { throw Unknown() }
        rest.removeFirst(2)
      }
      let text = try alternatives()
      guard rest.popFirst() == ")" else { throw Unknown() }
      return text
    case "\\": return next(of: try escaped())
    case "*", "+", "?", "{", "}", "]": throw Unknown()
    default: return String(character)
    }
  }

  private mutating func next(of characters: [Character]) -> String {
    guard characters.count > 1 else { return characters.first.map(String.init) ?? "" }
    defer { turn += 1 }
    return String(characters[turn % characters.count])
  }

  private mutating func escaped() throws -> [Character] {
    guard let character = rest.popFirst() else { throw Unknown() }
    switch character {
    case "d": return Array("0123456789")
    case "w": return Array("abcdefghijklmnopqrstuvwxyz")
    case "s": return [" "]
    default:
      guard !character.isLetter, !character.isNumber else { throw Unknown() }
      return [character]
    }
  }

  private mutating func characterClass() throws -> [Character] {
    var members: [Character] = []
    let isNegated = rest.first == "^"
    if isNegated { rest.removeFirst() }
    while let character = rest.popFirst(), character != "]" {
      let found = character == "\\" ? try escaped() : [character]
      guard character != "[", character != "&" else { throw Unknown() }
      if found.count == 1, rest.first == "-", rest.dropFirst().first != "]" {
        rest.removeFirst()
        guard let last = rest.popFirst(), let low = found[0].asciiValue, let high = last.asciiValue, low <= high else {
          throw Unknown()
        }
        members += (low...high).map { Character(Unicode.Scalar($0)) }
      } else {
        members += found
      }
    }
    let others = Array("abcdefghijklmnopqrstuvwxyz0123456789-_ ")
    let allowed = isNegated ? others.filter { !members.contains($0) } : members
    guard !allowed.isEmpty else { throw Unknown() }
    return allowed
  }

  private mutating func repetitions() throws -> Int {
    guard let character = rest.first, "*+?{".contains(character) else { return 1 }
    rest.removeFirst()
    var least = character == "+" ? 1 : 0
    var most = character == "?" ? 1 : Int.max
    if character == "{" {
      guard let end = rest.firstIndex(of: "}") else { throw Unknown() }
      let bounds = rest[..<end].split(separator: ",", omittingEmptySubsequences: false)
      rest = rest[rest.index(after: end)...]
      guard let low = bounds.first.flatMap({ Int($0) }), bounds.count < 3 else { throw Unknown() }
      least = low
      most = bounds.count == 1 ? low : bounds[1].isEmpty ? Int.max : try bound(bounds[1])
    }
    // A lazy repetition allows the same texts.
    if rest.first == "?" { rest.removeFirst() }
    guard rest.first != "+", least <= most, least <= Self.longest else { throw Unknown() }
    return min(least + extra, most)
  }

  private func bound(_ text: Substring) throws -> Int {
    guard let value = Int(text) else { throw Unknown() }
    return value
  }
}
