/// A strict scanner for RFC 8259 (D8), over bytes that the caller keeps alive.
///
///     { "name" : "Bat\u0041" , "powers" : [ ...
///       ^ position            strings are given as bytes of the payload or, if they contain
///                             escapes, as bytes of the scratch text
///
/// Its only state is its position, because the caller knows what to expect next. It never recurses. The caller and ``skipValue()``
/// count the nesting against one limit. The scanner is unsafe: it reads through pointers, and checks every read against `end`.
struct JSONScanner {
  /// The address from which offsets are counted. This address is never read from, and may be invalid if the bytes are a piece of a longer
  /// text.
  let start: UnsafePointer<UInt8>
  private(set) var end: UnsafePointer<UInt8>
  private(set) var position: UnsafePointer<UInt8>
  /// The current depth of the caller.
  private(set) var depth = 0
  let maxDepth: Int

  /// - Parameter base: the offset of the first byte, if the bytes are a piece of a longer text.
  init(_ bytes: LentBytes, maxDepth: Int, base: Int = 0) {
    // An empty buffer may have no address. Any address will do, because nothing is read from it.
    let first = bytes.baseAddress ?? UnsafePointer(bitPattern: 8)!
    start = UnsafePointer(bitPattern: UInt(bitPattern: first) &- UInt(bitPattern: base)).unsafelyUnwrapped
    end = first + bytes.count
    position = first
    self.maxDepth = maxDepth
  }

  @inline(__always) var offset: Int { position - start }
  @inline(__always) var isAtEnd: Bool { position >= end }
  /// The byte at the position, or 0 at the end. No JSON token begins with 0.
  @inline(__always) var peek: UInt8 { position < end ? position.pointee : 0 }

  @inline(__always) mutating func advance(_ count: Int = 1) { position += count }
  @inline(__always) mutating func move(to place: UnsafePointer<UInt8>) { position = place }

  @inline(__always)
  mutating func move(to place: UnsafePointer<UInt8>, depth: Int) {
    position = place
    self.depth = depth
  }

  /// Treats the position as being at the given depth.
  mutating func restart(atDepth depth: Int) { self.depth = depth }

  /// Makes the text end at an earlier position, or restores its end.
  mutating func end(at place: UnsafePointer<UInt8>) { end = place }

  @inline(never)
  func failure(_ problem: JSONSyntaxError.Problem, at place: UnsafePointer<UInt8>? = nil) -> JSONSyntaxError {
    JSONSyntaxError(offset: (place ?? position) - start, problem: problem)
  }

  /// Returns the error for an unexpected byte. The end of the text has its own message.
  @inline(never)
  func unexpected(_ expected: String) -> JSONSyntaxError {
    isAtEnd ? failure(.unexpectedEnd(expected)) : failure(.expected(expected))
  }

  // MARK: Structure

  @inline(__always)
  mutating func skipWhitespace() {
    if position < end, position.pointee > 0x20 { return }
    skipLongWhitespace()
  }

  @inline(__always)
  private mutating func skipLongWhitespace() {
    while position < end {
      // Indentation is often long, so eight spaces are skipped at a time.
      if end - position >= 8, load64(position) == 0x2020_2020_2020_2020 {
        position += 8
        continue
      }
      let byte = position.pointee
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      position += 1
    }
  }

  @inline(__always)
  mutating func expectColon() throws(JSONSyntaxError) {
    if end - position >= 2, position[0] == UInt8(ascii: ":"), position[1] > 0x20 {
      position += 1
      return
    }
    skipWhitespace()
    guard peek == UInt8(ascii: ":") else { throw unexpected("':' after a key") }
    position += 1
    skipWhitespace()
  }

  /// Enters a container. Throws if this exceeds the depth limit.
  @inline(__always)
  mutating func descend() throws(JSONSyntaxError) {
    depth += 1
    if depth > maxDepth { throw failure(.tooDeep(maxDepth)) }
  }

  @inline(__always)
  mutating func ascend() { depth -= 1 }

  /// Returns true if another element follows, or false at the closing byte, which is consumed.
  @inline(never)
  mutating func continues(before close: UInt8) throws(JSONSyntaxError) -> Bool {
    skipWhitespace()
    let byte = peek
    if byte == UInt8(ascii: ",") {
      let comma = position
      position += 1
      skipWhitespace()
      if peek == close { throw failure(.trailingComma, at: comma) }
      return true
    }
    if byte == close, position < end {
      position += 1
      return false
    }
    throw unexpected(close == UInt8(ascii: "}") ? "',' or '}'" : "',' or ']'")
  }

  /// Returns true if another member follows, or false at the closing brace, which is consumed. In compact JSON, a comma and the next key
  /// are recognized here.
  @inline(__always)
  mutating func continuesMembers() throws(JSONSyntaxError) -> Bool {
    if end - position >= 2, position[0] == UInt8(ascii: ","), position[1] == UInt8(ascii: "\"") {
      position += 1
      return true
    }
    return try continues(before: UInt8(ascii: "}"))
  }

  /// Skips the byte order mark of UTF-8. Rejects UTF-16 and UTF-32 with an error that names them (D8).
  mutating func beginText() throws(JSONSyntaxError) {
    let count = end - position
    // Nearly all texts begin with two ASCII characters.
    if count >= 2, position[0] &- 1 < 0x7F, position[1] != 0 { return try beginValue() }
    func starts(_ bytes: UInt8...) -> Bool {
      count >= bytes.count && bytes.indices.allSatisfy { position[$0] == bytes[$0] }
    }
    if starts(0xEF, 0xBB, 0xBF) {
      position += 3
    } else if starts(0xFF, 0xFE, 0, 0) || (count >= 4 && position[0] != 0 && starts(position[0], 0, 0, 0)) {
      throw failure(.wrongEncoding("UTF-32 (little endian)"))
    } else if starts(0, 0, 0xFE, 0xFF) || (count >= 4 && position[3] != 0 && starts(0, 0, 0)) {
      throw failure(.wrongEncoding("UTF-32 (big endian)"))
    } else if starts(0xFF, 0xFE) || (count >= 2 && position[0] != 0 && position[1] == 0) {
      throw failure(.wrongEncoding("UTF-16 (little endian)"))
    } else if starts(0xFE, 0xFF) || (count >= 2 && position[0] == 0 && position[1] != 0) {
      throw failure(.wrongEncoding("UTF-16 (big endian)"))
    }
    try beginValue()
  }

  private mutating func beginValue() throws(JSONSyntaxError) {
    skipWhitespace()
    if isAtEnd { throw failure(.empty) }
  }

  /// Checks that only white space follows the value.
  mutating func endText() throws(JSONSyntaxError) {
    skipWhitespace()
    if !isAtEnd { throw failure(.textAfterEnd) }
  }

  // MARK: Literals

  enum Literal { case `true`, `false`, null }

  @inline(__always)
  mutating func literal(_ literal: Literal) throws(JSONSyntaxError) {
    // `true`, `alse` and `null` as words in memory order.
    let word: UInt32 =
      switch literal {
      case .true: 0x6575_7274
      case .false: 0x6573_6C61
      case .null: 0x6C6C_756E
      }
    let skip = literal == .false ? 1 : 0
    guard end - position >= 4 + skip, load32(position + skip) == word else { throw valueFailure }
    position += 4 + skip
  }

  // MARK: Values

  /// A value that is neither an array nor an object.
  enum Scalar {
    case string(RawString)
    case number(RawNumber)
    case boolean(Bool)
    case null
  }

  /// The error for a position where a value must begin but does not.
  @inline(never)
  private var valueFailure: JSONSyntaxError {
    if isAtEnd { return failure(.unexpectedEnd("a JSON value")) }
    let isComment = end - position >= 2 && peek == UInt8(ascii: "/") && [0x2A, 0x2F].contains(position[1])
    return failure(isComment ? .comment : foreignText(at: position).map { .foreign($0) } ?? .badLiteral)
  }

  /// Returns what is known about the text at a position where a value is expected but no value begins.
  @inline(never)
  func foreignText(at place: UnsafePointer<UInt8>) -> ForeignText? {
    ForeignText(at: LentBytes(start: place, count: end - place), isBeginning: place == start)
  }

  /// Reads a value that is neither an array nor an object.
  @inline(__always)
  mutating func scanScalar() throws(JSONSyntaxError) -> Scalar {
    switch peek {
    case UInt8(ascii: "\""): return .string(try scanString())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try scanNumber())
    case UInt8(ascii: "t"):
      try literal(.true)
      return .boolean(true)
    case UInt8(ascii: "f"):
      try literal(.false)
      return .boolean(false)
    case UInt8(ascii: "n"):
      try literal(.null)
      return .null
    default: throw valueFailure
    }
  }

  /// Reads the quotes, the text and the colon of a key.
  @inline(__always)
  mutating func scanKey() throws(JSONSyntaxError) -> RawString {
    guard peek == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes") }
    let key = try scanString()
    try expectColon()
    return key
  }

  // MARK: Skipping

  /// Skips one value of any kind, checking all of it (I13), without recursion.
  mutating func skipValue() throws(JSONSyntaxError) {
    switch peek {
    case UInt8(ascii: "\""): _ = try scanString()
    case UInt8(ascii: "{"), UInt8(ascii: "["): try skipContainer()
    default: try skipScalar()
    }
  }

  // Not keeping the results of scanScalar() and scanKey() saves 3 % of the time of an import with mappers.

  @inline(__always)
  private mutating func skipScalar() throws(JSONSyntaxError) {
    switch peek {
    case UInt8(ascii: "\""): _ = try scanString()
    case UInt8(ascii: "t"): try literal(.true)
    case UInt8(ascii: "f"): try literal(.false)
    case UInt8(ascii: "n"): try literal(.null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try scanNumber()
    default: throw valueFailure
    }
  }

  @inline(__always)
  mutating func skipKey() throws(JSONSyntaxError) {
    guard peek == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes") }
    _ = try scanString()
    try expectColon()
  }

  @inline(never)
  private mutating func skipContainer() throws(JSONSyntaxError) {
    let outer = depth
    // One bit per level: whether it is an object. A word holds 64 levels; deeper levels are in an array, one word per 64.
    var kinds: UInt64 = 0
    var deeper: [UInt64] = []
    while true {
      // The position is at a value.
      let byte = peek
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        let isObject = byte == UInt8(ascii: "{")
        try descend()
        if depth - outer > 1, (depth - outer - 1) & 63 == 0 { deeper.append(kinds) }
        kinds = kinds << 1 | (isObject ? 1 : 0)
        position += 1
        skipWhitespace()
        if peek == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          position += 1
        } else {
          if isObject { try skipKey() }
          continue
        }
      } else {
        try skipScalar()
        if try continues(before: kinds & 1 == 1 ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          if kinds & 1 == 1 { try skipKey() }
          continue
        }
      }
      // The position is after a closing byte: leave as many levels as close here.
      while true {
        if depth - outer > 1, (depth - outer - 1) & 63 == 0, let kept = deeper.popLast() {
          kinds = kept
        } else {
          kinds >>= 1
        }
        ascend()
        if depth == outer { return }
        if try continues(before: kinds & 1 == 1 ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          if kinds & 1 == 1 { try skipKey() }
          break
        }
      }
    }
  }
}
