/// The ends of arrays and objects that were skipped while looking ahead.
///
///     {"child": {"child": {"child": {... "type": "c"}, "type": "b"}, "type": "a"}
///               ^ to find "type", each level skips all deeper ones: they are read once, and jumped over after that
///
/// Only containers with enough bytes outside remembered parts are remembered. This takes little memory compared to the text, and
/// the other containers are quick to skip again. This type is unsafe: the keys are addresses, which are valid as long as the
/// text is.
struct ContainerEnds {
  /// The minimum size of a remembered container. Skipping fewer bytes again is faster than looking them up.
  private static let leastBytes = 512

  private struct Open {
    var start: UnsafePointer<UInt8>
    /// The number of bytes in remembered parts.
    var known = 0
    var isObject: Bool
  }

  /// The end of the container at each opening bracket, or nil if a syntax error precedes it.
  private var ends: [UnsafePointer<UInt8>: UnsafePointer<UInt8>?] = [:]
  private var open: [Open] = []
  private let isKept: Bool

  /// - Parameter isKept: whether the ends are needed again.
  init(isKept: Bool = true) { self.isKept = isKept }

  @inline(__always) var isEmpty: Bool { ends.isEmpty }
  /// The number of remembered ends.
  var count: Int { ends.count }

  mutating func removeAll() { ends.removeAll(keepingCapacity: ends.count < 1 << 10) }

  /// Skips one value of any kind without recursion, checking everything that has not already been skipped.
  mutating func skipValue(_ scanner: inout JSONScanner) throws(JSONSyntaxError) {
    guard isKept, scanner.peek == UInt8(ascii: "{") || scanner.peek == UInt8(ascii: "[") else {
      try scanner.skipValue()
      return
    }
    open.removeAll(keepingCapacity: true)
    do {
      try skipContainer(&scanner)
    } catch {
      for level in open { ends.updateValue(nil, forKey: level.start) }
      throw error
    }
  }

  private mutating func skipContainer(_ scanner: inout JSONScanner) throws(JSONSyntaxError) {
    repeat {
      let byte = scanner.peek
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        if try enter(&scanner, isObject: byte == UInt8(ascii: "{")) { continue }
      } else {
        try scanner.skipValue()
      }
      try leave(&scanner)
    } while !open.isEmpty
  }

  /// Enters a container. Returns false if the scanner is already past it because it is empty or known.
  private mutating func enter(_ scanner: inout JSONScanner, isObject: Bool) throws(JSONSyntaxError) -> Bool {
    let start = scanner.position
    if !ends.isEmpty, let known = ends[start] {
      guard let end = known else { throw scanner.unexpected("a value that was read before") }
      if !open.isEmpty { open[open.count - 1].known += end - start }
      scanner.move(to: end)
      return false
    }
    open.append(Open(start: start, isObject: isObject))
    try scanner.descend()
    scanner.advance()
    scanner.skipWhitespace()
    if scanner.peek == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
      scanner.advance()
      close(&scanner)
      return false
    }
    if isObject { try scanner.skipKey() }
    return true
  }

  /// Leaves all levels that close after a value.
  private mutating func leave(_ scanner: inout JSONScanner) throws(JSONSyntaxError) {
    while let level = open.last {
      if try scanner.continues(before: level.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
        if level.isObject { try scanner.skipKey() }
        return
      }
      close(&scanner)
    }
  }

  private mutating func close(_ scanner: inout JSONScanner) {
    scanner.ascend()
    guard var level = open.popLast() else { return }
    let length = scanner.position - level.start
    if length - level.known >= ContainerEnds.leastBytes {
      ends.updateValue(scanner.position, forKey: level.start)
      level.known = length
    }
    if !open.isEmpty { open[open.count - 1].known += level.known }
  }
}
