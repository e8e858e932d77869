/// The loader, which writes facts: the contents of the store at the version that is shown.
///
/// A row is filled once, from a fault, and a list is completed once. Neither operation changes anything else in memory, because the other
/// sides of the links are either unknown or loaded as well.
extension StoreBinding {
  // MARK: Rows

  func load(_ table: Int, _ row: UInt32) {
    // Faults that were loaded together are adjacent.
    var faults: [UInt32] = []
    let end = min(UInt32(state.tables[table].rowCount), row &+ 4096)
    var next = row
    while next < end, faults.count < 500 {
      if state.row(table, next).isFault { faults.append(next) }
      next += 1
    }
    attempt { () throws(StoreError) in try load(faults, of: table) }
  }

  /// Loads faults.
  func load(_ faults: [UInt32], of table: Int) throws(StoreError) {
    if faults.isEmpty { return }
    place(try snapshot().rows(in: table, ids: faults.map { id(table, $0) }))
    // Only a damaged store refers to a row that it does not contain. Such a row reads as deleted.
    for number in faults where state.row(table, number).isFault {
      state.row(table, number).header = state.row(table, number).header
        .with(RowHeader.fault, false).with(RowHeader.deleted, true)
      state.pointee.countLoaded(table, number)
    }
  }

  /// Loads the given rows, except rows that are in memory and are not faults.
  func loadMissing(_ ids: Set<Int64>, of table: Int) throws(StoreError) {
    let missing = ids.filter { id in rowsByID[table][id].map { state.row(table, $0).isFault } ?? true }
    if !missing.isEmpty { place(try snapshot().rows(in: table, ids: missing.sorted())) }
  }

  /// Loads all objects of an entity and its sub-entities.
  func loadAll(_ entity: Int) throws(StoreError) {
    if knowledge.hasAll(of: entity) { return }
    let layout = plan.layouts[entity]
    try snapshot().readRows(selectedBy: StoreQuery(table: layout.table, entities: positions(of: entity))) {
      _ = place($0)
    }
    knowledge.noteAll(of: plan.entities[entity].concreteAndSubentities)
  }

  /// The positions of an entity and its sub-entities in the list of their table's entities; nil if the table has no other entities.
  func positions(of entity: Int) -> [Int]? {
    let all = plan.entities[entity].concreteAndSubentities
    let table = plan.layouts[entity].table
    return all.count == map.entities[table].count ? nil : all.map { map.positions[$0] }
  }

  /// Places rows that were read from the store. Rows that are in memory stay as they are, unless they are faults.
  ///
  /// - Returns: the rows in memory, in the same order.
  @discardableResult
  func place(_ rows: StoredRows) -> [UInt32] {
    if rows.count == 0 { return [] }
    let load = state.beginLoad()
    let table = rows.table
    var numbers: [UInt32] = []
    numbers.reserveCapacity(rows.count)
    for header in rows.headers { numbers.append(number(table, header.id)) }
    for (index, number) in numbers.enumerated() where state.row(table, number).isFault { fill(number, rows, index) }
    state.endLoad(load)
    noteLoaded()
    return numbers
  }

  /// The row with a number in the store: a row in memory, or a new fault.
  ///
  /// - Parameter entity: an entity of the object; the root entity if nil. A fault has the slots that links to the fault require.
  func number(_ table: Int, _ id: Int64, entity: Int? = nil) -> UInt32 {
    if let known = rowsByID[table][id] {
      let row = state.row(table, known)
      if let entity, row.isFault, row.entity != entity, plan.layouts[entity].isKind(of: plan.layouts[row.entity]) {
        row.header.entity = entity
        state.tables[table].hasSubentityRows = true
      }
      return known
    }
    let number = state.tables[table].append()
    let row = state.row(table, number)
    let entity = entity ?? state.tables[table].rootEntity
    row.header = RowHeader(entity: entity, RowHeader.stored | RowHeader.fault)
    if entity != state.tables[table].rootEntity { state.tables[table].hasSubentityRows = true }
    state.tables[table].markAllUnknown(in: row)
    row[state.tables[table].idWord] = UInt64(bitPattern: id)
    setRow(number, for: id, table)
    return number
  }

  /// Fills a fault with the values of a row of the store.
  private func fill(_ number: UInt32, _ rows: StoredRows, _ index: Int) {
    let table = rows.table
    let header = rows.headers[index]
    let entity = map.entities[table][header.entity]
    let row = state.row(table, number)
    row.header = RowHeader(entity: entity, RowHeader.stored)
      .with(RowHeader.placeholder, header.isPlaceholder).with(RowHeader.bareDiscriminator, header.isBare)
      .touched(in: row.epoch, importMarks: row.header.importMarks)
    if entity != state.tables[table].rootEntity { state.tables[table].hasSubentityRows = true }
    setVersion(header.version, table, number)
    for (word, bits) in map.listBits[entity].enumerated() {
      row[state.tables[table].storeWords + word] = bits
      // A list that is not loaded is treated as present, because the store has checked required values, except in placeholders.
      row[1 + word] = header.isPlaceholder ? 0 : bits
    }
    fillValues(row, rows, index)
    GraphIdentity.insert(number, table: table, &state.pointee)
  }

  private func fillValues(_ row: Row, _ rows: StoredRows, _ index: Int) {
    let layout = state.layouts + row.entity
    for (column, number) in map.slots[row.entity].enumerated()
    where number >= 0 && !rows.values.isNil(row: index, column: column) {
      let slot = layout.pointee.slots + number
      let word = rows.values.word(row: index, column: column)
      if slot.pointee.kind == .toOne {
        let target = self.number(
          slot.pointee.destinationTable, Int64(bitPattern: word), entity: slot.pointee.destination)
        row[slot] = UInt64(target) + 1
      } else if slot.pointee.kind.isText {
        row[slot] = rows.values.storeText(row: index, column: column, in: &state.pointee.texts)
      } else {
        row[slot] = word
      }
      row.setPresence(of: slot, true)
    }
    setPositions(row, rows, index)
  }

  /// Copies a row's positions in ordered relationships from the store.
  func setPositions(_ row: Row, _ rows: StoredRows, _ index: Int) {
    for (position, place) in map.positionColumns[rows.table].enumerated() {
      row[state.tables[rows.table].positionWord(position)] =
        rows.values.isNil(row: index, column: place.column) ? 0 : rows.values.word(row: index, column: place.column)
    }
  }

  // MARK: Lists

  func loadList(_ row: Row, _ slot: SlotPlan) {
    let table = plan.layouts[row.entity].table
    let id = Int64(bitPattern: row[state.tables[table].idWord])
    guard let number = rowsByID[table][id] else { return }
    state.loadRow(table, number)
    attempt { () throws(StoreError) in
      let rows = lookAhead.rows(after: number, table, slot, state)
      lookAhead.note(try loadLists(rows, table, slot), table, slot)
    }
  }

  /// Loads a to-many of several rows that are not faults, and whose entities share the property. Known lists stay as they are.
  ///
  /// - Returns: the number of loaded members.
  @discardableResult
  func loadLists(_ rows: [UInt32], _ table: Int, _ slot: SlotPlan) throws(StoreError) -> Int {
    var known: Set<UInt32> = []
    let rows = rows.filter { number in
      let row = state.row(table, number)
      return row.isLoaded && state.isUnknown(slot.words, table, row) && known.insert(number).inserted
    }
    guard let first = rows.first else { return 0 }
    let entity = state.row(table, first).entity
    let members =
      switch map.schema.places[entity][slot.cell - 1 - state.tables[table].presenceWords] {
      case .column: [UInt32: [UInt32]]()
      case .members(let target, let reference, let position):
        try members(of: rows, table, slot, target, reference, position)
      case .links(let link, let isOwner): try members(of: rows, table, slot, link, isOwner: isOwner)
      }
    // Reading the members may have failed, or may have loaded these lists.
    let load = state.beginLoad()
    for row in rows { complete(row, table, slot, members[row] ?? []) }
    state.endLoad(load)
    return members.values.reduce(0) { $0 + $1.count }
  }

  /// The members of lists that are derived from the members' to-ones, in order.
  private func members(
    of owners: [UInt32], _ table: Int, _ slot: SlotPlan, _ target: Int, _ reference: Int, _ position: Int?
  ) throws(StoreError) -> [UInt32: [UInt32]] {
    let found = try snapshot().rows(in: target, column: reference, referringTo: owners.map { id(table, $0) })
    let word = position.flatMap { map.positionIndex(target, column: $0) }.map { state.tables[target].positionWord($0) }
    var keyed: [UInt32: [(position: Int64, id: Int64, row: UInt32)]] = [:]
    for number in place(found) {
      let row = state.row(target, number)
      let property = map.slots[row.entity][reference]
      // Siblings share a column, but their relationships may have different inverses. By now, the member might also refer to a different
      // object, or might have been deleted.
      guard row.isLoaded, property >= 0, case let back = state.layouts[row.entity].slots[property],
        back.inverseSlot.words.cell == slot.cell, let owner = row.toOne(back)
      else { continue }
      keyed[owner, default: []].append((word.map { Int64(bitPattern: row[$0]) } ?? 0, id(target, number), number))
    }
    return keyed.mapValues { $0.sorted { ($0.position, $0.id) < ($1.position, $1.id) }.map(\.row) }
  }

  /// The members of lists that a table of links holds, in order.
  private func members(
    of rows: [UInt32], _ table: Int, _ slot: SlotPlan, _ link: Int, isOwner: Bool
  ) throws(StoreError) -> [UInt32: [UInt32]] {
    let ids = rows.map { id(table, $0) }
    var links = isOwner ? try snapshot().links(in: link, ofOwners: ids) : try snapshot().links(in: link, ofMembers: ids)
    links.sort { left, right in
      isOwner
        ? (left.owner, left.position, left.member) < (right.owner, right.position, right.member)
        : (left.member, left.inversePosition, left.owner) < (right.member, right.inversePosition, right.owner)
    }
    if slot.isOrdered, parentStore == nil { noteGaps(links, link, isOwner: isOwner) }
    let targetTable = slot.destinationTable
    try loadMissing(Set(links.map { isOwner ? $0.member : $0.owner }), of: targetTable)
    var members: [UInt32: [UInt32]] = [:]
    for link in links {
      guard let owner = rowsByID[table][isOwner ? link.owner : link.member],
        let member = rowsByID[targetTable][isOwner ? link.member : link.owner], isLinked(owner, to: member, slot)
      else { continue }
      members[owner, default: []].append(member)
    }
    return members
  }

  /// Notes the lists whose positions in the store differ from the positions of their members in memory.
  private func noteGaps(_ links: [StoredLink], _ link: Int, isOwner: Bool) {
    var first = links.startIndex
    while first < links.endIndex {
      let id = isOwner ? links[first].owner : links[first].member
      let end = links[first...].firstIndex { (isOwner ? $0.owner : $0.member) != id } ?? links.endIndex
      let hasGaps = (first..<end).contains { place in
        (isOwner ? links[place].position : links[place].inversePosition) != Int64(place - first)
      }
      gaps.note(list(link, isOwner: isOwner, of: id), in: link, hasGaps: hasGaps)
      first = end
    }
  }

  /// Whether a link of the store still exists in this context. If the link was removed, the other side is complete and lacks the link.
  private func isLinked(_ owner: UInt32, to member: UInt32, _ slot: SlotPlan) -> Bool {
    let row = state.row(slot.destinationTable, member)
    // Without an inverse, links to deleted objects stay, and are ignored by reads.
    if slot.inverse < 0 { return true }
    if row.isDeleted { return false }
    return state.isUnknown(slot.inverseSlot.words, slot.destinationTable, row)
      || state.pointee.vectors.contains(row[slot.inverseSlot.words.cell], owner)
  }

  /// Completes an unknown list with the rows of the store, and the rows added in this context.
  func complete(_ number: UInt32, _ table: Int, _ slot: SlotPlan, _ members: [UInt32]) {
    let row = state.row(table, number)
    guard state.isUnknown(slot.words, table, row) else { return }
    var all = members
    if row[slot] != 0 {
      let known = Set(members)
      all += row.links(slot).filter { !known.contains($0) }
      state.pointee.vectors.release(RowVector(row[slot]))
      row[slot] = 0
    }
    if !all.isEmpty {
      let vector = state.pointee.vectors.make(room: all.count, epoch: 0)
      for (place, member) in all.enumerated() { vector.rows[place] = member + 1 }
      vector.used = all.count
      row[slot] = vector.cell
    }
    state.tables[table].markKnown(slot, in: row)
    row.setPresence(of: slot, !all.isEmpty)
  }
}

/// Loads the lists of adjacent rows together, when the lists are read in sequence.
///
///     hero 1: powers?  1 list     hero 2: powers?  8 lists     hero 10: powers?  64 lists ...
struct ListLookAhead {
  private struct Key: Hashable {
    var table: Int
    var cell: Int
  }

  private struct Reading {
    var next: UInt32 = 0
    var size = 1
  }

  /// The state of reading each relationship. States are separate, because the lists of several relationships are often read in turn.
  private var readings: [Key: Reading] = [:]

  /// The rows whose lists are loaded when the list of a row is requested.
  mutating func rows(after row: UInt32, _ table: Int, _ slot: SlotPlan, _ state: Reference<GraphState>) -> [UInt32] {
    let key = Key(table: table, cell: slot.cell)
    var reading = readings[key] ?? Reading(next: .max)
    let isNext = row >= reading.next && row < reading.next &+ 16
    reading.size = isNext ? min(reading.size * 8, 256) : 1
    let entity = state.row(table, row).entity
    var rows: [UInt32] = []
    var next = row
    let end = UInt32(state.tables[table].rowCount)
    while next < end, rows.count < reading.size, next < row &+ 1024 {
      let row = state.row(table, next)
      if row.isLoaded, row.entity == entity, state.isUnknown(slot.words, table, row) { rows.append(next) }
      next += 1
    }
    reading.next = next
    readings[key] = reading
    return rows
  }

  /// Notes the number of loaded members. Large lists are loaded individually.
  mutating func note(_ count: Int, _ table: Int, _ slot: SlotPlan) {
    if count > 5_000 { readings[Key(table: table, cell: slot.cell)]?.size = 1 }
  }
}
