/// Reads the bytes of a model file into a tree: JSON, `//` and `/* */` comments, and trailing commas (M1).
///
///     {
///       // Who sells what.
///       "entities": { "Shop": {} },
///     }
///
/// Everything keeps its place. The first fault of syntax ends it; whatever the bytes are, it ends.
package struct ModelFileParser {
  /// How deep objects and arrays may be nested. A model needs eight levels; the rest is for `userInfo` and defaults.
  static let deepest = 64

  let bytes: [UInt8]
  var position = 0
  private var comments: [SourceRange] = []

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a text.
  package static func parse(_ text: SourceText) throws(ModelFileSyntaxError) -> ModelFileTree {
    try TextEncoding.check(text.bytes)
    var parser = ModelFileParser(text.bytes)
    return try parser.document()
  }

  private mutating func document() throws(ModelFileSyntaxError) -> ModelFileTree {
    if bytes.starts(with: TextEncoding.byteOrderMark) { position = 3 }
    try skipSpace()
    guard position < bytes.count else {
      throw error(.syntax("expected an object, found an empty file"), at: 0, length: 0)
    }
    let root = try value(depth: 0)
    try skipSpace()
    guard position == bytes.count else { throw unexpected("the end of the file") }
    return ModelFileTree(root: root, comments: comments)
  }

  // MARK: Values

  private mutating func value(depth: Int) throws(ModelFileSyntaxError) -> ModelFileNode {
    let start = position
    guard start < bytes.count else { throw unexpected("a value") }
    let kind: ModelFileNode.Kind
    switch bytes[start] {
    case UInt8(ascii: "{"): kind = try object(depth: depth)
    case UInt8(ascii: "["): kind = try array(depth: depth)
    case UInt8(ascii: "\""): kind = .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"):
      kind = .number(try number())
    default: kind = try word()
    }
    return ModelFileNode(kind: kind, range: SourceRange(offset: start, length: position - start))
  }

  private mutating func object(depth: Int) throws(ModelFileSyntaxError) -> ModelFileNode.Kind {
    let start = try open(depth)
    var members: [ModelFileMember] = []
    while true {
      try skipSpace()
      guard position < bytes.count else { throw notClosed("object", from: start) }
      if bytes[position] == UInt8(ascii: "}") { break }
      guard bytes[position] == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes or '}'") }
      let keyStart = position
      let key = try string()
      let keyRange = SourceRange(offset: keyStart, length: position - keyStart)
      try skipSpace()
      guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
        throw unexpected("':' after the key \(key.quoted)")
      }
      position += 1
      try skipSpace()
      members.append(ModelFileMember(key: key, keyRange: keyRange, value: try value(depth: depth + 1)))
      try skipSpace()
      guard position < bytes.count else { throw notClosed("object", from: start) }
      if bytes[position] == UInt8(ascii: "}") { break }
      guard bytes[position] == UInt8(ascii: ",") else {
        throw unexpected("',' or '}' after the value of \(key.quoted)")
      }
      position += 1
    }
    position += 1
    return .object(members)
  }

  private mutating func array(depth: Int) throws(ModelFileSyntaxError) -> ModelFileNode.Kind {
    let start = try open(depth)
    var elements: [ModelFileNode] = []
    while true {
      try skipSpace()
      guard position < bytes.count else { throw notClosed("array", from: start) }
      if bytes[position] == UInt8(ascii: "]") { break }
      if bytes[position] == UInt8(ascii: ",") { throw unexpected("a value or ']'") }
      elements.append(try value(depth: depth + 1))
      try skipSpace()
      guard position < bytes.count else { throw notClosed("array", from: start) }
      if bytes[position] == UInt8(ascii: "]") { break }
      guard bytes[position] == UInt8(ascii: ",") else { throw unexpected("',' or ']' after an element") }
      position += 1
    }
    position += 1
    return .array(elements)
  }

  private mutating func open(_ depth: Int) throws(ModelFileSyntaxError) -> Int {
    guard depth < Self.deepest else {
      throw error(.tooDeep(Self.deepest), at: position, length: 1)
    }
    position += 1
    return position - 1
  }

  // MARK: What stands between

  /// Passes over white space and comments.
  private mutating func skipSpace() throws(ModelFileSyntaxError) {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      case UInt8(ascii: "/"): try comment()
      default: return
      }
    }
  }

  private mutating func comment() throws(ModelFileSyntaxError) {
    let start = position
    switch start + 1 < bytes.count ? bytes[start + 1] : 0 {
    case UInt8(ascii: "/"):
      while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D { position += 1 }
    case UInt8(ascii: "*"):
      position += 2
      while true {
        guard position + 1 < bytes.count else {
          throw error(
            .syntax("the comment is not closed: expected '*/' before the end of the file"), at: start, length: 2)
        }
        if bytes[position] == UInt8(ascii: "*"), bytes[position + 1] == UInt8(ascii: "/") { break }
        position += 1
      }
      position += 2
    default: throw unexpected("a value or a comment")
    }
    comments.append(SourceRange(offset: start, length: position - start))
  }
}
