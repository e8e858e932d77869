/// What changed, making it permanent, and taking it back (C2).
extension ManagedObjectContext {
  /// Whether anything was inserted, changed or deleted since the last ``commit()`` or import.
  public var hasChanges: Bool { state.pointee.hasChanges }

  /// What was inserted, updated and deleted since the last ``commit()`` or import.
  ///
  /// Expected in proportion to what changed: it is worked out when it is asked for.
  public var changes: ContextChanges { ChangeReader(self).changes(.pending) }

  /// Validates all changes and makes them permanent: ``rollBack()`` goes back to here.
  ///
  /// A successful import makes everything permanent by itself: what it did, and also what was changed by hand before it, which it
  /// does not validate unless its payload touches the same objects. So commit before an import.
  ///
  /// - Throws: a ``ValidationError`` with everything that ``validate()`` finds; the changes stay, and can be mended or taken
  ///   back.
  public func commit() throws(ValidationError) {
    if isReentrant("committing", isForHooks: false) { return }
    try validate()
    // Inside a unit of work, which commits as a whole, it waits.
    guard state.pointee.openUnits == 0 else { return }
    finishUnit(.commit)
    closeGaps()
  }

  /// Takes back everything since the last ``commit()`` or import: values, links, inserts and deletions. Objects whose insert
  /// is taken back say that they are deleted. A whole stream that is open (``ImportStream``) ends: its next call throws.
  public func rollBack() {
    if isReentrant("rolling back", isForHooks: false) { return }
    endOpenUnit("rollBack() was called while it was open")
    let changes = observers.isEmpty ? nil : ChangeReader(self).changes(.rollBack).reversed(.rollBack)
    let spots = hub.spots(in: state)
    let isNested = state.pointee.openUnits > 0
    state.pointee.rollBack()
    // Inside a unit of work it goes back to where that began, and the unit goes on.
    if isNested {
      state.pointee.begin()
      followers.rewind()
    }
    detachMissing()
    hub.change(spots)
    if let changes, !isNested { observers.send(changes) }
  }

  /// Forgets everything: the context is as it was made. Objects of before say that they are deleted, and ids without identity
  /// find nothing any more. It cannot be taken back.
  ///
  /// - Precondition: no whole stream is open (``ImportStream``).
  public func reset() {
    if isReentrant("resetting", isForHooks: false) { return }
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
    replaceState(by: GraphState(model.plan)) { _ in nil }
    observers.send(changes)
  }

  /// Ends a unit of work and tells those who follow: a commit, or an import that succeeded.
  func finishUnit(_ cause: ContextChanges.Cause) {
    let changes = observers.isEmpty ? nil : ChangeReader(self).changes(cause)
    // What is set by hand was told when it was set.
    let spots = cause == .import ? hub.spots(in: state) : []
    state.pointee.commit()
    hub.change(spots)
    if let changes { observers.send(changes) }
  }

  /// Other rows take the place of those there are. Handles go to the rows that a closure says, or are told that theirs is gone.
  func replaceState(by new: GraphState, moving: (RowPlace) -> UInt32?) {
    var moved: [[UInt32: Unmanaged<ManagedObject>]] = Array(repeating: [:], count: handles.count)
    for table in handles.indices {
      for (row, handle) in handles[table] {
        let place = moving(RowPlace(table: table, row: row))
        handle._withUnsafeGuaranteedRef { place.map($0.move(to:)) ?? $0.detach() }
        if let place { moved[table][place] = handle }
      }
    }
    followers.move(moving)
    handles = moved
    rowNumbers = RowNumbers()
    state.pointee.free()
    state.pointee = new
    hub.changeEverything()
  }

  // MARK: Rows that are gone, or move

  /// Handles of rows that are no more are told so.
  func detachMissing() {
    for table in handles.indices {
      let count = UInt32(state.pointee.tables[table].rowCount)
      rowNumbers.truncate(table, to: count)
      for (row, handle) in handles[table] where row >= count {
        handle._withUnsafeGuaranteedRef { $0.detach() }
        handles[table][row] = nil
        if hub.isInUse { hub.change([.init(table: table, row: row, slot: ObservationHub.Spot.everything)]) }
      }
    }
  }

  /// Closes gaps before an import: not after it, when somebody holds row numbers.
  func closeGapsIfUnchanged() {
    if state.pointee.openUnits == 0, !state.pointee.hasChanges { closeGaps() }
  }

  /// Closes the gaps of deleted rows where they are many; handles move along.
  func closeGaps() {
    for table in handles.indices {
      guard let moves = state.pointee.closeGaps(table) else { continue }
      followers.move(table, moves)
      var remaining: [UInt32: Unmanaged<ManagedObject>] = [:]
      for (row, handle) in handles[table] {
        let new = moves[Int(row)]
        handle._withUnsafeGuaranteedRef { $0.move(to: new) }
        if new != .max { remaining[new] = handle }
      }
      handles[table] = remaining
      rowNumbers.move(table, moves)
      hub.changeEverything()
    }
  }
}
