/// One-to-one relationships, of which each side has a column of its own, where others moved a link since one side was loaded.
///
///     store     R --- T    S          others moved the link from S to T
///     memory    R    T --- S          R was loaded afterwards; T and S are as they were before
///
/// R's column differs from what the store has, although nobody changed R. Reading goes on with what is in memory, because
/// objects only change when changes are merged. A commit that writes R or T settles it first.
extension StoreBinding {
  /// Whether a slot is one side of a one-to-one relationship.
  func isOneToOne(_ slot: SlotPlan) -> Bool { slot.kind == .toOne && slot.inverse >= 0 && !slot.inverseIsToMany }

  /// Settles what a commit would otherwise write on one side only.
  func settleOneToOnes() throws(StoreError) {
    if outdated.isEmpty { return }
    let history = RowHistory(state, since: .lastCommit)
    for place in outdated.sorted() {
      let rows =
        reader.isDeleted(place.table, place.row)
        ? nil : try store.rows(in: place.table, ids: [id(place.table, place.row)])
      guard let rows, rows.count == 1 else {
        outdated.remove(place)
        continue
      }
      var isSame = true
      for (column, number) in map.slots[state.row(place.table, place.row).entity].enumerated() {
        guard let (slot, target) = storedTarget(place, rows, 0, column, number) else { continue }
        isSame = false
        settle(place, slot, number, column, target, history)
      }
      if isSame { outdated.remove(place) }
    }
  }

  /// The other side of a one-to-one in the store; nil if it is the same in memory, or is not in memory.
  private func storedTarget(
    _ place: RowPlace, _ rows: StoredRows, _ index: Int, _ column: Int, _ property: Int
  ) -> (slot: PlanReference<SlotPlan>, target: RowPlace)? {
    let row = state.row(place.table, place.row)
    guard property >= 0, let id = rows.values.integer(row: index, column: column) else { return nil }
    let slot = state.layouts[row.entity].slots + property
    let table = slot.pointee.destinationTable
    guard isOneToOne(slot.pointee), let number = rowsByID[table][id], !reader.isDeleted(table, number),
      row[slot] != UInt64(number) + 1
    else { return nil }
    return (slot, RowPlace(table: table, row: number))
  }

  private func settle(
    _ place: RowPlace, _ slot: PlanReference<SlotPlan>, _ number: Int, _ column: Int, _ target: RowPlace,
    _ history: RowHistory
  ) {
    let isOwn = history.changes(place).contains { $0.slot == number }
    let isTargetsOwn = history.changes(target).contains { $0.slot == slot.pointee.inverse }
    if isTargetsOwn {
      // The commit moves the target's link elsewhere, so this side loses it.
      if !isOwn { settled.ownColumns[place, default: []].insert(column) }
    } else if isOwn {
      clearLink(of: target, slot.pointee.inverse, history)
    } else if !isChanged(target, history), history.hasEntries(place) || settled.ownColumns[place] != nil {
      let other = reader.targetInMemory(
        state.row(target.table, target.row), inverse(of: slot.pointee, target).pointee)
      bringUpToDate(target, except: nil)
      let others = other.map { RowPlace(table: place.table, row: $0) }
      if let others, !isChanged(others, history), others != place { bringUpToDate(others, except: nil) }
    }
  }

  /// Whether a commit would write a row, whatever was changed and changed back.
  private func isChanged(_ place: RowPlace, _ history: RowHistory) -> Bool {
    guard history.hasEntries(place) else { return false }
    let (old, new) = (history.oldHeader(place), state.row(place.table, place.row).header)
    return old.contents != new.contents || old.isDeleted != new.isDeleted || !history.changes(place).isEmpty
  }

  private func inverse(of slot: SlotPlan, _ target: RowPlace) -> PlanReference<SlotPlan> {
    state.layouts[state.row(target.table, target.row).entity].slots + slot.inverse
  }

  /// Others gave a row a link that this commit gives to another one.
  private func clearLink(of place: RowPlace, _ number: Int, _ history: RowHistory) {
    let row = state.row(place.table, place.row)
    let entity = row.entity
    guard case .column(let column) = map.schema.places[entity][number] else { return }
    if settled.ownColumns[place]?.contains(column) == true { return }
    let slot = state.layouts[entity].slots + number
    if let other = reader.targetInMemory(row, slot.pointee) {
      let other = RowPlace(table: slot.pointee.destinationTable, row: other)
      GraphEditor(state).setToOne(0, slot, place.table, place.row, row)
      if !isChanged(other, history), other != place { bringUpToDate(other, except: slot.pointee.inverse) }
    }
    if !isChanged(place, history) { bringUpToDate(place, except: number) }
    settled.ownColumns[place, default: []].insert(column)
  }

  /// Gives a row that has no changes what the store has.
  ///
  /// - Parameter slot: one that keeps what it has.
  private func bringUpToDate(_ place: RowPlace, except slot: Int?) {
    attempt { () throws(StoreError) in
      let rows = try store.rows(in: place.table, ids: [id(place.table, place.row)])
      guard rows.count == 1, !isWidened(place, rows.headers[0]) else { return }
      let slots = map.slots[map.entities[place.table][rows.headers[0].entity]]
      refresh(place, rows, 0) { column in column.map { slots[$0] != slot } ?? true }
      settleVersion(rows.headers[0].version, place.table, place.row)
    }
  }

  /// Others linked a row of a conflict, through one-to-ones that the commit changes as well: the other sides lose their links.
  ///
  /// - Parameter columns: the columns of the row that keep what the context has.
  func clearStoredLinks(_ place: RowPlace, _ rows: StoredRows, _ index: Int, _ columns: Set<Int>) {
    let history = RowHistory(state, since: .lastCommit)
    let entity = state.row(place.table, place.row).entity
    for (column, number) in map.slots[entity].enumerated() where number >= 0 && columns.contains(column) {
      let slot = state.layouts[entity].slots[number]
      guard isOneToOne(slot), let id = rows.values.integer(row: index, column: column) else { continue }
      state.loadRow(slot.destinationTable, self.number(slot.destinationTable, id, entity: slot.destination))
      guard let (_, target) = storedTarget(place, rows, index, column, number) else { continue }
      if history.changes(target).contains(where: { $0.slot == slot.inverse }) { continue }
      clearLink(of: target, slot.inverse, history)
    }
  }

  /// The columns of one-to-ones that the context did not change.
  func unchangedOneToOnes(_ place: RowPlace, _ changed: Set<Int>) -> Set<Int> {
    let entity = state.row(place.table, place.row).entity
    let slots = state.layouts[entity].slots
    return Set(
      map.slots[entity].enumerated().compactMap { column, number in
        number >= 0 && isOneToOne(slots[number]) && !changed.contains(column) ? column : nil
      })
  }
}
