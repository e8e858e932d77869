/// Receives the parts of a JSON value, in the order of the text. See ``JSONWalk``.
protocol JSONVisitor {
  /// Whether the rest of the text can be skipped. The walk checks this property after each value, and ends if it is true.
  var isDone: Bool { get }
  /// Called when a nonempty array or object begins.
  mutating func begin(_ container: JSONContainer, at start: Int) throws(JSONSyntaxError)
  /// Reads a key and the colon after it.
  mutating func key(_ scanner: inout JSONScanner, _ scratch: inout ScratchText) throws(JSONSyntaxError)
  /// Reads a value that is neither an array nor an object.
  mutating func scalar(_ scanner: inout JSONScanner, _ scratch: inout ScratchText) throws(JSONSyntaxError)
  /// Called before another element or member of the innermost container.
  mutating func separator()
  /// Called after the innermost container has ended. The scanner is after the container.
  mutating func end(_ container: JSONContainer, _ scanner: JSONScanner) throws(JSONSyntaxError)
  /// Called after an empty array or object has ended. The scanner is after the array or object.
  mutating func empty(_ container: JSONContainer, at start: Int, _ scanner: JSONScanner)
}

extension JSONVisitor {
  @inline(__always) var isDone: Bool { false }
  @inline(__always) func separator() {}
}

/// An array or an object.
enum JSONContainer {
  case array, object

  @inline(__always) var opening: UInt8 { self == .object ? UInt8(ascii: "{") : UInt8(ascii: "[") }
  @inline(__always) var closing: UInt8 { self == .object ? UInt8(ascii: "}") : UInt8(ascii: "]") }
}

/// Walks through a JSON value from its beginning to its end, without recursion, and passes each part to a visitor.
///
///     {"a": [1, 2], "b": {}}      begin {   key   begin [   scalar   separator   scalar   end ]
///                                 separator   key   empty {}   end }
///
/// Visitors create trees, events, compact copies and JSON paths. The following code walks through values itself, because its requirements
/// differ:
///
/// - ``JSONScanner/skipValue()`` needs only one bit for each level, and is the fastest.
/// - The importer predicts which key comes next, and keeps its own frames.
/// - ``JSONLocator`` looks for one key, and skips other values.
/// - The bytes of a stream end anywhere, so ``ElementFinder`` and ``StreamWalker`` can continue in the middle of a value.
/// - ``JSONIndenter`` and ``JSONNesting`` read JSON written by this library: valid, and without white space.
enum JSONWalk {
  /// Reads the value at the scanner's position.
  @inline(__always)
  static func walk<Visitor: JSONVisitor>(
    _ scanner: inout JSONScanner, _ scratch: inout ScratchText, _ visitor: inout Visitor
  ) throws(JSONSyntaxError) {
    var open: [JSONContainer] = []
    while true {
      switch scanner.peek {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let container: JSONContainer = scanner.peek == UInt8(ascii: "{") ? .object : .array
        let start = scanner.offset
        try scanner.descend()
        scanner.advance()
        scanner.skipWhitespace()
        if scanner.peek == container.closing {
          scanner.advance()
          scanner.ascend()
          visitor.empty(container, at: start, scanner)
        } else {
          try visitor.begin(container, at: start)
          if visitor.isDone { return }
          open.append(container)
          if container == .object { try visitor.key(&scanner, &scratch) }
          continue
        }
      default: try visitor.scalar(&scanner, &scratch)
      }
      if visitor.isDone { return }
      // The container of the value continues or ends.
      while let container = open.last {
        if try container == .object ? scanner.continuesMembers() : scanner.continues(before: container.closing) {
          visitor.separator()
          if container == .object { try visitor.key(&scanner, &scratch) }
          break
        }
        scanner.ascend()
        open.removeLast()
        try visitor.end(container, scanner)
      }
      if open.isEmpty { return }
    }
  }
}
