/// Applying an object to the graph when its dictionary has ended.
extension PayloadImporter {
  /// Finds or makes the row of an object and writes what differs. nil if the object was refused.
  @inline(__always)
  mutating func apply(_ frame: UnsafeMutablePointer<ImportFrame>) throws(JSONSyntaxError) -> UInt32? {
    let entity = frame.pointee.entity
    let layout = layouts + entity
    let table = layout.pointee.table
    let offset = frame.pointee.offset
    let late = lateSlots.isEmpty ? nil : takeLateCells(frame.pointee.cells)
    let cells = cells.base + frame.pointee.cells
    editor.offset = offset
    let number: UInt32
    let base: UnsafeMutablePointer<UInt64>
    var isNew = false
    // The hash is worked out only when the guess fails.
    var hash: UInt64?
    var found: UInt32?
    if layout.pointee.identitySpace >= 0 {
      found = predicted(entity, table, cells)
      if found == nil {
        hash = GraphIdentity.hash(layout, cells, seeds)
        if let hash { found = search(hash, layout, cells) }
      }
    }
    if let found {
      predictions[entity].row = found &+ 1
      number = found
      base = editor.row(table, number)
      let header = base[0]
      if header & (RowHeader.entityMask | RowHeader.placeholder) != UInt64(entity) {
        guard try settle(frame.pointee, number, base, cells) else { return nil }
      }
      editor.touch(table, number, base)
      let wasTouched = RowHeader.epoch(header) == editor.state.pointee.importEpoch
      if layout.pointee.hasRules || wasTouched && base[0] & RowHeader.described == 0 {
        noteMention(table, number, offset)
      }
    } else {
      number = try insertRow(entity, isPlaceholder: false, at: offset)
      base = editor.row(table, number)
      isNew = true
      if let hash { editor.state.pointee.tables[table].indexes[layout.pointee.identitySpace].insert(hash, number) }
    }
    base[0] |= RowHeader.described
    let (journaled, replaced) = (editor.state.pointee.journal.count, editor.state.pointee.replacedVectors)
    if isNew {
      setDefaults(entity, cells)
      if layout.pointee.hasRules { noteMention(table, number, offset) }
    }
    if frame.pointee.hasBareDiscriminator || base[0] & RowHeader.bareDiscriminator != 0, !frame.pointee.isUnanswered {
      // Written back as it was said last (E4).
      editor.setFlag(RowHeader.bareDiscriminator, frame.pointee.hasBareDiscriminator, table, number)
    }
    for index in 0..<layout.pointee.slotCount {
      let cell = cells[index]
      let slot = layout.pointee.slots + index
      switch cell.tag {
      case .absent:
        continue
      case .word:
        if isNew || !slot.pointee.isIdentity { editor.setWord(cell.bits, slot, table, number, base) }
      case .text:
        if isNew || !slot.pointee.isIdentity { editor.setText(cell, slot, table, number, base) }
      case .row:
        if slot.pointee.mayWait, deferrals.hasLinks {
          wait(cell, SlotPlace(table: table, row: number, slot: index), frame.pointee.offset)
          continue
        }
        editor.setToOne(cell.bits, slot, table, number, base)
      case .rows:
        if slot.pointee.mayWait, deferrals.hasLinks {
          wait(cell, SlotPlace(table: table, row: number, slot: index), frame.pointee.offset)
          continue
        }
        editor.setToMany(
          rows.base + Int(truncatingIfNeeded: cell.bits), cell.count, union: slot.pointee.isUnion, slot, table, number,
          base)
      case .null, .invalid, .deferred:
        applyRare(cell, SlotPlace(table: table, row: number, slot: index), slot, base, frame.pointee)
      }
    }
    if let late { applyLate(late, table, number, base, frame.pointee) }
    // Whatever a dictionary changes of an object that was there, it changes in the object's own row first.
    if editor.state.pointee.journal.count != journaled || editor.state.pointee.replacedVectors != replaced {
      base[0] |= RowHeader.changed
    }
    return number
  }

  /// Applies the relationships that stand behind their inverses in the dictionary.
  @inline(never)
  private mutating func applyLate(
    _ late: [(slot: Int, cell: Cell)], _ table: Int, _ number: UInt32, _ base: UnsafeMutablePointer<UInt64>,
    _ frame: ImportFrame
  ) {
    for (index, cell) in late {
      let slot = layouts[frame.entity].slots + index
      let place = SlotPlace(table: table, row: number, slot: index)
      if slot.pointee.mayWait, deferrals.hasLinks, cell.tag != .invalid {
        wait(cell, place, frame.offset)
      } else if cell.tag == .row {
        editor.setToOne(cell.bits, slot, table, number, base)
      } else if cell.tag == .rows {
        editor.setToMany(
          rows.base + Int(truncatingIfNeeded: cell.bits), cell.count, union: slot.pointee.isUnion, slot, table, number,
          base)
      } else {
        applyRare(cell, place, slot, base, frame)
      }
    }
  }

  /// The row with the identity that the cells say.
  ///
  /// Mutating, as what follows is: a closure of a method that is not would capture a copy of the whole importer.
  @inline(__always)
  private mutating func search(
    _ hash: UInt64, _ layout: UnsafeMutablePointer<EntityLayout>, _ cells: UnsafePointer<Cell>
  ) -> UInt32? {
    let state = editor.state
    let table = layout.pointee.table
    return state.pointee.tables[table].indexes[layout.pointee.identitySpace].find(hash) { number in
      GraphIdentity.matches(layout, cells, state.pointee.tables[table].row(number), state.pointee.texts)
    }
  }

  /// The row behind the one that was found last, if it has the identity: payloads come again in their order, and rows that lie
  /// side by side cost no search. An entity for which that does not hold is not tried for long.
  @inline(__always)
  private mutating func predicted(_ entity: Int, _ table: Int, _ cells: UnsafePointer<Cell>) -> UInt32? {
    let prediction = predictions + entity
    let number = prediction.pointee.row
    if prediction.pointee.misses > 16 || Int(truncatingIfNeeded: number) >= editor.state.pointee.tables[table].rowCount
    {
      return nil
    }
    let base = editor.row(table, number)
    let layout = layouts + entity
    if base[0] & (RowHeader.entityMask | RowHeader.deleted) == UInt64(entity),
      (0..<layout.pointee.identityCount).allSatisfy({ index in
        let number = layout.pointee.identitySlots[index]
        let slot = layout.pointee.slots + number
        let isGiven = cells[number].tag == .word || cells[number].tag == .text
        return isGiven && base[slot.pointee.word] & slot.pointee.mask != 0
      }), GraphIdentity.matches(layout, cells, base, editor.state.pointee.texts)
    {
      return number
    }
    prediction.pointee.misses += 1
    return nil
  }

  /// Remembers where a dictionary describes an object, for the place of a fault that shows only at the end.
  @inline(__always)
  private mutating func noteMention(_ table: Int, _ number: UInt32, _ offset: Int) {
    if !innerPayloads.isEmpty { keepInnerPayload() }
    mentions.append(GraphState.Touch(table: Int32(truncatingIfNeeded: table), row: number, offset: offset))
  }

  @inline(__always)
  private func setDefaults(_ entity: Int, _ cells: UnsafeMutablePointer<Cell>) {
    for (slot, cell) in plan.entities[entity].defaults where cells[slot].isAbsent { cells[slot] = cell }
  }

  @inline(never)
  private mutating func applyRare(
    _ cell: Cell, _ place: SlotPlace, _ slot: UnsafeMutablePointer<SlotPlan>, _ base: UnsafeMutablePointer<UInt64>,
    _ frame: ImportFrame
  ) {
    switch cell.tag {
    case .null:
      if slot.pointee.mask & layouts[frame.entity].required[slot.pointee.word - 1] != 0,
        !layouts[frame.entity].hasRules
      {
        noteMention(place.table, place.row, frame.offset)
      }
      if slot.pointee.kind.isRelationship {
        if slot.pointee.mayWait, deferrals.hasLinks {
          wait(cell, place, frame.offset)
          return
        }
        editor.clear(slot, place.table, place.row, base)
      } else {
        editor.setNil(slot, place.table, place.row, base)
      }
    case .invalid:
      refused.insert(place)
    default:
      wait(cell, place, frame.offset)
    }
  }

  /// What a dictionary says of a relationship waits for the end of the payload.
  @inline(never)
  private mutating func wait(_ cell: Cell, _ place: SlotPlace, _ offset: Int) {
    let first = Int(truncatingIfNeeded: cell.bits)
    switch cell.tag {
    case .row: deferrals.link(place, CollectionOfOne(UInt32(truncatingIfNeeded: cell.bits - 1)), at: offset)
    case .rows: deferrals.link(place, rows.elements[first..<first + cell.count], at: offset)
    case .deferred: deferrals.link(place, list: first, at: offset)
    default: deferrals.linkNothing(place, at: offset)
    }
  }

  /// The found row is a placeholder, or of another entity than the dictionary's. False if that cannot be.
  @inline(never)
  private mutating func settle(
    _ frame: ImportFrame, _ number: UInt32, _ base: UnsafeMutablePointer<UInt64>, _ cells: UnsafeMutablePointer<Cell>
  ) throws(JSONSyntaxError) -> Bool {
    let table = layouts[frame.entity].table
    let own = RowHeader.entity(base[0])
    let isPlaceholder = base[0] & RowHeader.placeholder != 0
    var settled = own
    if own != frame.entity {
      if isPlaceholder, isKind(frame.entity, of: own) {
        editor.changeEntity(table, number, to: frame.entity)
        settled = frame.entity
      } else if !(frame.isUnanswered && isKind(own, of: frame.entity)) {
        refuseEntity(own, expected: frame.entity, at: frame.offset)
        try stopIfEnough()
        return false
      }
    }
    if isPlaceholder {
      if layouts[settled].isAbstract {
        refuseAbstract(settled, at: frame.offset)
        try stopIfEnough()
        return false
      }
      editor.setFlag(RowHeader.placeholder, false, table, number)
      fillDefaults(settled, frame.entity, table, number, base, cells)
    }
    return true
  }

  /// Filling a placeholder gives it the defaults of what the dictionary leaves out (D5).
  private func fillDefaults(
    _ entity: Int, _ read: Int, _ table: Int, _ number: UInt32, _ base: UnsafeMutablePointer<UInt64>,
    _ cells: UnsafeMutablePointer<Cell>
  ) {
    for (index, cell) in plan.entities[entity].defaults {
      let slot = layouts[entity].slots + index
      let isGiven = index < layouts[read].slotCount && !cells[index].isAbsent
      if !isGiven, base[slot.pointee.word] & slot.pointee.mask == 0 { set(cell, slot, table, number, base) }
    }
  }
}
