/// Sets to-many relationships.
extension GraphEditor {
  // MARK: Setting

  /// Makes a to-many relationship equal to a list without repeats (I5), or adds the list to the relationship. The list is not empty.
  func setToMany(_ rows: [UInt32], union: Bool, _ slot: PlanReference<SlotPlan>, _ row: PlacedRow) {
    rows.withUnsafeBufferPointer {
      setToMany($0.baseAddress.unsafelyUnwrapped, $0.count, union: union, slot, row)
    }
  }

  /// Makes a to-many relationship equal to a list without repeats (I5), or adds the list to the relationship.
  @inline(__always)
  func setToMany(
    _ rows: UnsafePointer<UInt32>, _ count: Int, union: Bool, _ slot: PlanReference<SlotPlan>, _ row: PlacedRow
  ) {
    if state.pointee.source != nil, !prepareToSet(rows, count, union: union, slot, row) { return }
    let cell = row[slot]
    if cell == 0 {
      if count > 0 { fillToMany(rows, count, slot, row) }
      return
    }
    let vector = RowVector(cell)
    if vector.isEqual(to: rows, count) { return }
    // For a few additions, the existing rows are not scanned, because a vector is searched in constant time.
    if union, count <= 4 || vector.used > RowVector.indexedCount && count < vector.used / 8 {
      for index in 0..<count where !contains(rows[index], row.row, slot) { link(rows[index], slot, row) }
      return
    }
    mergeToMany(rows, count, union: union, slot, row)
  }

  @inline(__always)
  private func fillToMany(
    _ rows: UnsafePointer<UInt32>, _ count: Int, _ slot: PlanReference<SlotPlan>, _ row: PlacedRow
  ) {
    let vector = state.pointee.vectors.make(room: count, epoch: state.pointee.epoch)
    for index in 0..<count { vector.rows[index] = rows[index] + 1 }
    vector.used = count
    install(vector.cell, row, slot.pointee.cell)
    setPresence(true, row, slot.pointee.words)
    if slot.pointee.inverse >= 0 {
      for index in 0..<count { addInverse(slot, of: rows[index], owner: row) }
    }
  }

  /// Sets or extends a list in the general case: marks the rows of the new list and visits the old rows; rows that stay marked are new.
  @inline(never)
  private func mergeToMany(
    _ rows: UnsafePointer<UInt32>, _ count: Int, union: Bool, _ slot: PlanReference<SlotPlan>, _ row: PlacedRow
  ) {
    let old = RowVector(row[slot])
    state.pointee.vectors.close(old)
    Room<UInt32>.with(old.used + count) { merged in
      Room<UInt32>.with(old.used) { gone in
        mergeToMany(rows, count, union: union, old, merged, gone, slot, row)
      }
    }
  }

  /// - Parameters:
  ///   - merged: room for the rows that are kept, followed by the added rows.
  ///   - gone: room for the removed rows.
  @inline(__always)
  private func mergeToMany(
    _ rows: UnsafePointer<UInt32>, _ count: Int, union: Bool, _ old: RowVector, _ merged: Room<UInt32>,
    _ gone: Room<UInt32>, _ slot: PlanReference<SlotPlan>, _ row: PlacedRow
  ) {
    let target = slot.pointee.destinationTable
    for index in 0..<count { self.row(target, rows[index]).isListed = true }
    var (keptCount, goneCount) = (0, 0)
    for index in 0..<old.used where old.rows[index] != 0 {
      let known = old.rows[index] - 1
      let member = self.row(target, known)
      if union || member.isListed {
        member.isListed = false
        merged[keptCount] = known
        keptCount += 1
      } else {
        gone[goneCount] = known
        goneCount += 1
      }
    }
    var mergedCount = keptCount
    for index in 0..<count {
      let member = self.row(target, rows[index])
      if member.isListed {
        member.isListed = false
        merged[mergedCount] = rows[index]
        mergedCount += 1
      }
    }
    // The rows are the same, in the same order if that matters, so nothing changes.
    if goneCount == 0, mergedCount == keptCount,
      union || !slot.pointee.isOrdered || (0..<count).allSatisfy({ merged[$0] == rows[$0] })
    {
      return
    }
    let total = union || !slot.pointee.isOrdered ? mergedCount : count
    if total == 0 {
      install(0, row, slot.pointee.cell)
    } else {
      let vector = state.pointee.vectors.make(room: total, epoch: state.pointee.epoch)
      if union || !slot.pointee.isOrdered {
        for place in 0..<total { vector.rows[place] = merged[place] + 1 }
      } else {
        for place in 0..<total { vector.rows[place] = rows[place] + 1 }
      }
      vector.used = total
      install(vector.cell, row, slot.pointee.cell)
    }
    setPresence(total > 0, row, slot.pointee.words)
    for place in 0..<goneCount {
      if slot.pointee.inverse >= 0 { removeInverseUnlessSelf(slot, of: gone[place], owner: row) }
      if slot.pointee.deletesOrphans { noteOrphan(slot, gone[place]) }
    }
    if slot.pointee.inverse >= 0 {
      for place in keptCount..<mergedCount { addInverse(slot, of: merged[place], owner: row) }
    }
  }

  // MARK: Single members

  func contains(_ target: UInt32, _ row: Row, _ slot: PlanReference<SlotPlan>) -> Bool {
    if state.pointee.source != nil {
      loadToChange(slot, row, union: true)
      // A list that is not derived from to-one relationships is unknown only if it could not be loaded.
      if isDerived(slot), state.isUnknown(slot.pointee.words, layout(ofRow: row).pointee.table, row) {
        return isMember(target, of: row, slot)
      }
    }
    return state.pointee.vectors.contains(row[slot], target)
  }

  /// Adds one row that is not in the list.
  func link(_ target: UInt32, _ slot: PlanReference<SlotPlan>, _ row: PlacedRow) {
    if state.pointee.source != nil {
      noteEdited(slot, row)
      loadOrderedInverses([UInt64(target) + 1], slot)
      if !prepareList(slot.pointee.words, row, gaining: target, losing: nil) {
        if slot.pointee.inverse >= 0 { addInverse(slot, of: target, owner: row) }
        return
      }
    }
    appendRow(target, row, slot.pointee.cell)
    setPresence(true, row, slot.pointee.words)
    if slot.pointee.inverse >= 0 { addInverse(slot, of: target, owner: row) }
  }

  /// Removes one row that is in the list.
  func unlink(_ target: UInt32, _ slot: PlanReference<SlotPlan>, _ row: PlacedRow) {
    if state.pointee.source != nil {
      noteEdited(slot, row)
      state.loadList(row.row, slot.pointee)
      loadOrderedInverses([UInt64(target) + 1], slot)
    }
    removeRow(target, row, slot.pointee.cell)
    if state.pointee.vectors.count(row[slot]) == 0 { setPresence(false, row, slot.pointee.words) }
    if slot.pointee.inverse >= 0 { removeInverseUnlessSelf(slot, of: target, owner: row) }
  }

  // MARK: Emptying

  /// Empties a relationship, unless it already reads as empty. A link without an inverse may refer to an object of the store that is not
  /// shown; such a link is kept.
  func clearShown(_ slot: PlanReference<SlotPlan>, _ row: PlacedRow) {
    if slot.pointee.kind == .toOne, RowReader(state).target(row.row, slot.pointee) == nil { return }
    clear(slot, row)
  }

  /// Empties a relationship.
  func clear(_ slot: PlanReference<SlotPlan>, _ row: PlacedRow) {
    if slot.pointee.kind == .toMany, state.pointee.source != nil {
      noteEdited(slot, row)
      if skipsUnknown, state.isUnknown(slot.pointee.words, row.table, row.row) { return }
      state.loadList(row.row, slot.pointee)
      if hasOrderedInverse(slot) { loadOrderedInverses(row.row.links(slot.pointee).map { UInt64($0) + 1 }, slot) }
    }
    guard row[slot] != 0 else { return }
    if slot.pointee.kind == .toOne {
      setToOne(0, slot, row)
    } else {
      var nothing: UInt32 = 0
      mergeToMany(&nothing, 0, union: false, slot, row)
    }
  }

  // MARK: Lists that are not in memory

  /// Loads the data that must be known before a list is set, such as a list that is replaced. If rows are added to a list that may stay
  /// unknown, adds the rows here. If the list is derived from the to-one relationships of its members, it does not contain an added row
  /// yet, unless the list is in memory.
  ///
  /// - Returns: whether the list must still be set.
  @inline(never)
  private func prepareToSet(
    _ rows: UnsafePointer<UInt32>, _ count: Int, union: Bool, _ slot: PlanReference<SlotPlan>, _ row: PlacedRow
  ) -> Bool {
    noteEdited(slot, row)
    loadToChange(slot, row.row, union: union)
    if hasOrderedInverse(slot) {
      // A union does not change the existing members.
      let changed = (0..<count).map { rows[$0] } + (union ? [] : row.row.links(slot.pointee))
      loadOrderedInverses(changed.map { UInt64($0) + 1 }, slot)
    }
    guard state.isUnknown(slot.pointee.words, row.table, row.row) else { return true }
    for index in 0..<count where !contains(rows[index], row.row, slot) { link(rows[index], slot, row) }
    return false
  }

  /// Notes that a list is changed directly. Lists that are derived from to-one relationships change when these relationships change.
  private func noteEdited(_ slot: PlanReference<SlotPlan>, _ row: PlacedRow) {
    guard !isDerived(slot), row.row.header.isStored else { return }
    state.pointee.loads.noteEdit(of: ListPlace(owner: row.place, cell: slot.pointee.cell))
  }

  @inline(never)
  private func loadToChange(_ slot: PlanReference<SlotPlan>, _ row: Row, union: Bool) {
    if !union || !isDerived(slot) || slot.pointee.isOrdered { state.loadList(row, slot.pointee) }
  }

  /// Whether a list is derived from the to-one relationships of its members.
  private func isDerived(_ slot: PlanReference<SlotPlan>) -> Bool {
    slot.pointee.inverse >= 0 && !slot.pointee.inverseSlot.isToMany
  }

  /// Whether the to-one relationship of a row refers to the owner of an unknown list that is derived from this relationship.
  private func isMember(_ target: UInt32, of owner: Row, _ slot: PlanReference<SlotPlan>) -> Bool {
    let table = slot.pointee.destinationTable
    state.loadRow(table, target)
    let cell = row(table, target)[slot.pointee.inverseSlot.words.cell]
    return cell != 0 && row(layout(ofRow: owner).pointee.table, UInt32(truncatingIfNeeded: cell - 1)) == owner
  }
}
