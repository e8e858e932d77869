/// Finding rows by their identities.
extension StoreBinding {
  func find(_ entity: Int, _ cells: Cells, _ hash: UInt64) -> UInt32? {
    let layout = plan.layouts[entity]
    if knowledge.hasAll(of: plan.tables[layout.table].root) || knowledge.lacks(layout, hash) { return nil }
    if layout.identity.hasOwner, knowsMembers(layout, cells) { return nil }
    var values = StoredValues(columnCount: layout.identity.count)
    guard append(cells, layout, to: &values) else { return nil }
    var found: UInt32?
    attempt { () throws(StoreError) in
      if try isWorthLoading(layout.table) {
        try loadAll(plan.tables[layout.table].root)
        found = state.tables[layout.table].indexes[layout.identity.space].find(hash) { hasIdentity($0, entity, cells) }
      } else {
        found = try load(identities: values, layout).first { hasIdentity($0, entity, cells) }
        if found == nil { knowledge.noteAbsent(layout, hash) }
      }
    }
    return found
  }

  /// Whether an import looks up so many objects of a table individually that it is better to load all objects of the table. An import looks
  /// up objects individually if it could not determine their identities beforehand.
  func isWorthLoading(_ table: Int) throws(StoreError) -> Bool {
    guard state.openUnits > 0, let count = knowledge.noteLookUp(table),
      try snapshot().count(selectedBy: StoreQuery(table: table)) < 4 * count
    else { return false }
    knowledge.forgetLookUps(table)
    return true
  }

  /// Whether all objects inside the owner of an identity are in memory (M12).
  private func knowsMembers(_ layout: EntityLayout, _ cells: Cells) -> Bool {
    (0..<layout.identity.count).contains { index in
      let slot = layout.slots[layout.identity.slots[index]]
      guard slot.kind == .toOne, slot.inverse >= 0, slot.inverseSlot.isToMany else { return false }
      let number = UInt32(truncatingIfNeeded: cells[layout.identity.slots[index]].bits - 1)
      let owner = state.row(slot.destinationTable, number)
      return owner.isLoaded
        && !state.isUnknown(slot.inverseSlot.words, slot.destinationTable, owner)
    }
  }

  /// Appends the values of an identity, given as cells, one for each slot. Returns false if the store cannot contain the identity, because
  /// it does not contain the owner (M12).
  func append(_ cells: Cells, _ layout: EntityLayout, to values: inout StoredValues) -> Bool {
    guard layout.identity.hasOwner else {
      values.append(cells, layout)
      return true
    }
    var owners: [Int: Int64] = [:]
    for index in 0..<layout.identity.count {
      let number = layout.identity.slots[index]
      guard layout.slots[number].kind == .toOne else { continue }
      let owner = id(layout.slots[number].destinationTable, UInt32(truncatingIfNeeded: cells[number].bits - 1))
      if owner <= 0 { return false }
      owners[index] = owner
    }
    values.append(cells, layout)
    for (index, id) in owners { values.setInteger(id, row: values.count - 1, column: index) }
    return true
  }

  /// Whether a row still has the identity that it has in the store. It may have been deleted or changed in this context.
  private func hasIdentity(_ number: UInt32, _ entity: Int, _ cells: Cells) -> Bool {
    let layout = state.layouts + entity
    let row = state.row(layout.pointee.table, number)
    return row.isLoaded
      && state.layouts[row.entity].identity.space == layout.pointee.identity.space
      && GraphIdentity.hash(state.layouts[row.entity], row: row, state.pointee) != nil
      && GraphIdentity.matches(layout, cells, row, state.pointee.texts)
  }

  /// The maximum number of rows that are always looked up individually.
  static let fewIdentities = 512

  /// Loads the rows with the given identities. Identities that the store does not have are remembered.
  ///
  /// - Parameter hashes: the hashes of the identities.
  func load(identities: StoredValues, hashes: [UInt64], _ layout: EntityLayout) throws(StoreError) {
    let root = plan.tables[layout.table].root
    if identities.count == 0 || knowledge.hasAll(of: root) { return }
    // Reading a table from beginning to end is twice as fast as searching for each of its rows.
    if identities.count > StoreBinding.fewIdentities,
      try snapshot().count(selectedBy: StoreQuery(table: layout.table)) < 2 * identities.count
    {
      return try loadAll(root)
    }
    let rows = try load(identities: identities, layout)
    var known: Set<UInt64> = []
    for number in rows {
      if let hash = GraphIdentity.hash(layout, row: state.row(layout.table, number), state.pointee) {
        known.insert(hash)
      }
    }
    for hash in hashes where !known.contains(hash) { knowledge.noteAbsent(layout, hash) }
  }

  func load(identities: StoredValues, _ layout: EntityLayout) throws(StoreError) -> [UInt32] {
    place(try snapshot().rows(in: layout.table, identity: layout.identity.space, values: identities))
  }
}
