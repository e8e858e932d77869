/// Evicts rows that can be loaded again, so that a long-lived context does not grow.
extension GraphState {
  /// The outcome for a row.
  enum Fate: UInt8 {
    /// The row is removed.
    case dropped
    /// Only the row's number in the store is kept.
    case fault
    /// The row's values and to-one relationships are kept. Its lists become unknown.
    case kept
  }

  /// Evicts rows of a graph without changes.
  ///
  /// - Parameter fates: the fate of each row, by table. Deleted rows are dropped; the target of a kept row's to-one relationship must not
  ///   be dropped.
  /// - Returns: by table, the new number of each row, `.max` for dropped rows.
  mutating func evict(_ fates: [[Fate]]) -> [[UInt32]] {
    for table in 0..<tableCount {
      for number in 0..<UInt32(tables[table].rowCount) { forget(table, number, fates[table][Int(number)]) }
    }
    let moves = (0..<tableCount).map { table in compact(table) { fates[table][$0] == .dropped } }
    for table in 0..<tableCount { redirectToOnes(table, moves) }
    for table in 0..<tableCount { rebuildIndexes(table) }
    compactTexts()
    restart()
    return moves
  }

  private mutating func forget(_ table: Int, _ number: UInt32, _ fate: Fate) {
    let row = row(table, number)
    if row.isFault { return }
    releaseVectors(row)
    let layout = layouts[row.entity]
    if fate == .kept {
      for index in 0..<layout.slotCount where layout.slots[index].kind == .toMany {
        let slot = layout.slots[index]
        row[slot] = 0
        tables[table].markUnknown(slot, in: row)
        row.setPresence(of: slot, !row.isPlaceholder)
      }
    } else if fate == .fault {
      let (entity, id) = (row.entity, row[tables[table].idWord])
      row.words.update(repeating: 0, count: tables[table].stride)
      row.header = RowHeader(entity: entity, RowHeader.stored | RowHeader.fault)
      row[tables[table].idWord] = id
      tables[table].markAllUnknown(in: row)
    }
  }

  private func redirectToOnes(_ table: Int, _ moves: [[UInt32]]) {
    for number in 0..<UInt32(tables[table].rowCount) {
      let row = row(table, number)
      let layout = layouts[row.entity]
      for index in 0..<layout.slotCount where layout.slots[index].kind == .toOne {
        let slot = layout.slots[index]
        guard let target = row.toOne(slot) else { continue }
        let new = moves[slot.destinationTable][Int(target)]
        row[slot] = new == .max ? 0 : UInt64(new) + 1
        if new == .max { row.setPresence(of: slot, false) }
      }
    }
  }
}
