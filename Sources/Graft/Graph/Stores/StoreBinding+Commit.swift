/// Writing what changed.
extension StoreBinding {
  /// Writes everything that changed since the last commit, or throws and changes nothing. The graph is committed afterwards by
  /// its context.
  ///
  /// - Parameter willSettle: called when the changes are in the store, before new rows become rows of the store.
  /// - Throws: a ``StoreError``, or a ``ConflictError``.
  func write(_ policy: ConflictPolicy, willSettle: () -> Void) throws {
    guard state.hasChanges else { return }
    defer {
      undoAdoptions()
      settled.end()
    }
    // Each round settles all conflicts with the store as it is then; others may write between two rounds.
    for _ in 0..<100 {
      try settleOneToOnes()
      let writer = try StoreWriter(self)
      try throwFailure()
      if !settled.upToDate.isEmpty {
        var resolver = ConflictResolver(self, writer, policy)
        try resolver.refuseDoubles(settled.upToDate.sorted())
      }
      if writer.changes.isEmpty {
        settled.confirm()
        return forgetRemoved()
      }
      switch try store.write(writer.changes) {
      case .written(let sequence, let firstIDs):
        showAdopted(as: false)
        willSettle()
        showAdopted(as: true)
        return settle(writer, sequence, firstIDs)
      case .conflicts(let conflicts): try resolve(conflicts, writer, policy)
      }
    }
    throw StoreError(
      .commitConflict, "the commit met new conflicts again and again: others write the same objects; try again later")
  }

  /// What the context changed since the last commit, of some rows or of all. New rows that turned out to be some of the store's
  /// have no history, as the other new ones.
  func history(of rows: RowMap? = nil) -> RowHistory {
    RowHistory(state, since: .lastCommit, of: rows, except: settled.newAdopted)
  }

  /// Rows that turned out to be some of the store's are new here all the same.
  private func showAdopted(as isStored: Bool) {
    for place in settled.newAdopted { state.row(place.table, place.row).isStored = isStored }
  }

  /// The changes are in the store: rows get their numbers and versions.
  private func settle(_ writer: StoreWriter, _ sequence: Int64, _ firstIDs: [Int: Int64]) {
    for rows in writer.rows {
      let table = rows.table
      var id = firstIDs[table] ?? 0
      for row in rows.inserted {
        setID(id, table, row)
        setVersion(sequence, table, row)
        state.row(table, row).isStored = true
        setRow(row, for: id, table)
        id += 1
      }
      for row in rows.updated { setVersion(sequence, table, row) }
      for row in rows.deleted { release(RowPlace(table: table, row: row)) }
    }
    for (place, words) in writer.positions {
      for (index, position) in words {
        let word = state.tables[place.table].positionWord(index)
        state.row(place.table, place.row)[word] = UInt64(bitPattern: position)
      }
    }
    settled.gone.forEach(release)
    settled.confirm()
    noteWithheld()
    forgetRemoved()
    hidden.forgetLinks { settled.restored.contains($0.member) || isOwn($0.member, $0.slot) }
    showHidden()
    hidden.forgetReplaced()
    for link in state.pointee.loads.links where link.isReference { forgetOrder(link) }
    // What was settled may have other places in ordered lists than were asked for.
    for place in settled.overwritten.union(settled.ownColumns.keys) { forgetOrder(of: place) }
    knowledge.noteCommit(sequence)
  }

  /// Rows whose links were not made, because they lead to objects that are now deleted, differ from what a parent told: it may have
  /// the objects again, with the rows unchanged.
  private func noteWithheld() {
    if parentStore != nil { differing.noteOutdated(state.pointee.loads.withheld.map(\.member)) }
  }

  /// Loads what refers to deleted objects through relationships without inverse: their links are taken away with this commit.
  /// Of lists, only those that may be invalid without the objects.
  func loadReferrers() throws(StoreError) {
    let deleted = deletedIDs
    for (target, ids) in deleted {
      for (table, layout) in map.schema.tables.enumerated() {
        for (column, content) in layout.columns.enumerated() where content.content == .reference(table: target) {
          guard lacksInverse(table, column) else { continue }
          place(try store.rows(in: table, column: column, referringTo: ids))
        }
      }
    }
    try loadLists(withAnyOf: deleted) { !$0.isOptional || $0.minCount ?? 0 > 0 }
  }

  /// Loads all lists without inverse that deleted objects were in.
  func loadListsOfDeleted() throws(StoreError) {
    // Finding out what was deleted takes a look at all rows of a table.
    guard map.schema.links.contains(where: { $0.inverse == nil }) else { return }
    try loadLists(withAnyOf: deletedIDs) { _ in true }
  }

  private func loadLists(
    withAnyOf ids: [Int: [Int64]], where isWanted: (RelationshipDescription) -> Bool
  ) throws(StoreError) {
    for (link, table) in map.schema.links.enumerated() where table.inverse == nil {
      if let ids = ids[table.memberTable] { try loadLists(link, withAnyOf: ids, where: isWanted) }
    }
  }

  /// Loads the lists of a relationship without inverse that some objects are in.
  func loadLists(
    _ link: Int, withAnyOf ids: [Int64], where isWanted: (RelationshipDescription) -> Bool = { _ in true }
  ) throws(StoreError) {
    let table = map.schema.links[link].ownerTable
    let lists = map.owners(of: link).filter { entity, slot in
      plan.entities[entity].properties[slot].relationship.map(isWanted) ?? false
    }
    if lists.isEmpty { return }
    let owners = Set(try store.links(in: link, ofMembers: ids).map(\.owner))
    try loadMissing(owners, of: table)
    let rows = owners.compactMap { rowsByID[table][$0] }.filter { state.row(table, $0).isLoaded }
    for (entity, slot) in lists {
      try loadLists(rows.filter { state.row(table, $0).entity == entity }, table, state.layouts[entity].slots[slot])
    }
  }

  /// The numbers of the objects that were deleted since the last commit, by table.
  private var deletedIDs: [Int: [Int64]] {
    var deleted: [Int: [Int64]] = [:]
    for table in 0..<state.tableCount where state.deletedSinceCommit(table) {
      let ids = rowsByID[table].filter { state.row(table, $0.row).isDeleted }.map(\.id)
      if !ids.isEmpty { deleted[table] = ids }
    }
    return deleted
  }

  private func lacksInverse(_ table: Int, _ column: Int) -> Bool {
    map.entities[table].contains { entity in
      let slot = map.slots[entity][column]
      return slot >= 0 && plan.layouts[entity].slots[slot].inverse < 0
    }
  }
}
