/// The values of modification attributes, in a form that can be compared exactly: dates are in microseconds.
enum ModificationValue {
  /// Returns the value of a cell, or nil if the cell has no value.
  static func of(_ cell: Cell, _ kind: SlotPlan.Kind) -> AttributeValue? {
    switch cell.tag {
    case .word: word(cell.bits, kind)
    case .text: DecimalText.decimal(cell.bytes).map { .decimal($0) }
    default: nil
    }
  }

  /// Returns the value of a row, or nil if the value is nil.
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
  /// Returns whether a row has a later state than the cells because a dictionary nested in the cells' dictionary has described the row
  /// (M17).
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
