/// Placeholders that others have narrowed in the store since they were loaded here (D5).
///
///     store     Tree(1) --> Garden(7)    others made a garden of the place
///     memory               Place(7), a placeholder
///
/// When Tree(1) is loaded, it leads to a garden. So Place(7) becomes one, with the links that the store has of it as a garden; it
/// is a placeholder until changes are merged. This is no change, and no rollback takes it back.
extension StoreBinding {
  /// Makes an object one of a sub-entity, if it is of a parent so far: what leads to it needs the slots of the sub-entity.
  ///
  /// - Returns: whether it is of the entity now. It may have been made one of another sub-entity here: the next commit meets that
  ///   conflict, and until then nothing leads to the object that needs the slots of the entity.
  @discardableResult
  func narrow(_ number: UInt32, _ table: Int, to entity: Int) -> Bool {
    let row = state.row(table, number)
    let own = row.entity
    if own == entity || plan.layouts[own].isKind(of: plan.layouts[entity]) { return true }
    guard plan.layouts[entity].isKind(of: plan.layouts[own]) else { return false }
    let place = RowPlace(table: table, row: number)
    setEntity(of: place, to: entity)
    if row.isFault { return true }
    unloadLists(of: place, beyond: own)
    differing.noteNarrowed(DifferingRows.Narrowed(place: place, entity: own))
    return true
  }

  /// Loads what narrowed objects have as those of their sub-entities. Deleted ones follow when a rollback brings them back.
  func fillNarrowed() {
    var failed: [DifferingRows.Narrowed] = []
    while case let all = differing.takeNarrowed(where: { !reader.isDeleted($0.table, $0.row) }), !all.isEmpty {
      for (table, rows) in Dictionary(grouping: all, by: \.place.table).sorted(by: { $0.key < $1.key }) {
        failed += rows
        attempt { () throws(StoreError) in
          let stored = try store.rows(in: table, ids: rows.map { id(table, $0.place.row) })
          failed.removeLast(rows.count)
          fill(rows, stored)
        }
      }
    }
    // Those are tried again with the next load.
    failed.forEach { differing.noteNarrowed($0) }
  }

  private func fill(_ narrowed: [DifferingRows.Narrowed], _ stored: StoredRows) {
    let load = state.beginLoad()
    let entities = Dictionary(narrowed.map { ($0.place, $0.entity) }) { first, _ in first }
    for (index, header) in stored.headers.enumerated() {
      guard let number = rowsByID[stored.table][header.id],
        case let place = RowPlace(table: stored.table, row: number), let old = entities[place]
      else { continue }
      fill(place, from: old, stored, index, load)
    }
    state.endLoad(load)
  }

  private func fill(_ place: RowPlace, from old: Int, _ stored: StoredRows, _ index: Int, _ load: RowLoads.Load) {
    let header = stored.headers[index]
    let entity = map.entities[place.table][header.entity]
    // What was merged meanwhile has all values, and what was hidden meanwhile is loaded anew.
    if isWidened(place, header) || version(place.table, place.row) == header.version
      || state.row(place.table, place.row).isFault
    {
      return
    }
    GraphIdentity.remove(place.row, table: place.table, &state.pointee)
    let own = state.row(place.table, place.row).entity
    if own != entity {
      setEntity(of: place, to: entity)
      unloadLists(of: place, beyond: own)
    }
    if load.isAmongChanges { state.pointee.loads.filled.append(place) }
    keepingPresence(of: place) {
      fill(place.row, stored, index, load, from: state.layouts[old].slotCount)
    }
    if !GraphIdentity.insertIfFirst(place.row, table: place.table, &state.pointee) { hide(place.row, place.table) }
  }

  /// The lists that an object has as one of a sub-entity are loaded when they are read.
  ///
  /// - Parameter old: the entity whose lists stay as they are.
  func unloadLists(of place: RowPlace, beyond old: Int) {
    let row = state.row(place.table, place.row)
    let layout = state.layouts[row.entity]
    let first = state.layouts[old].slotCount
    guard first < layout.slotCount else { return }
    keepingPresence(of: place) {
      for number in first..<layout.slotCount where layout.slots[number].kind == .toMany {
        let slot = layout.slots[number]
        row[state.tables[place.table].unloadedWord(slot.word)] |= slot.mask
        // A list that is not loaded counts as given.
        row.setPresence(of: slot, true)
      }
    }
  }

  /// A rollback made objects those of a parent entity again: nothing of the sub-entity remains.
  func forgetLists(ofWidened places: [RowPlace]) {
    for place in places where Int(place.row) < state.tables[place.table].rowCount {
      let row = state.row(place.table, place.row)
      if row.isFault { continue }
      let layout = state.layouts[row.entity]
      let table = state.tables[place.table]
      for word in 0..<table.presenceWords {
        var own: UInt64 = 0
        for number in 0..<layout.slotCount where layout.slots[number].word == word + 1 {
          own |= layout.slots[number].mask
        }
        row[word + 1] &= own
        row[table.unloadedWord(word + 1)] &= own
        // A rollback that goes further back restores none of it either.
        changeJournal(of: place, word: word + 1) { $0 & own }
      }
    }
  }

  // MARK: The journal

  /// Sets the entity of an object, for rollbacks as well.
  private func setEntity(of place: RowPlace, to entity: Int) {
    let row = state.row(place.table, place.row)
    let own = row.entity
    row.header.entity = entity
    state.tables[place.table].hasSubentityRows = true
    changeJournal(of: place, word: 0) { old in
      var header = RowHeader(bits: old)
      if header.entity == own { header.entity = entity }
      return header.bits
    }
  }

  /// What becomes present while a closure runs stays so if changes are taken back.
  private func keepingPresence(of place: RowPlace, _ body: () -> Void) {
    let row = state.row(place.table, place.row)
    let words = 1..<1 + state.tables[place.table].presenceWords
    let before = words.map { row[$0] }
    body()
    for (word, old) in zip(words, before) where row[word] & ~old != 0 {
      let gained = row[word] & ~old
      changeJournal(of: place, word: word) { $0 | gained }
    }
  }

  private func changeJournal(of place: RowPlace, word: Int, _ change: (UInt64) -> UInt64) {
    for index in 0..<state.pointee.journal.count {
      let entry = state.pointee.journal[index]
      guard entry.kind == .word, entry.word == word, entry.row == place.row, entry.table == place.table else {
        continue
      }
      let new = change(entry.old)
      state.pointee.journal[index] = JournalEntry(.word, table: place.table, row: place.row, word: word, old: new)
    }
  }
}
