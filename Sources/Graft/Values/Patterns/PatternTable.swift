/// A small pattern as a precomputed transition table for ASCII.
///
///     ^[ab]+$       a b   others
///     0: begin       1    dead
///     1: read some   1    dead          matches at the end of the text
struct PatternTable: Sendable {
  private static let mostStates = 128
  /// Programs with more states have no table, because computing it takes time.
  private static let mostProgramStates = 256
  private static let dead: UInt8 = 254
  private static let match: UInt8 = 255

  /// The column of each ASCII character. Characters that no set of the pattern distinguishes share a column.
  private var columns: [UInt8] = []
  private var columnCount = 0
  /// The next states, row by row.
  private var rows: [UInt8] = []
  private var first = dead
  /// Whether the text may end in a state.
  private var isFinal: [Bool] = []

  /// Returns nil if the table would be large, or if the next state would depend on neighboring characters.
  init?(_ program: PatternProgram) {
    guard program.states.count <= Self.mostProgramStates, program.sets.count <= 64,
      !program.states.contains(where: { $0.action == .wordBoundary || $0.action == .noWordBoundary })
    else { return nil }
    makeColumns(program.sets)
    var waiting: [[Int32]] = []
    var numbers: [[Int32]: UInt8] = [:]
    func number(_ states: [Int32]?) -> UInt8 {
      guard let states else { return Self.match }
      if states.isEmpty { return Self.dead }
      if let known = numbers[states] { return known }
      let new = UInt8(truncatingIfNeeded: waiting.count)
      numbers[states] = new
      waiting.append(states)
      return new
    }
    let begun = program.closure(of: [0], isStart: true, isEnd: false)
    first = number(begun)
    // The start is also the end only in the empty string.
    matchesEmpty = program.closure(of: [0], isStart: true, isEnd: true) == nil
    var next = 0
    while next < waiting.count {
      guard waiting.count <= Self.mostStates else { return nil }
      let states = waiting[next]
      next += 1
      isFinal.append(program.closure(of: states + (program.isAnchored ? [] : [0]), isStart: false, isEnd: true) == nil)
      for example in examples {
        let entered = states.filter { number in
          let state = program.states[Int(number)]
          return state.action == .character && program.sets[Int(state.first)].contains(UInt32(example))
        }
        let begun: [Int32] = program.isAnchored ? [] : [0]
        rows.append(number(program.closure(of: entered.map { $0 + 1 } + begun, isStart: false, isEnd: false)))
      }
    }
    examples = []
  }

  private var matchesEmpty = false
  /// A character of each column.
  private var examples: [UInt8] = []

  private mutating func makeColumns(_ sets: [ScalarSet]) {
    var known: [UInt64] = []
    for value in UInt8(0)..<128 {
      // One bit for each set that contains the character.
      var members: UInt64 = 0
      for (number, set) in sets.enumerated() where set.contains(UInt32(value)) { members |= 1 << UInt64(number) }
      let column = known.firstIndex(of: members) ?? known.count
      if column == known.count {
        known.append(members)
        examples.append(value)
      }
      columns.append(UInt8(column))
    }
    columnCount = examples.count
  }

  /// Returns whether ASCII text contains a match, or nil if the text is not all ASCII.
  func matches(_ text: LentBytes) -> Bool? {
    if text.isEmpty { return matchesEmpty }
    if first >= Self.dead { return first == Self.match }
    return columns.withUnsafeBufferPointer { columns in
      rows.withUnsafeBufferPointer { rows in
        var state = Int(first)
        for byte in text {
          guard byte < 0x80 else { return nil }
          let next = rows[state &* columnCount &+ Int(columns[Int(byte)])]
          if next >= Self.dead { return next == Self.match }
          state = Int(next)
        }
        return isFinal[state]
      }
    }
  }
}
