extension StoredValues {
  /// Appends the identity values among cells, one for each slot.
  mutating func append(_ cells: Cells, _ layout: EntityLayout) {
    appendRow()
    for index in 0..<layout.identityCount {
      let slot = layout.identitySlots[index]
      let cell = cells[slot]
      if cell.tag == .text {
        setText(cell.bytes, row: count - 1, column: index)
      } else {
        setWord(GraphIdentity.normal(cell.bits, layout.slots[slot].kind), row: count - 1, column: index)
      }
    }
  }
}
