/// Changes the vectors in which rows keep the members of to-many relationships.
extension GraphEditor {
  @inline(__always)
  func appendRow(_ added: UInt32, _ row: PlacedRow, _ word: Int) {
    let cell = row[word]
    let epoch = state.pointee.epoch
    if cell != 0 {
      let vector = RowVector(cell)
      if vector.used < vector.capacity {
        if vector.epoch != epoch, isJournaled(row) {
          state.pointee.journal.append(
            JournalEntry(.append, table: row.table, row: row.number, word: word, old: UInt64(added)))
        }
        state.pointee.vectors.append(added, to: vector)
        return
      }
    }
    let vector = replaceVector(row, word, room: state.pointee.vectors.count(cell) + 1, kind: .growth)
    state.pointee.vectors.append(added, to: vector)
  }

  func removeRow(_ removed: UInt32, _ row: PlacedRow, _ word: Int) {
    guard row[word] != 0 else { return }
    var vector = RowVector(row[word])
    if vector.epoch != state.pointee.epoch, isJournaled(row) {
      if vector.used > RowVector.indexedCount, !state.pointee.vectors.isMostlyHoles(vector) {
        return removeFromLong(vector, removed, row, word)
      }
      vector = replaceVector(row, word, room: vector.used, kind: .vector)
    }
    _ = state.pointee.vectors.remove(removed, from: vector)
  }

  /// Removes a row, without a copy, from a vector that the journal must be able to restore.
  @inline(never)
  private func removeFromLong(_ vector: RowVector, _ removed: UInt32, _ row: PlacedRow, _ word: Int) {
    guard let place = state.pointee.vectors.place(of: removed, in: vector) else { return }
    state.pointee.journal.append(
      JournalEntry(removed: removed, at: place, from: row.number, row.table, word: word))
    state.pointee.vectors.takeOut(at: place, of: vector)
  }

  /// Replaces a row's vector by one that contains the old members and has free space.
  private func replaceVector(_ row: PlacedRow, _ word: Int, room: Int, kind: JournalEntry.Kind) -> RowVector {
    let cell = row[word]
    let vector = state.pointee.vectors.make(room: room, epoch: state.pointee.epoch)
    if cell != 0 { state.pointee.vectors.copyRows(of: RowVector(cell), to: vector) }
    install(vector.cell, row, word, kind: kind)
    return vector
  }

  /// Puts another vector into a cell. The old vector is kept for the journal, or freed.
  @inline(__always)
  func install(_ new: UInt64, _ row: PlacedRow, _ word: Int, kind: JournalEntry.Kind = .vector) {
    let old = row[word]
    row[word] = new
    if isJournaled(row) {
      if old == 0 {
        state.pointee.journal.append(JournalEntry(kind, table: row.table, row: row.number, word: word, old: 0))
      } else if RowVector(old).epoch == state.pointee.epoch {
        state.pointee.vectors.release(RowVector(old))
        state.pointee.replacedVectors &+= 1
      } else {
        state.pointee.vectors.retire(RowVector(old))
        state.pointee.journal.append(JournalEntry(kind, table: row.table, row: row.number, word: word, old: old))
        state.pointee.retired.append(old)
      }
    } else if old != 0 {
      state.pointee.vectors.release(RowVector(old))
    }
  }
}
