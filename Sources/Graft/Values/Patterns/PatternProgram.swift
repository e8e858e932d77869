/// A pattern compiled to a state machine that reads text once (Thompson's construction).
///
///     ^a+|b$        0 fork 1 5
///                   1 assert ^      2 character a      3 fork 2 4      4 jump 7
///                   5 character b   6 assert $
///                   7 match
///
/// Each state continues with the state after it, unless it names a different state.
struct PatternProgram: Sendable {
  struct State: Sendable {
    enum Action: UInt8 { case character, fork, jump, start, end, wordBoundary, noWordBoundary, match }
    var action: Action
    /// The target of a fork or jump, or the number of a character's set.
    var first: Int32 = 0
    var second: Int32 = 0
  }

  /// The maximum number of states that counted repetitions may expand to.
  static let mostStates = 10_000
  static let tooLarge = "its repetitions expand to more than \(mostStates) states"

  private(set) var states: [State] = []
  private(set) var sets: [ScalarSet] = []
  /// Whether a match can only begin at the start of the text.
  private(set) var isAnchored = false
  private var known: [PatternClass: Int32] = [:]

  init(_ root: PatternNode) throws(TextPattern.Fault) {
    try emit(root)
    try add(State(action: .match))
    known = [:]
    // No match can begin after the start.
    isAnchored = closure(of: [0], isStart: false, isEnd: true)?.isEmpty == true
  }

  private mutating func add(_ state: State) throws(TextPattern.Fault) {
    guard states.count < Self.mostStates else { throw TextPattern.Fault(reason: Self.tooLarge) }
    states.append(state)
  }

  private var end: Int32 { Int32(states.count) }

  private mutating func emit(_ node: PatternNode) throws(TextPattern.Fault) {
    switch node {
    case .character(let members):
      let set = known[members] ?? Int32(sets.count)
      if known.updateValue(set, forKey: members) == nil { sets.append(ScalarSet(members)) }
      try add(State(action: .character, first: set))
    case .sequence(let nodes):
      for node in nodes { try emit(node) }
    case .alternatives(let nodes):
      var jumps: [Int] = []
      for (number, node) in nodes.enumerated() {
        let fork = states.count
        if number < nodes.count - 1 { try add(State(action: .fork, first: end + 1)) }
        try emit(node)
        guard number < nodes.count - 1 else { continue }
        jumps.append(states.count)
        try add(State(action: .jump))
        states[fork].second = end
      }
      for jump in jumps { states[jump].first = end }
    case .repetition(let node, let least, let most):
      try emit(node, least: least, most: most)
    case .assertion(let assertion):
      switch assertion {
      case .start: try add(State(action: .start))
      case .end: try add(State(action: .end))
      case .wordBoundary: try add(State(action: .wordBoundary))
      case .noWordBoundary: try add(State(action: .noWordBoundary))
      }
    }
  }

  private mutating func emit(_ node: PatternNode, least: Int, most: Int?) throws(TextPattern.Fault) {
    var last = states.count
    for _ in 0..<least {
      last = states.count
      try emit(node)
      // A node without states adds no states, however often it is repeated.
      if states.count == last { break }
    }
    guard let most else {
      if least > 0 {
        // Go back to the last repetition.
        try add(State(action: .fork, first: Int32(last), second: end + 1))
      } else {
        let fork = states.count
        try add(State(action: .fork, first: end + 1))
        try emit(node)
        try add(State(action: .jump, first: Int32(fork)))
        states[fork].second = end
      }
      return
    }
    var forks: [Int] = []
    for _ in least..<most {
      forks.append(states.count)
      try add(State(action: .fork, first: end + 1))
      try emit(node)
    }
    for fork in forks { states[fork].second = end }
  }

  /// Returns the states that wait for a character or for the end of the text once these states are entered, or nil if there
  /// is a match.
  ///
  /// Word boundaries are treated as satisfied.
  func closure(of entered: [Int32], isStart: Bool, isEnd: Bool) -> [Int32]? {
    var isMet = Array(repeating: false, count: states.count)
    var waiting: [Int32] = []
    var open = entered
    while let number = open.popLast() {
      if isMet[Int(number)] { continue }
      isMet[Int(number)] = true
      let state = states[Int(number)]
      switch state.action {
      case .match: return nil
      case .character: waiting.append(number)
      case .fork: open += [state.first, state.second]
      case .jump: open.append(state.first)
      case .start: if isStart { open.append(number + 1) }
      case .end: if isEnd { open.append(number + 1) } else { waiting.append(number) }
      case .wordBoundary, .noWordBoundary: open.append(number + 1)
      }
    }
    return waiting.sorted()
  }
}

/// The characters of a class, for fast lookup: two words of bits for ASCII, sorted ranges for the rest.
struct ScalarSet: Sendable {
  private let low: UInt64
  private let high: UInt64
  private let ranges: [ClosedRange<UInt32>]
  private let categories: UInt32
  private let isNegated: Bool

  init(_ members: PatternClass) {
    var bits: [UInt64] = [0, 0]
    for value in UInt8(0)..<128 where members.contains(Unicode.Scalar(value)) {
      bits[Int(value >> 6)] |= 1 << UInt64(value & 63)
    }
    (low, high) = (bits[0], bits[1])
    categories = members.categories
    isNegated = members.isNegated
    var merged: [ClosedRange<UInt32>] = []
    let wide = members.ranges.filter { $0.upperBound >= 0x80 }
    for range in wide.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    ranges = merged
  }

  @inline(__always)
  func contains(_ value: UInt32) -> Bool {
    if value < 0x80 { return (value < 64 ? low : high) >> UInt64(value & 63) & 1 != 0 }
    return containsOther(value)
  }

  private func containsOther(_ value: UInt32) -> Bool {
    var (first, last) = (0, ranges.count)
    while first < last {
      let middle = (first + last) / 2
      if ranges[middle].upperBound < value { first = middle + 1 } else { last = middle }
    }
    if first < ranges.count, ranges[first].lowerBound <= value { return !isNegated }
    guard categories != 0, let scalar = Unicode.Scalar(value) else { return isNegated }
    return (PatternCategory.mask(of: scalar) & categories != 0) != isNegated
  }
}
