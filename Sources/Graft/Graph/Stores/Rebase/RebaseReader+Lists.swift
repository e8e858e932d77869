extension RebaseReader {
  mutating func readLists() throws(StoreError) {
    var owners: [ListMembers: [Int64]] = [:]
    for list in own.edited.union(own.orders.keys) where list.owner.id > 0 {
      switch list.members {
      case .linked:
        if own.deleted.isEmpty, !mayDiffer(list.owner) { continue }
      case .referring(let table, _, _):
        if !log.isIncomplete, written[table]?.isEmpty ?? true, deleted[table]?.isEmpty ?? true { continue }
      }
      owners[list.members, default: []].append(list.owner.id)
    }
    for (members, ids) in owners {
      let (before, after) = (try base.lists(members, ids), try next.lists(members, ids.sorted(), schema))
      for id in ids {
        let (old, new) = (before[id] ?? [], after[id] ?? [])
        let owner = StoredPlace(table: schema.ownerTable(of: members), id: id)
        let list = StoredList(owner: owner, members: members)
        if let mine = own.orders[list], !Set(mine).isSuperset(of: old) { facts.orders[list] = old }
        if old != new { facts.lists[list] = (old, new) }
      }
    }
  }

  /// Reads the links of rows that were deleted there and are inserted again.
  mutating func readLinksDeletedThere() throws(StoreError) {
    guard policy == .contextWins else { return }
    let deleted = own.updated.keys.filter { facts.isDeletedThere($0) }
    for (table, places) in Dictionary(grouping: deleted, by: \.table) {
      let ids = places.map(\.id).sorted()
      for (number, link) in schema.links.enumerated() {
        var pairs: [StoredPair] = []
        if link.ownerTable == table { pairs += try base.pairs(in: number, ofOwners: ids) }
        if link.memberTable == table { pairs += try base.pairs(in: number, ofMembers: ids) }
        facts.linksDeletedThere.formUnion(pairs)
      }
    }
  }
}
