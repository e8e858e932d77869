/// Moves a context between two versions of a store. Applies the changes of other contexts to the extent that they affect data in memory.
///
/// Reading is the first step, and may fail before anything has changed. Applying the changes reads nothing and cannot fail. It writes
/// facts through the editor, into a graph without changes. The journal then contains the changes for the observers.
struct VersionMove {
  private let binding: StoreBinding
  let next: any StoreSnapshot
  /// The changes that other contexts wrote.
  let log: StoreLog
  /// For each table, the written rows that are in memory, or that lists in memory may contain.
  private var rows: [StoredRows] = []
  /// Rows that were not in memory, but will be.
  private var arriving: [Int: Set<Int64>] = [:]
  /// Rows in memory that the store no longer has.
  private var gone: [RowPlace] = []
  /// Complete lists, with their current members.
  private var lists: [CompleteList] = []
  /// For placeholders that get a different entity, the relationships whose lists are in ``lists``.
  private var newLists: [StoredPlace: Set<Int>] = [:]
  /// Inserted rows of entities that were requested, with their entities.
  private(set) var inserted: [(place: StoredPlace, entity: Int)] = []
  /// The tables whose rows were written or deleted.
  private(set) var tables: Set<Int> = []

  private struct CompleteList {
    var owner: StoredPlace
    /// The relationship: a slot of the entity that the owner belonged to when the list was read.
    var slot: Int
    var entity: Int
    var members: [Int64]
  }

  private var state: Reference<GraphState> { binding.state }
  private var map: StoreMap { binding.map }

  /// - Parameter tellsInserted: whether there are observers, which are notified of inserted objects.
  init(_ binding: StoreBinding, to next: any StoreSnapshot, tellsInserted: Bool) throws(StoreError) {
    self.binding = binding
    self.next = next
    let base = binding.pinned ?? next
    log = try next.changes(since: base.sequence)
    for table in binding.rowsByID.indices { try read(table, base, tellsInserted) }
    try readLists()
    if tellsInserted { try readNewLists() }
    try readArriving()
  }

  // MARK: Reading

  private mutating func read(_ table: Int, _ base: any StoreSnapshot, _ tellsInserted: Bool) throws(StoreError) {
    let known = binding.rowsByID[table]
    let isTold = tellsInserted && binding.knowledge.shownTables.contains(table)
    let isWhole = map.entities[table].contains { binding.knowledge.hasAll(of: $0) }
    var written = log.isIncomplete ? known.ids : log.written[table] ?? []
    if log.isIncomplete, isTold || isWhole && tellsInserted {
      let all = StoreQuery(table: table)
      written += Set(try next.ids(selectedBy: all)).subtracting(try base.ids(selectedBy: all)).subtracting(known.ids)
    }
    let deleted = log.isIncomplete ? [] : log.deleted[table] ?? []
    if log.isIncomplete || !written.isEmpty || !deleted.isEmpty { tables.insert(table) }
    // Rows that are deleted in this context are also read, because they reappear when its changes are rolled back.
    var wanted = written.filter { id in known[id].map { !state.row(table, $0).isFault } ?? false }
    let others = Set(written.filter { isMissing(table, $0) })
    if !others.isEmpty, isWhole || isTold || mayJoinLists(table) { wanted += others }
    let found = try next.rows(in: table, ids: Array(Set(wanted)).sorted())
    rows.append(found)
    let there = Set(found.headers.map(\.id))
    gone += (wanted.filter { !there.contains($0) } + deleted).compactMap { id in
      known[id].map { RowPlace(table: table, row: $0) }
    }
    if log.isIncomplete { gone += try faultsThatAreGone(table) }
    guard !others.isEmpty else { return }
    var isNew = Set<Int64>()
    if isWhole || isTold {
      isNew = Set(found.headers.map(\.id)).intersection(others)
      isNew.subtract(try base.rows(in: table, ids: isNew.sorted()).headers.map(\.id))
    }
    for (index, header) in found.headers.enumerated() where others.contains(header.id) {
      let entity = map.entities[table][header.entity]
      if isNew.contains(header.id), isTold || tellsInserted {
        inserted.append((StoredPlace(table: table, id: header.id), entity))
      }
      if binding.knowledge.hasAll(of: entity) || isNew.contains(header.id) && tellsInserted
        || joinsList(found, index)
      {
        arriving[table, default: []].insert(header.id)
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
    for rows in rows {
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

  /// Reads the lists of rows that other contexts inserted, and the lists that placeholders gain with a sub-entity, because all their values
  /// are reported to observers. All other lists follow from the to-ones of their members.
  private mutating func readNewLists() throws(StoreError) {
    var ids: [RowKind: [Int64]] = [:]
    for (place, entity) in inserted { ids[RowKind(table: place.table, entity: entity), default: []].append(place.id) }
    for rows in rows {
      for header in rows.headers {
        guard let place = changed(rows.table, header), !isWidened(place, header) else { continue }
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
    for (table, ids) in arriving.sorted(by: { $0.key < $1.key }) {
      let known = Set(rows[table].headers.map(\.id))
      let missing = ids.filter { !known.contains($0) && binding.rowsByID[table][$0] == nil }
      if !missing.isEmpty {
        rows[table].append(try next.rows(in: table, ids: missing.sorted()), map.schema.tables[table])
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
      if binding.rowsByID[destination][other] == nil { arriving[destination, default: []].insert(other) }
    }
    note(members, ids, kind, number)
  }

  /// Reads ordered lists that follow from to-ones of their members.
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
      if binding.rowsByID[table][header.id] == nil { arriving[table, default: []].insert(header.id) }
    }
    note(members, ids, kind, number)
  }

  private mutating func note(
    _ members: [Int64: [(position: Int64, id: Int64)]], _ ids: [Int64], _ kind: RowKind, _ number: Int
  ) {
    for id in ids {
      if kind.former >= 0 { newLists[StoredPlace(table: kind.table, id: id), default: []].insert(number) }
      lists.append(
        CompleteList(
          owner: StoredPlace(table: kind.table, id: id), slot: number, entity: kind.entity,
          members: (members[id] ?? []).sorted { $0 < $1 }.map(\.id)))
    }
  }

  // MARK: Applying the changes

  /// Replaces the facts in memory with the facts of the next version, and shows that version. The graph must have no changes. The changes
  /// that this method makes remain until the graph commits.
  ///
  /// - Parameters:
  ///   - extra: rows to fill faults with.
  ///   - own: objects that were inserted in this context.
  /// - Returns: the inserted rows of entities that were requested, and the rows that now belong to another entity, which occur only if a
  ///   parent has rolled back.
  func takeOver(placing extra: [StoredRows], besides own: Set<StoredPlace>) -> (
    arrived: [RowPlace], widened: [RowPlace]
  ) {
    binding.pin(next)
    if log.isIncomplete { forgetCompleteness() }
    for table in binding.rowsByID.indices where log.isIncomplete || log.deleted[table]?.isEmpty == false {
      binding.noteDeletions(in: table)
    }
    var editor = GraphEditor(state)
    editor.skipsUnknown = true
    editor.leavesIndex = true
    var reindexed: [RowPlace] = []
    var unsorted: Set<ListPlace> = []
    var widened: [RowPlace] = []
    let arrived = place(rows) { arriving[$0]?.contains($1) == true } + place(extra) { _, _ in true }
    for rows in rows {
      for (index, header) in rows.headers.enumerated() {
        guard let place = changed(rows.table, header) else { continue }
        if changesIdentity(place, rows, index) {
          editor.unindex(place.table, place.row)
          reindexed.append(place)
        }
      }
    }
    remove(editor)
    // References to an object require the slots of its entity.
    leaveWidened(editor)
    for rows in rows {
      for header in rows.headers {
        guard let place = changed(rows.table, header), changeEntity(of: place, header, editor) else { continue }
        widened.append(place)
      }
    }
    for rows in rows {
      for (index, header) in rows.headers.enumerated() {
        guard let place = changed(rows.table, header) else { continue }
        noteOrders(of: place, &unsorted)
        refresh(place, rows, index, editor)
        noteOrders(of: place, &unsorted)
        binding.setVersion(header.version, place.table, place.row)
      }
    }
    for place in arrived { linkBack(place, editor, &unsorted) }
    var unknown: [CompleteList] = []
    for list in lists { if isUnknown(list) { unknown.append(list) } else { set(list, editor) } }
    // These lists are completed last, because links that are added on the other side would otherwise be added to them a second time.
    for list in unknown { complete(list) }
    for list in unsorted { sort(list, editor) }
    for place in reindexed where !state.row(place.table, place.row).isDeleted { editor.index(place.table, place.row) }
    state.pointee.orphans.truncate(to: 0)
    let new = inserted.map(\.place).filter { !own.contains($0) }.compactMap { place in
      binding.rowsByID[place.table][place.id].map { RowPlace(table: place.table, row: $0) }
    }
    return (new, widened)
  }

  /// Whether an object in memory belongs neither to the entity that it has in the store, nor to a parent of that entity.
  private func isWidened(_ place: RowPlace, _ header: StoredRows.Header) -> Bool {
    let layouts = binding.plan.layouts
    let own = state.row(place.table, place.row).entity
    return !layouts[map.entities[place.table][header.entity]].isKind(of: layouts[own])
  }

  /// Removes references to objects that will no longer belong to the destination's entity, while these objects still have its slots.
  /// Clearing their lists is not enough, because lists that are not in memory do not contain the objects that refer to them.
  private func leaveWidened(_ editor: GraphEditor) {
    var entities: [RowPlace: Int] = [:]
    for rows in rows {
      for header in rows.headers {
        guard let place = changed(rows.table, header), isWidened(place, header) else { continue }
        entities[place] = map.entities[rows.table][header.entity]
      }
    }
    if entities.isEmpty { return }
    let layouts = binding.plan.layouts
    for rows in rows {
      for place in rows.headers.compactMap({ changed(rows.table, $0) }) {
        let row = state.placed(place)
        for number in 0..<layouts[row.row.entity].slotCount {
          let slot = state.layouts[row.row.entity].slots + number
          guard slot.pointee.kind == .toOne, let target = row.row.toOne(slot.pointee),
            let entity = entities[RowPlace(table: slot.pointee.destinationTable, row: target)],
            !layouts[entity].isKind(of: layouts[slot.pointee.destination])
          else { continue }
          editor.setToOne(0, slot, row)
        }
      }
    }
  }

  /// Removes the values that an object has only in its current entity.
  private func clear(_ place: RowPlace, beyond entity: Int, _ editor: GraphEditor) {
    let row = state.placed(place)
    let (old, new) = (binding.plan.entities[row.row.entity].properties, binding.plan.entities[entity].properties)
    for number in old.indices where number >= new.count || old[number] !== new[number] {
      let slot = state.layouts[row.row.entity].slots + number
      if slot.pointee.kind == .toMany {
        editor.clear(slot, row)
        if row[slot] != 0 { editor.install(0, row, slot.pointee.cell) }
        state.tables[place.table].markKnown(slot.pointee, in: row.row)
        row.row.setPresence(of: slot, false)
      } else if slot.pointee.kind == .toOne {
        editor.setToOne(0, slot, row)
      } else {
        editor.setNil(slot, row)
      }
    }
  }

  /// The row in memory that corresponds to a row in the store, if they differ.
  private func changed(_ table: Int, _ header: StoredRows.Header) -> RowPlace? {
    guard let number = binding.rowsByID[table][header.id], state.row(table, number).isLoaded,
      binding.version(table, number) != header.version
    else { return nil }
    return RowPlace(table: table, row: number)
  }

  /// Fills the given rows that are needed and not in memory.
  private func place(_ rows: [StoredRows], _ isWanted: (_ table: Int, _ id: Int64) -> Bool) -> [RowPlace] {
    var arrived: [RowPlace] = []
    for rows in rows {
      let table = rows.table
      var new = StoredRows(table: table, columnCount: map.schema.tables[table].columns.count)
      for (index, header) in rows.headers.enumerated() where isWanted(table, header.id) && isMissing(table, header.id) {
        new.append(rows, index, map.schema.tables[table])
      }
      arrived += binding.place(new).map { RowPlace(table: table, row: $0) }
    }
    return arrived
  }

  /// Whether a row of the store is not in memory, or is a fault.
  private func isMissing(_ table: Int, _ id: Int64) -> Bool {
    binding.rowsByID[table][id].map { state.row(table, $0).isFault } ?? true
  }

  private func remove(_ editor: GraphEditor) {
    var editor = editor
    editor.leavesIndex = false
    for place in Set(gone).sorted() {
      let row = state.row(place.table, place.row)
      if row.isDeleted { continue }
      if row.isFault {
        row.header = row.header.with(RowHeader.fault, false).with(RowHeader.deleted, true)
        state.pointee.countLoaded(place.table, place.row)
      } else {
        editor.remove([place])
        clearUnknownLists(of: row, place)
      }
      binding.release(place)
    }
  }

  /// Makes the lists of a deleted object known and empty.
  private func clearUnknownLists(of row: Row, _ place: RowPlace) {
    let layout = state.layouts[row.entity]
    for number in 0..<layout.slotCount where layout.slots[number].kind == .toMany {
      let slot = layout.slots[number]
      state.tables[place.table].markKnown(slot, in: row)
      if state.pointee.vectors.count(row[slot]) == 0 { row.setPresence(of: slot, false) }
    }
  }

  private func changesIdentity(_ place: RowPlace, _ rows: StoredRows, _ index: Int) -> Bool {
    let row = state.row(place.table, place.row)
    let layout = state.layouts[row.entity]
    if map.entities[place.table][rows.headers[index].entity] != row.entity { return true }
    return (0..<layout.identity.count).contains { number in
      let slot = layout.slots[layout.identity.slots[number]]
      guard case .column(let column) = map.schema.places[row.entity][layout.identity.slots[number]] else {
        return false
      }
      if rows.values.isNil(row: index, column: column) != !row.isSet(slot) { return true }
      if rows.values.isNil(row: index, column: column) { return false }
      if slot.kind == .toOne {
        return row.toOne(slot).map { binding.id(slot.destinationTable, $0) }
          != rows.values.integer(row: index, column: column)
      }
      if slot.kind.isText {
        return !state.pointee.texts.bytes(row[slot]).elementsEqual(rows.values.text(row: index, column: column) ?? [])
      }
      return row[slot] != rows.values.word(row: index, column: column)
    }
  }

  /// Gives an object the entity that it has in the store.
  ///
  /// - Returns: whether it no longer belongs to its former entity.
  private func changeEntity(of place: RowPlace, _ header: StoredRows.Header, _ editor: GraphEditor) -> Bool {
    let row = state.row(place.table, place.row)
    let (old, new) = (row.entity, map.entities[place.table][header.entity])
    if old == new { return false }
    let isWidened = isWidened(place, header)
    if isWidened { clear(place, beyond: new, editor) }
    editor.changeEntity(place.table, place.row, to: new)
    forgetLists(row, place, beyond: old, StoredPlace(table: place.table, id: header.id))
    return isWidened
  }

  private func refresh(_ place: RowPlace, _ rows: StoredRows, _ index: Int, _ editor: GraphEditor) {
    let row = state.placed(place)
    let header = rows.headers[index]
    let entity = row.row.entity
    editor.setFlag(RowHeader.placeholder, header.isPlaceholder, place.table, place.row)
    editor.setFlag(RowHeader.bareDiscriminator, header.isBare, place.table, place.row)
    for (column, number) in map.slots[entity].enumerated() where number >= 0 {
      let slot = state.layouts[entity].slots + number
      guard slot.pointee.kind == .toOne else {
        editor.set(rows, index, column, slot, row)
        continue
      }
      var target: UInt64 = 0
      if let id = rows.values.integer(row: index, column: column) {
        target = UInt64(self.target(id, slot.pointee)) + 1
      }
      editor.setToOne(target, slot, row)
    }
    binding.setPositions(row.row, rows, index)
  }

  /// The row with a number: a row in memory, or a new fault.
  private func target(_ id: Int64, _ slot: SlotPlan) -> UInt32 {
    if binding.rowsByID[slot.destinationTable][id] != nil {
      return binding.number(slot.destinationTable, id, entity: slot.destination)
    }
    let load = state.beginLoad()
    defer { state.endLoad(load) }
    return binding.number(slot.destinationTable, id, entity: slot.destination)
  }

  /// Marks as unknown the lists that the previous entity of an object does not have, except lists that were read.
  private func forgetLists(_ row: Row, _ place: RowPlace, beyond old: Int, _ stored: StoredPlace) {
    let layout = state.layouts[row.entity]
    let shared = binding.plan.sharedPropertyCount(old, row.entity)
    let read = newLists[stored]
    for number in shared..<layout.slotCount where layout.slots[number].kind == .toMany && read?.contains(number) != true
    {
      let slot = layout.slots[number]
      state.tables[place.table].markUnknown(slot, in: row)
      row.setPresence(of: slot, true)
    }
  }

  /// Adds a newly loaded row to the complete lists that contain it.
  private func linkBack(_ place: RowPlace, _ editor: GraphEditor, _ unsorted: inout Set<ListPlace>) {
    let row = state.row(place.table, place.row)
    let layout = state.layouts + row.entity
    for number in 0..<layout.pointee.slotCount {
      let slot = layout.pointee.slots + number
      guard slot.pointee.kind == .toOne, slot.pointee.inverse >= 0, slot.pointee.inverseSlot.isToMany,
        let owner = row.toOne(slot.pointee),
        case let list = state.row(slot.pointee.destinationTable, owner), list.isLoaded,
        list[slot.pointee.inverseSlot.words.cell] == 0
          || !state.pointee.vectors.contains(list[slot.pointee.inverseSlot.words.cell], place.row)
      else { continue }
      editor.linkBack(slot, state.placed(place))
    }
    noteOrders(of: place, &unsorted)
  }

  private func isUnknown(_ list: CompleteList) -> Bool {
    guard let (place, slot) = place(of: list) else { return false }
    return state.isUnknown(slot.pointee.words, place.table, state.row(place.table, place.row))
  }

  /// The owner of a list, and the relationship; nil if the owner no longer has such a list.
  private func place(of list: CompleteList) -> (RowPlace, PlanReference<SlotPlan>)? {
    guard let number = binding.rowsByID[list.owner.table][list.owner.id] else { return nil }
    let row = state.row(list.owner.table, number)
    // If an object now belongs to another entity, only the lists that both entities inherit remain.
    guard !row.isDeleted,
      row.entity == list.entity || list.slot < binding.plan.sharedPropertyCount(list.entity, row.entity)
    else { return nil }
    return (RowPlace(table: list.owner.table, row: number), state.layouts[row.entity].slots + list.slot)
  }

  /// The members of a list that are in memory and not deleted.
  private func members(of list: CompleteList, in table: Int) -> [UInt32] {
    list.members.compactMap { binding.rowsByID[table][$0] }.filter { !state.row(table, $0).isDeleted }
  }

  private func set(_ list: CompleteList, _ editor: GraphEditor) {
    guard let (owner, slot) = place(of: list) else { return }
    let row = state.placed(owner)
    let rows = members(of: list, in: slot.pointee.destinationTable)
    if rows.isEmpty {
      editor.clear(slot, row)
    } else {
      editor.setToMany(rows, union: false, slot, row)
    }
  }

  /// Completes a list that was not in memory.
  private func complete(_ list: CompleteList) {
    guard let (owner, slot) = place(of: list) else { return }
    let load = state.beginLoad()
    defer { state.endLoad(load) }
    binding.complete(owner.row, owner.table, slot.pointee, members(of: list, in: slot.pointee.destinationTable))
  }

  // MARK: Order

  /// Notes the ordered lists in memory that contain a row.
  private func noteOrders(of place: RowPlace, _ lists: inout Set<ListPlace>) {
    let row = state.row(place.table, place.row)
    for number in map.orderedSlots[row.entity] {
      guard case let slot = state.layouts[row.entity].slots[number], let owner = row.toOne(slot),
        case let list = state.row(slot.destinationTable, owner), list.isLoaded,
        !state.isUnknown(slot.inverseSlot.words, slot.destinationTable, list)
      else { continue }
      lists.insert(
        ListPlace(owner: RowPlace(table: slot.destinationTable, row: owner), cell: slot.inverseSlot.words.cell))
    }
  }

  /// Puts a list in the order of the store.
  private func sort(_ list: ListPlace, _ editor: GraphEditor) {
    let row = state.row(list.owner.table, list.owner.row)
    let number = list.cell - 1 - state.tables[list.owner.table].presenceWords
    guard !row.isDeleted, case .members(let table, _, let position?) = map.schema.places[row.entity][number],
      let index = map.positionIndex(table, column: position)
    else { return }
    let slot = state.layouts[row.entity].slots + number
    let word = state.tables[table].positionWord(index)
    let members = row.links(slot.pointee)
    let sorted = members.map { (Int64(bitPattern: state.row(table, $0)[word]), binding.id(table, $0), $0) }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    if sorted != members { editor.setToMany(sorted, union: false, slot, state.placed(list.owner)) }
  }

  // MARK: Everything may have changed

  /// Makes everything incomplete, because the log does not distinguish inserted rows.
  private func forgetCompleteness() {
    binding.knowledge.forgetAll(of: binding.plan.entities.indices)
    for entity in binding.plan.entities {
      let layout = binding.plan.layouts[entity.index]
      for number in 0..<UInt32(state.tables[layout.table].rowCount) {
        let row = state.row(layout.table, number)
        guard row.entity == entity.index, row.isLoaded, row.header.isStored else { continue }
        for (property, place) in map.schema.places[entity.index].enumerated() {
          guard case .members = place else { continue }
          let slot = layout.slots[property]
          if row[slot] != 0 { state.pointee.vectors.release(RowVector(row[slot])) }
          row[slot] = 0
          state.tables[layout.table].markUnknown(slot, in: row)
          row.setPresence(of: slot, !row.isPlaceholder)
        }
      }
    }
  }
}

extension StoredRows {
  /// Appends rows from another list of rows of the same table.
  mutating func append(_ other: StoredRows, _ table: StoreSchema.Table) {
    for row in 0..<other.count { append(other, row, table) }
  }
}

extension GraphEditor {
  /// Sets an attribute to the value of a stored row.
  func set(
    _ rows: StoredRows, _ index: Int, _ column: Int, _ slot: PlanReference<SlotPlan>, _ row: PlacedRow
  ) {
    if rows.values.isNil(row: index, column: column) {
      setNil(slot, row)
    } else if slot.pointee.kind.isText {
      var scratch = ScratchText()
      defer { scratch.free() }
      let bytes = Array(rows.values.text(row: index, column: column) ?? [])
      setText(.text(scratch.copy(bytes)), slot, row)
    } else {
      setWord(rows.values.word(row: index, column: column), slot, row)
    }
  }
}
