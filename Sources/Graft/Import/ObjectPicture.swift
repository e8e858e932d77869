/// The state of an object at some moment.
struct ObjectPicture {
  enum Value: Equatable {
    case value(JSON)
    case links([UInt32])
  }

  let header: RowHeader
  let slots: [Value]

  init(_ table: Int, _ number: UInt32, _ state: Reference<GraphState>) {
    state.loadRow(table, number)
    let row = state.row(table, number)
    header = row.header
    let layout = state.layouts[row.entity]
    let reader = RowReader(state)
    slots = (0..<layout.slotCount).map { index in
      let slot = layout.slots[index]
      switch slot.kind {
      case .toOne: return .links(reader.targetInMemory(row, slot).map { [$0] } ?? [])
      case .toMany: return .links(reader.targets(row, slot))
      default: return .value(reader.storedJSON(row, slot))
      }
    }
  }

  /// The value of a property; nil if the object did not have it, because the object belonged to another entity.
  subscript(slot: Int) -> Value? { slots.indices.contains(slot) ? slots[slot] : nil }

  /// Returns whether a property differs from its previous value.
  func isChanged(_ slot: Int, since old: ObjectPicture?) -> Bool {
    if let former = old?[slot] { return former != slots[slot] }
    return slots[slot] != .value(.null) && slots[slot] != .links([])
  }
}
