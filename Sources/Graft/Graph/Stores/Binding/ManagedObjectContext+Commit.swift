/// Writing changes to the store.
extension ManagedObjectContext {
  /// The maximum number of times that a commit is rebased on concurrent writes.
  private static let mostAttempts = 100

  /// Writes all changes to the store, if there is one, in a single transaction. If this method throws, the store, the context and its
  /// changes are unchanged.
  ///
  /// After this call, new rows are treated as stored, so the changes to report to observers are read beforehand. The context shows the new
  /// version of the store once the transaction has ended.
  func write(_ cause: ContextChanges.Cause) throws {
    units.noteWritten(nil)
    guard let binding else { return }
    guard state.hasChanges else { return try binding.flush() }
    // Once rows are written, they are no longer treated as new.
    hub.results?.collect()
    var writer = try StoreWriter(binding)
    try binding.throwFailure()
    if writer.changes.isEmpty { return try binding.flush() }
    let changes = observers.isEmpty ? nil : ChangeReader(self).changes(cause)
    let snapshot = try binding.snapshot()
    snapshot.settle(isCommitting: true)
    writer.changes.baseToken = snapshot.token
    switch try binding.store.write(writer.changes, basedOn: snapshot.sequence) {
    case .written(let sequence, let firstIDs):
      units.noteWritten(changes)
      binding.settle(writer, sequence, firstIDs)
    case .moved:
      // Instead, an import is repeated on top of other contexts' changes.
      if units.isRetried { throw StoreMoved() }
      try writeRebased(binding, cause)
    }
  }

  /// Notes the changes to report to observers.
  ///
  /// - Returns: the objects that changed, including objects whose IDs changed because the IDs of their owners changed.
  private func noteWritten(_ cause: ContextChanges.Cause) -> [RowPlace] {
    let placed = observers.isEmpty ? nil : ChangeReader(self).changes(cause)
    units.noteWritten(placed)
    return placed?.updated ?? []
  }

  /// Applies the changes on top of other contexts' changes, validates them and writes them, in a separate context.
  private func writeRebased(_ binding: StoreBinding, _ cause: ContextChanges.Cause) throws {
    let own = try PendingOwnChanges(binding)
    for _ in 0..<ManagedObjectContext.mostAttempts {
      let next = try binding.newest()
      let plan = try rebased(own, binding, on: next)
      let scratch = ManagedObjectContext(binding.store, at: next)
      guard let other = scratch.binding else { return }
      try other.load(plan.changes, withReferences: true)
      var applier = ChangeApplier(scratch.state, other.map) { other.row(of: $0) }
      applier.apply(plan.changes)
      try other.throwFailure()
      try scratch.validate()
      var writer = try StoreWriter(other)
      try other.throwFailure()
      writer.changes.baseToken = next.token
      if !writer.changes.isEmpty {
        guard
          case .written(let sequence, let firstIDs) =
            try binding.store.write(writer.changes, basedOn: next.sequence)
        else { continue }
        other.settle(writer, sequence, firstIDs)
      } else {
        try other.flush(next)
      }
      let ids = own.inserted.keys.reduce(into: [StoredPlace: Int64]()) { ids, place in
        ids[place] = plan.became[place]?.id ?? applier.inserted[place].map { other.id(place.table, $0) }
      }
      let again = plan.again.reduce(into: [StoredPlace: Int64]()) { ids, pair in
        ids[pair.key] = applier.inserted[pair.value].map { other.id(pair.value.table, $0) }
      }
      return adopt(binding, own, ids, again, cause)
    }
    throw StoreError(
      .commitConflict,
      "the commit kept encountering new conflicts, because other contexts or programs are writing the same objects; try again later"
    )
  }

  /// Called after the changes were written to the store on top of other contexts' changes. Makes the context show the current state.
  ///
  /// - Parameters:
  ///   - ids: the numbers of new objects.
  ///   - again: the new numbers of objects that were inserted again.
  private func adopt(
    _ binding: StoreBinding, _ own: PendingOwnChanges, _ ids: [StoredPlace: Int64], _ again: [StoredPlace: Int64],
    _ cause: ContextChanges.Cause
  ) {
    let before = pictures(of: own.places + noteWritten(cause))
    var move: VersionMove?
    var fresh: [StoredRows] = []
    do throws(StoreError) {
      let newest = try binding.newest()
      move = try VersionMove(binding, to: newest, tellsInserted: !observers.isEmpty)
      let all = ids.merging(again) { $1 }
      for (table, places) in Dictionary(grouping: all, by: \.key.table).sorted(by: { $0.key < $1.key }) {
        fresh.append(try newest.rows(in: table, ids: places.map(\.value).sorted()))
      }
    } catch {
      // The context shows the previous version, and reads nothing until the next merge.
      binding.noteOwnCommit(StoreCommit(sequence: 0, token: nil))
    }
    hub.results?.collect(keeping: 0, isUndone: true)
    keepHandles(ofWidened: state.pointee.rewind())
    guard let move else { return }
    let united = united(own, ids, before, binding)
    var rows: [RowPlace: RowPlace] = [:]
    for (place, number) in own.inserted {
      guard let id = ids[place] else { continue }
      if let other = binding.rowsByID[place.table][id] {
        rows[number] = RowPlace(table: place.table, row: other)
      } else {
        binding.makeFault(number, id)
      }
    }
    let known = (Array(ids) + again).map { StoredPlace(table: $0.key.table, id: $0.value) }
    var news = takeOver(move, binding, own: before, known: Set(known), extra: fresh)
    for (place, id) in again {
      guard let old = own.rows[place], let new = binding.rowsByID[place.table][id] else { continue }
      rows[old] = RowPlace(table: place.table, row: new)
    }
    moveHandles(rows)
    binding.noteMoved(rows)
    add(before, moved: rows, united: united, to: &news)
    binding.note(news)
  }

  /// The new objects that turned out to be objects already in memory. Objects whose deletion in this context has been reported are
  /// excluded.
  private func united(
    _ own: PendingOwnChanges, _ ids: [StoredPlace: Int64], _ before: [RowPlace: RowPicture], _ binding: StoreBinding
  ) -> Set<RowPlace> {
    Set(
      own.inserted.compactMap { place, number in
        guard let id = ids[place], let row = binding.rowsByID[place.table][id], state.row(place.table, row).isLoaded,
          before[RowPlace(table: place.table, row: row)]?.header.isDeleted != true
        else { return nil }
        return number
      })
  }
}

/// A commit cannot be written unchanged, because another context wrote data that the commit depends on.
struct StoreMoved: Error {}

extension StoreBinding {
  /// Called after the changes were written to the store. Records the rows' numbers and versions.
  func settle(_ writer: StoreWriter, _ sequence: Int64, _ firstIDs: [Int: Int64]) {
    for rows in writer.rows {
      let table = rows.table
      var id = firstIDs[table] ?? 0
      for row in rows.inserted {
        setID(id, table, row)
        setVersion(sequence, table, row)
        state.row(table, row).isStored = true
        setRow(row, for: id, table)
        id += 1
      }
      for row in rows.updated { setVersion(sequence, table, row) }
      if !rows.deleted.isEmpty { noteDeletions(in: table) }
      for row in rows.deleted { release(RowPlace(table: table, row: row)) }
    }
    for (link, list) in writer.closedLists { gaps.note(list, in: link, hasGaps: false) }
    for (place, words) in writer.positions {
      for (index, position) in words {
        let row = state.row(place.table, place.row)
        let word = state.tables[place.table].positionWord(index)
        if row[word] == UInt64(bitPattern: position) { continue }
        row[word] = UInt64(bitPattern: position)
        // In a child, the position of a row may change even if the row's values do not.
        setVersion(sequence, place.table, place.row)
      }
    }
    noteOwnCommit(StoreCommit(sequence: sequence, token: writer.changes.token))
  }

  /// Loads the rows that the given changes affect, and the lists of the rows that the changes delete.
  ///
  /// - Parameter withReferences: whether to also load the rows that the affected rows refer to.
  func load(_ changes: OwnChanges, withReferences: Bool = false) throws(StoreError) {
    var ids: [Int: Set<Int64>] = [:]
    let places =
      withReferences ? changes.places(map.schema).filter { $0.id > 0 } : changes.deleted.union(changes.updated.keys)
    for place in places { ids[place.table, default: []].insert(place.id) }
    for (table, ids) in ids.sorted(by: { $0.key < $1.key }) { try loadMissing(ids, of: table) }
    for (table, places) in Dictionary(grouping: changes.deleted, by: \.table).sorted(by: { $0.key < $1.key }) {
      try loadLists(ofRows: places.compactMap { rowsByID[table][$0.id] }.sorted(), table)
    }
  }

  /// Reads the rows that the given changes affect, except rows in memory.
  func missingRows(_ changes: OwnChanges, in snapshot: any StoreSnapshot) throws(StoreError) -> [StoredRows] {
    let missing = changes.places(map.schema).filter { place in
      place.id > 0 && (rowsByID[place.table][place.id].map { state.row(place.table, $0).isFault } ?? true)
    }
    var rows: [StoredRows] = []
    for (table, places) in Dictionary(grouping: missing, by: \.table).sorted(by: { $0.key < $1.key }) {
      rows.append(try snapshot.rows(in: table, ids: places.map(\.id).sorted()))
    }
    return rows
  }

  /// Turns the row of a new object into a fault, because the object turned out to be in the store already.
  func makeFault(_ place: RowPlace, _ id: Int64) {
    let row = state.row(place.table, place.row)
    row.header = RowHeader(entity: row.entity, RowHeader.stored | RowHeader.fault)
    state.tables[place.table].markAllUnknown(in: row)
    state.pointee.deletedCounts[place.table] -= 1
    setID(id, place.table, place.row)
    setRow(place.row, for: id, place.table)
  }
}
