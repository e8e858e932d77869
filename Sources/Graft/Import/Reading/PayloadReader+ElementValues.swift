/// Reads `@value`, the element itself, as the value of a property of its object (M11, M23).
///
///     "entries": [5, 6, 5]                         three entries, each with a song
///     "entries": [{"id": 5, "added": "2026-01-01"}]    an entry with a date, and the song 5, from one dictionary
extension PayloadReader {
  /// Begins an object whose `@value` is the value at the scanner's position, which is not a dictionary.
  ///
  /// - Parameter field: the field whose value is the object; -1 for an element of a list.
  @inline(never)
  mutating func openElementValue(_ entity: Int, _ field: Int) throws(JSONSyntaxError) -> Value {
    if layouts[entity].reading.needsPreparation {
      return .begins(entity: entity, isElementValue: true)
    }
    try openObject(ChosenObject(entity), Opening(entity: entity, field: field, isElementValue: true))
    return .opened
  }

  /// Reads an element as the value of the `@value` property of the innermost object, which has nothing else.
  @inline(never)
  mutating func readElementValue(_ frame: UnsafeMutablePointer<ImportFrame>) throws(JSONSyntaxError) -> Event? {
    frame.pointee.isStarted = true
    let field = layouts[frame.pointee.entity].forms.valueField
    if wasReadAhead(field, frame.pointee) {
      try scanner.skipValue()
    } else if fields[field].reading.rawValue < FieldPlan.Reading.toOne.rawValue {
      open.cells[frame.pointee.cells + fields[field].slot] = try readAttribute(fields + field)
    } else {
      switch try openValue(field, frame) {
      case .read: break
      case .opened: return nil
      case .begins(let entity, let isElementValue):
        return begins(Opening(entity: entity, field: field, isElementValue: isElementValue))
      }
    }
    return try endMembers(frame)
  }

  /// Begins the object that is the `@value` of the innermost object, whose members have been read. Its members are in the same
  /// dictionary, which is read again (M23).
  @inline(never)
  mutating func openSharedObject(_ frame: UnsafeMutablePointer<ImportFrame>) throws(JSONSyntaxError) -> Value {
    let number = layouts[frame.pointee.entity].forms.valueField
    let field = fields + number
    frame.pointee.marks.isElementValue = true
    frame.pointee.marks.isRepeatable = false
    scanner.move(to: frame.pointee.start, depth: scanner.depth)
    if field.pointee.hasInverseBeside { noteOrder(number, frame.pointee) }
    if field.pointee.reading == .shaped, try passNull(field) {
      open.cells[frame.pointee.cells + field.pointee.slot] = .null
      return .read
    }
    let destination = field.pointee.destination
    if layouts[destination].reading.needsPreparation { return .begins(entity: destination) }
    try openObject(ChosenObject(destination), Opening(entity: destination, field: number, isShared: true))
    return .opened
  }

  /// Returns whether no object read from the innermost dictionary maps a key, and none has reported it. In that case, the key is
  /// known only as a key of another entity that the innermost object could have had.
  @inline(never)
  mutating func isUnshared(_ key: UnsafePointer<UInt8>) throws(JSONSyntaxError) -> Bool {
    var reader = scanner
    reader.move(to: key)
    let text = reader.text(of: try reader.scanString(), in: &scratch)
    var index = open.frames.count - 1
    guard open.frames.base[index].kind == .object else { return false }
    while open.frames.base[index].marks.isShared {
      index -= 1
      guard let field = plan.field(named: text, in: groups[open.frames.base[index].group]), fields[field].isForOthers
      else { return false }
    }
    return true
  }
}
