import Graft

/// Finds a short text that matches a pattern.
///
///     ^[A-Z]{2,4}-[0-9]{3}$        AB-234
struct PatternExample {
  /// The maximum length of a candidate.
  private static let longest = 2_000

  /// The number of extra repetitions if the pattern allows them.
  private let extra: Int
  /// The index of the next character within a class, so that examples vary.
  private var turn: Int
  private var text = ""

  private struct TooLong: Error {}

  /// Returns candidate strings, shorter ones first. They are guesses; only the pattern itself decides whether they match.
  static func candidates(_ pattern: TextPattern, turn: Int) -> [String] {
    (0..<24).compactMap { extra in
      var example = PatternExample(extra: extra, turn: turn)
      guard (try? example.append(pattern.root)) != nil else { return nil }
      return example.text
    }
  }

  private init(extra: Int, turn: Int) {
    self.extra = extra
    self.turn = turn
  }

  private mutating func append(_ node: PatternNode) throws {
    switch node {
    case .character(let members): try append(members)
    case .sequence(let nodes): for node in nodes { try append(node) }
    // The first alternative.
    case .alternatives(let nodes): if let first = nodes.first { try append(first) }
    case .repetition(let node, let least, let most):
      for _ in 0..<min(least + extra, most ?? .max) {
        let before = text.utf8.count
        try append(node)
        if text.utf8.count == before { break }
      }
    case .assertion: break
    }
  }

  private mutating func append(_ members: PatternClass) throws {
    guard text.utf8.count < Self.longest else { throw TooLong() }
    let choices = Self.choices(members)
    guard let first = choices.first else { throw TooLong() }
    text.unicodeScalars.append(choices.count > 1 ? choices[turn % choices.count] : first)
    if choices.count > 1 { turn += 1 }
  }

  /// Printable ASCII, the most common characters first.
  private static let usual = ["a"..."z", "0"..."9", "A"..."Z", " "..."/", ":"..."@", "["..."`", "{"..."~"]
    .flatMap { (range: ClosedRange<Unicode.Scalar>) in range.lowerBound.value...range.upperBound.value }
    .compactMap(Unicode.Scalar.init)

  /// Returns members of a class: the characters that it lists, in order and preferably printable; for a negated class, the most
  /// common characters.
  private static func choices(_ members: PatternClass) -> [Unicode.Scalar] {
    if members.isNegated || members.categories != 0 { return usual.filter(members.contains) }
    let listed = members.ranges.flatMap { $0.prefix(128).compactMap(Unicode.Scalar.init) }
    let printable = listed.filter { (0x20..<0x7F).contains($0.value) }
    return printable.isEmpty ? listed : printable
  }
}
