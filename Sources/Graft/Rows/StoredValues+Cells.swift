extension StoredValues {
  /// Appends the identity values in the given cells, one for each slot.
  mutating func append(_ cells: Cells, _ layout: EntityLayout) {
    appendRow()
    for index in 0..<layout.identity.count {
      let slot = layout.identity.slots[index]
      let cell = cells[slot]
      if cell.tag == .text {
        setText(cell.bytes.buffer, row: count - 1, column: index)
      } else {
        setWord(GraphIdentity.normal(cell.bits, layout.slots[slot].kind), row: count - 1, column: index)
      }
    }
  }

  /// Sets the values of the last row to the values of a row in memory, without positions.
  ///
  /// - Parameters:
  ///   - slots: for each column, the number of its slot; -1 if the entity has no such slot.
  ///   - reference: a closure that returns the number of the row that a to-one relationship's cell refers to; nil if that row is deleted.
  @inline(__always)
  mutating func setLastRow(
    _ row: Row, _ slots: [Int], _ layout: PlanReference<EntityLayout>, _ state: Reference<GraphState>,
    reference: (UInt64, PlanReference<SlotPlan>) -> Int64?
  ) {
    // The bounds are checked once here, instead of for each value, as in the methods that set individual values.
    precondition(slots.count == columnCount && count > 0)
    let (first, bitWords) = ((count - 1) * stride, bitWords)
    var texts = StoredTexts()
    swap(&texts, &self.texts)
    words.withUnsafeMutableBufferPointer { words in
      let bits = words.baseAddress.unsafelyUnwrapped + first
      let values = bits + bitWords
      for column in slots.indices where slots[column] >= 0 {
        let slot = layout.pointee.slots + slots[column]
        guard row.isSet(slot) else { continue }
        let cell = row[slot]
        if slot.pointee.kind == .toOne {
          guard cell != 0, let id = reference(cell, slot) else { continue }
          values[column] = UInt64(bitPattern: id)
        } else {
          values[column] = slot.pointee.kind.isText ? texts.append(state.pointee.texts.bytes(cell)) : cell
        }
        bits[column >> 6] |= 1 << UInt64(column & 63)
      }
    }
    swap(&texts, &self.texts)
  }
}
