import Graft

/// Finds a short text that a pattern describes.
///
///     ^[A-Z]{2,4}-[0-9]{3}$        AB-234
struct PatternExample {
  /// The longest text that is tried.
  private static let longest = 2_000

  /// How many repetitions are added where the pattern allows them.
  private let extra: Int
  /// Which character of a class comes next, so that examples are not all one letter.
  private var turn: Int
  private var text = ""

  private struct TooLong: Error {}

  /// Texts to try, the shorter ones first. They are guesses: the pattern itself decides.
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
    // The first of them.
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

  /// Printable ASCII, what is most usual first.
  private static let usual = ["a"..."z", "0"..."9", "A"..."Z", " "..."/", ":"..."@", "["..."`", "{"..."~"]
    .flatMap { (range: ClosedRange<Unicode.Scalar>) in range.lowerBound.value...range.upperBound.value }
    .compactMap(Unicode.Scalar.init)

  /// Members of a class: those that it lists, in its own order, printable ones if there are any; of all others what is usual.
  private static func choices(_ members: PatternClass) -> [Unicode.Scalar] {
    if members.isNegated || members.categories != 0 { return usual.filter(members.contains) }
    let listed = members.ranges.flatMap { $0.prefix(128).compactMap(Unicode.Scalar.init) }
    let printable = listed.filter { (0x20..<0x7F).contains($0.value) }
    return printable.isEmpty ? listed : printable
  }
}
