/// Objects of the store whose identity another object has here: one that was inserted here or got the identity by a change, or one
/// that others have changed or deleted since it was loaded.
///
///     store      5: A(1)      17: A(2), which others inserted
///     memory     A(1)         A(2), which was inserted here
///
/// A context never shows two objects with one identity. Row 17 is hidden: no fetch returns it, and what links to it in the store
/// links to nothing here. If a commit finds that A(2) is in the store, the object here becomes row 17, with these links.
/// If the identity is free again, after a rollback or a merge, row 17 is loaded when it is needed.
struct HiddenRows {
  /// A to-one that leads to a hidden row, and has no value here.
  struct Link: Hashable {
    var member: RowPlace
    var slot: Int
  }

  /// A row of the store: its table and number.
  struct Target {
    var table: Int
    var id: Int64
  }

  /// A to-many that a hidden row was taken out of.
  struct List: Hashable {
    var owner: RowPlace
    var cell: Int
  }

  /// The rows, and the hashes of their identities.
  private(set) var hashes: [RowPlace: UInt64] = [:]
  /// The hashes of all of them, and of some that are no longer hidden.
  private var known: Set<UInt64> = []
  /// Rows that others have replaced: undoing changes may link them again.
  private(set) var replaced: Set<RowPlace> = []
  /// The lists that hidden and replaced rows were taken out of: undoing changes may put them back.
  private(set) var lists: [RowPlace: Set<List>] = [:]
  private(set) var links: [Link: Target] = [:]

  var isEmpty: Bool { hashes.isEmpty }

  /// Whether a row with a given identity may be hidden.
  func mayContain(_ hash: UInt64) -> Bool { !known.isEmpty && known.contains(hash) }

  mutating func add(_ place: RowPlace, _ hash: UInt64) {
    hashes[place] = hash
    known.insert(hash)
  }

  /// A row is no longer hidden.
  mutating func remove(_ place: RowPlace, isReplaced: Bool) {
    hashes[place] = nil
    if isReplaced { replaced.insert(place) } else { lists[place] = nil }
    if hashes.isEmpty { known = [] }
  }

  /// The journal is empty.
  mutating func forgetReplaced() {
    replaced = []
    lists = [:]
  }

  mutating func note(_ place: RowPlace, takenOutOf list: List) { lists[place, default: []].insert(list) }

  /// - Parameter target: what a to-one leads to; nil if that is not hidden.
  mutating func set(_ link: Link, to target: Target?) { links[link] = target }

  /// Some links were written as they are here: what they led to in the store no longer matters.
  mutating func forgetLinks(where isWritten: (Link) -> Bool) {
    if !links.isEmpty { links = links.filter { !isWritten($0.key) } }
  }

  /// The rows of a table moved: `.max` stands for those that are gone, which include all that are hidden.
  mutating func move(_ table: Int, _ moves: [UInt32]) {
    hashes = hashes.filter { $0.key.table != table }
    forgetReplaced()
    let old = links
    links = [:]
    for (link, target) in old {
      var link = link
      if link.member.table == table { link.member.row = moves[Int(link.member.row)] }
      if link.member.row != .max { links[link] = target }
    }
  }
}

extension StoreBinding {
  /// Whether a row stands for one of the store that is not shown.
  func isHidden(_ place: RowPlace) -> Bool {
    hidden.hashes[place] != nil && standsForStored(place)
  }

  /// Whether a row is the one that is here for a row of the store.
  func standsForStored(_ place: RowPlace) -> Bool {
    rowsByID[place.table][id(place.table, place.row)] == place.row
  }

  /// The hidden rows of a table.
  func hiddenRows(of table: Int) -> [UInt32] {
    hidden.hashes.keys.filter { $0.table == table && isHidden($0) }.map(\.row)
  }

  // MARK: Hiding

  /// Hides a row that is not in the index of its identity, because another one is there. This is no change.
  func hide(_ number: UInt32, _ table: Int) {
    let place = RowPlace(table: table, row: number)
    let row = state.row(table, number)
    guard let hash = GraphIdentity.hash(state.layouts[row.entity], row: row, state.pointee) else { return }
    // Its own links were loaded last.
    while let last = state.pointee.loads.links.last, last.member == number, memberTable(of: last) == table {
      state.pointee.loads.links.removeLast()
    }
    // It is loaded again when it is shown, and may lead elsewhere by then.
    state.pointee.loads.withheld.removeAll { $0.member == place }
    state.pointee.loads.oneToOnes.removeAll { $0.member == place }
    withhold(place)
    row.header = RowHeader(entity: row.entity, RowHeader.stored | RowHeader.deleted)
    state.pointee.countLoaded(table, number, isDeleted: true)
    hidden.add(place, hash)
  }

  func memberTable(of link: RowLoads.Link) -> Int {
    let number = link.cell - 1 - state.tables[link.owner.table].presenceWords
    return state.layouts[link.entity].slots[number].destinationTable
  }

  /// Hides the row of the store that has the identity of a new one, which is not indexed yet.
  func hideDouble(of place: RowPlace) {
    guard let other = GraphIdentity.other(like: place.row, table: place.table, state.pointee),
      standsForStored(RowPlace(table: place.table, row: other))
    else { return }
    GraphIdentity.remove(other, table: place.table, &state.pointee)
    hide(other, place.table)
  }

  /// Hides those of some rows whose identity another row has.
  private func hideDoubles(_ places: [RowPlace]) {
    for place in places where isDouble(place) {
      GraphIdentity.remove(place.row, table: place.table, &state.pointee)
      hide(place.row, place.table)
    }
  }

  /// Whether another row has the identity of a row.
  func isDouble(_ place: RowPlace) -> Bool {
    Int(place.row) < state.tables[place.table].rowCount && state.row(place.table, place.row).isLoaded
      && GraphIdentity.other(like: place.row, table: place.table, state.pointee) != nil
  }

  /// A merge has ended: rows that it loaded while another one had their identity are indexed, unless it still has.
  func indexLoaded() {
    for place in merging.takeUnindexed() where Int(place.row) < state.tables[place.table].rowCount {
      if isDouble(place) {
        hide(place.row, place.table)
      } else if !reader.isDeleted(place.table, place.row) {
        GraphIdentity.remove(place.row, table: place.table, &state.pointee)
        GraphIdentity.insert(place.row, table: place.table, &state.pointee)
      }
    }
  }

  /// Unlinks a row, and notes what leads to it.
  private func withhold(_ place: RowPlace) {
    let row = state.row(place.table, place.row)
    let layout = state.layouts[row.entity]
    for number in 0..<layout.slotCount where layout.slots[number].kind.isRelationship {
      let slot = layout.slots[number]
      if slot.inverse >= 0 {
        for other in row.links(slot) { unlink(place, from: other, slot) }
      }
      if slot.kind == .toOne {
        row[slot] = 0
      } else if row[slot] != 0 {
        GraphEditor(state).install(0, place.table, place.row, row, slot.cell)
      }
      row.setPresence(of: slot, false)
    }
  }

  /// Takes a row out of the inverse of one of its links.
  private func unlink(_ place: RowPlace, from other: UInt32, _ slot: SlotPlan) {
    let row = state.row(slot.destinationTable, other)
    if slot.inverseIsToMany {
      let list = HiddenRows.List(owner: RowPlace(table: slot.destinationTable, row: other), cell: slot.inverseCell)
      takeOut(place, of: list)
      hidden.note(place, takenOutOf: list)
    } else if row[slot.inverseCell] == UInt64(place.row) + 1 {
      let isIdentified = slot.isOwning && row.isLoaded
      if isIdentified { GraphIdentity.remove(other, table: slot.destinationTable, &state.pointee) }
      row[slot.inverseCell] = 0
      if !row.isFault { row[slot.inverseWord] &= ~slot.inverseMask }
      let member = RowPlace(table: slot.destinationTable, row: other)
      if !row.isDeleted { noteLink(of: member, slot.inverse, to: place) }
    }
  }

  private func takeOut(_ place: RowPlace, of list: HiddenRows.List) {
    let (table, number) = (list.owner.table, list.owner.row)
    let row = state.row(table, number)
    let property = list.cell - 1 - state.tables[table].presenceWords
    // The list may be one of a sub-entity that the object was of.
    guard property < state.layouts[row.entity].slotCount else { return }
    GraphEditor(state).removeRow(place.row, table, number, row, list.cell)
    if !row.isFault, state.pointee.vectors.count(row[list.cell]) == 0 {
      row.setPresence(of: state.layouts[row.entity].slots[property], false)
    }
  }

  /// Undoing changes may have put a row back into lists that it was taken out of.
  private func takeOutAgain(_ place: RowPlace) {
    for list in hidden.lists[place] ?? [] where Int(list.owner.row) < state.tables[list.owner.table].rowCount {
      takeOut(place, of: list)
    }
  }

  /// A to-one of a member leads to a hidden row in the store.
  func noteLink(of member: RowPlace, _ slot: Int, to place: RowPlace) {
    hidden.set(
      HiddenRows.Link(member: member, slot: slot), to: .init(table: place.table, id: id(place.table, place.row)))
  }

  /// Whether a to-one has no value here, and leads to a hidden row in the store: a commit does not write that.
  func leadsToHidden(_ place: RowPlace, _ slot: Int) -> Bool {
    if hidden.links[HiddenRows.Link(member: place, slot: slot)] == nil || isOwn(place, slot) { return false }
    let row = state.row(place.table, place.row)
    return row[state.layouts[row.entity].slots[slot]] == 0
  }

  /// Restored objects are inserted into the store again, so their links to a row that an object here has become are changes.
  func linkRestored() {
    for (link, target) in hidden.links.filter({ settled.restored.contains($0.key.member) }).sorted(by: {
      ($0.key.member, $0.key.slot) < ($1.key.member, $1.key.slot)
    }) {
      guard let number = rowsByID[target.table][target.id], state.row(target.table, number).isLoaded else { continue }
      let row = state.row(link.member.table, link.member.row)
      let layout = state.layouts[row.entity]
      guard row.isLoaded, link.slot < layout.slotCount, row[layout.slots[link.slot]] == 0 else { continue }
      GraphEditor(state).setToOne(
        UInt64(number) + 1, layout.slots + link.slot, link.member.table, link.member.row, row)
    }
  }

  // MARK: Showing

  /// After a rollback: hides what has an identity that another row has again, and shows what has one that is free again.
  func settleHidden() {
    indexLoaded()
    hideDoubles(state.pointee.loads.filled)
    for place in hidden.replaced.union(hidden.hashes.keys)
    where Int(place.row) < state.tables[place.table].rowCount {
      withhold(place)
      takeOutAgain(place)
    }
    hidden.links.forEach(withholdAgain)
    showHidden()
  }

  /// Undoing changes may have made a to-one lead to a hidden row again, or marked it as given.
  private func withholdAgain(_ link: HiddenRows.Link, from target: HiddenRows.Target) {
    guard let number = rowsByID[target.table][target.id], isHidden(RowPlace(table: target.table, row: number)),
      Int(link.member.row) < state.tables[link.member.table].rowCount
    else { return }
    let row = state.row(link.member.table, link.member.row)
    let layout = state.layouts[row.entity]
    guard row.isLoaded, link.slot < layout.slotCount, case let slot = layout.slots[link.slot] else { return }
    if row[slot] == UInt64(number) + 1 {
      if slot.isIdentity { GraphIdentity.remove(link.member.row, table: link.member.table, &state.pointee) }
      row[slot] = 0
    }
    if row[slot] == 0 { row.setPresence(of: slot, false) }
  }

  /// Shows the rows whose identity is free. Those that an object here has become are replaced by it.
  ///
  /// - Parameters:
  ///   - all: whether all are shown, because others may have changed their identities. They are hidden again when they are loaded
  ///     with an identity that is not free.
  ///   - isCommitting: whether it is not yet certain what objects here have become.
  func showHidden(all: Bool = false, isCommitting: Bool = false) {
    if hidden.isEmpty, hidden.links.isEmpty { return }
    let load = state.beginLoad()
    var tables: Set<Int> = []
    for (place, hash) in hidden.hashes.sorted(by: { $0.key < $1.key }) {
      if !isHidden(place) {
        if isCommitting { continue }
        hidden.remove(place, isReplaced: true)
        replace(place)
      } else if all || isFree(place, hash) {
        hidden.remove(place, isReplaced: false)
        show(place)
      } else {
        continue
      }
      tables.insert(place.table)
    }
    for table in tables {
      forgetCompleteness(table)
      unloadLinks(to: table)
    }
    if !tables.isEmpty { knowledge.forgetAbsent() }
    for (link, target) in hidden.links.sorted(by: {
      ($0.key.member.row, $0.key.slot) < ($1.key.member.row, $1.key.slot)
    }) {
      let row = rowsByID[target.table][target.id]
      if let row, isHidden(RowPlace(table: target.table, row: row)) { continue }
      hidden.set(link, to: nil)
      if row != nil { make(link, to: target, load) }
    }
    state.endLoad(load)
  }

  /// Makes a hidden row a fault, which is loaded when it is needed.
  private func show(_ place: RowPlace) {
    let row = state.row(place.table, place.row)
    let table = state.tables[place.table]
    let (entity, id) = (row.entity, row[table.idWord])
    row.words.update(repeating: 0, count: table.stride)
    row.header = RowHeader(entity: entity, RowHeader.stored | RowHeader.fault)
    for word in 1...max(1, table.presenceWords) { row[table.unloadedWord(word)] = ~0 }
    row[table.idWord] = id
    state.pointee.countLoaded(place.table, place.row, isDeleted: false)
  }

  /// Tables of links may link rows to some that are no longer hidden.
  private func unloadLinks(to target: Int) {
    for entity in plan.entities {
      let layout = plan.layouts[entity.index]
      let slots = map.schema.places[entity.index].enumerated().compactMap { number, place -> SlotPlan? in
        guard case .links = place, layout.slots[number].destinationTable == target else { return nil }
        return layout.slots[number]
      }
      if slots.isEmpty { continue }
      for (_, number) in rowsByID[layout.table] {
        let row = state.row(layout.table, number)
        guard row.entity == entity.index, row.isLoaded else { continue }
        for slot in slots { unload(slot.mask, slot.word, of: RowPlace(table: layout.table, row: number)) }
      }
    }
  }

  /// Whether no row has the identity of a hidden one.
  private func isFree(_ place: RowPlace, _ hash: UInt64) -> Bool {
    let layout = state.layouts[state.row(place.table, place.row).entity]
    let found = state.tables[place.table].indexes[layout.identitySpace].find(hash) { number in
      let row = state.row(place.table, number)
      return GraphIdentity.hash(state.layouts[row.entity], row: row, state.pointee) == hash
    }
    return found == nil
  }

  private func make(_ link: HiddenRows.Link, to target: HiddenRows.Target, _ load: RowLoads.Load) {
    guard Int(link.member.row) < state.tables[link.member.table].rowCount else { return }
    let row = state.row(link.member.table, link.member.row)
    let layout = state.layouts[row.entity]
    guard !row.isFault, link.slot < layout.slotCount else { return }
    guard !row.isDeleted, row[layout.slots[link.slot]] == 0 else {
      withhold(link, target, load)
      return
    }
    refer(link.member.row, link.member.table, row, layout.slots + link.slot, to: target.id, load)
    forgetOrder(of: link.member)
    identify(link.member, layout.slots[link.slot])
  }

  /// A link to a row that is shown again is made if a rollback allows it: its member was deleted here, or linked elsewhere.
  private func withhold(_ link: HiddenRows.Link, _ target: HiddenRows.Target, _ load: RowLoads.Load) {
    guard load.isAmongChanges, let row = rowsByID[target.table][target.id] else { return }
    let target = RowPlace(table: target.table, row: row)
    state.pointee.loads.withheld.append(RowLoads.Withheld(member: link.member, slot: link.slot, target: target))
  }

  /// A row got an owner that identifies it (M12), as the store has it.
  func identify(_ place: RowPlace, _ slot: SlotPlan) {
    guard slot.isIdentity, !GraphIdentity.insertIfFirst(place.row, table: place.table, &state.pointee) else { return }
    hide(place.row, place.table)
  }

  /// Leads the to-ones without inverse from a row to the one that replaces it.
  private func replace(_ place: RowPlace) {
    guard let new = rowsByID[place.table][id(place.table, place.row)] else { return }
    for entity in plan.entities {
      let layout = plan.layouts[entity.index]
      for property in 0..<layout.slotCount {
        let slot = layout.slots[property]
        guard slot.kind == .toOne, slot.inverse < 0, slot.destinationTable == place.table else { continue }
        for number in 0..<UInt32(state.tables[layout.table].rowCount) {
          let row = state.row(layout.table, number)
          if row.entity == entity.index, row.isLoaded, row.toOne(slot) == place.row { row[slot] = UInt64(new) + 1 }
        }
      }
    }
  }
}
