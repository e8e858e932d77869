/// Walks through the JSON that surrounds the objects of a stream, token by token, however large it is. Skipped text is checked like
/// everything else (I13), and need not fit into memory.
///
///     {"meta": {...}, "data": {"items": [ ... ], "next": null}}
///      '- skipped              ^ target   '- skipped
///
/// The walker stops if a token is incomplete, and continues when more bytes have arrived.
struct StreamWalker {
  /// The reason why the walker stopped.
  enum Stop {
    /// The bytes end within a token, or before one.
    case needsMore
    /// The walker is at the value under the key path.
    case target
    /// The document has ended.
    case end
  }

  private enum Expected { case beginning, first, value, elementOrEnd, keyOrEnd, key, commaOrEnd, nothing }

  /// A container that is open.
  private struct Level {
    var isObject: Bool
    /// The element that is being read.
    var index = 0
    /// The key whose value is being read, without escapes; empty before a key has been read.
    var key: [UInt8] = []
    var hasKey = false
  }

  /// The keys of the path to the objects.
  let keys: [String]
  private let paths: [[UInt8]]
  private let maxDepth: Int
  private let words: OptionWords
  private var expected = Expected.beginning
  private var levels: [Level] = []
  /// The number of open containers on the key path.
  private var pathLevels = 0
  /// Whether the last key was on the path.
  private var isOnPath = true
  private(set) var hasPassedTarget = false
  /// The number of bytes of the stream before the bytes that the scanner reads.
  var base = 0
  /// The start of the innermost object of the key path in the stream.
  private(set) var opening: Int?

  init(keys: [String], maxDepth: Int, words: OptionWords) {
    self.keys = keys
    self.words = words
    self.maxDepth = maxDepth
    paths = keys.map { Array($0.utf8) }
  }

  /// The JSON path of the current position, or of the error if there is one: the same as in a document that is read as a whole (D7).
  var path: String {
    levels.reduce(into: "$") { path, level in
      if !level.isObject {
        path += JSONPathText.element(level.index)
      } else if level.hasKey {
        path += JSONPathText.member(String(decoding: level.key, as: UTF8.self))
      }
    }
  }

  /// Records that the caller has read the target.
  mutating func passTarget() {
    hasPassedTarget = true
    isOnPath = false
    endValue()
  }

  /// Continues the walk.
  ///
  /// - Parameters:
  ///   - scanner: a scanner at the position to continue from; it moves past complete tokens only.
  ///   - isAtEnd: whether no more bytes will arrive.
  mutating func walk(_ scanner: inout JSONScanner, isAtEnd: Bool) throws(JSONSyntaxError) -> Stop {
    if expected == .beginning {
      guard isAtEnd || scanner.end - scanner.position >= 4 else { return .needsMore }
      do throws(JSONSyntaxError) {
        try scanner.beginText()
      } catch {
        // The bytes so far are only white space, and more bytes may arrive.
        guard error.problem == .empty, !isAtEnd else { throw error }
      }
      expected = .first
    }
    if expected == .first {
      scanner.skipWhitespace()
      if scanner.isAtEnd {
        if isAtEnd { throw scanner.failure(.empty) }
        return .needsMore
      }
      expected = .value
    }
    while true {
      scanner.skipWhitespace()
      if expected == .nothing {
        try scanner.endText()
        return isAtEnd ? .end : .needsMore
      }
      if !hasPassedTarget, expected == .value, isOnPath, pathLevels == keys.count {
        if !scanner.isAtEnd { return .target }
        if isAtEnd { throw scanner.failure(.unexpectedEnd("a JSON value")) }
      }
      guard isAtEnd || hasToken(scanner) else { return .needsMore }
      try step(&scanner)
    }
  }

  /// Returns whether the token at the position has ended. A key and its colon are read together, as are a comma and the following
  /// token, so each error is found at the same position as in a document that is read as a whole.
  private func hasToken(_ scanner: JSONScanner) -> Bool {
    var rest = scanner
    switch scanner.peek {
    case UInt8(ascii: "\""):
      guard passString(&rest) else { return false }
      guard expected == .key || expected == .keyOrEnd else { return true }
      rest.skipWhitespace()
      return !rest.isAtEnd
    case UInt8(ascii: ",") where expected == .commaOrEnd:
      rest.advance()
      rest.skipWhitespace()
      return !rest.isAtEnd
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "t"), UInt8(ascii: "f"),
      UInt8(ascii: "n"):
      while !rest.isAtEnd {
        switch rest.peek {
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), 0x20, 0x09, 0x0A, 0x0D: return true
        default: rest.advance()
        }
      }
      return false
    default: return !scanner.isAtEnd
    }
  }

  /// Moves past the string at the position. Returns false if it has not ended.
  private func passString(_ scanner: inout JSONScanner) -> Bool {
    scanner.advance()
    while !scanner.isAtEnd {
      switch scanner.peek {
      case UInt8(ascii: "\""):
        scanner.advance()
        return true
      case UInt8(ascii: "\\"): scanner.advance(2)
      default: scanner.advance()
      }
    }
    return false
  }

  private mutating func step(_ scanner: inout JSONScanner) throws(JSONSyntaxError) {
    let byte = scanner.peek
    switch expected {
    case .value: try startValue(&scanner)
    case .elementOrEnd:
      if byte == UInt8(ascii: "]") { close(&scanner) } else { try startValue(&scanner) }
    case .keyOrEnd where byte == UInt8(ascii: "}"): try closeObject(&scanner)
    case .keyOrEnd, .key: try readKey(&scanner)
    case .commaOrEnd: try readSeparator(&scanner)
    case .beginning, .first, .nothing: break
    }
  }

  private mutating func startValue(_ scanner: inout JSONScanner) throws(JSONSyntaxError) {
    let byte = scanner.peek
    if isOnPath, !hasPassedTarget, byte != UInt8(ascii: "{") {
      throw scanner.failure(.blockedPath("an object with the key '\(keys[pathLevels])', which \(words.at) names"))
    }
    guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else {
      try scanner.skipValue()
      endValue()
      return
    }
    if levels.count >= maxDepth { throw scanner.failure(.tooDeep(maxDepth)) }
    levels.append(Level(isObject: byte == UInt8(ascii: "{")))
    if isOnPath, !hasPassedTarget {
      pathLevels = levels.count
      opening = base + scanner.offset
    }
    isOnPath = false
    scanner.advance()
    expected = byte == UInt8(ascii: "{") ? .keyOrEnd : .elementOrEnd
  }

  private mutating func readKey(_ scanner: inout JSONScanner) throws(JSONSyntaxError) {
    let place = scanner.position
    let level = levels.count - 1
    levels[level].hasKey = false
    guard scanner.peek == UInt8(ascii: "\"") else { throw scanner.unexpected("a key in double quotes") }
    let raw = try scanner.scanString()
    var scratch = ScratchText()
    defer { scratch.free() }
    let key = scanner.text(of: raw, in: &scratch)
    levels[level].key.removeAll(keepingCapacity: true)
    levels[level].key.append(contentsOf: key)
    levels[level].hasKey = true
    try scanner.expectColon()
    expected = .value
    guard levels.count == pathLevels, key.elementsEqual(paths[pathLevels - 1]) else { return }
    if hasPassedTarget { throw scanner.failure(.duplicateKey(keys[pathLevels - 1]), at: place) }
    isOnPath = true
  }

  private mutating func readSeparator(_ scanner: inout JSONScanner) throws(JSONSyntaxError) {
    let level = levels.count - 1
    let isObject = levels[level].isObject
    let closing = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    if scanner.peek == closing {
      if isObject { try closeObject(&scanner) } else { close(&scanner) }
      return
    }
    // There is no closing bracket here, so either another element or an error follows.
    _ = try scanner.continues(before: closing)
    if !isObject { levels[level].index += 1 }
    expected = isObject ? .key : .value
  }

  /// Closes an object of the path, which must contain the key of the path. The error shows the object (D7).
  private mutating func closeObject(_ scanner: inout JSONScanner) throws(JSONSyntaxError) {
    if !hasPassedTarget, levels.count == pathLevels {
      levels.removeLast()
      let problem = JSONSyntaxError.Problem.absentKey(
        "the key '\(keys[pathLevels - 1])', which \(words.at) names", near: nil)
      throw JSONSyntaxError(offset: (opening ?? base) - base, problem: problem)
    }
    close(&scanner)
  }

  private mutating func close(_ scanner: inout JSONScanner) {
    scanner.advance()
    levels.removeLast()
    pathLevels = min(pathLevels, levels.count)
    endValue()
  }

  private mutating func endValue() { expected = levels.isEmpty ? .nothing : .commaOrEnd }
}
