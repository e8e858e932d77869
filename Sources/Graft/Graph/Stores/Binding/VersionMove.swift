/// Moves a context between two versions of a store. Applies other contexts' changes to the extent that they affect data in memory.
///
/// Reading is the first step, and can fail only before anything has changed (``VersionReader``). Applying the changes reads nothing and
/// cannot fail. It writes facts through the editor, into a graph without changes. The journal then contains the changes for the observers.
struct VersionMove {
  private let binding: StoreBinding
  let next: any StoreSnapshot
  /// What differs between the versions.
  let difference: VersionDifference

  private var state: Reference<GraphState> { binding.state }
  private var map: StoreMap { binding.map }

  /// - Parameter tellsInserted: whether there are observers, which are notified of inserted objects.
  init(_ binding: StoreBinding, to next: any StoreSnapshot, tellsInserted: Bool) throws(StoreError) {
    self.binding = binding
    self.next = next
    difference = try VersionReader.read(binding, to: next, tellsInserted: tellsInserted)
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
    if difference.log.isIncomplete { forgetCompleteness() }
    for table in binding.rowsByID.indices
    where difference.log.isIncomplete || difference.log.deleted[table]?.isEmpty == false {
      binding.noteDeletions(in: table)
    }
    var editor = GraphEditor(state)
    editor.skipsUnknown = true
    editor.leavesIndex = true
    var reindexed: [RowPlace] = []
    var unsorted: Set<ListPlace> = []
    var widened: [RowPlace] = []
    let arrived =
      place(difference.rows) { difference.arriving[$0]?.contains($1) == true } + place(extra) { _, _ in true }
    for rows in difference.rows {
      for (index, header) in rows.headers.enumerated() {
        guard let place = binding.changed(rows.table, header) else { continue }
        if changesIdentity(place, rows, index) {
          editor.unindex(place.table, place.row)
          reindexed.append(place)
        }
      }
    }
    remove(editor)
    // References to an object require the slots of its entity.
    leaveWidened(editor)
    for rows in difference.rows {
      for header in rows.headers {
        guard let place = binding.changed(rows.table, header), changeEntity(of: place, header, editor) else { continue }
        widened.append(place)
      }
    }
    for rows in difference.rows {
      for (index, header) in rows.headers.enumerated() {
        guard let place = binding.changed(rows.table, header) else { continue }
        noteOrders(of: place, &unsorted)
        refresh(place, rows, index, editor)
        noteOrders(of: place, &unsorted)
        binding.setVersion(header.version, place.table, place.row)
      }
    }
    for place in arrived { linkBack(place, editor, &unsorted) }
    var unknown: [VersionDifference.CompleteList] = []
    for list in difference.lists { if isUnknown(list) { unknown.append(list) } else { set(list, editor) } }
    // These lists are completed last, because links that are added on the other side would otherwise be added to them a second time.
    for list in unknown { complete(list) }
    for list in unsorted { sort(list, editor) }
    for place in reindexed where !state.row(place.table, place.row).isDeleted { editor.index(place.table, place.row) }
    state.pointee.orphans.truncate(to: 0)
    let new = difference.inserted.map(\.place).filter { !own.contains($0) }.compactMap { place in
      binding.rowsByID[place.table][place.id].map { RowPlace(table: place.table, row: $0) }
    }
    return (new, widened)
  }

  /// Removes references to objects that will no longer belong to the destination's entity, while these objects still have its slots.
  /// Clearing their lists is not enough, because lists that are not in memory do not contain the objects that refer to their owners.
  private func leaveWidened(_ editor: GraphEditor) {
    var entities: [RowPlace: Int] = [:]
    for rows in difference.rows {
      for header in rows.headers {
        guard let place = binding.changed(rows.table, header), binding.isWidened(place, header) else { continue }
        entities[place] = map.entities[rows.table][header.entity]
      }
    }
    if entities.isEmpty { return }
    let layouts = binding.plan.layouts
    for rows in difference.rows {
      for place in rows.headers.compactMap({ binding.changed(rows.table, $0) }) {
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

  /// Removes the values of properties that only an object's current entity has.
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

  /// Fills the given rows that are needed and not in memory.
  private func place(_ rows: [StoredRows], _ isWanted: (_ table: Int, _ id: Int64) -> Bool) -> [RowPlace] {
    var arrived: [RowPlace] = []
    for rows in rows {
      let table = rows.table
      var new = StoredRows(table: table, columnCount: map.schema.tables[table].columns.count)
      for (index, header) in rows.headers.enumerated()
      where isWanted(table, header.id) && binding.isMissing(table, header.id) {
        new.append(rows, index, map.schema.tables[table])
      }
      arrived += binding.place(new).map { RowPlace(table: table, row: $0) }
    }
    return arrived
  }

  private func remove(_ editor: GraphEditor) {
    var editor = editor
    editor.leavesIndex = false
    for place in Set(difference.gone).sorted() {
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

  /// Changes the entity of an object to its entity in the store.
  ///
  /// - Returns: whether the object no longer belongs to its former entity.
  private func changeEntity(of place: RowPlace, _ header: StoredRows.Header, _ editor: GraphEditor) -> Bool {
    let row = state.row(place.table, place.row)
    let (old, new) = (row.entity, map.entities[place.table][header.entity])
    if old == new { return false }
    let isWidened = binding.isWidened(place, header)
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
    let read = difference.newLists[stored]
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

  private func isUnknown(_ list: VersionDifference.CompleteList) -> Bool {
    guard let (place, slot) = place(of: list) else { return false }
    return state.isUnknown(slot.pointee.words, place.table, state.row(place.table, place.row))
  }

  /// The owner of a list, and the relationship; nil if the owner no longer has such a list.
  private func place(of list: VersionDifference.CompleteList) -> (RowPlace, PlanReference<SlotPlan>)? {
    guard let number = binding.rowsByID[list.owner.table][list.owner.id] else { return nil }
    let row = state.row(list.owner.table, number)
    // If an object now belongs to another entity, only the lists that both entities inherit remain.
    guard !row.isDeleted,
      row.entity == list.entity || list.slot < binding.plan.sharedPropertyCount(list.entity, row.entity)
    else { return nil }
    return (RowPlace(table: list.owner.table, row: number), state.layouts[row.entity].slots + list.slot)
  }

  /// The members of a list that are in memory and not deleted.
  private func members(of list: VersionDifference.CompleteList, in table: Int) -> [UInt32] {
    list.members.compactMap { binding.rowsByID[table][$0] }.filter { !state.row(table, $0).isDeleted }
  }

  private func set(_ list: VersionDifference.CompleteList, _ editor: GraphEditor) {
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
  private func complete(_ list: VersionDifference.CompleteList) {
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

  /// Makes everything incomplete, because the log does not distinguish inserted rows from updated rows.
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
