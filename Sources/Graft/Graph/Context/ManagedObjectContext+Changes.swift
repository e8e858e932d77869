/// Reading, committing and rolling back changes ([C2](doc:Rules#C2)).
extension ManagedObjectContext {
  /// Whether anything was inserted, changed or deleted since the last ``commit()`` or import.
  ///
  /// A value that was set and then set back is not treated as a change, and neither is an object that was inserted and then deleted. If the
  /// context is ``isObservable``, views that read this property are updated.
  public var hasChanges: Bool {
    hub.noteChangesRead()
    return state.hasChanges && PendingChanges(state).isNet
  }

  /// The objects that were inserted, updated and deleted since the last ``commit()`` or import.
  ///
  /// Computed on each access, in expected time proportional to the number of changes.
  public var changes: ContextChanges {
    hub.noteChangesRead()
    loadReferrers(withAllLists: true)
    return ChangeReader(self).changes(.pending).changes
  }

  /// Validates all changes and commits them. ``rollBack()`` then returns to this state.
  ///
  /// A successful import also commits all changes, including earlier changes made in code. With a store, or in a child, the import also
  /// validates those earlier changes. Otherwise, the import validates them only if its payload touches the same objects, so commit before
  /// an import.
  ///
  /// With a store, the changes are written to it in one transaction. When this method returns, they outlive the process.
  ///
  /// - Throws: a ``ValidationError`` with everything that ``validate()`` finds; with a store, also a ``StoreError``, or a
  ///   ``ConflictError`` if another context or process has changed the same objects. The changes are kept, and can be fixed or rolled back.
  public func commit() throws {
    if isRefused("commit") { return }
    try binding?.throwFailure()
    // Changes are usually merged by a fetch, but a context may commit without ever fetching.
    if binding?.pinned?.lagsBehind == true, state.openUnits == 0 { mergeIfPossible() }
    try validate()
    // A transaction commits as a whole, at its end.
    guard state.openUnits == 0 else { return }
    try write(.commit)
    finishUnit(.commit)
    closeGapsIfUnchanged()
  }

  /// Rolls back all changes since the last ``commit()`` or import: values, links, insertions and deletions.
  ///
  /// Objects whose insertion is rolled back report ``ManagedObject/isDeleted``. A whole stream that is open (``ImportStream``)
  /// ends, and its next call throws.
  public func rollBack() {
    if isReentrant("roll back", isForHooks: false) { return }
    endOpenUnit("rollBack() was called while it was open")
    let changes = observers.isEmpty ? nil : ChangeReader(self).changesOfRollBack()
    let spots = hub.spots(in: state)
    let isNested = state.openUnits > 0
    let gone = takeRowsBack(reopens: isNested)
    if isNested { units.followers.rewind() }
    if let changes, !isNested { observers.send(changes) }
    hub.change(spots + gone)
  }

  /// Removes all objects, which returns the context to its initial state. The store, if there is one, keeps its objects. Changes that are
  /// not committed are rolled back first.
  ///
  /// Objects from before the reset report ``ManagedObject/isDeleted``, and their IDs no longer match any object if they have no identity. A
  /// reset cannot be undone.
  ///
  /// - Precondition: no whole stream is open (``ImportStream``).
  public func reset() {
    if isReentrant("reset the context", isForHooks: false) { return }
    precondition(
      state.openUnits == 0,
      "reset() cannot be called inside atomically(_:) or dryRun(_:), or while a whole stream is open")
    // Pending changes are rolled back first, because contexts that merge the reset know only what was committed.
    if state.hasChanges { rollBack() }
    var changes = ContextChanges(.reset)
    if !observers.isEmpty {
      for table in 0..<state.tableCount {
        for row in 0..<UInt32(state.tables[table].rowCount) where isKnown(table, row) {
          changes.deleted.append(id(table, row))
        }
      }
    }
    noteMoves(.cleared(stored: storedNumbers()))
    replaceState(by: emptyState(), RowNumbers()) { _ in nil }
    binding?.forgetRows()
    observers.send(PlacedChanges(changes: changes))
    hub.changeEverything()
    hub.settleResults()
  }

  /// For each table, the numbers of its rows in the store.
  private func storedNumbers() -> [[UInt32: Int64]] {
    (0..<state.tableCount).map { table in
      var numbers: [UInt32: Int64] = [:]
      guard let binding else { return numbers }
      for row in 0..<UInt32(state.tables[table].rowCount) where state.row(table, row).isStored {
        numbers[row] = binding.id(table, row)
      }
      return numbers
    }
  }

  /// Whether the program may have seen the object of a row, because its values are in memory or the program holds a reference to it.
  private func isKnown(_ table: Int, _ row: UInt32) -> Bool {
    let isFault = state.row(table, row).isFault
    return isFault ? handles[table][row] != nil : !RowReader(state).isDeleted(table, row)
  }

  /// Ends a transaction, which is a commit or a successful import, and notifies the observers.
  func finishUnit(_ cause: ContextChanges.Cause) {
    let written = units.takeWritten()
    let changes = observers.isEmpty ? nil : written ?? ChangeReader(self).changes(cause)
    // Changes made in code were reported when they were made.
    let spots = cause == .import || cause == .merge ? hub.spots(in: state) : []
    hub.results?.collect(keeping: 0, isUndone: false)
    state.pointee.commit()
    let news = moveOn()
    trimHandles()
    // The changes are sent before observers of properties are notified, because such an observer may commit again, and the changes of that
    // commit must be sent after these changes.
    if let changes { observers.send(changes) }
    if let placed = news?.placed { observers.send(placed) }
    hub.changePending()
    hub.change(spots)
    if let news { show(news) }
    binding?.parentStore?.announce()
  }

  /// Replaces all rows. The closure returns the new row of a handle, or nil if its object was removed; the handle is then detached.
  /// Afterward, the caller notifies observers of properties, which may run arbitrary code.
  func replaceState(by new: GraphState, _ numbers: RowNumbers, moving: (RowPlace) -> UInt32?) {
    willChange()
    for table in 0..<state.tableCount {
      var moved = SparseColumn<Handle>()
      for row in handles[table].rows {
        guard let handle = handles[table][row]?.takeUnretainedValue() else { continue }
        guard let place = moving(RowPlace(table: table, row: row)) else {
          handle.detach()
          continue
        }
        let entity = model.plan.entities[new.row(table, place).entity]
        guard let kept = newest(handle, fitting: entity) else { continue }
        kept.move(to: place)
        moved[place] = .passUnretained(kept)
      }
      handles[table].free()
      handles[table] = moved
    }
    observers.move { place in moving(place).map { RowPlace(table: place.table, row: $0) } }
    rowNumbers.replace(by: numbers)
    let source = state.pointee.source
    state.pointee.free()
    state.pointee = new
    state.pointee.source = source
  }

  // MARK: Removed and moved rows

  /// Rolls back the innermost transaction and detaches the handles of rows that no longer exist. Takes time in proportion to
  /// those rows, regardless of the number of handles.
  ///
  /// - Parameter reopens: whether the transaction continues from its beginning.
  /// - Returns: the spots to report to observers of properties. The caller does this afterward, because observers may run arbitrary code.
  func takeRowsBack(reopens: Bool = false) -> [ObservationHub.Spot] {
    let state = state
    let counts = (0..<state.tableCount).map { state.tables[$0].rowCount }
    hub.results?.collect(keeping: state.unitJournalStart, isUndone: true)
    let undone = state.pointee.rollBack()
    if reopens { state.pointee.begin() }
    noteMoves(.truncated(to: (0..<state.tableCount).map { state.tables[$0].rowCount }))
    keepHandles(ofWidened: undone.widened)
    var spots: [ObservationHub.Spot] = []
    for place in undone.dropped {
      observers.end(place)
      if hub.isInUse, handles[place.table][place.row] != nil {
        spots.append(.init(table: place.table, row: place.row, slot: ObservationHub.Spot.everything))
      }
    }
    for table in 0..<state.tableCount {
      let gone = UInt32(min(state.tables[table].rowCount, counts[table]))..<UInt32(counts[table])
      guard !gone.isEmpty else { continue }
      for row in handles[table].rows(in: gone) {
        let handle = handles[table][row]
        handles[table][row] = nil
        handle?._withUnsafeGuaranteedRef { $0.detach() }
        if hub.isInUse { spots.append(.init(table: table, row: row, slot: ObservationHub.Spot.everything)) }
      }
      rowNumbers.remove(table, gone)
      if !observers.isEmpty {
        for row in gone { observers.end(RowPlace(table: table, row: row)) }
      }
    }
    return spots
  }

  /// Frees memory that the handle tables no longer need.
  func trimHandles() {
    for table in 0..<state.tableCount { handles[table].trim() }
  }

  /// Closes gaps if the journal does not refer to any row. Called at a commit, and before a transaction.
  func closeGapsIfUnchanged() {
    if state.openUnits == 0, !state.hasChanges {
      evictIfNeeded()
      closeGaps()
    }
  }

  /// Closes the gaps of deleted rows in tables that have many gaps. Handles and holders of row numbers are updated.
  private func closeGaps() {
    var hasMoved = false
    for table in 0..<state.tableCount where state.pointee.hasGapsToClose(table) {
      willChange()
      guard let moves = state.pointee.closeGaps(table) else { continue }
      hasMoved = true
      moveRows(table, moves)
    }
    // Observers are notified last, because they may run arbitrary code.
    if hasMoved { hub.changeEverything() }
  }

  /// Updates all references to the rows of a table after they have moved.
  ///
  /// - Parameter moves: the new number of each row, `.max` for removed rows.
  func moveRows(_ table: Int, _ moves: [UInt32]) {
    var remaining = SparseColumn<Handle>()
    for row in handles[table].rows {
      guard let handle = handles[table][row] else { continue }
      let new = moves[Int(row)]
      handle._withUnsafeGuaranteedRef { $0.move(to: new) }
      if new != .max { remaining[new] = handle }
    }
    handles[table].free()
    handles[table] = remaining
    rowNumbers.move(table, moves)
    binding?.move(table, moves)
    noteMoves(.closedGaps(table: table, moves))
    observers.move { place in
      let new = place.table == table ? moves[Int(place.row)] : place.row
      return new == .max ? nil : RowPlace(table: place.table, row: new)
    }
  }
}
