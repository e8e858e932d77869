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

  /// Whether the commit writes a property of a row because of what others changed.
  func isOwn(_ place: RowPlace, _ number: Int) -> Bool {
    guard let columns = settled.ownColumns[place],
      case let places = map.schema.places[state.row(place.table, place.row).entity], number < places.count,
      case .column(let column) = places[number]
    else { return false }
    return columns.contains(column)
  }

  /// Settles what a commit would otherwise write on one side only.
  func settleOneToOnes() throws(StoreError) {
    if differing.outdated.isEmpty { return }
    noteOwnChanges()
    let history = history()
    for place in differing.outdated.sorted() {
      let rows =
        reader.isDeleted(place.table, place.row)
        ? nil : try store.rows(in: place.table, ids: [id(place.table, place.row)])
      // What a rollback brings back is outdated still.
      guard let rows, rows.count == 1 else { continue }
      for (column, number) in map.slots[state.row(place.table, place.row).entity].enumerated() {
        guard let (slot, target) = storedTarget(place, rows, 0, column, number) else { continue }
        settle(place, slot, number, target, history)
      }
    }
    bringStaleUpToDate()
  }

  /// Notes what the context changed, before anything is settled.
  func noteOwnChanges() {
    if settled.own == nil { settled.note(OwnChanges(history())) }
  }

  /// Whether the context changed a property of a row.
  func isChangedHere(_ place: RowPlace, _ number: Int) -> Bool { settled.own?.contains(place, number) ?? false }

  /// The other side of a one-to-one in the store; nil if it is the same in memory, or is not in memory.
  private func storedTarget(
    _ place: RowPlace, _ rows: StoredRows, _ index: Int, _ column: Int, _ property: Int
  ) -> (slot: PlanReference<SlotPlan>, target: RowPlace)? {
    let row = state.row(place.table, place.row)
    guard property >= 0, let id = rows.values.integer(row: index, column: column) else { return nil }
    let slot = state.layouts[row.entity].slots + property
    let table = slot.pointee.destinationTable
    guard isOneToOne(slot.pointee), let number = rowsByID[table][id] else { return nil }
    // Others may have made it an object of the entity that has the other side.
    guard narrow(number, table, to: slot.pointee.destination) else { return nil }
    state.loadRow(table, number)
    if reader.isDeleted(table, number) || row[slot] == UInt64(number) + 1 { return nil }
    return (slot, RowPlace(table: table, row: number))
  }

  private func settle(
    _ place: RowPlace, _ slot: PlanReference<SlotPlan>, _ number: Int, _ target: RowPlace, _ history: RowHistory
  ) {
    let isOwn = isChangedHere(place, number)
    if isOwn { keep(place, number) }
    if isChangedHere(target, slot.pointee.inverse) {
      keep(target, slot.pointee.inverse)
      // The commit moves the target's link elsewhere, so this side loses it.
      if !isOwn { clearLink(of: place, number) }
    } else if isOwn {
      clearLink(of: target, slot.pointee.inverse)
    } else if history.hasEntries(place) || settled.ownColumns[place] != nil {
      let other = reader.targetInMemory(
        state.row(target.table, target.row), inverse(of: slot.pointee, target).pointee)
      settled.noteStale(target)
      if let other { settled.noteStale(RowPlace(table: place.table, row: other)) }
    }
  }

  func inverse(of slot: SlotPlan, _ target: RowPlace) -> PlanReference<SlotPlan> {
    state.layouts[state.row(target.table, target.row).entity].slots + slot.inverse
  }

  /// The commit writes a link that was changed here, even if it has the value again that it had in memory.
  private func keep(_ place: RowPlace, _ number: Int) {
    guard case .column(let column) = map.schema.places[state.row(place.table, place.row).entity][number] else { return }
    settled.keep([column], of: place)
  }

  /// Others gave a row a link that this commit gives to another one.
  private func clearLink(of place: RowPlace, _ number: Int) {
    let row = state.row(place.table, place.row)
    let entity = row.entity
    guard case .column(let column) = map.schema.places[entity][number], !isOwn(place, number) else { return }
    let slot = state.layouts[entity].slots + number
    if let other = reader.targetInMemory(row, slot.pointee) {
      GraphEditor(state).setToOne(0, slot, place.table, place.row, row)
      settled.noteStale(RowPlace(table: slot.pointee.destinationTable, row: other))
    }
    settled.keep([column], of: place)
    settled.noteStale(place)
  }

  /// Gives rows what the store has that lost links, or met one that others moved, and have no changes. The columns that the commit
  /// writes all the same stay as they are.
  func bringStaleUpToDate() {
    var known: Set<RowPlace> = []
    while case let stale = settled.takeStale(), !stale.isEmpty {
      let places = stale.subtracting(known)
      known.formUnion(places)
      for place in places.sorted() where settled.own?.rows.contains(place) != true {
        bringUpToDate(place)
        settled.noteUpToDate(place)
      }
    }
  }

  /// Notes which objects lose a link if a one-to-one of another one leads to a given row, or to none.
  func noteDisplaced(_ place: RowPlace, _ slot: SlotPlan, _ target: UInt64) {
    let row = state.row(place.table, place.row)
    guard isOneToOne(slot), row[slot] != target else { return }
    if let old = row.toOne(slot) { settled.noteStale(RowPlace(table: slot.destinationTable, row: old)) }
    if target == 0 { return }
    let back = state.row(slot.destinationTable, UInt32(truncatingIfNeeded: target - 1))[slot.inverseCell]
    if back != 0 { settled.noteStale(RowPlace(table: place.table, row: UInt32(truncatingIfNeeded: back - 1))) }
  }

  private func bringUpToDate(_ place: RowPlace) {
    state.loadRow(place.table, place.row)
    if reader.isDeleted(place.table, place.row) { return }
    attempt { () throws(StoreError) in
      let rows = try store.rows(in: place.table, ids: [id(place.table, place.row)])
      guard rows.count == 1, !isWidened(place, rows.headers[0]) else { return }
      let own = settled.ownColumns[place] ?? []
      refresh(place, rows, 0) { column in column.map { !own.contains($0) } ?? true }
      settleVersion(rows.headers[0].version, place.table, place.row)
    }
  }

  /// Others linked a row of a conflict, through one-to-ones that the commit changes as well: the other sides lose their links.
  ///
  /// - Parameter columns: the columns of the row that keep what the context has.
  func clearStoredLinks(_ place: RowPlace, _ rows: StoredRows, _ index: Int, _ columns: Set<Int>) {
    let entity = state.row(place.table, place.row).entity
    for (column, number) in map.slots[entity].enumerated() where number >= 0 && columns.contains(column) {
      let slot = state.layouts[entity].slots[number]
      guard isOneToOne(slot), let id = rows.values.integer(row: index, column: column) else { continue }
      let other = RowPlace(
        table: slot.destinationTable, row: self.number(slot.destinationTable, id, entity: slot.destination))
      state.loadRow(other.table, other.row)
      if isHidden(other) {
        // Others may have changed its identity.
        showHidden(all: true, isCommitting: true)
        state.loadRow(other.table, other.row)
        // What has its identity here may give way to it in this commit.
        if isHidden(other) { differing.noteOutdated(place) }
      }
      guard let (_, target) = storedTarget(place, rows, index, column, number) else { continue }
      if isChangedHere(target, slot.inverse) { keep(target, slot.inverse) } else { clearLink(of: target, slot.inverse) }
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
