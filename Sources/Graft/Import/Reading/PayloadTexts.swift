/// The text being read: the payload, or the result of a dictionary transformer for one of its objects.
///
///     payload      [ {"id": 1, ...}, {"id": 2, ...}, ... ]
///                                    ^ offset: where everything in the transformer's text is, for people
///     transformed                    {"id": 2, "name": ...}
struct PayloadTexts {
  /// An enclosing text, in which reading continues after the transformed text has been read.
  fileprivate struct Outer {
    var scanner: JSONScanner
    var ends: ContainerEnds
    /// The offset of the transformed object in the payload.
    var offset: Int
    var text: UnsafeMutableBufferPointer<UInt8>
  }

  private var outer: [Outer] = []
  /// The first byte of the piece.
  private(set) var start: UnsafePointer<UInt8>
  /// The containers skipped while reading ahead in the open root object.
  private var ends = ContainerEnds()
  var ahead = ResultsAhead()

  init(_ start: UnsafePointer<UInt8>) { self.start = start }

  func free() { for text in outer { text.text.deallocate() } }

  /// Begins a piece.
  mutating func begin(_ scanner: JSONScanner) {
    start = scanner.position
    ends.removeAll()
    ahead.removeAll()
  }

  // MARK: Places

  /// Whether the payload itself is read.
  @inline(__always) var isPayload: Bool { outer.isEmpty }

  /// In a transformer's text, the offset of the object in the payload.
  var offset: Int? { outer.first?.offset }

  // MARK: Looking ahead

  /// Returns the value under the given keys of the object at the scanner's position.
  mutating func find(_ keys: [String], in scanner: JSONScanner) -> JSONLocator.Place {
    JSONLocator.find(keys, in: scanner, &ends)
  }

  /// Records that an object of the payload has ended, so its containers are not searched again.
  @inline(__always)
  mutating func endRoot() {
    if !ends.isEmpty { ends.removeAll() }
    ahead.removeAll()
  }

  // MARK: Outer texts

  /// The texts that are left temporarily while an outer text is read.
  struct Visit {
    fileprivate var inner: [Outer]
    fileprivate var ends: ContainerEnds?
    fileprivate var scanner: JSONScanner
  }

  /// The number of texts that enclose the one being read.
  @inline(__always) var level: Int { outer.count }

  /// Goes to the text at a level; 0 is the payload. The caller then calls ``end(_:_:)``.
  mutating func visit(_ level: Int, _ scanner: inout JSONScanner) -> Visit {
    guard level < outer.count else { return Visit(inner: [], ends: nil, scanner: scanner) }
    var visit = Visit(inner: Array(outer[level...]), ends: ends, scanner: scanner)
    outer.removeLast(outer.count - level)
    scanner = visit.inner[0].scanner
    // The ends are removed from the array, so that they are not copied when more ends are noted.
    ends = visit.inner[0].ends
    visit.inner[0].ends = ContainerEnds()
    return visit
  }

  /// Returns from an outer text.
  mutating func end(_ visit: Visit, _ scanner: inout JSONScanner) {
    var visit = visit
    scanner = visit.scanner
    guard let inner = visit.ends else { return }
    visit.inner[0].ends = ends
    ends = inner
    outer += visit.inner
  }

  // MARK: Transformers

  /// Continues in the text of a transformer.
  ///
  /// - Parameters:
  ///   - scanner: a scanner at the object that was transformed.
  ///   - end: the position after that object.
  ///   - replacing: whether the object itself was the text that another transformer returned, which is then no longer needed.
  mutating func enter(
    _ text: [UInt8], _ scanner: inout JSONScanner, end: UnsafePointer<UInt8>, at offset: Int, replacing: Bool
  ) {
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.count)
    _ = copy.initialize(from: text)
    if replacing {
      ahead.removeAll(in: outer[outer.count - 1].text)
      outer[outer.count - 1].text.deallocate()
      outer[outer.count - 1].text = copy
    } else {
      var around = scanner
      around.move(to: end)
      outer.append(Outer(scanner: around, ends: ends, offset: offset, text: copy))
    }
    ends = ContainerEnds()
    let depth = scanner.depth
    scanner = JSONScanner(LentBytes(UnsafeBufferPointer(copy)), maxDepth: scanner.maxDepth)
    scanner.restart(atDepth: depth)
  }

  /// Continues after the object that was transformed.
  mutating func leave(_ scanner: inout JSONScanner) {
    guard let around = outer.popLast() else { return }
    scanner = around.scanner
    ends = around.ends
    ahead.removeAll(in: around.text)
    around.text.deallocate()
  }
}
