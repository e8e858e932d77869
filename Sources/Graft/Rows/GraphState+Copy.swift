/// Copies a whole graph, for snapshots (C3).
extension GraphState {
  /// Returns a separate graph with the same rows under the same numbers, as if it had just been committed: without a journal,
  /// unreferenced texts, holes, or data that only a store needs. Expected time in proportion to the stored data.
  ///
  /// - Parameter positions: for a graph whose rows come from a store, the number of ordered relationships to each table. The
  ///   copy keeps the data that a store needs.
  func copy(_ plan: Plan, positions: [Int]? = nil) -> GraphState {
    var copy = GraphState(plan, positions: positions)
    for table in 0..<tableCount { copy.tables[table].copyRows(of: tables[table]) }
    copy.deletedCounts = deletedCounts
    copy.epoch = epoch
    let packed = copy.copyTexts(from: texts)
    copy.texts.free()
    copy.texts = packed
    copy.copyVectors()
    copy.loads.thinned = loads.thinned
    copy.restart()
    return copy
  }

  /// Copies the vectors of the rows, which still refer to the vectors of another graph.
  private mutating func copyVectors() {
    for table in 0..<tableCount {
      for number in 0..<UInt32(tables[table].rowCount) {
        let row = tables[table].row(number)
        let layout = layouts[row.entity]
        for slot in 0..<layout.slotCount where layout.slots[slot].kind == .toMany {
          let cell = row[layout.slots[slot]]
          guard cell != 0 else { continue }
          let old = RowVector(cell)
          let new = vectors.make(room: old.used, epoch: 0)
          var count = 0
          for place in 0..<old.used where old.rows[place] != 0 {
            new.rows[count] = old.rows[place]
            count += 1
          }
          new.used = count
          if count == 0 { vectors.release(new) }
          row[layout.slots[slot]] = count == 0 ? 0 : new.cell
        }
      }
    }
  }
}
