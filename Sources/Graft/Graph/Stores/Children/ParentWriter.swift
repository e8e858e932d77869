/// Makes the changes that a child commits in the rows of its parent, as changes by hand are made.
///
///     new rows | deleted rows | values and to-ones | links | order of lists
struct ParentWriter {
  let store: ParentStore
  let changes: StoreChanges
  /// By table, the number of the first inserted row.
  private(set) var firstIDs: [Int: Int64] = [:]
  /// By table, the rows that were inserted, and the rows that were inserted or updated.
  private var inserted: [Int: [UInt32]] = [:]
  private(set) var written: [Int: [UInt32]] = [:]
  /// By table, the rows to put into the identity index again.
  private var unindexed: [Int: [UInt32]] = [:]
  /// By table, the rows that the child knows as they are, and whose references disappear because they lead to deleted rows.
  private(set) var referrers: [Int: [UInt32]] = [:]
  /// The ordered lists whose members have new positions.
  private(set) var reordered: Set<MemberList> = []

  /// An ordered to-many that follows from to-ones of its members.
  struct MemberList: Hashable {
    var owner: UInt32
    var table: Int
    /// The number of the members' position column among those of their table.
    var position: Int
    /// The entity of a member, and its to-one.
    var entity: Int
    var slot: Int
  }

  var map: StoreMap { store.map }
  var state: Reference<GraphState> { store.state }
  var editor: GraphEditor { GraphEditor(state) }
  var reader: RowReader { RowReader(state) }

  init(_ store: ParentStore, _ changes: StoreChanges) {
    self.store = store
    self.changes = changes
  }

  mutating func noteReordered(_ lists: [MemberList]) { reordered.formUnion(lists) }

  /// Makes the changes. They have no conflicts.
  mutating func write() throws(StoreError) {
    for change in changes.tables { insert(change) }
    findReferrers()
    for change in changes.tables { try findLinked(change) }
    for change in changes.tables { orderMembers(change) }
    for change in changes.tables { delete(change) }
    for (table, rows) in referrers { referrers[table] = rows.filter { !reader.isDeleted(table, $0) } }
    for change in changes.tables { unindex(change) }
    for change in changes.tables { set(change) }
    for (table, rows) in inserted.merging(unindexed, uniquingKeysWith: +) {
      for row in rows {
        store.parent.binding?.hideDouble(of: RowPlace(table: table, row: row))
        editor.index(table, row)
      }
    }
    for change in changes.links { write(change) }
    for change in changes.tables { notePositions(change) }
    reorderMembers()
    state.pointee.orphans.truncate(to: 0)
  }

  /// The row with a number of the child: negative for one that was inserted.
  func row(_ table: Int, _ id: Int64) -> UInt32? {
    guard id < 0 else { return store.numbers.row(table, id) }
    return inserted[table].flatMap { rows in Int(-id) <= rows.count ? rows[Int(-id) - 1] : nil }
  }

  func row(_ rows: StoredRows, _ index: Int) -> UInt32? { row(rows.table, rows.headers[index].id) }

  // MARK: Rows

  private mutating func insert(_ change: StoreChanges.TableChanges) {
    let table = change.inserted.table
    firstIDs[table] = store.numbers.next(table)
    inserted[table] = change.inserted.headers.map { header in
      let row = editor.insert(map.entities[table][header.entity], isPlaceholder: header.isPlaceholder)
      editor.setFlag(RowHeader.bareDiscriminator, header.isBare, table, row)
      return row
    }
    written[table] = (inserted[table] ?? []) + change.updated.headers.compactMap { row(table, $0.id) }
  }

  private func delete(_ change: StoreChanges.TableChanges) {
    let table = change.inserted.table
    let rows = change.deleted.compactMap { row(table, $0.id) }
    editor.remove(rows.map { RowPlace(table: table, row: $0) })
  }

  /// Notes which rows that the child knows lead to some through an inverse. The child did not link those that it loaded after it had
  /// deleted what they lead to.
  private mutating func findLinked(_ change: StoreChanges.TableChanges) throws(StoreError) {
    let table = change.inserted.table
    let rows = change.deleted.compactMap { row(table, $0.id) }
    if rows.isEmpty { return }
    try store.parent.binding?.loadLists(ofRows: rows, table)
    for number in rows {
      let row = state.row(table, number)
      let layout = state.layouts[row.entity]
      for property in 0..<layout.slotCount where layout.slots[property].kind.isRelationship {
        let slot = layout.slots[property]
        if slot.inverse < 0 || slot.inverseIsToMany { continue }
        referrers[slot.destinationTable, default: []] += store.known(row.links(slot), slot.destinationTable)
      }
    }
  }

  /// Notes which rows that the child knows will lose a reference without an inverse.
  private mutating func findReferrers() {
    let deleted = changes.tables.filter { !$0.deleted.isEmpty }.map { change in
      (change.inserted.table, Set(change.deleted.compactMap { row(change.inserted.table, $0.id) }))
    }
    if deleted.isEmpty { return }
    for entity in store.parent.model.plan.entities {
      let layout = state.layouts[entity.index]
      for property in 0..<layout.slotCount {
        let slot = layout.slots[property]
        guard slot.kind == .toOne, slot.inverse < 0,
          let gone = deleted.first(where: { $0.0 == slot.destinationTable })?.1
        else { continue }
        let rows = (0..<UInt32(state.tables[layout.table].rowCount)).filter { number in
          let row = state.row(layout.table, number)
          return row.entity == entity.index && row.isLoaded && row.toOne(slot).map(gone.contains) ?? false
        }
        referrers[layout.table, default: []] += store.known(rows, layout.table)
      }
    }
  }

  // MARK: Values

  /// Takes rows out of the identity index whose identity or entity changes.
  private mutating func unindex(_ change: StoreChanges.TableChanges) {
    let table = change.updated.table
    for index in change.updated.headers.indices where changesIdentity(change, index) {
      guard let row = row(change.updated, index) else { continue }
      editor.unindex(table, row)
      unindexed[table, default: []].append(row)
    }
  }

  private func changesIdentity(_ change: StoreChanges.TableChanges, _ index: Int) -> Bool {
    let table = change.updated.table
    let columns = change.changedColumns[index]
    return isOtherEntity(change, index)
      || store.schema.tables[table].identities.contains { $0.columns.contains(where: columns.contains) }
  }

  private func isOtherEntity(_ change: StoreChanges.TableChanges, _ index: Int) -> Bool {
    let table = change.updated.table
    guard let row = row(change.updated, index) else { return false }
    return state.row(table, row).entity
      != map.entities[table][change.updated.headers[index].entity]
  }

  private func set(_ change: StoreChanges.TableChanges) {
    let table = change.inserted.table
    for index in change.inserted.headers.indices {
      guard let row = row(change.inserted, index) else { continue }
      for (column, content) in store.schema.tables[table].columns.enumerated() {
        set(change.inserted, index, column, content, row)
      }
    }
    for (index, header) in change.updated.headers.enumerated() {
      guard let row = row(table, header.id) else { continue }
      let entity = map.entities[table][header.entity]
      if isOtherEntity(change, index) { editor.changeEntity(table, row, to: entity) }
      editor.setFlag(RowHeader.placeholder, header.isPlaceholder, table, row)
      editor.setFlag(RowHeader.bareDiscriminator, header.isBare, table, row)
      for column in Set(change.changedColumns[index]).sorted() {
        set(change.updated, index, column, store.schema.tables[table].columns[column], row)
      }
    }
  }

  private func set(
    _ rows: StoredRows, _ index: Int, _ column: Int, _ content: StoreSchema.Column, _ number: UInt32
  ) {
    let row = state.row(rows.table, number)
    let entity = row.entity
    let property = map.slots[entity][column]
    guard property >= 0 else { return }
    let slot = state.layouts[entity].slots + property
    guard slot.pointee.kind == .toOne else {
      return editor.set(rows, index, column, slot, RowPlace(table: rows.table, row: number), row)
    }
    var target: UInt64 = 0
    let table = slot.pointee.destinationTable
    if let id = rows.values.integer(row: index, column: column), let found = self.row(table, id) {
      // The other side of a one-to-one must be known before it is linked. So must be whether the row is hidden.
      state.loadRow(table, found)
      if !reader.isDeleted(table, found) { target = UInt64(found) + 1 }
    }
    // Rows whose identity changes with an owner are indexed with the others.
    var editor = editor
    editor.leavesIndex = true
    editor.setToOne(target, slot, rows.table, number, row)
  }
}
