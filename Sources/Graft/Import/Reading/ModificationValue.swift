/// The values of modification attributes, in a form that is compared exactly: dates are microseconds.
enum ModificationValue {
  /// The value of a cell; nil if it has none.
  static func of(_ cell: Cell, _ kind: SlotPlan.Kind) -> AttributeValue? {
    switch cell.tag {
    case .word: word(cell.bits, kind)
    case .text: DecimalText.decimal(cell.bytes).map { .decimal($0) }
    default: nil
    }
  }

  /// The value of a row; nil if it is nil.
  static func stored(_ row: Row, _ slot: SlotPlan, _ state: Reference<GraphState>) -> AttributeValue? {
    guard row.isSet(slot) else { return nil }
    if slot.kind.isText { return DecimalText.decimal(state.pointee.texts.bytes(row[slot])).map { .decimal($0) } }
    return word(row[slot], slot.kind)
  }

  private static func word(_ bits: UInt64, _ kind: SlotPlan.Kind) -> AttributeValue {
    switch kind {
    case .double, .float: .double(Double(bitPattern: bits))
    default: .integer(Int64(bitPattern: bits))
    }
  }
}

extension RowFinder {
  /// Whether a row has a later state than the cells: a dictionary inside of theirs has described it (M17).
  func holdsLater(_ number: UInt32, _ entity: Int, than cells: Cells) -> Bool {
    guard let property = plan.entities[entity].synchronization?.modificationSlot else { return false }
    let slot = plan.layouts[entity].slots[property]
    let row = editor.row(plan.layouts[entity].table, number)
    guard let own = ModificationValue.of(cells[property], slot.kind),
      let stored = ModificationValue.stored(row, slot, editor.state)
    else { return false }
    return own.isLess(than: stored)
  }
}
