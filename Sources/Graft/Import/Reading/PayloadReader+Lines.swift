/// Reads JSON Lines up to a quota, with one object per line.
///
///     {...}\n{...}\n\n{...}\n{...}\n{...}\n{...
///                             ^ the line that reaches the quota ends the piece
///
/// Anything else, such as an identifier, an array or invalid JSON, ends the import of the piece with an error that is not reported.
/// The piece is read again when its end is known.
extension PayloadReader {
  /// Begins to read the lines of the piece.
  mutating func openLines(_ entity: Int) {
    open.frames.append(
      ImportFrame(
        kind: .lines, entity: entity, group: 0, cells: 0, field: -1, rows: open.rows.count, offset: offset,
        start: scanner.position))
  }

  mutating func readLines() throws(JSONSyntaxError) -> Event? {
    let frame = open.frames.last
    var isInLine = frame.pointee.isStarted
    if isInLine { try endLine(frame) }
    frame.pointee.isStarted = true
    while !scanner.isAtEnd {
      switch scanner.peek {
      case UInt8(ascii: "\n"):
        scanner.advance()
        isInLine = false
        if let quota = roots.quota, quota.isReached(frame.pointee.index + 1, bytes: scanner.position - texts.start) {
          endLines(frame)
          return nil
        }
      case 0x20, 0x0D, 0x09: scanner.advance()
      case UInt8(ascii: "{") where !isInLine:
        frame.pointee.index &+= 1
        frame.pointee.start = scanner.position
        let entity = frame.pointee.entity
        if layouts[entity].reading.needsPreparation { return begins(Opening(entity: entity, field: -1)) }
        try pushObject(entity, field: -1, key: nil)
        return nil
      default: throw scanner.failure(.textAfterEnd)
      }
    }
    endLines(frame)
    return nil
  }

  /// Checks that the object that was read is on one line.
  private func endLine(_ frame: UnsafeMutablePointer<ImportFrame>) throws(JSONSyntaxError) {
    let start = frame.pointee.start
    let object = LentBytes(start: start, count: scanner.position - start)
    if firstPlace(of: UInt8(ascii: "\n"), in: object) != nil { throw scanner.failure(.textAfterEnd) }
  }

  private mutating func endLines(_ frame: UnsafeMutablePointer<ImportFrame>) {
    roots.end(at: PayloadSource.End(count: frame.pointee.index + 1, offset: scanner.position - texts.start))
    open.frames.truncate(to: open.frames.count - 1)
  }
}
