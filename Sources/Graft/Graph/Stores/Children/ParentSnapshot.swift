/// One unchanging state of a context's graph, which its children read.
///
///     parent    rows, with pending changes --copied--> rows, treated as facts
///               data that is not in memory             is read from the same version of the parent's store
///
/// The graph of a parent without a store is copied only when the graph is about to change; until then, the parent itself is read. The
/// commit of the only child that reads the parent needs no copy, because the child moves on to the state after the commit.
final class ParentSnapshot: StoreSnapshot, GraphReader {
  let sequence: Int64
  let schema: StoreSchema
  let map: StoreMap
  private unowned let store: ParentStore
  /// The copy of the graph, with the numbers of its rows; nil while the parent itself is read.
  private var copy: (context: ManagedObjectContext, numbers: ParentNumbers)?
  /// Whether the child's own commit has changed the parent, so the parent must no longer be read.
  private var isOver = false
  /// The positions of members in ordered lists.
  private var positions: [ListPlace: [UInt32: Int]] = [:]

  init(_ store: ParentStore, _ sequence: Int64) {
    self.store = store
    self.sequence = sequence
    schema = store.schema
    map = store.map
    // Work in progress may make or undo changes without a call that announces them.
    if store.parent.binding != nil || store.parent.isBusy || store.parent.state.openUnits > 0 {
      copyGraph()
    } else {
      store.parent.activity.pointee.add(self)
    }
  }

  /// The context that is read.
  var context: ManagedObjectContext {
    if let copy { return copy.context }
    assert(isOver || store.isUnchanged, "the parent changed before its graph was copied")
    return store.parent
  }

  var numbers: ParentNumbers {
    get { copy?.numbers ?? store.numbers }
    _modify {
      if copy == nil { yield &store.numbers } else { yield &copy!.numbers }
    }
  }

  /// Whether changes to the parent no longer affect this snapshot.
  var isFixed: Bool { copy != nil || isOver }

  /// Copies the graph, unless it has been copied.
  func copyGraph() {
    guard copy == nil, !isOver else { return }
    let context = ManagedObjectContext(copying: store.parent)
    copy = (context, store.numbers)
    copy?.numbers.follow(context)
  }

  /// Called when the child is about to change the parent itself.
  func beginCommit() { if copy == nil { isOver = true } }

  /// Called when the child has not changed the parent after all.
  func cancelCommit() {
    guard copy == nil else { return }
    isOver = false
    // Rows may have moved.
    positions = [:]
    store.parent.activity.pointee.add(self)
  }

  var state: Reference<GraphState> { context.state }
  private var reader: RowReader { RowReader(state) }

  /// Reads rows of the copy, and loads them if necessary.
  private func reading<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    let result = try body()
    try context.binding?.throwFailure()
    return result
  }

  // MARK: Rows

  func rows(in table: Int, ids: [Int64]) throws(StoreError) -> StoredRows {
    stored(try find(table, ids), table)
  }

  func rows(in table: Int, identity: Int, values: StoredValues) throws(StoreError) -> StoredRows {
    try reading { () throws(StoreError) in
      let columns = Array(0..<values.columnCount)
      let found = try IdentityFinder(self, table, identity).rows(values, columns).compactMap { $0 }
      return stored(try live(unique(found), table), table)
    }
  }

  func rows(in table: Int, column: Int, referringTo targets: [Int64]) throws(StoreError) -> StoredRows {
    try reading { () throws(StoreError) in
      stored(try live(unique(try referrers(table, column, targets)), table), table)
    }
  }

  /// The rows with the given numbers that are not deleted. Rows that are only in the parent's store are loaded.
  func find(_ table: Int, _ ids: [Int64]) throws(StoreError) -> [UInt32] {
    if let binding = context.binding {
      let stored = ids.compactMap { numbers.isStored($0) ? $0 : numbers.storedNumber(table, $0) }
      let missing = stored.filter { binding.rowsByID[table][$0] == nil }
      if !missing.isEmpty { binding.place(try binding.snapshot().rows(in: table, ids: missing)) }
      numbers.extend(table)
    }
    return try live(ids.compactMap { numbers.row(table, $0) }, table)
  }

  /// Loads the given rows, and returns the rows that are not deleted.
  private func live(_ rows: [UInt32], _ table: Int) throws(StoreError) -> [UInt32] {
    try context.binding?.load(rows.filter { state.row(table, $0).isFault }, of: table)
    return rows.filter { state.row(table, $0).isLoaded }
  }

  private func unique(_ rows: [UInt32]) -> [UInt32] {
    var known: Set<UInt32> = []
    return rows.filter { known.insert($0).inserted }
  }

  private func referrers(_ table: Int, _ column: Int, _ ids: [Int64]) throws(StoreError) -> [UInt32] {
    guard case .reference(let target) = schema.tables[table].columns[column].content else { return [] }
    let slots = map.entities[table].compactMap { entity in
      let slot = map.slots[entity][column]
      return slot >= 0 ? state.layouts[entity].slots[slot] : nil
    }
    guard slots.allSatisfy({ $0.inverse >= 0 && $0.inverseSlot.isToMany }) else {
      return try referrersWithoutList(table, column, ids, target)
    }
    let targets = try find(target, ids)
    return try lists(of: targets, target, .referring(table: table, column: column)).flatMap(\.members)
  }

  /// Examines all rows of a table, because the relationship has no inverse to read.
  private func referrersWithoutList(
    _ table: Int, _ column: Int, _ ids: [Int64], _ target: Int
  ) throws(StoreError) -> [UInt32] {
    // A row that the child shows might not be in the parent's memory.
    let targets = Set(try find(target, ids).map { UInt64($0) + 1 })
    if let binding = context.binding {
      let stored = targets.map { binding.id(target, UInt32($0 - 1)) }.filter { $0 > 0 }
      binding.place(try binding.snapshot().rows(in: table, column: column, referringTo: stored.sorted()))
    }
    return (0..<UInt32(state.tables[table].rowCount)).filter { number in
      let row = state.row(table, number)
      let slot = map.slots[row.entity][column]
      guard slot >= 0, row.isLoaded else { return false }
      return targets.contains(row[state.layouts[row.entity].slots[slot]])
    }
  }

  // MARK: Lists

  /// Loads a to-many relationship of the given rows, and returns its members in order.
  private func lists(
    of rows: [UInt32], _ table: Int, _ members: StoreMembers
  ) throws(StoreError) -> [(owner: UInt32, slot: SlotPlan, members: [UInt32])] {
    var byEntity: [Int: [UInt32]] = [:]
    for row in rows { byEntity[state.row(table, row).entity, default: []].append(row) }
    var found: [(owner: UInt32, slot: SlotPlan, members: [UInt32])] = []
    for (entity, rows) in byEntity.sorted(by: { $0.key < $1.key }) {
      for (number, place) in schema.places[entity].enumerated() where place.members == members {
        let slot = state.layouts[entity].slots[number]
        try context.binding?.loadLists(rows, table, slot)
        for row in rows {
          found.append((row, slot, reader.targetsInMemory(state.row(table, row), slot)))
        }
      }
    }
    return found
  }

  func links(in table: Int, ofOwners owners: [Int64]) throws(StoreError) -> [StoredLink] {
    try links(table, owners, isOwner: true)
  }

  func links(in table: Int, ofMembers members: [Int64]) throws(StoreError) -> [StoredLink] {
    try links(table, members, isOwner: false)
  }

  private func links(_ link: Int, _ ids: [Int64], isOwner: Bool) throws(StoreError) -> [StoredLink] {
    try reading { () throws(StoreError) in
      let layout = schema.links[link]
      if !isOwner, layout.inverse == nil { return try linksWithoutInverse(link, ofMembers: ids) }
      let table = isOwner ? layout.ownerTable : layout.memberTable
      let otherIsOrdered = isOwner ? layout.isInverseOrdered : layout.isOrdered
      var links: [StoredLink] = []
      // If a relationship is its own inverse, each link has a mirror image, and objects are only owners.
      let isList = isOwner || layout.isSymmetric
      for list in try lists(of: try find(table, ids), table, .linked(link, isOwner: isList)) {
        let own = numbers.id(table, list.owner)
        for (position, member) in list.members.enumerated() {
          let other = numbers.id(list.slot.destinationTable, member)
          let place = RowPlace(table: list.slot.destinationTable, row: member)
          let back = otherIsOrdered ? self.position(of: list.owner, in: place, inverseOf: list.slot) : 0
          links.append(
            isOwner
              ? StoredLink(owner: own, member: other, position: Int64(position), inversePosition: Int64(back))
              : StoredLink(owner: other, member: own, position: Int64(back), inversePosition: Int64(position)))
        }
      }
      return links
    }
  }

  /// Examines the lists of all owners, because the relationship has no inverse to read.
  private func linksWithoutInverse(_ link: Int, ofMembers ids: [Int64]) throws(StoreError) -> [StoredLink] {
    let layout = schema.links[link]
    let members = Set(try find(layout.memberTable, ids))
    if let binding = context.binding {
      let stored = members.map { binding.id(layout.memberTable, $0) }.filter { $0 > 0 }
      try binding.loadLists(link, withAnyOf: stored.sorted())
    }
    let slots = Dictionary(
      uniqueKeysWithValues: map.owners(of: link).map { ($0.entity, state.layouts[$0.entity].slots[$0.slot]) })
    var links: [StoredLink] = []
    for number in 0..<UInt32(state.tables[layout.ownerTable].rowCount) {
      let row = state.row(layout.ownerTable, number)
      guard row.isLoaded, let slot = slots[row.entity] else { continue }
      for (position, member) in reader.targetsInMemory(row, slot).enumerated() where members.contains(member) {
        links.append(
          StoredLink(
            owner: numbers.id(layout.ownerTable, number), member: numbers.id(layout.memberTable, member),
            position: Int64(position), inversePosition: 0))
      }
    }
    return links
  }

  // MARK: Queries

  private func query(_ query: StoreQuery) -> ObjectQuery {
    let root = context.model.plan.entities[context.model.plan.tables[query.table].root]
    let kind = query.entities.map { StoreCondition.isKind(StorePath(), $0) }
    let condition = query.condition.renumbered(table: query.table, schema) { [numbers] in
      numbers.parentNumber(of: $1, in: $0)
    }
    return ObjectQuery(context, root, .all([condition] + (kind.map { [$0] } ?? [])))
  }

  private func select(_ selection: StoreQuery) throws(StoreError) -> [UInt32] {
    try query(selection).rows(orderedBy: selection.order, selection.limit, selection.offset)
  }

  func rows(selectedBy query: StoreQuery) throws(StoreError) -> StoredRows {
    stored(try live(try select(query), query.table), query.table)
  }

  func count(selectedBy query: StoreQuery) throws(StoreError) -> Int {
    try reading { () throws(StoreError) in
      query.limit == nil && query.offset == 0 ? try self.query(query).count() : try select(query).count
    }
  }

  func aggregate(
    _ aggregate: StoreAggregate, over query: StoreQuery
  ) throws(StoreError) -> [StoreAggregate.Group] {
    try self.query(query).groups(aggregate)
  }

  /// The age of an object in the order of the parent's objects.
  func age(_ table: Int, _ id: Int64) -> UInt64 {
    guard let row = numbers.row(table, id) else { return UInt64(bitPattern: id) }
    return context.binding?.age(table, row) ?? 1 << 63 | UInt64(row)
  }

  // MARK: Values

  /// The data that a child receives about rows that are not deleted. If a row's contents change, so does its version.
  private func stored(_ rows: [UInt32], _ table: Int) -> StoredRows {
    var stored = StoredRows(table: table, columnCount: schema.tables[table].columns.count)
    stored.headers.reserveCapacity(rows.count)
    stored.values.reserve(rows: rows.count)
    for number in rows {
      let row = state.row(table, number)
      let entity = row.entity
      stored.append(
        StoredRows.Header(
          id: numbers.id(table, number), version: 0, entity: map.positions[entity],
          isPlaceholder: row.isPlaceholder, isBare: row.hasBareDiscriminator))
      stored.values.setLastRow(row, map.slots[entity], state.layouts + entity, state) { cell, slot in
        let target = UInt32(truncatingIfNeeded: cell - 1)
        let table = slot.pointee.destinationTable
        return reader.isDeleted(table, target) ? nil : numbers.id(table, target)
      }
      for column in map.positionColumns[table]
      where !stored.values.isNil(row: stored.count - 1, column: column.reference) {
        let property = map.slots[entity][column.reference]
        let slot = state.layouts[entity].slots[property]
        var position = 0
        if map.orderedSlots[entity].contains(property), let owner = row.toOne(slot) {
          position = self.position(
            of: number, in: RowPlace(table: slot.destinationTable, row: owner), inverseOf: slot)
        }
        stored.values.setInteger(Int64(position), row: stored.count - 1, column: column.column)
      }
      stored.headers[stored.count - 1].version = digest(stored, stored.count - 1)
    }
    return stored
  }

  /// The position of a row in the ordered list of an owner that is the inverse of a relationship. Expected O(1) when called for many
  /// members.
  private func position(of number: UInt32, in owner: RowPlace, inverseOf slot: SlotPlan) -> Int {
    guard slot.inverse >= 0 else { return 0 }
    let list = ListPlace(owner: owner, cell: slot.inverseSlot.words.cell)
    if let known = positions[list] { return known[number] ?? 0 }
    state.loadRow(owner.table, owner.row)
    let inverse = state.layouts[slot.destination].slots[slot.inverse]
    let members = reader.targets(state.row(owner.table, owner.row), inverse)
    let places = Dictionary(members.enumerated().map { ($1, $0) }) { first, _ in first }
    positions[list] = places
    return places[number] ?? 0
  }

  /// A number that changes when a value of the row changes.
  private func digest(_ rows: StoredRows, _ row: Int) -> Int64 {
    var hasher = Hasher()
    hasher.combine(rows.headers[row].entity)
    hasher.combine(rows.headers[row].isPlaceholder)
    hasher.combine(rows.headers[row].isBare)
    for (column, layout) in schema.tables[rows.table].columns.enumerated() {
      let isNil = rows.values.isNil(row: row, column: column)
      hasher.combine(isNil)
      if isNil { continue }
      if layout.isText {
        rows.values.hashText(row: row, column: column, into: &hasher)
      } else {
        hasher.combine(rows.values.word(row: row, column: column))
      }
    }
    return Int64(hasher.finalize())
  }

  // MARK: Changes

  func changes(since base: Int64) throws(StoreError) -> StoreLog {
    var log = StoreLog(sequence: sequence)
    if base == sequence { return log }
    guard let old = store.snapshot(base) else {
      log.isIncomplete = true
      return log
    }
    try GraphComparison(old, self).run(&log)
    return log
  }
}

extension ManagedObjectContext {
  /// Creates a copy of a context. In the copy, pending changes are treated as committed, and data that is not in memory is read from the
  /// same version of its store.
  convenience init(copying other: ManagedObjectContext) {
    let positions = other.binding.map { StoreBinding.positions($0.map.schema) }
    let state = Reference(to: other.state.pointee.copy(other.model.plan, positions: positions))
    let binding = other.binding.map { StoreBinding(copying: $0, state) }
    binding?.inherited = other.pendingChanges.all
    state.pointee.source = binding
    self.init(other.model, state, binding)
  }
}

/// Compares two copies of a context's graph. Finds the rows that differ, and possibly some rows that are the same.
private struct GraphComparison {
  let old: ParentSnapshot
  let new: ParentSnapshot

  init(_ old: ParentSnapshot, _ new: ParentSnapshot) { (self.old, self.new) = (old, new) }

  func run(_ log: inout StoreLog) throws(StoreError) {
    for table in 0..<new.state.tableCount {
      var (written, deleted, renumbered) = (Set<Int64>(), Set<Int64>(), Set<Int64>())
      for number in 0..<UInt32(new.state.tables[table].rowCount) {
        let row = new.state.row(table, number)
        let id = new.numbers.id(table, number)
        if let stored = storedNumber(of: number, id, row, table) { renumbered.insert(stored) }
        if row.isFault { continue }
        let other = old.numbers.row(table, id)
        if row.isDeleted {
          // By now, another row may represent the object.
          if let current = new.numbers.row(table, id), current != number { continue }
          let isPending = isPending(number, table, new)
          guard other.map({ !old.state.row(table, $0).isDeleted }) ?? isPending else { continue }
          // After the deletion was committed, the store might have received the object again.
          if isPending || !new.numbers.isStored(id) { deleted.insert(id) } else { written.insert(id) }
          continue
        }
        // A row that was not in memory has changed if its changes are pending, or if the log of the store lists the row.
        guard let other, case let before = old.state.row(table, other), !before.isFault else {
          // If a row with a number assigned here was deleted and then restored, it has its number in the store.
          if !new.numbers.isStored(id) || isPending(number, table, new) || old.numbers.hasOwnNumber(table, id) {
            written.insert(id)
            noteMembers(row, new, &log)
          }
          continue
        }
        let places = (old: RowPlace(table: table, row: other), new: RowPlace(table: table, row: number))
        if before.isDeleted || !isSame(before, row, table, places, &log) { written.insert(id) }
      }
      for number in 0..<UInt32(old.state.tables[table].rowCount) {
        let row = old.state.row(table, number)
        let id = old.numbers.id(table, number)
        guard new.numbers.row(table, id).map({ new.state.row(table, $0).isFault }) ?? true else { continue }
        let isStored = old.numbers.isStored(id) || new.numbers.storedNumber(table, id) != nil
        if !isStored || new.numbers.hasOwnNumber(table, id) {
          if !row.isDeleted { deleted.insert(id) }
        } else if isPending(number, table, old) {
          // The row's changes are no longer pending, and the row is not in memory.
          written.insert(id)
          noteMembers(row, old, &log)
        }
      }
      // New objects were committed as rows that children know by other numbers. For the children, everything that refers to these rows has
      // therefore changed.
      if !renumbered.isEmpty, let before = old.context.binding?.pinned,
        try !before.rows(in: table, ids: renumbered.sorted()).headers.isEmpty
      {
        log.isIncomplete = true
      }
      if !written.isEmpty { log.written[table, default: []] += written }
      if !deleted.isEmpty { log.deleted[table, default: []] += deleted }
    }
    try addChangesOfStore(&log)
  }

  /// The number in the store of an object that has since been committed, but keeps the number that it got when it was new.
  private func storedNumber(of number: UInt32, _ id: Int64, _ row: Row, _ table: Int) -> Int64? {
    guard !new.numbers.isStored(id), row.isStored, let stored = new.context.binding?.id(table, number),
      !old.numbers.hasOwnNumber(table, stored)
    else { return nil }
    return stored
  }

  private func isPending(_ row: UInt32, _ table: Int, _ snapshot: ParentSnapshot) -> Bool {
    snapshot.context.binding?.inherited[table]?.contains(row) ?? false
  }

  /// Whether a row has the same values and links in both copies. If ordered lists differ, their members are treated as written.
  private func isSame(
    _ before: Row, _ after: Row, _ table: Int, _ places: (old: RowPlace, new: RowPlace), _ log: inout StoreLog
  ) -> Bool {
    // The cells of different entities mean different things.
    guard before.entity == after.entity else {
      noteMembers(before, old, &log)
      noteMembers(after, new, &log)
      return false
    }
    let layout = new.state.layouts[after.entity]
    var isSame = before.header.contents == after.header.contents
    for slot in (0..<layout.slotCount).map({ layout.slots[$0] }) {
      switch slot.kind {
      case .toOne:
        if target(before, slot, old) != target(after, slot, new) { isSame = false }
      case .toMany:
        if hasSameMembers(before, after, table, slot, places) { continue }
        noteMembers(before, slot, old, &log)
        noteMembers(after, slot, new, &log)
        isSame = false
      default:
        if isSame { isSame = hasSameValue(before, after, slot) }
      }
    }
    return isSame
  }

  private func noteMembers(_ row: Row, _ snapshot: ParentSnapshot, _ log: inout StoreLog) {
    let layout = snapshot.state.layouts[row.entity]
    for slot in (0..<layout.slotCount).map({ layout.slots[$0] }) where slot.kind == .toMany {
      noteMembers(row, slot, snapshot, &log)
    }
  }

  /// Notes that the positions of an ordered list's members, which are values of the members, may have changed.
  private func noteMembers(_ row: Row, _ slot: SlotPlan, _ snapshot: ParentSnapshot, _ log: inout StoreLog) {
    guard slot.isOrdered, !slot.inverseSlot.isToMany, slot.inverse >= 0 else { return }
    log.written[slot.destinationTable, default: []] +=
      row.links(slot).map { snapshot.numbers.id(slot.destinationTable, $0) }
  }

  private func hasSameValue(_ before: Row, _ after: Row, _ slot: SlotPlan) -> Bool {
    if before.isSet(slot) != after.isSet(slot) { return false }
    guard before.isSet(slot) else { return true }
    guard slot.kind.isText else { return before[slot] == after[slot] }
    return old.state.pointee.texts.bytes(before[slot]).elementsEqual(new.state.pointee.texts.bytes(after[slot]))
  }

  private func target(_ row: Row, _ slot: SlotPlan, _ snapshot: ParentSnapshot) -> Int64? {
    guard let number = row.toOne(slot), !snapshot.state.row(slot.destinationTable, number).isDeleted else { return nil }
    return snapshot.numbers.id(slot.destinationTable, number)
  }

  /// - Parameter places: the rows in the two copies.
  private func hasSameMembers(
    _ before: Row, _ after: Row, _ table: Int, _ slot: SlotPlan, _ places: (old: RowPlace, new: RowPlace)
  ) -> Bool {
    func members(_ row: Row, _ snapshot: ParentSnapshot) -> [Int64] {
      row.links(slot).filter { !snapshot.state.row(slot.destinationTable, $0).isDeleted }
        .map { snapshot.numbers.id(slot.destinationTable, $0) }
    }
    func isUnknown(_ row: Row, _ snapshot: ParentSnapshot) -> Bool {
      snapshot.state.pointee.source != nil && snapshot.state.isUnknown(slot.words, table, row)
    }
    // A list that is in memory on only one side may have changed.
    if isUnknown(before, old) != isUnknown(after, new) { return false }
    // If a list is not in memory on either side, the added members are known, but the removed members are not.
    if isUnknown(after, new),
      old.state.pointee.loads.thinned.contains(places.old) || new.state.pointee.loads.thinned.contains(places.new)
    {
      return false
    }
    let (left, right) = (members(before, old), members(after, new))
    return slot.isOrdered ? left == right : left == right || Set(left) == Set(right)
  }

  /// Adds the changes that other contexts wrote to the store of the parent.
  private func addChangesOfStore(_ log: inout StoreLog) throws(StoreError) {
    guard let binding = new.context.binding, let before = old.context.binding?.pinned, let after = binding.pinned,
      before.sequence != after.sequence
    else { return }
    let stored = try after.changes(since: before.sequence)
    if stored.isIncomplete { log.isIncomplete = true }
    func ids(_ ids: [Int64], _ table: Int) -> [Int64] { ids.map { new.numbers.id(table, stored: $0) } }
    for (table, rows) in stored.written { log.written[table, default: []] += ids(rows, table) }
    for (table, rows) in stored.deleted { log.deleted[table, default: []] += ids(rows, table) }
  }
}
