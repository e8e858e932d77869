/// The facts that a rebase requires about two versions of a store: the base of the changes, and the later version, with the changes of
/// other contexts. As in ``Rebase``, "here" is the context that rebases its changes, and "there" is the later version.
struct RebaseFacts {
  /// The rows that both sides wrote, in the base and in the later version. Rows that were deleted there are missing in the later
  /// version.
  var base: [StoredPlace: StoredRow] = [:]
  var theirs: [StoredPlace: StoredRow] = [:]
  /// The rows that were deleted there, among those that the changes refer to.
  var gone: Set<StoredPlace> = []
  /// The rows with identities that the changes assign to other rows.
  var holders: [StoredPlace: StoredPlace] = [:]
  /// Among these rows, existing rows that received the identity of an object that was deleted there. They are different objects.
  var others: Set<StoredPlace> = []
  /// The rows of the store with alternate identities that the changes assign, by the rows that receive them (M27).
  var rivals: [StoredPlace: [Rival]] = [:]
  /// Pairs of rows to which the changes give the same identity, because each side changed a part of it.
  var clashes: [(first: StoredPlace, second: StoredPlace)] = []
  /// The members of lists that both sides may have changed.
  var lists: [StoredList: (base: [Int64], theirs: [Int64])] = [:]
  /// The former members of ordered lists from which members were removed here.
  var orders: [StoredList: [Int64]] = [:]
  /// The links of rows that were deleted there and are inserted again.
  var lostLinks: Set<StoredPair> = []
  /// The objects that were added there to relationships of deleted objects, if the delete rule is 'cascade' or 'deny'.
  var joined: [StoredPlace: Joined] = [:]
  /// With storeWins: objects deleted here that are needed by other objects whose deletion is discarded.
  var needed: Set<StoredPlace> = []

  struct Rival {
    var place: StoredPlace
    /// The identity, as a position in ``StoreSchema/Table/identities``.
    var identity: Int
  }

  struct Joined {
    var cascading: [StoredPlace] = []
    var denying: [StoredPlace] = []
  }
}

/// Reads the facts for a rebase.
struct RebaseReader {
  /// The changes, in terms of the later version.
  let own: OwnChanges
  private let base: RebaseBase
  private let next: any StoreSnapshot
  private let map: StoreMap
  private let policy: ConflictPolicy
  private let log: StoreLog
  private let written: [Int: Set<Int64>]
  private let deleted: [Int: Set<Int64>]
  private var facts = RebaseFacts()
  /// The rows that will have certain identity values. Several passes find them, because owners become known one at a time.
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

  private var schema: StoreSchema { map.schema }

  /// For objects that were deleted and inserted again there, the old rows by the new rows.
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
    try readGone()
    try readHolders()
    try readOthers()
    try readLists()
    try readLostLinks()
    try readJoined()
    try readNeeded()
    return facts
  }

  private func mayDiffer(_ place: StoredPlace) -> Bool {
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
    // This is needed because a discarded deletion restores the references that it cleared, and a pair is discarded as a whole.
    guard own.deleted.contains(where: { facts.theirs[$0] != nil }) || own.updated.contains(where: isChangedPair)
    else { return }
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
    facts.base[place] != nil && update.columns.contains { map.pairColumns[place.table][$0] != nil }
  }

  private mutating func readGone() throws(StoreError) {
    var referred = Set<StoredPlace>()
    for (place, row) in own.inserted { note(row, place.table, nil, &referred) }
    for (place, update) in own.updated { note(update.row, place.table, nil, &referred) }
    for pair in own.added.union(own.removed) {
      referred.insert(StoredPlace(table: schema.links[pair.link].ownerTable, id: pair.owner))
      referred.insert(StoredPlace(table: schema.links[pair.link].memberTable, id: pair.member))
    }
    let stored = referred.filter { $0.id > 0 }
    guard log.isIncomplete else {
      facts.gone = stored.filter { deleted[$0.table]?.contains($0.id) == true }
      return
    }
    for (table, places) in Dictionary(grouping: stored, by: \.table) {
      let there = Set(try next.rows(in: table, ids: places.map(\.id).sorted()).headers.map(\.id))
      facts.gone.formUnion(places.filter { !there.contains($0.id) })
    }
  }

  private func note(_ row: StoredRow, _ table: Int, _ columns: Set<Int>?, _ places: inout Set<StoredPlace>) {
    for column in schema.tables[table].columns.indices where columns?.contains(column) ?? true {
      if let target = schema.tables[table].target(of: column, in: row) { places.insert(target) }
    }
  }

  // MARK: Identities

  /// Finds the rows with the identities that the changes assign. An identity may contain an owner that itself turns out to be a row of the
  /// store, so this is repeated.
  private mutating func readHolders() throws(StoreError) {
    var rows = own.inserted.map { (place: $0.key, row: $0.value) }
    for (place, update) in own.updated {
      // Objects that were deleted there may be inserted again.
      let isLost = facts.base[place] != nil && facts.theirs[place] == nil
      let row = isLost ? update.row : outcome(of: update, at: place)
      if isLost || changesIdentity(place, update, row) { rows.append((place, row)) }
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
        let isLost = facts.base[place] != nil && facts.theirs[place] == nil
        if isLost || own.inserted[place] != nil { facts.holders[place] = try counterpart(of: place, row) }
      }
      // The remaining searches can succeed only if another owner was found.
      if facts.holders.count == known { return }
      left = waiting
    }
  }

  private mutating func readOthers() throws(StoreError) {
    let holders = facts.holders.filter { isGone($0.key) }.map(\.value)
    for (table, places) in Dictionary(grouping: holders, by: \.table) {
      facts.others.formUnion(try base.rows(in: table, places.map(\.id)).keys)
    }
  }

  /// Returns the object that was inserted there with an alternate identity of a row that is inserted here. The two are united, as in an
  /// import (M27), if one of them has no other identity, and if the united row does not have the identity of a third object. With
  /// storeWins, the result may also be an object whose deletion is discarded.
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

  /// Whether two rows, united, would have the identity of a third row.
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

  /// The contents that a row updated here will have. If it was also updated there, the policy determines them.
  private func outcome(of update: OwnChanges.Update, at place: StoredPlace) -> StoredRow {
    guard let their = facts.theirs[place] else { return update.row }
    var row = update.row
    for column in row.values.indices where !update.columns.contains(column) {
      let isOurs = policy == .contextWins && !update.row.isPlaceholder && map.pairColumns[place.table][column] == nil
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
        // Alternate identities may be the same until they are validated (M27).
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

  /// The row of an owner in the later version; nil if it has none.
  private func owner(_ place: StoredPlace) -> StoredPlace? {
    guard place.id < 0 || facts.gone.contains(place) || isGone(place) else { return place }
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

  // MARK: Lists

  private mutating func readLists() throws(StoreError) {
    var owners: [StoreMembers: [Int64]] = [:]
    for list in own.edited.union(own.orders.keys) where list.owner.id > 0 {
      switch list.members {
      case .linked:
        if own.deleted.isEmpty, !mayDiffer(list.owner) { continue }
      case .referring(let table, _):
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
  private mutating func readLostLinks() throws(StoreError) {
    guard policy == .contextWins else { return }
    let lost = own.updated.keys.filter { facts.base[$0] != nil && facts.theirs[$0] == nil }
    for (table, places) in Dictionary(grouping: lost, by: \.table) {
      let ids = places.map(\.id).sorted()
      for (number, link) in schema.links.enumerated() {
        var pairs: [StoredPair] = []
        if link.ownerTable == table { pairs += try base.pairs(in: number, ofOwners: ids) }
        if link.memberTable == table { pairs += try base.pairs(in: number, ofMembers: ids) }
        facts.lostLinks.formUnion(pairs)
      }
    }
  }
}

// MARK: Deletions

extension RebaseReader {
  /// Finds the objects that were added there to deleted objects and, by 'cascade', the objects that depend on them.
  private mutating func readJoined() throws(StoreError) {
    var doomed = own.deleted.filter { !isGone($0) && !map.deletePaths[$0.table].isEmpty }
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
    guard case .members(.referring(_, let column)) = way else { return false }
    return own.updated[target]?.columns.contains(column) == true
  }

  private func isGone(_ place: StoredPlace) -> Bool { facts.base[place] != nil && facts.theirs[place] == nil }

  /// Returns the objects that were added there to a relationship of objects that are deleted here.
  private func targetsOfOthers(
    _ way: StoreMap.DeletePath.Way, of ids: [Int64], _ table: Int
  ) throws(StoreError) -> [(owner: Int64, target: StoredPlace)] {
    switch way {
    case .members(.referring(let members, _)):
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
  private mutating func readNeeded() throws(StoreError) {
    guard policy == .storeWins else { return }
    let deleted = own.deleted.filter { !isGone($0) }
    var kept = deleted.filter { facts.base[$0] != nil || facts.joined[$0] != nil }
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
    case .members(.referring(let table, let column)):
      let rows = try snapshot.rows(in: table, column: column, referringTo: ids)
      return (0..<rows.count).compactMap { index in
        rows.values.integer(row: index, column: column).map {
          ($0, StoredPlace(table: table, id: rows.headers[index].id))
        }
      }
    case .members(.linked(let number, isOwner: true)):
      let table = schema.links[number].memberTable
      return try snapshot.links(in: number, ofOwners: ids).map { ($0.owner, StoredPlace(table: table, id: $0.member)) }
    case .members(.linked(let number, isOwner: false)):
      let table = schema.links[number].ownerTable
      return try snapshot.links(in: number, ofMembers: ids).map { ($0.member, StoredPlace(table: table, id: $0.owner)) }
    case .column(let column, let target):
      return try snapshot.rows(in: table, ids: ids).contents(schema).compactMap { place, row in
        row.reference(column).map { (place.id, StoredPlace(table: target, id: $0)) }
      }
    }
  }
}

extension StoreSchema.Table {
  /// Whether a row has an identity other than alternate identities.
  func isIdentified(_ row: StoredRow) -> Bool {
    identities.contains { identity in
      !identity.isAlternate && identity.entities.contains(row.entity)
        && identity.columns.allSatisfy { row.values[$0] != .null }
    }
  }
}

extension StoreSchema.Table {
  /// The row that a column refers to.
  func target(of column: Int, in row: StoredRow) -> StoredPlace? {
    guard case .reference(let table) = columns[column].content, let id = row.reference(column) else { return nil }
    return StoredPlace(table: table, id: id)
  }

  /// The rows that a row refers to.
  func targets(in row: StoredRow) -> [StoredPlace] { columns.indices.compactMap { target(of: $0, in: row) } }

  /// The values of the columns that identify a row; nil if one is nil. `owner` returns the row of an owner in the version of the identity.
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

extension StoredValues {
  /// Appends a row of values.
  mutating func append(_ row: [StoreValue], _ contents: [StoreSchema.Content]) {
    appendRow()
    for (column, value) in row.enumerated() {
      switch value {
      case .null: continue
      case .integer(let integer): setInteger(integer, row: count - 1, column: column)
      case .double(let double): setDouble(double, row: count - 1, column: column)
      case .text(let bytes), .binary(let bytes):
        value.storedBytes(bytes, contents[column]).withUnsafeBufferPointer {
          setText($0, row: count - 1, column: column)
        }
      }
    }
  }
}

extension StoreValue {
  /// The bytes in which rows store a text. A UUID is not stored as text.
  func storedBytes(_ text: [UInt8], _ content: StoreSchema.Content) -> [UInt8] {
    guard content == .attribute(.uuid) else { return text }
    let digits = text.compactMap { Character(UnicodeScalar($0)).hexDigitValue.map(UInt8.init) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
