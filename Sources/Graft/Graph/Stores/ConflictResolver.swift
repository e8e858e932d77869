/// Settles what a commit found changed in the store, so that it can be tried again, or says what is in conflict.
struct ConflictResolver {
  let binding: StoreBinding
  let writer: StoreWriter
  let policy: ConflictPolicy
  /// The rows in conflict as the store has them, by table and number.
  private var stored: [Int: StoredRows] = [:]
  private var indexes: [Int: [Int64: Int]] = [:]
  private var found: [(object: ConflictError.Object, message: String)] = []

  private var state: Reference<GraphState> { binding.state }

  init(_ binding: StoreBinding, _ writer: StoreWriter, _ policy: ConflictPolicy) {
    self.binding = binding
    self.writer = writer
    self.policy = policy
  }

  /// - Throws: a ``ConflictError`` with all conflicts that the policy does not settle, or a ``StoreError``. What was settled until
  ///   then is taken back with the commit.
  mutating func resolve(_ all: [StoreConflict]) throws {
    let deleted = Set(all.filter { $0.reason == .deleted }.map { RowOfStore(table: $0.table, id: $0.id) })
    // An object that is gone, and whose identity another one has now, is first restored or removed.
    let conflicts = all.filter { conflict in
      guard case .identityTaken = conflict.reason else { return true }
      return !deleted.contains(RowOfStore(table: conflict.table, id: conflict.id))
    }
    try load(conflicts)
    for conflict in conflicts {
      if let place = row(conflict), let what = refusal(conflict, place) { refuse(place, what) }
    }
    if !found.isEmpty { throw ConflictError(found) }
    // All of them before any is linked to another one, which would otherwise be loaded a second time.
    let adopted = conflicts.filter { claimIdentity($0) }
    clearLinksOfOthers(conflicts, adopted)
    for conflict in adopted { adopt(conflict) }
    for conflict in conflicts {
      switch conflict.reason {
      case .changed: resolveChange(conflict)
      case .deleted: resolveDeletion(conflict)
      case .identityTaken: break
      case .referenceDeleted(let table, let id): resolveReference(table, id)
      }
    }
    binding.bringStaleUpToDate()
    try refuseDoubles(
      conflicts.compactMap { conflict in if case .changed = conflict.reason { row(conflict) } else { nil } })
  }

  /// Refuses to give objects what the store has if they get the identity of another one by that.
  mutating func refuseDoubles(_ places: some Sequence<RowPlace>) throws {
    for place in places where binding.isDouble(place) {
      refuse(
        place,
        .contradiction("was changed in \(storeName) since it was loaded, and would get the identity of another object"))
    }
    if !found.isEmpty { throw ConflictError(found) }
  }

  private struct RowOfStore: Hashable {
    var table: Int
    var id: Int64
  }

  /// What happened in the store.
  private enum Refusal {
    /// What another policy would settle.
    case conflict(String)
    /// What no policy settles.
    case contradiction(String)
  }

  /// What happened in the store, if the policy does not settle it.
  private func refusal(_ conflict: StoreConflict, _ place: RowPlace) -> Refusal? {
    let isDeleted = binding.reader.isDeleted(place.table, place.row)
    switch conflict.reason {
    case .changed:
      if let entity = contradictingEntity(conflict, place) {
        return .contradiction("is of the entity '\(entity)' in \(storeName) now")
      }
      let isSettled = isDeleted ? policy == .contextWins || policy == .mergeByProperty : policy != .refuse
      return isSettled ? nil : .conflict("was changed in \(storeName) since it was loaded")
    case .deleted:
      return isDeleted || policy != .refuse ? nil : .conflict("was deleted in \(storeName) since it was loaded")
    case .identityTaken(let other):
      return canAdopt(conflict, place, other)
        ? nil : .contradiction("has an identity that another object got in \(storeName) meanwhile")
    case .referenceDeleted(let table, let id):
      guard policy == .refuse, let target = binding.rowsByID[table][id] else { return nil }
      let name = GraphNames(state, binding.plan).name(table, target)
      return .conflict("refers to '\(name)', which was deleted in \(storeName)")
    }
  }

  /// The entity that an object has in the store, if it is neither that of the object here nor one of its sub-entities. Only a
  /// placeholder becomes one of a sub-entity (D5), here or there.
  ///
  ///     here           in the store
  ///     Car(5)         Vehicle(5), a placeholder as it was here    Car(5)
  ///                    Vehicle(5), Boat(5)                         a contradiction
  ///     Car(5) of a    Vehicle(5), a placeholder: the parent
  ///     parent         rolled back                                 a contradiction
  private func contradictingEntity(_ conflict: StoreConflict, _ place: RowPlace) -> String? {
    guard !binding.reader.isDeleted(place.table, place.row), let rows = stored[conflict.table],
      let index = indexes[conflict.table]?[conflict.id], binding.isWidened(place, rows.headers[index])
    else { return nil }
    let header = rows.headers[index]
    let history = binding.history(of: RowMap([place]))
    let entity = binding.map.entities[place.table][header.entity]
    let isNarrowedHere = history.hasEntries(place) && history.oldHeader(place).entity == entity
    return isNarrowedHere && header.isPlaceholder ? nil : binding.plan.entities[entity].name
  }

  /// Whether a new object can become the one that the store has.
  private func canAdopt(_ conflict: StoreConflict, _ place: RowPlace, _ other: Int64) -> Bool {
    guard let rows = stored[conflict.table], let index = indexes[conflict.table]?[other] else { return true }
    let entity = state.row(place.table, place.row).entity
    let isShown = binding.rowsByID[place.table][other].map { row in
      !binding.isHidden(RowPlace(table: place.table, row: row))
    }
    return conflict.id < 0 && isShown != true
      && entity == binding.map.entities[place.table][rows.headers[index].entity]
  }

  /// Reads the rows that are in the way.
  private mutating func load(_ conflicts: [StoreConflict]) throws(StoreError) {
    var ids: [Int: Set<Int64>] = [:]
    for conflict in conflicts {
      switch conflict.reason {
      case .changed: ids[conflict.table, default: []].insert(conflict.id)
      case .identityTaken(let other):
        ids[conflict.table, default: []].insert(other)
        // What is only a fault here is hidden when it is loaded, and the new row can become it.
        if let row = binding.rowsByID[conflict.table][other] { state.loadRow(conflict.table, row) }
      case .deleted, .referenceDeleted: break
      }
    }
    for (table, ids) in ids {
      let rows = try binding.store.rows(in: table, ids: ids.sorted())
      indexes[table] = Dictionary(uniqueKeysWithValues: rows.headers.enumerated().map { ($1.id, $0) })
      stored[table] = rows
    }
  }

  private func row(_ conflict: StoreConflict) -> RowPlace? {
    if conflict.id < 0 {
      let rows = writer.rows.first { $0.table == conflict.table }?.inserted ?? []
      let index = Int(-conflict.id - 1)
      return index < rows.count ? RowPlace(table: conflict.table, row: rows[index]) : nil
    }
    return binding.rowsByID[conflict.table][conflict.id].map { RowPlace(table: conflict.table, row: $0) }
  }

  // MARK: Words

  private var storeName: String { binding.parentStore != nil ? "the parent" : "the store" }

  private mutating func refuse(_ place: RowPlace, _ refusal: Refusal) {
    let (what, advice) =
      switch refusal {
      case .conflict(let what): (what, "Roll back, or choose a conflict policy that settles this")
      case .contradiction(let what): (what, "No conflict policy settles this: roll back and merge")
      }
    let history = binding.history(of: RowMap([place]))
    let entity = binding.plan.entities[state.row(place.table, place.row).entity]
    let isStored = state.row(place.table, place.row).isStored
    let properties = isStored ? history.changes(place).map { entity.properties[$0.slot].name } : []
    var numbers = RowNumbers()
    let id = history.withImage(of: place) { binding.reader.id(place, $0.before, binding.plan, &numbers, history) }
    let own =
      binding.reader.isDeleted(place.table, place.row)
      ? "deleted here" : properties.isEmpty ? "inserted here" : "changed here: \(properties.joined(separator: ", "))"
    found.append(
      (
        ConflictError.Object(id: id, properties: properties),
        "'\(id)' \(what); \(own). \(advice)"
      ))
  }

  // MARK: Reasons

  /// Clears what others linked to the objects whose links were changed here, before any object takes over what it has in the store.
  private func clearLinksOfOthers(_ conflicts: [StoreConflict], _ adopted: [StoreConflict]) {
    for conflict in adopted {
      guard let (place, rows, index) = storedRow(conflict) else { continue }
      binding.clearStoredLinks(place, rows, index, binding.givenColumns(place))
    }
    for conflict in conflicts where policy == .contextWins || policy == .mergeByProperty {
      guard case .changed = conflict.reason, let (place, rows, index) = storedRow(conflict),
        !binding.reader.isDeleted(place.table, place.row)
      else { continue }
      binding.clearStoredLinks(place, rows, index, changedColumns(place))
    }
    binding.bringStaleUpToDate()
  }

  /// The row of a conflict, and where the store has it, or the one whose identity it has.
  private func storedRow(_ conflict: StoreConflict) -> (place: RowPlace, rows: StoredRows, index: Int)? {
    var id = conflict.id
    if case .identityTaken(let other) = conflict.reason { id = other }
    guard let place = row(conflict), let rows = stored[conflict.table], let index = indexes[conflict.table]?[id] else {
      return nil
    }
    return (place, rows, index)
  }

  private func resolveChange(_ conflict: StoreConflict) {
    guard let (place, rows, index) = storedRow(conflict) else { return }
    let version = rows.headers[index].version
    if binding.reader.isDeleted(place.table, place.row) {
      return binding.settleVersion(version, place.table, place.row)
    }
    let changed = changedColumns(place).union(binding.settled.ownColumns[place] ?? [])
    unloadListsOfOthers(place, rows.headers[index])
    switch policy {
    case .refuse: return
    case .contextWins:
      binding.settled.overwrite(place)
      // The other side of a link that the context did not change is not overwritten.
      let links = binding.unchangedOneToOnes(place, changed)
      binding.refresh(place, rows, index) { $0.map(links.contains) ?? false }
    case .mergeByProperty:
      binding.settled.keep(changed, of: place)
      binding.refresh(place, rows, index) { $0.map { !changed.contains($0) } ?? false }
    case .storeWins:
      // A placeholder has nothing that could win over what made the object one of a sub-entity here.
      let isNarrowed = binding.isWidened(place, rows.headers[index])
      binding.refresh(place, rows, index) { column in !isNarrowed || column.map { !changed.contains($0) } ?? false }
      if !isNarrowed { binding.settled.forgetOwn(place) }
    }
    binding.forgetOrder(of: place, asChange: true)
    binding.settleVersion(version, place.table, place.row)
  }

  /// What was narrowed here was narrowed in the store as well, where its lists may contain more.
  private func unloadListsOfOthers(_ place: RowPlace, _ header: StoredRows.Header) {
    let history = binding.history(of: RowMap([place]))
    guard history.hasEntries(place), case let old = history.oldHeader(place).entity,
      old != state.row(place.table, place.row).entity,
      old != binding.map.entities[place.table][header.entity]
    else { return }
    binding.unloadLists(of: place, beyond: old)
  }

  private func changedColumns(_ place: RowPlace) -> Set<Int> {
    guard let index = writer.rows.firstIndex(where: { $0.table == place.table }),
      let known = writer.rows[index].updated.firstIndex(of: place.row)
    else { return [] }
    let slots = binding.map.slots[state.row(place.table, place.row).entity]
    // What was settled before may differ as well.
    return Set(writer.changes.tables[index].changedColumns[known]).filter { column in
      slots[column] < 0 || binding.isChangedHere(place, slots[column]) || binding.isOwn(place, slots[column])
    }
  }

  private func resolveDeletion(_ conflict: StoreConflict) {
    guard let place = row(conflict) else { return }
    if binding.reader.isDeleted(place.table, place.row) {
      binding.settled.noteGone(place)
      return
    }
    switch policy {
    case .refuse: return
    case .storeWins, .mergeByProperty: binding.removeGone([place])
    case .contextWins:
      binding.setRow(nil, for: conflict.id, place.table)
      binding.settled.restore(place, formerID: conflict.id)
      relinkOneToOnes(place)
    }
  }

  /// The other sides of a restored object's one-to-ones lost their links with the object. They are written as well.
  private func relinkOneToOnes(_ place: RowPlace) {
    let row = state.row(place.table, place.row)
    let layout = state.layouts[row.entity]
    for number in 0..<layout.slotCount {
      let slot = layout.slots[number]
      guard binding.isOneToOne(slot), let target = row.toOne(slot) else { continue }
      state.loadRow(slot.destinationTable, target)
      let other = state.row(slot.destinationTable, target)
      guard other.isStored, !other.isDeleted, let column = binding.map.slots[other.entity].firstIndex(of: slot.inverse)
      else { continue }
      binding.settled.keep([column], of: RowPlace(table: slot.destinationTable, row: target))
    }
  }

  /// The object exists already: what was inserted here becomes it.
  ///
  /// - Returns: whether it does. Two new rows may have one identity of the store's.
  private func claimIdentity(_ conflict: StoreConflict) -> Bool {
    guard case .identityTaken(let other) = conflict.reason, let place = row(conflict),
      let rows = stored[conflict.table], let index = indexes[conflict.table]?[other],
      canAdopt(conflict, place, other)
    else { return false }
    let slots = binding.map.slots[state.row(place.table, place.row).entity]
    let given = Set(binding.givenColumns(place).map { slots[$0] })
    binding.setRow(place.row, for: other, place.table)
    binding.setID(other, place.table, place.row)
    binding.settleVersion(rows.headers[index].version, place.table, place.row)
    binding.settled.adopt(place, as: other, given)
    return true
  }

  /// What was inserted is merged into the object that exists, as an import would.
  private func adopt(_ conflict: StoreConflict) {
    guard let (place, rows, index) = storedRow(conflict) else { return }
    binding.adopt(place, rows, index, except: binding.givenColumns(place))
  }

  private func resolveReference(_ table: Int, _ id: Int64) {
    guard let target = binding.rowsByID[table][id] else { return }
    binding.removeGone([RowPlace(table: table, row: target)])
  }
}

extension StoreBinding {
  func resolve(_ conflicts: [StoreConflict], _ writer: StoreWriter, _ policy: ConflictPolicy) throws {
    noteOwnChanges()
    var resolver = ConflictResolver(self, writer, policy)
    try resolver.resolve(conflicts)
    showHidden(isCommitting: true)
    linkRestored()
    fillNarrowed()
  }

  /// The columns in which a row has values.
  func givenColumns(_ place: RowPlace) -> Set<Int> {
    let row = state.row(place.table, place.row)
    let entity = row.entity
    return Set(
      map.slots[entity].enumerated().compactMap { column, slot in
        guard slot >= 0 else { return nil }
        let plan = state.layouts[entity].slots[slot]
        return row.isSet(plan) ? column : nil
      })
  }

  /// A new row turns out to be one of the store: what it lacks is taken from there.
  func adopt(_ place: RowPlace, _ rows: StoredRows, _ index: Int, except given: Set<Int>) {
    let row = state.row(place.table, place.row)
    refresh(place, rows, index) { $0.map { !given.contains($0) } ?? false }
    forgetOrder(of: place, asChange: true, except: given)
    GraphEditor(state).setFlag(RowHeader.stored, true, place.table, place.row)
    for (word, bits) in map.listBits[row.entity].enumerated() {
      settle(bits, place.table, place.row, word: state.tables[place.table].storeWords + word)
    }
    state.endLoad(state.beginLoad())
  }

  /// The commit failed: rows that turned out to be some of the store's are new again, or those that they were.
  func undoAdoptions() {
    for (link, target) in settled.formerLinks { hidden.set(link, to: target) }
    for (place, id) in settled.adopted where settled.formerIDs[place] != nil { setRow(nil, for: id, place.table) }
    for (place, id) in settled.formerIDs {
      setID(id, place.table, place.row)
      setRow(place.row, for: id, place.table)
    }
    for (place, id) in settled.adopted where settled.formerIDs[place] == nil {
      setRow(nil, for: id, place.table)
      _ = differing.takeOutdated(place)
      setID(0, place.table, place.row)
    }
    for place in hidden.hashes.keys {
      let id = id(place.table, place.row)
      if rowsByID[place.table][id] == nil { setRow(place.row, for: id, place.table) }
    }
    if settled.adopted.isEmpty || hidden.links.isEmpty { return }
    // The rollback leads what links to them in the store to faults.
    let linked = Dictionary(grouping: hidden.links.values, by: \.table).mapValues { Set($0.map(\.id)) }
    let load = state.beginLoad()
    for (place, id) in settled.adopted where linked[place.table]?.contains(id) == true { _ = number(place.table, id) }
    state.endLoad(load)
  }

  /// Sets properties of a row to what the store has, as changes.
  ///
  /// - Parameter isWanted: whether a column is to be set; nil stands for whether the object is a placeholder.
  func refresh(_ place: RowPlace, _ rows: StoredRows, _ index: Int, _ isWanted: (Int?) -> Bool) {
    let row = state.row(place.table, place.row)
    let header = rows.headers[index]
    let storedEntity = map.entities[place.table][header.entity]
    let editor = GraphEditor(state)
    // What was narrowed here stays so.
    if row.entity != storedEntity, !isWidened(place, header) {
      let old = row.entity
      editor.changeEntity(place.table, place.row, to: storedEntity)
      unloadLists(of: place, beyond: old)
    }
    let entity = row.entity
    // What one side knows in full is no placeholder, unless the store decides.
    let isPlaceholder = header.isPlaceholder && (isWanted(nil) || row.isPlaceholder)
    editor.setFlag(RowHeader.placeholder, isPlaceholder, place.table, place.row)
    let layout = state.layouts[entity]
    let isStored = map.slots[storedEntity].map { $0 >= 0 }
    func isRefreshed(_ column: Int) -> Bool { isStored[column] && isWanted(column) }
    loadTargets(of: rows, index, layout, map.slots[entity], isRefreshed)
    for (column, number) in map.slots[entity].enumerated() where number >= 0 && isRefreshed(column) {
      let slot = layout.slots + number
      if slot.pointee.kind == .toOne {
        refreshToOne(place, row, slot, column, rows.values.integer(row: index, column: column))
        continue
      }
      let isIdentity = slot.pointee.isIdentity
      if isIdentity { editor.unindex(place.table, place.row) }
      editor.set(rows, index, column, slot, place, row)
      if isIdentity { editor.index(place.table, place.row) }
    }
    for (position, content) in map.positionColumns[place.table].enumerated() {
      let value = UInt64(bitPattern: rows.values.integer(row: index, column: content.column) ?? 0)
      settle(value, place.table, place.row, word: state.tables[place.table].positionWord(position))
    }
    state.endLoad(state.beginLoad())
  }

  /// Places what to-ones lead to. Only then are changes of these rows journaled.
  private func loadTargets(
    of rows: StoredRows, _ index: Int, _ layout: EntityLayout, _ slots: [Int], _ isWanted: (Int) -> Bool
  ) {
    for (column, number) in slots.enumerated() where number >= 0 && isWanted(column) {
      let slot = layout.slots[number]
      guard slot.kind == .toOne, let id = rows.values.integer(row: index, column: column) else { continue }
      let row = self.number(slot.destinationTable, id, entity: slot.destination)
      // The other side of a one-to-one must be known before it is linked, and so must an ordered list, and whether the row is
      // hidden, or gone.
      if isOneToOne(slot) || isInverseOrdered(slot) || !isMerging { state.loadRow(slot.destinationTable, row) }
    }
    state.endLoad(state.beginLoad())
  }

  private func isInverseOrdered(_ slot: SlotPlan) -> Bool {
    slot.inverse >= 0 && slot.inverseIsToMany && state.layouts[slot.destination].slots[slot.inverse].isOrdered
  }

  private func refreshToOne(
    _ place: RowPlace, _ row: Row, _ slot: PlanReference<SlotPlan>, _ column: Int, _ id: Int64?
  ) {
    var target: UInt64 = 0
    let property = slot.pointee.cell - 1 - state.tables[place.table].presenceWords
    let link = HiddenRows.Link(member: place, slot: property)
    if !isMerging { settled.note(link, hidden.links[link]) }
    hidden.set(link, to: nil)
    if let id {
      let table = slot.pointee.destinationTable
      let number = self.number(table, id, entity: slot.pointee.destination)
      let other = RowPlace(table: table, row: number)
      if isHidden(other) {
        noteLink(of: place, property, to: other)
      } else if reader.isDeleted(table, number) {
        // The link is lost with its object. A commit writes that, although the row shows no change.
        if !isMerging { settled.keep([column], of: place) }
      } else if !narrow(number, table, to: slot.pointee.destination) {
        // The commit meets that conflict.
      } else if isOneToOne(slot.pointee), row[slot] != UInt64(number) + 1, isChangedHere(other, slot.pointee.inverse),
        !isChangedHere(place, property)
      {
        // The commit gives the target to another object, so this one loses it.
        settled.keep([column], of: place)
      } else {
        target = UInt64(number) + 1
      }
    }
    if !isMerging { noteDisplaced(place, slot.pointee, target) }
    GraphEditor(state).setToOne(target, slot, place.table, place.row, row)
  }
}

extension GraphEditor {
  /// Sets an attribute to the value of a stored row.
  func set(
    _ rows: StoredRows, _ index: Int, _ column: Int, _ slot: PlanReference<SlotPlan>, _ place: RowPlace,
    _ row: Row
  ) {
    if rows.values.isNil(row: index, column: column) {
      setNil(slot, place.table, place.row, row)
    } else if slot.pointee.kind.isText {
      var scratch = ScratchText()
      defer { scratch.free() }
      let bytes = Array(rows.values.text(row: index, column: column) ?? [])
      setText(.text(scratch.copy(bytes)), slot, place.table, place.row, row)
    } else {
      setWord(rows.values.word(row: index, column: column), slot, place.table, place.row, row)
    }
  }
}
