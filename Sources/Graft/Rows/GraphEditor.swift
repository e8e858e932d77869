/// The one door for writes. Importer, setters and delete rules all come through here, and journal, inverses, identity index
/// and the list of touched rows hang on it: so inverses hold at every moment (I6) and everything can be taken back (I10).
///
/// Unsafe inside: it works on rows through pointers. Rows never move, so a row's address stays good while it is edited.
struct GraphEditor {
  let state: UnsafeMutablePointer<GraphState>
  /// The place in the payload that asks for the change; -1 outside an import.
  var offset = -1
  /// Whether rows that get another owner (M12) are put into the index of their identity elsewhere.
  var leavesIndex = false

  init(_ state: UnsafeMutablePointer<GraphState>) { self.state = state }

  @inline(__always)
  func row(_ table: Int, _ number: UInt32) -> UnsafeMutablePointer<UInt64> { state.pointee.tables[table].row(number) }

  @inline(__always)
  func layout(ofRow base: UnsafeMutablePointer<UInt64>) -> UnsafeMutablePointer<EntityLayout> {
    state.pointee.layouts + RowHeader.entity(base[0])
  }

  // MARK: Words

  /// Whether a change to a row must be journaled: rows that are new in this unit of work vanish when it is taken back.
  @inline(__always)
  func isJournaled(_ table: Int, _ number: UInt32) -> Bool {
    Int(truncatingIfNeeded: number) < state.pointee.tables[table].firstNewRow
  }

  @inline(__always)
  func write(_ value: UInt64, _ table: Int, _ number: UInt32, _ base: UnsafeMutablePointer<UInt64>, _ word: Int) {
    if isJournaled(table, number) {
      state.pointee.journal.append(JournalEntry(.word, table: table, row: number, word: word, old: base[word]))
    }
    base[word] = value
  }

  @inline(__always)
  func setPresence(
    _ isPresent: Bool, _ table: Int, _ number: UInt32, _ base: UnsafeMutablePointer<UInt64>, _ word: Int, _ mask: UInt64
  ) {
    let old = base[word]
    let new = isPresent ? old | mask : old & ~mask
    // What a fault has is only known when it is loaded.
    if new != old, base[0] & RowHeader.fault == 0 { write(new, table, number, base, word) }
  }

  /// Notes that the import touched a row: it is validated at the end (I9, D6).
  @inline(__always)
  func touch(_ table: Int, _ number: UInt32, _ base: UnsafeMutablePointer<UInt64>) {
    let epoch = state.pointee.importEpoch
    if RowHeader.epoch(base[0]) != epoch {
      base[0] =
        base[0] & 0xFFFF_FFFF & ~(RowHeader.described | RowHeader.changed)
        | UInt64(epoch) << 32
      state.pointee.touched.append(
        GraphState.Touch(table: Int32(truncatingIfNeeded: table), row: number, offset: offset))
    }
  }

  // MARK: Rows

  /// A new row of an entity, with nothing in it.
  @inline(__always)
  func insert(_ entity: Int, isPlaceholder: Bool = false) -> UInt32 {
    let layout = state.pointee.layouts + entity
    let table = layout.pointee.table
    let number = state.pointee.tables[table].append()
    let base = row(table, number)
    base[0] = UInt64(entity) | (isPlaceholder ? RowHeader.placeholder : 0)
    if entity != state.pointee.tables[table].rootEntity { state.pointee.tables[table].hasSubentityRows = true }
    touch(table, number, base)
    return number
  }

  /// Puts a row into the identity index, and into the journal that it is there.
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

  /// Makes a row's object one of a sub-entity: its place stays (D5).
  func changeEntity(_ table: Int, _ number: UInt32, to entity: Int) {
    let base = row(table, number)
    write(base[0] & ~RowHeader.entityMask | UInt64(entity), table, number, base, 0)
    state.pointee.tables[table].hasSubentityRows = true
  }

  func setFlag(_ flag: UInt64, _ isSet: Bool, _ table: Int, _ number: UInt32) {
    let base = row(table, number)
    let new = isSet ? base[0] | flag : base[0] & ~flag
    if new != base[0] { write(new, table, number, base, 0) }
  }

  // MARK: Attributes

  /// Sets an attribute that is kept as a word.
  @inline(__always)
  func setWord(
    _ value: UInt64, _ slot: UnsafeMutablePointer<SlotPlan>, _ table: Int, _ number: UInt32,
    _ base: UnsafeMutablePointer<UInt64>
  ) {
    if base[slot.pointee.word] & slot.pointee.mask != 0 {
      if base[slot.pointee.cell] == value { return }
    } else {
      write(base[slot.pointee.word] | slot.pointee.mask, table, number, base, slot.pointee.word)
    }
    write(value, table, number, base, slot.pointee.cell)
  }

  /// Sets an attribute that is kept as bytes; nothing is written, or made, where the bytes are the same.
  @inline(__always)
  func setText(
    _ cell: Cell, _ slot: UnsafeMutablePointer<SlotPlan>, _ table: Int, _ number: UInt32,
    _ base: UnsafeMutablePointer<UInt64>
  ) {
    let old = base[slot.pointee.cell]
    if base[slot.pointee.word] & slot.pointee.mask != 0 {
      if state.pointee.texts.equals(old, cell.base, cell.count) { return }
      if slot.pointee.kind == .json, isSameJSON(old, cell) { return }
      state.pointee.texts.garbage += state.pointee.texts.bytes(old).count
    } else {
      write(base[slot.pointee.word] | slot.pointee.mask, table, number, base, slot.pointee.word)
    }
    write(state.pointee.texts.store(cell.base, cell.count), table, number, base, slot.pointee.cell)
  }

  /// The same value in another order of members is no change.
  @inline(never)
  private func isSameJSON(_ old: UInt64, _ cell: Cell) -> Bool {
    guard let left = try? JSONBuilder.json(state.pointee.texts.bytes(old)),
      let right = try? JSONBuilder.json(cell.bytes)
    else { return false }
    return left == right
  }

  func setNil(
    _ slot: UnsafeMutablePointer<SlotPlan>, _ table: Int, _ number: UInt32, _ base: UnsafeMutablePointer<UInt64>
  ) {
    guard base[slot.pointee.word] & slot.pointee.mask != 0 else { return }
    if slot.pointee.kind.isText {
      state.pointee.texts.garbage += state.pointee.texts.bytes(base[slot.pointee.cell]).count
    }
    write(base[slot.pointee.word] & ~slot.pointee.mask, table, number, base, slot.pointee.word)
    write(0, table, number, base, slot.pointee.cell)
  }
}
