/// Links without inverse to deleted objects (M6). Nobody hears of the deletion, and they read as nothing; where something must
/// be there, that has to be found.
extension GraphEditor {
  /// Takes away the links of required relationships without inverse that lead to deleted rows, and touches their owners, so
  /// that they are validated.
  ///
  /// Costs nothing unless objects were deleted to which such relationships lead; then the rows that have them are looked at.
  ///
  /// - Parameter isNewlyDeleted: whether rows of a table were deleted in this unit of work.
  func dropRequiredLinksToDeleted(_ isNewlyDeleted: ((Int) -> Bool)? = nil) {
    let hasDeleted = isNewlyDeleted ?? { state.deletedSinceCommit($0) }
    guard (0..<state.tableCount).contains(where: hasDeleted) else { return }
    let entities = state.plan._withUnsafeGuaranteedRef { $0.entities }
    for entity in entities {
      for (number, property) in entity.properties.enumerated() {
        guard let relationship = property.relationship, !relationship.isOptional || relationship.minCount ?? 0 > 0
        else {
          continue
        }
        let slot = state.layouts[entity.index].slots + number
        guard slot.pointee.inverse < 0, hasDeleted(slot.pointee.destinationTable) else { continue }
        dropLinksToDeleted(slot, ofExactly: entity.index)
      }
    }
  }

  private func dropLinksToDeleted(_ slot: PlanReference<SlotPlan>, ofExactly entity: Int) {
    let table = state.layouts[entity].table
    for number in 0..<UInt32(state.tables[table].rowCount) {
      let row = row(table, number)
      guard row.entity == entity, !row.isDeleted, row[slot] != 0 else { continue }
      let linked = row.links(slot.pointee)
      let left = linked.filter { !self.row(slot.pointee.destinationTable, $0).isDeleted }
      guard left.count < linked.count else { continue }
      touch(table, number, row)
      if left.isEmpty {
        clear(slot, table, number, row)
      } else {
        setToMany(left, union: false, slot, table, number, row)
      }
    }
  }
}
