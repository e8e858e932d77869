/// Collects the changes that a commit writes: the difference between the graph and the store.
///
///     new rows      numbered -1, -2 ... in each table     -> inserted
///     RowHistory    columns that differ                   -> updated, with the version they are based on
///                   rows that are gone                    -> deleted
///                   lists that differ                     -> links; positions of ordered relationships
struct StoreWriter {
  private let binding: StoreBinding
  private let history: RowHistory
  var changes = StoreChanges()
  /// The index of each table's changes in `changes.tables`. In ``rows``, the table's rows have the same index.
  private var indexes: [Int: Int] = [:]
  private(set) var rows: [TableRows] = []
  /// For rows whose positions or columns change, their index among the updated rows.
  private var updated: [RowPlace: Int] = [:]
  private var linkIndexes: [Int: Int] = [:]
  /// The index of links among the repositioned links, for tables that are ordered on both sides.
  private var repositionedLinks: [StoredPair: Int] = [:]
  /// The lists that differ from the last commit, for objects that existed then.
  private var listChanges: [(owner: RowPlace, change: ChangedProperty)] = []
  /// The changed lists that are ordered or were changed directly.
  private(set) var changedLists: [ChangedList] = []
  /// The positions of members in lists with holes.
  private var listPositions: [ListPlace: [UInt32: Int]] = [:]

  /// A list that changed.
  struct ChangedList {
    var owner: RowPlace
    var slot: Int
    var members: ListMembers
    /// Whether the list was changed directly, rather than from the other side of the relationship.
    var isEdited: Bool
  }

  /// The rows that existed at the last commit and now differ from it.
  var historyPlaces: [RowPlace] { history.places }

  /// The rows that a table's changes contain, in the order of the changes.
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
    // Rows that refer to deleted objects lose their links, and these changes are also written.
    try binding.loadReferrers()
    history = RowHistory(binding.state, since: .lastCommit)
    collectInserted()
    collectUpdated()
    collectLists()
    fillInserted()
    collectWatch()
    if binding.parentStore != nil { (changes.orders, changes.edited) = (orders, edited) }
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
  }

  private mutating func insert(_ new: [UInt32], _ table: Int) {
    if new.isEmpty { return }
    let index = index(table)
    for row in new {
      rows[index].inserted.append(row)
      binding.setID(-Int64(rows[index].inserted.count), table, row)
    }
  }

  /// Appends the new rows to the changes, in the order of their numbers. All new rows must have numbers.
  private mutating func fillInserted() {
    for index in rows.indices {
      let table = rows[index].table
      // The rows are collected first, because changing a row in place would copy all rows before it.
      var inserted = StoredRows(table: table, columnCount: map.schema.tables[table].columns.count)
      inserted.headers.reserveCapacity(rows[index].inserted.count)
      inserted.values.reserve(rows: rows[index].inserted.count, textBytes: textBytes(rows[index].inserted, table))
      for row in rows[index].inserted { append(row, table, to: &inserted) }
      changes.tables[index].inserted = inserted
    }
  }

  /// The number of text bytes in the given rows.
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
        let properties = history.changes(image)
        let layout = state.layouts[image.now.entity]
        for change in properties where layout.slots[change.slot].kind == .toMany { listChanges.append((place, change)) }
        let columns = columns(properties, image.now.entity)
        if !columns.isEmpty || old.contents != new.contents { update(place, columns) }
      }
    }
  }

  private mutating func collectDeleted(_ place: RowPlace) {
    let index = index(place.table)
    rows[index].deleted.append(place.row)
    changes.tables[index].deleted.append(
      StoredRows.Header(id: binding.id(place.table, place.row), version: binding.version(place.table, place.row)))
  }

  private func columns(_ changes: [ChangedProperty], _ entity: Int) -> [Int] {
    changes.compactMap { change in
      guard case .column(let column) = map.schema.places[entity][change.slot] else { return nil }
      return column
    }
  }

  /// Notes that the given columns of a row changed.
  private mutating func update(_ place: RowPlace, _ columns: [Int]) {
    // If a reference changes, so does the position that belongs to the reference.
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
    // The rows are moved out and back, because changing each row in place would copy all rows before it.
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

  /// Appends the values of a row.
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

  /// The number of the row that a cell refers to; nil if that row is deleted.
  private func reference(_ cell: UInt64, _ slot: PlanReference<SlotPlan>) -> Int64? {
    let target = UInt32(truncatingIfNeeded: cell - 1)
    let table = slot.pointee.destinationTable
    return state.row(table, target).isDeleted ? nil : binding.id(table, target)
  }

  // MARK: Lists

  /// New positions of rows in ordered relationships, by the index of the position word in the row.
  private(set) var positions: [RowPlace: [Int: Int64]] = [:]

  private mutating func collectLists() {
    for (table, rows) in rows.map({ ($0.table, $0.inserted) }) {
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
    for (owner, change) in listChanges {
      if case .links(let old, let new) = change.values { collectList(owner, change.slot, old: old, new) }
    }
  }

  private mutating func collectList(_ owner: RowPlace, _ number: Int, old: [UInt32], _ new: [UInt32]) {
    let entity = state.row(owner.table, owner.row).entity
    let slot = state.layouts[entity].slots[number]
    let isEdited = state.pointee.loads.edited.contains(ListPlace(owner: owner, cell: slot.cell))
    switch map.schema.places[entity][number] {
    case .column: return
    case .members(let table, let column, let position):
      // The positions may belong to the ordered list of a sibling of the members.
      guard slot.isOrdered else { return }
      let members = ListMembers.referring(table: table, column: column, entity: slot.destination)
      changedLists.append(.init(owner: owner, slot: number, members: members, isEdited: false))
      guard let position, let index = map.positionIndex(table, column: position) else { return }
      order(new, table, index, column: position)
    case .links(let link, let isOwner):
      if slot.isOrdered || isEdited {
        let members = ListMembers.linked(link, isOwner: isOwner)
        changedLists.append(.init(owner: owner, slot: number, members: members, isEdited: isEdited))
      }
      if isOwner || map.schema.links[link].isInverseOrdered {
        collectLinks(owner, slot, link, isOwner: isOwner, old: old, new)
      }
    }
  }

  /// Assigns increasing positions to the members of an ordered relationship. Positions that already increase are kept, except in a child,
  /// because its parent stores no positions and counts the members instead.
  private mutating func order(_ members: [UInt32], _ table: Int, _ index: Int, column: Int) {
    var last: Int64 = -1
    let word = state.tables[table].positionWord(index)
    let isChild = binding.parentStore != nil
    // A file may contain any position. Higher positions leave no room for the members that follow.
    let highest = Int64.max - Int64(members.count)
    for (number, member) in members.enumerated() {
      let place = RowPlace(table: table, row: member)
      if isChild { positions[place, default: [:]][index] = Int64(number) }
      let row = state.row(table, member)
      let isStored = row.header.isStored
      let old = Int64(bitPattern: row[word])
      if isStored, old > last, old <= highest, updated[place] == nil || !referenceChanged(place, column) {
        last = old
        continue
      }
      last += 1
      if !isChild { positions[place, default: [:]][index] = last }
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

  /// Lists with gaps, whose positions are all written.
  private(set) var closedLists: [(link: Int, list: StoredList)] = []

  /// Whether the commit deletes rows that lists of links may have contained.
  private func losesRows(_ link: StoreSchema.LinkTable) -> Bool {
    rows.contains { [link.ownerTable, link.memberTable].contains($0.table) && !$0.deleted.isEmpty }
  }

  private mutating func collectLinks(
    _ place: RowPlace, _ slot: SlotPlan, _ link: Int, isOwner: Bool, old: [UInt32], _ new: [UInt32]
  ) {
    let table = map.schema.links[link]
    let isOrdered = isOwner ? table.isOrdered : table.isInverseOrdered
    var places: [UInt32: Int] = [:]
    for (position, member) in old.enumerated() { places[member] = position }
    let index = linkIndex(link)
    let list = binding.list(link, isOwner: isOwner, of: binding.id(place.table, place.row))
    let hasGaps = isOrdered && (binding.gaps.contains(list, in: link) || losesRows(table))
    if hasGaps, list.owner.id > 0 { closedLists.append((link, list)) }
    for (position, member) in new.enumerated() {
      let known = places.removeValue(forKey: member)
      if known != nil, !isOrdered || known == position && !hasGaps { continue }
      // A new link is written from the side of its owner.
      if known == nil, !isOwner { continue }
      let link = stored(place.row, place.table, member, slot, isOwner: isOwner, position, isNew: known == nil)
      if known == nil { changes.links[index].added.append(link) } else { reposition(link, index, table) }
    }
    guard isOwner else { return }
    for member in places.keys.sorted() where !binding.reader.isDeleted(slot.destinationTable, member) {
      changes.links[index].removed.append(stored(place.row, place.table, member, slot, isOwner: true, 0, isNew: false))
    }
  }

  /// Sets the new position of a link. If the link's positions on both sides change, both lists reposition it.
  private mutating func reposition(_ link: StoredLink, _ index: Int, _ table: StoreSchema.LinkTable) {
    if table.isOrdered, table.isInverseOrdered {
      let pair = StoredPair(link: changes.links[index].table, owner: link.owner, member: link.member)
      if let known = repositionedLinks[pair] {
        changes.links[index].repositioned[known].keepPositions(of: link)
        return
      }
      repositionedLinks[pair] = changes.links[index].repositioned.count
    }
    changes.links[index].repositioned.append(link)
  }

  private mutating func linkIndex(_ link: Int) -> Int {
    if let known = linkIndexes[link] { return known }
    linkIndexes[link] = changes.links.count
    changes.links.append(.init(table: link))
    return changes.links.count - 1
  }

  /// A link as the store represents it, with the positions on both sides. An existing link keeps its position on the other side.
  private mutating func stored(
    _ number: UInt32, _ table: Int, _ member: UInt32, _ slot: SlotPlan, isOwner: Bool, _ position: Int, isNew: Bool
  ) -> StoredLink {
    let (mine, other) = (binding.id(table, number), binding.id(slot.destinationTable, member))
    var back: Int64 = 0
    if slot.inverse >= 0, slot.inverseSlot.isToMany {
      let row = state.row(slot.destinationTable, member)
      let inverse = state.layouts[slot.destination].slots[slot.inverse]
      if inverse.isOrdered, isNew {
        state.loadList(row, inverse)
        back = Int64(self.position(of: number, in: RowPlace(table: slot.destinationTable, row: member), inverse))
      } else if inverse.isOrdered {
        back = StoredLink.keptPosition
      }
    }
    return isOwner
      ? StoredLink(owner: mine, member: other, position: Int64(position), inversePosition: back)
      : StoredLink(owner: other, member: mine, position: back, inversePosition: Int64(position))
  }

  /// The position of a member in an ordered list; 0 if it is not in the list. Expected O(1) when called for many members.
  private mutating func position(of member: UInt32, in owner: RowPlace, _ slot: SlotPlan) -> Int {
    let row = state.row(owner.table, owner.row)
    guard row[slot] != 0 else { return 0 }
    let vector = RowVector(row[slot])
    if state.pointee.vectors.count(vector.cell) == vector.used {
      return state.pointee.vectors.place(of: member, in: vector) ?? 0
    }
    // If a list has holes, the places of its members are not their positions.
    let list = ListPlace(owner: owner, cell: slot.cell)
    if let known = listPositions[list] { return known[member] ?? 0 }
    let positions = Dictionary(row.links(slot).enumerated().map { ($1, $0) }) { first, _ in first }
    listPositions[list] = positions
    return positions[member] ?? 0
  }

  /// The lists of links that were changed directly.
  var edited: Set<StoredList> { Set(changedLists.filter(\.isEdited).map(storedList)) }

  /// The members of the ordered lists that changed.
  var orders: [StoredList: [Int64]] {
    var orders: [StoredList: [Int64]] = [:]
    for list in changedLists {
      let row = state.row(list.owner.table, list.owner.row)
      let slot = state.layouts[row.entity].slots[list.slot]
      guard slot.isOrdered else { continue }
      orders[storedList(list)] = binding.reader.targetsInMemory(row, slot).map { binding.id(slot.destinationTable, $0) }
    }
    return orders
  }

  func storedList(_ list: ChangedList) -> StoredList {
    StoredList(
      owner: StoredPlace(table: list.owner.table, id: binding.id(list.owner.table, list.owner.row)),
      members: list.members)
  }

  // MARK: Dependencies of the changes

  /// Watches the lists that were edited in this context, the tables whose rows determine whether a changed list is valid, and additions by
  /// other contexts to an object that was deleted or to a list that was imported as a whole.
  private mutating func collectWatch() {
    changes.watch.tables.formUnion(state.pointee.loads.replacedTables)
    for place in history.places where binding.reader.isDeleted(place.table, place.row) { watchDeleted(place) }
    for (owner, change) in listChanges { watch(owner, change.slot) }
  }

  private mutating func watch(_ owner: RowPlace, _ number: Int) {
    let row = state.row(owner.table, owner.row)
    guard row.header.isStored else { return }
    let slot = state.layouts[row.entity].slots[number]
    let relationship = binding.plan.entities[row.entity].properties[number].relationship
    let isLimited = relationship.map { !$0.isOptional || $0.minCount != nil || $0.maxCount != nil } ?? false
    if case .links = map.schema.places[row.entity][number] {
      let isEdited = state.pointee.loads.edited.contains(ListPlace(owner: owner, cell: slot.cell))
      guard isLimited || slot.isOrdered || isEdited else { return }
      changes.watch.rows[owner.table, default: []].insert(binding.id(owner.table, owner.row))
    } else if isLimited || slot.isOrdered {
      changes.watch.tables.insert(slot.destinationTable)
    }
  }

  /// Watches a deleted object. Objects that other contexts add to it must also be deleted, prevent the deletion, or become invalid.
  private mutating func watchDeleted(_ place: RowPlace) {
    let requirements = map.requirements[place.table]
    changes.watch.tables.formUnion(requirements.tables)
    var watchesLinks = requirements.hasLinks
    for path in map.deletePaths[place.table] {
      guard case .members(let members) = path.way else { continue }
      switch members {
      case .referring(let table, _, _): changes.watch.tables.insert(table)
      case .linked: watchesLinks = true
      }
    }
    if watchesLinks { changes.watch.rows[place.table, default: []].insert(binding.id(place.table, place.row)) }
  }
}
