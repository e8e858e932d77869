extension RebaseReader {
  /// Finds the objects that were added there to deleted objects and, by 'cascade', the objects that depend on them.
  mutating func readJoined() throws(StoreError) {
    var doomed = own.deleted.filter { !facts.isDeletedThere($0) && !map.deletePaths[$0.table].isEmpty }
    var known = own.deleted
    while let table = doomed.first?.table {
      let places = doomed.filter { $0.table == table }
      doomed.subtract(places)
      let (mine, added) = (places.intersection(own.deleted), places.subtracting(own.deleted))
      for path in map.deletePaths[table] {
        let targets =
          try targetsOfOthers(path.way, of: mine.map(\.id).sorted(), table)
          + targets(path.way, of: added.map(\.id).sorted(), table, in: next)
        for (owner, target) in targets where !own.deleted.contains(target) && !isMoved(target, path.way) {
          let owner = StoredPlace(table: table, id: owner)
          if path.isDenied {
            facts.joined[owner, default: .init()].denying.append(target)
          } else {
            facts.joined[owner, default: .init()].cascading.append(target)
            if known.insert(target).inserted { doomed.insert(target) }
          }
        }
      }
    }
  }

  /// Whether the changes give an object an owner other than the deleted object.
  private func isMoved(_ target: StoredPlace, _ way: StoreMap.DeletePath.Way) -> Bool {
    guard case .members(.referring(_, let column, _)) = way else { return false }
    return own.updated[target]?.columns.contains(column) == true
  }

  /// Returns the objects that were added there to a relationship of objects that are deleted here.
  private func targetsOfOthers(
    _ way: StoreMap.DeletePath.Way, of ids: [Int64], _ table: Int
  ) throws(StoreError) -> [(owner: Int64, target: StoredPlace)] {
    switch way {
    case .members(.referring(let members, _, _)):
      // All previous members have been deleted or changed.
      if !log.isIncomplete, written[members]?.isEmpty ?? true { return [] }
      return try targets(way, of: ids, table, in: next)
    case .members(.linked), .column:
      let changed = ids.filter { mayDiffer(StoredPlace(table: table, id: $0)) }
      let former = try targets(way, of: base.former(changed, table), table, in: base.snapshot)
        .map { base.renamed($0.owner, $0.target, table) }
      let before = Dictionary(grouping: former, by: \.owner).mapValues { Set($0.map(\.target)) }
      return try targets(way, of: changed, table, in: next).filter { before[$0.owner]?.contains($0.target) != true }
    }
  }

  /// Finds objects deleted here that are needed by other objects whose deletion is discarded.
  mutating func readNeeded() throws(StoreError) {
    guard policy == .storeWins else { return }
    let deleted = own.deleted.filter { !facts.isDeletedThere($0) }
    var kept = deleted.filter { facts.isChangedThere($0, schema) || facts.joined[$0] != nil }
    if kept.isEmpty { return }
    var owners: [StoredPlace: [StoredPlace]] = [:]
    for (table, places) in Dictionary(grouping: deleted, by: \.table) {
      for way in map.dependents[table] {
        for (owner, target) in try allTargets(way, of: places.map(\.id).sorted(), table, in: next)
        where deleted.contains(target) { owners[target, default: []].append(StoredPlace(table: table, id: owner)) }
      }
    }
    var left = Array(kept)
    while let place = left.popLast() {
      for owner in owners[place] ?? [] where kept.insert(owner).inserted {
        facts.needed.insert(owner)
        left.append(owner)
      }
    }
    let unread = kept.filter { facts.base[$0] == nil }
    for (table, places) in Dictionary(grouping: unread, by: \.table) {
      for (place, row) in try next.rows(in: table, ids: places.map(\.id).sorted()).contents(schema) {
        (facts.base[place], facts.theirs[place]) = (row, row)
      }
    }
  }

  /// The objects in a relationship of the given rows, unless they were removed from it here.
  private func targets(
    _ way: StoreMap.DeletePath.Way, of ids: [Int64], _ table: Int, in snapshot: any StoreSnapshot
  ) throws(StoreError) -> [(owner: Int64, target: StoredPlace)] {
    let targets = try allTargets(way, of: ids, table, in: snapshot)
    guard case .members(.linked(let number, let isOwner)) = way else { return targets }
    return targets.filter { owner, target in
      let pair =
        isOwner
        ? StoredPair(link: number, owner: owner, member: target.id)
        : StoredPair(link: number, owner: target.id, member: owner)
      return !own.removed.contains(pair)
    }
  }

  /// The objects in a relationship of the given rows.
  private func allTargets(
    _ way: StoreMap.DeletePath.Way, of ids: [Int64], _ table: Int, in snapshot: any StoreSnapshot
  ) throws(StoreError) -> [(owner: Int64, target: StoredPlace)] {
    if ids.isEmpty { return [] }
    switch way {
    case .members(.referring(let table, let column, let entity)):
      let rows = try snapshot.rows(in: table, column: column, referringTo: ids)
      return schema.referringRows(rows, column, entity).map { ($0.owner, StoredPlace(table: table, id: $0.id)) }
    case .members(.linked(let number, isOwner: true)):
      let table = schema.links[number].memberTable
      return try snapshot.links(in: number, ofOwners: ids).map { ($0.owner, StoredPlace(table: table, id: $0.member)) }
    case .members(.linked(let number, isOwner: false)):
      let table = schema.links[number].ownerTable
      return try snapshot.links(in: number, ofMembers: ids).map { ($0.member, StoredPlace(table: table, id: $0.owner)) }
    case .column(let column, let target, let entity):
      return try snapshot.rows(in: table, ids: ids).contents(schema).compactMap { place, row in
        guard schema.isKind(row.entity, in: table, of: entity) else { return nil }
        return row.reference(column).map { (place.id, StoredPlace(table: target, id: $0)) }
      }
    }
  }
}
