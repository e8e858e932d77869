/// Classes: `[a-z]`, `[^\d,]`.
extension PatternParser {
  /// Reads a class after its opening bracket.
  mutating func characterClass() throws(Fault) -> PatternClass {
    let start = index - 1
    var members = PatternClass()
    let isNegated = take("^")
    let first = index
    while next != "]" {
      guard next != nil else { throw fault("the class is not closed: expected ']'", from: start, to: start + 1) }
      try checkForeignClass()
      let place = index
      let low = try member()
      guard next == "-", peek(1) != "]", peek(1) != nil else {
        members.formUnion(low)
        continue
      }
      advance()
      let high = try member()
      guard let from = low.single, let to = high.single else {
        throw fault("a range needs a character on each side; write \\- for '-' itself", from: place)
      }
      guard from <= to else { throw fault("the range ends before it begins", from: place) }
      members.ranges.append(from...to)
    }
    guard index > first else {
      throw fault("the class is empty: write \\] for the character ']' itself", from: start, to: index + 1)
    }
    advance()
    members.isNegated = isNegated
    return members
  }

  /// Reads one character of a class, or an escape for several.
  private mutating func member() throws(Fault) -> PatternClass {
    guard let scalar = next else { return PatternClass() }
    advance()
    return scalar == "\\" ? try escape(isInClass: true) : PatternClass(scalar)
  }

  /// Rejects `[:alpha:]`, which some dialects read as individual characters and others as all letters.
  private func checkForeignClass() throws(Fault) {
    guard next == "[", let kind = peek(1), kind == ":" || kind == "." || kind == "=" else { return }
    guard let end = scalars[(index + 2)...].firstIndex(of: kind), end + 1 < scalars.count, scalars[end + 1] == "]"
    else { return }
    var fault = fault(
      "named classes are not supported: use \\p{L} for letters, \\d for digits", from: index, to: end + 2)
    fault.isUnsupported = true
    throw fault
  }
}

extension PatternClass {
  /// The character, if the class contains exactly one.
  fileprivate var single: UInt32? {
    guard !isNegated, categories == 0, ranges.count == 1, ranges[0].count == 1 else { return nil }
    return ranges[0].lowerBound
  }
}
