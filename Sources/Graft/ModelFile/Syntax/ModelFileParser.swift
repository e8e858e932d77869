/// Parses the bytes of a model file into a tree: JSON, `//` and `/* */` comments, and trailing commas (M1).
///
///     {
///       // Who sells what.
///       "entities": { "Shop": {} },
///     }
///
/// Everything keeps its location. After a syntax error, the parser records it, assumes the most likely intention of the author,
/// and continues, so that one run reports all errors. For any input, it ends in linear time.
package struct ModelFileParser {
  /// The result of parsing a model file.
  package struct Outcome {
    /// The tree that could be read, or nil if there is none.
    package var tree: ModelFileTree?
    /// The syntax errors.
    package var errors: [ModelFileSyntaxError]
    /// Whether the meaning of the tree is clear despite any errors. Otherwise, its contents must not be checked.
    package var isCertain: Bool
  }

  /// The maximum nesting depth of objects and arrays. A model needs eight levels; the rest is for `userInfo` and defaults.
  static let deepest = 64
  /// The number of errors after which parsing stops, because the text is unlikely to be a model file.
  static let mostErrors = 100

  let bytes: [UInt8]
  private(set) var position = 0
  private(set) var comments: [SourceRange] = []
  /// The open objects and arrays, innermost last.
  private(set) var open: [OpenBracket] = []

  // The errors so far. See ModelFileParser+Recovery.swift.
  private var errors: [ModelFileSyntaxError] = []
  private var doubt = Doubt.none
  /// Errors before this offset probably result from an error that is already recorded, and are suppressed.
  private(set) var quietEnd = 0
  private var isStopped = false
  /// The first bracket that is closed on a line with a different indentation than the line that opened it.
  private(set) var crookedPair: (open: Int, close: Int)?

  /// The first token of the current line, and its indentation.
  private var lineHead = (offset: 0, indentation: 0)

  /// A range up to a line end, cached so that each line end is searched for only once.
  private var knownLine = (start: 0, end: -1)

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Parses the text of a model file.
  package static func parse(_ text: SourceText) -> Outcome {
    if let error = TextEncoding.fault(in: text.bytes) { return Outcome(tree: nil, errors: [error], isCertain: false) }
    var parser = ModelFileParser(text.bytes)
    let root = parser.document()
    // If brackets or quotes are missing, a comma may only seem to be missing.
    if parser.doubt == .structure { for index in parser.errors.indices { parser.errors[index].finding.edits = [] } }
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

  /// Reads a value. If there is no value, returns nil without advancing.
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
        report(.extraComma(expected: "a value or ']'"), at: position, .none, fix: edit(1, ""))
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

  /// Skips an opening bracket. Returns false and stops parsing if it is nested too deeply.
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

  /// Skips the bracket that closes the innermost list.
  private mutating func closeBracket() {
    if let last = open.last, crookedPair == nil, lineHead.offset == position, lineHead.indentation != last.indentation {
      crookedPair = (last.offset, position)
    }
    advance()
  }

  // MARK: Errors

  /// Records an error, unless it probably results from an earlier error.
  ///
  /// - Parameter fix: the change that the error calls for, if it is clear.
  mutating func report(
    _ finding: ModelFinding, at offset: Int, length: Int = 1, _ doubt: Doubt, notes: [ModelFindings.Note] = [],
    fix: SourceEdit? = nil
  ) {
    guard !isStopped else { return }
    noteDoubt(doubt)
    guard offset >= quietEnd else { return }
    if doubt != .none { quietEnd = lineEnd + 1 }
    errors.append(
      ModelFileSyntaxError(
        finding: fix.map { finding.fixed(by: $0) } ?? finding, range: SourceRange(offset: offset, length: length),
        notes: notes))
    if errors.count == Self.mostErrors {
      errors.append(
        ModelFileSyntaxError(finding: .tooManySyntaxErrors(Self.mostErrors), range: errors[errors.count - 1].range))
      self.doubt = .structure
      isStopped = true
    }
  }

  /// Records an error in the brackets, unless it may result from another error.
  mutating func reportBracket(
    _ finding: ModelFinding, at offset: Int, length: Int = 1, _ doubt: Doubt = .structure, notes: [ModelFindings.Note]
  ) {
    if self.doubt < .structure { report(finding, at: offset, length: length, doubt, notes: notes) }
    stayQuiet(until: lineEnd + 1)
  }

  mutating func noteDoubt(_ doubt: Doubt) { self.doubt = max(self.doubt, doubt) }

  /// Suppresses the errors before an offset.
  mutating func stayQuiet(until offset: Int) { quietEnd = max(quietEnd, offset) }

  mutating func endQuiet() { quietEnd = 0 }

  // MARK: Separators

  @inline(__always) mutating func advance(_ count: Int = 1) { position += count }
  @inline(__always) mutating func move(to offset: Int) { position = offset }

  /// The next byte, or nil at the end or after parsing has stopped.
  var byte: UInt8? { position < bytes.count && !isStopped ? bytes[position] : nil }

  /// Skips white space and comments.
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

  /// Skips a comment. Returns false if the file ends inside it.
  private mutating func skipComment() -> Bool {
    let start = position
    switch start + 1 < bytes.count ? bytes[start + 1] : 0 {
    case _ where bytes[start] == UInt8(ascii: "#"):
      report(.hashComment, at: start, .none, fix: edit(1, "//"))
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
