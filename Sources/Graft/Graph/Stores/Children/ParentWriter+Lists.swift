/// Links of to-many relationships, and the order of lists.
extension ParentWriter {
  // MARK: Links

  /// Takes over the changes of a table of links.
  func write(_ change: StoreChanges.LinkChanges) {
    let layout = store.schema.links[change.table]
    var byOwner: [UInt32: (removed: [StoredLink], added: [StoredLink])] = [:]
    var order: [UInt32] = []
    func note(_ link: StoredLink, isAdded: Bool) {
      guard let owner = row(layout.ownerTable, link.owner), !reader.isDeleted(layout.ownerTable, owner) else { return }
      if byOwner[owner] == nil { order.append(owner) }
      if isAdded {
        byOwner[owner, default: ([], [])].added.append(link)
      } else {
        byOwner[owner, default: ([], [])].removed.append(link)
      }
    }
    for link in change.removed { note(link, isAdded: false) }
    for link in change.added { note(link, isAdded: true) }
    let inverse = layout.isInverseOrdered ? inverseLists(change) : [:]
    for owner in order {
      guard let links = byOwner[owner], let slot = slot(change.table, layout.ownerTable, owner, isOwner: true) else {
        continue
      }
      write(links.removed, links.added, of: owner, layout, slot)
    }
    for (member, list) in inverse.sorted(by: { $0.key < $1.key }) {
      guard let slot = slot(change.table, layout.memberTable, member, isOwner: false) else { continue }
      reorder(member, layout.memberTable, slot, list)
    }
  }

  /// The relationship of a row that a table of links contains.
  private func slot(_ link: Int, _ table: Int, _ row: UInt32, isOwner: Bool) -> PlanReference<SlotPlan>? {
    let entity = state.row(table, row).entity
    let number = store.schema.places[entity].firstIndex(of: .links(link, isOwner: isOwner))
    return number.map { state.layouts[entity].slots + $0 }
  }

  private func write(
    _ removed: [StoredLink], _ added: [StoredLink], of owner: UInt32, _ layout: StoreSchema.LinkTable,
    _ slot: PlanReference<SlotPlan>
  ) {
    let row = state.row(layout.ownerTable, owner)
    let old = reader.targets(row, slot.pointee)
    for link in removed {
      guard let member = self.row(layout.memberTable, link.member), editor.contains(member, row, slot) else { continue }
      editor.unlink(member, slot, layout.ownerTable, owner, row)
    }
    var positions = Dictionary(old.enumerated().map { ($1, Int64($0)) }, uniquingKeysWith: { first, _ in first })
    for link in added {
      guard let member = self.row(layout.memberTable, link.member), !reader.isDeleted(layout.memberTable, member) else {
        continue
      }
      if !editor.contains(member, row, slot) { editor.link(member, slot, layout.ownerTable, owner, row) }
      positions[member] = link.position
    }
    if slot.pointee.isOrdered { reorder(owner, layout.ownerTable, slot, positions) }
  }

  /// The positions in the ordered inverse lists of the members of changed links: those that the child gives, and for all others
  /// where they are.
  private func inverseLists(_ change: StoreChanges.LinkChanges) -> [UInt32: [UInt32: Int64]] {
    let layout = store.schema.links[change.table]
    var lists: [UInt32: [UInt32: Int64]] = [:]
    for link in change.added {
      guard let owner = row(layout.ownerTable, link.owner), let member = row(layout.memberTable, link.member),
        let slot = slot(change.table, layout.memberTable, member, isOwner: false)
      else { continue }
      if lists[member] == nil {
        let old = reader.targets(state.row(layout.memberTable, member), slot.pointee)
        lists[member] = Dictionary(old.enumerated().map { ($1, Int64($0)) }, uniquingKeysWith: { first, _ in first })
      }
      lists[member]?[owner] = link.inversePosition
    }
    return lists
  }

  /// Sorts an ordered list by positions. Members without one are last.
  private func reorder(_ owner: UInt32, _ table: Int, _ slot: PlanReference<SlotPlan>, _ positions: [UInt32: Int64]) {
    let row = state.row(table, owner)
    let members = reader.targets(row, slot.pointee)
    let sorted = members.enumerated().sorted { left, right in
      (positions[left.element] ?? .max, left.offset) < (positions[right.element] ?? .max, right.offset)
    }.map(\.element)
    if sorted == members { return }
    editor.setToMany(sorted, union: false, slot, table, owner, row)
  }

  // MARK: Ordered lists that follow from to-ones

  /// Gives the members of the lists that get new members positions, before they change.
  func orderMembers(_ change: StoreChanges.TableChanges) {
    for rows in [change.inserted, change.updated] {
      forEachPosition(rows) { _, _, index, owner, slot in
        if let id = owner, id > 0, let row = row(slot.destinationTable, id) {
          store.order(row, slot, rows.table, index)
        }
      }
    }
  }

  /// Takes over the positions of the child.
  mutating func notePositions(_ change: StoreChanges.TableChanges) {
    var lists: [MemberList] = []
    for (rows, isInserted) in [(change.inserted, true), (change.updated, false)] {
      forEachPosition(rows) { given, number, index, owner, slot in
        let column = map.positionColumns[rows.table][index]
        guard isInserted || change.changedColumns[given].contains(column.column), owner != nil,
          let position = rows.values.integer(row: given, column: column.column)
        else { return }
        store.positions[rows.table][index][store.numbers.id(rows.table, number)] = position
        let row = state.row(rows.table, number)
        guard let owner = row.toOne(slot) else { return }
        let entity = row.entity
        lists.append(
          MemberList(
            owner: owner, table: rows.table, position: index, entity: entity,
            slot: map.slots[entity][column.reference]))
      }
    }
    noteReordered(lists)
  }

  /// Calls a closure for each reference of some rows to an owner of an ordered list.
  private func forEachPosition(
    _ rows: StoredRows, _ body: (_ given: Int, _ number: UInt32, _ index: Int, _ owner: Int64?, SlotPlan) -> Void
  ) {
    for (index, column) in map.positionColumns[rows.table].enumerated() {
      for given in rows.headers.indices {
        let entity = map.entities[rows.table][rows.headers[given].entity]
        let slot = map.slots[entity][column.reference]
        guard slot >= 0, let number = row(rows, given) else { continue }
        let owner = rows.values.integer(row: given, column: column.reference)
        body(given, number, index, owner, state.layouts[entity].slots[slot])
      }
    }
  }

  func reorderMembers() {
    for list in reordered {
      let toOne = state.layouts[list.entity].slots[list.slot]
      guard toOne.inverse >= 0 else { continue }
      let slot = state.layouts[toOne.destination].slots + toOne.inverse
      let row = state.row(toOne.destinationTable, list.owner)
      let members = reader.targets(row, slot.pointee)
      let keyed = members.map { member -> (Int64, Int64, UInt32) in
        let id = store.numbers.id(list.table, member)
        return (store.positions[list.table][list.position][id] ?? .max, id, member)
      }
      let sorted = keyed.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
      if sorted == members { continue }
      editor.setToMany(sorted, union: false, slot, toOne.destinationTable, list.owner, row)
    }
  }
}
