/// Finds rows by the values of their alternate identities (M27).
///
///     slug "batman"  -->  rows that have, or once had, this slug  -->  rows that have it now
///
/// An index of an alternate identity contains each row under the values that it had when it was last added. These may have changed since,
/// so callers compare them with the current values of the row. Two rows may have the same values while changes are being made; the
/// validator refuses them (I9). Rows without a complete identity are in separate chains, because a dictionary with a complete identity can
/// only refer to such rows.
enum AlternateIndex {
  /// Adds a row under its values, unless one of the values is missing.
  static func insert(_ number: UInt32, table: Int, _ state: inout GraphState) {
    let row = state.tables[table].row(number)
    let layout = state.layouts[row.entity]
    let lacksIdentity = lacksIdentity(row, layout)
    for index in 0..<layout.alternateCount {
      let alternate = layout.alternates[index]
      let chains = state.tables[table].alternate(alternate.identity.space)
      if let hash = GraphIdentity.hash(alternate, row: row, state) {
        chains.pointee.insert(chain(hash, lacksIdentity: lacksIdentity), number)
      } else {
        chains.pointee.remove(number)
      }
    }
  }

  /// Removes a row from the indexes of all alternate identities.
  static func remove(_ number: UInt32, table: Int, _ state: inout GraphState) {
    for index in 0..<state.tables[table].alternateCount { state.tables[table].alternates[index].remove(number) }
  }

  private static func chain(_ hash: UInt64, lacksIdentity: Bool) -> UInt64 { lacksIdentity ? ~hash : hash }

  static func lacksIdentity(_ row: Row, _ layout: EntityLayout) -> Bool {
    !(0..<layout.identity.count).allSatisfy { row.isSet(layout.slots[layout.identity.slots[$0]]) }
  }

  /// Whether a row is found by an alternate identity with a hash.
  static func contains(_ number: UInt32, _ alternate: EntityLayout, _ hash: UInt64, _ state: borrowing GraphState)
    -> Bool
  {
    let row = state.tables[alternate.table].row(number)
    return state.tables[alternate.table].alternate(alternate.identity.space).pointee.contains(
      number, chain(hash, lacksIdentity: lacksIdentity(row, state.layouts[row.entity])))
  }

  /// The first row under a hash that a closure accepts. The closure compares the values.
  ///
  /// - Parameter onlyIncomplete: whether to search only rows that lack a value of their own identity.
  static func find(
    _ alternate: EntityLayout, _ hash: UInt64, onlyIncomplete: Bool = false, _ state: borrowing GraphState,
    where isFit: (UInt32) -> Bool
  ) -> UInt32? {
    let chains = state.tables[alternate.table].alternate(alternate.identity.space)
    if let row = chains.pointee.find(chain(hash, lacksIdentity: true), isFit) { return row }
    return onlyIncomplete ? nil : chains.pointee.find(hash, isFit)
  }

  /// The first row that has the values in the given cells and that a closure accepts.
  ///
  /// - Parameter onlyIncomplete: whether to search only rows that lack a value of their own identity.
  static func find(
    _ alternate: PlanReference<EntityLayout>, _ hash: UInt64, _ cells: Cells, onlyIncomplete: Bool = false,
    _ state: Reference<GraphState>, where isFit: (UInt32) -> Bool
  ) -> UInt32? {
    find(alternate.pointee, hash, onlyIncomplete: onlyIncomplete, state.pointee) { number in
      isIdentified(number, by: alternate.pointee, state)
        && GraphIdentity.matches(alternate, cells, state.row(alternate.pointee.table, number), state.pointee.texts)
        && isFit(number)
    }
  }

  /// Whether a row in an index belongs to an object whose entity has the alternate identity, and has all of its values.
  static func isIdentified(_ number: UInt32, by alternate: EntityLayout, _ state: Reference<GraphState>) -> Bool {
    guard Int(number) < state.tables[alternate.table].rowCount else { return false }
    let row = state.row(alternate.table, number)
    guard !row.isDeleted, !row.isFault, alternate.isShared(with: state.layouts[row.entity]) else { return false }
    return (0..<alternate.identity.count).allSatisfy { row.isSet(alternate.slots[alternate.identity.slots[$0]]) }
  }

  /// Another row with the same values as the given row.
  static func other(like row: Row, _ alternate: EntityLayout, _ state: Reference<GraphState>) -> UInt32? {
    guard let hash = GraphIdentity.hash(alternate, row: row, state.pointee) else { return nil }
    return find(alternate, hash, state.pointee) { candidate in
      guard isIdentified(candidate, by: alternate, state) else { return false }
      let other = state.row(alternate.table, candidate)
      return other != row && GraphIdentity.areSame(row, other, alternate, state.pointee.texts)
    }
  }
}

extension EntityLayout {
  /// Whether another entity also has this alternate identity.
  func isShared(with other: EntityLayout) -> Bool {
    (0..<other.alternateCount).contains { other.alternates[$0].identity.space == identity.space }
  }
}

extension GraphEditor {
  /// Updates the index after a value of a row's alternate identity has changed.
  @inline(never)
  func noteAlternates(_ row: PlacedRow) {
    AlternateIndex.insert(row.number, table: row.table, &state.pointee)
  }
}
