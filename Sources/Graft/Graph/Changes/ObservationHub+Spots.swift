/// Determines in advance, as views expect, the indirect effects of a change made in code: inverses, and the links that they displace
/// (I6).
extension GraphEditor {
  typealias Spot = ObservationHub.Spot

  /// Returns the properties that change if the objects of a relationship are replaced by the given rows.
  func spots(replacing slot: Int, with rows: [UInt32], _ table: Int, _ number: UInt32) -> [Spot] {
    let row = row(table, number)
    let plan = layout(ofRow: row).pointee.slots[slot]
    if plan.kind == .toMany { state.loadList(row, plan) }
    let old = row.links(plan)
    return old == rows ? [] : spots(relinking: Array(Set(old).symmetricDifference(rows)), slot, table, number)
  }

  /// Returns the properties that change if the given rows are linked or unlinked.
  func spots(relinking rows: [UInt32], _ number: Int, _ table: Int, _ row: UInt32) -> [Spot] {
    let slot = layout(ofRow: self.row(table, row)).pointee.slots[number]
    var spots = [Spot(table: table, row: row, slot: number)]
    guard slot.inverse >= 0 else { return spots }
    for target in rows {
      spots.append(Spot(table: slot.destinationTable, row: target, slot: slot.inverse))
      // The target may be linked to a different owner, which then loses the target.
      if slot.inverseSlot.isToMany { continue }
      state.loadRow(slot.destinationTable, target)
      let owner = self.row(slot.destinationTable, target)[slot.inverseSlot.words.cell]
      if owner != 0 {
        spots.append(Spot(table: table, row: UInt32(truncatingIfNeeded: owner - 1), slot: number))
      }
    }
    return spots
  }

  /// Returns the properties that change if the given rows are deleted.
  func spots(deleting places: [RowPlace]) -> [Spot] {
    var spots: [Spot] = []
    for place in places {
      spots.append(Spot(table: place.table, row: place.row, slot: Spot.everything))
      let row = row(place.table, place.row)
      let layout = layout(ofRow: row)
      for number in 0..<layout.pointee.slotCount {
        let slot = layout.pointee.slots[number]
        guard slot.kind.isRelationship, slot.inverse >= 0 else { continue }
        spots += row.links(slot).map { Spot(table: slot.destinationTable, row: $0, slot: slot.inverse) }
      }
    }
    return spots
  }
}
