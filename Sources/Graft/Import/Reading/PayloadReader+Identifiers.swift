/// Identifiers: bare values that stand for objects (I4).
extension PayloadReader {
  /// Reads an identifier for a to-one.
  mutating func readToOneIdentifier(_ field: UnsafeMutablePointer<FieldPlan>) throws(JSONSyntaxError) -> Cell {
    let slot = layouts[field.pointee.entity].slots + field.pointee.slot
    guard let row = try readIdentifier(field.pointee.destination, slot: slot, field: field) else { return .invalid }
    return finder.toOneCell(row)
  }

  /// Reads an identifier that is an element of a list.
  @inline(__always)
  mutating func readListIdentifier(_ frame: UnsafeMutablePointer<ImportFrame>) throws(JSONSyntaxError) {
    let field = frame.pointee.field >= 0 ? fields + frame.pointee.field : nil
    let slot = field.map { layouts[$0.pointee.entity].slots + $0.pointee.slot }
    let row = try readIdentifier(frame.pointee.entity, slot: slot, field: field)
    if frame.pointee.field >= 0 {
      if let row { open.rows.append(row) }
    } else if let row {
      roots.rows.append(row)
      scratch.reset()
    }
  }

  /// The row that the identifier at the scanner's position stands for: found, or made as a placeholder. nil if it was
  /// refused.
  @inline(__always)
  mutating func readIdentifier(
    _ entity: Int, slot: UnsafeMutablePointer<SlotPlan>?, field: UnsafeMutablePointer<FieldPlan>?
  ) throws(JSONSyntaxError) -> UInt32? {
    let layout = layouts + entity
    let start = offset
    let text = scanner.position
    guard layout.pointee.identityCount == 1, layout.pointee.identityFields[0] >= 0, isScalar(scanner.peek) else {
      return try readOtherIdentifier(entity, slot: slot, field: field)
    }
    let cell = try readAttribute(fields + layout.pointee.identityFields[0])
    guard cell.tag == .word || cell.tag == .text else {
      if cell.tag == .null { refuseNilIdentifier(entity, at: start) }
      return nil
    }
    return try finder.row(
      of: entity, cell, defersUnknown: slot?.pointee.defersUnknown == true, at: start, spelling(from: text))
  }

  /// What was read from a place on.
  @inline(__always)
  private func spelling(from start: UnsafePointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: start, count: scanner.position - start)
  }

  @inline(__always)
  private func isScalar(_ byte: UInt8) -> Bool {
    byte != UInt8(ascii: "[") && byte != UInt8(ascii: "{") && byte != UInt8(ascii: "n")
  }

  /// An array of identity values (several identity attributes), or something that is no identifier.
  @inline(never)
  private mutating func readOtherIdentifier(
    _ entity: Int, slot: UnsafeMutablePointer<SlotPlan>?, field: UnsafeMutablePointer<FieldPlan>?
  ) throws(JSONSyntaxError) -> UInt32? {
    let layout = layouts + entity
    let start = offset
    let text = scanner.position
    let count = layout.pointee.identityCount
    guard count > 1, scanner.peek == UInt8(ascii: "["),
      (0..<count).allSatisfy({ layout.pointee.identityFields[$0] >= 0 })
    else {
      try refuseIdentifier(entity, field)
      return nil
    }
    try scanner.descend()
    scanner.position += 1
    scanner.skipWhitespace()
    var values: [Cell] = []
    var isRefused = false
    if scanner.peek == UInt8(ascii: "]") {
      scanner.position += 1
    } else {
      repeat {
        if values.count < count {
          let place = offset
          let cell = try readAttribute(fields + layout.pointee.identityFields[values.count])
          if cell.tag == .null { refuseNilIdentifier(entity, at: place) }
          if cell.tag != .word && cell.tag != .text { isRefused = true }
          values.append(cell)
        } else {
          try scanner.skipValue()
          values.append(.invalid)
        }
      } while try scanner.continues(before: UInt8(ascii: "]"))
    }
    scanner.ascend()
    if values.count != count {
      refuseIdentifierCount(entity, values.count, at: start)
      return nil
    }
    if isRefused { return nil }
    return try finder.row(
      of: entity, values, defersUnknown: slot?.pointee.defersUnknown == true, at: start, spelling(from: text))
  }
}
