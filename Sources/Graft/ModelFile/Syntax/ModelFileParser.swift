/// Reads the bytes of a model file into a tree: JSON, `//` and `/* */` comments, and trailing commas (M1).
///
///     {
///       // Who sells what.
///       "entities": { "Shop": {} },
///     }
///
/// Everything keeps its place. A fault of syntax does not end it: it is noted, mended as its author most likely meant it,
/// and reading goes on, so that one run shows all faults. Whatever the bytes are, it ends, in linear time.
package struct ModelFileParser {
  /// What a model file is as a text.
  package struct Outcome {
    /// What could be read; nil where there is nothing.
    package var tree: ModelFileTree?
    /// What is wrong with the syntax.
    package var errors: [ModelFileSyntaxError]
    /// Whether the tree is what its author meant beyond doubt. Where not, what it says must not be judged.
    package var isCertain: Bool
  }

  /// How deep objects and arrays may be nested. A model needs eight levels; the rest is for `userInfo` and defaults.
  static let deepest = 64
  /// Behind this many errors reading ends: this is hardly a model file.
  static let mostErrors = 100

  let bytes: [UInt8]
  var position = 0
  private(set) var comments: [SourceRange] = []
  /// The objects and arrays that are open, the innermost last.
  var open: [OpenBracket] = []

  // What went wrong so far; see ModelFileParser+Recovery.swift.
  var errors: [ModelFileSyntaxError] = []
  var doubt = Doubt.none
  /// Errors before this offset would only be echoes of one that is noted already.
  var quietEnd = 0
  var isStopped = false
  /// The first bracket that is closed on a line of another indentation than the one it was opened on.
  var crookedPair: (open: Int, close: Int)?

  /// The first token of the present line, and how far it is indented.
  var lineHead = (offset: 0, indentation: 0)

  /// From somewhere on a line to its end: looked for once a line, however often it is asked for.
  private var knownLine = (start: 0, end: -1)

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a text.
  package static func parse(_ text: SourceText) -> Outcome {
    if let error = TextEncoding.fault(in: text.bytes) { return Outcome(tree: nil, errors: [error], isCertain: false) }
    var parser = ModelFileParser(text.bytes)
    let root = parser.document()
    let tree = root.map { ModelFileTree(root: $0, comments: parser.comments) }
    return Outcome(tree: tree, errors: parser.errors, isCertain: parser.doubt == .none)
  }

  private mutating func document() -> ModelFileNode? {
    if bytes.starts(with: TextEncoding.byteOrderMark) { position = 3 }
    skipSpace()
    guard let first = byte else {
      report(.emptyFile, at: 0, length: 0, .value)
      return nil
    }
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "["), let root = value() else {
      report(.noModel(found: found), at: position, .structure)
      return nil
    }
    skipSpace()
    if byte != nil {
      let end = SourceRange(offset: root.range.offset + root.range.length - 1, length: 1)
      reportBracket(
        .behindTheEnd(found: found), at: position,
        notes: [.init("the model ends here", range: end)] + crookedNotes)
    }
    return root
  }

  // MARK: Values

  /// A value; nil, and no step forward, where nothing of the kind stands here.
  mutating func value() -> ModelFileNode? {
    guard let first = byte else { return nil }
    let start = position
    let kind: ModelFileNode.Kind?
    switch first {
    case UInt8(ascii: "{"): kind = object()
    case UInt8(ascii: "["): kind = array()
    case UInt8(ascii: "\""): kind = .string(string())
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"):
      kind = number()
    default: kind = foreignQuote.map { .string(foreignString($0)) } ?? word()
    }
    return kind.map { ModelFileNode(kind: $0, range: SourceRange(offset: start, length: position - start)) }
  }

  private mutating func object() -> ModelFileNode.Kind {
    guard enter() else { return .object([]) }
    var members: [ModelFileMember] = []
    members.reserveCapacity(4)
    while true {
      skipSpace()
      guard let next = byte else {
        fileEndsInside("object", expected: "}")
        break
      }
      if next == UInt8(ascii: "}") {
        closeBracket()
        break
      }
      if next == UInt8(ascii: "]"), mismatch("object", expected: "}", isOther: { $0 == UInt8(ascii: "[") }) { break }
      guard let (key, range) = self.key() else { continue }
      guard let value = self.value(ofKey: key, range) else {
        skipComma()
        continue
      }
      members.append(ModelFileMember(key: key, keyRange: range, value: value))
      separate(from: value) {
        "the value of \(key.quoted)"
      } isNext: {
        $0.standsAtKey
      } next: {
        "the next key"
      }
    }
    open.removeLast()
    return .object(members)
  }

  private mutating func array() -> ModelFileNode.Kind {
    guard enter() else { return .array([]) }
    var elements: [ModelFileNode] = []
    while true {
      skipSpace()
      guard let next = byte else {
        fileEndsInside("array", expected: "]")
        break
      }
      if next == UInt8(ascii: "]") {
        closeBracket()
        break
      }
      if next == UInt8(ascii: "}"), mismatch("array", expected: "]", isOther: { $0 == UInt8(ascii: "{") }) { break }
      if next == UInt8(ascii: ",") {
        report(.extraComma(expected: "a value or ']'"), at: position, .none)
        position += 1
        continue
      }
      guard let element = value() else {
        skipStray(expected: "a value or ']'")
        continue
      }
      skipSpace()
      if byte == UInt8(ascii: ":"), element.text != nil, isKeyAfterArray(element, elements) { break }
      elements.append(element)
      separate(from: element) {
        "an element"
      } isNext: {
        $0.startsValue
      } next: {
        "another one"
      }
    }
    open.removeLast()
    return .array(elements)
  }

  /// Passes over an opening bracket. false: it is one too deep, and reading ends.
  private mutating func enter() -> Bool {
    guard open.count < Self.deepest else {
      report(.tooDeep(Self.deepest), at: position, .structure)
      isStopped = true
      return false
    }
    open.append(OpenBracket(byte: bytes[position], offset: position, indentation: lineHead.indentation))
    position += 1
    return true
  }

  // MARK: What stands between

  /// The byte that is read next; nil at the end, or where reading has been given up.
  var byte: UInt8? { position < bytes.count && !isStopped ? bytes[position] : nil }

  /// Passes over white space and comments.
  mutating func skipSpace() {
    var lineStart: Int?
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0D: position += 1
      case 0x0A:
        position += 1
        lineStart = position
      case UInt8(ascii: "/"), UInt8(ascii: "#"): if !skipComment() { return }
      case 0x80...: if !skipForeignSpace() { return noteLine(lineStart) }
      default: return noteLine(lineStart)
      }
    }
  }

  private mutating func noteLine(_ start: Int?) {
    if let start { lineHead = (position, position - start) }
  }

  /// Passes over a comment; false where the file ends inside.
  private mutating func skipComment() -> Bool {
    let start = position
    switch start + 1 < bytes.count ? bytes[start + 1] : 0 {
    case _ where bytes[start] == UInt8(ascii: "#"):
      report(.hashComment, at: start, .none)
      position = lineEnd
      return true
    case UInt8(ascii: "/"): position = lineEnd
    case UInt8(ascii: "*"):
      position += 2
      while position + 1 < bytes.count, bytes[position] != UInt8(ascii: "*") || bytes[position + 1] != UInt8(ascii: "/")
      {
        position += 1
      }
      guard position + 1 < bytes.count else {
        report(.openComment, at: start, length: 2, .structure)
        isStopped = true
        return false
      }
      position += 2
    default:
      report(.loneSlash, at: start, .value)
      position += 1
      return true
    }
    comments.append(SourceRange(offset: start, length: position - start))
    return true
  }

  /// The offset of the next line end, or of the end of the file.
  var lineEnd: Int {
    mutating get {
      if position < knownLine.start || position > knownLine.end {
        knownLine = (position, bytes[position...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count)
      }
      return knownLine.end
    }
  }
}
