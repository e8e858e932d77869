/// Merges a payload onto a given object (I23).
extension ObjectMerger {
  /// Replaces the row found by the identity of the innermost dictionary, if the dictionary describes the target or one of its
  /// members. Returns false if that is impossible.
  @inline(never)
  mutating func aim(
    _ found: inout (row: UInt32?, hash: UInt64?), _ late: inout [(slot: Int, cell: Cell)]?, at target: MergeTarget,
    _ open: OpenObjects, _ finder: inout RowFinder
  ) throws(JSONSyntaxError) -> Bool {
    let frame = open.frames.last.pointee
    let cells = Cells(Address(open.cells.base + frame.cells))
    guard let field = relationship(toInnermostOf: open) else {
      guard try aimRoot(&found, at: target, frame, cells, &finder) else { return false }
      if !target.united.isEmpty {
        let layout = plan.layouts + frame.entity
        for index in 0..<layout.pointee.slotCount {
          open.cells.base[frame.cells + index] = heirs(cells[index], target.united, layout.pointee.slots[index], open)
        }
        late = late?.map { ($0.slot, heirs($0.cell, target.united, layout.pointee.slots[$0.slot], open)) }
      }
      return true
    }
    let index = plan.layouts[frame.entity].forms.indexField
    if found.row == nil, field >= 0, index >= 0, cells[plan.fields[index].slot].tag == .word {
      let attribute = plan.fields[index].slot
      found.row = target.member(at: cells[attribute].bits, attribute, of: plan.fields[field].slot)
      if let row = found.row { return try complete(row, frame, cells, &finder) }
    }
    return true
  }

  /// Gives a row that was not found by its identity the identity values that it lacks. Returns false if another object already has the
  /// resulting identity.
  mutating func complete(
    _ row: UInt32, _ frame: ImportFrame, _ cells: Cells, _ finder: inout RowFinder
  ) throws(JSONSyntaxError) -> Bool {
    guard let other = finder.complete(row, frame.entity, cells) else { return true }
    let (entity, names) = (plan.entities[frame.entity], GraphNames(finder.editor.state, plan))
    let table = plan.layouts[frame.entity].table
    log.record(.completedIdentity(entity, names.name(table, other)), at: frame.offset)
    try log.stopIfFull()
    return false
  }

  /// Returns the field that leads from the payload's object to the innermost object; nil for the payload's object itself, and -1
  /// for an object nested more deeply.
  private func relationship(toInnermostOf open: OpenObjects) -> Int? {
    var field = open.frames.last.pointee.field
    var index = open.frames.count - 2
    while index >= 0 {
      let frame = open.frames.base[index]
      switch frame.kind {
      case .object: return open.frames.elements[..<index].contains { $0.kind == .object } ? -1 : field
      case .owned: return -1
      case .group: break
      default: if field < 0 { field = frame.field }
      }
      index -= 1
    }
    return nil
  }

  /// In a link of the innermost dictionary, replaces objects that disappeared with the objects that they have become, because the
  /// payload may name the target by its former identity.
  private func heirs(_ cell: Cell, _ united: [RowPlace: RowPlace], _ slot: SlotPlan, _ open: OpenObjects) -> Cell {
    func heir(_ row: UInt32) -> UInt32 {
      WaitingIdentifiers.contains(row) ? row : united[RowPlace(table: slot.destinationTable, row: row)]?.row ?? row
    }
    switch cell.tag {
    case .row where !cell.waits: return .row(heir(UInt32(truncatingIfNeeded: cell.bits - 1)))
    case .rows:
      let first = Int(truncatingIfNeeded: cell.bits)
      var known: Set<UInt32> = []
      let members = open.rows.elements[first..<first + cell.count].map(heir).filter { known.insert($0).inserted }
      for (place, member) in members.enumerated() { open.rows.base[first + place] = member }
      return .rows(first: first, count: members.count)
    default: return cell
    }
  }

  private func aimRoot(
    _ found: inout (row: UInt32?, hash: UInt64?), at target: MergeTarget, _ frame: ImportFrame, _ cells: Cells,
    _ finder: inout RowFinder
  ) throws(JSONSyntaxError) -> Bool {
    target.isMet = true
    let name = target.name
    if let mention = found.row, mention != target.row, absorb(mention, into: target, finder) { found.row = nil }
    guard let other = found.row ?? finder.identifyAnew(target.row, frame.entity, cells), other != target.row else {
      found.row = target.row
      return true
    }
    found.row = other
    let unity = UnitedObjects(finder.editor, target.table, from: target.row, into: other)
    guard target.unites, unity.isPossible else {
      log.record(.identityOfOther(unity.name(other, plan), of: name, unity.isPossible), at: frame.offset)
      try log.stopIfFull()
      return false
    }
    target.united = unity.unite { log.context.loadReferrers(withAllLists: true) }
    return true
  }

  /// Replaces a placeholder with the target whose identity it has, because objects in the payload name the target by its new
  /// identity. Returns false if the row is a different object, or one that the payload describes.
  private func absorb(_ mention: UInt32, into target: MergeTarget, _ finder: RowFinder) -> Bool {
    let state = finder.editor.state
    guard state.isNewInUnit(target.table, mention), state.row(target.table, mention).isPlaceholder else { return false }
    let unity = UnitedObjects(finder.editor, target.table, from: mention, into: target.row)
    guard unity.isPossible else { return false }
    // The store contains no references to this object.
    target.united = unity.unite {}
    return true
  }
}

extension RowFinder {
  /// Gives a row the identity values of a dictionary, replacing the values that it had before.
  ///
  /// - Returns: another row that has this identity. The dictionary may contain only part of the identity.
  func identifyAnew(_ number: UInt32, _ entity: Int, _ cells: Cells) -> UInt32? {
    let layout = layouts + entity
    let table = layout.pointee.table
    let row = editor.row(table, number)
    let given = (0..<layout.pointee.identity.count).map { layout.pointee.identity.slots[$0] }.filter { slot in
      let tag = cells[slot].tag
      return slot < layouts[row.entity].slotCount && (tag == .word || tag == .text || tag == .row && !cells[slot].waits)
    }
    if given.isEmpty { return nil }
    editor.unindex(table, number)
    var editor = editor
    editor.leavesIndex = true
    for slot in given {
      let plan = layout.pointee.slots + slot
      if cells[slot].tag == .row {
        editor.setToOne(cells[slot].bits, plan, PlacedRow(table, number, row))
      } else {
        set(cells[slot], entity, slot, number)
      }
    }
    return index(table, number, given: cells, entity)
  }
}
