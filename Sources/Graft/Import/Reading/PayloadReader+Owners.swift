/// Reads objects that are identified inside their owner (M12), possibly by an alternate identity (M27).
///
/// The identity of such an object contains the row of its owner, which is known only at the owner's closing brace. Values that may
/// hold such objects are therefore set aside, and read when the owner has been applied. Each value is scanned twice, regardless of
/// its depth in a chain of owners: first to skip it, then to read it.
extension PayloadReader {
  /// Sets the value at the scanner's position aside.
  mutating func setAside(
    _ field: Int, _ frame: UnsafeMutablePointer<ImportFrame>
  ) throws(JSONSyntaxError) {
    open.cells[frame.pointee.cells + fields[field].slot] = .setAside
    open.setAside(
      SetAsideValue(cells: frame.pointee.cells, field: field, start: scanner.position, depth: scanner.depth))
    try scanner.skipValue()
  }

  /// Begins to read the values that the innermost object has set aside. Returns false if there are none.
  ///
  /// - Parameter row: the object's row; nil if the object was rejected, so objects inside it cannot be identified.
  mutating func openOwner(_ row: UInt32?) -> Bool {
    let values = open.setAsideByObject
    if values.isEmpty { return false }
    guard let row else {
      open.forgetSetAside()
      return false
    }
    open.openOwner(
      OpenOwner(
        row: row, values: values.indices, next: values.startIndex, end: scanner.position, depth: scanner.depth,
        before: finder.editor.linkCounts(values.map { fields[$0.field].slot }, open.frames.last.pointee.entity, row)))
    return true
  }

  /// Continues with the values that an owner has set aside, until a decision is required.
  mutating func readOwned() throws(JSONSyntaxError) -> Event? {
    let frame = open.frames.last
    while let value = open.nextSetAside() {
      scanner.move(to: value.start, depth: value.depth)
      let field = fields + value.field
      let destination = field.pointee.destination
      if value.isSpread {
        openSpread(value)
        return nil
      }
      if scanner.peek == UInt8(ascii: "n") {
        try scanner.literal(.null)
        open.cells[frame.pointee.cells + field.pointee.slot] = .null
        continue
      }
      if field.pointee.reading == .shaped, try passNull(field) {
        open.cells[frame.pointee.cells + field.pointee.slot] = .null
        continue
      }
      if let other = try openLenient(value.field, frame) {
        if case .opened = other { return nil }
        continue
      }
      let isToMany = layouts[field.pointee.entity].slots[field.pointee.slot].kind == .toMany
      switch (scanner.peek, isToMany) {
      case (UInt8(ascii: "["), true):
        try openList(.list, destination, field: value.field)
        return nil
      case (UInt8(ascii: "{"), true) where layouts[destination].forms.keyField >= 0:
        try openList(.keyed, destination, field: value.field)
        return nil
      case (_, true):
        open.cells[frame.pointee.cells + field.pointee.slot] = try refuseToMany(field)
      case (UInt8(ascii: "{"), false)
      where !layouts[destination].forms.readsElements || !isElementValue(of: destination):
        if layouts[destination].reading.needsPreparation {
          return begins(Opening(entity: destination, field: value.field))
        }
        try pushObject(destination, field: value.field, key: nil)
        return nil
      case (_, false) where layouts[destination].forms.readsElements:
        guard case .begins = try openElementValue(destination, value.field) else { return nil }
        return begins(Opening(entity: destination, field: value.field, isElementValue: true))
      case (_, false):
        let start = offset
        let cell = try readToOneIdentifier(field)
        open.cells[frame.pointee.cells + field.pointee.slot] =
          cell.tag == .row && !isOwned(UInt32(truncatingIfNeeded: cell.bits - 1), through: field, at: start)
          ? .invalid : cell
      }
    }
    if let owner = open.owners.last { scanner.move(to: owner.end, depth: owner.depth) }
    return .ownedEnded
  }

  // MARK: Surroundings

  /// Returns the owner of the value that is being read in the innermost frame, and the relationship to it.
  ///
  /// - Parameter field: the field of the value; -1 for an element of a list.
  func owner(of field: Int) -> (slot: Int, row: UInt32)? {
    guard plan.features.hasSetAside, let owner = open.owners.last else { return nil }
    return self.owner(owner, of: field, in: open.frames.count - 1)
  }

  private func owner(_ owner: OpenOwner, of field: Int, in index: Int) -> (slot: Int, row: UInt32)? {
    var (field, index) = (field, index)
    if field < 0, index > 0 {
      field = open.frames.base[index].field
      index -= 1
    }
    guard field >= 0, index >= 0, open.frames.base[index].kind == .owned else { return nil }
    return (layouts[fields[field].entity].slots[fields[field].slot].inverse, owner.row)
  }

  /// Returns the position of the value that is being read in the innermost frame, or nil if the frame is not an array.
  func elementIndex(of field: Int, key: LentBytes?) -> Int? {
    guard field < 0, key == nil, open.frames.count > 0, open.frames.last.pointee.isList else { return nil }
    return open.frames.last.pointee.index
  }

  /// Completes the innermost object, whose brace has been read, with values from its surroundings: its owner, its position, and
  /// values from its enclosing objects.
  @inline(never)
  mutating func completeObject() throws(JSONSyntaxError) {
    let frame = open.frames.last
    let layout = layouts + frame.pointee.entity
    if layout.pointee.forms.indexField >= 0 { completeIndex(frame, fields + layout.pointee.forms.indexField) }
    if layout.pointee.forms.readsSurroundings { try readSurroundings(of: frame) }
    guard layout.pointee.identity.hasOwner || layout.pointee.alternateCount > 0, let last = open.owners.last,
      let owner = owner(last, of: frame.pointee.field, in: open.frames.count - 2), owner.slot >= 0
    else { return }
    let cell = open.cells[frame.pointee.cells + owner.slot]
    guard layout.pointee.slots[owner.slot].isIdentity else {
      // If the owner is part of an alternate identity (M27), it is the object that encloses the list, even if the object names another
      // owner (I6).
      if layout.pointee.slots[owner.slot].isAlternate {
        open.cells[frame.pointee.cells + owner.slot] = .row(owner.row)
      }
      return
    }
    open.cells[frame.pointee.cells + owner.slot] = .row(owner.row)
    switch cell.tag {
    case .row where cell.bits == UInt64(owner.row) + 1: break
    case .row, .null:
      refuseOwner(plan.entities[frame.pointee.entity], owner.slot, owner.row, at: frame.pointee.offset)
      try log.stopIfFull()
    default: break
    }
  }

  private mutating func completeIndex(
    _ frame: UnsafeMutablePointer<ImportFrame>, _ field: PlanReference<FieldPlan>
  ) {
    guard open.cells[frame.pointee.cells + field.pointee.slot].isAbsent,
      frame.pointee.field < 0, frame.pointee.key == nil, open.frames.count > 1
    else { return }
    let list = open.frames.base[open.frames.count - 2]
    guard list.isList else { return }
    open.cells[frame.pointee.cells + field.pointee.slot] = indexCell(list.index, field, at: frame.pointee.offset)
  }

  /// Returns the cell of a position; invalid if the attribute cannot hold it.
  func indexCell(_ index: Int, _ field: PlanReference<FieldPlan>, at offset: Int) -> Cell {
    if field.pointee.range.contains(Int64(index)) { return .integer(Int64(index)) }
    log.record(.unfitIndex(subject(field), field.pointee.range, index), at: offset)
    return .invalid
  }

  /// Returns whether an object that an identifier names in a relationship to owned objects has that owner, or a different identity.
  mutating func isOwned(_ number: UInt32, through field: PlanReference<FieldPlan>, at start: Int) -> Bool {
    guard let owner = open.owners.last?.row, !WaitingIdentifiers.contains(number) else { return true }
    let slot = layouts[field.pointee.entity].slots[field.pointee.slot]
    guard slot.isOwning else { return true }
    let row = finder.editor.row(slot.destinationTable, number)
    let entity = row.entity
    let back = layouts[entity].slots[slot.inverse]
    if !back.isIdentity || row[back] == UInt64(owner) + 1 { return true }
    refuseOwner(plan.entities[entity], slot.inverse, owner, at: start)
    return false
  }

  private func refuseOwner(_ entity: EntityPlan, _ slot: Int, _ owner: UInt32, at offset: Int) {
    let table = layouts[entity.index].slots[slot].destinationTable
    log.record(
      .otherOwner(
        ImportFinding.Subject(entity: entity, property: entity.properties[slot]),
        inside: GraphNames(finder.editor.state, plan).name(table, owner)), at: offset)
  }
}

extension GraphEditor {
  /// Returns data that shows whether relationships changed: the number of objects of a to-many relationship, and the object of a to-one
  /// relationship.
  func linkCounts(_ slots: [Int], _ entity: Int, _ number: UInt32) -> [UInt64] {
    let layout = state.layouts[entity]
    let row = row(layout.table, number)
    return slots.map { number in
      let slot = layout.slots[number]
      if slot.kind == .toOne { return row[slot] }
      state.loadList(row, slot)
      return UInt64(state.pointee.vectors.count(row[slot]))
    }
  }
}
