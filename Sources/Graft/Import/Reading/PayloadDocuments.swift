/// The documents of a piece that hold a part's objects: the whole text or, for JSON Lines, each line that is not blank.
///
/// Lines with a quota are entered as one document: see ``PayloadReader/readLines()``.
struct PayloadDocuments {
  private let part: PlannedPart
  private let isLines: Bool
  private let isAtBeginning: Bool
  private let envelope: Envelope
  /// The end of the piece.
  private var end: UnsafePointer<UInt8>?
  /// The start of the next line.
  private var next: UnsafePointer<UInt8>?
  private var isDone = false
  /// The value of the document that was entered last, and the innermost object that encloses its objects; nil if there is none.
  private(set) var root: UnsafePointer<UInt8>?
  private(set) var innermost: UnsafePointer<UInt8>?
  /// The reason why the line that was entered last has no objects at the path. In that case, the whole line has been read. nil if
  /// the line has objects.
  private(set) var fault: JSONSyntaxError?

  init(_ source: PayloadSource, _ part: PlannedPart, _ words: OptionWords) {
    self.part = part
    isLines = source.form == .lines && source.quota == nil
    isAtBeginning = source.isAtBeginning
    envelope = Envelope(PayloadDocuments.keys(of: part.keyPath), words)
  }

  /// Returns the keys that lead to the objects, or to the first array that the path leads through (M25).
  private static func keys(of path: JSONKeyPath?) -> [String] { path.map { $0.segments.first ?? $0.keys } ?? [] }

  /// Moves to the objects in the next document, or returns false if there are no more. In JSON Lines, the next document may have none: see
  /// ``fault``.
  mutating func enter(_ scanner: inout JSONScanner, _ scratch: inout ScratchText) throws(JSONSyntaxError) -> Bool {
    guard isLines else {
      if isDone { return false }
      isDone = true
      return try enterDocument(&scanner, &scratch, isAtBeginning: isAtBeginning)
    }
    while nextLine(&scanner) {
      scanner.skipWhitespace()
      if !scanner.isAtEnd, try enterLine(&scanner, &scratch) { return true }
    }
    return false
  }

  private mutating func enterLine(
    _ scanner: inout JSONScanner, _ scratch: inout ScratchText
  ) throws(JSONSyntaxError) -> Bool {
    let line = scanner
    fault = nil
    do throws(JSONSyntaxError) {
      return try enterDocument(&scanner, &scratch, isAtBeginning: true)
    } catch {
      guard error.isOfPath else { throw error }
      // If the rest of the line is valid JSON, reading continues with the next line.
      scanner = line
      try scanner.skipValue()
      try scanner.endText()
      fault = error
      return true
    }
  }

  /// Reads the text after the objects.
  func leave(_ scanner: inout JSONScanner, _ scratch: inout ScratchText) throws(JSONSyntaxError) {
    try envelope.leave(&scanner, &scratch)
  }

  private mutating func enterDocument(
    _ scanner: inout JSONScanner, _ scratch: inout ScratchText, isAtBeginning: Bool
  ) throws(JSONSyntaxError) -> Bool {
    if isAtBeginning { try scanner.beginText() }
    if !part.isRequired, part.keyPath != nil,
      case .absent = JSONLocator.find(PayloadDocuments.keys(of: part.keyPath), in: scanner)
    {
      try scanner.skipValue()
      try scanner.endText()
      return false
    }
    root = scanner.position
    innermost = try envelope.enter(&scanner, &scratch)
    return true
  }

  /// Limits the scanner to the next line. After the last line, limits it to the whole piece and returns false.
  private mutating func nextLine(_ scanner: inout JSONScanner) -> Bool {
    let end = end ?? scanner.end
    if self.end == nil {
      self.end = end
      // The first line may be blank except for a byte order mark.
      if isAtBeginning, end - scanner.position >= 3, scanner.position[0] == 0xEF, scanner.position[1] == 0xBB,
        scanner.position[2] == 0xBF
      {
        scanner.advance(3)
      }
    }
    if let next { scanner.move(to: next) }
    scanner.end(at: end)
    guard scanner.position < end else { return false }
    let rest = LentBytes(start: scanner.position, count: end - scanner.position)
    let length = firstPlace(of: UInt8(ascii: "\n"), in: rest) ?? rest.count
    next = scanner.position + min(length + 1, rest.count)
    scanner.end(at: scanner.position + length)
    return true
  }
}
