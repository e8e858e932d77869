/// Reads lists of objects and identifiers: arrays, and objects whose values are the elements (I5, M11).
extension PayloadReader {
  mutating func readElements() throws(JSONSyntaxError) -> Event? {
    let frame = open.frames.last
    let entity = frame.pointee.entity
    if frame.pointee.isStarted {
      if open.frames.count == 1, let quota = roots.quota, endsPiece(quota, frame) { return nil }
      guard try scanner.continues(before: UInt8(ascii: "]")) else {
        closeList(frame)
        return nil
      }
    } else {
      frame.pointee.isStarted = true
      scanner.skipWhitespace()
      if scanner.peek == UInt8(ascii: "]") {
        scanner.advance()
        closeList(frame)
        return nil
      }
    }
    let mayListNulls = mayListNulls(frame)
    repeat {
      frame.pointee.index &+= 1
      if mayListNulls, try skipListedNull(frame) { continue }
      switch scanner.peek {
      case UInt8(ascii: "{") where !layouts[entity].forms.readsElements || !isElementValue(of: entity):
        if layouts[entity].reading.needsPreparation { return begins(Opening(entity: entity, field: -1)) }
        let field = frame.pointee.field
        let mayRepeat = field >= 0 && mayRepeat(entity, in: field)
        guard mayRepeat, let row = finder.repeats.find(field, &scanner) else {
          try pushObject(entity, field: -1, key: nil, isRepeatable: mayRepeat)
          return nil
        }
        open.rows.append(row)
      case UInt8(ascii: "n"):
        try skipNull(in: entity)
      default:
        if layouts[entity].forms.readsElements {
          guard case .begins = try openElementValue(entity, -1) else { return nil }
          return begins(Opening(entity: entity, field: -1, isElementValue: true))
        }
        try readListIdentifier(frame)
      }
      // The piece may end after each object of the payload.
      if frame.pointee.field < 0 { return nil }
    } while try scanner.continues(before: UInt8(ascii: "]"))
    closeList(frame)
    return nil
  }

  /// Ends a piece of an array after the element that reaches its quota, or at the end of the array.
  @inline(never)
  private mutating func endsPiece(_ quota: PayloadSource.Quota, _ frame: UnsafeMutablePointer<ImportFrame>) -> Bool {
    scanner.skipWhitespace()
    guard !scanner.isAtEnd else { return false }
    let count = frame.pointee.index + 1 - roots.firstElement
    let isClosed = scanner.peek == UInt8(ascii: "]")
    if isClosed {
      scanner.advance()
    } else if scanner.peek != UInt8(ascii: ",") || !quota.isReached(count, bytes: scanner.position + 1 - texts.start) {
      return false
    }
    roots.end(at: PayloadSource.End(count: count, offset: scanner.position - texts.start, isClosed: isClosed))
    closeList(frame)
    return true
  }

  mutating func readKeyedElements() throws(JSONSyntaxError) -> Event? {
    let frame = open.frames.last
    let entity = frame.pointee.entity
    if frame.pointee.isStarted {
      guard try scanner.continues(before: UInt8(ascii: "}")) else {
        open.closeCollection()
        closeList(frame)
        return nil
      }
    } else {
      open.frames.last.pointee.isStarted = true
      scanner.skipWhitespace()
      if scanner.peek == UInt8(ascii: "}") {
        scanner.advance()
        open.closeCollection()
        closeList(frame)
        return nil
      }
    }
    repeat {
      guard scanner.peek == UInt8(ascii: "\"") else { throw scanner.unexpected("a key in double quotes") }
      let keyPlace = scanner.position
      let raw = try scanner.scanString()
      let key = scanner.text(of: raw, in: &scratch)
      try scanner.expectColon()
      guard open.insertKey(key) else {
        try refuseDuplicate(keyPlace)
        continue
      }
      if mayListNulls(frame), try skipListedNull(frame) {
        continue
      } else if scanner.peek == UInt8(ascii: "n") {
        try skipNull(in: entity)
      } else if isElementValue(of: entity) {
        if layouts[entity].reading.needsPreparation {
          return begins(Opening(entity: entity, field: -1, key: key, isElementValue: true))
        }
        try openObject(ChosenObject(entity), Opening(entity: entity, field: -1, key: key, isElementValue: true))
        return nil
      } else if scanner.peek == UInt8(ascii: "{") {
        if layouts[entity].reading.needsPreparation { return begins(Opening(entity: entity, field: -1, key: key)) }
        try pushObject(entity, field: -1, key: key)
        return nil
      } else {
        try refuseKeyedElement(frame.pointee)
      }
    } while try scanner.continues(before: UInt8(ascii: "}"))
    open.closeCollection()
    closeList(frame)
    return nil
  }

  /// Returns whether the element at the scanner's position is the `@value` of its object. This is the case if the element is not
  /// an object, or is an object without any mapped key. `{}` is an object without a value, unless the `@value` attribute can hold
  /// `{}`.
  @inline(__always)
  func isElementValue(of entity: Int) -> Bool {
    let layout = layouts + entity
    if layout.pointee.forms.valueField < 0 { return false }
    if scanner.peek != UInt8(ascii: "{") { return true }
    if !layout.pointee.forms.readsObjectsAsValues { return false }
    if fields[layout.pointee.forms.valueField].reading == .json { return true }
    var inner = scanner
    inner.advance()
    inner.skipWhitespace()
    return inner.peek != UInt8(ascii: "}")
  }

  @inline(__always)
  mutating func closeList(_ frame: UnsafeMutablePointer<ImportFrame>) {
    scanner.ascend()
    endList(frame)
  }

  /// Ends a list, whose closing bracket has been read if it has one.
  @inline(__always)
  mutating func endList(_ frame: UnsafeMutablePointer<ImportFrame>) {
    open.frames.truncate(to: open.frames.count - 1)
    guard frame.pointee.field >= 0 else { return }
    let field = fields + frame.pointee.field
    let cell: Cell
    if layouts[field.pointee.entity].slots[field.pointee.slot].kind == .toOne {
      cell = closeOne(frame)
    } else {
      removeRepeats(from: frame.pointee.rows, in: layouts[frame.pointee.entity].table, frame.pointee)
      cell = finder.toManyCell(open.rows, from: frame.pointee.rows)
    }
    open.cells[open.frames.last.pointee.cells + field.pointee.slot] = cell
  }

  /// Removes repeated elements, keeping the first of each (I5).
  @inline(__always)
  private mutating func removeRepeats(from first: Int, in table: Int, _ frame: ImportFrame) {
    let count = open.rows.count - first
    if count < 2 { return }
    if count <= 8 {
      for index in first + 1..<open.rows.count {
        for earlier in first..<index where open.rows[earlier] == open.rows[index] {
          removeMarkedRepeats(from: first, in: table, frame)
          return
        }
      }
      return
    }
    removeMarkedRepeats(from: first, in: table, frame)
  }

  /// Marks each row on its first occurrence, and drops rows that are already marked.
  @inline(never)
  private mutating func removeMarkedRepeats(from first: Int, in table: Int, _ frame: ImportFrame) {
    let field = fields + frame.field
    let isOrdered = layouts[field.pointee.entity].slots[field.pointee.slot].isOrdered
    var next = first
    for index in first..<open.rows.count {
      let row = open.rows[index]
      if WaitingIdentifiers.contains(row) {
        open.rows[next] = row
        next += 1
        continue
      }
      let element = finder.editor.row(table, row)
      if element.isListed {
        if isOrdered {
          log.suspicions.noteRepeat(frame.field, of: RowPlace(table: table, row: row), at: frame.offset)
        }
        continue
      }
      element.isListed = true
      open.rows[next] = row
      next += 1
    }
    open.rows.truncate(to: next)
    for index in first..<next where !WaitingIdentifiers.contains(open.rows[index]) {
      finder.editor.row(table, open.rows[index]).isListed = false
    }
  }
}
