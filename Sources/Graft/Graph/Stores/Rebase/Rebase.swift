/// Puts changes that were made on top of one version of a store on top of a later one: what merging, committing, retrying and handing
/// changes from a child to its parent have in common.
///
///     base --- own changes          base --- theirs --- result
///         \
///          --- theirs
///
/// It is pure: it reads nothing, and changes nothing. It returns the changes to make on top of the later version, or throws
/// everything that is in conflict. For each object that both sides wrote:
///
///     policy            changed here and there    deleted here    deleted there    list changed here and there
///     refuse            conflict                  conflict        conflict         conflict
///     storeWins         theirs                    not deleted     deleted          theirs
///     contextWins       ours, all of it           deleted         inserted again   ours
///     mergeByProperty   ours, what changed        deleted         deleted          ours added to and taken from theirs
///
/// Two new objects with one identity become one under every policy, as an import would merge them: what the later one has wins.
struct Rebase {
  /// Changes on top of the later version.
  struct Result {
    var changes = OwnChanges()
    /// New rows that turned out to be some of the store's.
    var became: [StoredPlace: StoredPlace] = [:]
    /// Rows that others deleted, and that are inserted again under new numbers.
    var again: [StoredPlace: StoredPlace] = [:]
  }

  private let own: OwnChanges
  private let facts: RebaseFacts
  private let map: StoreMap
  private let policy: ConflictPolicy
  private var result = Result()
  /// Objects whose changes are given up: the store has won.
  private var lost: Set<StoredPlace> = []
  private var conflicts: [RebaseConflict] = []

  private var schema: StoreSchema { map.schema }

  init(_ own: OwnChanges, _ facts: RebaseFacts, _ map: StoreMap, _ policy: ConflictPolicy) {
    self.own = own
    self.facts = facts
    self.map = map
    self.policy = policy
  }

  /// - Throws: everything that the policy does not settle.
  static func run(
    _ own: OwnChanges, _ facts: RebaseFacts, _ map: StoreMap, _ policy: ConflictPolicy
  ) throws(RebaseConflicts) -> Result {
    var rebase = Rebase(own, facts, map, policy)
    rebase.settleDeletions()
    rebase.settleUpdates()
    rebase.settleInsertions()
    rebase.settleIdentities()
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
      guard let old = facts.base[place] else {
        result.changes.deleted.insert(place)
        continue
      }
      // Others deleted it as well.
      guard let their = facts.theirs[place] else { continue }
      let isUnchanged = changedColumns(old, their, place.table).isEmpty && !changesHeader(old, their)
      switch policy {
      case _ where isUnchanged: result.changes.deleted.insert(place)
      case .refuse: refuse(place, .changed)
      case .storeWins: lost.insert(place)
      case .contextWins, .mergeByProperty: result.changes.deleted.insert(place)
      }
    }
  }

  private mutating func settleUpdates() {
    for (place, update) in own.updated.sorted(by: { $0.key < $1.key }) {
      guard let old = facts.base[place] else {
        result.changes.updated[place] = update
        continue
      }
      guard let their = facts.theirs[place] else {
        settleLost(place, update)
        continue
      }
      let isOwnHeader = changesHeader(old, update.row)
      // A deletion that was given up gives the references back that it cleared. What both sides did alike is done.
      let columns = update.columns.filter {
        !isCleared(old, update.row, $0, place.table) && update.row.values[$0] != their.values[$0]
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
      if changedColumns(old, their, place.table).isEmpty, !changesHeader(old, their) {
        result.changes.updated[place] = .init(row: row, columns: columns)
        continue
      }
      switch policy {
      case .refuse: refuse(place, .changed)
      case .storeWins: lost.insert(place)
      case .contextWins:
        // A placeholder has only what refers to it.
        let all = update.row.isPlaceholder ? [] : ownColumns(update.row, place.table)
        result.changes.updated[place] = .init(row: row, columns: columns.union(all))
      case .mergeByProperty: result.changes.updated[place] = .init(row: row, columns: columns)
      }
    }
  }

  /// An object that was changed here and deleted there.
  private mutating func settleLost(_ place: StoredPlace, _ update: OwnChanges.Update) {
    switch policy {
    case .refuse: refuse(place, .deleted)
    case .storeWins, .mergeByProperty: lost.insert(place)
    case .contextWins:
      if let holder = facts.holders[place], !isFreed(holder) { return unite(place, update.row, with: holder) }
      let first = own.inserted.keys.lazy.filter { $0.table == place.table }.map(\.id).min() ?? 0
      let count = result.again.keys.lazy.filter { $0.table == place.table }.count
      let new = StoredPlace(table: place.table, id: first - Int64(count) - 1)
      result.again[place] = new
      result.changes.inserted[new] = update.row
    }
  }

  /// New objects are those of the store that have their identities.
  private mutating func settleInsertions() {
    for (place, row) in own.inserted.sorted(by: { $0.key < $1.key }) {
      guard let holder = facts.holders[place], !isFreed(holder) else {
        result.changes.inserted[place] = row
        continue
      }
      unite(place, row, with: holder)
    }
  }

  /// Makes a new object one that others inserted as well, or inserted anew.
  private mutating func unite(_ place: StoredPlace, _ row: StoredRow, with holder: StoredPlace) {
    guard let their = facts.theirs[holder], let entity = united(row, their, place.table),
      own.updated[holder] == nil, !own.deleted.contains(holder)
    else { return refuse(place, .identityTaken) }
    result.became[place] = holder
    var row = row
    let given = givenColumns(row, place.table)
    row.entity = entity
    row.isPlaceholder = row.isPlaceholder && their.isPlaceholder
    if row.isPlaceholder { row.isBare = their.isBare }
    result.changes.updated[holder] = .init(row: row, columns: given)
  }

  /// Identities that objects of the store were given here, and others there.
  private mutating func settleIdentities() {
    for place in own.updated.keys.sorted() where result.changes.updated[place] != nil {
      if let holder = facts.holders[place], !isFreed(holder) { refuse(place, .identityTaken) }
    }
  }

  /// Whether a row gives up its identity with these changes.
  private func isFreed(_ holder: StoredPlace) -> Bool {
    if result.changes.deleted.contains(holder) { return true }
    guard let update = result.changes.updated[holder], let their = facts.theirs[holder] else { return false }
    return schema.tables[holder.table].identities.contains { identity in
      identity.entities.contains(their.entity)
        && identity.columns.contains { update.columns.contains($0) && update.row.values[$0] != their.values[$0] }
    }
  }

  /// The entity of two new objects with one identity; nil if it cannot be one object. Only a placeholder becomes one of a sub-entity
  /// (D5).
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

  /// The columns that an object has for itself: not the sides of one-to-ones, which belong to other objects as well.
  private func ownColumns(_ row: StoredRow, _ table: Int) -> Set<Int> {
    contentColumns(table).filter { column in
      guard map.slots[map.entities[table][row.entity]][column] >= 0 else { return false }
      return !map.entities[table].contains { entity in
        let number = map.slots[entity][column]
        guard number >= 0 else { return false }
        let slot = schema.model.plan.layouts[entity].slots[number]
        return slot.kind == .toOne && slot.inverse >= 0 && !slot.inverseIsToMany
      }
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

  /// The one of two entities that is the other one, or a sub-entity of it; nil if there is none.
  private func narrower(_ left: Int, _ right: Int, _ table: Int) -> Int? {
    let layouts = schema.model.plan.layouts
    let (own, other) = (layouts[map.entities[table][left]], layouts[map.entities[table][right]])
    return own.isKind(of: other) ? left : other.isKind(of: own) ? right : nil
  }

  /// Whether a reference was cleared by a deletion that is given up.
  private func isCleared(_ old: StoredRow, _ new: StoredRow, _ column: Int, _ table: Int) -> Bool {
    guard !lost.isEmpty, new.values[column] == .null, let id = old.reference(column),
      case .reference(let target) = schema.tables[table].columns[column].content
    else { return false }
    return lost.contains(StoredPlace(table: target, id: id)) && own.deleted.contains(StoredPlace(table: target, id: id))
  }

  // MARK: Links

  /// Where a row is on top of the later version; nil if it is gone.
  private func there(_ place: StoredPlace) -> StoredPlace? {
    if let other = result.became[place] ?? result.again[place] { return other }
    return facts.gone.contains(place) ? nil : place
  }

  private mutating func settleReferences() {
    for (place, row) in result.changes.inserted {
      let row = settled(row, place, nil)
      result.changes.inserted[place] = row
    }
    for (place, update) in result.changes.updated {
      let row = settled(update.row, place, update.columns)
      result.changes.updated[place]?.row = row
    }
  }

  private mutating func settled(_ row: StoredRow, _ place: StoredPlace, _ columns: Set<Int>?) -> StoredRow {
    var row = row
    for (column, content) in schema.tables[place.table].columns.enumerated() where columns?.contains(column) ?? true {
      guard case .reference(let table) = content.content, let id = row.reference(column) else { continue }
      let target = StoredPlace(table: table, id: id)
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

  /// The lists that contain a pair, from both sides.
  private func lists(of pair: StoredPair) -> [StoredList] {
    let (owner, member) = ends(pair)
    return [
      StoredList(owner: owner, members: .linked(pair.link, isOwner: true)),
      StoredList(owner: member, members: .linked(pair.link, isOwner: false)),
    ]
  }

  private func pair(_ list: StoredList, _ member: Int64) -> StoredPair? {
    guard case .linked(let link, let isOwner) = list.members else { return nil }
    return isOwner
      ? StoredPair(link: link, owner: list.owner.id, member: member)
      : StoredPair(link: link, owner: member, member: list.owner.id)
  }

  private mutating func settleLinks() {
    var (added, removed) = (own.added, own.removed)
    for pair in facts.lostLinks where !removed.contains(pair) { added.insert(pair) }
    for list in own.edited.sorted() {
      let isLost = lost.contains(list.owner)
      let mine = facts.lists[list].map { members(list, base: $0.base) }
      guard isLost || mine != nil else { continue }
      if let mine, let their = facts.lists[list]?.theirs, !isLost {
        let isSame = own.orders[list] == nil ? Set(mine) == Set(their) : mine == their
        if isSame { continue }
        switch policy {
        case .refuse: refuse(list.owner, .listChanged(list))
        case .storeWins: break
        case .mergeByProperty: continue
        case .contextWins:
          for member in Set(their).subtracting(mine) { pair(list, member).map { _ = removed.insert($0) } }
          for member in mine { pair(list, member).map { _ = added.insert($0) } }
          continue
        }
      }
      added = added.filter { !lists(of: $0).contains(list) }
      removed = removed.filter { !lists(of: $0).contains(list) }
      result.changes.orders[list] = nil
    }
    for pair in added.sorted() {
      let (owner, member) = ends(pair)
      guard let first = there(owner), let second = there(member) else {
        if policy == .refuse {
          let (gone, other) = there(owner) == nil ? (owner, member) : (member, owner)
          refuse(other, .targetDeleted(gone))
        }
        continue
      }
      result.changes.added.insert(StoredPair(link: pair.link, owner: first.id, member: second.id))
    }
    for pair in removed where !added.contains(pair) {
      let (owner, member) = ends(pair)
      if there(owner) == owner, there(member) == member { result.changes.removed.insert(pair) }
    }
    result.changes.edited = Set(own.edited.compactMap(moved))
  }

  /// The members of a list as they are here.
  private func members(_ list: StoredList, base: [Int64]) -> [Int64] {
    if let order = own.orders[list] { return order }
    let removed = Set(own.removed.compactMap { member(of: $0, in: list) })
    let kept = base.filter { !removed.contains($0) }
    let known = Set(kept)
    return kept + own.added.sorted().compactMap { member(of: $0, in: list) }.filter { !known.contains($0) }
  }

  private func member(of pair: StoredPair, in list: StoredList) -> Int64? {
    guard case .linked(pair.link, let isOwner) = list.members else { return nil }
    if isOwner { return pair.owner == list.owner.id ? pair.member : nil }
    return pair.member == list.owner.id ? pair.owner : nil
  }

  // MARK: Orders

  private func moved(_ list: StoredList) -> StoredList? {
    there(list.owner).map { StoredList(owner: $0, members: list.members) }
  }

  private func memberTable(_ list: StoredList) -> Int {
    switch list.members {
    case .linked(let link, let isOwner): isOwner ? schema.links[link].memberTable : schema.links[link].ownerTable
    case .referring(let table, _): table
    }
  }

  private mutating func settleOrders() {
    for (list, mine) in own.orders.sorted(by: { $0.key < $1.key }) {
      guard let moved = moved(list), !lost.contains(list.owner) else { continue }
      var order = mine
      if let (base, theirs) = facts.lists[list], mine != theirs {
        guard let merged = self.order(mine, base, theirs) else {
          if policy == .refuse, !own.edited.contains(list) { refuse(list.owner, .listChanged(list)) }
          if policy == .storeWins { order = theirs + mine.filter { !theirs.contains($0) } }
          result.changes.orders[moved] = ids(order, in: list)
          continue
        }
        order = merged
      }
      result.changes.orders[moved] = ids(order, in: list)
    }
  }

  /// The numbers of members on top of the later version. Several may have become one.
  private func ids(_ members: [Int64], in list: StoredList) -> [Int64] {
    var known: Set<Int64> = []
    return members.compactMap { there(StoredPlace(table: memberTable(list), id: $0))?.id }
      .filter { known.insert($0).inserted }
  }

  /// The order of a list that one side, or both, only gained members at its end; nil if both changed it otherwise.
  private func order(_ mine: [Int64], _ base: [Int64], _ theirs: [Int64]) -> [Int64]? {
    let (known, kept, others) = (Set(base), Set(mine), Set(theirs))
    if mine.starts(with: base) { return theirs + mine.filter { !known.contains($0) && !others.contains($0) } }
    guard theirs.starts(with: base) else { return nil }
    return mine + theirs.filter { !known.contains($0) && !kept.contains($0) }
  }
}

/// An object that is in conflict.
struct RebaseConflict: Hashable {
  /// What happened.
  enum Reason: Hashable {
    /// Others changed it.
    case changed
    /// Others deleted it.
    case deleted
    /// It refers to an object that others deleted.
    case targetDeleted(StoredPlace)
    /// Others changed a list that was changed here.
    case listChanged(StoredList)
    /// Another object has its identity. No policy settles that.
    case identityTaken
    /// It is of another entity there. No policy settles that.
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

/// Everything that is in conflict.
struct RebaseConflicts: Error {
  var all: [RebaseConflict]
}
