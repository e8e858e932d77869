/// A context's changes on top of its base version, in terms of its store. In this form, changes can be rebased, repeated on a later
/// version, and written from another context.
///
///     inserted    -1, -2, ... in each table, with all values
///     updated     with all values, and the columns that changed
///     links       pairs that were added and removed
///     orders      the members of ordered lists that changed
///
/// Positions are not included, because they are derived from the orders.
struct OwnChanges: Equatable {
  var inserted: [StoredPlace: StoredRow] = [:]
  var updated: [StoredPlace: Update] = [:]
  var deleted: Set<StoredPlace> = []
  var added: Set<StoredPair> = []
  var removed: Set<StoredPair> = []
  var orders: [StoredList: [Int64]] = [:]
  /// Lists of links that were changed directly, rather than from the other side of the relationship.
  var edited: Set<StoredList> = []

  struct Update: Equatable {
    var row: StoredRow
    var columns: Set<Int>
  }
}

/// The contents of a row.
struct StoredRow: Equatable {
  /// The entity, as a position in the table's list.
  var entity: Int
  var isPlaceholder = false
  var isBare = false
  /// The values, by column.
  var values: [StoreValue]

  init(entity: Int, isPlaceholder: Bool = false, isBare: Bool = false, values: [StoreValue]) {
    (self.entity, self.isPlaceholder, self.isBare, self.values) = (entity, isPlaceholder, isBare, values)
  }

  init(_ rows: StoredRows, _ row: Int, _ table: StoreSchema.Table) {
    let header = rows.headers[row]
    self.init(
      entity: header.entity, isPlaceholder: header.isPlaceholder, isBare: header.isBare,
      values: table.columns.enumerated().map { rows.values.value(row: row, column: $0, $1.content) })
  }

  /// The number of the row that a column refers to.
  func reference(_ column: Int) -> Int64? {
    if case .integer(let id) = values[column] { id } else { nil }
  }
}

extension StoredRows {
  /// The contents of the rows, by number.
  func contents(_ schema: StoreSchema) -> [StoredPlace: StoredRow] {
    var rows: [StoredPlace: StoredRow] = [:]
    for index in 0..<count {
      rows[StoredPlace(table: table, id: headers[index].id)] = StoredRow(self, index, schema.tables[table])
    }
    return rows
  }
}

extension OwnChanges {
  /// The rows that the changes write or refer to.
  func places(_ schema: StoreSchema) -> Set<StoredPlace> {
    var places = deleted.union(updated.keys)
    for (place, row) in Array(inserted) + updated.map({ ($0.key, $0.value.row) }) {
      for (column, content) in schema.tables[place.table].columns.enumerated() {
        guard case .reference(let table) = content.content, let id = row.reference(column) else { continue }
        places.insert(StoredPlace(table: table, id: id))
      }
    }
    for (list, members) in orders {
      places.insert(list.owner)
      let table = schema.memberTable(of: list.members)
      places.formUnion(members.map { StoredPlace(table: table, id: $0) })
    }
    for pair in added.union(removed) {
      let link = schema.links[pair.link]
      places.insert(StoredPlace(table: link.ownerTable, id: pair.owner))
      places.insert(StoredPlace(table: link.memberTable, id: pair.member))
    }
    return places
  }

  /// Creates the value from the changes that a commit would write.
  ///
  /// - Parameters:
  ///   - orders: the members of ordered lists that changed.
  ///   - edited: the lists of links that were changed directly.
  init(_ changes: StoreChanges, _ schema: StoreSchema, orders: [StoredList: [Int64]], edited: Set<StoredList>) {
    self.orders = orders
    self.edited = edited
    for change in changes.tables {
      let table = schema.tables[change.inserted.table]
      inserted.merge(change.inserted.contents(schema)) { $1 }
      for index in 0..<change.updated.count {
        let place = StoredPlace(table: change.updated.table, id: change.updated.headers[index].id)
        let columns = Set(change.changedColumns[index].filter { !table.columns[$0].isPosition })
        updated[place] = Update(row: StoredRow(change.updated, index, table), columns: columns)
      }
      deleted.formUnion(change.deleted.map { StoredPlace(table: change.inserted.table, id: $0.id) })
    }
    for change in changes.links {
      added.formUnion(change.added.map { StoredPair(link: change.table, owner: $0.owner, member: $0.member) })
      removed.formUnion(change.removed.map { StoredPair(link: change.table, owner: $0.owner, member: $0.member) })
    }
  }
}

extension StoreSchema.Column {
  /// Whether the column holds positions in an ordered list.
  var isPosition: Bool {
    if case .position = content { return true }
    return false
  }
}
