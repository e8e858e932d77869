/// Loading the links of many-to-many relationships, and making loaded links again after a rollback.
extension StoreBinding {
  /// Loads a to-many that a table of links holds, for several rows. Members that are not in memory are loaded with it.
  ///
  /// - Returns: how many members were loaded.
  func loadLinks(
    _ rows: [UInt32], _ table: Int, _ slot: SlotPlan, _ link: Int, isOwner: Bool
  ) throws(StoreError) -> Int {
    let ids = rows.map { id(table, $0) }
    var links =
      isOwner ? try store.links(in: link, ofOwners: ids) : try store.links(in: link, ofMembers: ids)
    links.sort { left, right in
      isOwner
        ? (left.owner, left.position, left.member) < (right.owner, right.position, right.member)
        : (left.member, left.inversePosition, left.owner) < (right.member, right.inversePosition, right.owner)
    }
    let targetTable = slot.destinationTable
    try loadMissing(Set(links.map { isOwner ? $0.member : $0.owner }), of: targetTable)
    let load = state.beginLoad()
    let removed = load.isAmongChanges ? removedMembers(rows, table, slot) : [:]
    var kept: [UInt32: [UInt32]] = [:]
    for row in rows { kept[row] = takeMembers(row, table, slot) }
    var members: [UInt32: [UInt32]] = [:]
    for link in links {
      guard let row = rowsByID[table][isOwner ? link.owner : link.member],
        let target = rowsByID[targetTable][isOwner ? link.member : link.owner]
      else { continue }
      guard narrow(target, targetTable, to: slot.destination) else { continue }
      members[row, default: []].append(target)
      connect(row, table, slot, target, kept, removed, load)
    }
    for row in rows { append(kept[row] ?? [], row, table, slot) }
    completeLists(rows, table, slot, sortedBy: nil, load, members: members)
    fillNarrowed()
    return links.count
  }

  /// Loads those of some rows that are not in memory, or are faults: a fault would load its own lists while links are made.
  func loadMissing(_ ids: Set<Int64>, of table: Int) throws(StoreError) {
    let missing = ids.filter { id in
      rowsByID[table][id].map { state.row(table, $0).isFault } ?? true
    }
    if !missing.isEmpty { place(try store.rows(in: table, ids: missing.sorted())) }
  }

  /// What was taken out of lists that were not loaded, from the other side.
  private func removedMembers(_ rows: [UInt32], _ table: Int, _ slot: SlotPlan) -> [UInt32: Set<UInt32>] {
    let history = history(of: RowMap(rows.map { RowPlace(table: table, row: $0) }))
    var removed: [UInt32: Set<UInt32>] = [:]
    for row in rows {
      let place = RowPlace(table: table, row: row)
      let number = slot.cell - 1 - state.tables[table].presenceWords
      guard history.hasEntries(place) else { continue }
      let changes = history.withImage(of: place) { image in history.changes(image) { $0 != number } }
      if case .links(let old, let new)? = changes.first?.values { removed[row] = Set(old).subtracting(new) }
    }
    return removed
  }

  /// Takes the members out of a list that is being loaded, which were in memory before.
  private func takeMembers(_ number: UInt32, _ table: Int, _ slot: SlotPlan) -> [UInt32] {
    let row = state.row(table, number)
    let members = row.links(slot)
    if row[slot] != 0 { GraphEditor(state).install(0, table, number, row, slot.cell) }
    return members
  }

  /// Members that the store does not have there are behind the others.
  private func append(_ kept: [UInt32], _ number: UInt32, _ table: Int, _ slot: SlotPlan) {
    let editor = GraphEditor(state)
    for member in kept {
      let row = state.row(table, number)
      if !state.pointee.vectors.contains(row[slot], member) {
        editor.appendRow(member, table, number, row, slot.cell)
      }
    }
  }

  /// Links two rows, unless they are linked already, or the link was taken away here.
  ///
  /// - Parameters:
  ///   - kept: what the lists that are being loaded contained before.
  ///   - removed: what was taken out of them.
  private func connect(
    _ row: UInt32, _ table: Int, _ slot: SlotPlan, _ target: UInt32, _ kept: [UInt32: [UInt32]],
    _ removed: [UInt32: Set<UInt32>], _ load: RowLoads.Load
  ) {
    let targetTable = slot.destinationTable
    let isOwnInverse = slot.inverseCell == slot.cell && targetTable == table
    if removed[row]?.contains(target) == true || isOwnInverse && removed[target]?.contains(row) == true { return }
    // Without an inverse, links to deleted objects stay, and read as nothing.
    if reader.isDeleted(targetTable, target) {
      if slot.inverse >= 0 || isHidden(RowPlace(table: targetTable, row: target)) { return }
    }
    let isKnown = kept[row]?.contains(target) == true
    if isKnown {
      GraphEditor(state).appendRow(target, table, row, state.row(table, row), slot.cell)
    } else {
      link(target, to: row, table, slot.cell, load, isReference: false)
    }
    guard slot.inverse >= 0, !isKnown else { return }
    // A relationship that is its own inverse has each pair twice in the store, once for each of the lists.
    if isOwnInverse, kept[target] != nil { return }
    let back = state.row(targetTable, target)
    if !state.pointee.vectors.contains(back[slot.inverseCell], row) {
      link(row, to: target, targetTable, slot.inverseCell, load, isReference: false)
      back[slot.inverseWord] |= slot.inverseMask
    }
  }

  // MARK: After a rollback

  /// What linked to a fault was changed before it was loaded, and is as it was.
  private func restoreLinks(_ place: RowPlace) {
    guard Int(place.row) < state.tables[place.table].rowCount else { return }
    let row = state.row(place.table, place.row)
    let layout = state.layouts[row.entity]
    if row.isFault {
      // It was hidden meanwhile. Only what links to it is known, and that is loaded with it.
      for word in 1..<1 + state.tables[place.table].presenceWords { row[word] = 0 }
      return
    }
    for number in 0..<layout.slotCount where layout.slots[number].kind == .toOne {
      let slot = layout.slots[number]
      if row[slot] == 0 { row.setPresence(of: slot, false) } else { row.setPresence(of: slot, true) }
    }
    if row.isPlaceholder { return }
    for number in 0..<layout.slotCount where layout.slots[number].kind == .toMany {
      let slot = layout.slots[number]
      if row[state.tables[place.table].unloadedWord(slot.word)] & slot.mask != 0 { row.setPresence(of: slot, true) }
    }
  }

  func restore(_ links: [RowLoads.Link], _ lists: [RowLoads.List], _ load: RowLoads.Load) {
    for place in state.pointee.loads.filled { restoreLinks(place) }
    for list in lists where Int(list.owner.row) < state.tables[list.owner.table].rowCount {
      let row = state.row(list.owner.table, list.owner.row)
      let number = list.cell - 1 - state.tables[list.owner.table].presenceWords
      let layout = state.layouts[row.entity]
      // The list may be one of a sub-entity that the object was of.
      guard number < layout.slotCount else { continue }
      let slot = layout.slots[number]
      // The owner may be new again, after a commit that took it for one of the store's failed.
      if row.isStored { row[state.tables[list.owner.table].unloadedWord(slot.word)] |= slot.mask }
      row.setPresence(of: slot, row.isStored || state.pointee.vectors.count(row[slot]) > 0)
    }
    for link in links where link.isReference {
      let row = state.row(link.owner.table, link.owner.row)
      guard narrow(link.owner.row, link.owner.table, to: link.entity) else { continue }
      if row.isDeleted || isHidden(RowPlace(table: memberTable(of: link), row: link.member)) { continue }
      // A link that was made while a row was hidden may be one that the journal does not know.
      if !leadsBack(link) { continue }
      let isKnown = state.pointee.vectors.contains(row[link.cell], link.member)
      if !isKnown {
        self.link(link.member, to: link.owner.row, link.owner.table, link.cell, load, entity: link.entity)
      }
      forgetOrder(link)
    }
    for link in links where !link.isReference { forgetIfEmpty(link) }
    for link in state.pointee.loads.oneToOnes { restore(link, load) }
    makeWithheldLinks(load)
    settleHidden()
  }

  /// Whether the to-one that a link followed from leads to the owner of the list.
  private func leadsBack(_ link: RowLoads.Link) -> Bool {
    let number = link.cell - 1 - state.tables[link.owner.table].presenceWords
    let slot = state.layouts[link.entity].slots[number]
    return state.row(slot.destinationTable, link.member)[slot.inverseCell] == UInt64(link.owner.row) + 1
  }

  /// Both sides of a one-to-one that was loaded agree again. Each has what the journal knew of it, and one may have been linked
  /// in between, which the journal does not know.
  private func restore(_ link: RowLoads.OneToOne, _ load: RowLoads.Load) {
    let (member, target) = (link.member, link.target)
    guard Int(member.row) < state.tables[member.table].rowCount, Int(target.row) < state.tables[target.table].rowCount
    else { return }
    let (row, targetRow) = (state.row(member.table, member.row), state.row(target.table, target.row))
    let layout = state.layouts[row.entity]
    // A row that was hidden, and is a fault again, is loaded with what the store has by then.
    if row.isFault { return }
    guard !row.isDeleted, !targetRow.isDeleted, link.slot < layout.slotCount, case let slot = layout.slots[link.slot],
      slot.inverse < state.layouts[targetRow.entity].slotCount
    else { return }
    let (there, back) = (UInt64(target.row) + 1, UInt64(member.row) + 1)
    let (leadsThere, leadsBack) = (row[slot] == there, targetRow[slot.inverseCell] == back)
    let isLinked = leadsThere || leadsBack
    if leadsThere && leadsBack {
      // What was undone has both marked as they were before.
      row.setPresence(of: slot, true)
      if !targetRow.isFault { targetRow.setPresence(of: inverse(of: slot, target).pointee, true) }
      return
    }
    if !isLinked && load.isAmongChanges { return }
    let isFree = (leadsThere || row[slot] == 0) && (leadsBack || targetRow[slot.inverseCell] == 0)
    if isFree || leadsThere { set(isFree ? there : 0, layout.slots + link.slot, of: member) }
    if isFree || leadsBack { set(isFree ? back : 0, inverse(of: slot, target), of: target) }
    if !isFree { differing.noteOutdated([member, target]) }
  }

  /// Sets one side of a one-to-one that was loaded.
  private func set(_ value: UInt64, _ slot: PlanReference<SlotPlan>, of place: RowPlace) {
    let row = state.row(place.table, place.row)
    let isIdentified = slot.pointee.isIdentity && row.isLoaded
    if isIdentified { GraphIdentity.remove(place.row, table: place.table, &state.pointee) }
    row[slot] = value
    if !row.isFault { row.setPresence(of: slot, value != 0) }
    if isIdentified { identify(place, slot.pointee) }
  }

  /// A link that was loaded with the list of its member was taken away: a loaded list without others has none.
  private func forgetIfEmpty(_ link: RowLoads.Link) {
    let row = state.row(link.owner.table, link.owner.row)
    let number = link.cell - 1 - state.tables[link.owner.table].presenceWords
    let layout = state.layouts[row.entity]
    guard number < layout.slotCount, !row.isDeleted, !row.isFault else { return }
    let slot = layout.slots[number]
    let isLoaded = row[state.tables[link.owner.table].unloadedWord(slot.word)] & slot.mask == 0
    if isLoaded, state.pointee.vectors.count(row[slot]) == 0 { row.setPresence(of: slot, false) }
  }

  /// A member has its place in an ordered list when that is loaded again.
  func forgetOrder(_ link: RowLoads.Link) {
    let number = link.cell - 1 - state.tables[link.owner.table].presenceWords
    let slot = state.layouts[link.entity].slots[number]
    if slot.isOrdered { forgetOrder(of: RowPlace(table: slot.destinationTable, row: link.member)) }
  }

  /// Makes the links that could not be made when they were loaded, because one of the objects was deleted here or linked elsewhere.
  private func makeWithheldLinks(_ load: RowLoads.Load) {
    let all = state.pointee.loads.withheld
    state.pointee.loads.withheld = []
    for link in all where isThere(link.target) && isThere(link.member) {
      let row = state.row(link.member.table, link.member.row)
      let layout = state.layouts[row.entity]
      guard row.isStored, !row.isFault, link.slot < layout.slotCount, case let slot = layout.slots + link.slot,
        row[slot] != UInt64(link.target.row) + 1
      else { continue }
      if row.isDeleted || row[slot] != 0 || isGone(link.target) {
        state.pointee.loads.withheld.append(link)
        continue
      }
      let id = id(link.target.table, link.target.row)
      refer(link.member.row, link.member.table, row, slot, to: id, load)
      forgetOrder(of: link.member)
      identify(link.member, slot.pointee)
    }
  }

  private func isThere(_ place: RowPlace) -> Bool { Int(place.row) < state.tables[place.table].rowCount }
  private func isGone(_ place: RowPlace) -> Bool { reader.isDeleted(place.table, place.row) && !isHidden(place) }
}
