/// Reading lists of objects and identifiers: arrays, and objects whose values are the elements (I5, M11).
extension PayloadImporter {
  mutating func readElements() throws(JSONSyntaxError) {
    let frame = frames.last
    let entity = frame.pointee.entity
    if frame.pointee.isStarted {
      guard try scanner.continues(before: UInt8(ascii: "]")) else {
        try closeList(frame)
        return
      }
    } else {
      frame.pointee.isStarted = true
      scanner.skipWhitespace()
      if scanner.peek == UInt8(ascii: "]") {
        scanner.position += 1
        try closeList(frame)
        return
      }
    }
    repeat {
      switch scanner.peek {
      case UInt8(ascii: "{"):
        if try openObject(entity, field: -1, key: nil) { return }
        if isPassedOver { takePassedOver(frame) }
      case UInt8(ascii: "n"):
        try scanner.literal(.null)
      default:
        try readListIdentifier(frame)
      }
    } while try scanner.continues(before: UInt8(ascii: "]"))
    try closeList(frame)
  }

  mutating func readKeyedElements() throws(JSONSyntaxError) {
    let frame = frames.last
    if frame.pointee.isStarted {
      guard try scanner.continues(before: UInt8(ascii: "}")) else {
        collectionKeys.removeLast()
        try closeList(frame)
        return
      }
    } else {
      frames.last.pointee.isStarted = true
      scanner.skipWhitespace()
      if scanner.peek == UInt8(ascii: "}") {
        scanner.position += 1
        collectionKeys.removeLast()
        try closeList(frame)
        return
      }
    }
    repeat {
      guard scanner.peek == UInt8(ascii: "\"") else { throw scanner.unexpected("a key in double quotes") }
      let keyPlace = scanner.position
      let raw = try scanner.scanString()
      var key = scanner.text(of: raw, in: &scratch)
      if key.baseAddress == nil { key = UnsafeBufferPointer(start: scanner.position, count: 0) }
      try scanner.expectColon()
      guard collectionKeys[collectionKeys.count - 1].insert(Array(key)).inserted else {
        try refuseDuplicate(keyPlace)
        continue
      }
      if scanner.peek == UInt8(ascii: "n") {
        try scanner.literal(.null)
      } else if scanner.peek == UInt8(ascii: "{") {
        if try openObject(frame.pointee.entity, field: -1, key: key) { return }
        if isPassedOver { takePassedOver(frame) }
      } else if layouts[frame.pointee.entity].valueField >= 0 {
        if try openElementValue(frame.pointee.entity, key: key) { return }
        if isPassedOver { takePassedOver(frame) }
      } else {
        try refuseKeyedElement(frame.pointee)
      }
    } while try scanner.continues(before: UInt8(ascii: "}"))
    collectionKeys.removeLast()
    try closeList(frame)
  }

  /// An element under a key that is no object: the value of the `@value` property of an object that has nothing else.
  mutating func openElementValue(
    _ declared: Int, key: UnsafeBufferPointer<UInt8>
  ) throws(JSONSyntaxError) -> Bool {
    // There is no dictionary that could answer a mapper (I7).
    let entity = try layouts[declared].hasSubentities ? entityOfKnownObject(declared, key: key) : declared
    if layouts[entity].isAbstract {
      prefilled = nil
      refuseAbstract(entity, at: offset)
      try scanner.skipValue()
      try stopIfEnough()
      return false
    }
    if layouts[entity].hasHooks, try !receive(entity, declared: declared, key: key) {
      prefilled = nil
      try scanner.skipValue()
      try stopIfEnough()
      return false
    }
    try pushObject(entity, field: -1, key: key)
    frames.last.pointee.isElementValue = true
    frames.last.pointee.isUnanswered = true
    takePrefilled(entity)
    let frame = frames.last
    let field = layouts[entity].valueField
    if fields[field].isIdentity, frame.pointee.isPrefilled {
      try scanner.skipValue()
      return true
    }
    if fields[field].reading.rawValue < FieldPlan.Reading.toOne.rawValue {
      cells[frame.pointee.cells + fields[field].slot] = try readAttribute(fields + field)
      return true
    }
    _ = try openValue(field, frame)
    return true
  }

  @inline(__always)
  mutating func closeList(_ frame: UnsafeMutablePointer<ImportFrame>) throws(JSONSyntaxError) {
    scanner.ascend()
    frames.truncate(to: frames.count - 1)
    guard frame.pointee.field >= 0 else { return }
    removeRepeats(from: frame.pointee.rows, in: layouts[frame.pointee.entity].table)
    let below = frames.last
    let slot = below.pointee.cells + fields[frame.pointee.field].slot
    if deferrals.hasWaiting, let index = deferrals.takeList(rows, from: frame.pointee.rows) {
      cells[slot] = .deferred(index: index)
    } else {
      cells[slot] = .rows(first: frame.pointee.rows, count: rows.count - frame.pointee.rows)
    }
  }

  /// Repeats collapse to the first (I5).
  @inline(__always)
  mutating func removeRepeats(from first: Int, in table: Int) {
    let count = rows.count - first
    if count < 2 { return }
    if count <= 8 {
      for index in first + 1..<rows.count {
        for earlier in first..<index where rows[earlier] == rows[index] {
          removeMarkedRepeats(from: first, in: table)
          return
        }
      }
      return
    }
    removeMarkedRepeats(from: first, in: table)
  }

  /// Marks each row when it is met, and drops those that are marked already.
  @inline(never)
  mutating func removeMarkedRepeats(from first: Int, in table: Int) {
    var next = first
    for index in first..<rows.count {
      let row = rows[index]
      if Deferrals.isWaiting(row) {
        rows[next] = row
        next += 1
        continue
      }
      let header = editor.row(table, row)
      if header[0] & RowHeader.listed != 0 { continue }
      header[0] |= RowHeader.listed
      rows[next] = row
      next += 1
    }
    rows.truncate(to: next)
    for index in first..<next where !Deferrals.isWaiting(rows[index]) {
      editor.row(table, rows[index])[0] &= ~RowHeader.listed
    }
  }
}
