/// Collects what a commit writes: the difference between the graph and what the store has of it.
///
///     new rows      numbered -1, -2 ... in each table     -> inserted
///     RowHistory    columns that differ                   -> updated, with the version they are based on
///                   rows that are gone                    -> deleted
///                   lists that differ                     -> links; positions of ordered relationships
struct StoreWriter {
  private let binding: StoreBinding
  private let history: RowHistory
  private(set) var changes = StoreChanges()
  /// For each table with changes, where it is in the changes, and the rows of its elements.
  private var indexes: [Int: Int] = [:]
  private(set) var rows: [TableRows] = []
  /// Rows whose positions or columns change, by table and row: where they are among the updated ones.
  private var updated: [RowPlace: Int] = [:]
  private var linkIndexes: [Int: Int] = [:]

  /// The rows of a table's changes, in their order.
  struct TableRows {
    var table: Int
    var inserted: [UInt32] = []
    var updated: [UInt32] = []
    var deleted: [UInt32] = []
  }

  private var state: Reference<GraphState> { binding.state }
  private var map: StoreMap { binding.map }

  init(_ binding: StoreBinding) throws(StoreError) {
    self.binding = binding
    try StoreWriter.complete(binding)
    history = binding.history()
    collectInserted()
    collectUpdated()
    collectLists()
    fillInserted()
  }

  // MARK: Before anything is collected

  /// Loads what must be known: changed faults, ordered lists that changed, the ordered lists on the other side of their links,
  /// and what refers to deleted objects.
  private static func complete(_ binding: StoreBinding) throws(StoreError) {
    let state = binding.state
    try binding.loadReferrers()
    var faults: [Int: Set<UInt32>] = [:]
    var lists: [(table: Int, row: UInt32, slot: SlotPlan)] = []
    for index in 0..<state.pointee.journal.count {
      let entry = state.pointee.journal[index]
      let row = state.row(entry.table, entry.row)
      if row.isDeleted { continue }
      let property = entry.word - 1 - state.tables[entry.table].presenceWords
      let layout = state.layouts[row.entity]
      guard entry.word > 0, property >= 0, property < layout.slotCount else { continue }
      let slot = layout.slots[property]
      if slot.kind == .toMany {
        if slot.isOrdered { lists.append((entry.table, entry.row, slot)) }
      } else if row.isFault {
        faults[entry.table, default: []].insert(entry.row)
      }
    }
    for (table, rows) in faults { try binding.load(rows.sorted(), of: table) }
    for list in lists {
      let row = state.row(list.table, list.row)
      if row.isFault { try binding.load([list.row], of: list.table) }
      if row.isDeleted { continue }
      try binding.loadLists([list.row], list.table, list.slot)
      try binding.loadOrderedInverses([list.row], list.table, list.slot, [])
    }
  }

  // MARK: Rows

  private mutating func index(_ table: Int) -> Int {
    if let known = indexes[table] { return known }
    indexes[table] = changes.tables.count
    changes.tables.append(.init(table: table, columnCount: map.schema.tables[table].columns.count))
    rows.append(TableRows(table: table))
    return changes.tables.count - 1
  }

  private mutating func collectInserted() {
    for table in 0..<state.tableCount {
      let first = UInt32(state.committedRows(table))
      insert(
        (first..<max(first, UInt32(state.tables[table].rowCount))).filter { state.row(table, $0).isInserted }, table)
    }
    for place in binding.settled.restored where !binding.reader.isDeleted(place.table, place.row) {
      insert([place.row], place.table)
    }
  }

  private mutating func insert(_ new: [UInt32], _ table: Int) {
    if new.isEmpty { return }
    let index = index(table)
    for row in new {
      rows[index].inserted.append(row)
      binding.setID(-Int64(rows[index].inserted.count), table, row)
    }
  }

  /// New rows are written when all of them have numbers, in the order of these.
  private mutating func fillInserted() {
    for index in rows.indices {
      let table = rows[index].table
      // In place, a row would copy all rows before it.
      var inserted = StoredRows(table: table, columnCount: map.schema.tables[table].columns.count)
      inserted.headers.reserveCapacity(rows[index].inserted.count)
      inserted.values.reserve(rows: rows[index].inserted.count, textBytes: textBytes(rows[index].inserted, table))
      for row in rows[index].inserted { append(row, table, to: &inserted) }
      changes.tables[index].inserted = inserted
    }
  }

  /// How many bytes the texts of some rows have.
  private func textBytes(_ rows: [UInt32], _ table: Int) -> Int {
    var count = 0
    for number in rows {
      let row = state.row(table, number)
      let layout = state.layouts + row.entity
      for property in 0..<layout.pointee.slotCount {
        let slot = layout.pointee.slots + property
        guard slot.pointee.kind.isText, row.isSet(slot) else { continue }
        count += state.pointee.texts.bytes(row[slot]).count
      }
    }
    return count
  }

  private mutating func collectUpdated() {
    for place in history.places {
      history.withImage(of: place) { image in
        let (old, new) = (image.before.header, image.now.header)
        if new.isDeleted {
          if new.isStored, !old.isDeleted { collectDeleted(place) }
          return
        }
        if binding.settled.restored.contains(place) { return }
        let columns = binding.settled.overwritten.contains(place) ? allColumns(place) : columns(image, place)
        if !columns.isEmpty || old.contents != new.contents { update(place, columns) }
      }
    }
    for place in merged { update(place, allColumns(place)) }
    for (place, columns) in binding.settled.ownColumns.sorted(by: { $0.key < $1.key })
    where updated[place] == nil && !binding.reader.isDeleted(place.table, place.row)
      && !binding.settled.restored.contains(place)
    {
      update(place, columns.sorted())
    }
  }

  /// New rows that turned out to be some of the store's, and have no history.
  private var merged: [RowPlace] {
    binding.settled.overwritten.filter { !history.hasEntries($0) && !binding.reader.isDeleted($0.table, $0.row) }
      .sorted()
  }

  private mutating func collectDeleted(_ place: RowPlace) {
    // Another row may stand for the one of the store by now.
    guard !binding.settled.gone.contains(place), binding.standsForStored(place) else { return }
    let index = index(place.table)
    rows[index].deleted.append(place.row)
    changes.tables[index].deleted.append(
      StoredRows.Header(id: binding.id(place.table, place.row), version: binding.version(place.table, place.row)))
  }

  private func allColumns(_ place: RowPlace) -> [Int] {
    let slots = map.slots[state.row(place.table, place.row).entity]
    return map.schema.tables[place.table].columns.indices.filter { column in
      slots[column] < 0 || !binding.leadsToHidden(place, slots[column])
    }
  }

  private func columns(_ image: RowImage, _ place: RowPlace) -> [Int] {
    let entity = image.now.entity
    let changed = history.changes(image).compactMap { change -> Int? in
      guard case .column(let column) = map.schema.places[entity][change.slot] else { return nil }
      return binding.leadsToHidden(place, change.slot) ? nil : column
    }
    guard let own = binding.settled.ownColumns[place] else { return changed }
    return changed + own.subtracting(changed).sorted()
  }

  /// Notes that some columns of a row changed.
  private mutating func update(_ place: RowPlace, _ columns: [Int]) {
    // A position changes with the reference that it belongs to.
    let positions = map.positionColumns[place.table].filter { columns.contains($0.reference) }.map(\.column)
    let columns = columns + positions.filter { !columns.contains($0) }
    let index = index(place.table)
    if let known = updated[place] {
      changes.tables[index].changedColumns[known] += columns
      return
    }
    updated[place] = rows[index].updated.count
    rows[index].updated.append(place.row)
    changes.tables[index].changedColumns.append(columns)
    // The rows are taken out and put back: in place, each would copy all rows before it.
    var rows = StoredRows(table: place.table, columnCount: map.schema.tables[place.table].columns.count)
    swap(&rows, &changes.tables[index].updated)
    append(place.row, place.table, to: &rows)
    swap(&rows, &changes.tables[index].updated)
  }

  private func append(_ number: UInt32, _ table: Int, to rows: inout StoredRows) {
    let row = state.row(table, number)
    let entity = row.entity
    rows.append(
      StoredRows.Header(
        id: binding.id(table, number), version: binding.version(table, number), entity: map.positions[entity],
        isPlaceholder: row.isPlaceholder, isBare: row.hasBareDiscriminator))
    write(row, table, number, entity, to: &rows)
  }

  /// Writes the values of a row behind the last one.
  private func write(_ row: Row, _ table: Int, _ number: UInt32, _ entity: Int, to rows: inout StoredRows) {
    let last = rows.count - 1
    rows.values.setLastRow(row, map.slots[entity], state.layouts + entity, state) { reference($0, $1) }
    for (index, place) in map.positionColumns[table].enumerated() {
      guard !rows.values.isNil(row: last, column: place.reference) else { continue }
      let position = positions[RowPlace(table: table, row: number)]?[index]
      let stored = Int64(bitPattern: row[state.tables[table].positionWord(index)])
      rows.values.setInteger(position ?? stored, row: last, column: place.column)
    }
  }

  /// The number of the row that a cell refers to; nil if it is deleted. A hidden row is not: its object only is not shown here,
  /// or is another row by now.
  private func reference(_ cell: UInt64, _ slot: PlanReference<SlotPlan>) -> Int64? {
    let target = UInt32(truncatingIfNeeded: cell - 1)
    let table = slot.pointee.destinationTable
    if state.row(table, target).isDeleted, binding.hidden.hashes[RowPlace(table: table, row: target)] == nil {
      return nil
    }
    return binding.id(table, target)
  }

  // MARK: Lists

  /// New positions of rows in ordered relationships: for each of the row's words with positions.
  private(set) var positions: [RowPlace: [Int: Int64]] = [:]

  private mutating func collectLists() {
    let adopted = binding.settled.adopted.map(\.place).filter { !binding.reader.isDeleted($0.table, $0.row) }
    for (table, rows) in rows.map({ ($0.table, $0.inserted) }) + adopted.map({ ($0.table, [$0.row]) }) {
      for row in rows {
        let entity = state.row(table, row).entity
        if !map.hasLists[entity] { continue }
        let layout = state.layouts[entity]
        for number in 0..<layout.slotCount where layout.slots[number].kind == .toMany {
          let new = binding.reader.targetsInMemory(state.row(table, row), layout.slots[number])
          if !new.isEmpty { collectList(RowPlace(table: table, row: row), number, old: [], new) }
        }
      }
    }
    for place in history.places where !binding.reader.isDeleted(place.table, place.row) && !adopted.contains(place) {
      for change in history.changes(place) {
        if case .links(let old, let new) = change.values { collectList(place, change.slot, old: old, new) }
      }
    }
  }

  private mutating func collectList(_ owner: RowPlace, _ number: Int, old: [UInt32], _ new: [UInt32]) {
    let entity = state.row(owner.table, owner.row).entity
    let slot = state.layouts[entity].slots[number]
    switch map.schema.places[entity][number] {
    case .column: return
    case .members(let table, _, let position):
      guard let position, let index = map.positionIndex(table, column: position) else { return }
      order(new, table, index, column: position)
    case .links(let link, let isOwner):
      if isOwner || map.schema.links[link].isInverseOrdered || binding.settled.restored.contains(owner) {
        collectLinks(owner, slot, link, isOwner: isOwner, old: old, new)
      }
    }
  }

  /// Gives the members of an ordered relationship growing positions. Those that grow already keep theirs.
  private mutating func order(_ members: [UInt32], _ table: Int, _ index: Int, column: Int) {
    var last: Int64 = -1
    let word = state.tables[table].positionWord(index)
    for member in members {
      let place = RowPlace(table: table, row: member)
      let row = state.row(table, member)
      let isStored = row.isStored && !binding.settled.restored.contains(place)
      let old = Int64(bitPattern: row[word])
      if isStored, old > last, updated[place] == nil || !referenceChanged(place, column) {
        last = old
        continue
      }
      last += 1
      positions[place, default: [:]][index] = last
      if isStored { reposition(place, column, last) }
    }
  }

  private func referenceChanged(_ place: RowPlace, _ column: Int) -> Bool {
    guard let index = indexes[place.table], let known = updated[place],
      case .position(let reference) = map.schema.tables[place.table].columns[column].content
    else { return false }
    return changes.tables[index].changedColumns[known].contains(reference)
  }

  private mutating func reposition(_ place: RowPlace, _ column: Int, _ position: Int64) {
    update(place, [column])
    guard let index = indexes[place.table], let known = updated[place] else { return }
    changes.tables[index].updated.values.setInteger(position, row: known, column: column)
  }

  private mutating func collectLinks(
    _ place: RowPlace, _ slot: SlotPlan, _ link: Int, isOwner: Bool, old: [UInt32], _ new: [UInt32]
  ) {
    let table = map.schema.links[link]
    let isOrdered = isOwner ? table.isOrdered : table.isInverseOrdered
    let isItsOwnInverse =
      if slot.inverse >= 0, case .links(link, isOwner: true) = map.schema.places[slot.destination][slot.inverse] {
        isOwner
      } else { false }
    var places: [UInt32: Int] = [:]
    for (position, member) in old.enumerated() { places[member] = position }
    let index = linkIndex(link)
    for (position, member) in new.enumerated() {
      let known = places.removeValue(forKey: member)
      if known != nil, !isOrdered || known == position { continue }
      // Its owners write a new link, unless only the member was deleted in the store.
      if known == nil, !isOwner, !binding.settled.restored.contains(place) { continue }
      changes.links[index].added.append(stored(place.row, place.table, member, slot, isOwner: isOwner, position))
      // In a relationship that is its own inverse, a link has two rows, and the deletion of either end took both.
      if isItsOwnInverse, binding.settled.restored.contains(place) {
        changes.links[index].added.append(
          stored(member, slot.destinationTable, place.row, slot, isOwner: true, position))
      }
    }
    guard isOwner else { return }
    for member in places.keys.sorted() where !binding.reader.isDeleted(slot.destinationTable, member) {
      changes.links[index].removed.append(stored(place.row, place.table, member, slot, isOwner: true, 0))
    }
  }

  private mutating func linkIndex(_ link: Int) -> Int {
    if let known = linkIndexes[link] { return known }
    linkIndexes[link] = changes.links.count
    changes.links.append(.init(table: link))
    return changes.links.count - 1
  }

  /// A link as the store has it, with the positions on both sides.
  private func stored(
    _ number: UInt32, _ table: Int, _ member: UInt32, _ slot: SlotPlan, isOwner: Bool, _ position: Int
  ) -> StoredLink {
    let (mine, other) = (binding.id(table, number), binding.id(slot.destinationTable, member))
    var back = 0
    if slot.inverse >= 0, slot.inverseIsToMany {
      let row = state.row(slot.destinationTable, member)
      let inverse = state.layouts[slot.destination].slots[slot.inverse]
      if inverse.isOrdered { back = row.links(inverse).firstIndex(of: number) ?? 0 }
    }
    return isOwner
      ? StoredLink(owner: mine, member: other, position: Int64(position), inversePosition: Int64(back))
      : StoredLink(owner: other, member: mine, position: Int64(back), inversePosition: Int64(position))
  }
}
