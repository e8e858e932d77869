/// Cuts a stream into pieces that can be imported in sequence.
///
///     {"items": [{...}, {...}, {...}, {...}, {...}]}
///               [      piece      ]                       the brackets replace `[` and `,` of the stream for as long
///                                 [   piece        ]      as the piece is read
struct StreamCutter {
  /// Bytes that can be imported now.
  struct Piece {
    var range: Range<Int>
    var form: PayloadSource.Form
    /// The number of the piece's elements, or of its lines that are not blank.
    var count: Int
    /// The position where the stream continues.
    var next: Int
    /// The bytes of the stream at the positions of the piece's brackets.
    var replaced: [PayloadSource.Replaced] = []
    /// The quota of the piece. If it is set, the piece ends where reading stops.
    var quota: PayloadSource.Quota?
  }

  private enum State { case around, elements, value, lines, done }

  let batches: ImportBatches
  let limits: ImportLimits
  private var state: State
  private var walker: StreamWalker
  private var quota: BatchQuota
  private var finder = ElementFinder()
  /// The offset after the position at which the search for the end of the piece continues.
  private var searched = 0
  private var count = 0
  /// The start of the element or line whose end is being searched for, relative to the first byte of the piece.
  private var elementStart = 0
  /// The number of elements in the pieces that were taken.
  private(set) var taken = 0
  /// The minimum number of waiting bytes that may contain a complete piece.
  private var enough = 0

  init(
    _ format: ImportStream.Format, keys: [String], batches: ImportBatches, options: ImportOptions, quota: BatchQuota
  ) {
    self.batches = batches
    self.quota = quota
    limits = options.limits
    state = format == .lines ? .lines : .around
    walker = StreamWalker(
      keys: keys, maxDepth: min(max(1, limits.depth), JSONBuilder.deepest), words: options.words)
  }

  /// Returns the next piece, or nil if more bytes are required or the stream has ended.
  mutating func next(_ window: inout StreamWindow, isAtEnd: Bool) throws(JSONSyntaxError) -> Piece? {
    if !isAtEnd, window.waiting < enough { return nil }
    enough = 0
    while true {
      let stop: Piece?
      switch state {
      case .lines, .elements: stop = try nextBatch(&window, isAtEnd: isAtEnd)
      case .value: stop = try nextValue(&window, isAtEnd: isAtEnd)
      case .done: return nil
      case .around:
        guard try walk(&window, isAtEnd: isAtEnd) else { return nil }
        continue
      }
      // A piece that does not end is read again only when twice as many bytes have arrived, so that long pieces take linear time.
      if stop == nil, state == .value { enough = 2 * window.waiting }
      if stop == nil, window.waiting > limits.bytes {
        throw JSONSyntaxError(offset: window.position, problem: .limit(.bytes, limits.bytes))
      }
      return stop
    }
  }

  /// Records that the caller has read a piece with a quota up to an end.
  mutating func end(_ piece: inout Piece, at end: PayloadSource.End) {
    piece.range = piece.range.lowerBound..<piece.range.lowerBound + end.offset
    (piece.next, piece.count) = (piece.range.upperBound, end.count)
    if end.isClosed { passArray() }
  }

  /// Records that the caller has imported a piece.
  mutating func take(_ piece: Piece, _ window: inout StreamWindow) {
    window.restore(piece.replaced)
    window.position = piece.next
    taken += piece.count
    restart()
    quota.learn(piece.count, bytes: piece.range.count)
  }

  /// Records that the caller could not import a piece with a quota, and that none of it was imported, so its end must be found.
  mutating func takeBack(_ piece: Piece, _ window: inout StreamWindow) {
    window.restore(piece.replaced)
    restart()
    quota.giveUp()
  }

  private mutating func restart() {
    finder = ElementFinder()
    count = 0
    searched = 0
    elementStart = 0
  }

  // MARK: Batches

  private mutating func nextBatch(
    _ window: inout StreamWindow, isAtEnd: Bool
  ) throws(JSONSyntaxError) -> Piece? {
    while true {
      switch quota.next(waiting: window.waiting, isAtEnd: isAtEnd) {
      case .wait: return nil
      case .read(let wanted, let most):
        if let piece = piece(wanted, within: most, &window, isAtEnd: isAtEnd && most == window.waiting) { return piece }
        quota.giveUp()
      case .search(let most):
        let isSample = most < window.waiting
        let bytes = isSample ? window.bytes.part(0..<window.position + most) : window.bytes
        let piece =
          state == .lines
          ? nextLines(bytes, window, isAtEnd: isAtEnd && !isSample)
          : try nextElements(bytes, &window, isAtEnd: isAtEnd && !isSample)
        if piece != nil || !isSample { return piece }
        quota.learn(count, bytes: elementStart)
      }
    }
  }

  /// Returns a piece with a quota, or nil if too few whole lines have arrived.
  private func piece(
    _ quota: PayloadSource.Quota, within most: Int, _ window: inout StreamWindow, isAtEnd: Bool
  ) -> Piece? {
    let start = window.position
    var end = start + most
    guard state == .lines else {
      let bracket = window.replace(start, with: UInt8(ascii: "["))
      return Piece(range: start..<end, form: .elements, count: 0, next: end, replaced: [bracket], quota: quota)
    }
    if !isAtEnd { end = window.bytes[..<end].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0 }
    guard isAtEnd || end - start >= quota.bytes else { return nil }
    return Piece(range: start..<end, form: .lines, count: 0, next: end, quota: quota)
  }

  // MARK: Around the objects

  /// Returns whether the walk reached something that contains objects.
  private mutating func walk(_ window: inout StreamWindow, isAtEnd: Bool) throws(JSONSyntaxError) -> Bool {
    let position = window.position
    var walker = walker
    walker.base = window.before.bytes
    // The walker is stored even if the walk fails, because a fault has the path of the position where the walk ended.
    defer { self.walker = walker }
    var scanner = JSONScanner(window.bytes, maxDepth: JSONBuilder.deepest)
    scanner.advance(position)
    let stop = try walker.walk(&scanner, isAtEnd: isAtEnd)
    let place = scanner.offset
    window.position = place
    switch stop {
    case .target:
      state = window.bytes[place] == UInt8(ascii: "[") ? .elements : .value
      return true
    case .end:
      state = .done
      return true
    case .needsMore:
      if window.waiting > 1 << 16 { enough = 2 * window.waiting }
      if window.waiting > limits.bytes {
        throw JSONSyntaxError(offset: place, problem: .limit(.bytes, limits.bytes))
      }
      return false
    }
  }

  // MARK: Elements

  /// Returns as many elements as a batch holds, or all elements up to the end of the array.
  private mutating func nextElements(
    _ bytes: LentBytes, _ window: inout StreamWindow, isAtEnd: Bool
  ) throws(JSONSyntaxError) -> Piece? {
    let start = window.position
    var index = start + max(1, searched)
    defer { searched = index - start }
    while true {
      var run = ElementFinder.Run(
        most: batches.size - 1 - count, limit: start + min(batches.bytes, bytes.count))
      let stop = finder.next(bytes, &index, &run)
      if run.count > 0 {
        count += run.count
        elementStart = run.next - start - 1
      }
      let isBlank = stop != nil && isBlank(window.bytes.part(start + 1 + elementStart..<index))
      switch stop {
      case nil:
        guard isAtEnd else { return nil }
        return lastElements(window: &window, start..<window.bytes.count, count: count + 1)
      case .comma:
        // An element is missing after a comma. The importer reports this error.
        if isBlank { return lastElements(window: &window, start..<index + 1, count: count + 1) }
        count += 1
        index += 1
        elementStart = index - start - 1
        guard count >= batches.size || index - start >= batches.bytes else { continue }
        let open = window.replace(start, with: UInt8(ascii: "["))
        let close = window.replace(index - 1, with: UInt8(ascii: "]"))
        return Piece(
          range: start..<index, form: .elements, count: count, next: index - 1, replaced: [open, close])
      case .end:
        if isBlank, taken + count > 0, window.bytes[index] == UInt8(ascii: "]") {
          // Finds errors that the brackets of a piece would hide.
          guard count > 0 else {
            count -= 1
            throw JSONSyntaxError(offset: start + elementStart, problem: .trailingComma)
          }
          return lastElements(window: &window, start..<index + 1, count: count)
        }
        passArray()
        return Piece(
          range: start..<index + 1, form: .elements, count: isBlank ? 0 : count + 1, next: index + 1,
          replaced: [window.replace(start, with: UInt8(ascii: "["))])
      }
    }
  }

  private mutating func passArray() {
    state = .around
    walker.passTarget()
  }

  /// Returns elements that do not end correctly, which the importer reports.
  private mutating func lastElements(window: inout StreamWindow, _ range: Range<Int>, count: Int) -> Piece {
    state = .done
    return Piece(
      range: range, form: .elements, count: count, next: range.upperBound,
      replaced: [window.replace(range.lowerBound, with: UInt8(ascii: "["))])
  }

  /// The start of the innermost object of the key path in the part of the stream read so far.
  var opening: Int? { walker.opening }

  /// The JSON path of the current position.
  var path: String { walker.path + (state == .elements ? JSONPathText.element(taken + count) : "") }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  // MARK: One value

  /// Returns the object or identifier that appears in place of an array as a separate piece.
  private mutating func nextValue(_ window: inout StreamWindow, isAtEnd: Bool) throws(JSONSyntaxError) -> Piece? {
    let start = window.position
    var scanner = JSONScanner(window.bytes, maxDepth: JSONBuilder.deepest)
    scanner.advance(start)
    let isValue = (try? scanner.skipValue()) != nil
    guard isAtEnd || isValue && !scanner.isAtEnd else { return nil }
    // If the text is not a complete value, the importer reports the reason.
    let end = isValue ? scanner.offset : window.bytes.count
    state = .around
    walker.passTarget()
    return Piece(range: start..<end, form: .document, count: 1, next: end)
  }

  // MARK: Lines

  private mutating func nextLines(
    _ bytes: LentBytes, _ window: borrowing StreamWindow, isAtEnd: Bool
  ) -> Piece? {
    let start = window.position
    var index = start + searched
    defer { searched = index - start }
    while index < bytes.count {
      guard let end = bytes.firstIndex(of: UInt8(ascii: "\n"), from: index) else {
        index = bytes.count
        break
      }
      index = end + 1
      if !isBlank(line(window, start + elementStart, end)) { count += 1 }
      elementStart = index - start
      if count >= batches.size || index - start >= batches.bytes {
        return Piece(range: start..<index, form: .lines, count: count, next: index)
      }
    }
    guard isAtEnd, index > start else { return nil }
    if !isBlank(line(window, start + elementStart, index)) { count += 1 }
    return Piece(range: start..<index, form: .lines, count: count, next: index)
  }

  /// Returns a line, without the byte order mark that may precede the first line.
  private func line(_ window: borrowing StreamWindow, _ start: Int, _ end: Int) -> LentBytes {
    let line = window.bytes.part(start..<end)
    return window.before.bytes + start == 0 && line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.part(3..<line.count) : line
  }

  private func isBlank(_ bytes: LentBytes) -> Bool { bytes.allSatisfy(StreamCutter.isSpace) }
}
