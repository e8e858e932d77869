/// Evicts objects that can be loaded again, to limit the memory that a context uses.
extension ManagedObjectContext {
  /// The number of objects that the context keeps in memory in addition to those that the program holds. The default is 50,000. Without a
  /// store, the property has no effect.
  ///
  ///     context.loadedObjectLimit = 5_000      // for a service whose requests rarely need the same objects
  ///
  /// If more objects are in memory, the context evicts objects that the program has not changed and does not hold as a ``ManagedObject``.
  /// Eviction takes place before a fetch, import or transaction, and after a commit or merge. Evicted objects are loaded again when they
  /// are needed. Eviction takes time in proportion to the number of objects in memory, and takes place at most once per `loadedObjectLimit`
  /// loaded objects.
  ///
  /// Nothing is evicted while the context has pending changes, child contexts, live lists and values, or observers (``updates()``,
  /// ``isObservable``).
  public var loadedObjectLimit: Int {
    get { binding?.loadedLimit ?? .max }
    set { binding?.loadedLimit = max(0, newValue) }
  }

  /// Evicts objects if too many are in memory and nothing depends on these objects.
  func evictIfNeeded() {
    guard let binding, binding.exceedsLimit, state.openUnits == 0, !state.hasChanges else { return }
    guard binding.pinned != nil, observers.isEmpty, !hub.isInUse, !hasHeldRows else { return }
    evict(binding)
  }

  private func evict(_ binding: StoreBinding) {
    let moves = state.pointee.evict(fates())
    for table in 0..<state.tableCount { moveRows(table, moves[table]) }
    binding.noteEviction()
  }

  /// Returns the fate of each row, by table: held objects are kept, and the targets of their to-ones become faults.
  private func fates() -> [[GraphState.Fate]] {
    // Finding these rows may load owners, so it must precede counting the rows.
    let numbered = numberedPlaces()
    var fates = (0..<state.tableCount).map {
      Array(repeating: GraphState.Fate.dropped, count: state.tables[$0].rowCount)
    }
    func keep(_ place: RowPlace) {
      if !state.row(place.table, place.row).isDeleted { fates[place.table][Int(place.row)] = .kept }
    }
    for table in 0..<state.tableCount {
      for row in handles[table].rows { keep(RowPlace(table: table, row: row)) }
    }
    for place in numbered { keep(place) }
    for table in 0..<state.tableCount {
      for number in 0..<UInt32(state.tables[table].rowCount) where fates[table][Int(number)] == .kept {
        let row = state.row(table, number)
        let layout = state.layouts[row.entity]
        for index in 0..<layout.slotCount where layout.slots[index].kind == .toOne {
          let slot = layout.slots[index]
          guard let target = row.toOne(slot), fates[slot.destinationTable][Int(target)] == .dropped,
            !state.row(slot.destinationTable, target).isDeleted
          else { continue }
          fates[slot.destinationTable][Int(target)] = .fault
        }
      }
    }
    return fates
  }

  /// The objects that have no identity, and to which this context has assigned a number. They can be found only by that number.
  private func numberedPlaces() -> [RowPlace] {
    rowNumbers.numbers.keys.sorted().filter { place in
      let row = state.row(place.table, place.row)
      return !row.isFault && RowReader(state).identity(row) == nil
    }
  }
}

/// Tracks whether a context with a store should merge or evict objects at the next opportunity.
struct StoreUpkeep {
  /// Whether, at the last read, the version that the context shows was expensive for the store to keep.
  private(set) var lagsBehind = false
  /// Whether too many objects were in memory after the last load.
  private var exceedsLimit = false
  /// The number of objects that may be in memory in addition to those that the program holds.
  var limit = 50_000
  /// The number of objects that remained after the last eviction.
  private var held = 0

  var isDue: Bool { lagsBehind || exceedsLimit }

  func isExceeded(by count: Int) -> Bool { count > limit && count - limit > 2 * held }

  mutating func note(lagsBehind: Bool) { self.lagsBehind = lagsBehind }

  mutating func note(loaded count: Int) { exceedsLimit = isExceeded(by: count) }

  mutating func noteMove() { lagsBehind = false }

  mutating func noteEviction(held count: Int) { (held, exceedsLimit) = (count, false) }
}
