/// Reads values in forms other than the usual form of their property (M20, M22).
extension PayloadReader {
  /// Skips the value at the scanner's position if the field reads that value as null.
  @inline(never)
  mutating func passNull(_ field: PlanReference<FieldPlan>) throws(JSONSyntaxError) -> Bool {
    let nulls = plan.forms[field.pointee.forms].nulls
    if nulls.isEmpty { return false }
    var reader = scanner
    switch scanner.peek {
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      // Among arrays and objects, only empty ones can be listed as nulls.
      let isArray = reader.peek == UInt8(ascii: "[")
      reader.advance()
      reader.skipWhitespace()
      guard reader.peek == UInt8(ascii: isArray ? "]" : "}"), nulls.contains(isArray ? [] : [:]) else { return false }
      reader.advance()
    default:
      guard nulls.contains(try JSONBuilder.build(&reader, &scratch, JSONTree.self)) else { return false }
    }
    scanner.move(to: reader.position)
    return true
  }

  /// Returns whether a list may read some elements as null.
  @inline(__always)
  func mayListNulls(_ frame: UnsafeMutablePointer<ImportFrame>) -> Bool {
    frame.pointee.field >= 0 && fields[frame.pointee.field].forms >= 0
  }

  /// Skips the element at the scanner's position if its list reads it as null (M20, I5).
  @inline(never)
  mutating func skipListedNull(_ frame: UnsafeMutablePointer<ImportFrame>) throws(JSONSyntaxError) -> Bool {
    let place = offset
    guard try passNull(fields + frame.pointee.field) else { return false }
    noteSkippedNull(in: frame.pointee.entity, at: place)
    return true
  }

  /// Begins a relationship whose value may have another form.
  @inline(never)
  mutating func openShaped(
    _ field: Int, _ frame: UnsafeMutablePointer<ImportFrame>
  ) throws(JSONSyntaxError) -> Value {
    let plan = fields + field
    if try passNull(plan) {
      open.cells[frame.pointee.cells + plan.pointee.slot] = .null
      return .read
    }
    let inner = plan.pointee.inner
    if fields[inner].reading != .owned, let value = try openLenient(inner, frame) { return value }
    return try openValue(inner, frame)
  }

  /// Begins a value that does not have the form of its relationship, if the relationship still reads it (M22). Returns nil if the
  /// value has the usual form, or does not fit.
  mutating func openLenient(
    _ field: Int, _ frame: UnsafeMutablePointer<ImportFrame>
  ) throws(JSONSyntaxError) -> Value? {
    let plan = fields + field
    guard plan.pointee.forms >= 0, self.plan.forms[plan.pointee.forms].isLenient else { return nil }
    let isToMany = layouts[plan.pointee.entity].slots[plan.pointee.slot].kind == .toMany
    let destination = plan.pointee.destination
    switch (scanner.peek, isToMany) {
    case (UInt8(ascii: "["), false):
      // Several identity values form one identifier.
      if layouts[destination].identity.isArray, isCompositeIdentifier { return nil }
      try openList(.list, destination, field: field)
      return .opened
    case (UInt8(ascii: "\""), false), (UInt8(ascii: "f"), false):
      guard try passEmpty() else { return nil }
      open.cells[frame.pointee.cells + plan.pointee.slot] = .null
      return .read
    case (_, false), (UInt8(ascii: "["), true): return nil
    case (UInt8(ascii: "{"), true) where layouts[destination].forms.keyField >= 0: return nil
    case (UInt8(ascii: "{"), true) where isNumbered:
      try openList(.numbered, destination, field: field)
      return .opened
    case (_, true):
      open.frames.append(
        ImportFrame(
          kind: .single, entity: destination, group: 0, cells: 0, field: field, rows: open.rows.count, offset: offset,
          start: scanner.position))
      return .opened
    }
  }

  /// Whether the array at the scanner's position has several elements and does not begin with an object, so it may be an identifier.
  private var isCompositeIdentifier: Bool {
    var reader = scanner
    reader.advance()
    reader.skipWhitespace()
    guard !"{n]".utf8.contains(reader.peek), (try? reader.skipValue()) != nil else { return false }
    reader.skipWhitespace()
    return reader.peek == UInt8(ascii: ",")
  }

  /// Skips an empty string or `false`.
  private mutating func passEmpty() throws(JSONSyntaxError) -> Bool {
    var reader = scanner
    switch try JSONBuilder.build(&reader, &scratch, JSONTree.self) {
    case "", false:
      scanner.move(to: reader.position)
      return true
    default: return false
    }
  }

  /// Whether the object at the scanner's position is empty or its first key is `0`, as in an array written by PHP.
  var isNumbered: Bool {
    var reader = scanner
    reader.advance()
    reader.skipWhitespace()
    if reader.peek == UInt8(ascii: "}") { return true }
    guard let key = try? reader.scanString() else { return false }
    return !key.hasEscapes && key.bytes.elementsEqual("0".utf8)
  }

  /// Reads the key of the next element of an array written as an object. Returns false if it is not the expected number.
  mutating func readNumber(
    _ expected: Int, of field: PlanReference<FieldPlan>
  ) throws(JSONSyntaxError) -> Bool {
    guard scanner.peek == UInt8(ascii: "\"") else { throw scanner.unexpected("a key in double quotes") }
    let place = scanner.position
    let raw = try scanner.scanString()
    let key = scanner.text(of: raw, in: &scratch)
    let isExpected = key.elementsEqual("\(expected)".utf8)
    if !isExpected {
      log.record(
        .wrongNumber(subject(field), expected: expected, found: FoundPhrase.quoted(key)), at: offset(of: place),
        length: length(from: place))
    }
    try scanner.expectColon()
    return isExpected
  }

  // MARK: Frames

  /// Reads the elements of an array written as an object.
  mutating func readNumberedElements() throws(JSONSyntaxError) -> Event? {
    let frame = open.frames.last
    if frame.pointee.isStarted {
      guard try scanner.continues(before: UInt8(ascii: "}")) else {
        closeList(frame)
        return nil
      }
    } else {
      frame.pointee.isStarted = true
      scanner.skipWhitespace()
      if scanner.peek == UInt8(ascii: "}") {
        scanner.advance()
        closeList(frame)
        return nil
      }
    }
    repeat {
      frame.pointee.index &+= 1
      guard try readNumber(frame.pointee.index, of: fields + frame.pointee.field) else {
        try log.stopIfFull()
        try scanner.skipValue()
        continue
      }
      switch try readElement(frame) {
      case .read: break
      case .opened: return nil
      case .begins(let entity, let isElementValue):
        return begins(Opening(entity: entity, field: -1, isElementValue: isElementValue))
      }
    } while try scanner.continues(before: UInt8(ascii: "}"))
    closeList(frame)
    return nil
  }

  /// Reads an element that is read as a list with one element.
  mutating func readSingleElement() throws(JSONSyntaxError) -> Event? {
    let frame = open.frames.last
    guard !frame.pointee.isStarted else {
      endList(frame)
      return nil
    }
    frame.pointee.isStarted = true
    frame.pointee.index = 0
    switch try readElement(frame) {
    case .read: return nil
    case .opened: return nil
    case .begins(let entity, let isElementValue):
      return begins(Opening(entity: entity, field: -1, isElementValue: isElementValue))
    }
  }

  /// Begins an element of a list: an object, an identifier or null.
  mutating func readElement(_ frame: UnsafeMutablePointer<ImportFrame>) throws(JSONSyntaxError) -> Value {
    let entity = frame.pointee.entity
    if mayListNulls(frame), try skipListedNull(frame) { return .read }
    switch scanner.peek {
    case UInt8(ascii: "{") where !layouts[entity].forms.readsElements || !isElementValue(of: entity):
      if layouts[entity].reading.needsPreparation { return .begins(entity: entity) }
      try pushObject(entity, field: -1, key: nil)
      return .opened
    case UInt8(ascii: "n"): try skipNull(in: entity)
    default:
      if layouts[entity].forms.readsElements { return try openElementValue(entity, -1) }
      try readListIdentifier(frame)
    }
    return .read
  }

  /// Returns the cell of a to-one relationship whose value is a list with at most one object.
  mutating func closeOne(_ frame: UnsafeMutablePointer<ImportFrame>) -> Cell {
    let first = frame.pointee.rows
    switch open.rows.count - first {
    // A list that contains only skipped dictionaries is treated as absent, like a skipped dictionary without a list.
    case 0: return frame.pointee.marks.hasSkipped ? .absent : .null
    case 1: return finder.toOneCell(open.rows[first])
    default:
      log.record(
        .severalForOne(subject(fields + frame.pointee.field), open.rows.count - first), at: frame.pointee.offset)
      return .invalid
    }
  }
}
