/// The version that changes are based on, in terms of the later version. Rows that other contexts deleted and inserted again have their
/// new numbers.
struct RebaseBase {
  let snapshot: any StoreSnapshot
  private let schema: StoreSchema
  /// The new rows by the old rows, and vice versa. No two old rows have become the same row.
  private let replaced: [StoredPlace: StoredPlace]
  let former: [StoredPlace: StoredPlace]

  init(_ snapshot: any StoreSnapshot, _ schema: StoreSchema, _ replaced: [StoredPlace: StoredPlace]) {
    (self.snapshot, self.schema, self.replaced) = (snapshot, schema, replaced)
    former = Dictionary(uniqueKeysWithValues: replaced.map { ($0.value, $0.key) })
  }

  /// The former numbers of rows.
  func former(_ ids: [Int64], _ table: Int) -> [Int64] {
    if former.isEmpty { return ids.sorted() }
    return ids.map { former[StoredPlace(table: table, id: $0)]?.id ?? $0 }.sorted()
  }

  private func renamed(_ id: Int64, _ table: Int) -> Int64 { replaced[StoredPlace(table: table, id: id)]?.id ?? id }

  func rows(in table: Int, _ ids: [Int64]) throws(StoreError) -> [StoredPlace: StoredRow] {
    let rows = try snapshot.rows(in: table, ids: former(ids, table)).contents(schema)
    if replaced.isEmpty { return rows }
    return Dictionary(
      uniqueKeysWithValues: rows.map { place, row in
        (replaced[place] ?? place, row.renamed(replaced, schema.tables[table]))
      })
  }

  /// The members of the given lists, in order.
  func lists(_ members: ListMembers, _ owners: [Int64]) throws(StoreError) -> [Int64: [Int64]] {
    let (owner, member) = (schema.ownerTable(of: members), schema.memberTable(of: members))
    let lists = try snapshot.lists(members, former(owners, owner), schema) { renamed($0, member) }
    if replaced.isEmpty { return lists }
    return Dictionary(uniqueKeysWithValues: lists.map { (renamed($0.key, owner), $0.value) })
  }

  func pairs(in link: Int, ofOwners owners: [Int64]) throws(StoreError) -> [StoredPair] {
    try snapshot.links(in: link, ofOwners: former(owners, schema.links[link].ownerTable)).map { pair($0, link) }
  }

  func pairs(in link: Int, ofMembers members: [Int64]) throws(StoreError) -> [StoredPair] {
    try snapshot.links(in: link, ofMembers: former(members, schema.links[link].memberTable)).map { pair($0, link) }
  }

  private func pair(_ link: StoredLink, _ number: Int) -> StoredPair {
    let layout = schema.links[number]
    return StoredPair(
      link: number, owner: renamed(link.owner, layout.ownerTable), member: renamed(link.member, layout.memberTable))
  }

  /// Renumbers an owner in a table, and the row that it refers to.
  func renamed(_ owner: Int64, _ target: StoredPlace, _ table: Int) -> (owner: Int64, target: StoredPlace) {
    (renamed(owner, table), replaced[target] ?? target)
  }
}

extension StoreSnapshot {
  /// The members of the given lists, in order. Members of unordered lists are sorted by their numbers.
  ///
  /// - Parameter renamed: returns the number of a member.
  func lists(
    _ members: ListMembers, _ owners: [Int64], _ schema: StoreSchema, renamed: (Int64) -> Int64 = { $0 }
  ) throws(StoreError) -> [Int64: [Int64]] {
    var lists: [Int64: [(position: Int64, id: Int64)]] = [:]
    switch members {
    case .linked(let link, isOwner: true):
      for link in try links(in: link, ofOwners: owners) {
        lists[link.owner, default: []].append((link.position, renamed(link.member)))
      }
    case .linked(let link, isOwner: false):
      for link in try links(in: link, ofMembers: owners) {
        lists[link.member, default: []].append((link.inversePosition, renamed(link.owner)))
      }
    case .referring(let table, let column, let entity):
      let rows = try rows(in: table, column: column, referringTo: owners)
      let position = schema.tables[table].columns.firstIndex { $0.content == .position(reference: column) }
      for (owner, id, index) in schema.referringRows(rows, column, entity) {
        let place = position.flatMap { rows.values.integer(row: index, column: $0) } ?? 0
        lists[owner, default: []].append((place, renamed(id)))
      }
    }
    return lists.mapValues { $0.sorted { $0 < $1 }.map(\.id) }
  }
}

extension StoredRow {
  /// Returns the row with renumbered references.
  func renamed(_ rows: [StoredPlace: StoredPlace], _ table: StoreSchema.Table) -> StoredRow {
    var row = self
    for column in table.columns.indices {
      if let new = table.target(of: column, in: self).flatMap({ rows[$0] }) { row.values[column] = .integer(new.id) }
    }
    return row
  }
}

extension OwnChanges {
  /// Returns the changes with renumbered rows.
  func renamed(_ rows: [StoredPlace: StoredPlace], _ schema: StoreSchema) -> OwnChanges {
    if rows.isEmpty { return self }
    func new(_ place: StoredPlace) -> StoredPlace { rows[place] ?? place }
    func new(_ list: StoredList) -> StoredList { StoredList(owner: new(list.owner), members: list.members) }
    func new(_ pair: StoredPair) -> StoredPair {
      let link = schema.links[pair.link]
      return StoredPair(
        link: pair.link, owner: new(StoredPlace(table: link.ownerTable, id: pair.owner)).id,
        member: new(StoredPlace(table: link.memberTable, id: pair.member)).id)
    }
    var changes = self
    for (place, row) in inserted { changes.inserted[place] = row.renamed(rows, schema.tables[place.table]) }
    changes.updated = Dictionary(
      uniqueKeysWithValues: updated.map { place, update in
        (new(place), Update(row: update.row.renamed(rows, schema.tables[place.table]), columns: update.columns))
      })
    changes.deleted = Set(deleted.map(new))
    changes.added = Set(added.map(new))
    changes.removed = Set(removed.map(new))
    changes.orders = Dictionary(
      uniqueKeysWithValues: orders.map { list, members in
        let table = schema.memberTable(of: list.members)
        return (new(list), members.map { new(StoredPlace(table: table, id: $0)).id })
      })
    changes.edited = Set(edited.map(new))
    return changes
  }
}

extension RebaseConflicts {
  /// Returns the conflicts with renumbered rows.
  func renamed(_ rows: [StoredPlace: StoredPlace]) -> RebaseConflicts {
    func new(_ place: StoredPlace) -> StoredPlace { rows[place] ?? place }
    return RebaseConflicts(
      all: all.map { conflict in
        let reason: RebaseConflict.Reason =
          switch conflict.reason {
          case .targetDeleted(let target): .targetDeleted(new(target))
          case .listChanged(let list): .listChanged(StoredList(owner: new(list.owner), members: list.members))
          case .denied(let member): .denied(new(member))
          default: conflict.reason
          }
        return RebaseConflict(place: new(conflict.place), reason: reason)
      })
  }
}
