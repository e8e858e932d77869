extension TableMemory: ConditionRows {
  func reader(of column: Int, in table: Int) -> (RowPlace) -> StoreValue {
    let content = schema.tables[table].columns[column].content
    let rows = tables[table].rows
    return { rows.value(Int($0.row), column: column, content) }
  }

  func follower(of reference: StorePath.Reference) -> (RowPlace) -> RowPlace? {
    guard case .reference(let table) = schema.tables[reference.table].columns[reference.column].content else {
      return { _ in nil }
    }
    let rows = tables[reference.table].rows
    let places = tables[table].places
    return { row in
      rows.integer(Int(row.row), column: reference.column).flatMap { places[$0] }
        .map { RowPlace(table: table, row: UInt32($0)) }
    }
  }

  func lister(of members: StoreMembers, in table: Int) -> (RowPlace) -> [RowPlace] {
    let target = schema.table(of: members)
    let owners = tables[table].rows
    let places = tables[target].places
    func rows(_ ids: some Sequence<Int64>) -> [RowPlace] {
      ids.compactMap { id in places[id].map { RowPlace(table: target, row: UInt32($0)) } }
    }
    switch members {
    case .referring(let table, let column):
      let referrers = tables[table].referrers[column]
      return { rows(referrers?[owners.header(Int($0.row)).id] ?? []) }
    case .linked(let link, let isOwner):
      let links = links[link]
      return { row in
        let id = owners.header(Int(row.row)).id
        return rows(isOwner ? links.members(of: id) : links.owners(of: id))
      }
    }
  }

  func entity(_ row: RowPlace) -> Int { tables[row.table].rows.header(Int(row.row)).entity }
  func isPlaceholder(_ row: RowPlace) -> Bool { tables[row.table].rows.header(Int(row.row)).isPlaceholder }
  func id(_ row: RowPlace) -> Int64 { tables[row.table].rows.header(Int(row.row)).id }
}

extension TableMemory {
  /// The numbers of the rows that a query selects, in its order.
  func select(_ query: StoreQuery) throws(StoreError) -> [Int64] {
    let table = tables[query.table]
    let entities = query.entities.map(Set.init)
    let condition = CompiledCondition(query.condition, self, table: query.table)
    var found: [Int64] = []
    for id in table.places.keys.sorted() {
      guard let place = table.places[id] else { continue }
      if let entities, !entities.contains(table.rows.header(place).entity) { continue }
      if try condition.isMet(by: RowPlace(table: query.table, row: UInt32(place))) { found.append(id) }
    }
    if !query.order.isEmpty { found = sorted(found, query) }
    let rest = found.dropFirst(query.offset)
    return Array(query.limit.map { rest.prefix($0) } ?? rest)
  }

  private func sorted(_ ids: [Int64], _ query: StoreQuery) -> [Int64] {
    let places = ids.map { RowPlace(table: query.table, row: UInt32(tables[query.table].places[$0] ?? 0)) }
    return query.order.sorted(places, self, table: query.table) { id($0) < id($1) }.map { id($0) }
  }

  func groups(
    _ aggregate: StoreAggregate, _ table: Int, _ ids: [Int64]
  ) throws(StoreError) -> [StoreAggregate.Group] {
    let places = ids.compactMap { tables[table].places[$0] }.map { RowPlace(table: table, row: UInt32($0)) }
    return try aggregate.groups(of: places, self, table: table)
  }
}

extension [StoreQuery.Order] {
  /// Sorts rows by the sort keys in this array.
  ///
  /// - Parameter isEarlier: whether a row comes before another row that compares equal.
  func sorted<Rows: ConditionRows>(
    _ places: [RowPlace], _ rows: Rows, table: Int, isEarlier: (RowPlace, RowPlace) -> Bool
  ) -> [RowPlace] {
    let columns = map { CompiledColumn($0.column, at: $0.path, rows, table: table) }
    let keyed = places.map { place in (place: place, keys: columns.map { $0.value(of: place) }) }
    return keyed.sorted { left, right in
      for (index, order) in enumerated() {
        let (first, second) = (left.keys[index], right.keys[index])
        if first == .null || second == .null {
          if first == second { continue }
          return (first == .null) == order.isNilFirst
        }
        let result = first.order(before: second, isDecimal: columns[index].isDecimal) ?? 0
        if result != 0 { return (result < 0) == order.isAscending }
      }
      return isEarlier(left.place, right.place)
    }.map(\.place)
  }
}
