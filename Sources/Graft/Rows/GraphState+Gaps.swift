/// Moves rows together when more than half of a table is deleted, so a table never holds more deleted rows than live rows
/// (beyond a small minimum).
extension GraphState {
  /// The minimum number of deleted rows that justifies moving the other rows.
  static let fewestGaps = 512

  /// Whether more than half of a table's rows are deleted, and there are enough of them to justify moving the other rows.
  func hasGapsToClose(_ table: Int) -> Bool {
    deletedCounts[table] >= GraphState.fewestGaps && deletedCounts[table] * 2 > tables[table].rowCount
  }

  /// Moves the rows of a table together if more than half of them are deleted. Call this only right after a commit, when the journal
  /// does not refer to any row.
  ///
  /// - Returns: the new number of each row, `.max` for deleted rows; nil if nothing moved.
  mutating func closeGaps(_ table: Int) -> [UInt32]? {
    guard hasGapsToClose(table) else { return nil }
    for number in 0..<UInt32(tables[table].rowCount) {
      let row = tables[table].row(number)
      if row.isDeleted { releaseVectors(row) }
    }
    let rows = tables[table]
    let moves = compact(table) { rows.row(UInt32($0)).isDeleted }
    redirectLinks(to: table, moves)
    for other in 0..<tableCount where other == table || hasOwners(other, in: table) { rebuildIndexes(other) }
    restart()
    return moves
  }

  /// Moves the rows of a table together.
  ///
  /// - Parameter isGone: a closure that returns whether a row is removed.
  /// - Returns: the new number of each row, `.max` for removed rows.
  mutating func compact(_ table: Int, _ isGone: (Int) -> Bool) -> [UInt32] {
    var moves: [UInt32] = []
    moves.reserveCapacity(tables[table].rowCount)
    var next: UInt32 = 0
    for number in 0..<tables[table].rowCount {
      if isGone(number) {
        moves.append(.max)
        continue
      }
      let row = tables[table].row(UInt32(number))
      if next != number { tables[table].row(next).words.update(from: row.words, count: tables[table].stride) }
      moves.append(next)
      next += 1
    }
    tables[table].truncate(to: Int(next))
    forgetDeleted(table)
    return moves
  }

  mutating func releaseVectors(_ row: Row) {
    let layout = layouts[row.entity]
    for slot in 0..<layout.slotCount where layout.slots[slot].kind == .toMany {
      let cell = row[layout.slots[slot]]
      if cell != 0 { vectors.release(RowVector(cell)) }
    }
  }

  /// Updates links to the new numbers. Links to deleted rows, which only relationships without an inverse have, are removed.
  private mutating func redirectLinks(to moved: Int, _ moves: [UInt32]) {
    for table in 0..<tableCount {
      for number in 0..<UInt32(tables[table].rowCount) {
        let row = tables[table].row(number)
        let layout = layouts[row.entity]
        for index in 0..<layout.slotCount {
          let slot = layout.slots[index]
          guard slot.kind.isRelationship, slot.destinationTable == moved, row[slot] != 0 else { continue }
          if slot.kind == .toOne {
            let new = moves[Int(row[slot]) - 1]
            row[slot] = new == .max ? 0 : UInt64(new) + 1
          } else {
            redirect(RowVector(row[slot]), moves)
            if RowVector(row[slot]).used == 0 {
              vectors.release(RowVector(row[slot]))
              row[slot] = 0
            }
          }
          if row[slot] == 0 { row.setPresence(of: slot, false) }
        }
      }
    }
  }

  private mutating func redirect(_ vector: RowVector, _ moves: [UInt32]) {
    vectors.dropIndex(vector)
    var next = 0
    for place in 0..<vector.used {
      let new = moves[Int(vector.rows[place]) - 1]
      if new == .max { continue }
      vector.rows[next] = new + 1
      next += 1
    }
    vector.used = next
  }

  /// Whether objects of a table are identified by objects of another table, which are referred to by row (M12, M27).
  private func hasOwners(_ table: Int, in owners: Int) -> Bool {
    plan._withUnsafeGuaranteedRef { plan in
      plan.entities.contains { entity in
        let layout = layouts[entity.index]
        return layout.table == table
          && (entity.ownerSlots + entity.alternates.flatMap(\.slots)).contains {
            layout.slots[$0].destinationTable == owners
          }
      }
    }
  }

  mutating func rebuildIndexes(_ table: Int) {
    tables[table].clearIndexes()
    for number in 0..<UInt32(tables[table].rowCount) { GraphIdentity.insert(number, table: table, &self) }
  }
}
