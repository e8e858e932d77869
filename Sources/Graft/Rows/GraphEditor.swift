/// The only way to change rows. The importer, setters and delete rules all use the editor, which maintains the journal,
/// inverses, the identity index and the list of touched rows. Inverses are therefore consistent at every moment (I6), and
/// everything can be rolled back (I10).
///
/// The editor is unsafe inside, because it works on rows through pointers. Rows never move, so a row's address stays valid while it is
/// edited.
struct GraphEditor {
  let state: Reference<GraphState>
  /// The offset in the payload of the value that causes the change; -1 outside an import.
  var offset = -1
  /// Whether rows that get another owner (M12) are added to the index of their identity by other code.
  var leavesIndex = false
  /// Whether faults and unknown lists are kept, because the written values are the current contents of a store.
  var skipsUnknown = false

  init(_ state: Reference<GraphState>) { self.state = state }

  @inline(__always)
  func row(_ table: Int, _ number: UInt32) -> Row { state.tables[table].row(number) }

  @inline(__always)
  func layout(ofRow row: Row) -> PlanReference<EntityLayout> {
    state.layouts + row.entity
  }

  // MARK: Words

  /// Whether a change to a row must be journaled. Rows that are new in this transaction need no journal, because a rollback drops them.
  @inline(__always)
  func isJournaled(_ table: Int, _ number: UInt32) -> Bool {
    Int(truncatingIfNeeded: number) < state.tables[table].firstNewRow
  }

  @inline(__always)
  func isJournaled(_ row: PlacedRow) -> Bool { isJournaled(row.table, row.number) }

  @inline(__always)
  func write(_ value: UInt64, _ row: PlacedRow, _ word: Int) {
    if isJournaled(row) {
      state.pointee.journal.append(JournalEntry(.word, table: row.table, row: row.number, word: word, old: row[word]))
    }
    row[word] = value
  }

  /// Writes whether a property has a value.
  @inline(__always)
  func setPresence(_ isPresent: Bool, _ row: PlacedRow, _ words: SlotWords) {
    let old = row[words.word]
    let new = isPresent ? old | words.mask : old & ~words.mask
    // The values of a fault are unknown until it is loaded.
    if new != old, !row.row.isFault { write(new, row, words.word) }
  }

  /// Notes that the import touched a row, so that the row is validated at the end (I9, D6).
  @inline(__always)
  func touch(_ row: PlacedRow) {
    let epoch = state.pointee.importEpoch
    if row.row.epoch != epoch {
      row.row.header = row.row.header.touched(in: epoch)
      state.pointee.touched.append(
        GraphState.Touch(table: Int32(truncatingIfNeeded: row.table), row: row.number, offset: offset))
    }
  }

  // MARK: Rows

  /// Inserts an empty row of an entity.
  @inline(__always)
  func insert(_ entity: Int, isPlaceholder: Bool = false) -> UInt32 {
    let table = (state.layouts + entity).pointee.table
    let row = state.placed(table, state.tables[table].append())
    row.row.header = RowHeader(entity: entity, isPlaceholder ? RowHeader.placeholder : 0)
    if entity != state.tables[table].rootEntity { state.tables[table].hasSubentityRows = true }
    touch(row)
    return row.number
  }

  /// Adds a row to the identity index, and notes this in the journal.
  func index(_ table: Int, _ number: UInt32) {
    GraphIdentity.insert(number, table: table, &state.pointee)
    if isJournaled(table, number) {
      state.pointee.journal.append(JournalEntry(.indexed, table: table, row: number, word: 0, old: 0))
    }
  }

  func unindex(_ table: Int, _ number: UInt32) {
    GraphIdentity.remove(number, table: table, &state.pointee)
    if isJournaled(table, number) {
      state.pointee.journal.append(JournalEntry(.unindexed, table: table, row: number, word: 0, old: 0))
    }
  }

  /// Changes the entity of a row's object to a sub-entity. The row stays the same (D5).
  func changeEntity(_ table: Int, _ number: UInt32, to entity: Int) {
    let row = state.placed(table, number)
    var header = row.row.header
    header.entity = entity
    write(header.bits, row, 0)
    state.tables[table].hasSubentityRows = true
    noteAlternates(row)
  }

  func setFlag(_ flag: UInt64, _ isSet: Bool, _ table: Int, _ number: UInt32) {
    let row = state.placed(table, number)
    let new = row.row.header.with(flag, isSet)
    if new != row.row.header { write(new.bits, row, 0) }
  }

  // MARK: Attributes

  /// Sets an attribute that is stored as a word.
  @inline(__always)
  func setWord(_ value: UInt64, _ slot: PlanReference<SlotPlan>, _ row: PlacedRow) {
    if row.row.isSet(slot) {
      if row[slot] == value { return }
    } else {
      write(row[slot.pointee.word] | slot.pointee.mask, row, slot.pointee.word)
    }
    write(value, row, slot.pointee.cell)
    if slot.pointee.isAlternate { noteAlternates(row) }
  }

  /// Sets an attribute that is stored as bytes. If the bytes are the same, nothing is written or allocated.
  @inline(__always)
  func setText(_ cell: Cell, _ slot: PlanReference<SlotPlan>, _ row: PlacedRow) {
    let old = row[slot]
    if row.row.isSet(slot) {
      if state.pointee.texts.equals(old, cell.bytes) { return }
      if slot.pointee.kind == .json, isSameJSON(old, cell) { return }
      state.pointee.texts.garbage += state.pointee.texts.bytes(old).count
    } else {
      write(row[slot.pointee.word] | slot.pointee.mask, row, slot.pointee.word)
    }
    write(state.pointee.texts.store(cell.bytes, isPlain: cell.isPlain), row, slot.pointee.cell)
    if slot.pointee.isAlternate { noteAlternates(row) }
  }

  /// Sets an attribute to the value in a cell.
  @inline(__always)
  func setValue(_ cell: Cell, _ slot: PlanReference<SlotPlan>, _ row: PlacedRow) {
    if cell.tag == .word { setWord(cell.bits, slot, row) } else { setText(cell, slot, row) }
  }

  /// Whether two JSON values are the same. A different order of members is not a change.
  @inline(never)
  private func isSameJSON(_ old: UInt64, _ cell: Cell) -> Bool {
    guard let left = try? JSONBuilder.json(state.pointee.texts.bytes(old)),
      let right = try? JSONBuilder.json(cell.bytes)
    else { return false }
    return left == right
  }

  func setNil(_ slot: PlanReference<SlotPlan>, _ row: PlacedRow) {
    guard row.row.isSet(slot) else { return }
    if slot.pointee.kind.isText {
      state.pointee.texts.garbage += state.pointee.texts.bytes(row[slot]).count
    }
    write(row[slot.pointee.word] & ~slot.pointee.mask, row, slot.pointee.word)
    write(0, row, slot.pointee.cell)
    if slot.pointee.isAlternate { noteAlternates(row) }
  }
}
