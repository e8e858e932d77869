/// Finding rows of the store by alternate identities (M27).
extension StoreBinding {
  func load(_ alternate: PlanReference<EntityLayout>, _ cells: Cells, _ hash: UInt64) {
    let layout = alternate.pointee
    if knowledge.hasAll(of: plan.tables[layout.table].root) || knowledge.lacks(layout, hash) { return }
    var values = StoredValues(columnCount: layout.identity.count)
    guard append(cells, layout, to: &values) else { return }
    attempt { () throws(StoreError) in
      if try isWorthLoading(layout.table) { return try loadAll(plan.tables[layout.table].root) }
      if try load(identities: values, layout).isEmpty { knowledge.noteAbsent(layout, hash) }
    }
  }

  /// Loads the rows of the store that have the same alternate identities as new or changed rows among the given rows, so that the validator
  /// can compare these rows.
  func loadAlternates(of places: [RowPlace]) throws(StoreError) {
    guard plan.features.hasAlternates else { return }
    let changed = Set(state.pointee.journal.elements.map { RowPlace(table: $0.table, row: $0.row) })
    var wanted: [AlternateSpace: (layout: EntityLayout, values: StoredValues, hashes: [UInt64])] = [:]
    for place in places {
      let row = state.row(place.table, place.row)
      guard row.isLoaded, row.isInserted || changed.contains(place) else { continue }
      let layout = state.layouts[row.entity]
      for number in 0..<layout.alternateCount {
        let alternate = layout.alternates[number]
        guard let (cells, hash) = identity(of: place.row, alternate) else { continue }
        let space = AlternateSpace(table: place.table, space: alternate.identity.space)
        var found = wanted[space] ?? (alternate, StoredValues(columnCount: alternate.identity.count), [])
        if Cells.with(cells, { append($0, alternate, to: &found.values) }) { found.hashes.append(hash) }
        wanted[space] = found
      }
    }
    for (_, found) in wanted.sorted(by: { $0.key < $1.key }) {
      try load(identities: found.values, hashes: found.hashes, found.layout)
    }
  }

  private struct AlternateSpace: Hashable, Comparable {
    var table: Int
    var space: Int

    static func < (left: Self, right: Self) -> Bool { (left.table, left.space) < (right.table, right.space) }
  }
}
