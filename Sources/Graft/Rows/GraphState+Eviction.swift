/// Forgets facts that can be loaded again, so that a context that lives on does not grow.
extension GraphState {
  /// What becomes of a row.
  enum Fate: UInt8 {
    /// It disappears.
    case dropped
    /// Only its number in the store is kept.
    case fault
    /// Its values and to-ones are kept. Its lists are unknown.
    case kept
  }

  /// Forgets rows that are in the store, in a graph without changes.
  ///
  /// - Parameter fates: by table, what becomes of each row. What the to-one of a kept row leads to is not dropped. Deleted rows are.
  /// - Returns: by table, the new number of each row, `.max` for those that are dropped.
  mutating func letGo(_ fates: [[Fate]]) -> [[UInt32]] {
    for table in 0..<tableCount {
      for number in 0..<UInt32(tables[table].rowCount) { forget(table, number, fates[table][Int(number)]) }
    }
    let moves = (0..<tableCount).map { compact($0, fates[$0]) }
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
        row[tables[table].unloadedWord(slot.word)] |= slot.mask
        row.setPresence(of: slot, !row.isPlaceholder)
      }
    } else if fate == .fault {
      let (entity, id) = (row.entity, row[tables[table].idWord])
      row.words.update(repeating: 0, count: tables[table].stride)
      row.header = RowHeader(entity: entity, RowHeader.stored | RowHeader.fault)
      row[tables[table].idWord] = id
      for word in 1...max(1, tables[table].presenceWords) { row[tables[table].unloadedWord(word)] = ~0 }
    }
  }

  private mutating func compact(_ table: Int, _ fates: [Fate]) -> [UInt32] {
    var moves: [UInt32] = []
    moves.reserveCapacity(fates.count)
    var next: UInt32 = 0
    for (number, fate) in fates.enumerated() {
      if fate == .dropped {
        moves.append(.max)
        continue
      }
      let row = tables[table].row(UInt32(number))
      if next != UInt32(number) { tables[table].row(next).words.update(from: row.words, count: tables[table].stride) }
      moves.append(next)
      next += 1
    }
    tables[table].truncate(to: Int(next))
    forgetDeleted(table)
    return moves
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
