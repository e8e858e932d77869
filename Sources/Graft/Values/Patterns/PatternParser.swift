/// Parses a pattern. Only groups are parsed recursively, and their nesting is limited.
struct PatternParser {
  typealias Fault = TextPattern.Fault

  let scalars: [Unicode.Scalar]
  private(set) var index = 0
  private var depth = 0

  static func parse(_ text: String) throws(Fault) -> PatternNode {
    var parser = PatternParser(scalars: Array(text.unicodeScalars))
    let node = try parser.alternatives()
    if parser.next != nil { throw parser.unopened(")") }
    return node
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  func peek(_ distance: Int) -> Unicode.Scalar? {
    index + distance < scalars.count ? scalars[index + distance] : nil
  }

  mutating func advance(_ count: Int = 1) { index += count }
  mutating func move(to index: Int) { self.index = index }

  /// Consumes a character if it is the next one.
  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    index += 1
    return true
  }

  // MARK: Structure

  private mutating func alternatives() throws(Fault) -> PatternNode {
    var all = [try sequence()]
    while take("|") { all.append(try sequence()) }
    return all.count == 1 ? all[0] : .alternatives(all)
  }

  private mutating func sequence() throws(Fault) -> PatternNode {
    var pieces: [PatternNode] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      let piece = try repeated(try piece())
      // A piece that matches only the empty string adds nothing.
      if case .sequence(let inner) = piece, inner.isEmpty { continue }
      pieces.append(piece)
    }
    return pieces.count == 1 ? pieces[0] : .sequence(pieces)
  }

  private mutating func piece() throws(Fault) -> PatternNode {
    let start = index
    guard let scalar = next else { return .sequence([]) }
    index += 1
    switch scalar {
    case "^": return .assertion(.start)
    case "$": return .assertion(.end)
    case ".": return .character(.dot)
    case "[": return .character(try characterClass())
    case "(": return try group(from: start)
    case "\\":
      if take("b") { return .assertion(.wordBoundary) }
      if take("B") { return .assertion(.noWordBoundary) }
      return .character(try escape(isInClass: false))
    case "*", "+", "?", "{":
      throw fault(
        "'\(scalar)' has nothing before it to repeat; write \\\(scalar) for the character itself",
        from: start)
    case "]", "}":
      index = start
      throw unopened(scalar)
    default: return .character(PatternClass(scalar))
    }
  }

  private mutating func group(from start: Int) throws(Fault) -> PatternNode {
    if take("?") { try groupKind(from: start) }
    depth += 1
    guard depth <= TextPattern.deepest else {
      throw Fault(reason: "its groups are nested deeper than \(TextPattern.deepest)")
    }
    let node = try alternatives()
    depth -= 1
    guard take(")") else { throw fault("the group is not closed: expected ')'", from: start, to: start + 1) }
    return node
  }

  /// Reads the characters after `(?`. Names of groups are read and discarded.
  private mutating func groupKind(from start: Int) throws(Fault) {
    if take(":") { return }
    let isBehind = next == "<" && (peek(1) == "=" || peek(1) == "!")
    if next == "=" || next == "!" || isBehind {
      index += isBehind ? 2 : 1
      throw unsupported(
        "\(isBehind ? "look-behind" : "look-ahead") is not supported: patterns are matched in one pass over the text",
        from: start)
    }
    if take("<") {
      while let scalar = next, scalar.properties.isXIDContinue || scalar == "$" { index += 1 }
      guard take(">"), index > start + 4 else { throw fault("expected '(?<name>'", from: start) }
      return
    }
    let letter = next
    index = min(index + 1, scalars.count)
    if let letter, letter == "-" || letter.properties.isAlphabetic, letter != "P" {
      throw unsupported(
        "flags are not supported in a pattern, as in JSON Schema: write [aA] to match both cases", from: start)
    }
    throw unsupported("this kind of group is not supported: expected '(' or '(?:'", from: start)
  }

  // MARK: Repetitions

  private mutating func repeated(_ node: PatternNode) throws(Fault) -> PatternNode {
    let start = index
    guard let (least, most) = try counts() else { return node }
    if case .assertion = node, scalars[start - 1] != ")" {
      throw fault("it repeats a position between characters, not a character", from: start)
    }
    // A lazy repetition matches the same strings, so the `?` is ignored.
    _ = take("?")
    if next == "+" {
      index += 1
      throw unsupported("possessive repetitions are not supported, nor needed: matching never backtracks", from: start)
    }
    if let scalar = next, "*?{".unicodeScalars.contains(scalar) {
      index += 1
      throw fault("'\(scalar)' repeats a repetition: put the inner repetition in a group", from: index - 1)
    }
    if most == 0 { return .sequence([]) }
    return least == 1 && most == 1 ? node : .repetition(node, least: least, most: most)
  }

  /// Reads the bounds of `*`, `+`, `?` or `{2,3}`. Returns nil if there is no repetition.
  private mutating func counts() throws(Fault) -> (least: Int, most: Int?)? {
    let start = index
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    guard take("{") else { return nil }
    let least = try count()
    var most = least
    if take(",") { most = next == "}" ? nil : try count() }
    guard let least, take("}") else {
      throw fault(
        "expected '{2}', '{2,}' or '{2,3}'; write \\{ for the character itself", from: start, to: start + 1)
    }
    if let most, most < least {
      throw fault("the minimum \(least) is greater than the maximum \(most)", from: start)
    }
    return (least, most)
  }

  private mutating func count() throws(Fault) -> Int? {
    let start = index
    var value = 0
    while let digit = next, (0x30...0x39).contains(digit.value) {
      value = value * 10 + Int(digit.value - 0x30)
      index += 1
      guard value <= PatternProgram.mostStates else { throw fault(PatternProgram.tooLarge, from: start) }
    }
    return index > start ? value : nil
  }

  // MARK: Faults

  /// Returns a fault in the characters from one position to another, or to the last character read.
  func fault(_ reason: String, from start: Int, to end: Int? = nil) -> Fault {
    func offset(_ index: Int) -> Int { scalars[..<index].reduce(0) { $0 + UTF8.width($1) } }
    return Fault(reason: reason, range: offset(start)..<offset(end ?? index))
  }

  func unsupported(_ reason: String, from start: Int) -> Fault {
    var fault = fault(reason, from: start)
    fault.isUnsupported = true
    return fault
  }

  private func unopened(_ scalar: Unicode.Scalar) -> Fault {
    fault("'\(scalar)' has nothing to close; write \\\(scalar) for the character itself", from: index, to: index + 1)
  }
}
