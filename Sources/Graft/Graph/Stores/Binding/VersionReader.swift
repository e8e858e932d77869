/// The differences between two versions of a store that affect data in memory.
struct VersionDifference {
  /// The changes that other contexts wrote.
  let log: StoreLog
  /// For each table, the written rows that are in memory, or that lists in memory may contain.
  fileprivate(set) var rows: [StoredRows] = []
  /// Rows that were not in memory, but will be loaded.
  fileprivate(set) var arriving: [Int: Set<Int64>] = [:]
  /// Rows in memory that the store no longer has.
  fileprivate(set) var gone: [RowPlace] = []
  /// Complete lists, with their current members.
  fileprivate(set) var lists: [CompleteList] = []
  /// For placeholders that get a different entity, the relationships whose lists are in ``lists``.
  fileprivate(set) var newLists: [StoredPlace: Set<Int>] = [:]
  /// Inserted rows of entities that were requested, with their entities.
  fileprivate(set) var inserted: [(place: StoredPlace, entity: Int)] = []
  /// The tables whose rows were written or deleted.
  fileprivate(set) var tables: Set<Int> = []

  struct CompleteList {
    var owner: StoredPlace
    /// The relationship: a slot of the entity that the owner belonged to when the list was read.
    var slot: Int
    var entity: Int
    var members: [Int64]
  }
}

/// Reads what differs between the version of a store that a context shows and another version.
struct VersionReader {
  private let binding: StoreBinding
  private let next: any StoreSnapshot
  private var difference: VersionDifference

  private var state: Reference<GraphState> { binding.state }
  private var map: StoreMap { binding.map }

  /// - Parameter tellsInserted: whether there are observers, which are notified of inserted objects.
  static func read(
    _ binding: StoreBinding, to next: any StoreSnapshot, tellsInserted: Bool
  ) throws(StoreError) -> VersionDifference {
    let base = binding.pinned ?? next
    var reader = VersionReader(
      binding: binding, next: next, difference: VersionDifference(log: try next.changes(since: base.sequence)))
    for table in binding.rowsByID.indices { try reader.read(table, base, tellsInserted) }
    try reader.readLists()
    if tellsInserted { try reader.readNewLists() }
    try reader.readArriving()
    return reader.difference
  }

  // MARK: Rows

  private mutating func read(_ table: Int, _ base: any StoreSnapshot, _ tellsInserted: Bool) throws(StoreError) {
    let known = binding.rowsByID[table]
    let isTold = tellsInserted && binding.knowledge.shownTables.contains(table)
    let isWhole = map.entities[table].contains { binding.knowledge.hasAll(of: $0) }
    var written = difference.log.isIncomplete ? known.ids : difference.log.written[table] ?? []
    if difference.log.isIncomplete, isTold || isWhole && tellsInserted {
      let all = StoreQuery(table: table)
      written += Set(try next.ids(selectedBy: all)).subtracting(try base.ids(selectedBy: all)).subtracting(known.ids)
    }
    let deleted = difference.log.isIncomplete ? [] : difference.log.deleted[table] ?? []
    if difference.log.isIncomplete || !written.isEmpty || !deleted.isEmpty { difference.tables.insert(table) }
    // Rows that are deleted in this context are also read, because they reappear when its changes are rolled back.
    var wanted = written.filter { id in known[id].map { !state.row(table, $0).isFault } ?? false }
    let others = Set(written.filter { binding.isMissing(table, $0) })
    if !others.isEmpty, isWhole || isTold || mayJoinLists(table) { wanted += others }
    let found = try next.rows(in: table, ids: Array(Set(wanted)).sorted())
    difference.rows.append(found)
    let there = Set(found.headers.map(\.id))
    difference.gone += (wanted.filter { !there.contains($0) } + deleted).compactMap { id in
      known[id].map { RowPlace(table: table, row: $0) }
    }
    if difference.log.isIncomplete { difference.gone += try faultsThatAreGone(table) }
    guard !others.isEmpty else { return }
    var isNew = Set<Int64>()
    if isWhole || isTold {
      isNew = Set(found.headers.map(\.id)).intersection(others)
      isNew.subtract(try base.rows(in: table, ids: isNew.sorted()).headers.map(\.id))
    }
    for (index, header) in found.headers.enumerated() where others.contains(header.id) {
      let entity = map.entities[table][header.entity]
      if isNew.contains(header.id), isTold || tellsInserted {
        difference.inserted.append((StoredPlace(table: table, id: header.id), entity))
      }
      if binding.knowledge.hasAll(of: entity) || isNew.contains(header.id) && tellsInserted
        || joinsList(found, index)
      {
        difference.arriving[table, default: []].insert(header.id)
      }
    }
  }

  private func faultsThatAreGone(_ table: Int) throws(StoreError) -> [RowPlace] {
    let faults = binding.rowsByID[table].filter { state.row(table, $0.row).isFault }
    if faults.isEmpty { return [] }
    let there = Set(try next.rows(in: table, ids: faults.map(\.id).sorted()).headers.map(\.id))
    return faults.filter { !there.contains($0.id) }.map { RowPlace(table: table, row: $0.row) }
  }

  /// Whether complete lists in memory may contain rows of a table.
  private func mayJoinLists(_ table: Int) -> Bool {
    map.schema.tables[table].columns.contains { column in
      if case .reference(let target) = column.content { binding.rowsByID[target].count > 0 } else { false }
    }
  }

  /// Whether a complete list in memory contains a row.
  private func joinsList(_ rows: StoredRows, _ index: Int) -> Bool {
    let entity = map.entities[rows.table][rows.headers[index].entity]
    return map.slots[entity].enumerated().contains { column, number in
      guard number >= 0, case let slot = state.layouts[entity].slots[number], slot.kind == .toOne, slot.inverse >= 0,
        slot.inverseSlot.isToMany, let id = rows.values.integer(row: index, column: column),
        let owner = binding.rowsByID[slot.destinationTable][id]
      else { return false }
      let row = state.row(slot.destinationTable, owner)
      return !row.isFault && !state.isUnknown(slot.inverseSlot.words, slot.destinationTable, row)
    }
  }

  /// Reads the lists of links that are in memory and belong to rows that were written.
  private mutating func readLists() throws(StoreError) {
    for rows in difference.rows {
      let table = rows.table
      var byEntity: [Int: [UInt32]] = [:]
      for header in rows.headers {
        guard let number = binding.rowsByID[table][header.id] else { continue }
        byEntity[state.row(table, number).entity, default: []].append(number)
      }
      for (entity, numbers) in byEntity.sorted(by: { $0.key < $1.key }) {
        for (slot, place) in map.schema.places[entity].enumerated() {
          guard case .links(let link, let isOwner) = place else { continue }
          let list = state.layouts[entity].slots[slot]
          let ids = numbers.filter { number in
            let row = state.row(table, number)
            return !row.isFault && !state.isUnknown(list.words, table, row)
          }.map { binding.id(table, $0) }
          if !ids.isEmpty { try readLists(ids, RowKind(table: table, entity: entity), slot, link, isOwner: isOwner) }
        }
      }
    }
  }

  /// Reads the lists of rows that other contexts inserted, and the lists that placeholders gain when they become objects of a sub-entity,
  /// because all values of these objects are reported to observers. All other lists are derived from their members' to-ones.
  private mutating func readNewLists() throws(StoreError) {
    var ids: [RowKind: [Int64]] = [:]
    for (place, entity) in difference.inserted {
      ids[RowKind(table: place.table, entity: entity), default: []].append(place.id)
    }
    for rows in difference.rows {
      for header in rows.headers {
        guard let place = binding.changed(rows.table, header), !binding.isWidened(place, header) else { continue }
        let (old, new) = (state.row(place.table, place.row).entity, map.entities[place.table][header.entity])
        if old != new { ids[RowKind(table: rows.table, entity: new, former: old), default: []].append(header.id) }
      }
    }
    for (kind, ids) in ids.sorted(by: { ($0.key.entity, $0.key.former) < ($1.key.entity, $1.key.former) }) {
      let known = kind.former < 0 ? 0 : binding.plan.sharedPropertyCount(kind.former, kind.entity)
      for (slot, place) in map.schema.places[kind.entity].enumerated().dropFirst(known) {
        switch place {
        case .links(let link, let isOwner): try readLists(ids, kind, slot, link, isOwner: isOwner)
        case .members(let table, let column, let position?): try readMembers(ids, kind, slot, table, column, position)
        case .members, .column: continue
        }
      }
    }
  }

  private struct RowKind: Hashable {
    var table: Int
    var entity: Int
    /// The entity that the row belonged to before; -1 if it is new.
    var former = -1
  }

  /// Reads rows that will be in memory, and have not been read yet.
  private mutating func readArriving() throws(StoreError) {
    for (table, ids) in difference.arriving.sorted(by: { $0.key < $1.key }) {
      let known = Set(difference.rows[table].headers.map(\.id))
      let missing = ids.filter { !known.contains($0) && binding.rowsByID[table][$0] == nil }
      if !missing.isEmpty {
        difference.rows[table].append(try next.rows(in: table, ids: missing.sorted()), map.schema.tables[table])
      }
    }
  }

  private mutating func readLists(
    _ ids: [Int64], _ kind: RowKind, _ number: Int, _ link: Int, isOwner: Bool
  ) throws(StoreError) {
    let destination = state.layouts[kind.entity].slots[number].destinationTable
    let links = isOwner ? try next.links(in: link, ofOwners: ids) : try next.links(in: link, ofMembers: ids)
    var members: [Int64: [(position: Int64, id: Int64)]] = [:]
    for link in links {
      members[isOwner ? link.owner : link.member, default: []].append(
        isOwner ? (link.position, link.member) : (link.inversePosition, link.owner))
      let other = isOwner ? link.member : link.owner
      if binding.rowsByID[destination][other] == nil { difference.arriving[destination, default: []].insert(other) }
    }
    note(members, ids, kind, number)
  }

  /// Reads ordered lists that are derived from their members' to-ones.
  private mutating func readMembers(
    _ ids: [Int64], _ kind: RowKind, _ number: Int, _ table: Int, _ column: Int, _ position: Int
  ) throws(StoreError) {
    let found = try next.rows(in: table, column: column, referringTo: ids)
    var members: [Int64: [(position: Int64, id: Int64)]] = [:]
    for (index, header) in found.headers.enumerated() {
      let entity = map.entities[table][header.entity]
      // Sibling entities share a column, but their relationships may have different inverses.
      guard case let back = map.slots[entity][column], back >= 0,
        state.layouts[entity].slots[back].inverseSlot.words.cell == state.layouts[kind.entity].slots[number].cell,
        let owner = found.values.integer(row: index, column: column)
      else { continue }
      members[owner, default: []].append((found.values.integer(row: index, column: position) ?? 0, header.id))
      if binding.rowsByID[table][header.id] == nil { difference.arriving[table, default: []].insert(header.id) }
    }
    note(members, ids, kind, number)
  }

  private mutating func note(
    _ members: [Int64: [(position: Int64, id: Int64)]], _ ids: [Int64], _ kind: RowKind, _ number: Int
  ) {
    for id in ids {
      if kind.former >= 0 { difference.newLists[StoredPlace(table: kind.table, id: id), default: []].insert(number) }
      difference.lists.append(
        VersionDifference.CompleteList(
          owner: StoredPlace(table: kind.table, id: id), slot: number, entity: kind.entity,
          members: (members[id] ?? []).sorted { $0 < $1 }.map(\.id)))
    }
  }
}

extension StoreBinding {
  /// Whether a row of the store is not in memory, or is a fault.
  func isMissing(_ table: Int, _ id: Int64) -> Bool {
    rowsByID[table][id].map { state.row(table, $0).isFault } ?? true
  }

  /// The row in memory that corresponds to a row in the store, if the two rows differ.
  func changed(_ table: Int, _ header: StoredRows.Header) -> RowPlace? {
    guard let number = rowsByID[table][header.id], state.row(table, number).isLoaded,
      version(table, number) != header.version
    else { return nil }
    return RowPlace(table: table, row: number)
  }

  /// Whether an object in memory belongs neither to the entity that it has in the store, nor to a parent of that entity.
  func isWidened(_ place: RowPlace, _ header: StoredRows.Header) -> Bool {
    let layouts = plan.layouts
    let own = state.row(place.table, place.row).entity
    return !layouts[map.entities[place.table][header.entity]].isKind(of: layouts[own])
  }
}
