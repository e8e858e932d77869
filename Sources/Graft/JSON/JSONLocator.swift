/// Finds values in a JSON text by their keys, and the path of a byte offset. Used only for preparation and messages; this code is
/// not on the fast path.
enum JSONLocator {
  enum Place {
    case value(UnsafePointer<UInt8>)
    /// The value, or a value on the path to it, is null. The associated value is its address.
    case null(UnsafePointer<UInt8>)
    /// A value on the path is neither an object nor null. The associated value is its address.
    case blocked(UnsafePointer<UInt8>)
    case absent
  }

  /// Returns the value under `keys` in the object at the scanner's position. If there is a syntax error on the path, the value is
  /// treated as absent; reading the object reports the error later.
  static func find(_ keys: [String], in scanner: JSONScanner) -> Place {
    var ends = ContainerEnds(isKept: false)
    return find(keys, in: scanner, &ends)
  }

  /// Returns the value under `keys`, as above, for many objects nested in each other.
  ///
  /// - Parameter ends: the known ends of containers. Known containers are skipped, and the ends of other containers are added.
  static func find(_ keys: [String], in scanner: JSONScanner, _ ends: inout ContainerEnds) -> Place {
    var scanner = scanner
    var scratch = ScratchText()
    defer { scratch.free() }
    for (index, key) in keys.enumerated() {
      guard scanner.peek == UInt8(ascii: "{") else { return index > 0 ? .blocked(scanner.position) : .absent }
      let bytes = Array(key.utf8)
      guard (try? member({ sameBytes($0, bytes) }, &scanner, &scratch, &ends)) == true else { return .absent }
      if scanner.peek == UInt8(ascii: "n") { return .null(scanner.position) }
    }
    return .value(scanner.position)
  }

  /// Returns the first key of a key path that occurs twice in its object, and the offset of its second occurrence; nil if no key occurs
  /// twice. The key path begins in the object at the scanner's position. Stops at a syntax error.
  static func findRepeated(_ keys: [String], in scanner: JSONScanner) -> (key: String, place: UnsafePointer<UInt8>)? {
    var scanner = scanner
    var scratch = ScratchText()
    defer { scratch.free() }
    for key in keys {
      let bytes = Array(key.utf8)
      guard let places = try? places(of: bytes, &scanner, &scratch), let first = places.first else { return nil }
      if places.count > 1 { return (key, places[1].key) }
      scanner.move(to: first.value)
    }
    return nil
  }

  /// Returns the first two members with a key in the object at the scanner's position.
  private static func places(
    of wanted: [UInt8], _ scanner: inout JSONScanner, _ scratch: inout ScratchText
  ) throws(JSONSyntaxError) -> [(key: UnsafePointer<UInt8>, value: UnsafePointer<UInt8>)] {
    var found: [(key: UnsafePointer<UInt8>, value: UnsafePointer<UInt8>)] = []
    guard scanner.peek == UInt8(ascii: "{") else { return found }
    scanner.advance()
    scanner.skipWhitespace()
    repeat {
      guard scanner.peek == UInt8(ascii: "\"") else { return found }
      let place = scanner.position
      let raw = try scanner.scanString()
      let isWanted = sameBytes(scanner.text(of: raw, in: &scratch), wanted)
      try scanner.expectColon()
      if isWanted { found.append((place, scanner.position)) }
      if found.count == 2 { return found }
      try scanner.skipValue()
    } while try scanner.continues(before: UInt8(ascii: "}"))
    return found
  }

  /// Returns whether the object at the scanner's position has a key that satisfies a predicate. Stops at a syntax error.
  static func hasKey(in scanner: JSONScanner, _ isKnown: (LentBytes) -> Bool) -> Bool {
    guard scanner.peek == UInt8(ascii: "{") else { return false }
    var scanner = scanner
    var scratch = ScratchText()
    defer { scratch.free() }
    var ends = ContainerEnds(isKept: false)
    return (try? member(isKnown, &scanner, &scratch, &ends)) == true
  }

  /// A member of an object, for messages.
  struct Member {
    var key: String
    /// The offset of the key in the text, quotes included.
    var offset: Int
    var length: Int
    /// The offset of the value.
    var value: Int
    /// Whether the value is an object or an array.
    var isContainer: Bool
  }

  /// Returns the first members of the object at the scanner's position. Stops at a syntax error.
  static func members(in scanner: JSONScanner, most: Int) -> [Member] {
    var scanner = scanner
    var scratch = ScratchText()
    defer { scratch.free() }
    var members: [Member] = []
    do {
      guard scanner.peek == UInt8(ascii: "{") else { return [] }
      try scanner.descend()
      scanner.advance()
      scanner.skipWhitespace()
      guard scanner.peek == UInt8(ascii: "\"") else { return [] }
      repeat {
        let offset = scanner.offset
        let key = String(decoding: scanner.text(of: try scanner.scanString(), in: &scratch), as: UTF8.self)
        let length = scanner.offset - offset
        try scanner.expectColon()
        let isContainer = scanner.peek == UInt8(ascii: "{") || scanner.peek == UInt8(ascii: "[")
        members.append(
          Member(key: key, offset: offset, length: length, value: scanner.offset, isContainer: isContainer))
        try scanner.skipValue()
      } while try members.count < most && scanner.continues(before: UInt8(ascii: "}"))
        && scanner.peek == UInt8(ascii: "\"")
    } catch {
      // Reading the object reports the error.
    }
    return members
  }

  /// Returns the first keys of the object at the scanner's position. Stops at a syntax error.
  static func keys(in scanner: JSONScanner, most: Int) -> [String] { members(in: scanner, most: most).map(\.key) }

  /// A step of a JSON path.
  enum Step {
    case member(String)
    case element(Int)
  }

  /// Returns the steps to the value at an offset.
  static func steps(to offset: Int, in bytes: LentBytes, maxDepth: Int) -> [Step] {
    var finder = PathFinder([offset], "$", 0) { _, _ in }
    finder.walk(bytes, maxDepth: maxDepth)
    return finder.steps
  }

  /// Moves the scanner from a value to a value nested in it. Returns false if there is no such value.
  static func move(_ scanner: inout JSONScanner, by steps: [Step]) -> Bool {
    var scratch = ScratchText()
    defer { scratch.free() }
    var ends = ContainerEnds(isKept: false)
    do {
      for step in steps {
        switch step {
        case .member(let key):
          let bytes = Array(key.utf8)
          guard scanner.peek == UInt8(ascii: "{"),
            try member({ sameBytes($0, bytes) }, &scanner, &scratch, &ends)
          else { return false }
        case .element(let index):
          guard scanner.peek == UInt8(ascii: "["), try element(index, &scanner) else { return false }
        }
      }
      return true
    } catch {
      return false
    }
  }

  /// Moves the scanner to an element of the array at its position.
  private static func element(_ index: Int, _ scanner: inout JSONScanner) throws(JSONSyntaxError) -> Bool {
    try scanner.descend()
    scanner.advance()
    scanner.skipWhitespace()
    if scanner.peek == UInt8(ascii: "]") { return false }
    for _ in 0..<index {
      try scanner.skipValue()
      guard try scanner.continues(before: UInt8(ascii: "]")) else { return false }
    }
    return true
  }

  /// Moves the scanner to the value of the first member with a key in the object at its position.
  private static func member(
    _ isWanted: (LentBytes) -> Bool, _ scanner: inout JSONScanner, _ scratch: inout ScratchText,
    _ ends: inout ContainerEnds
  ) throws(JSONSyntaxError) -> Bool {
    try scanner.descend()
    scanner.advance()
    scanner.skipWhitespace()
    if scanner.peek == UInt8(ascii: "}") { return false }
    repeat {
      guard scanner.peek == UInt8(ascii: "\"") else { return false }
      let raw = try scanner.scanString()
      let isFound = isWanted(scanner.text(of: raw, in: &scratch))
      try scanner.expectColon()
      if isFound { return true }
      try ends.skipValue(&scanner)
    } while try scanner.continues(before: UInt8(ascii: "}"))
    return false
  }

  /// Returns the JSON path (D7) of the value or key that begins at an offset or contains it: `$.powers[0].id`.
  static func path(to offset: Int, in bytes: LentBytes, maxDepth: Int) -> String {
    var found = "$"
    paths(to: [offset], in: bytes, maxDepth: maxDepth) { found = $1 }
    return found
  }

  /// Finds the JSON paths of values or keys at ascending offsets in one pass. Offsets after a syntax error have the path of
  /// the error.
  ///
  /// - Parameters:
  ///   - root: the path of the text's own value.
  ///   - firstElement: the number of the first element, if that value is an array.
  static func paths(
    to offsets: [Int], in bytes: LentBytes, maxDepth: Int, root: String = "$", firstElement: Int = 0,
    _ visit: (_ offset: Int, _ path: String) -> Void
  ) {
    withoutActuallyEscaping(visit) { visit in
      var finder = PathFinder(offsets, root, firstElement, visit)
      finder.walk(bytes, maxDepth: maxDepth)
      finder.tellRest()
    }
  }
}

/// Reports the paths of the offsets that a walk passes.
private struct PathFinder: JSONVisitor {
  private struct Level {
    var isObject: Bool
    var index = 0
    var key: String?
  }

  private let offsets: [Int]
  private let root: String
  private let firstElement: Int
  private let visit: (_ offset: Int, _ path: String) -> Void
  private var levels: [Level] = []
  /// The index of the first offset that has not been passed yet.
  private var next = 0

  init(
    _ offsets: [Int], _ root: String, _ firstElement: Int, _ visit: @escaping (_ offset: Int, _ path: String) -> Void
  ) {
    self.offsets = offsets
    self.root = root
    self.firstElement = firstElement
    self.visit = visit
  }

  /// Reads text up to the last offset, or to a syntax error.
  mutating func walk(_ bytes: LentBytes, maxDepth: Int) {
    var scanner = JSONScanner(bytes, maxDepth: maxDepth)
    var scratch = ScratchText()
    defer { scratch.free() }
    do throws(JSONSyntaxError) {
      try scanner.beginText()
      try JSONWalk.walk(&scanner, &scratch, &self)
    } catch {
      // The walk stopped at the error, so the current path is the path of the error.
    }
  }

  private var path: String {
    levels.reduce(into: root) {
      $0 += $1.isObject ? $1.key.map(JSONPathText.member) ?? "" : JSONPathText.element($1.index)
    }
  }

  /// The steps of the path.
  var steps: [JSONLocator.Step] {
    levels.compactMap { $0.isObject ? $0.key.map { .member($0) } : .element($0.index) }
  }

  /// Reports the current path for all remaining offsets.
  mutating func tellRest() { tell(before: .max) }

  private mutating func tell(before end: Int) {
    guard next < offsets.count, offsets[next] < end else { return }
    let path = path
    while next < offsets.count, offsets[next] < end {
      visit(offsets[next], path)
      next += 1
    }
  }

  // MARK: Visiting

  var isDone: Bool { next == offsets.count }

  mutating func begin(_ container: JSONContainer, at start: Int) {
    tell(before: start + 1)
    if isDone { return }
    levels.append(Level(isObject: container == .object, index: levels.isEmpty ? firstElement : 0))
  }

  mutating func key(_ scanner: inout JSONScanner, _ scratch: inout ScratchText) throws(JSONSyntaxError) {
    levels[levels.count - 1].key = nil
    guard scanner.peek == UInt8(ascii: "\"") else { throw scanner.unexpected("a key in double quotes") }
    let raw = try scanner.scanString()
    levels[levels.count - 1].key = String(decoding: scanner.text(of: raw, in: &scratch), as: UTF8.self)
    scratch.reset()
    tell(before: scanner.offset)
    try scanner.expectColon()
  }

  mutating func scalar(_ scanner: inout JSONScanner, _ scratch: inout ScratchText) throws(JSONSyntaxError) {
    tell(before: scanner.offset + 1)
    if isDone { return }
    _ = try scanner.scanScalar()
    tell(before: scanner.offset)
  }

  mutating func separator() { levels[levels.count - 1].index += 1 }

  mutating func end(_ container: JSONContainer, _ scanner: JSONScanner) { levels.removeLast() }

  mutating func empty(_ container: JSONContainer, at start: Int, _ scanner: JSONScanner) {
    tell(before: scanner.offset)
  }
}
