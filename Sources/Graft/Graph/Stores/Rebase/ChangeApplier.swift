/// Applies changes to a graph through the editor, like changes made in code.
///
///     new rows | deleted rows | values and to-ones | links | order of lists
///
/// It repeats a context's changes on top of a later version, and applies a child's changes to its parent.
struct ChangeApplier {
  let state: Reference<GraphState>
  let map: StoreMap
  /// Returns the row with a number of the store; nil if there is none.
  let find: (StoredPlace) -> UInt32?
  /// The rows of new objects.
  private(set) var inserted: [StoredPlace: UInt32] = [:]
  /// The rows that are removed from the identity index until all values are set.
  private var unindexed: Set<RowPlace> = []

  private var editor: GraphEditor { GraphEditor(state) }
  private var reader: RowReader { RowReader(state) }
  private var schema: StoreSchema { map.schema }

  init(_ state: Reference<GraphState>, _ map: StoreMap, find: @escaping (StoredPlace) -> UInt32?) {
    self.state = state
    self.map = map
    self.find = find
  }

  mutating func apply(_ changes: OwnChanges) {
    for (place, row) in changes.inserted.sorted(by: { $0.key < $1.key }) { insert(place, row) }
    editor.remove(changes.deleted.sorted().compactMap(rowPlace).filter { !reader.isDeleted($0.table, $0.row) })
    let updated = changes.updated.sorted { $0.key < $1.key }.compactMap { change in
      rowPlace(change.key).map { ($0, change.value) }
    }
    for (place, update) in updated { prepare(place, update) }
    for (place, row) in changes.inserted.sorted(by: { $0.key < $1.key }) {
      if let number = inserted[place] { set(RowPlace(table: place.table, row: number), row, nil) }
    }
    for (place, update) in updated { set(place, update.row, update.columns) }
    for place in unindexed.sorted() { editor.index(place.table, place.row) }
    for pair in changes.removed.sorted() { link(pair, isOn: false) }
    for pair in changes.added.sorted() { link(pair, isOn: true) }
    for (list, members) in changes.orders.sorted(by: { $0.key < $1.key }) { order(list, members) }
    state.pointee.orphans.truncate(to: 0)
    for list in changes.edited { if let list = listPlace(list) { state.pointee.loads.noteEdit(of: list) } }
  }

  /// The row with a number, which is negative for an inserted row.
  private func row(_ place: StoredPlace) -> UInt32? { place.id < 0 ? inserted[place] : find(place) }

  private func rowPlace(_ place: StoredPlace) -> RowPlace? {
    row(place).map { RowPlace(table: place.table, row: $0) }
  }

  // MARK: Rows

  private mutating func insert(_ place: StoredPlace, _ row: StoredRow) {
    let entity = map.entities[place.table][row.entity]
    let number = editor.insert(entity, isPlaceholder: row.isPlaceholder)
    editor.setFlag(RowHeader.bareDiscriminator, row.isBare, place.table, number)
    inserted[place] = number
    unindexed.insert(RowPlace(table: place.table, row: number))
  }

  /// Sets the entity of a row, and removes the row from the identity index if its identity changes.
  private mutating func prepare(_ place: RowPlace, _ update: OwnChanges.Update) {
    let row = state.row(place.table, place.row)
    let entity = map.entities[place.table][update.row.entity]
    let changesIdentity = schema.tables[place.table].identities.contains {
      $0.columns.contains(where: update.columns.contains)
    }
    if changesIdentity || row.entity != entity { unindex(place) }
    if row.entity != entity { editor.changeEntity(place.table, place.row, to: entity) }
    editor.setFlag(RowHeader.placeholder, update.row.isPlaceholder, place.table, place.row)
    editor.setFlag(RowHeader.bareDiscriminator, update.row.isBare, place.table, place.row)
  }

  private mutating func unindex(_ place: RowPlace) {
    if unindexed.insert(place).inserted { editor.unindex(place.table, place.row) }
  }

  /// Removes rows from the identity index if their identity may change because a to-one of another row changes. Such rows are the former
  /// ends of one-to-one pairs.
  private mutating func unindexPartners(_ row: PlacedRow, _ slot: SlotPlan, _ target: UInt64) {
    guard slot.inverse >= 0, !slot.inverseSlot.isToMany, slot.isIdentity || slot.isOwning else { return }
    for cell in [row.row[slot], target] where cell != 0 {
      let partner = RowPlace(table: slot.destinationTable, row: UInt32(cell - 1))
      let other = state.row(partner.table, partner.row)[slot.inverseSlot.words.cell]
      for place in [partner] + (other == 0 ? [] : [RowPlace(table: row.table, row: UInt32(other - 1))])
      where !state.row(place.table, place.row).isFault { unindex(place) }
    }
  }

  // MARK: Values

  /// - Parameter columns: the columns to set; nil for all columns that have values.
  private mutating func set(_ place: RowPlace, _ values: StoredRow, _ columns: Set<Int>?) {
    let row = state.placed(place)
    for (column, number) in map.slots[row.row.entity].enumerated() where number >= 0 {
      let value = values.values[column]
      if let columns { if !columns.contains(column) { continue } } else if value == .null { continue }
      let slot = state.layouts[row.row.entity].slots + number
      if slot.pointee.kind == .toOne {
        // Rows whose identity changes with an owner are indexed again along with the other rows.
        let target = target(values.reference(column), slot.pointee)
        unindexPartners(row, slot.pointee, target)
        var editor = editor
        editor.leavesIndex = true
        editor.setToOne(target, slot, row)
      } else {
        set(value, schema.tables[place.table].columns[column].content, slot, row)
      }
    }
  }

  private func target(_ id: Int64?, _ slot: SlotPlan) -> UInt64 {
    guard let id, let number = row(StoredPlace(table: slot.destinationTable, id: id)) else { return 0 }
    state.loadRow(slot.destinationTable, number)
    let row = state.row(slot.destinationTable, number)
    let fits = state.layouts[row.entity].isKind(of: state.layouts[slot.destination])
    return row.isDeleted || !fits ? 0 : UInt64(number) + 1
  }

  private func set(
    _ value: StoreValue, _ content: StoreSchema.Content, _ slot: PlanReference<SlotPlan>, _ row: PlacedRow
  ) {
    switch value {
    case .null: editor.setNil(slot, row)
    case .integer(let integer): editor.setWord(UInt64(bitPattern: integer), slot, row)
    case .double(let double): editor.setWord(double.bitPattern, slot, row)
    case .text(let text), .binary(let text):
      var scratch = ScratchText()
      defer { scratch.free() }
      editor.setText(.text(scratch.copy(value.storedBytes(text, content))), slot, row)
    }
  }

  // MARK: Lists

  private func slot(_ list: StoredList, _ entity: Int) -> PlanReference<SlotPlan>? {
    schema.slot(of: list.members, in: entity).map { state.layouts[entity].slots + $0 }
  }

  private func listPlace(_ list: StoredList) -> ListPlace? {
    guard let place = rowPlace(list.owner), let slot = slot(list, state.row(place.table, place.row).entity) else {
      return nil
    }
    return ListPlace(owner: place, cell: slot.pointee.cell)
  }

  private func link(_ pair: StoredPair, isOn: Bool) {
    let layout = schema.links[pair.link]
    let owner = StoredPlace(table: layout.ownerTable, id: pair.owner)
    guard let place = rowPlace(owner), let member = row(StoredPlace(table: layout.memberTable, id: pair.member)) else {
      return
    }
    state.loadRow(place.table, place.row)
    state.loadRow(layout.memberTable, member)
    let row = state.placed(place)
    guard let slot = slot(StoredList(owner: owner, members: .linked(pair.link, isOwner: true)), row.row.entity),
      !row.row.isDeleted, !reader.isDeleted(layout.memberTable, member),
      state.layouts[state.row(layout.memberTable, member).entity].isKind(of: state.layouts[slot.pointee.destination])
    else { return }
    if editor.contains(member, row.row, slot) == isOn { return }
    if isOn { editor.link(member, slot, row) } else { editor.unlink(member, slot, row) }
  }

  /// Sorts a list. Members that are not in the given order come last.
  private func order(_ list: StoredList, _ members: [Int64]) {
    guard let place = rowPlace(list.owner) else { return }
    state.loadRow(place.table, place.row)
    let row = state.row(place.table, place.row)
    guard !row.isDeleted, let slot = slot(list, row.entity) else { return }
    let current = reader.targets(row, slot.pointee)
    let there = Set(current)
    let table = slot.pointee.destinationTable
    let named = members.compactMap { self.row(StoredPlace(table: table, id: $0)) }.filter(there.contains)
    let known = Set(named)
    let sorted = named + current.filter { !known.contains($0) }
    if sorted.isEmpty || sorted == current { return }
    editor.setToMany(sorted, union: false, slot, state.placed(place))
  }
}
