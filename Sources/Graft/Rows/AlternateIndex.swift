/// Alternate identities (M27): finding the rows that have some values.
///
///     slug "batman"  -->  rows that have, or once had, this slug  -->  those that have it now
///
/// An index of an alternate identity contains every row under its present values, and perhaps rows under values that they no
/// longer have. It only grows until it is made anew: a rollback finds the old values where they were. Two rows may have the
/// same values while changes are being made; the validator refuses them (I9).
enum AlternateIndex {
  /// Enters a row under its values, if it has all of them.
  static func insert(_ number: UInt32, table: Int, _ state: inout GraphState) {
    let row = state.tables[table].row(number)
    let layout = state.layouts[row.entity]
    for index in 0..<layout.alternateCount {
      let alternate = layout.alternates[index]
      guard let hash = GraphIdentity.hash(alternate, row: row, state) else { continue }
      if state.tables[table].indexes[alternate.identitySpace].find(hash, { $0 == number }) != nil { continue }
      state.tables[table].indexes[alternate.identitySpace].insert(hash, number)
    }
  }

  /// The first row with the values among some cells that a closure accepts.
  static func find(
    _ alternate: PlanReference<EntityLayout>, _ hash: UInt64, _ cells: Cells, _ state: Reference<GraphState>,
    where isFit: (UInt32) -> Bool
  ) -> UInt32? {
    let table = alternate.pointee.table
    return state.tables[table].indexes[alternate.pointee.identitySpace].find(hash) { number in
      isIdentified(number, by: alternate.pointee, state)
        && GraphIdentity.matches(alternate, cells, state.row(table, number), state.pointee.texts) && isFit(number)
    }
  }

  /// Whether a row that an index contains is that of an object with the alternate identity, and has all values.
  static func isIdentified(_ number: UInt32, by alternate: EntityLayout, _ state: Reference<GraphState>) -> Bool {
    guard Int(number) < state.tables[alternate.table].rowCount else { return false }
    let row = state.row(alternate.table, number)
    guard !row.isDeleted, !row.isFault, alternate.isShared(with: state.layouts[row.entity]) else { return false }
    return (0..<alternate.identityCount).allSatisfy { row.isSet(alternate.slots[alternate.identitySlots[$0]]) }
  }

  /// Another row with the values of a row.
  static func other(like row: Row, _ alternate: EntityLayout, _ state: Reference<GraphState>) -> UInt32? {
    guard let hash = GraphIdentity.hash(alternate, row: row, state.pointee) else { return nil }
    return state.tables[alternate.table].indexes[alternate.identitySpace].find(hash) { candidate in
      guard isIdentified(candidate, by: alternate, state) else { return false }
      let other = state.row(alternate.table, candidate)
      return other != row && GraphIdentity.areSame(row, other, alternate, state.pointee.texts)
    }
  }

  /// Makes an index anew that contains mostly rows under values that they no longer have.
  static func trim(_ table: Int, _ state: inout GraphState) {
    let first = state.tables[table].identitySpaces
    let spaces = first..<state.tables[table].indexCount
    let most = state.tables[table].rowCount * 2 + 1024
    guard spaces.contains(where: { state.tables[table].indexes[$0].count > most }) else { return }
    for space in spaces {
      state.tables[table].indexes[space].free()
      state.tables[table].indexes[space] = IdentityIndex()
    }
    for number in 0..<UInt32(state.tables[table].rowCount) {
      let row = state.tables[table].row(number)
      if !row.isDeleted, !row.isFault { insert(number, table: table, &state) }
    }
  }
}

extension EntityLayout {
  /// Whether another entity has this alternate identity too.
  func isShared(with other: EntityLayout) -> Bool {
    (0..<other.alternateCount).contains { other.alternates[$0].identitySpace == identitySpace }
  }
}

extension GraphEditor {
  /// A value of a row's alternate identity has changed.
  @inline(never)
  func noteAlternates(_ table: Int, _ number: UInt32) {
    AlternateIndex.insert(number, table: table, &state.pointee)
  }
}
