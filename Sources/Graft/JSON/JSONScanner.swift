/// The strict scanner: RFC 8259 and nothing else (D8), over bytes that somebody else keeps alive.
///
///     { "name" : "Bat\u0041" , "powers" : [ ...
///       ^ position            strings are given as bytes of the payload, or, where they hold escapes,
///                             as bytes of the scratch text
///
/// It has no state but its position: whoever drives it knows what is expected. It never recurses; nesting is counted by
/// the driver and by ``skipValue()``, against one limit. Unsafe: it reads through pointers, with every read
/// guarded by `end`.
struct JSONScanner {
  /// The address that offsets are counted from. Only counted from: in a piece of something longer, nothing is there.
  let start: UnsafePointer<UInt8>
  var end: UnsafePointer<UInt8>
  var position: UnsafePointer<UInt8>
  /// How deep the driver stands, and how deep it may go.
  var depth = 0
  let maxDepth: Int

  /// - Parameter base: the offset of the first byte, if the bytes are a piece of something longer.
  init(_ bytes: UnsafeBufferPointer<UInt8>, maxDepth: Int, base: Int = 0) {
    // An empty buffer may have no address; any will do, as nothing is read from it.
    let first = bytes.baseAddress ?? UnsafePointer(bitPattern: 8)!
    start = UnsafePointer(bitPattern: UInt(bitPattern: first) &- UInt(bitPattern: base)).unsafelyUnwrapped
    end = first + bytes.count
    position = first
    self.maxDepth = maxDepth
  }

  @inline(__always) var offset: Int { position - start }
  @inline(__always) var isAtEnd: Bool { position >= end }
  /// The byte at the position; 0 at the end, which no JSON token begins with.
  @inline(__always) var peek: UInt8 { position < end ? position.pointee : 0 }

  @inline(never)
  func failure(_ problem: JSONSyntaxError.Problem, at place: UnsafePointer<UInt8>? = nil) -> JSONSyntaxError {
    JSONSyntaxError(offset: (place ?? position) - start, problem: problem)
  }

  /// The error for a byte that is not what was expected: the end of the text gets words of its own.
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
      // Indentation comes in runs: eight spaces at a time.
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

  /// Goes one level in, or says that the limit is reached.
  @inline(__always)
  mutating func descend() throws(JSONSyntaxError) {
    depth += 1
    if depth > maxDepth { throw failure(.tooDeep(maxDepth)) }
  }

  @inline(__always)
  mutating func ascend() { depth -= 1 }

  /// After an element: true if another one follows, false at the closing byte, which is passed.
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

  /// After a member: the same, with the case of compact JSON, a comma and the next key, decided on the spot.
  @inline(__always)
  mutating func continuesMembers() throws(JSONSyntaxError) -> Bool {
    if end - position >= 2, position[0] == UInt8(ascii: ","), position[1] == UInt8(ascii: "\"") {
      position += 1
      return true
    }
    return try continues(before: UInt8(ascii: "}"))
  }

  /// The byte order mark of UTF-8 is passed; UTF-16 and UTF-32 are refused by name (D8).
  mutating func beginText() throws(JSONSyntaxError) {
    let count = end - position
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
    skipWhitespace()
    if isAtEnd { throw failure(.empty) }
  }

  /// Nothing but white space may follow the value.
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
    guard end - position >= 4 + skip, load32(position + skip) == word else { throw failure(.badLiteral) }
    position += 4 + skip
  }

  // MARK: Skipping

  /// Passes one value of any kind, checking all of it (I13), without recursion.
  mutating func skipValue() throws(JSONSyntaxError) {
    switch peek {
    case UInt8(ascii: "\""):
      _ = try scanString()
      return
    case UInt8(ascii: "{"), UInt8(ascii: "["): try skipContainer()
    default: try skipScalar()
    }
  }

  @inline(__always)
  private mutating func skipScalar() throws(JSONSyntaxError) {
    switch peek {
    case UInt8(ascii: "\""): _ = try scanString()
    case UInt8(ascii: "t"): try literal(.true)
    case UInt8(ascii: "f"): try literal(.false)
    case UInt8(ascii: "n"): try literal(.null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try scanNumber()
    default: throw isAtEnd ? failure(.unexpectedEnd("a JSON value")) : failure(.badLiteral)
    }
  }

  @inline(never)
  private mutating func skipContainer() throws(JSONSyntaxError) {
    let outer = depth
    // One bit a level: is it an object? 64 levels fit a word; deeper ones are kept in an array, one word each 64.
    var kinds: UInt64 = 0
    var deeper: [UInt64] = []
    while true {
      // At a value.
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
      // After a closing byte: leave as many levels as close here.
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

  @inline(__always)
  private mutating func skipKey() throws(JSONSyntaxError) {
    guard peek == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes") }
    _ = try scanString()
    try expectColon()
  }
}
