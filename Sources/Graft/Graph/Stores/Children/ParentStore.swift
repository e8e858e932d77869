/// A context as the store of a child.
///
///     child --> StoreBinding --> ParentStore --> the rows of the parent --> StoreBinding --> its store, if there is one
///
/// Rows are read as the parent has them, with its uncommitted changes. What the child commits are uncommitted changes of the
/// parent. The version of a row grows when a read finds it changed, so the parent's own writes cost nothing.
///
/// It is Sendable only because every store is. It never leaves the isolation of its two contexts:
/// ``ManagedObjectContext/store`` is that of the outermost parent.
final class ParentStore: PersistentStore, @unchecked Sendable {
  let parent: ManagedObjectContext
  let schema: StoreSchema
  let map: StoreMap
  /// 1 for the children of the outermost context, and so on.
  let depth: Int
  var numbers: ParentNumbers
  /// What the child was last told, by table and number.
  private var records: [[Int64: Record]]
  /// The positions of rows in ordered relationships, by table, position column and number.
  var positions: [[[Int64: Int64]]]
  private var sequence: Int64 = 1
  /// The state of the parent after the last look at it.
  private var stamp: Stamp
  /// The lists whose members got their positions in the current call.
  private var ordered: Set<OrderedList> = []
  /// Whether the parent's observers have yet to hear of the child's changes.
  private var isUnannounced = false

  private struct Record {
    var version: Int64
    var digest: Int
  }

  private struct OrderedList: Hashable {
    var owner: RowPlace
    var cell: Int
  }

  /// Differs whenever the parent may have changed.
  private struct Stamp: Equatable {
    var epoch: UInt32
    var calls: UInt

    init(_ context: ManagedObjectContext) {
      epoch = context.state.pointee.epoch
      calls = context.activity.pointee.calls
    }
  }

  init(_ parent: ManagedObjectContext) {
    self.parent = parent
    map = parent.queryMap
    schema = map.schema
    depth = (parent.binding?.parentStore?.depth ?? 0) + 1
    numbers = ParentNumbers(parent, depth: depth)
    records = schema.tables.map { _ in [:] }
    positions = map.positionColumns.map { $0.map { _ in [:] } }
    stamp = Stamp(parent)
  }

  var state: Reference<GraphState> { parent.state }
  private var reader: RowReader { RowReader(state) }

  // MARK: Calls

  /// Refuses what a closure of the parent's own work must not do, and traps if another thread is in the middle of that work.
  private func enter(_ call: String, isForHooks: Bool) throws(StoreError) {
    if let words = parent.refusal(of: call, isForHooks: isForHooks) { throw StoreError(.reentrantCall, words) }
    numbers.follow()
    ordered.removeAll()
  }

  /// Reads rows of the parent. What it loads for that is no change.
  private func reading<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try enter("read objects through a child", isForHooks: true)
    let isUnchanged = Stamp(parent) == stamp
    defer { if isUnchanged { stamp = Stamp(parent) } }
    let result = try body()
    try parent.binding?.throwFailure()
    return result
  }

  /// When an object was inserted, as the parent orders its objects.
  func age(_ table: Int, _ id: Int64) -> UInt64 {
    numbers.follow()
    guard let row = numbers.row(table, id) else { return UInt64(bitPattern: id) }
    return parent.binding?.age(table, row) ?? 1 << 63 | UInt64(row)
  }

  // MARK: What changed

  func latestCommit() throws(StoreError) -> Int64 {
    try enter("read objects through a child", isForHooks: true)
    noteChanges()
    return sequence
  }

  private func noteChanges() {
    guard Stamp(parent) != stamp else { return }
    stamp = Stamp(parent)
    sequence += 1
  }

  /// The parent keeps no list of what changed.
  func changes(since sequence: Int64) -> StoreLog {
    var log = StoreLog(sequence: self.sequence)
    log.isIncomplete = sequence < self.sequence
    return log
  }

  // MARK: Rows

  func rows(in table: Int, ids: [Int64]) throws(StoreError) -> StoredRows {
    try reading { () throws(StoreError) in stored(try find(table, ids), table) }
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

  /// The rows with some numbers that are not deleted. Those that are only in the parent's store are loaded.
  func find(_ table: Int, _ ids: [Int64]) throws(StoreError) -> [UInt32] {
    if let binding = parent.binding {
      let missing = ids.filter { numbers.isStored($0) && binding.rowsByID[table][$0] == nil }
      if !missing.isEmpty { binding.place(try binding.store.rows(in: table, ids: missing)) }
    }
    return try live(ids.compactMap { numbers.row(table, $0) }, table)
  }

  /// Those of some rows that are not deleted, after they have been loaded.
  private func live(_ rows: [UInt32], _ table: Int) throws(StoreError) -> [UInt32] {
    try parent.binding?.load(rows.filter { state.row(table, $0).isFault }, of: table)
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
    guard slots.allSatisfy({ $0.inverse >= 0 && $0.inverseIsToMany }) else {
      return try referrersWithoutList(table, column, ids, target)
    }
    let targets = try find(target, ids)
    return try lists(of: targets, target, .referring(table: table, column: column)).flatMap(\.members)
  }

  /// Looks at all rows of a table: the relationship has no inverse to read.
  private func referrersWithoutList(
    _ table: Int, _ column: Int, _ ids: [Int64], _ target: Int
  ) throws(StoreError) -> [UInt32] {
    let targets = Set(ids.compactMap { numbers.row(target, $0) }.map { UInt64($0) + 1 })
    if let binding = parent.binding {
      let stored = targets.map { binding.id(target, UInt32($0 - 1)) }.filter { $0 > 0 }
      binding.place(try binding.store.rows(in: table, column: column, referringTo: stored.sorted()))
    }
    return (0..<UInt32(state.tables[table].rowCount)).filter { number in
      let row = state.row(table, number)
      let slot = map.slots[row.entity][column]
      guard slot >= 0, row.isLoaded else { return false }
      return targets.contains(row[state.layouts[row.entity].slots[slot]])
    }
  }

  // MARK: Lists

  /// The members of a to-many relationship of some rows, in order, after they have been loaded.
  private func lists(
    of rows: [UInt32], _ table: Int, _ members: StoreMembers
  ) throws(StoreError) -> [(owner: UInt32, slot: SlotPlan, members: [UInt32])] {
    var byEntity: [Int: [UInt32]] = [:]
    for row in rows { byEntity[state.row(table, row).entity, default: []].append(row) }
    var found: [(owner: UInt32, slot: SlotPlan, members: [UInt32])] = []
    for (entity, rows) in byEntity.sorted(by: { $0.key < $1.key }) {
      for (number, place) in schema.places[entity].enumerated() where place.members == members {
        let slot = state.layouts[entity].slots[number]
        try parent.binding?.loadLists(rows, table, slot)
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
      for list in try lists(of: try find(table, ids), table, .linked(link, isOwner: isOwner)) {
        let own = numbers.id(table, list.owner)
        for (position, member) in list.members.enumerated() {
          let other = numbers.id(list.slot.destinationTable, member)
          let back = otherIsOrdered ? self.position(of: list.owner, in: member, list.slot) : 0
          links.append(
            isOwner
              ? StoredLink(owner: own, member: other, position: Int64(position), inversePosition: Int64(back))
              : StoredLink(owner: other, member: own, position: Int64(back), inversePosition: Int64(position)))
        }
      }
      return links
    }
  }

  /// Looks at the lists of all owners: the relationship has no inverse to read.
  private func linksWithoutInverse(_ link: Int, ofMembers ids: [Int64]) throws(StoreError) -> [StoredLink] {
    let layout = schema.links[link]
    let members = Set(ids.compactMap { numbers.row(layout.memberTable, $0) })
    if let binding = parent.binding {
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

  /// Where an owner is in the inverse list of its member.
  private func position(of owner: UInt32, in member: UInt32, _ slot: SlotPlan) -> Int {
    guard slot.inverse >= 0 else { return 0 }
    let table = slot.destinationTable
    state.loadRow(table, member)
    let inverse = state.layouts[slot.destination].slots[slot.inverse]
    return reader.targets(state.row(table, member), inverse).firstIndex(of: owner) ?? 0
  }

  // MARK: Queries

  private func query(_ query: StoreQuery) -> ObjectQuery {
    let root = parent.model.plan.entities[parent.model.plan.tables[query.table].root]
    let kind = query.entities.map { StoreCondition.isKind(StorePath(), $0) }
    let condition = StoreCondition.all([query.condition] + (kind.map { [$0] } ?? []))
    return ObjectQuery(parent, root, condition, isInMemory: numbers.hasCommittedRows) { [unowned self] place in
      numbers.id(place.table, place.row)
    }
  }

  private func select(_ selection: StoreQuery) throws(StoreError) -> [UInt32] {
    try query(selection).rows(orderedBy: selection.order, selection.limit, selection.offset)
  }

  func rows(selectedBy query: StoreQuery) throws(StoreError) -> StoredRows {
    try reading { () throws(StoreError) in stored(try live(try select(query), query.table), query.table) }
  }

  func count(selectedBy query: StoreQuery) throws(StoreError) -> Int {
    try reading { () throws(StoreError) in
      query.limit == nil && query.offset == 0 ? try self.query(query).count() : try select(query).count
    }
  }

  func aggregate(
    _ aggregate: StoreAggregate, over query: StoreQuery
  ) throws(StoreError) -> [StoreAggregate.Group] {
    try reading { () throws(StoreError) in try self.query(query).groups(aggregate) }
  }

  // MARK: Values and versions

  /// What the child is told of rows that are not deleted.
  func stored(_ rows: [UInt32], _ table: Int) -> StoredRows {
    var stored = values(rows, table)
    for index in stored.headers.indices {
      let id = stored.headers[index].id
      let digest = digest(stored, index)
      if let known = records[table][id] {
        if known.digest != digest {
          // The next merge must find it, unless the present one does.
          if known.version >= sequence { sequence += 1 }
          records[table][id] = Record(version: sequence, digest: digest)
        }
      } else {
        records[table][id] = Record(version: sequence, digest: digest)
      }
      stored.headers[index].version = records[table][id]?.version ?? sequence
    }
    return stored
  }

  /// - Parameter inOrder: whether the members of ordered lists have positions in their order; otherwise those that they had.
  private func values(_ rows: [UInt32], _ table: Int, inOrder: Bool = true) -> StoredRows {
    var stored = StoredRows(table: table, columnCount: schema.tables[table].columns.count)
    stored.headers.reserveCapacity(rows.count)
    stored.values.reserve(rows: rows.count)
    // All lists first: loading them may find that an owner is not there, and the rows lead to nothing then.
    for index in map.positionColumns[table].indices where inOrder {
      for number in rows { order(listWith: number, table, index) }
    }
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
      for (index, column) in map.positionColumns[table].enumerated()
      where !stored.values.isNil(row: stored.count - 1, column: column.reference) {
        let position = positions[table][index][numbers.id(table, number)] ?? 0
        stored.values.setInteger(position, row: stored.count - 1, column: column.column)
      }
    }
    return stored
  }

  /// A number that differs when a value of a row does.
  private func digest(_ rows: StoredRows, _ row: Int) -> Int {
    var hasher = Hasher()
    hasher.combine(rows.headers[row].entity)
    hasher.combine(rows.headers[row].isPlaceholder)
    hasher.combine(rows.headers[row].isBare)
    for (column, layout) in schema.tables[rows.table].columns.enumerated() {
      let isNil = rows.values.isNil(row: row, column: column)
      hasher.combine(isNil)
      if isNil { continue }
      if case .attribute(let type) = layout.content, SlotPlan.Kind(type).isText {
        rows.values.hashText(row: row, column: column, into: &hasher)
      } else {
        hasher.combine(rows.values.word(row: row, column: column))
      }
    }
    return hasher.finalize()
  }

  /// Gives the members of the ordered list that contains a row growing positions. Those that grow already keep theirs, so that
  /// inserting at the end, or removing, changes no other row.
  ///
  /// - Parameter index: the number of the position column among those of the table.
  func order(listWith row: UInt32, _ table: Int, _ index: Int) {
    let row = state.row(table, row)
    let entity = row.entity
    let number = map.slots[entity][map.positionColumns[table][index].reference]
    guard number >= 0 else { return }
    let slot = state.layouts[entity].slots[number]
    if let owner = row.toOne(slot) { order(owner, slot, table, index) }
  }

  /// Gives the members of an owner's ordered list growing positions.
  ///
  /// - Parameter slot: the to-one of the members that leads to the owner.
  /// - Returns: whether members that the child knows get other positions than they had.
  @discardableResult
  func order(_ owner: UInt32, _ slot: SlotPlan, _ table: Int, _ index: Int) -> Bool {
    let place = RowPlace(table: slot.destinationTable, row: owner)
    guard slot.inverse >= 0, ordered.insert(OrderedList(owner: place, cell: slot.inverseCell)).inserted else {
      return false
    }
    state.loadRow(place.table, owner)
    let inverse = state.layouts[slot.destination].slots[slot.inverse]
    var last: Int64 = -1
    var hasChanged = false
    for member in reader.targets(state.row(place.table, owner), inverse) {
      let id = numbers.id(table, member)
      let old = positions[table][index][id]
      if let old, old > last {
        last = old
      } else {
        last += 1
        positions[table][index][id] = last
        if old != nil, records[table][id] != nil { hasChanged = true }
      }
    }
    return hasChanged
  }

  // MARK: Writing

  func write(_ changes: StoreChanges) throws(StoreError) -> StoreWriteResult {
    try enter("commit a child", isForHooks: false)
    noteChanges()
    let conflicts = try reading { () throws(StoreError) in try ParentConflicts(self, changes).conflicts(changes) }
    guard conflicts.isEmpty else { return .conflicts(conflicts) }
    var writer = ParentWriter(self, changes)
    try parent.pendingUnit { () throws(StoreError) in
      // Rows may have moved when the transaction began.
      try enter("commit a child", isForHooks: false)
      try writer.write()
      try parent.binding?.throwFailure()
    }
    sequence += 1
    let written = sequence
    ordered.removeAll()
    settle(writer)
    if reorders(writer) { sequence += 1 }
    stamp = Stamp(parent)
    isUnannounced = true
    return .written(sequence: written, firstIDs: writer.firstIDs)
  }

  /// Whether members of lists get other positions than the child has given them, or knows: it is told with the next merge.
  private func reorders(_ writer: ParentWriter) -> Bool {
    var hasChanged = false
    for list in writer.reordered {
      let slot = state.layouts[list.entity].slots[list.slot]
      if order(list.owner, slot, list.table, list.position) { hasChanged = true }
    }
    return hasChanged
  }

  /// The child knows the rows that it wrote, and those whose references disappeared with what it deleted.
  private func settle(_ writer: ParentWriter) {
    for (table, rows) in writer.written {
      let stored = values(rows, table, inOrder: false)
      for (index, header) in stored.headers.enumerated() {
        records[table][header.id] = Record(version: sequence, digest: digest(stored, index))
      }
    }
    for change in writer.changes.tables {
      for header in change.deleted { records[change.inserted.table][header.id] = nil }
    }
    for (table, rows) in writer.referrers {
      let stored = values(rows, table, inOrder: false)
      for (index, header) in stored.headers.enumerated() {
        records[table][header.id]?.digest = digest(stored, index)
      }
    }
  }

  /// The rows among some that the child knows as they are.
  func known(_ rows: [UInt32], _ table: Int) -> [UInt32] {
    let rows = rows.filter { records[table][numbers.id(table, $0)] != nil }
    if rows.isEmpty { return [] }
    let stored = values(rows, table, inOrder: false)
    return rows.indices.filter { records[table][stored.headers[$0].id]?.digest == digest(stored, $0) }.map { rows[$0] }
  }

  /// Notifies the parent's observers of what the child committed, when the child has ended its commit.
  func announce() {
    guard isUnannounced else { return }
    isUnannounced = false
    parent.hub.change(parent.hub.spots(in: parent.state))
  }
}
