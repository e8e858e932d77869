/// Matches a pattern against text. All possible states advance together, so each character is read once, and each state is entered at most
/// once per character. O(text x states), without recursion.
extension PatternProgram {
  /// Returns whether text in UTF-8 contains a match.
  func matches(_ text: LentBytes) -> Bool {
    let count = states.count
    return Address.with(states) { states in
      Address.with(sets) { sets in
        Room.with(4 * count) { memory in
          var run = PatternRun(text, states, count, sets, memory)
          return run.matches(isAnchored: isAnchored)
        }
      }
    }
  }
}

/// One run of a pattern over text. Unsafe inside, because it uses memory that its caller lends.
private struct PatternRun {
  private let text: LentBytes
  private let states: Address<PatternProgram.State>
  private let stateCount: Int
  private let sets: Address<ScalarSet>
  /// The states that wait for the next character, and the states that will wait for the character after it.
  private var current: Room<Int32>
  private var following: Room<Int32>
  private var followingCount = 0
  /// For each state, the position in the text at which it was last entered, counted from 1.
  private let marks: Room<Int32>
  private let stack: Room<Int32>
  private var stackCount = 0
  private var hasMatch = false

  init(
    _ text: LentBytes, _ states: Address<PatternProgram.State>, _ stateCount: Int, _ sets: Address<ScalarSet>,
    _ memory: Room<Int32>
  ) {
    self.text = text
    self.states = states
    self.stateCount = stateCount
    self.sets = sets
    current = memory
    following = current + stateCount
    marks = following + stateCount
    stack = marks + stateCount
    marks.fill(stateCount, with: 0)
  }

  mutating func matches(isAnchored: Bool) -> Bool {
    var position = 0
    var mark: Int32 = 1
    while true {
      if position == 0 || !isAnchored { enter(0, at: position, mark) }
      if hasMatch { return true }
      if position == text.count || followingCount == 0 && isAnchored { return false }
      (current, following) = (following, current)
      let count = followingCount
      followingCount = 0
      let (scalar, width) = scalar(at: position)
      position += width
      // Text of two billion characters would need more marks than exist.
      mark = mark == .max ? forgetMarks() : mark + 1
      for index in 0..<count {
        let number = Int(current[index])
        if sets[Int(states[number].first)].contains(scalar) { enter(Int32(number + 1), at: position, mark) }
      }
    }
  }

  private func forgetMarks() -> Int32 {
    marks.fill(stateCount, with: 0)
    return 1
  }

  /// Enters a state, and all states that can be reached from it without reading a character.
  @inline(__always)
  private mutating func enter(_ first: Int32, at position: Int, _ mark: Int32) {
    push(first, mark)
    while stackCount > 0 {
      stackCount -= 1
      let number = stack[stackCount]
      let state = states[Int(number)]
      switch state.action {
      case .character:
        following[followingCount] = number
        followingCount += 1
      case .fork:
        push(state.first, mark)
        push(state.second, mark)
      case .jump: push(state.first, mark)
      case .start: if position == 0 { push(number + 1, mark) }
      case .end: if position == text.count { push(number + 1, mark) }
      case .wordBoundary: if isWordBoundary(position) { push(number + 1, mark) }
      case .noWordBoundary: if !isWordBoundary(position) { push(number + 1, mark) }
      case .match: hasMatch = true
      }
    }
  }

  @inline(__always)
  private mutating func push(_ number: Int32, _ mark: Int32) {
    if marks[Int(number)] == mark { return }
    marks[Int(number)] = mark
    stack[stackCount] = number
    stackCount += 1
  }

  private func isWordBoundary(_ position: Int) -> Bool {
    let before = position > 0 && isWordCharacter(text[position - 1])
    let after = position < text.count && isWordCharacter(text[position])
    return before != after
  }

  private func isWordCharacter(_ byte: UInt8) -> Bool {
    byte | 0x20 &- 97 < 26 || byte &- 48 < 10 || byte == UInt8(ascii: "_")
  }

  /// Returns the character at a position and its length in bytes. In malformed text, each byte is treated as a character.
  @inline(__always)
  private func scalar(at position: Int) -> (UInt32, Int) {
    let byte = UInt32(text[position])
    if byte < 0x80 { return (byte, 1) }
    let width = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
    guard width > 1, position + width <= text.count else { return (0xFFFD, 1) }
    var value = byte & (0x7F >> UInt32(width))
    for index in 1..<width { value = value << 6 | UInt32(text[position + index]) & 0x3F }
    return (value, width)
  }
}
