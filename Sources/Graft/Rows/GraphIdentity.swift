/// Hashes and compares the identity values of rows and payloads (I2).
enum GraphIdentity {
  /// A value's bits in the form in which identities are compared, in which -0.0 equals 0 (D9).
  @inline(__always)
  static func normal(_ bits: UInt64, _ kind: SlotPlan.Kind) -> UInt64 {
    bits == 1 << 63 && (kind == .double || kind == .float) ? 0 : bits
  }

  /// The hash of identity cells; nil if a cell is absent, null or refused, because such an object does not match any object.
  @inline(__always)
  static func hash(
    _ layout: PlanReference<EntityLayout>, _ cells: Cells, _ seeds: IdentityHash.Seeds
  ) -> UInt64? {
    if layout.pointee.identity.count == 1 {
      let slot = layout.pointee.identity.slots[0]
      return hash(cells[slot], layout.pointee.slots[slot].kind, seeds)
    }
    var combined: UInt64 = 0
    for index in 0..<layout.pointee.identity.count {
      let slot = layout.pointee.identity.slots[index]
      guard let part = hash(cells[slot], layout.pointee.slots[slot].kind, seeds) else { return nil }
      combined = seeds.mix(combined ^ part, seeds.second) &+ 1
    }
    return combined
  }

  /// The hash of one identity cell, which is also the hash of an identity with only this attribute.
  @inline(__always)
  static func hash(_ cell: Cell, _ kind: SlotPlan.Kind, _ seeds: IdentityHash.Seeds) -> UInt64? {
    switch cell.tag {
    case .word: seeds.word(normal(cell.bits, kind))
    case .text: seeds.bytes(cell.bytes)
    // An owner is identified by its row (M12).
    case .row: seeds.word(cell.bits)
    default: nil
    }
  }

  /// The hash of a row's identity; nil if a value is nil.
  static func hash(_ layout: EntityLayout, row: Row, _ state: borrowing GraphState) -> UInt64? {
    var combined: UInt64 = 0
    for index in 0..<layout.identity.count {
      let slot = layout.slots[layout.identity.slots[index]]
      guard row.isSet(slot) else { return nil }
      let part: UInt64
      if slot.kind.isText {
        let bytes = state.texts.bytes(row[slot])
        part = state.seeds.bytes(bytes)
      } else {
        part = state.seeds.word(normal(row[slot], slot.kind))
      }
      if layout.identity.count == 1 { return part }
      combined = state.seeds.mix(combined ^ part, state.seeds.second) &+ 1
    }
    return layout.identity.count == 0 ? nil : combined
  }

  /// Whether a row has the identity in the cells.
  @inline(__always)
  static func matches(
    _ layout: PlanReference<EntityLayout>, _ cells: Cells, _ row: Row, _ texts: borrowing TextArena
  ) -> Bool {
    for index in 0..<layout.pointee.identity.count {
      let number = layout.pointee.identity.slots[index]
      let slot = layout.pointee.slots + number
      let cell = cells[number]
      if slot.pointee.kind.isText {
        guard texts.equals(row[slot], cell.bytes) else { return false }
      } else {
        guard normal(row[slot], slot.pointee.kind) == normal(cell.bits, slot.pointee.kind) else {
          return false
        }
      }
    }
    return true
  }

  /// Whether a cell has the stored identity value, in the same form or a different form.
  @inline(__always)
  static func isSame(_ cell: Cell, _ stored: UInt64, _ slot: SlotPlan, _ texts: borrowing TextArena) -> Bool {
    switch cell.tag {
    case .text: texts.equals(stored, cell.bytes)
    case .word: normal(stored, slot.kind) == normal(cell.bits, slot.kind)
    default: false
    }
  }

  /// Another row that has the same stored identity as this row.
  static func other(like number: UInt32, table: Int, _ state: borrowing GraphState) -> UInt32? {
    let row = state.tables[table].row(number)
    let layout = state.layouts[row.entity]
    guard layout.identity.space >= 0, let hash = hash(layout, row: row, state) else { return nil }
    return other(like: number, hash, layout, table, state)
  }

  private static func other(
    like number: UInt32, _ hash: UInt64, _ layout: EntityLayout, _ table: Int, _ state: borrowing GraphState
  ) -> UInt32? {
    let row = state.tables[table].row(number)
    let tables = state.tables
    let texts = state.texts
    return tables[table].indexes[layout.identity.space].find(hash) { candidate in
      let other = tables[table].row(candidate)
      return candidate != number
        && areSame(row, other, layout, texts)
    }
  }

  /// Whether two rows have the same identity values.
  static func areSame(_ row: Row, _ other: Row, _ layout: EntityLayout, _ texts: borrowing TextArena) -> Bool {
    for index in 0..<layout.identity.count {
      let slot = layout.slots[layout.identity.slots[index]]
      let isSame =
        slot.kind.isText
        ? texts.bytes(row[slot]).elementsEqual(texts.bytes(other[slot]))
        : normal(row[slot], slot.kind) == normal(other[slot], slot.kind)
      if !isSame { return false }
    }
    return true
  }

  /// The hash of a row's identity with different owner rows, as for the same object in another graph (M12); nil if a value is nil.
  ///
  /// - Parameter owner: a closure that returns the owner's row, plus one, for the content of a slot; nil if there is no such row.
  static func hash(
    _ layout: EntityLayout, row: Row, _ state: borrowing GraphState,
    owner: (SlotPlan, UInt64) -> UInt64?
  ) -> UInt64? {
    var combined: UInt64 = 0
    for index in 0..<layout.identity.count {
      let slot = layout.slots[layout.identity.slots[index]]
      guard row.isSet(slot) else { return nil }
      let part: UInt64
      if slot.kind == .toOne {
        guard let owner = owner(slot, row[slot]) else { return nil }
        part = state.seeds.word(owner)
      } else if slot.kind.isText {
        let bytes = state.texts.bytes(row[slot])
        part = state.seeds.bytes(bytes)
      } else {
        part = state.seeds.word(normal(row[slot], slot.kind))
      }
      if layout.identity.count == 1 { return part }
      combined = state.seeds.mix(combined ^ part, state.seeds.second) &+ 1
    }
    return layout.identity.count == 0 ? nil : combined
  }

  /// Adds a row to the index of its identity, if it has one, and to the indexes of its alternate identities.
  static func insert(_ number: UInt32, table: Int, _ state: inout GraphState) {
    let row = state.tables[table].row(number)
    let layout = state.layouts[row.entity]
    if layout.alternateCount > 0 { AlternateIndex.insert(number, table: table, &state) }
    guard layout.identity.space >= 0, let hash = hash(layout, row: row, state) else { return }
    state.tables[table].indexes[layout.identity.space].insert(hash, number)
  }

  /// Removes a row from the index of its identity, and from the indexes of its alternate identities, if these indexes contain the row.
  static func remove(_ number: UInt32, table: Int, _ state: inout GraphState) {
    AlternateIndex.remove(number, table: table, &state)
    let row = state.tables[table].row(number)
    let layout = state.layouts[row.entity]
    guard layout.identity.space >= 0, let hash = hash(layout, row: row, state) else { return }
    state.tables[table].indexes[layout.identity.space].remove(hash, number)
  }
}
