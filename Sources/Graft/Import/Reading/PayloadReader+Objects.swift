/// Opens and closes objects.
extension PayloadReader {
  /// The treatment of a value that may contain objects.
  enum Value {
    /// The value has been read.
    case read
    /// A frame was opened for the value.
    case opened
    /// The value is an object whose entity must be chosen within a hierarchy, or the value is the `@value` of such an object.
    case begins(entity: Int, isElementValue: Bool = false)
  }

  /// Begins a value that may hold objects.
  @inline(__always)
  mutating func openValue(
    _ field: Int, _ frame: UnsafeMutablePointer<ImportFrame>
  ) throws(JSONSyntaxError) -> Value {
    let plan = fields + field
    let byte = scanner.peek
    let ownCells = frame.pointee.cells
    if plan.pointee.hasInverseBeside { noteOrder(field, frame.pointee) }
    if byte == UInt8(ascii: "n") {
      try scanner.literal(.null)
      switch plan.pointee.reading {
      case .group: try setNull(group: plan.pointee.group, frame.pointee)
      case .skipped: break
      default: open.cells[ownCells + plan.pointee.slot] = .null
      }
      return .read
    }
    switch plan.pointee.reading {
    case .toOne:
      let readsElement =
        layouts[plan.pointee.destination].forms.readsElements && isElementValue(of: plan.pointee.destination)
      if byte == UInt8(ascii: "{"), !readsElement {
        let entity = plan.pointee.destination
        if layouts[entity].reading.needsPreparation { return .begins(entity: entity) }
        let mayRepeat = mayRepeat(entity, in: field)
        if mayRepeat, let row = finder.repeats.find(field, &scanner) {
          open.cells[ownCells + plan.pointee.slot] = .row(row)
          return .read
        }
        try pushObject(entity, field: field, key: nil, isRepeatable: mayRepeat)
        return .opened
      }
      if readsElement {
        return try openElementValue(plan.pointee.destination, field)
      }
      open.cells[ownCells + plan.pointee.slot] = try readToOneIdentifier(plan)
      return .read
    case .toMany:
      if byte == UInt8(ascii: "[") {
        try openList(.list, plan.pointee.destination, field: field)
        return .opened
      }
      if byte == UInt8(ascii: "{"), layouts[plan.pointee.destination].forms.keyField >= 0 {
        try openList(.keyed, plan.pointee.destination, field: field)
        return .opened
      }
      open.cells[ownCells + plan.pointee.slot] = try refuseToMany(plan)
      return .read
    case .owned:
      try setAside(field, frame)
      return .read
    case .skipped:
      try scanner.skipValue()
      return .read
    case .shaped: return try openShaped(field, frame)
    default:
      guard byte == UInt8(ascii: "{") else {
        try refuseGroup(plan, frame.pointee)
        return .read
      }
      try scanner.descend()
      open.frames.append(
        ImportFrame(
          kind: .group,
          marks: ImportFrame.Marks(
            isUnanswered: frame.pointee.marks.isUnanswered, isPrefilled: frame.pointee.marks.isPrefilled,
            isShared: frame.pointee.marks.isShared),
          entity: frame.pointee.entity,
          group: plan.pointee.group, cells: ownCells, field: field,
          rows: frame.pointee.rows, offset: frame.pointee.offset, start: frame.pointee.start,
          expected: frame.pointee.expected))
      scanner.advance()
      return .opened
    }
  }

  @inline(__always)
  mutating func openList(_ kind: ImportFrame.Kind, _ entity: Int, field: Int) throws(JSONSyntaxError) {
    try scanner.descend()
    open.frames.append(
      ImportFrame(
        kind: kind, entity: entity, group: 0, cells: 0, field: field, rows: open.rows.count, offset: offset,
        start: scanner.position))
    scanner.advance()
    if kind == .keyed { open.openCollection() }
  }

  /// Begins an object whose entity is known.
  @inline(__always)
  mutating func pushObject(
    _ entity: Int, field: Int, key: LentBytes?, isIdentityKnown: Bool = false,
    isRepeatable: Bool = false, isElementValue: Bool = false
  ) throws(JSONSyntaxError) {
    let layout = layouts + entity
    let first = open.cells.count
    let frameCells = open.cells.extend(by: layout.pointee.frameCells)
    for index in 0..<layout.pointee.frameCells { (frameCells + index).initialize(to: .absent) }
    open.frames.append(
      ImportFrame(
        kind: .object, marks: ImportFrame.Marks(isRepeatable: isRepeatable), entity: entity,
        group: layout.pointee.group, cells: first, field: field,
        rows: open.rows.count, offset: offset, start: scanner.position, key: key,
        expected: finder.expectedRow(entity)))
    if scanner.peek == UInt8(ascii: "{"), !isElementValue {
      try scanner.descend()
      scanner.advance()
    }
    if let key, fields[layout.pointee.forms.keyField].rank == 0, !isIdentityKnown {
      open.cells[first + fields[layout.pointee.forms.keyField].slot] = try readKey(
        key, fields + layout.pointee.forms.keyField, at: open.frames.last.pointee.start)
    }
  }

  /// Returns whether objects of a relationship may be repeated here. They may be repeated only after objects that several
  /// dictionaries describe have been compared for a while and no differences were found.
  @inline(__always)
  func mayRepeat(_ entity: Int, in relationship: Int) -> Bool {
    finder.repeats.isWatching(relationship) && !log.suspicions.isWatching(entity) && texts.isPayload
      && scanner.depth < scanner.maxDepth
  }

  /// Begins an object whose entity was chosen.
  mutating func openObject(_ chosen: ChosenObject, _ opening: Opening) throws(JSONSyntaxError) {
    try pushObject(
      chosen.entity, field: opening.field, key: opening.key, isIdentityKnown: chosen.identity != nil,
      isElementValue: opening.isElementValue)
    let frame = open.frames.last
    frame.pointee.marks.isTransformed = chosen.isTransformed
    frame.pointee.marks.isShared = opening.isShared && !chosen.isTransformed
    frame.pointee.marks.isUnanswered = chosen.isUnanswered
    frame.pointee.marks.hasBareDiscriminator = chosen.hasBareDiscriminator
    if let identity = chosen.identity {
      for (slot, cell) in identity.values
      where slot < layouts[chosen.entity].slotCount && !layouts[chosen.entity].slots[slot].kind.isRelationship {
        open.cells[frame.pointee.cells + slot] = cell
      }
      frame.pointee.marks.isPrefilled = true
    }
    if let payload = chosen.payload { open.keep(payload) }
    frame.pointee.marks.isElementValue = opening.isElementValue
  }

  /// Skips the object that begins. A row or a waiting identifier may replace it (D13).
  mutating func skip(_ opening: Opening, standIn row: UInt32?) {
    if opening.field >= 0 {
      let cell = row.map { finder.toOneCell($0) } ?? .absent
      open.cells[open.frames.last.pointee.cells + fields[opening.field].slot] = cell
    } else if let row {
      if open.frames.count > 0, open.frames.last.pointee.field >= 0 {
        open.rows.append(row)
      } else {
        roots.rows.append(row)
      }
    } else if open.frames.count > 0 {
      open.frames.last.pointee.marks.hasSkipped = true
    }
  }

  /// Ends the object that begins, because it was refused. The fault has been recorded.
  mutating func refuse(_ opening: Opening) {
    guard opening.field >= 0 else { return }
    open.cells[open.frames.last.pointee.cells + fields[opening.field].slot] = .invalid
  }

  // MARK: Closing

  /// Ends the members of the innermost frame, whose brace has been read.
  @inline(__always)
  mutating func endMembers(_ frame: UnsafeMutablePointer<ImportFrame>) throws(JSONSyntaxError) -> Event? {
    guard frame.pointee.kind == .object else {
      open.frames.truncate(to: open.frames.count - 1)
      return nil
    }
    if layouts[frame.pointee.entity].forms.sharesDictionary, !frame.pointee.marks.isElementValue {
      switch try openSharedObject(frame) {
      case .read: break
      case .opened: return nil
      case .begins(let entity, _):
        return begins(Opening(entity: entity, field: layouts[frame.pointee.entity].forms.valueField, isShared: true))
      }
    }
    if let key = frame.pointee.key {
      let field = fields + layouts[frame.pointee.entity].forms.keyField
      if open.cells[frame.pointee.cells + field.pointee.slot].isAbsent {
        open.cells[frame.pointee.cells + field.pointee.slot] = try readKey(key, field, at: frame.pointee.start)
      }
    }
    return .ended
  }

  /// Notes which object of the payload described a row, and whether the same bytes may be repeated.
  ///
  /// - Parameter frame: the frame of the object, which has been closed.
  @inline(never)
  private mutating func noteDescription(_ frame: UnsafeMutablePointer<ImportFrame>, of row: UInt32, _ table: Int) {
    let isRepeatable = frame.pointee.marks.isRepeatable
    let field = frame.pointee.field >= 0 || !isRepeatable ? frame.pointee.field : open.frames.last.pointee.field
    finder.repeats.note(frame.pointee.start, scanner, field, row, table, isRepeatable: isRepeatable)
  }

  /// Closes the innermost object and passes its row to the frame below.
  ///
  /// - Parameter row: the object's row; nil if the object was refused.
  @inline(__always)
  mutating func endObject(_ row: UInt32?) {
    let frame = open.frames.last
    open.closeObject()
    if frame.pointee.marks.isTransformed { texts.leave(&scanner) }
    let field = frame.pointee.field
    let table = layouts[frame.pointee.entity].table
    if let row, frame.pointee.marks.isRepeatable || finder.repeats.isWatching(table: table) {
      noteDescription(frame, of: row, table)
    }
    if field >= 0 {
      let below = open.frames.last
      open.cells[below.pointee.cells + fields[field].slot] = row.map { .row($0) } ?? .invalid
    } else if let row {
      switch open.frames.count {
      case 0: roots.rows.append(row)
      case 1:
        roots.rows.append(row)
        if texts.isPayload { scratch.reset() }
        texts.endRoot()
      default: open.rows.append(row)
      }
    }
  }
}
