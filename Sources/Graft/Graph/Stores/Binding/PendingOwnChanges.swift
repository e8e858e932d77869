/// A context's changes on top of its base version, and the affected rows.
struct PendingOwnChanges {
  let changes: OwnChanges
  /// The rows of new objects.
  private(set) var inserted: [StoredPlace: RowPlace] = [:]
  /// The rows of the objects that were changed, deleted or inserted.
  private(set) var rows: [StoredPlace: RowPlace] = [:]
  /// All rows that differ from the base version.
  let places: [RowPlace]

  init(_ binding: StoreBinding) throws(StoreError) {
    let writer = try StoreWriter(binding)
    try binding.throwFailure()
    changes = OwnChanges(writer.changes, binding.map.schema, orders: writer.orders, edited: writer.edited)
    var all = Set(writer.historyPlaces)
    for table in writer.rows {
      for row in table.inserted + table.updated + table.deleted {
        let place = StoredPlace(table: table.table, id: binding.id(table.table, row))
        rows[place] = RowPlace(table: table.table, row: row)
        all.insert(RowPlace(table: table.table, row: row))
      }
      for row in table.inserted {
        inserted[StoredPlace(table: table.table, id: binding.id(table.table, row))] =
          RowPlace(table: table.table, row: row)
      }
    }
    places = all.sorted()
  }
}

extension StoreBinding {
  /// The row with a number in the store, loaded if necessary; nil if there is none.
  func row(of place: StoredPlace) -> UInt32? {
    attempt { () throws(StoreError) in try loadMissing([place.id], of: place.table) }
    guard let number = rowsByID[place.table][place.id], state.row(place.table, number).isLoaded else { return nil }
    return number
  }
}
