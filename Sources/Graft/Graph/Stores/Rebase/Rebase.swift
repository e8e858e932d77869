/// Moves changes that are based on one version of a store onto a later version. Merging, committing, retrying and handing changes from a
/// child to its parent all use this type.
///
///     base --- own changes          base --- theirs --- result
///         \
///          --- theirs
///
/// A rebase is pure: it reads nothing and changes nothing. It returns the changes to make on top of the later version, or throws an error
/// with all conflicts. For each object that both sides wrote:
///
///     policy            changed here and there    deleted here    deleted there    list changed here and there
///     refuse            conflict                  conflict        conflict         conflict
///     storeWins         theirs                    not deleted     deleted          theirs
///     contextWins       ours, completely          deleted         inserted again   ours
///     mergeByProperty   our changed values        deleted         deleted          our additions and removals applied to theirs
///
/// "Here" is the context, and "there" is the store, with the changes that other contexts wrote. Two new objects with the same identity
/// become one object under every policy, as if they were imported; the values of the later object win.
///
/// An object that is deleted here also is treated as changed there if objects were added there to one of its relationships with the delete
/// rule `cascade` or `deny`. If the deletion is kept, `cascade` also deletes these objects, and `deny` causes a conflict. With storeWins,
/// the deletion is also discarded if another object, whose deletion is discarded, depends on the object.
struct Rebase {
  /// Changes on top of the later version.
  struct Result {
    var changes = OwnChanges()
    /// New rows that turned out to be rows of the store.
    var became: [StoredPlace: StoredPlace] = [:]
    /// Rows that were deleted there, and are inserted again under new numbers.
    var again: [StoredPlace: StoredPlace] = [:]
  }

  private let own: OwnChanges
  private let facts: RebaseFacts
  private let map: StoreMap
  private let policy: ConflictPolicy
  private var result = Result()
  /// Objects whose changes are discarded, because the store has won.
  private var discarded: Set<StoredPlace> = []
  private var conflicts: [RebaseConflict] = []
  /// For each table, the lowest number of a new row.
  private var lowest: [Int: Int64] = [:]

  private var schema: StoreSchema { map.schema }

  init(_ own: OwnChanges, _ facts: RebaseFacts, _ map: StoreMap, _ policy: ConflictPolicy) {
    self.own = own
    self.facts = facts
    self.map = map
    self.policy = policy
    for place in own.inserted.keys { lowest[place.table] = min(lowest[place.table] ?? 0, place.id) }
  }

  /// - Throws: an error with all conflicts that the policy does not resolve.
  static func run(
    _ own: OwnChanges, _ facts: RebaseFacts, _ map: StoreMap, _ policy: ConflictPolicy
  ) throws(RebaseConflicts) -> Result {
    var rebase = Rebase(own, facts, map, policy)
    rebase.settleDeletions()
    rebase.settleUpdates()
    rebase.settleInsertions()
    rebase.settleIdentities()
    rebase.giveUpPairs()
    rebase.settleReferences()
    rebase.settleLinks()
    rebase.settleOrders()
    guard rebase.conflicts.isEmpty else { throw RebaseConflicts(all: rebase.conflicts) }
    return rebase.result
  }

  private mutating func refuse(_ place: StoredPlace, _ reason: RebaseConflict.Reason) {
    conflicts.append(RebaseConflict(place: place, reason: reason))
  }

  // MARK: Objects

  private mutating func settleDeletions() {
    for place in own.deleted.sorted() {
      // The object was also deleted there.
      if facts.isDeletedThere(place) { continue }
      guard isChanged(place) || facts.joined[place] != nil || facts.needed.contains(place) else {
        result.changes.deleted.insert(place)
        continue
      }
      switch policy {
      case .refuse: refuse(place, .changed)
      case .storeWins: discarded.insert(place)
      case .contextWins, .mergeByProperty: delete(place)
      }
    }
  }

  private func isChanged(_ place: StoredPlace) -> Bool { facts.isChangedThere(place, schema) }

  /// Deletes an object and, by 'cascade', the objects that were added to it there.
  private mutating func delete(_ place: StoredPlace) {
    var doomed = [place]
    while let place = doomed.popLast() {
      guard result.changes.deleted.insert(place).inserted, let joined = facts.joined[place] else { continue }
      if let member = joined.denying.filter(follows).min() { refuse(place, .denied(member)) }
      doomed += joined.cascading.filter(follows)
    }
  }

  /// Whether a delete rule applies to an object that was added there to a deleted object. With contextWins, an object that was changed here
  /// keeps its owner.
  private func follows(_ place: StoredPlace) -> Bool {
    guard policy == .contextWins, let update = own.updated[place] else { return true }
    return update.columns.isEmpty && !(facts.base[place].map { changesHeader($0, update.row) } ?? false)
  }

  private mutating func settleUpdates() {
    // An object that was added there to a deleted object may already be deleted.
    for (place, update) in own.updated.sorted(by: { $0.key < $1.key }) where !result.changes.deleted.contains(place) {
      guard let old = facts.base[place] else {
        result.changes.updated[place] = update
        continue
      }
      let isOwnHeader = changesHeader(old, update.row)
      // An object that only has a new position is unchanged: its list has changed.
      if update.columns.isEmpty, !isOwnHeader { continue }
      guard let their = facts.theirs[place] else {
        settleDeletedThere(place, update)
        continue
      }
      // A discarded deletion restores the references that it cleared. Identical changes on both sides have already been made.
      let columns = update.columns.filter {
        !isCleared(old, update.row, $0, place.table)
          && (update.row.values[$0] != their.values[$0] || mayCount($0, old, their, place.table))
      }
      if columns.isEmpty, !isOwnHeader { continue }
      // Only a placeholder becomes an object of a sub-entity (D5).
      guard let entity = narrower(update.row.entity, their.entity, place.table),
        entity == their.entity || their.isPlaceholder
      else {
        refuse(place, .entity(map.entities[place.table][their.entity]))
        continue
      }
      var row = update.row
      row.entity = entity
      row.isPlaceholder = row.isPlaceholder && their.isPlaceholder
      if !isOwnHeader { row.isBare = their.isBare }
      guard isChanged(place) else {
        result.changes.updated[place] = .init(row: row, columns: columns)
        continue
      }
      switch policy {
      case .refuse: refuse(place, .changed)
      case .storeWins: discarded.insert(place)
      case .contextWins:
        // A placeholder has no values of its own.
        let all = update.row.isPlaceholder ? [] : ownColumns(update.row, place.table)
        result.changes.updated[place] = .init(row: row, columns: columns.union(all))
      case .mergeByProperty: result.changes.updated[place] = .init(row: row, columns: columns)
      }
    }
  }

  /// Whether an attribute that both sides set to the same value is in conflict, because it may be a counter that both sides incremented.
  private func mayCount(_ column: Int, _ old: StoredRow, _ their: StoredRow, _ table: Int) -> Bool {
    policy == .refuse && !schema.tables[table].columns[column].isReference
      && old.values[column] != their.values[column]
  }

  /// Resolves the conflict of an object that was changed here and deleted there.
  private mutating func settleDeletedThere(_ place: StoredPlace, _ update: OwnChanges.Update) {
    switch policy {
    case .refuse: refuse(place, .deleted)
    case .storeWins, .mergeByProperty: discarded.insert(place)
    case .contextWins:
      if let holder = facts.holders[place], !isFreed(holder) {
        if facts.others.contains(holder) { return refuse(place, .identityTaken) }
        return unite(place, update.row, with: holder)
      }
      let new = StoredPlace(table: place.table, id: (lowest[place.table] ?? 0) - 1)
      lowest[place.table] = new.id
      result.again[place] = new
      result.changes.inserted[new] = update.row
    }
  }

  /// Unites new objects with the store's objects that have the same identities, if there are any.
  private mutating func settleInsertions() {
    for (place, row) in own.inserted.sorted(by: { $0.key < $1.key }) {
      guard let holder = facts.holders[place], !isFreed(holder) else {
        result.changes.inserted[place] = row
        continue
      }
      unite(place, row, with: holder)
    }
  }

  /// Merges a new object into an object that was also inserted there, or inserted again.
  private mutating func unite(_ place: StoredPlace, _ row: StoredRow, with holder: StoredPlace) {
    guard let their = facts.theirs[holder], let entity = united(row, their, place.table) else {
      return refuse(place, .identityTaken)
    }
    if discarded.contains(holder), own.deleted.contains(holder) {
      // The new object replaces an object whose deletion is discarded, so the new object is also discarded.
      result.became[place] = holder
      discarded.insert(place)
      return
    }
    // Two new objects never become one object.
    guard own.updated[holder] == nil, !own.deleted.contains(holder), result.changes.updated[holder] == nil else {
      return refuse(place, .identityTaken)
    }
    result.became[place] = holder
    var row = row
    let given = givenColumns(row, place.table)
    row.entity = entity
    row.isPlaceholder = row.isPlaceholder && their.isPlaceholder
    if row.isPlaceholder { row.isBare = their.isBare }
    result.changes.updated[holder] = .init(row: row, columns: given)
  }

  /// Resolves identities that were given to an object here, and to a different object there.
  private mutating func settleIdentities() {
    for place in own.updated.keys.sorted() where result.changes.updated[place] != nil {
      if let holder = facts.holders[place], !isFreed(holder) { refuse(place, .identityTaken) }
    }
    for clash in facts.clashes where isKept(clash.first) && isKept(clash.second) {
      refuse(clash.second, .identityTaken)
    }
    // Two objects with the same alternate identity are not united (M27).
    for place in (Array(result.changes.inserted.keys) + result.changes.updated.keys).sorted() {
      let rivals = facts.rivals[place, default: []]
      if rivals.contains(where: { $0.place != place && !isFreed($0) }) { refuse(place, .identityTaken) }
    }
    for (place, holder) in result.became.sorted(by: { $0.key < $1.key }) {
      let rivals = facts.rivals[place, default: []]
      if rivals.contains(where: { $0.place != holder && !isFreed($0) }) { refuse(place, .identityTaken) }
    }
  }

  /// Whether the changes to a row are kept.
  private func isKept(_ place: StoredPlace) -> Bool {
    result.changes.updated[place] != nil || result.changes.inserted[place] != nil || result.became[place] != nil
      || result.again[place] != nil
  }

  /// Whether a row loses its identity with these changes.
  private func isFreed(_ holder: StoredPlace) -> Bool {
    isFreed(holder, schema.tables[holder.table].identities.filter { !$0.isAlternate })
  }

  /// Whether a row loses an alternate identity with these changes.
  private func isFreed(_ rival: RebaseFacts.Rival) -> Bool {
    isFreed(rival.place, [schema.tables[rival.place.table].identities[rival.identity]])
  }

  private func isFreed(_ holder: StoredPlace, _ identities: [StoreSchema.Identity]) -> Bool {
    if result.changes.deleted.contains(holder) { return true }
    guard let update = result.changes.updated[holder], let their = facts.theirs[holder] else { return false }
    return identities.contains { identity in
      identity.entities.contains(their.entity)
        && identity.columns.contains { update.columns.contains($0) && update.row.values[$0] != their.values[$0] }
    }
  }

  /// The entity of two new objects with the same identity; nil if they cannot be one object. Only a placeholder becomes an object of a
  /// sub-entity (D5).
  private func united(_ row: StoredRow, _ their: StoredRow, _ table: Int) -> Int? {
    guard let entity = narrower(row.entity, their.entity, table) else { return nil }
    if entity != their.entity, !their.isPlaceholder { return nil }
    return entity == row.entity || row.isPlaceholder ? entity : nil
  }

  // MARK: Rows

  /// The columns with values and references.
  private func contentColumns(_ table: Int) -> Set<Int> {
    Set(schema.tables[table].columns.indices.filter { !schema.tables[table].columns[$0].isPosition })
  }

  /// The columns that belong to only one object. Sides of one-to-ones are excluded, because they also belong to other objects.
  private func ownColumns(_ row: StoredRow, _ table: Int) -> Set<Int> {
    contentColumns(table).filter { column in
      map.slots[map.entities[table][row.entity]][column] >= 0
        && map.pairColumn(column, of: row.entity, in: table) == nil
    }
  }

  private func givenColumns(_ row: StoredRow, _ table: Int) -> Set<Int> {
    contentColumns(table).filter { row.values[$0] != .null }
  }

  private func changedColumns(_ old: StoredRow, _ new: StoredRow, _ table: Int) -> Set<Int> {
    contentColumns(table).filter { old.values[$0] != new.values[$0] }
  }

  private func changesHeader(_ old: StoredRow, _ new: StoredRow) -> Bool {
    (old.entity, old.isPlaceholder, old.isBare) != (new.entity, new.isPlaceholder, new.isBare)
  }

  /// The more specific of two entities; nil if they differ and neither is a sub-entity of the other.
  private func narrower(_ left: Int, _ right: Int, _ table: Int) -> Int? {
    let layouts = schema.model.plan.layouts
    let (own, other) = (layouts[map.entities[table][left]], layouts[map.entities[table][right]])
    return own.isKind(of: other) ? left : other.isKind(of: own) ? right : nil
  }

  /// Whether a reference was cleared by a deletion that is discarded.
  private func isCleared(_ old: StoredRow, _ new: StoredRow, _ column: Int, _ table: Int) -> Bool {
    guard !discarded.isEmpty, new.values[column] == .null, let id = old.reference(column),
      case .reference(let target) = schema.tables[table].columns[column].content
    else { return false }
    return discarded.contains(StoredPlace(table: target, id: id))
      && own.deleted.contains(StoredPlace(table: target, id: id))
  }

  // MARK: One-to-ones

  /// Discards changes to one-to-ones at both ends if the store's version of one end is kept.
  private mutating func giveUpPairs() {
    guard policy == .storeWins else { return }
    var ends = discarded.sorted().flatMap { place in
      let row = own.inserted[place] ?? (own.deleted.contains(place) ? facts.base[place] : nil)
      let columns = own.updated[place]?.columns ?? row.map { givenColumns($0, place.table) } ?? []
      return columns.sorted().map { (place: place, column: $0) }
    }
    while let end = ends.popLast() {
      let rows = [facts.base[end.place], own.updated[end.place]?.row, own.inserted[end.place]]
      for row in rows.compactMap({ $0 }) {
        guard let other = map.pairColumn(end.column, of: row.entity, in: end.place.table),
          let id = row.reference(end.column)
        else { continue }
        let target = StoredPlace(table: other.table, id: id)
        if result.changes.updated[target]?.columns.remove(other.column) != nil {
          ends.append((target, other.column))
        } else if let row = result.changes.inserted[target], row.reference(other.column) == end.place.id {
          result.changes.inserted[target]?.values[other.column] = .null
        }
      }
    }
  }

  // MARK: Links

  /// The location of a row on top of the later version; nil if it was removed.
  private func there(_ place: StoredPlace) -> StoredPlace? {
    if let other = result.became[place] ?? result.again[place] { return other }
    return facts.deletedTargets.contains(place) ? nil : place
  }

  private mutating func settleReferences() {
    // Rows are visited in order, because conflicts are reported in this order.
    for (place, row) in result.changes.inserted.sorted(by: { $0.key < $1.key }) {
      let row = settled(row, place, nil)
      result.changes.inserted[place] = row
    }
    for (place, update) in result.changes.updated.sorted(by: { $0.key < $1.key }) {
      let row = settled(update.row, place, update.columns)
      result.changes.updated[place]?.row = row
    }
  }

  private mutating func settled(_ row: StoredRow, _ place: StoredPlace, _ columns: Set<Int>?) -> StoredRow {
    var row = row
    for column in schema.tables[place.table].columns.indices where columns?.contains(column) ?? true {
      guard let target = schema.tables[place.table].target(of: column, in: row) else { continue }
      if let new = there(target) {
        row.values[column] = .integer(new.id)
      } else {
        if policy == .refuse { refuse(place, .targetDeleted(target)) }
        row.values[column] = .null
      }
    }
    return row
  }

  private func ends(_ pair: StoredPair) -> (owner: StoredPlace, member: StoredPlace) {
    let layout = schema.links[pair.link]
    return (
      StoredPlace(table: layout.ownerTable, id: pair.owner), StoredPlace(table: layout.memberTable, id: pair.member)
    )
  }

  /// The lists that contain a pair, from both sides. If the relationship is its own inverse, both ends are owners.
  private func lists(of pair: StoredPair) -> [StoredList] {
    let (owner, member) = ends(pair)
    return [
      StoredList(owner: owner, members: .linked(pair.link, isOwner: true)),
      StoredList(owner: member, members: .linked(pair.link, isOwner: schema.links[pair.link].isSymmetric)),
    ]
  }

  private func pair(_ list: StoredList, _ member: Int64) -> StoredPair? {
    guard case .linked(let link, let isOwner) = list.members else { return nil }
    return isOwner
      ? StoredPair(link: link, owner: list.owner.id, member: member)
      : StoredPair(link: link, owner: member, member: list.owner.id)
  }

  private mutating func settleLinks() {
    let changes = changesOfLists()
    var (added, removed) = (own.added.union(facts.linksDeletedThere.subtracting(own.removed)), own.removed)
    var losing: Set<StoredList> = []
    for list in own.edited.sorted() {
      if discarded.contains(list.owner) {
        losing.insert(list)
        continue
      }
      guard let (base, their) = facts.lists[list] else { continue }
      let order = own.orders[list]
      let mine = order ?? changes[list, default: .init()].applied(to: base)
      if order == nil ? Set(mine) == Set(their) : mine == their { continue }
      switch policy {
      case .refuse: refuse(list.owner, .listChanged(list))
      case .storeWins: losing.insert(list)
      case .mergeByProperty: break
      case .contextWins:
        removed.formUnion(Set(their).subtracting(mine).compactMap { pair(list, $0) })
        added.formUnion(mine.compactMap { pair(list, $0) })
      }
    }
    if !losing.isEmpty {
      added = added.filter { losing.isDisjoint(with: lists(of: $0)) }
      removed = removed.filter { losing.isDisjoint(with: lists(of: $0)) }
    }
    settle(added: added, removed: removed)
    result.changes.edited = Set(own.edited.compactMap(moved))
  }

  private mutating func settle(added: Set<StoredPair>, removed: Set<StoredPair>) {
    for pair in added.sorted() {
      let (owner, member) = ends(pair)
      guard let first = there(owner), let second = there(member) else {
        if policy == .refuse {
          let (deleted, other) = there(owner) == nil ? (owner, member) : (member, owner)
          refuse(other, .targetDeleted(deleted))
        }
        continue
      }
      result.changes.added.insert(StoredPair(link: pair.link, owner: first.id, member: second.id))
    }
    for pair in removed where !added.contains(pair) {
      let (owner, member) = ends(pair)
      if there(owner) == owner, there(member) == member { result.changes.removed.insert(pair) }
    }
  }

  /// The rows that were added to a list or removed from it.
  private struct ListChange {
    var added: [Int64] = []
    var removed: Set<Int64> = []

    func applied(to base: [Int64]) -> [Int64] {
      let kept = base.filter { !removed.contains($0) }
      let known = Set(kept)
      return kept + added.filter { !known.contains($0) }
    }
  }

  /// The effect of the changes on lists that both sides may have changed.
  private func changesOfLists() -> [StoredList: ListChange] {
    var changes: [StoredList: ListChange] = [:]
    if facts.lists.isEmpty { return changes }
    for pair in own.added.sorted() {
      for (list, member) in entries(of: pair) where facts.lists[list] != nil {
        changes[list, default: .init()].added.append(member)
      }
    }
    for pair in own.removed {
      for (list, member) in entries(of: pair) where facts.lists[list] != nil {
        changes[list, default: .init()].removed.insert(member)
      }
    }
    return changes
  }

  /// The lists that contain a pair, and the member that it represents in each. If the relationship is its own inverse, the second list
  /// has a pair of its own.
  private func entries(of pair: StoredPair) -> [(list: StoredList, member: Int64)] {
    let entries = zip(lists(of: pair), [pair.member, pair.owner]).map { (list: $0, member: $1) }
    return schema.links[pair.link].isSymmetric ? [entries[0]] : entries
  }

  // MARK: Orders

  private func moved(_ list: StoredList) -> StoredList? {
    there(list.owner).map { StoredList(owner: $0, members: list.members) }
  }

  private mutating func settleOrders() {
    for (list, mine) in own.orders.sorted(by: { $0.key < $1.key }) {
      guard let moved = moved(list), !discarded.contains(list.owner) else { continue }
      let former = facts.orders[list]
      let mine = former.map { restored(mine, $0, in: list) } ?? mine
      // The list was changed only by changes that are discarded.
      if mine == former { continue }
      var order = mine
      if let (base, theirs) = facts.lists[list], mine != theirs {
        switch policy {
        // The other lists are derived from their members' to-ones, so members that were added there stay.
        case .contextWins where isLinked(list): break
        case .storeWins where theirs != base:
          // Members in both lists, and members that were only added there, keep their places there.
          let known = Set(theirs).union(base)
          order = theirs + mine.filter { !known.contains($0) }
        default:
          if let merged = self.order(mine, base, theirs) {
            order = merged
          } else if policy == .refuse, !own.edited.contains(list) {
            refuse(list.owner, .listChanged(list))
          }
        }
      }
      result.changes.orders[moved] = ids(order, in: list)
    }
  }

  private func isLinked(_ list: StoredList) -> Bool { if case .linked = list.members { true } else { false } }

  /// The numbers of members on top of the later version. Several members may have become one object.
  private func ids(_ members: [Int64], in list: StoredList) -> [Int64] {
    var known: Set<Int64> = []
    return members.compactMap { there(StoredPlace(table: schema.memberTable(of: list.members), id: $0))?.id }
      .filter { known.insert($0).inserted }
  }

  /// The members of a list, including those whose changes are discarded, each after the member that it followed.
  private func restored(_ mine: [Int64], _ former: [Int64], in list: StoredList) -> [Int64] {
    let table = schema.memberTable(of: list.members)
    let kept = Set(mine)
    // The member may have been moved elsewhere there.
    let theirs = facts.lists[list].map { Set($0.theirs) }
    var following: [Int64?: [Int64]] = [:]
    var last: Int64?
    for id in former {
      if kept.contains(id) {
        last = id
      } else if discarded.contains(StoredPlace(table: table, id: id)), theirs?.contains(id) != false {
        following[last, default: []].append(id)
      }
    }
    return (following[nil] ?? []) + mine.flatMap { [$0] + (following[$0] ?? []) }
  }

  /// The merged order of a list, if at least one side only added members at its end; nil if both sides changed the list in other ways.
  private func order(_ mine: [Int64], _ base: [Int64], _ theirs: [Int64]) -> [Int64]? {
    let (known, kept, others) = (Set(base), Set(mine), Set(theirs))
    if mine.starts(with: base) { return theirs + mine.filter { !known.contains($0) && !others.contains($0) } }
    guard theirs.starts(with: base) else { return nil }
    return mine + theirs.filter { !known.contains($0) && !kept.contains($0) }
  }
}

/// An object whose changes conflict.
struct RebaseConflict: Hashable {
  /// The kind of conflict.
  enum Reason: Hashable {
    /// The object was changed there.
    case changed
    /// The object was deleted there.
    case deleted
    /// The object refers to an object that was deleted there.
    case targetDeleted(StoredPlace)
    /// A list that was changed here was also changed there.
    case listChanged(StoredList)
    /// Another object was added there to a relationship of the deleted object, and the delete rule is 'deny'. Only storeWins resolves this
    /// conflict.
    case denied(StoredPlace)
    /// Another object has the object's identity. No policy resolves this conflict.
    case identityTaken
    /// The object belongs to another entity there. No policy resolves this conflict.
    case entity(Int)

    var isContradiction: Bool {
      switch self {
      case .identityTaken, .entity: true
      default: false
      }
    }
  }

  var place: StoredPlace
  var reason: Reason
}

/// All conflicts.
struct RebaseConflicts: Error {
  var all: [RebaseConflict]
}
