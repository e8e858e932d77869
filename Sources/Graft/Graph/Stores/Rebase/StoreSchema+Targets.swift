extension StoreSchema.Table {
  /// Whether a row has an identity other than alternate identities.
  func isIdentified(_ row: StoredRow) -> Bool {
    identities.contains { identity in
      !identity.isAlternate && identity.entities.contains(row.entity)
        && identity.columns.allSatisfy { row.values[$0] != .null }
    }
  }

  /// The row that a column refers to.
  func target(of column: Int, in row: StoredRow) -> StoredPlace? {
    guard case .reference(let table) = columns[column].content, let id = row.reference(column) else { return nil }
    return StoredPlace(table: table, id: id)
  }

  /// The rows that a row refers to.
  func targets(in row: StoredRow) -> [StoredPlace] { columns.indices.compactMap { target(of: $0, in: row) } }

  /// The values of the columns that identify a row; nil if a value is nil. `owner` returns the row of an owner in the version of the
  /// identity.
  func key(
    of row: StoredRow, _ identity: [Int], owner: (StoredPlace) -> StoredPlace?
  ) -> [StoreValue]? {
    var key: [StoreValue] = []
    for column in identity {
      let value = target(of: column, in: row).map { owner($0).map { .integer($0.id) } ?? .null } ?? row.values[column]
      if value == .null { return nil }
      key.append(value.normalized)
    }
    return key
  }
}

extension StoreSchema.Column {
  /// Whether the column contains the row numbers of to-ones.
  var isReference: Bool {
    if case .reference = content { return true }
    return false
  }
}
