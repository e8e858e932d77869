/// Walks through the JSON around the objects of a stream, token by token, however large it is: what is passed over is checked
/// like everything else (I13), and need not fit into memory.
///
///     {"meta": {...}, "data": {"items": [ ... ], "next": null}}
///      '- passed over          ^ target   '- passed over
///
/// It stops wherever a token is not complete yet, and goes on when more has come.
struct StreamWalker {
  /// Why it stopped.
  enum Stop {
    /// The bytes end within a token, or before one.
    case needsMore
    /// It stands at the value under the key path.
    case target
    /// The document has ended.
    case end
  }

  private enum Expected { case beginning, value, elementOrEnd, keyOrEnd, key, colon, commaOrEnd, nothing }

  /// The keys of the path to the objects.
  let keys: [String]
  private let paths: [[UInt8]]
  private let maxDepth: Int
  private var expected = Expected.beginning
  /// The containers that are open: is it an object?
  private var levels: [Bool] = []
  /// How many of them lie on the key path.
  private var pathLevels = 0
  /// Whether the last key was that of the path.
  private var isOnPath = true
  private(set) var hasPassedTarget = false

  init(keys: [String], maxDepth: Int) {
    self.keys = keys
    self.maxDepth = maxDepth
    paths = keys.map { Array($0.utf8) }
  }

  /// The JSON path of the value that is being read, as far as it lies on the key path.
  var path: String {
    "$" + keys.prefix(max(0, isOnPath ? pathLevels : pathLevels - 1)).map(JSONPathText.member).joined()
  }

  /// The caller has read the target.
  mutating func passTarget() {
    hasPassedTarget = true
    isOnPath = false
    endValue()
  }

  /// Walks on.
  ///
  /// - Parameters:
  ///   - scanner: stands where the walk goes on; only whole tokens are passed.
  ///   - isAtEnd: nothing more will come.
  mutating func walk(_ scanner: inout JSONScanner, isAtEnd: Bool) throws(JSONSyntaxError) -> Stop {
    if expected == .beginning {
      guard isAtEnd || scanner.end - scanner.position >= 4 else { return .needsMore }
      try scanner.beginText()
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

  /// Whether the token at the position has ended.
  private func hasToken(_ scanner: JSONScanner) -> Bool {
    var place = scanner.position
    guard place < scanner.end else { return false }
    switch place.pointee {
    case UInt8(ascii: "\""):
      place += 1
      while place < scanner.end {
        if place.pointee == UInt8(ascii: "\"") { return true }
        place += place.pointee == UInt8(ascii: "\\") ? 2 : 1
      }
      return false
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "t"), UInt8(ascii: "f"),
      UInt8(ascii: "n"):
      while place < scanner.end {
        switch place.pointee {
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), 0x20, 0x09, 0x0A, 0x0D: return true
        default: place += 1
        }
      }
      return false
    default: return true
    }
  }

  private mutating func step(_ scanner: inout JSONScanner) throws(JSONSyntaxError) {
    let byte = scanner.peek
    switch expected {
    case .value where levels.last == false && byte == UInt8(ascii: "]"): throw scanner.failure(.trailingComma)
    case .key where byte == UInt8(ascii: "}"): throw scanner.failure(.trailingComma)
    case .value: try startValue(&scanner)
    case .elementOrEnd:
      if byte == UInt8(ascii: "]") { close(&scanner) } else { try startValue(&scanner) }
    case .keyOrEnd where byte == UInt8(ascii: "}"): try closeObject(&scanner)
    case .keyOrEnd, .key: try readKey(&scanner)
    case .colon:
      guard byte == UInt8(ascii: ":") else { throw scanner.unexpected("':' after a key") }
      scanner.position += 1
      expected = .value
    case .commaOrEnd: try readSeparator(&scanner)
    case .beginning, .nothing: break
    }
  }

  private mutating func startValue(_ scanner: inout JSONScanner) throws(JSONSyntaxError) {
    let byte = scanner.peek
    if isOnPath, !hasPassedTarget, byte != UInt8(ascii: "{") {
      throw scanner.failure(.expected("an object with the key '\(keys[pathLevels])', which 'at' names"))
    }
    guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else {
      try scanner.skipValue()
      endValue()
      return
    }
    levels.append(byte == UInt8(ascii: "{"))
    if levels.count > maxDepth { throw scanner.failure(.tooDeep(maxDepth)) }
    if isOnPath, !hasPassedTarget { pathLevels = levels.count }
    isOnPath = false
    scanner.position += 1
    expected = byte == UInt8(ascii: "{") ? .keyOrEnd : .elementOrEnd
  }

  private mutating func readKey(_ scanner: inout JSONScanner) throws(JSONSyntaxError) {
    let place = scanner.position
    guard scanner.peek == UInt8(ascii: "\"") else { throw scanner.unexpected("a key in double quotes") }
    let raw = try scanner.scanString()
    expected = .colon
    guard levels.count == pathLevels, pathLevels <= keys.count else { return }
    var scratch = ScratchText()
    defer { scratch.free() }
    guard scanner.text(of: raw, in: &scratch).elementsEqual(paths[pathLevels - 1]) else { return }
    if hasPassedTarget { throw scanner.failure(.duplicateKey(keys[pathLevels - 1]), at: place) }
    isOnPath = true
  }

  private mutating func readSeparator(_ scanner: inout JSONScanner) throws(JSONSyntaxError) {
    let isObject = levels.last == true
    let close = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    switch scanner.peek {
    case UInt8(ascii: ","):
      scanner.position += 1
      expected = isObject ? .key : .value
    case close: if isObject { try closeObject(&scanner) } else { self.close(&scanner) }
    default: throw scanner.unexpected(isObject ? "',' or '}'" : "',' or ']'")
    }
  }

  /// An object of the path must have held the path's key.
  private mutating func closeObject(_ scanner: inout JSONScanner) throws(JSONSyntaxError) {
    if !hasPassedTarget, levels.count == pathLevels {
      throw scanner.failure(.expected("the key '\(keys[pathLevels - 1])', which 'at' names, before the object ends"))
    }
    close(&scanner)
  }

  private mutating func close(_ scanner: inout JSONScanner) {
    scanner.position += 1
    levels.removeLast()
    pathLevels = min(pathLevels, levels.count)
    endValue()
  }

  private mutating func endValue() { expected = levels.isEmpty ? .nothing : .commaOrEnd }
}
