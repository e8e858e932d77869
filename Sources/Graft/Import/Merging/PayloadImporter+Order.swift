/// The two sides of one inverse in one object: the side that stands later in its dictionary wins (I7).
///
///     {"id": 1, "parent": 1, "children": []}      1 has no parent: `children` was said last
///     {"id": 1, "children": [], "parent": 1}      1 is its own parent
///
/// An object's relationships are applied in the order of the model. Only a side that comes first there, and later in the
/// dictionary, needs more: it is applied behind all others.
extension PayloadImporter {
  /// A relationship of an open object, known by its first cell, that is applied late.
  struct LateSlot {
    var cells: Int
    var slot: Int
  }

  /// Notes that a relationship stands behind its inverse, which the model names later.
  @inline(never)
  mutating func noteOrder(_ field: Int, _ frame: ImportFrame) {
    let slot = fields[field].slot
    let inverse = layouts[frame.entity].slots[slot].inverse
    if slot < inverse, !cells[frame.cells + inverse].isAbsent {
      lateSlots.append(LateSlot(cells: frame.cells, slot: slot))
    }
  }

  /// Takes the cells that are applied late out of an object.
  @inline(never)
  mutating func takeLateCells(_ first: Int) -> [(slot: Int, cell: Cell)] {
    var late: [(slot: Int, cell: Cell)] = []
    while let last = lateSlots.last, last.cells == first {
      late.append((last.slot, cells[first + last.slot]))
      cells[first + last.slot] = .absent
      lateSlots.removeLast()
    }
    return late.reversed()
  }
}
