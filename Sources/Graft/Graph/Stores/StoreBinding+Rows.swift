/// Placing rows of the store in memory.
extension StoreBinding {
  /// Places rows that were read from the store. Rows that are in memory stay as they are, unless they are faults.
  ///
  /// - Returns: the rows in memory, in the same order.
  @discardableResult
  func place(_ rows: StoredRows) -> [UInt32] {
    defer { fillNarrowed() }
    return placeWithoutCalls(rows)
  }

  /// The same, without calling the store for what narrowed objects have: it may be in a call, and have a lock.
  func placeWithoutCalls(_ rows: StoredRows) -> [UInt32] {
    if rows.count == 0 { return [] }
    let load = state.beginLoad()
    let table = rows.table
    var numbers: [UInt32] = []
    numbers.reserveCapacity(rows.count)
    var fresh: [(index: Int, number: UInt32)] = []
    for (index, header) in rows.headers.enumerated() {
      let number = self.number(table, header.id)
      numbers.append(number)
      if state.row(table, number).isFault { fresh.append((index, number)) }
    }
    if load.isAmongChanges {
      state.pointee.loads.filled += fresh.map { RowPlace(table: table, row: $0.number) }
    }
    for (index, number) in fresh { fill(number, rows, index, load) }
    state.endLoad(load)
    return numbers
  }

  /// The row with a number in the store: one that is in memory, or a new fault.
  ///
  /// - Parameter entity: an entity that the object is of; the root entity if nil. A fault has the slots that links to it need.
  func number(_ table: Int, _ id: Int64, entity: Int? = nil) -> UInt32 {
    if let known = rowsByID[table][id] {
      if let entity { narrow(known, table, to: entity) }
      return known
    }
    let number = state.tables[table].append()
    let row = state.row(table, number)
    let entity = entity ?? state.tables[table].rootEntity
    row.header = RowHeader(entity: entity, RowHeader.stored | RowHeader.fault)
    if entity != state.tables[table].rootEntity { state.tables[table].hasSubentityRows = true }
    for word in 1...max(1, state.tables[table].presenceWords) {
      row[state.tables[table].unloadedWord(word)] = ~0
    }
    row[state.tables[table].idWord] = UInt64(bitPattern: id)
    setRow(number, for: id, table)
    return number
  }

  /// Gives a fault the values of a row of the store.
  private func fill(_ number: UInt32, _ rows: StoredRows, _ index: Int, _ load: RowLoads.Load) {
    let table = rows.table
    let header = rows.headers[index]
    let entity = map.entities[table][header.entity]
    let row = state.row(table, number)
    if isWidened(RowPlace(table: table, row: number), header) { dropLists(number, table, notOf: entity) }
    row.header = RowHeader(entity: entity, RowHeader.stored)
      .with(RowHeader.placeholder, header.isPlaceholder).with(RowHeader.bareDiscriminator, header.isBare)
      .touched(in: row.epoch, importMarks: row.header.importMarks)
    if entity != state.tables[table].rootEntity { state.tables[table].hasSubentityRows = true }
    row[state.tables[table].versionWord] = UInt64(bitPattern: header.version)
    for (word, bits) in map.listBits[entity].enumerated() {
      row[state.tables[table].storeWords + word] = bits
      // A list that is not loaded counts as given: the store has checked what is required, except of placeholders.
      row[1 + word] = header.isPlaceholder ? 0 : bits
    }
    if load.isAmongChanges, map.hasLists[entity] { markEmptied(row) }
    fill(number, rows, index, load, from: 0)
    guard !GraphIdentity.insertIfFirst(number, table: table, &state.pointee) else { return }
    if isMerging { merging.noteUnindexed(RowPlace(table: table, row: number)) } else { hide(number, table) }
  }

  /// Drops the lists of a fault that its entity in the store does not have: a parent has rolled back what made it one of a sub-entity.
  private func dropLists(_ number: UInt32, _ table: Int, notOf entity: Int) {
    let row = state.row(table, number)
    let (old, new) = (plan.entities[row.entity], plan.entities[entity])
    for (index, property) in old.properties.enumerated()
    where index >= new.properties.count || new.properties[index] !== property {
      let slot = plan.layouts[old.index].slots[index]
      if slot.kind == .toMany, row[slot] != 0 { GraphEditor(state).install(0, table, number, row, slot.cell) }
    }
  }

  /// Lists that lost all members that were in memory while the row was a fault may be empty.
  private func markEmptied(_ row: Row) {
    let layout = state.layouts + row.entity
    for number in 0..<layout.pointee.slotCount where layout.pointee.slots[number].kind == .toMany {
      let slot = layout.pointee.slots + number
      if row[slot] != 0, state.pointee.vectors.count(row[slot]) == 0 { row.setPresence(of: slot, false) }
    }
  }

  /// Gives a row the values that a row of the store has.
  ///
  /// - Parameter first: the slot with which they begin.
  func fill(_ number: UInt32, _ rows: StoredRows, _ index: Int, _ load: RowLoads.Load, from first: Int) {
    let table = rows.table
    let row = state.row(table, number)
    let slots = map.slots[row.entity]
    // What is a placeholder here has nothing but links until changes are merged.
    let isPlaceholder = first > 0 && row.isPlaceholder
    let layout = state.layouts + row.entity
    for (column, slot) in slots.enumerated() where slot >= first {
      let plan = layout.pointee.slots + slot
      guard !rows.values.isNil(row: index, column: column) else {
        if plan.pointee.kind == .toOne, row[plan] != 0 { row.setPresence(of: plan, true) }
        continue
      }
      let word = rows.values.word(row: index, column: column)
      if plan.pointee.kind == .toOne {
        // The other side of a link to itself may be one of the slots that stay as they are.
        if first > 0, isOneToOne(plan.pointee), rowsByID[table][Int64(bitPattern: word)] == number {
          differing.noteOutdated(RowPlace(table: table, row: number))
        } else {
          refer(number, table, row, plan, to: Int64(bitPattern: word), load)
        }
        continue
      }
      if isPlaceholder { continue }
      row[plan] =
        plan.pointee.kind.isText
        ? rows.values.storeText(row: index, column: column, in: &state.pointee.texts) : word
      row.setPresence(of: plan, true)
    }
    for (position, place) in map.positionColumns[table].enumerated()
    where first == 0 || slots[place.reference] >= first {
      row[state.tables[table].positionWord(position)] =
        rows.values.isNil(row: index, column: place.column) ? 0 : rows.values.word(row: index, column: place.column)
    }
  }

  /// Links a row to the one that its to-one leads to in the store.
  func refer(
    _ number: UInt32, _ table: Int, _ row: Row, _ slot: PlanReference<SlotPlan>,
    to id: Int64, _ load: RowLoads.Load
  ) {
    let targetTable = slot.pointee.destinationTable
    let target = self.number(targetTable, id, entity: slot.pointee.destination)
    let targetRow = state.row(targetTable, target)
    let place = RowPlace(table: table, row: number)
    let slotNumber = slot.pointee.cell - 1 - state.tables[table].presenceWords
    if load.isAmongChanges, !narrow(target, targetTable, to: slot.pointee.destination) {
      let target = RowPlace(table: targetTable, row: target)
      state.pointee.loads.withheld.append(RowLoads.Withheld(member: place, slot: slotNumber, target: target))
      return
    }
    // Without an inverse, links to deleted objects stay, and read as nothing.
    if targetRow.isDeleted, slot.pointee.inverse >= 0 {
      let target = RowPlace(table: targetTable, row: target)
      if isHidden(target) {
        noteLink(of: place, slotNumber, to: target)
      } else if load.isAmongChanges {
        state.pointee.loads.withheld.append(RowLoads.Withheld(member: place, slot: slotNumber, target: target))
      }
      // Others moved the link here since the other side of the one in memory was loaded.
      if row[slot] != 0 {
        row.setPresence(of: slot, true)
        differing.noteOutdated(place)
      }
      return
    }
    if slot.pointee.inverse >= 0, !slot.pointee.inverseIsToMany {
      if load.isAmongChanges {
        let target = RowPlace(table: targetTable, row: target)
        state.pointee.loads.oneToOnes.append(RowLoads.OneToOne(member: place, slot: slotNumber, target: target))
      }
      // Each side of a one-to-one has a column. What is in memory counts: it may have changed.
      let isFault = targetRow.isFault || targetRow == row
      let back = targetRow[slot.pointee.inverseCell]
      if row[slot] != 0 || back != UInt64(number) + 1 && (!isFault || back != 0) {
        if row[slot] != 0 { row.setPresence(of: slot, true) }
        if row[slot] != UInt64(target) + 1 { differing.noteOutdated(place) }
        return
      }
      targetRow[slot.pointee.inverseCell] = UInt64(number) + 1
    } else if settled.isAdopted(RowPlace(table: targetTable, row: target)) {
      // If the commit fails, the link leads to another row: it is made when the commit is written.
      return noteLink(of: place, slotNumber, to: RowPlace(table: targetTable, row: target))
    }
    row[slot] = UInt64(target) + 1
    row.setPresence(of: slot, true)
    if slot.pointee.inverse >= 0, slot.pointee.inverseIsToMany {
      link(number, to: target, targetTable, slot.pointee.inverseCell, load, entity: slot.pointee.destination)
    }
  }

  /// Adds a member to a list, without touching anything: the link is in the store. Others may have made it since the list was
  /// loaded empty.
  ///
  /// - Parameters:
  ///   - isReference: whether the link follows from a to-one of the member.
  ///   - entity: the entity that the to-one leads to.
  func link(
    _ member: UInt32, to owner: UInt32, _ table: Int, _ cell: Int, _ load: RowLoads.Load, isReference: Bool = true,
    entity: Int? = nil
  ) {
    let row = state.row(table, owner)
    GraphEditor(state).appendRow(member, table, owner, row, cell)
    if !row.isFault {
      let number = cell - 1 - state.tables[table].presenceWords
      let slot = plan.layouts[row.entity].slots + number
      row.setPresence(of: slot, true)
    }
    let link = RowLoads.Link(
      owner: RowPlace(table: table, row: owner), entity: entity ?? row.entity, cell: cell, member: member,
      isReference: isReference)
    if load.isAmongChanges {
      state.pointee.loads.links.append(link)
    } else if isReference {
      forgetOrder(link)
    }
  }

  // MARK: Lists

  /// The members of lists have all been placed: the lists count as loaded, ordered ones in the order of the store.
  ///
  /// - Parameters:
  ///   - order: of an ordered relationship that follows from to-ones, the word with positions, and the members in the store.
  ///   - members: of a table of links, the members in the store by owner, in order.
  func completeLists(
    _ rows: [UInt32], _ table: Int, _ slot: SlotPlan, sortedBy order: (word: Int, members: Set<UInt32>)?,
    _ load: RowLoads.Load, members: [UInt32: [UInt32]]? = nil
  ) {
    let unloaded = state.tables[table].unloadedWord(slot.word)
    for number in rows {
      let row = state.row(table, number)
      row[unloaded] &= ~slot.mask
      let stored = order.map { sort(number, table, slot, by: $0.word, $0.members) } ?? []
      if state.pointee.vectors.count(row[slot]) == 0 {
        row.setPresence(of: slot, false)
      } else {
        row.setPresence(of: slot, true)
      }
      if load.isAmongChanges {
        state.pointee.loads.lists.append(
          RowLoads.List(
            owner: RowPlace(table: table, row: number), cell: slot.cell, members: members?[number] ?? stored))
      }
    }
    state.endLoad(load)
  }

  /// Puts the members of an ordered list that the store has in the order of their positions. Others stay behind them.
  ///
  /// - Returns: those that the store has, in its order.
  private func sort(
    _ number: UInt32, _ table: Int, _ slot: SlotPlan, by position: Int, _ stored: Set<UInt32>
  ) -> [UInt32] {
    let editor = GraphEditor(state)
    let row = state.row(table, number)
    let members = row.links(slot)
    let target = state.tables[slot.destinationTable]
    let keyed = members.enumerated().map { place, member in
      let row = target.row(member)
      let isStored = stored.contains(member)
      return (
        isStored ? 0 : 1, isStored ? Int64(bitPattern: row[target.positionWord(position)]) : 0,
        isStored ? Int64(bitPattern: row[target.idWord]) : Int64(place), member
      )
    }.sorted { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }
    let sorted = keyed.map(\.3)
    let known = sorted.filter(stored.contains)
    if sorted == members { return known }
    let vector = state.pointee.vectors.make(room: sorted.count, epoch: state.pointee.epoch)
    for (place, member) in sorted.enumerated() { vector.rows[place] = member + 1 }
    vector.used = sorted.count
    editor.install(vector.cell, table, number, row, slot.cell)
    return known
  }
}
