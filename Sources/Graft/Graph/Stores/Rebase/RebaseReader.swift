/// Reads the facts for a rebase.
struct RebaseReader {
  /// The changes, in terms of the later version.
  let own: OwnChanges
  let base: RebaseBase
  let next: any StoreSnapshot
  let map: StoreMap
  let policy: ConflictPolicy
  let log: StoreLog
  let written: [Int: Set<Int64>]
  let deleted: [Int: Set<Int64>]
  var facts = RebaseFacts()
  /// The rows that will have certain identity values. They are found in several passes, because owners become known one at a time.
  private var wanted: [IdentitySpace: [[StoreValue]: StoredPlace]] = [:]

  private struct IdentitySpace: Hashable, Comparable {
    var table: Int
    /// The identity, as a position in ``StoreSchema/Table/identities``.
    var identity: Int

    static func < (left: Self, right: Self) -> Bool { (left.table, left.identity) < (right.table, right.identity) }
  }

  /// A search for the store's row with the identity of a row that is inserted or changed here.
  private struct Search {
    let place: StoredPlace
    let row: StoredRow
    let space: IdentitySpace
  }

  var schema: StoreSchema { map.schema }

  /// The old rows, by the new rows, of objects that were deleted and inserted again there.
  var former: [StoredPlace: StoredPlace] { base.former }

  /// - Parameters:
  ///   - base: the version that the changes are based on.
  ///   - next: a later version.
  init(
    _ own: OwnChanges, _ map: StoreMap, _ policy: ConflictPolicy, base: any StoreSnapshot, next: any StoreSnapshot
  ) throws(StoreError) {
    self.map = map
    self.policy = policy
    self.next = next
    log = try next.changes(since: base.sequence)
    let replaced = try ReplacementFinder.find(own, map.schema, policy, log, base: base, next: next)
    self.base = RebaseBase(base, map.schema, replaced)
    self.own = own.renamed(replaced, map.schema)
    written = log.written.mapValues { Set($0) }
    deleted = log.deleted.mapValues { Set($0) }
  }

  mutating func read() throws(StoreError) -> RebaseFacts {
    try readRows()
    try readDeletedTargets()
    try readHolders()
    try readOthers()
    try readLists()
    try readLinksDeletedThere()
    try readJoined()
    try readNeeded()
    if own.deleted.contains(where: { facts.joined[$0] != nil || facts.needed.contains($0) }) { try readUnwritten() }
    return facts
  }

  func mayDiffer(_ place: StoredPlace) -> Bool {
    log.isIncomplete || written[place.table]?.contains(place.id) == true
      || deleted[place.table]?.contains(place.id) == true
  }

  // MARK: Rows

  private mutating func readRows() throws(StoreError) {
    var ids: [Int: [Int64]] = [:]
    for place in own.deleted.union(own.updated.keys) where mayDiffer(place) {
      ids[place.table, default: []].append(place.id)
    }
    for (table, ids) in ids.sorted(by: { $0.key < $1.key }) {
      let before = try base.rows(in: table, ids)
      let after = try next.rows(in: table, ids: ids.sorted()).contents(schema)
      for (place, row) in before where after[place] != row {
        facts.base[place] = row
        facts.theirs[place] = after[place]
      }
    }
    // These rows are needed because a discarded deletion restores the references that it cleared, and because changes to a one-to-one are
    // discarded at both ends.
    guard own.deleted.contains(where: { facts.theirs[$0] != nil }) || own.updated.contains(where: isChangedPair)
    else { return }
    try readUnwritten()
  }

  /// Reads the rows that were changed here, but not there.
  private mutating func readUnwritten() throws(StoreError) {
    var rest: [Int: [Int64]] = [:]
    for place in own.updated.keys where facts.base[place] == nil { rest[place.table, default: []].append(place.id) }
    for (table, ids) in rest {
      for (place, row) in try base.rows(in: table, ids) {
        facts.base[place] = row
        facts.theirs[place] = row
      }
    }
  }

  /// Whether a row whose one-to-ones were changed here was written or deleted there.
  private func isChangedPair(_ place: StoredPlace, _ update: OwnChanges.Update) -> Bool {
    facts.base[place] != nil
      && update.columns.contains { map.pairColumn($0, of: update.row.entity, in: place.table) != nil }
  }

  private mutating func readDeletedTargets() throws(StoreError) {
    var referred = Set<StoredPlace>()
    for (place, row) in own.inserted { note(row, place.table, nil, &referred) }
    for (place, update) in own.updated { note(update.row, place.table, nil, &referred) }
    for pair in own.added.union(own.removed) {
      referred.insert(StoredPlace(table: schema.links[pair.link].ownerTable, id: pair.owner))
      referred.insert(StoredPlace(table: schema.links[pair.link].memberTable, id: pair.member))
    }
    let stored = referred.filter { $0.id > 0 }
    guard log.isIncomplete else {
      facts.deletedTargets = stored.filter { deleted[$0.table]?.contains($0.id) == true }
      return
    }
    for (table, places) in Dictionary(grouping: stored, by: \.table) {
      let there = Set(try next.rows(in: table, ids: places.map(\.id).sorted()).headers.map(\.id))
      facts.deletedTargets.formUnion(places.filter { !there.contains($0.id) })
    }
  }

  private func note(_ row: StoredRow, _ table: Int, _ columns: Set<Int>?, _ places: inout Set<StoredPlace>) {
    for column in schema.tables[table].columns.indices where columns?.contains(column) ?? true {
      if let target = schema.tables[table].target(of: column, in: row) { places.insert(target) }
    }
  }

  // MARK: Identities

  /// Finds the rows with the identities that the changes assign. An identity may contain an owner that itself turns out to be a row of the
  /// store, so the search is repeated.
  private mutating func readHolders() throws(StoreError) {
    var rows = own.inserted.map { (place: $0.key, row: $0.value) }
    for (place, update) in own.updated {
      // Objects that were deleted there may be inserted again.
      let isDeletedThere = facts.isDeletedThere(place)
      let row = isDeletedThere ? update.row : outcome(of: update, at: place)
      if isDeletedThere || changesIdentity(place, update, row) { rows.append((place, row)) }
    }
    rows.sort { $0.place < $1.place }
    var left = rows.flatMap { place, row in
      schema.tables[place.table].identities.indices.map {
        Search(place: place, row: row, space: IdentitySpace(table: place.table, identity: $0))
      }
    }
    while !left.isEmpty {
      var waiting: [Search] = []
      let known = facts.holders.count
      for (space, searches) in Dictionary(grouping: left, by: \.space).sorted(by: { $0.key < $1.key }) {
        let found = try holders(searches, space, &waiting)
        if schema.tables[space.table].identities[space.identity].isAlternate {
          facts.rivals.merge(found.mapValues { [.init(place: $0, identity: space.identity)] }) { $0 + $1 }
        } else {
          facts.holders.merge(found) { $1 }
        }
      }
      for (place, row) in rows where facts.holders[place] == nil {
        if facts.isDeletedThere(place) || own.inserted[place] != nil {
          facts.holders[place] = try counterpart(of: place, row)
        }
      }
      // The remaining searches can succeed only if another owner was found.
      if facts.holders.count == known { return }
      left = waiting
    }
  }

  private mutating func readOthers() throws(StoreError) {
    let holders = facts.holders.filter { facts.isDeletedThere($0.key) }.map(\.value)
    for (table, places) in Dictionary(grouping: holders, by: \.table) {
      facts.others.formUnion(try base.rows(in: table, places.map(\.id)).keys)
    }
  }

  /// Returns the object that was inserted there with an alternate identity of a row that is inserted here. The two are united, as in an
  /// import (M27), if one of them has no other identity, and if the united row does not have the identity of a third object. With
  /// storeWins, the result can also be an object whose deletion is discarded.
  private func counterpart(of place: StoredPlace, _ row: StoredRow) throws(StoreError) -> StoredPlace? {
    let layout = schema.tables[place.table]
    let rivals = facts.rivals[place, default: []].filter { rival in
      guard !own.deleted.contains(rival.place) || policy == .storeWins else { return false }
      let columns = layout.identities[rival.identity].columns
      return !columns.contains { own.updated[rival.place]?.columns.contains($0) == true }
    }
    guard let first = rivals.min(by: { $0.identity < $1.identity })?.place, let their = facts.theirs[first],
      !layout.isIdentified(row) || !layout.isIdentified(their)
    else { return nil }
    if own.deleted.contains(first) { return first }
    guard try isNew(first), try !isTaken(row, with: their, at: first) else { return nil }
    return first
  }

  /// Whether a row was inserted there.
  private func isNew(_ place: StoredPlace) throws(StoreError) -> Bool {
    guard mayDiffer(place) else { return false }
    return try base.rows(in: place.table, [place.id]).isEmpty
  }

  /// Whether two rows would, if united, have the identity of a third row.
  private func isTaken(
    _ row: StoredRow, with their: StoredRow, at place: StoredPlace
  ) throws(StoreError) -> Bool {
    let layout = schema.tables[place.table]
    var united = their
    for column in row.values.indices where row.values[column] != .null { united.values[column] = row.values[column] }
    for (number, identity) in layout.identities.enumerated() where identity.entities.contains(their.entity) {
      guard let key = key(united, identity.columns, layout), key != self.key(their, identity.columns, layout) else {
        continue
      }
      var values = StoredValues(columnCount: identity.columns.count)
      values.append(key, identity.columns.map { layout.columns[$0].content })
      let others = try next.rows(in: place.table, identity: number, values: values).headers.map(\.id)
      if others.contains(where: { $0 != place.id && !own.deleted.contains(StoredPlace(table: place.table, id: $0)) }) {
        return true
      }
    }
    return false
  }

  /// The contents that a row updated here will have. If the row was also updated there, the policy determines its contents.
  private func outcome(of update: OwnChanges.Update, at place: StoredPlace) -> StoredRow {
    guard let their = facts.theirs[place] else { return update.row }
    var row = update.row
    for column in row.values.indices where !update.columns.contains(column) {
      let isOurs =
        policy == .contextWins && !update.row.isPlaceholder
        && map.pairColumn(column, of: update.row.entity, in: place.table) == nil
      if !isOurs { row.values[column] = their.values[column] }
    }
    return row
  }

  /// Whether a row gets a different identity than it has in the later version.
  private func changesIdentity(_ place: StoredPlace, _ update: OwnChanges.Update, _ row: StoredRow) -> Bool {
    schema.tables[place.table].identities.contains { identity in
      guard identity.entities.contains(row.entity) else { return false }
      guard let their = facts.theirs[place] else { return identity.columns.contains(where: update.columns.contains) }
      return identity.columns.contains { row.values[$0] != their.values[$0] }
    }
  }

  /// - Parameter waiting: searches for rows with an owner that the store may not have.
  private mutating func holders(
    _ searches: [Search], _ space: IdentitySpace, _ waiting: inout [Search]
  ) throws(StoreError) -> [StoredPlace: StoredPlace] {
    let layout = schema.tables[space.table]
    let columns = layout.identities[space.identity].columns
    var values = StoredValues(columnCount: columns.count)
    for search in searches where layout.identities[space.identity].entities.contains(search.row.entity) {
      if columns.contains(where: { isNewOwner(search.row, $0, layout) }) {
        waiting.append(search)
        continue
      }
      guard let key = key(search.row, columns, layout) else { continue }
      if let other = wanted[space]?[key], other != search.place {
        // Two objects may have the same alternate identity until they are validated (M27).
        if !layout.identities[space.identity].isAlternate { facts.clashes.append((other, search.place)) }
        continue
      }
      wanted[space, default: [:]][key] = search.place
      values.append(key, columns.map { layout.columns[$0].content })
    }
    if values.count == 0 { return [:] }
    var found: [StoredPlace: StoredPlace] = [:]
    let holding = try next.rows(in: space.table, identity: space.identity, values: values)
    for (holder, row) in holding.contents(schema) {
      guard let key = self.key(row, columns, layout), let place = wanted[space]?[key], place != holder else { continue }
      found[place] = holder
      facts.theirs[holder] = facts.theirs[holder] ?? row
    }
    return found
  }

  /// The row of an owner in the later version; nil if that version does not have the owner.
  private func owner(_ place: StoredPlace) -> StoredPlace? {
    guard place.id < 0 || facts.deletedTargets.contains(place) || facts.isDeletedThere(place) else { return place }
    return facts.holders[place]
  }

  /// Whether an identity column refers to an owner that the store does not have.
  private func isNewOwner(_ row: StoredRow, _ column: Int, _ layout: StoreSchema.Table) -> Bool {
    layout.target(of: column, in: row).map { owner($0) == nil } ?? false
  }

  /// The identity of a row; nil if a value is nil.
  private func key(_ row: StoredRow, _ columns: [Int], _ layout: StoreSchema.Table) -> [StoreValue]? {
    layout.key(of: row, columns, owner: owner)
  }
}
