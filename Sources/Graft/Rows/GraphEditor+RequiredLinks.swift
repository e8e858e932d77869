/// Links without an inverse to deleted objects (M6). Their owners are not notified of the deletion, and the links read as empty. If
/// such a link is required, this must be detected.
extension GraphEditor {
  /// Removes the links of required relationships without an inverse that refer to deleted rows, and touches their owners, so that
  /// they are validated.
  ///
  /// This costs nothing unless destination objects of such relationships were deleted. In that case, the rows with such relationships are
  /// examined.
  ///
  /// - Parameter isNewlyDeleted: whether rows of a table were deleted in this transaction.
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
      let placed = PlacedRow(table, number, row)
      touch(placed)
      // The list loses these members because they are deleted, like a list that is not required. The program has not edited it.
      let edits = state.pointee.loads.editCount
      defer { state.pointee.loads.forgetEdits(from: edits) }
      if left.isEmpty {
        clear(slot, placed)
      } else {
        setToMany(left, union: false, slot, placed)
      }
    }
  }
}
