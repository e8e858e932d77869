/// What changed, making it permanent, and taking it back (C2).
extension ManagedObjectContext {
  /// Whether anything was inserted, changed or deleted since the last ``commit()`` or import.
  public var hasChanges: Bool { state.pointee.hasChanges }

  /// What was inserted, updated and deleted since the last ``commit()`` or import.
  ///
  /// Expected in proportion to what changed: it is worked out when it is asked for.
  public var changes: ContextChanges { ChangeReader(self).changes(.pending).changes }

  /// Validates all changes and makes them permanent: ``rollBack()`` goes back to here.
  ///
  /// A successful import makes everything permanent by itself: what it did, and also what was changed by hand before it, which it
  /// does not validate unless its payload touches the same objects. So commit before an import.
  ///
  /// - Throws: a ``ValidationError`` with everything that ``validate()`` finds; the changes stay, and can be fixed or rolled
  ///   back.
  public func commit() throws(ValidationError) {
    if isReentrant("commit", isForHooks: false) { return }
    try validate()
    // Inside a unit of work, which commits as a whole, it waits.
    guard state.pointee.openUnits == 0 else { return }
    finishUnit(.commit)
    closeGapsIfUnchanged()
  }

  /// Rolls back everything since the last ``commit()`` or import: values, links, inserts and deletions. Objects whose insert
  /// is taken back say that they are deleted. A whole stream that is open (``ImportStream``) ends: its next call throws.
  public func rollBack() {
    if isReentrant("roll back", isForHooks: false) { return }
    endOpenUnit("rollBack() was called while it was open")
    let changes = observers.isEmpty ? nil : ChangeReader(self).changes(.rollBack).reversed(.rollBack)
    let spots = hub.spots(in: state)
    let isNested = state.pointee.openUnits > 0
    takeRowsBack(reopens: isNested)
    if isNested { followers.rewind() }
    hub.change(spots)
    if let changes, !isNested { observers.send(changes) }
  }

  /// Forgets everything: the context is as it was made. Objects of before say that they are deleted, and ids without identity
  /// find nothing any more. It cannot be taken back.
  ///
  /// - Precondition: no whole stream is open (``ImportStream``).
  public func reset() {
    if isReentrant("reset the context", isForHooks: false) { return }
    precondition(
      state.pointee.openUnits == 0, "reset() inside atomically(_:) or dryRun(_:), or while a whole stream is open")
    var changes = ContextChanges(.reset)
    if !observers.isEmpty {
      for table in 0..<state.pointee.tableCount {
        for row in 0..<UInt32(state.pointee.tables[table].rowCount) where !RowReader(state).isDeleted(table, row) {
          changes.deleted.append(id(table, row))
        }
      }
    }
    noteMoves(.cleared)
    replaceState(by: GraphState(model.plan), RowNumbers()) { _ in nil }
    observers.send(PlacedChanges(changes: changes))
  }

  /// Ends a unit of work and tells those who follow: a commit, or an import that succeeded.
  func finishUnit(_ cause: ContextChanges.Cause) {
    let changes = observers.isEmpty ? nil : ChangeReader(self).changes(cause)
    // What is set by hand was told when it was set.
    let spots = cause == .import ? hub.spots(in: state) : []
    state.pointee.commit()
    trimHandles()
    hub.change(spots)
    if let changes { observers.send(changes) }
  }

  /// Other rows take the place of those there are. Handles go to the rows that a closure says, or are told that theirs is gone.
  func replaceState(by new: GraphState, _ numbers: RowNumbers, moving: (RowPlace) -> UInt32?) {
    var moved: [[UInt32: Unmanaged<ManagedObject>]] = Array(repeating: [:], count: handles.count)
    for table in handles.indices {
      for (row, handle) in handles[table] {
        let handle = handle.takeUnretainedValue()
        guard let place = moving(RowPlace(table: table, row: row)) else {
          handle.detach()
          continue
        }
        let entity = model.plan.entities[RowHeader.entity(new.row(table, place)[0])]
        guard let kept = newest(handle, fitting: entity) else { continue }
        kept.move(to: place)
        moved[table][place] = .passUnretained(kept)
      }
    }
    handles = moved
    observers.move { place in moving(place).map { RowPlace(table: place.table, row: $0) } }
    rowNumbers = numbers
    state.pointee.free()
    state.pointee = new
    hub.changeEverything()
  }

  // MARK: Rows that are gone, or move

  /// Takes the innermost unit of work back. Handles of rows that are no more are told so: in proportion to those rows, however
  /// many handles there are.
  ///
  /// - Parameter reopens: whether the unit goes on from where it began.
  func takeRowsBack(reopens: Bool = false) {
    let state = state
    let counts = (0..<state.pointee.tableCount).map { state.pointee.tables[$0].rowCount }
    let widened = state.pointee.rollBack()
    if reopens { state.pointee.begin() }
    noteMoves(.truncated(to: (0..<state.pointee.tableCount).map { state.pointee.tables[$0].rowCount }))
    keepHandles(ofWidened: widened)
    var spots: [ObservationHub.Spot] = []
    for table in handles.indices {
      let gone = UInt32(min(state.pointee.tables[table].rowCount, counts[table]))..<UInt32(counts[table])
      guard !gone.isEmpty else { continue }
      for row in handles[table].keys(in: gone) {
        let handle = handles[table].removeValue(forKey: row)
        handle?._withUnsafeGuaranteedRef { $0.detach() }
        if hub.isInUse { spots.append(.init(table: table, row: row, slot: ObservationHub.Spot.everything)) }
      }
      rowNumbers.remove(table, gone)
      if !observers.isEmpty {
        for row in gone { observers.end(RowPlace(table: table, row: row)) }
      }
    }
    // Whoever hears of it may let go of handles.
    hub.change(spots)
  }

  /// Gives memory back that only more handles needed.
  private func trimHandles() {
    for table in handles.indices where handles[table].capacity > max(1 << 12, 8 * handles[table].count) {
      handles[table] = Dictionary(uniqueKeysWithValues: handles[table].map { ($0, $1) })
    }
  }

  /// Closes gaps at a commit and before a unit of work: the journal refers to no row.
  func closeGapsIfUnchanged() {
    if state.pointee.openUnits == 0, !state.pointee.hasChanges { closeGaps() }
  }

  /// Closes the gaps of deleted rows where they are many. Handles move along, and so do those who hold row numbers.
  private func closeGaps() {
    var hasMoved = false
    for table in handles.indices {
      guard let moves = state.pointee.closeGaps(table) else { continue }
      hasMoved = true
      var remaining: [UInt32: Unmanaged<ManagedObject>] = [:]
      for (row, handle) in handles[table] {
        let new = moves[Int(row)]
        handle._withUnsafeGuaranteedRef { $0.move(to: new) }
        if new != .max { remaining[new] = handle }
      }
      handles[table] = remaining
      rowNumbers.move(table, moves)
      noteMoves(.closedGaps(table: table, moves))
      observers.move { place in
        let new = place.table == table ? moves[Int(place.row)] : place.row
        return new == .max ? nil : RowPlace(table: place.table, row: new)
      }
    }
    // Whoever hears of it may change anything.
    if hasMoved { hub.changeEverything() }
  }
}

extension Dictionary where Key == UInt32 {
  /// The keys in a range, in whichever way is shorter: by the range, or by the keys.
  fileprivate func keys(in range: Range<UInt32>) -> [UInt32] {
    range.count < count ? range.filter { self[$0] != nil } : keys.filter(range.contains)
  }
}
