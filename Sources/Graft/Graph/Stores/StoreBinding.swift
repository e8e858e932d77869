/// The connection of a context with its store: which rows are in memory, and under which numbers the store has them.
///
///     context --> GraphState --source--> StoreBinding --> PersistentStore
///
/// It loads in batches what is asked for, and writes what changed. Like the context, it belongs to one isolation.
final class StoreBinding: RowSource {
  let store: any PersistentStore
  /// The store, if it is the parent of the context.
  let parentStore: ParentStore?
  let map: StoreMap
  let state: Reference<GraphState>
  /// The rows in memory by their numbers in the store, for each table.
  private(set) var rowsByID: [RowsByID]
  var knowledge: StoreKnowledge
  /// An error that occurred where nothing can be thrown. The next call that can throw throws it.
  private(set) var failure: StoreError?
  /// What a commit in progress has settled.
  var settled = CommitSettlement()
  /// How far lists were loaded ahead; see ``loadList(_:_:)``.
  private var lookAhead = ListLookAhead()
  var differing = DifferingRows()
  /// Rows of the store whose identity another row has here.
  var hidden = HiddenRows()
  var merging = MergeProgress()

  init(_ store: any PersistentStore, _ state: Reference<GraphState>, seen: Int64) {
    self.store = store
    parentStore = store as? ParentStore
    self.state = state
    map = StoreMap(store.schema)
    rowsByID = store.schema.tables.map { _ in RowsByID() }
    knowledge = StoreKnowledge(store.schema.model.plan, seen: seen)
  }

  /// Whether all objects of the store are in memory.
  var isWhole: Bool { knowledge.isWhole(plan.entities.count) }

  var isMerging: Bool { merging.isOpen }

  var plan: Plan { map.schema.model.plan }
  var reader: RowReader { RowReader(state) }

  /// How many ordered relationships lead to the rows of each table.
  static func positions(_ schema: StoreSchema) -> [Int] { StoreMap(schema).positionColumns.map(\.count) }

  // MARK: Failures

  /// Runs what cannot throw; a failure is kept.
  func attempt(_ body: () throws(StoreError) -> Void) {
    do throws(StoreError) {
      try body()
    } catch {
      if failure == nil { failure = error }
    }
  }

  /// Keeps an error that could not be thrown.
  func keep(_ error: any Error) {
    guard failure == nil else { return }
    failure = error as? StoreError ?? StoreError((error as? any DiagnosticError)?.diagnostics ?? [])
  }

  /// Throws what went wrong earlier, once.
  func throwFailure() throws(StoreError) {
    guard let failure else { return }
    self.failure = nil
    throw failure
  }

  // MARK: Numbers

  /// The number of a row in the store: negative for one that is being written for the first time, 0 if it has none.
  func id(_ table: Int, _ row: UInt32) -> Int64 {
    Int64(bitPattern: state.row(table, row)[state.tables[table].idWord])
  }

  func setID(_ id: Int64, _ table: Int, _ row: UInt32) {
    state.row(table, row)[state.tables[table].idWord] = UInt64(bitPattern: id)
  }

  /// Notes which row a number in the store stands for; nil if none in memory does.
  func setRow(_ row: UInt32?, for id: Int64, _ table: Int) { rowsByID[table][id] = row }

  /// A number in the store no longer stands for a row in memory.
  func release(_ place: RowPlace) { setRow(nil, for: id(place.table, place.row), place.table) }

  /// Rows of the store come first, in the order of their numbers, then new ones. A child has the order of its parent.
  func age(_ table: Int, _ row: UInt32) -> UInt64 {
    let depth = UInt64(parentStore?.depth ?? 0)
    guard state.row(table, row).isStored else { return 1 << 63 | depth << 40 | UInt64(row) }
    let id = id(table, row)
    return parentStore?.age(table, id) ?? UInt64(bitPattern: id)
  }

  func version(_ table: Int, _ row: UInt32) -> Int64 {
    Int64(bitPattern: state.row(table, row)[state.tables[table].versionWord])
  }

  func setVersion(_ version: Int64, _ table: Int, _ row: UInt32) {
    state.row(table, row)[state.tables[table].versionWord] = UInt64(bitPattern: version)
  }

  /// Sets the version that a merge loaded, or that a commit is based on. A rollback restores the old one.
  func settleVersion(_ version: Int64, _ table: Int, _ row: UInt32) {
    settle(UInt64(bitPattern: version), table, row, word: state.tables[table].versionWord)
  }

  /// Sets a word of a row that belongs to no property. A rollback restores it.
  func settle(_ value: UInt64, _ table: Int, _ number: UInt32, word: Int) {
    let row = state.row(table, number)
    if row[word] != value { GraphEditor(state).write(value, table, number, row, word) }
  }

  /// The rows of a table moved: `.max` stands for those that are gone.
  func move(_ table: Int, _ moves: [UInt32]) {
    rowsByID[table].move { moves[Int($0)] == .max ? nil : moves[Int($0)] }
    // Identities inside owners contain their rows (M12).
    if plan.features.hasOwners { knowledge.forgetAbsent() }
    lookAhead = ListLookAhead()
    differing.move(table, moves)
    if !hidden.isEmpty {
      knowledge.forgetAll(of: map.entities[table])
      hidden.move(table, moves)
    }
  }

  /// Forgets which rows are in memory: the graph is empty.
  func forgetRows() {
    rowsByID = rowsByID.map { _ in RowsByID() }
    knowledge.forgetAll()
    differing = DifferingRows()
    hidden = HiddenRows()
    lookAhead = ListLookAhead()
  }

  /// The changes were written: rows that were removed among them do not come back.
  func forgetRemoved() {
    for place in differing.takeRemoved() + settled.gone where Int(place.row) < state.tables[place.table].rowCount {
      if reader.isDeleted(place.table, place.row), standsForStored(place) { release(place) }
    }
  }

  // MARK: Finding

  func find(_ entity: Int, _ cells: Cells, _ hash: UInt64) -> UInt32? {
    if hidden.mayContain(hash) { showHidden() }
    let layout = plan.layouts[entity]
    if knowledge.hasAll(of: plan.tables[layout.table].root) || knowledge.lacks(layout, hash) { return nil }
    if layout.hasOwner, knowsMembers(layout, cells) { return nil }
    var values = StoredValues(columnCount: layout.identityCount)
    guard append(cells, layout, to: &values) else { return nil }
    var found: UInt32?
    attempt { () throws(StoreError) in
      if try isWorthLoading(layout.table) {
        try loadAll(plan.tables[layout.table].root)
        found = state.tables[layout.table].indexes[layout.identitySpace].find(hash) { hasIdentity($0, entity, cells) }
      } else {
        found = try load(identities: values, layout).first { hasIdentity($0, entity, cells) }
        if found == nil { knowledge.noteAbsent(layout, hash) }
      }
    }
    return found
  }

  /// Whether an import looks up so many objects of a table one by one that it is better to load all of them. It does so if it
  /// could not know their identities beforehand.
  private func isWorthLoading(_ table: Int) throws(StoreError) -> Bool {
    guard state.openUnits > 0, let count = knowledge.noteLookUp(table),
      try store.count(selectedBy: StoreQuery(table: table)) < 4 * count
    else { return false }
    knowledge.forgetLookUps(table)
    return true
  }

  /// Whether all objects inside the owner of an identity are in memory (M12).
  private func knowsMembers(_ layout: EntityLayout, _ cells: Cells) -> Bool {
    (0..<layout.identityCount).contains { index in
      let slot = layout.slots[layout.identitySlots[index]]
      guard slot.kind == .toOne, slot.inverse >= 0, slot.inverseIsToMany else { return false }
      let number = UInt32(truncatingIfNeeded: cells[layout.identitySlots[index]].bits - 1)
      let owner = state.row(slot.destinationTable, number)
      return owner.isLoaded
        && owner[state.tables[slot.destinationTable].unloadedWord(slot.inverseWord)] & slot.inverseMask == 0
    }
  }

  /// Appends the identity values among cells, one for each slot. False if the store cannot have the identity, because it does not have
  /// the owner (M12).
  func append(_ cells: Cells, _ layout: EntityLayout, to values: inout StoredValues) -> Bool {
    guard layout.hasOwner else {
      values.append(cells, layout)
      return true
    }
    var owners: [Int: Int64] = [:]
    for index in 0..<layout.identityCount {
      let number = layout.identitySlots[index]
      guard layout.slots[number].kind == .toOne else { continue }
      let owner = id(layout.slots[number].destinationTable, UInt32(truncatingIfNeeded: cells[number].bits - 1))
      if owner <= 0 { return false }
      owners[index] = owner
    }
    values.append(cells, layout)
    for (index, id) in owners { values.setInteger(id, row: values.count - 1, column: index) }
    return true
  }

  /// Whether a row still has the identity that it has in the store: it may have been deleted or changed here.
  private func hasIdentity(_ number: UInt32, _ entity: Int, _ cells: Cells) -> Bool {
    let layout = state.layouts + entity
    let row = state.row(layout.pointee.table, number)
    return row.isLoaded
      && state.layouts[row.entity].identitySpace == layout.pointee.identitySpace
      && GraphIdentity.hash(state.layouts[row.entity], row: row, state.pointee) != nil
      && GraphIdentity.matches(layout, cells, row, state.pointee.texts)
  }

  /// So few rows are always looked for one by one.
  static let fewIdentities = 512

  /// Loads the rows with some identities. Those that the store does not have are remembered.
  ///
  /// - Parameter hashes: the hashes of the identities.
  func load(identities: StoredValues, hashes: [UInt64], _ entity: Int) throws(StoreError) {
    let layout = plan.layouts[entity]
    let root = plan.tables[layout.table].root
    if identities.count == 0 || knowledge.hasAll(of: root) { return }
    // Reading a table from its beginning to its end is twice as fast as looking for each of its rows.
    if identities.count > StoreBinding.fewIdentities,
      try store.count(selectedBy: StoreQuery(table: layout.table)) < 2 * identities.count
    {
      return try loadAll(root)
    }
    let rows = try load(identities: identities, layout)
    var known: Set<UInt64> = []
    for number in rows {
      let row = state.row(layout.table, number)
      if let hash = GraphIdentity.hash(state.layouts[row.entity], row: row, state.pointee) {
        known.insert(hash)
      }
    }
    for hash in hashes where !known.contains(hash) { knowledge.noteAbsent(layout, hash) }
  }

  private func load(identities: StoredValues, _ layout: EntityLayout) throws(StoreError) -> [UInt32] {
    place(try store.rows(in: layout.table, identity: layout.identitySpace, values: identities))
  }

  // MARK: Loading rows

  func load(_ table: Int, _ row: UInt32) {
    // Faults that came together are side by side.
    var faults: [UInt32] = []
    let end = min(UInt32(state.tables[table].rowCount), row &+ 4096)
    var next = row
    while next < end, faults.count < 500 {
      if state.row(table, next).isFault { faults.append(next) }
      next += 1
    }
    attempt { () throws(StoreError) in try load(faults, of: table) }
  }

  /// Loads faults. Those that the store no longer has are deleted.
  func load(_ faults: [UInt32], of table: Int) throws(StoreError) {
    if faults.isEmpty { return }
    place(try store.rows(in: table, ids: faults.map { id(table, $0) }))
    let gone = faults.filter { state.row(table, $0).isFault }
    if !gone.isEmpty { removeGone(gone.map { RowPlace(table: table, row: $0) }) }
  }

  /// Deletes rows that the store no longer has, without writing that.
  func removeGone(_ places: [RowPlace]) {
    var known: Set<RowPlace> = []
    let places = places.filter { !reader.isDeleted($0.table, $0.row) && known.insert($0).inserted }
    noteReferrers(to: places)
    let load = state.beginLoad()
    let editor = GraphEditor(state)
    for place in places {
      // Among changes, a rollback brings the row back; a fault is a fault again.
      if load.isAmongChanges {
        differing.noteRemoved(place)
      } else {
        release(place)
      }
      editor.setFlag(RowHeader.fault, false, place.table, place.row)
    }
    editor.remove(places)
    state.endLoad(load)
  }

  /// Loads all objects of an entity and its sub-entities.
  func loadAll(_ entity: Int) throws(StoreError) {
    showHidden()
    if knowledge.hasAll(of: entity) { return }
    let layout = plan.layouts[entity]
    try store.readRows(selectedBy: StoreQuery(table: layout.table, entities: positions(of: entity))) {
      _ = placeWithoutCalls($0)
    }
    fillNarrowed()
    knowledge.noteAll(of: plan.entities[entity].concreteAndSubentities)
  }

  /// The positions of an entity and its sub-entities in their table; nil if those are all of its entities.
  func positions(of entity: Int) -> [Int]? {
    let all = plan.entities[entity].concreteAndSubentities
    let table = plan.layouts[entity].table
    return all.count == map.entities[table].count ? nil : all.map { map.positions[$0] }
  }

  // MARK: Loading lists

  func loadList(_ row: Row, _ slot: SlotPlan) {
    let table = plan.layouts[row.entity].table
    let id = Int64(bitPattern: row[state.tables[table].idWord])
    guard let number = rowsByID[table][id] else { return }
    state.loadRow(table, number)
    attempt { () throws(StoreError) in
      let rows = lookAhead.rows(after: number, table, slot, state)
      lookAhead.note(try loadLists(rows, table, slot))
    }
  }

  /// Loads a to-many of several rows that are no faults, and in whose entities it is the same property.
  ///
  /// - Returns: how many members were loaded.
  @discardableResult
  func loadLists(_ rows: [UInt32], _ table: Int, _ slot: SlotPlan) throws(StoreError) -> Int {
    let bits = state.tables[table].unloadedWord(slot.word)
    let rows = Set(rows).sorted().filter { state.row(table, $0)[bits] & slot.mask != 0 }
    guard let first = rows.first else { return 0 }
    let entity = state.row(table, first).entity
    let number = slot.cell - 1 - state.tables[table].presenceWords
    switch map.schema.places[entity][number] {
    case .column: return 0
    case .members(let target, let reference, let position):
      let found = try store.rows(in: target, column: reference, referringTo: rows.map { id(table, $0) })
      let members = place(found)
      let order = position.flatMap { map.positionIndex(target, column: $0) }.map { (word: $0, members: Set(members)) }
      completeLists(rows, table, slot, sortedBy: order, state.beginLoad())
      return found.count
    case .links(let link, let isOwner): return try loadLinks(rows, table, slot, link, isOwner: isOwner)
    }
  }
}

/// Loads the lists of rows that are side by side together, when they are read one after the other.
///
///     hero 1: powers?  1 list     hero 2: powers?  8 lists     hero 10: powers?  64 lists ...
struct ListLookAhead {
  private var table = -1
  private var cell = -1
  private var next: UInt32 = 0
  private var size = 1

  /// The rows whose lists to load when the list of a row is asked for.
  mutating func rows(after row: UInt32, _ table: Int, _ slot: SlotPlan, _ state: Reference<GraphState>) -> [UInt32] {
    let isNext = table == self.table && slot.cell == cell && row >= next && row < next &+ 16
    size = isNext ? min(size * 8, 256) : 1
    (self.table, cell) = (table, slot.cell)
    let entity = state.row(table, row).entity
    let unloaded = state.tables[table].unloadedWord(slot.word)
    var rows: [UInt32] = []
    next = row
    let end = UInt32(state.tables[table].rowCount)
    while next < end, rows.count < size, next < row &+ 1024 {
      let row = state.row(table, next)
      let isLoaded = row.isLoaded
      if isLoaded, row.entity == entity, row[unloaded] & slot.mask != 0 { rows.append(next) }
      next += 1
    }
    return rows
  }

  /// Large lists are loaded one by one.
  mutating func note(_ count: Int) { if count > 5_000 { size = 1 } }
}
