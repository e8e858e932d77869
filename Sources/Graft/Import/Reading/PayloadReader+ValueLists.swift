/// Reading attributes that hold lists (M13).
extension PayloadReader {
  /// Reads the array at the scanner's position: each element like a single value. If elements do not fit, each is recorded as a
  /// fault, and the list as a whole is refused.
  mutating func readList(_ field: PlanReference<FieldPlan>) throws(JSONSyntaxError) -> Cell {
    let start = scanner.position
    guard scanner.peek == UInt8(ascii: "[") else {
      let found = try found()
      log.record(.notAList(subject(field), found: found.phrase), at: offset(of: start), length: found.length)
      try log.stopIfFull()
      return .invalid
    }
    let element = fields + field.pointee.element
    let kind = layouts[field.pointee.entity].slots[field.pointee.slot].element.kind
    var text = ListText()
    var isInvalid = false
    try scanner.descend()
    scanner.advance()
    scanner.skipWhitespace()
    if scanner.peek == UInt8(ascii: "]") {
      scanner.advance()
    } else {
      repeat {
        let place = scanner.position
        let cell = try readAttribute(element)
        switch cell.tag {
        case .null: try refuseNull(element, at: place)
        case .invalid: break
        default: if !isInvalid { text.append(cell, kind) }
        }
        if cell.tag == .null || cell.tag == .invalid { isInvalid = true }
        // It counts as one string, without its white space.
        if text.bytes.count > options.limits.stringBytes {
          throw scanner.failure(.limit(.stringBytes, options.limits.stringBytes), at: start)
        }
      } while try scanner.continues(before: UInt8(ascii: "]"))
    }
    scanner.ascend()
    if isInvalid { return .invalid }
    let bytes = text.closed
    return .text(scratch.copy(bytes))
  }

  /// Refuses an element that is null, or for which the transformer returned nil; the scanner is after it.
  @inline(never)
  private mutating func refuseNull(
    _ field: PlanReference<FieldPlan>, at start: UnsafePointer<UInt8>
  ) throws(JSONSyntaxError) {
    let bytes = LentBytes(start: start, count: scanner.position - start)
    let isNull = start.pointee == UInt8(ascii: "n")
    log.record(
      .nullElement(subject(field), value: isNull ? nil : FoundPhrase.value(bytes)), at: offset(of: start),
      length: length(from: start))
    try log.stopIfFull()
  }
}
