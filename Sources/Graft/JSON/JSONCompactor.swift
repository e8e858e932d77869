/// Copies the value at a scanner's position as compact JSON: no white space, the fewest escapes, numbers character by character, members
/// in order. `json` attributes are stored this way, so equivalent texts have equal bytes. The copy is iterative, and rejects duplicate
/// keys (D8).
struct JSONCompactor {
  private(set) var bytes: [UInt8] = []
  private var limit = Int.max
  /// The keys of the open objects: each with its position in the text, and its copy as a range of ``bytes``.
  private var keys: [(place: UnsafePointer<UInt8>, copy: Range<Int>)] = []
  /// The start of the keys of each open container.
  private var firstKeys: [Int] = []

  /// - Returns: false if the copy exceeds the limit. In that case, the rest is not copied.
  mutating func copy(
    _ scanner: inout JSONScanner, _ scratch: inout ScratchText, limit: Int = .max
  ) throws(JSONSyntaxError) -> Bool {
    self.limit = limit
    try JSONWalk.walk(&scanner, &scratch, &self)
    return !isDone
  }
}

extension JSONCompactor: JSONVisitor {
  @inline(__always) var isDone: Bool { bytes.count > limit }

  @inline(__always)
  mutating func begin(_ container: JSONContainer, at start: Int) {
    bytes.append(container.opening)
    firstKeys.append(keys.count)
  }

  @inline(__always)
  mutating func key(_ scanner: inout JSONScanner, _ scratch: inout ScratchText) throws(JSONSyntaxError) {
    let place = scanner.position
    let raw = try scanner.scanKey()
    let from = bytes.count
    append(raw, scanner, &scratch)
    keys.append((place, from..<bytes.count))
    bytes.append(UInt8(ascii: ":"))
  }

  @inline(__always)
  mutating func scalar(_ scanner: inout JSONScanner, _ scratch: inout ScratchText) throws(JSONSyntaxError) {
    switch scanner.peek {
    case UInt8(ascii: "\""):
      let raw = try scanner.scanString()
      append(raw, scanner, &scratch)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      bytes.append(contentsOf: try scanner.scanNumber().bytes)
    default:
      let from = scanner.position
      try scanner.skipValue()
      bytes.append(contentsOf: LentBytes(start: from, count: scanner.position - from))
    }
  }

  @inline(__always)
  mutating func separator() { bytes.append(UInt8(ascii: ",")) }

  @inline(__always)
  mutating func end(_ container: JSONContainer, _ scanner: JSONScanner) throws(JSONSyntaxError) {
    let first = firstKeys.removeLast()
    if container == .object { try checkKeys(from: first, scanner) }
    bytes.append(container.closing)
  }

  @inline(__always)
  mutating func empty(_ container: JSONContainer, at start: Int, _ scanner: JSONScanner) {
    bytes.append(container.opening)
    bytes.append(container.closing)
  }

  private mutating func append(_ raw: RawString, _ scanner: JSONScanner, _ scratch: inout ScratchText) {
    if raw.hasEscapes {
      JSONWriter.append(utf8: scanner.text(of: raw, in: &scratch), to: &bytes)
    } else {
      bytes.append(UInt8(ascii: "\""))
      bytes.append(contentsOf: raw.bytes)
      bytes.append(UInt8(ascii: "\""))
    }
  }

  private mutating func checkKeys(from first: Int, _ scanner: JSONScanner) throws(JSONSyntaxError) {
    defer { keys.removeSubrange(first...) }
    guard keys.count - first > 1 else { return }
    // Equal keys are sorted next to each other, in the order of the text. The first key that repeats another is rejected.
    let sorted = keys[first...].sorted { left, right in
      if bytes[left.copy].lexicographicallyPrecedes(bytes[right.copy]) { return true }
      return left.place < right.place && bytes[left.copy].elementsEqual(bytes[right.copy])
    }
    let repeats = zip(sorted, sorted.dropFirst()).filter { bytes[$0.copy].elementsEqual(bytes[$1.copy]) }.map(\.1)
    guard let repeated = repeats.min(by: { $0.place < $1.place }) else { return }
    var reader = scanner
    var scratch = ScratchText()
    defer { scratch.free() }
    reader.move(to: repeated.place)
    let key = String(decoding: reader.text(of: try reader.scanString(), in: &scratch), as: UTF8.self)
    throw scanner.failure(.duplicateKey(key), at: repeated.place)
  }
}
