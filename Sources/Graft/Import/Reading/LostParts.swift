/// Objects identified inside an owner that has lost them in this payload (M12). A later dictionary may return them to their owner:
///
///     [{"id": 1, "lines": []}, {"id": 1, "lines": [{"sku": "a"}]}]        order 1 keeps its line 'a', which is the same object
struct LostParts {
  private struct Identity: Hashable {
    var table: Int
    var hash: UInt64
  }

  private var rows: [Identity: [UInt32]] = [:]

  var isEmpty: Bool { rows.isEmpty }

  /// Notes an object that still has its owner.
  mutating func note(_ place: RowPlace, _ state: Reference<GraphState>) {
    let row = state.row(place.table, place.row)
    guard let hash = GraphIdentity.hash(state.layouts[row.entity], row: row, state.pointee) else { return }
    rows[Identity(table: place.table, hash: hash), default: []].append(place.row)
  }

  /// Removes and returns the object that had an identity, or nil if there is none.
  mutating func take(
    _ table: Int, _ hash: UInt64, where hadIdentity: (UInt32) -> Bool
  ) -> UInt32? {
    let identity = Identity(table: table, hash: hash)
    guard let index = rows[identity]?.firstIndex(where: hadIdentity) else { return nil }
    return rows[identity]?.remove(at: index)
  }
}

extension RowFinder {
  /// Notes the objects that a relationship is about to lose. The identity of these objects includes the owner of the relationship.
  mutating func noteLosses(of slot: SlotPlan, _ row: Row, keeping kept: some Collection<UInt32>) {
    let state = editor.state
    if slot.kind == .toOne {
      guard let target = row.toOne(slot), !kept.contains(target) else { return }
      return lost.note(RowPlace(table: slot.destinationTable, row: target), state)
    }
    let members = RowReader(state).targets(row, slot)
    if members.elementsEqual(kept) { return }
    let keptMembers = Set(kept)
    for member in members where !keptMembers.contains(member) {
      lost.note(RowPlace(table: slot.destinationTable, row: member), state)
    }
  }

  /// Returns a lost object to the owner that lost it. Returns nil if no object has the identity.
  mutating func findLost(_ entity: Int, _ cells: Cells, _ hash: UInt64) -> UInt32? {
    let layout = layouts + entity
    let (table, state, editor) = (layout.pointee.table, editor.state, editor)
    let identity = (0..<layout.pointee.identity.count).map { layout.pointee.identity.slots[$0] }
    let found = lost.take(table, hash) { number in
      let row = state.row(table, number)
      if row.isDeleted || state.layouts[row.entity].identity.space != layout.pointee.identity.space { return false }
      return identity.allSatisfy { number in
        let slot = layout.pointee.slots[number]
        if slot.kind == .toOne { return row[slot] == 0 || row[slot] == cells[number].bits }
        return slot.kind.isText
          ? state.pointee.texts.equals(row[slot], cells[number].bytes)
          : GraphIdentity.normal(row[slot], slot.kind) == GraphIdentity.normal(cells[number].bits, slot.kind)
      }
    }
    guard let found else { return nil }
    for number in identity where layout.pointee.slots[number].kind == .toOne {
      editor.setToOne(cells[number].bits, layout.pointee.slots + number, state.placed(table, found))
    }
    return found
  }
}
