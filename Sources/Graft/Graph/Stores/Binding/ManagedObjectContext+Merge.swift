/// Moving a context to a later version of its store.
extension ManagedObjectContext {
  /// Merges the changes that other contexts and processes wrote to the store since this context's last merge, commit or import. A child
  /// merges the current state of its parent.
  ///
  ///     for await _ in store.commits() { try context.merge() }
  ///
  /// Between two merges, a context shows one state of its store. After a merge, it shows the newest state: objects have their new values,
  /// and deleted objects report ``ManagedObject/isDeleted``. Pending changes are kept and applied to the new state, according to the
  /// ``conflictPolicy``. Observers are notified, with ``ContextChanges/Cause/merge``. Inside a transaction, this method does nothing. An
  /// import merges automatically before it begins, and a commit also merges. Merging takes expected time in proportion to the number of
  /// changes.
  ///
  /// - Returns: whether there were changes to merge.
  /// - Throws: a ``StoreError`` if the store cannot be read, or a ``ConflictError`` if pending changes conflict with changes in the store.
  ///   In that case, the context is unchanged, with one exception. The last read loads the lists of objects that another context also
  ///   inserted; if that read fails, the pending changes have already been applied to the newest state.
  @discardableResult
  public func merge() throws -> Bool {
    guard let binding, state.openUnits == 0 else { return false }
    if isReentrant("merge changes of the store", isForHooks: false) { return false }
    try binding.throwFailure()
    guard try mergeNewest(binding) else { return false }
    // The old version is no longer held.
    binding.pinned?.settle(isCommitting: false)
    return true
  }

  private func mergeNewest(_ binding: StoreBinding) throws -> Bool {
    // If nothing has been read yet, the first read shows the newest version anyway.
    guard let pinned = binding.pinned else { return false }
    if !binding.isBehind, try binding.store.isNewest(pinned) { return false }
    if state.hasChanges { _ = try binding.snapshot() }
    let next = try binding.newest()
    if !binding.isBehind, next.sequence == pinned.sequence { return false }
    if state.hasChanges {
      try rebase(binding, to: next)
    } else if let news = try follow(binding, to: next) {
      tell(news)
    }
    closeGapsIfUnchanged()
    return true
  }

  /// Begins a call that finds objects. Throws an earlier read failure. Merges other contexts' changes if the context does so
  /// automatically, or if it shows a version that is expensive for the store. Evicts objects if there are too many.
  @inline(__always)
  func takeOverChanges() throws(StoreError) { if mergesChanges || binding?.isDue == true { try moveOnIfPossible() } }

  @inline(never)
  private func moveOnIfPossible() throws(StoreError) {
    try throwReadFailure()
    guard let binding, !isBusy else { return }
    if mergesChanges || binding.upkeep.lagsBehind {
      mergeIfPossible()
      try throwReadFailure()
    }
    evictIfNeeded()
  }

  /// Merges other contexts' changes, unless pending changes conflict with them. The next merge or commit reports the conflict.
  @inline(never)
  func mergeIfPossible() {
    guard let binding, !isBusy, binding.failure == nil else { return }
    do { try merge() } catch { if let failure = error as? StoreError { binding.keep(failure) } }
  }

  /// Called after a commit has been written. From then on, the context shows the state after the commit, including earlier commits by other
  /// contexts.
  ///
  /// - Returns: other contexts' changes to the data that this context showed.
  func moveOn() -> News? {
    guard let binding else { return nil }
    if binding.isBehind {
      // If the store cannot be read, nothing is read until the next merge.
      if let news = try? follow(binding, to: try binding.newest()) { return news }
    }
    return binding.takeNews()
  }

  /// Moves a context without changes to another version.
  private func follow(_ binding: StoreBinding, to next: any StoreSnapshot) throws(StoreError) -> News? {
    if binding.isOnlyBehindItself(next) {
      binding.pin(next)
      return nil
    }
    let move = try VersionMove(binding, to: next, tellsInserted: !observers.isEmpty)
    return takeOver(move, binding, own: [:])
  }

  // MARK: With pending changes

  /// Applies the pending changes on top of another version.
  private func rebase(_ binding: StoreBinding, to next: any StoreSnapshot) throws {
    let own = try PendingOwnChanges(binding)
    let plan = try rebased(own, binding, on: next)
    // All data is read before any change is undone.
    try binding.load(plan.changes)
    // Objects that are loaded after the move has been read would remain at the old version.
    let before = pictures(of: own.places)
    let move = try VersionMove(binding, to: next, tellsInserted: !observers.isEmpty)
    let missing = try binding.missingRows(plan.changes, in: next)
    let pending = hub.allSpots(in: state)
    hub.results?.collect(keeping: 0, isUndone: true)
    keepHandles(ofWidened: state.pointee.rewind())
    // Observers of the context have not been notified of pending changes. They are notified of other contexts' changes, even if
    // changes are pending.
    var news = takeOver(move, binding, own: [:], extra: missing)
    var applier = ChangeApplier(state, binding.map) { binding.row(of: $0) }
    applier.apply(plan.changes)
    var rows: [RowPlace: RowPlace] = [:]
    for (place, number) in own.inserted {
      let new = plan.became[place].flatMap { binding.row(of: $0) } ?? applier.inserted[place]
      rows[number] = new.map { RowPlace(table: place.table, row: $0) }
    }
    for (place, new) in plan.again {
      if let old = own.rows[place], let row = applier.inserted[new] { rows[old] = RowPlace(table: new.table, row: row) }
    }
    moveHandles(rows)
    forgetRows(own.inserted.values.filter { rows[$0] == nil })
    addSpots(before, moved: rows, to: &news)
    // The other sides of pending changes may also change: if an object is deleted here, new links to it from other contexts are removed.
    news.spots += hub.allSpots(in: state).symmetricDifference(pending)
    tell(news)
    try binding.throwFailure()
  }

  /// The changes to make on top of another version.
  ///
  /// - Throws: a ``ConflictError`` with all conflicts that the policy does not resolve.
  func rebased(
    _ own: PendingOwnChanges, _ binding: StoreBinding, on next: any StoreSnapshot
  ) throws -> Rebase.Result {
    var reader = try RebaseReader(own.changes, binding.map, conflictPolicy, base: try binding.snapshot(), next: next)
    let facts = try reader.read()
    do throws(RebaseConflicts) {
      return try Rebase.run(reader.own, facts, binding.map, conflictPolicy)
    } catch {
      throw ConflictError(error.renamed(reader.former), own, self)
    }
  }

  // MARK: Notifying observers

  /// The changes to the data that the context showed, caused by a move to another version.
  struct News {
    var placed: PlacedChanges?
    var spots: [ObservationHub.Spot] = []
    /// The tables that other contexts changed, and the tables from which they deleted objects.
    var tables: Set<Int> = []
    var removals: Set<Int> = []
  }

  /// Moves to another version.
  ///
  /// - Parameters:
  ///   - own: the objects whose changes in this context have been reported, as they were shown. Their final state is reported later.
  ///   - known: new rows of the store whose objects have been reported.
  ///   - extra: further rows of the new version to fill.
  func takeOver(
    _ move: VersionMove, _ binding: StoreBinding, own: [RowPlace: RowPicture], known: Set<StoredPlace> = [],
    extra: [StoredRows] = []
  ) -> News {
    let (arrived, widened) = move.takeOver(placing: extra, besides: known)
    keepHandles(ofWidened: widened)
    var news = News()
    let difference = move.difference
    news.tables = difference.tables
    news.removals =
      difference.log.isIncomplete ? difference.tables : Set(difference.log.deleted.filter { !$0.value.isEmpty }.keys)
    news.spots = hub.spots(in: state)
    if !observers.isEmpty {
      news.placed = ChangeReader(self).changes(.merge, arrived: arrived, told: Set(own.keys))
    }
    hub.results?.collect(keeping: 0, isUndone: false)
    hub.results?.note(move.difference.log)
    state.pointee.accept()
    trimHandles()
    return news
  }

  func pictures(of places: [RowPlace]) -> [RowPlace: RowPicture] {
    if observers.isEmpty, !hub.isInUse { return [:] }
    return Dictionary(places.map { ($0, RowPicture(self, $0)) }) { first, _ in first }
  }

  /// Adds the final state of objects whose changes in this context were reported with a commit.
  ///
  /// - Parameter united: the new objects that turned out to be objects already known to observers under different IDs.
  func add(
    _ before: [RowPlace: RowPicture], moved: [RowPlace: RowPlace], united: Set<RowPlace>, to news: inout News
  ) {
    addSpots(before, moved: moved, to: &news)
    guard news.placed != nil else { return }
    var objects: [ChangedObject] = []
    let reader = ChangeReader(self)
    // A new object may have been united with an object whose deletion in this context was discarded.
    let heirs = Set(moved.values)
    for (place, old) in before.sorted(by: { $0.key < $1.key }) where !old.header.isDeleted || !heirs.contains(place) {
      let now = moved[place] ?? place
      if united.contains(place) {
        // The update of the object that it was united with contains its values.
        news.placed?.changes.deleted.append(old.id)
        news.placed?.deleted.append(place)
        continue
      }
      let new = RowPicture(self, now, after: old)
      if new.header.isDeleted {
        if !old.header.isDeleted {
          news.placed?.changes.deleted.append(old.id)
          news.placed?.deleted.append(now)
        }
      } else if old.header.isDeleted {
        news.placed?.changes.inserted.append(new.id)
        objects.append(reader.inserted(now))
      } else {
        var object = ChangedObject(new.id, previousID: old.id, header: new.header, former: old.header)
        let update = new.update(since: old, model.plan, moved: moved, united: united) {
          reader.note($1, $0, of: now, members: old.members($0).map { moved[$0] ?? $0 }, in: &object)
        }
        guard let update else { continue }
        news.placed?.changes.updated.append(update)
        news.placed?.updated.append(now)
        objects.append(object)
      }
    }
    news.placed?.changes.replace(objects, model)
  }

  /// Adds the spots where objects that were changed in this context show different contents.
  private func addSpots(_ before: [RowPlace: RowPicture], moved: [RowPlace: RowPlace], to news: inout News) {
    guard hub.isInUse else { return }
    for (place, old) in before.sorted(by: { $0.key < $1.key }) {
      let now = moved[place] ?? place
      let new = RowPicture(self, now)
      // If another context has inserted the same new object, the lists of that object are not in memory.
      let (former, header) = (old.header, new.header)
      let isOther = former.isDeleted != header.isDeleted || former.isPlaceholder != header.isPlaceholder
      if isOther || old.id != new.id || now != place {
        // Observers that have read the object know it by its former row.
        for place in Set([place, now]) {
          news.spots.append(.init(table: place.table, row: place.row, slot: ObservationHub.Spot.everything))
        }
      } else {
        news.spots += new.slots(since: old, moved: moved).map { .init(table: now.table, row: now.row, slot: $0) }
      }
    }
  }

  func tell(_ news: News) {
    if let placed = news.placed { observers.send(placed) }
    show(news)
  }

  func show(_ news: News) {
    hub.changePending()
    hub.change(news.spots)
    hub.changeExtents(news.tables, removals: news.removals)
  }

  // MARK: Rows that move

  /// Moves the handles of new objects to their new rows.
  func moveHandles(_ rows: [RowPlace: RowPlace]) {
    let rows = rows.filter { $0.key != $0.value }
    if rows.isEmpty { return }
    for (old, new) in rows {
      guard let handle = handles[old.table][old.row]?.takeUnretainedValue() else { continue }
      handles[old.table][old.row] = nil
      if let other = handles[new.table][new.row]?.takeUnretainedValue() { handle.join(other) }
      handle.move(to: new.row)
      handles[new.table][new.row] = .passUnretained(handle)
    }
    rowNumbers.move(rows)
    observers.move { rows[$0] ?? $0 }
    noteMoves(.moved(rows))
  }

  /// Detaches the handles of removed rows.
  private func forgetRows(_ places: [RowPlace]) {
    for place in places {
      handles[place.table][place.row]?.takeUnretainedValue().detach()
      handles[place.table][place.row] = nil
      observers.end(place)
    }
  }
}
