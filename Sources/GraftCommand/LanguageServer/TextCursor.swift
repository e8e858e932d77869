import Graft

/// The context at an offset of a model file: the path of keys, and whether a key or a value belongs there.
///
///     { "entities": { "Hero": { "parent": "Pe| } } }
///
///     path: entities, Hero; key: parent; the token "Pe
///
/// The text is read without the parser, because it is incomplete while being typed.
struct TextCursor {
  /// The kind of text that belongs at the offset.
  enum Role: Equatable { case key, value, element }

  /// A string or word.
  struct Token {
    /// The range of its bytes, including quotes.
    var range: Range<Int>
    var text: String
    /// Whether it begins with a quote.
    var isQuoted: Bool
    /// Whether it has a closing quote.
    var isClosed: Bool
  }

  fileprivate struct Frame {
    var isObject: Bool
    var start: Int
    var key: String?
    /// Whether the next token is a value of the key.
    var awaitsValue = false
    var keys: [String] = []
  }

  private(set) var path: [String] = []
  private(set) var role = Role.key
  /// The key whose value is at the cursor, or is an array that contains the cursor.
  private(set) var key: String?
  /// The keys of the object that contains the cursor, except the key at the cursor.
  private(set) var siblings: Set<String> = []
  /// The string or word at the cursor.
  private(set) var token: Token?
  /// Whether a colon follows the token.
  private(set) var hasColon = false
  /// Whether the cursor is inside a comment.
  private(set) var isInComment = false

  private let bytes: [UInt8]

  /// - Returns: nil outside the model's braces.
  init?(_ bytes: [UInt8], at offset: Int) {
    self.bytes = bytes
    guard scan(to: offset) else { return nil }
  }

  /// Reads up to the end of the object that contains the offset. Returns whether there is one.
  private mutating func scan(to offset: Int) -> Bool {
    var frames: [Frame] = []
    var position = 0
    /// The number of frames at the cursor, once it is known.
    var depth: Int?
    func reached(_ end: Int) -> Bool { depth == nil && offset <= end }
    while position < bytes.count {
      let start = position
      if let end = commentEnd(start) {
        if depth == nil, start < offset, offset <= end {
          isInComment = true
          depth = note(frames)
        }
        position = end
        continue
      }
      if depth == nil, offset <= start, !isTokenStart(start) || offset < start { depth = note(frames) }
      switch bytes[start] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        frames.append(Frame(isObject: bytes[start] == UInt8(ascii: "{"), start: start))
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if let depth, frames.count <= depth {
          siblings = Set(frames.last?.keys ?? []).union(siblings)
          return depth > 0
        }
        if !frames.isEmpty { frames.removeLast() }
        finishValue(&frames)
        position += 1
      case UInt8(ascii: ","), UInt8(ascii: ";"):
        finishValue(&frames)
        position += 1
      case UInt8(ascii: ":"), UInt8(ascii: "="):
        if let last = frames.indices.last, frames[last].isObject, frames[last].key != nil {
          frames[last].awaitsValue = true
        }
        position += 1
      case _ where isTokenStart(start):
        let token = self.token(at: start)
        position = token.range.upperBound
        let isHere = reached(token.range.upperBound)
        if isHere {
          depth = note(frames)
          self.token = token
          hasColon = nextByte(after: position) == UInt8(ascii: ":")
        }
        take(token, &frames, isHere: isHere)
      default: position += 1
      }
    }
    if depth == nil { depth = note(frames) }
    siblings.formUnion(frames.count == depth ? frames.last?.keys ?? [] : [])
    return depth ?? 0 > 0
  }

  /// Adopts the position of the cursor, and returns its depth.
  private mutating func note(_ frames: [Frame]) -> Int {
    path = frames.dropLast().compactMap { $0.isObject ? $0.key : nil }
    guard let last = frames.last else { return 0 }
    key = last.isObject ? (last.awaitsValue ? last.key : nil) : frames.last { $0.isObject }?.key
    role = last.isObject ? (last.awaitsValue ? .value : .key) : .element
    // The elements of an array belong to the key in the containing object.
    if !last.isObject, !path.isEmpty { path.removeLast() }
    return frames.count
  }

  private func take(_ token: Token, _ frames: inout [Frame], isHere: Bool) {
    guard let last = frames.indices.last, frames[last].isObject else { return }
    if frames[last].awaitsValue {
      finishValue(&frames)
    } else {
      frames[last].key = token.text
      if !isHere { frames[last].keys.append(token.text) }
    }
  }

  private func finishValue(_ frames: inout [Frame]) {
    guard let last = frames.indices.last, frames[last].isObject else { return }
    frames[last].awaitsValue = false
    frames[last].key = nil
  }

  // MARK: Tokens

  private func isTokenStart(_ position: Int) -> Bool {
    guard position < bytes.count else { return false }
    switch bytes[position] {
    case 0...0x20, UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","),
      UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "/"), UInt8(ascii: "#"):
      return false
    default: return true
    }
  }

  private func token(at start: Int) -> Token {
    let quote = bytes[start]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      var end = start
      while end < bytes.count, end == start || isTokenStart(end), bytes[end] != UInt8(ascii: "\"") { end += 1 }
      return Token(
        range: start..<end, text: String(decoding: bytes[start..<end], as: UTF8.self), isQuoted: false, isClosed: true)
    }
    var end = start + 1
    while end < bytes.count, bytes[end] != quote, bytes[end] != 0x0A, bytes[end] != 0x0D {
      end += bytes[end] == UInt8(ascii: "\\") && end + 1 < bytes.count && bytes[end + 1] >= 0x20 ? 2 : 1
    }
    let isClosed = end < bytes.count && bytes[end] == quote
    let inside = bytes[start + 1..<end]
    let decoded = (try? JSON(parsing: [quote] + inside + [quote]))?.stringValue
    return Token(
      range: start..<(isClosed ? end + 1 : end), text: decoded ?? String(decoding: inside, as: UTF8.self),
      isQuoted: true, isClosed: isClosed)
  }

  private func commentEnd(_ start: Int) -> Int? {
    if bytes[start...].starts(with: "//".utf8) || bytes[start] == UInt8(ascii: "#") {
      return bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
    }
    guard bytes[start...].starts(with: "/*".utf8) else { return nil }
    var end = start + 2
    while end < bytes.count, !bytes[end...].starts(with: "*/".utf8) { end += 1 }
    return min(end + 2, bytes.count)
  }

  private func nextByte(after position: Int) -> UInt8? { bytes[position...].first { $0 > 0x20 } }
}
