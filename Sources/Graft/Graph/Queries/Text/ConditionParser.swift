/// Parses the text of a condition.
///
///     condition   all ("or" all)…
///     all         one ("and" one)…
///     one         "not" one | "(" condition ")" | ("some" | "every") path "(" condition ")"
///                 | operand comparison ["[" ("c" | "d" | "cd") "]"] operand | path ["not"] "in" "(" [value, …] ")" | path "is" ["not"]
///                 "null" | path
struct ConditionParser {
  /// The maximum nesting depth. More deeply nested conditions are rejected, because they could overflow the stack.
  private static let deepest = 100

  private let text: ConditionText
  private let tokens: [ConditionTokens.Token]
  private var position = 0
  private var depth = 0

  private init(_ text: ConditionText) throws(ConditionError) {
    self.text = text
    tokens = try ConditionTokens.tokens(of: text)
  }

  /// Parses the whole text of a condition.
  static func expression(of text: ConditionText) throws(ConditionError) -> ConditionExpression {
    if let offset = text.quotedValue {
      throw text.error(
        "an interpolated value is between quotes; remove the quotes, because the value gets its own: \"name = \\(name)\"",
        SourceRange(offset: offset, length: 1))
    }
    var parser = try ConditionParser(text)
    let expression = try parser.condition()
    guard parser.token.kind == .end else { throw parser.unexpected("expected 'and', 'or' or the end") }
    return expression
  }

  // MARK: Tokens

  private var token: ConditionTokens.Token { tokens[position] }

  /// Moves to the next token, unless the current token is the end.
  private mutating func advance() { if position < tokens.count - 1 { position += 1 } }

  /// The current token as a word that can be a keyword.
  private var word: String? {
    if case .name(let name, isQuoted: false) = token.kind { name.lowercased() } else { nil }
  }

  private mutating func take(_ words: String...) -> Bool {
    let isTaken =
      if case .symbol(let symbol) = token.kind { words.contains(symbol) } else { word.map(words.contains) ?? false }
    if isTaken { advance() }
    return isTaken
  }

  private mutating func expect(_ symbol: String, _ place: String) throws(ConditionError) {
    guard take(symbol) else { throw unexpected("expected '\(symbol)' \(place)") }
  }

  private func unexpected(_ message: String, _ advice: String? = nil) -> ConditionError {
    let advice = advice.map { "; \($0)" } ?? ""
    guard token.kind != .end else { return text.error("\(message), found the end\(advice)", token.range) }
    let found = text.source.bytes[token.range.offset..<token.range.offset + token.range.length]
    return text.error("\(message), found \(String(decoding: found, as: UTF8.self))\(advice)", token.range)
  }

  // MARK: Conditions

  private mutating func condition() throws(ConditionError) -> ConditionExpression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= ConditionParser.deepest else {
      throw text.error("conditions are nested more than \(ConditionParser.deepest) deep", token.range)
    }
    var parts = [try conjunction()]
    while take("or", "||") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunction() throws(ConditionError) -> ConditionExpression {
    var parts = [try one()]
    while take("and", "&&") { parts.append(try one()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func one() throws(ConditionError) -> ConditionExpression {
    var isNegated = false
    while take("not", "!") { isNegated.toggle() }
    let part = try part()
    return isNegated ? .not(part) : part
  }

  private mutating func part() throws(ConditionError) -> ConditionExpression {
    if take("(") {
      let inner = try condition()
      try expect(")", "after the condition")
      return inner
    }
    if word == "some" || word == "every", case .name = tokens[min(position + 1, tokens.count - 1)].kind {
      let isEvery = word == "every"
      advance()
      let path = try path()
      try expect("(", "before the condition on members")
      let inner = try condition()
      try expect(")", "after the condition on members")
      return .members(path, inner, isEvery: isEvery)
    }
    return try comparison()
  }

  private mutating func comparison() throws(ConditionError) -> ConditionExpression {
    let start = token.range
    let left = try operand("a property")
    if case .path(let path) = left {
      let isNegated = take("not")
      if take("in") {
        let isOne = ConditionExpression.isOne(path, of: try values())
        return isNegated ? .not(isOne) : isOne
      }
      if isNegated { throw unexpected("expected 'in' after 'not'") }
      if word == "is" { return try nilTest(path) }
    }
    let sign = token.range
    guard let comparison = takeComparison() else {
      guard case .path(let path) = left else { throw unexpected("expected a comparison") }
      // Only a boolean can be used without a comparison.
      guard
        token.kind == .end || token.kind == .symbol(")") || ["and", "or"].contains(word ?? "")
          || token.kind == .symbol("&&") || token.kind == .symbol("||")
      else { throw unexpected("expected a comparison such as = or contains", ConditionHabits.advice(path, word)) }
      return .isTrue(path)
    }
    let folding = try takeFolding()
    let right = try operand("a value")
    guard case .literal = left else { return .comparison(left, comparison, right, sign, folding) }
    guard case .path = right, let exchanged = comparison.exchanged else {
      throw text.error("expected a property to compare", start)
    }
    return .comparison(right, exchanged, left, sign, folding)
  }

  /// Reads the differences that a comparison ignores in strings: `[c]` for case, `[d]` for accents.
  private mutating func takeFolding() throws(ConditionError) -> TextFolding {
    guard take("[") else { return [] }
    let foldings: [String: TextFolding] = [
      "c": .ignoringCase, "d": .ignoringAccents, "cd": [.ignoringCase, .ignoringAccents],
      "dc": [.ignoringCase, .ignoringAccents],
    ]
    guard let word, let folding = foldings[word] else {
      throw unexpected("expected 'c' to ignore case, 'd' to ignore accents, or 'cd' to ignore both")
    }
    advance()
    try expect("]", "after '\(word)'")
    return folding
  }

  private mutating func takeComparison() -> ConditionExpression.Comparison? {
    if take("=", "==") { return .equal }
    if take("!=", "<>") { return .notEqual }
    if take("contains") { return .contains }
    if take("beginswith") { return .beginsWith }
    guard case .symbol(let symbol) = token.kind, let comparison = ConditionExpression.Comparison(rawValue: symbol)
    else {
      return nil
    }
    advance()
    return comparison
  }

  private mutating func nilTest(_ path: ConditionExpression.Path) throws(ConditionError) -> ConditionExpression {
    let sign = token.range
    advance()
    let isNegated = take("not")
    let null = ConditionExpression.Literal(json: .null, range: token.range)
    guard take("null") else { throw unexpected("expected 'null' after 'is'; compare other values with =") }
    return .comparison(.path(path), isNegated ? .notEqual : .equal, .literal(null), sign)
  }

  // MARK: Operands

  private mutating func operand(_ expected: String) throws(ConditionError) -> ConditionExpression.Operand {
    if let literal = takeLiteral() { return .literal(literal) }
    guard case .name = token.kind else { throw unexpected("expected \(expected)") }
    return .path(try path())
  }

  private mutating func takeLiteral() -> ConditionExpression.Literal? {
    let words: [String: JSON] = ["null": .null, "true": true, "false": false]
    let range = token.range
    if case .value(let json) = token.kind {
      advance()
      return ConditionExpression.Literal(json: json, range: range)
    }
    guard let word, let json = words[word] else { return nil }
    advance()
    return ConditionExpression.Literal(json: json, range: range)
  }

  private mutating func values() throws(ConditionError) -> [ConditionExpression.Literal] {
    try expect("(", "after 'in'")
    var values: [ConditionExpression.Literal] = []
    if take(")") { return [] }
    repeat {
      guard let value = takeLiteral() else { throw unexpected("expected a value") }
      values.append(value)
    } while take(",")
    try expect(")", "after the values")
    return values
  }

  private mutating func path() throws(ConditionError) -> ConditionExpression.Path {
    var names: [(text: String, range: SourceRange)] = []
    repeat {
      guard case .name(let name, _) = token.kind else { throw unexpected("expected the name of a property") }
      names.append((name, token.range))
      advance()
    } while take(".")
    return ConditionExpression.Path(names: names)
  }
}
