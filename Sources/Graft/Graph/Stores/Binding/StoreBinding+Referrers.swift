/// Loading the referrers of deleted objects through relationships without an inverse.
extension StoreBinding {
  /// Loads the objects that refer to deleted objects, because the next commit removes these references. Lists are included only if they may
  /// be invalid without the deleted objects.
  func loadReferrers() throws(StoreError) {
    let deleted = deletedIDs
    for (target, ids) in deleted {
      for (table, layout) in map.schema.tables.enumerated() {
        for (column, content) in layout.columns.enumerated() where content.content == .reference(table: target) {
          guard lacksInverse(table, column) else { continue }
          place(try snapshot().rows(in: table, column: column, referringTo: ids))
        }
      }
    }
    try loadLists(withAnyOf: deleted) { !$0.isOptional || $0.minCount ?? 0 > 0 }
  }

  /// Loads all lists without an inverse that contained deleted objects.
  func loadListsOfDeleted() throws(StoreError) {
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

  /// Loads the lists of a relationship without an inverse that contain one of the given objects.
  func loadLists(
    _ link: Int, withAnyOf ids: [Int64], where isWanted: (RelationshipDescription) -> Bool = { _ in true }
  ) throws(StoreError) {
    let table = map.schema.links[link].ownerTable
    let lists = map.owners(of: link).filter { entity, slot in
      plan.entities[entity].properties[slot].relationship.map(isWanted) ?? false
    }
    if lists.isEmpty { return }
    let owners = Set(try snapshot().links(in: link, ofMembers: ids).map(\.owner))
    try loadMissing(owners, of: table)
    let rows = owners.compactMap { rowsByID[table][$0] }.filter { state.row(table, $0).isLoaded }
    for (entity, slot) in lists {
      try loadLists(rows.filter { state.row(table, $0).entity == entity }, table, state.layouts[entity].slots[slot])
    }
  }

  /// The numbers of the objects that were deleted since the last commit, by table. Takes time in proportion to the changes.
  private var deletedIDs: [Int: [Int64]] {
    guard (0..<state.tableCount).contains(where: { state.deletedSinceCommit($0) }) else { return [:] }
    var deleted = Set<RowPlace>()
    for entry in state.pointee.journal.elements where entry.kind == .word && entry.word == 0 {
      let header = state.row(entry.table, entry.row).header
      if header.isDeleted, header.isStored { deleted.insert(RowPlace(table: entry.table, row: entry.row)) }
    }
    return Dictionary(grouping: deleted.sorted(), by: \.table).mapValues { $0.map { id($0.table, $0.row) } }
  }

  private func lacksInverse(_ table: Int, _ column: Int) -> Bool {
    map.entities[table].contains { entity in
      let slot = map.slots[entity][column]
      return slot >= 0 && plan.layouts[entity].slots[slot].inverse < 0
    }
  }
}
