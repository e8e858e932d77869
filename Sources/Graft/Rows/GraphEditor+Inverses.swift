/// Changes the other side of links, and removes the links that new links displace.
extension GraphEditor {
  // MARK: Adding

  /// Sets the other side of a loaded row's to-one relationship.
  func linkBack(_ slot: PlanReference<SlotPlan>, _ row: PlacedRow) {
    guard slot.pointee.inverse >= 0, let target = row.row.toOne(slot.pointee) else { return }
    addInverse(slot, of: target, owner: row)
  }

  /// - Parameter owner: the row whose relationship now leads to the target.
  @inline(__always)
  func addInverse(_ slot: PlanReference<SlotPlan>, of target: UInt32, owner: PlacedRow) {
    let row = state.placed(slot.pointee.destinationTable, target)
    let cell = slot.pointee.inverseSlot.words.cell
    touch(row)
    if state.pointee.source != nil, !prepareInverse(slot, row, gaining: owner.number) { return }
    if slot.pointee.inverseSlot.isToMany {
      // A link of an object to itself in a symmetric relationship has only one side.
      if isSelfLink(slot, owner.table, owner.number, target) { return }
      appendRow(owner.number, row, cell)
      setPresence(true, row, slot.pointee.inverseSlot.words)
    } else {
      let old = row[cell]
      if old == owner.link { return }
      setInverse(owner.link, slot, row)
      if old != 0 { displace(slot, state.placed(owner.table, UInt32(truncatingIfNeeded: old - 1)), target) }
    }
  }

  /// Sets the to-one relationship on the other side of a link.
  @inline(__always)
  private func setInverse(_ owner: UInt64, _ slot: PlanReference<SlotPlan>, _ row: PlacedRow) {
    if slot.pointee.isOwning {
      identify(row) { writeInverse(owner, slot, row) }
    } else {
      writeInverse(owner, slot, row)
    }
  }

  @inline(__always)
  private func writeInverse(_ owner: UInt64, _ slot: PlanReference<SlotPlan>, _ row: PlacedRow) {
    write(owner, row, slot.pointee.inverseSlot.words.cell)
    setPresence(owner != 0, row, slot.pointee.inverseSlot.words)
    if slot.pointee.inverseSlot.isAlternate { noteAlternates(row) }
  }

  // MARK: Removing

  @inline(never)
  func removeInverse(_ slot: PlanReference<SlotPlan>, of target: UInt32, owner: UInt32) {
    let row = state.placed(slot.pointee.destinationTable, target)
    let cell = slot.pointee.inverseSlot.words.cell
    touch(row)
    if state.pointee.source != nil, !prepareInverse(slot, row, losing: owner) { return }
    if slot.pointee.inverseSlot.isToMany {
      removeRow(owner, row, cell)
      if state.pointee.vectors.count(row[cell]) == 0 { setPresence(false, row, slot.pointee.inverseSlot.words) }
    } else if row[cell] == UInt64(owner) + 1 {
      setInverse(0, slot, row)
    }
  }

  @inline(__always)
  func removeInverseUnlessSelf(_ slot: PlanReference<SlotPlan>, of target: UInt32, owner: PlacedRow) {
    if !isSelfLink(slot, owner.table, owner.number, target) { removeInverse(slot, of: target, owner: owner.number) }
  }

  /// Whether a link of a symmetric relationship leads from an object to itself.
  @inline(__always)
  private func isSelfLink(_ slot: PlanReference<SlotPlan>, _ table: Int, _ owner: UInt32, _ target: UInt32) -> Bool {
    target == owner && table == slot.pointee.destinationTable
      && slot.pointee.inverseSlot.words.cell == slot.pointee.cell
  }

  /// Removes the target from its previous owner.
  @inline(never)
  private func displace(_ slot: PlanReference<SlotPlan>, _ owner: PlacedRow, _ target: UInt32) {
    touch(owner)
    if state.pointee.source != nil {
      guard slot.pointee.kind == .toMany else {
        if !skipsUnknown { state.loadRow(owner.table, owner.number) }
        if owner.row.isFault { return }
        return displaceFromToOne(slot, owner, target)
      }
      if !prepareList(slot.pointee.words, owner, gaining: nil, losing: target) { return }
    }
    if slot.pointee.kind == .toMany {
      removeRow(target, owner, slot.pointee.cell)
      if owner[slot] == 0 || state.pointee.vectors.count(owner[slot]) == 0 {
        setPresence(false, owner, slot.pointee.words)
      }
    } else {
      displaceFromToOne(slot, owner, target)
    }
  }

  private func displaceFromToOne(_ slot: PlanReference<SlotPlan>, _ owner: PlacedRow, _ target: UInt32) {
    guard owner[slot] == UInt64(target) + 1 else { return }
    let inverse = state.layouts[slot.pointee.destination].slots + slot.pointee.inverse
    guard inverse.pointee.isOwning else { return writeToOne(0, slot, owner) }
    identify(owner) { writeToOne(0, slot, owner) }
    // The target now has a different object, so this row may be an orphan.
    if inverse.pointee.deletesOrphans { noteOrphan(inverse, owner.number) }
  }

  func noteOrphan(_ slot: PlanReference<SlotPlan>, _ target: UInt32) {
    state.pointee.orphans.append(
      GraphState.Orphan(
        table: Int32(truncatingIfNeeded: slot.pointee.destinationTable), row: target,
        word: Int32(truncatingIfNeeded: slot.pointee.inverseSlot.words.word), mask: slot.pointee.inverseSlot.words.mask,
        offset: offset))
  }

  // MARK: Rows and lists that are not in memory

  /// Prepares the other side of a link for a change. The other side must be known if it is a to-one relationship or an
  /// ordered list. Any other list may stay unknown; in that case, its added and removed members are recorded.
  ///
  /// - Returns: whether the change must still be made.
  @inline(never)
  private func prepareInverse(
    _ slot: PlanReference<SlotPlan>, _ row: PlacedRow, gaining member: UInt32? = nil, losing lost: UInt32? = nil
  ) -> Bool {
    guard slot.pointee.inverseSlot.isToMany else {
      if !skipsUnknown {
        state.loadRow(row.table, row.number)
        if member != nil { loadOrderedList(ofOwner: row[slot.pointee.inverseSlot.words.cell], slot) }
      }
      return !row.row.isFault
    }
    return prepareList(slot.pointee.inverseSlot.words, row, gaining: member, losing: lost)
  }

  /// Prepares a list for a change, as `prepareInverse` does for the other side of a link.
  func prepareList(_ words: SlotWords, _ row: PlacedRow, gaining member: UInt32?, losing lost: UInt32?) -> Bool {
    guard state.isUnknown(words, row.table, row.row) else { return true }
    if skipsUnknown { return false }
    state.loadRow(row.table, row.number)
    let property = words.cell - 1 - state.tables[row.table].presenceWords
    let list = state.layouts[row.row.entity].slots + property
    if list.pointee.isOrdered {
      state.loadList(row.row, list.pointee)
      // The member's own side has already been written, so the loaded list may already reflect it.
      let contains = state.pointee.vectors.contains(row[words.cell], member ?? lost ?? 0)
      return member != nil ? !contains : contains
    }
    if let member {
      state.pointee.journal.append(
        JournalEntry(member: member, isGone: false, of: row.number, row.table, word: words.cell))
      state.pointee.append(member, to: words.cell, of: row.row)
    } else if let lost {
      let wasAdded = row[words.cell] != 0 && state.pointee.vectors.remove(lost, from: RowVector(row[words.cell]))
      state.pointee.journal.append(
        JournalEntry(member: lost, isGone: true, wasAdded: wasAdded, of: row.number, row.table, word: words.cell))
      state.pointee.loads.thinned.insert(row.place)
      row[words.word] &= ~words.mask
    }
    return false
  }

  /// Loads the ordered list that a member leaves when it gets another owner.
  private func loadOrderedList(ofOwner cell: UInt64, _ slot: PlanReference<SlotPlan>) {
    guard cell != 0, slot.pointee.kind == .toMany, slot.pointee.isOrdered else { return }
    let inverse = state.layouts[slot.pointee.destination].slots[slot.pointee.inverse]
    let owner = UInt32(truncatingIfNeeded: cell - 1)
    state.loadRow(inverse.destinationTable, owner)
    state.loadList(row(inverse.destinationTable, owner), slot.pointee)
  }

  func hasOrderedInverse(_ slot: PlanReference<SlotPlan>) -> Bool {
    !skipsUnknown && slot.pointee.inverse >= 0 && slot.pointee.inverseSlot.isToMany
      && state.layouts[slot.pointee.destination].slots[slot.pointee.inverse].isOrdered
  }

  /// Loads the ordered lists on the other side of a relationship, before it changes, because the position of a member in these lists
  /// is known only when they are loaded.
  ///
  /// - Parameter cells: row numbers, plus one; 0 if there is no row.
  @inline(never)
  func loadOrderedInverses(_ cells: [UInt64], _ slot: PlanReference<SlotPlan>) {
    guard hasOrderedInverse(slot) else { return }
    let inverse = state.layouts[slot.pointee.destination].slots[slot.pointee.inverse]
    for cell in cells where cell != 0 {
      let number = UInt32(truncatingIfNeeded: cell - 1)
      state.loadRow(slot.pointee.destinationTable, number)
      let row = row(slot.pointee.destinationTable, number)
      if row.isLoaded { state.loadList(row, inverse) }
    }
  }
}
