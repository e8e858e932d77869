/// Taking over what others wrote to the store.
extension StoreBinding {
  /// What others wrote since the last merge; nil if they wrote nothing.
  func othersChanges() throws(StoreError) -> StoreLog? {
    guard try store.latestCommit() > knowledge.seen else { return nil }
    return try store.changes(since: knowledge.seen)
  }

  /// Makes the changes of others in memory, as if they were made by hand: the context reports and commits them.
  func apply(_ log: StoreLog) throws(StoreError) {
    let known = rowsByID.indices.map { table in
      let written = log.isIncomplete ? rowsByID[table].ids : Array(Set(log.written[table] ?? []))
      let known = written.filter { id in
        rowsByID[table][id].map { !state.row(table, $0).isFault } ?? false
      }
      if log.isIncomplete || known.count < written.count { forgetCompleteness(table) }
      return Set(known).union(outdatedIDs(table))
    }
    var current: [StoredRows] = []
    var gone: [RowPlace] = []
    for table in rowsByID.indices {
      let rows = try store.rows(in: table, ids: known[table].sorted())
      let found = Set(rows.headers.map(\.id))
      let lost = known[table].filter { !found.contains($0) } + (log.deleted[table] ?? [])
      gone += Set(lost.compactMap { rowsByID[table][$0] }).sorted().map { RowPlace(table: table, row: $0) }
      current.append(rows)
    }
    let referrers = parentStore == nil ? [:] : referrers(to: gone)
    for (table, ids) in referrers.sorted(by: { $0.key < $1.key }) {
      current.append(try store.rows(in: table, ids: ids.filter { !known[table].contains($0) }.sorted()))
    }
    // Faults that are gone have nothing to remove but links to them.
    for place in gone where state.row(place.table, place.row).isFault {
      merging.noteUnfaulted(place)
      state.row(place.table, place.row).isFault = false
    }
    let hasWidened = removeWidened(current)
    for rows in current { refresh(rows, all: hasWidened || !referrers.isEmpty) }
    GraphEditor(state).remove(gone.filter { !reader.isDeleted($0.table, $0.row) })
    for rows in current { try refreshLinks(rows) }
    try refreshOutdated()
    try throwFailure()
    gone.forEach(release)
    forgetRemoved()
    let load = state.beginLoad()
    indexLoaded()
    showHidden(all: true)
    state.endLoad(load)
    fillNarrowed()
    knowledge.noteMerge(log.sequence)
  }

  /// Undoes what a failed merge changed outside the journal, after a rollback.
  func undo(_ merge: MergeProgress.Undo) {
    for place in merge.unfaulted { state.row(place.table, place.row).isFault = true }
    for place in merge.widened {
      let id = id(place.table, place.row)
      if let other = rowsByID[place.table][id], other != place.row {
        removeGone([RowPlace(table: place.table, row: other)])
      }
      setRow(place.row, for: id, place.table)
    }
    differing.noteOutdated(merge.outdated)
    for (link, target) in merge.links { hidden.set(link, to: target) }
    showHidden()
  }

  /// What leads to rows that are gone, without having changed: a parent that rolled back has the object as another row again.
  ///
  /// - Returns: numbers in the store, by table.
  private func referrers(to gone: [RowPlace]) -> [Int: [Int64]] {
    if gone.isEmpty { return [:] }
    let tables = Set(gone.map(\.table))
    let all = Set(gone)
    var found: [Int: [Int64]] = [:]
    for entity in plan.entities {
      let layout = plan.layouts[entity.index]
      let slots = (0..<layout.slotCount).map { layout.slots[$0] }.filter {
        $0.kind == .toOne && tables.contains($0.destinationTable)
      }
      if slots.isEmpty { continue }
      for (id, number) in rowsByID[layout.table] {
        let row = state.row(layout.table, number)
        guard row.entity == entity.index, row.isLoaded else { continue }
        let leadsToGone = slots.contains { slot in
          row.toOne(slot).map { all.contains(RowPlace(table: slot.destinationTable, row: $0)) } ?? false
        }
        if leadsToGone { found[layout.table, default: []].append(id) }
      }
    }
    return found
  }

  /// Rows that lead to some which a parent no longer has differ from what it told: it may have the objects again, unchanged.
  func noteReferrers(to gone: [RowPlace]) {
    if parentStore == nil { return }
    for (table, ids) in referrers(to: gone) {
      differing.noteOutdated(ids.compactMap { id in rowsByID[table][id].map { RowPlace(table: table, row: $0) } })
    }
  }

  /// Removes objects that are of another entity now, and no longer of theirs: only in a parent that rolled back can that be. They
  /// are loaded again as other objects.
  ///
  /// - Returns: whether there were any. What links to them must then be refreshed.
  private func removeWidened(_ current: [StoredRows]) -> Bool {
    var widened: [RowPlace] = []
    for rows in current {
      for header in rows.headers {
        guard let row = rowsByID[rows.table][header.id], !reader.isDeleted(rows.table, row) else { continue }
        let place = RowPlace(table: rows.table, row: row)
        if isWidened(place, header) { widened.append(place) }
      }
    }
    // Their lists are not loaded for that: what is not in memory links to the objects that they are now.
    for place in widened { countListsAsLoaded(place) }
    GraphEditor(state).remove(widened)
    widened.forEach(release)
    merging.noteWidened(widened)
    return !widened.isEmpty
  }

  private func countListsAsLoaded(_ place: RowPlace) {
    let row = state.row(place.table, place.row)
    let layout = state.layouts[row.entity]
    for number in 0..<layout.slotCount where layout.slots[number].kind == .toMany {
      let slot = layout.slots[number]
      row[state.tables[place.table].unloadedWord(slot.word)] &= ~slot.mask
      row.setPresence(of: slot, state.pointee.vectors.count(row[slot]) > 0)
    }
  }

  /// Whether an object is not of the entity that it has in the store, nor of one of its parents.
  func isWidened(_ place: RowPlace, _ header: StoredRows.Header) -> Bool {
    let own = state.row(place.table, place.row).entity
    return !plan.layouts[map.entities[place.table][header.entity]].isKind(of: plan.layouts[own])
  }

  /// The rows whose one-to-ones lead elsewhere in the store than in memory, although they are of the newest version.
  private func outdatedIDs(_ table: Int) -> [Int64] {
    differing.outdated.filter { $0.table == table && !reader.isDeleted(table, $0.row) }.map { id(table, $0.row) }
  }

  /// What was loaded for the merge may have met one-to-ones as they were before it.
  private func refreshOutdated() throws(StoreError) {
    while !differing.outdated.isEmpty {
      let ids = rowsByID.indices.map(outdatedIDs)
      merging.noteOutdated(differing.outdated)
      differing.forgetOutdated()
      for (table, ids) in ids.enumerated() where !ids.isEmpty {
        refresh(try store.rows(in: table, ids: ids.sorted()), all: true)
      }
    }
  }

  /// - Parameter all: whether rows are refreshed that have not changed.
  private func refresh(_ rows: StoredRows, all: Bool) {
    for (index, header) in rows.headers.enumerated() {
      guard let row = rowsByID[rows.table][header.id], !reader.isDeleted(rows.table, row),
        !state.row(rows.table, row).isFault
      else { continue }
      let place = RowPlace(table: rows.table, row: row)
      let isOutdated = differing.takeOutdated(place)
      if isOutdated { merging.noteOutdated([place]) }
      guard all || isOutdated || version(rows.table, row) < header.version else { continue }
      refresh(place, rows, index) { _ in true }
      settleVersion(header.version, rows.table, row)
      forgetOrder(of: place, asChange: true)
    }
  }

  /// The ordered lists that contain a row are loaded again when they are read: it may be elsewhere in them.
  ///
  /// - Parameters:
  ///   - asChange: whether a rollback restores what was known of the lists.
  ///   - given: columns with references that were given here: the row stays where it is in these lists.
  func forgetOrder(of place: RowPlace, asChange: Bool = false, except given: Set<Int> = []) {
    let row = state.row(place.table, place.row)
    let entity = row.entity
    for (_, reference) in map.positionColumns[place.table] where !given.contains(reference) {
      let number = map.slots[entity][reference]
      guard number >= 0 else { continue }
      let slot = state.layouts[entity].slots[number]
      guard let number = row.toOne(slot) else { continue }
      let owner = RowPlace(table: slot.destinationTable, row: number)
      guard state.row(owner.table, owner.row).isLoaded else { continue }
      unload(slot.inverseMask, slot.inverseWord, of: owner, asChange: asChange)
    }
  }

  /// Lists of a row are loaded again when they are read. A list that is not loaded counts as given.
  ///
  /// - Parameters:
  ///   - mask: the presence bits of the lists, in a word of the row.
  ///   - asChange: whether a rollback restores what was known of the lists.
  func unload(_ mask: UInt64, _ presenceWord: Int, of place: RowPlace, asChange: Bool = false) {
    let row = state.row(place.table, place.row)
    // A new row that turned out to be one of the store's has no such lists if the commit fails.
    let isUndone = asChange || settled.isAdopted(place)
    for word in [state.tables[place.table].unloadedWord(presenceWord), presenceWord] {
      let value = row[word] | mask
      if isUndone { settle(value, place.table, place.row, word: word) } else { row[word] = value }
    }
  }

  /// Sets the lists that tables of links hold to what the store has, where they are in memory.
  private func refreshLinks(_ rows: StoredRows) throws(StoreError) {
    let table = rows.table
    var byEntity: [Int: [UInt32]] = [:]
    for header in rows.headers {
      guard let row = rowsByID[table][header.id], !reader.isDeleted(table, row) else { continue }
      byEntity[state.row(table, row).entity, default: []].append(row)
    }
    for (entity, rows) in byEntity.sorted(by: { $0.key < $1.key }) {
      for (number, place) in map.schema.places[entity].enumerated() {
        guard case .links(let link, let isOwner) = place else { continue }
        let slot = state.layouts[entity].slots + number
        let shown = rows.filter { isShown(state.row(table, $0), slot.pointee, table) }
        try refreshLinks(shown, table, slot, link, isOwner: isOwner)
      }
    }
  }

  /// Whether a list, or a part of it, is in memory.
  private func isShown(_ row: Row, _ slot: SlotPlan, _ table: Int) -> Bool {
    row[state.tables[table].unloadedWord(slot.word)] & slot.mask == 0
      || state.pointee.vectors.count(row[slot]) > 0
  }

  private func refreshLinks(
    _ rows: [UInt32], _ table: Int, _ slot: PlanReference<SlotPlan>, _ link: Int, isOwner: Bool
  ) throws(StoreError) {
    if rows.isEmpty { return }
    let ids = rows.map { id(table, $0) }
    let links = isOwner ? try store.links(in: link, ofOwners: ids) : try store.links(in: link, ofMembers: ids)
    let targetTable = slot.pointee.destinationTable
    try loadMissing(Set(links.map { isOwner ? $0.member : $0.owner }), of: targetTable)
    var lists: [Int64: [(position: Int64, id: Int64)]] = [:]
    for link in links {
      lists[isOwner ? link.owner : link.member, default: []].append(
        isOwner ? (link.position, link.member) : (link.inversePosition, link.owner))
    }
    try loadOrderedInverses(rows, table, slot.pointee, links.map { isOwner ? $0.member : $0.owner })
    let editor = GraphEditor(state)
    for number in rows {
      let row = state.row(table, number)
      let unloaded = state.tables[table].unloadedWord(slot.pointee.word)
      settle(row[unloaded] & ~slot.pointee.mask, table, number, word: unloaded)
      let members = (lists[id(table, number)] ?? []).sorted { $0 < $1 }.compactMap { rowsByID[targetTable][$0.id] }
        .filter { !reader.isDeleted(targetTable, $0) }
      if members.isEmpty {
        editor.clear(slot, table, number, row)
      } else {
        editor.setToMany(members, union: false, slot, table, number, row)
      }
    }
  }

  /// Loads the ordered lists that change with others, before these change: loading is no change.
  ///
  /// - Parameter ids: the members that the store has now.
  func loadOrderedInverses(
    _ rows: [UInt32], _ table: Int, _ slot: SlotPlan, _ ids: [Int64]
  ) throws(StoreError) {
    guard slot.inverse >= 0, slot.inverseIsToMany, state.layouts[slot.destination].slots[slot.inverse].isOrdered
    else { return }
    let members = rows.flatMap { reader.targetsInMemory(state.row(table, $0), slot) }
    let targets = Set(ids.compactMap { rowsByID[slot.destinationTable][$0] } + members).sorted().filter {
      state.row(slot.destinationTable, $0).isLoaded
    }
    var byEntity: [Int: [UInt32]] = [:]
    for row in targets {
      byEntity[state.row(slot.destinationTable, row).entity, default: []].append(row)
    }
    for (entity, rows) in byEntity.sorted(by: { $0.key < $1.key }) {
      try loadLists(rows, slot.destinationTable, state.layouts[entity].slots[slot.inverse])
    }
  }

  /// Others inserted rows into a table, or changed some that are not in memory: what was complete may no longer be.
  func forgetCompleteness(_ table: Int) {
    knowledge.forgetAll(of: map.entities[table])
    for entity in plan.entities {
      let layout = plan.layouts[entity.index]
      var bits: [Int: UInt64] = [:]
      for (property, place) in map.schema.places[entity.index].enumerated() {
        let slot = layout.slots[property]
        guard case .members(table, _, _) = place else { continue }
        bits[slot.word, default: 0] |= slot.mask
      }
      if bits.isEmpty { continue }
      for (_, number) in rowsByID[layout.table] {
        let row = state.row(layout.table, number)
        guard row.entity == entity.index, row.isLoaded else {
          continue
        }
        for (word, mask) in bits { unload(mask, word, of: RowPlace(table: layout.table, row: number)) }
      }
    }
  }
}

extension ManagedObjectContext {
  /// Takes over what other contexts and processes wrote to the store since the last call or import. A child takes over what its
  /// parent has now.
  ///
  ///     for await _ in store.commits() { try context.merge() }
  ///
  /// Objects in memory get their new values, and those that were deleted report ``ManagedObject/isDeleted``. Observers are
  /// notified, with ``ContextChanges/Cause/merge``. While changes are pending or a transaction is open, nothing happens; call it
  /// again after the commit. An import merges by itself before it begins. Expected time in proportion to the changes.
  ///
  /// - Returns: whether there was anything to take over.
  /// - Throws: a ``StoreError`` if the store cannot be read.
  @discardableResult
  public func merge() throws(StoreError) -> Bool {
    guard let binding, state.openUnits == 0, !hasChanges else { return false }
    if isReentrant("merge changes of the store", isForHooks: false) { return false }
    try binding.throwFailure()
    guard let log = try binding.othersChanges() else { return false }
    binding.merging.begin(outdated: binding.differing.outdated, links: binding.hidden.links)
    do throws(StoreError) {
      try binding.apply(log)
    } catch {
      let failed = binding.merging.end()
      takeRowsBack()
      if let failed { binding.undo(failed) }
      throw error
    }
    binding.merging.end()
    finishUnit(.merge)
    hub.changeEverything()
    closeGapsIfUnchanged()
    return true
  }

  /// Begins a call that finds objects: takes over what others wrote, if the context does that by itself.
  @inline(__always)
  func takeOverChanges() { if mergesChanges { mergeIfPossible() } }

  @inline(never)
  func mergeIfPossible() {
    guard let binding, !isBusy, binding.failure == nil else { return }
    binding.attempt { () throws(StoreError) in try merge() }
  }
}

extension PersistentStore {
  /// The commits of all contexts and processes from now on.
  ///
  ///     for await log in store.commits() { try context.merge() }
  ///
  /// - Parameter interval: how often the store is asked.
  /// - Returns: what was written, once for each time that something was.
  public func commits(every interval: Duration = .milliseconds(250)) -> AsyncStream<StoreLog> {
    // The task may begin long after the call.
    let first = try? latestCommit()
    return AsyncStream { continuation in
      let task = Task { [weak self] in
        var seen = first
        while !Task.isCancelled {
          try? await Task.sleep(for: interval)
          guard let self else { break }
          guard let known = seen else {
            seen = try? self.latestCommit()
            continue
          }
          guard let latest = try? self.latestCommit(), latest > known, let log = try? self.changes(since: known) else {
            continue
          }
          seen = log.sequence
          continuation.yield(log)
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
