/// Sets to-one relationships.
///
///     hero.publisher = dc          hero --publisher--> dc        setToOne writes this side
///                                  hero <--heroes----- dc        addInverse writes that side
///
/// A new link can displace an old link if the inverse is a to-one relationship that is already set. The old link is removed from both of
/// its sides.
extension GraphEditor {
  /// - Parameter target: the other row's ``PlacedRow/link``; 0 empties the relationship.
  @inline(__always)
  func setToOne(_ target: UInt64, _ slot: PlanReference<SlotPlan>, _ row: PlacedRow) {
    let old = row[slot]
    if old == target { return }
    if state.pointee.source != nil, hasOrderedInverse(slot) { loadOrderedInverses([old, target], slot) }
    if slot.pointee.isIdentity {
      identify(row) { writeToOne(target, slot, row) }
    } else {
      writeToOne(target, slot, row)
    }
    if old != 0 {
      if slot.pointee.inverse >= 0 { removeInverse(slot, of: UInt32(truncatingIfNeeded: old - 1), owner: row.number) }
      if slot.pointee.deletesOrphans { noteOrphan(slot, UInt32(truncatingIfNeeded: old - 1)) }
    }
    if target != 0, slot.pointee.inverse >= 0 {
      addInverse(slot, of: UInt32(truncatingIfNeeded: target - 1), owner: row)
    }
  }

  /// Links a new row, which is not in the index of its identity, to its owner (M12).
  func linkToOwner(_ target: UInt64, _ slot: PlanReference<SlotPlan>, _ row: PlacedRow) {
    writeToOne(target, slot, row)
    addInverse(slot, of: UInt32(truncatingIfNeeded: target - 1), owner: row)
  }

  @inline(__always)
  func writeToOne(_ target: UInt64, _ slot: PlanReference<SlotPlan>, _ row: PlacedRow) {
    write(target, row, slot.pointee.cell)
    setPresence(target != 0, row, slot.pointee.words)
    if slot.pointee.isAlternate { noteAlternates(row) }
  }

  /// Changes the identity of a row, and updates the index. No other row may have the new identity.
  @inline(never)
  func identify(_ row: PlacedRow, _ change: () -> Void) {
    if leavesIndex { return change() }
    // A fault must be loaded, because the identity also includes its stored values.
    state.loadRow(row.table, row.number)
    unindex(row.table, row.number)
    change()
    index(row.table, row.number)
  }
}
