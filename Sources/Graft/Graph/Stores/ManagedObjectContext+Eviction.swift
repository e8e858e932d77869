/// Letting go of objects that can be loaded again. What is not loaded cannot be observed, so nobody notices but by the memory.
extension ManagedObjectContext {
  /// How many objects of its store a context keeps in memory, besides those that the program holds. 50,000 by default; without a store
  /// it has no effect.
  ///
  ///     context.loadedObjectLimit = 5_000      // a service whose requests rarely need the same objects
  ///
  /// A context keeps what it has loaded, because it is probably needed again. When there are more objects than this, the context lets
  /// go of those that are neither changed nor held as a ``ManagedObject``, before it begins a fetch, an import or a transaction, and
  /// after a commit or merge. They are loaded again when they are needed. That takes time in proportion to the objects in memory, and
  /// happens at most once in as many objects as the limit.
  ///
  /// A context lets go of nothing while it has pending changes, child contexts or observers (``updates()``, ``isObservable``), which
  /// are told what becomes of the objects that the context has shown.
  public var loadedObjectLimit: Int {
    get { binding?.loadedLimit ?? .max }
    set { binding?.loadedLimit = max(0, newValue) }
  }

  /// Lets go of objects if there are too many, and nothing depends on them.
  func letGoIfNeeded() {
    guard let binding, binding.hasLoadedMuch, state.openUnits == 0, !state.hasChanges else { return }
    guard binding.pinned != nil, observers.isEmpty, !hub.isInUse, !hasHeldRows else { return }
    letGo(binding)
  }

  private func letGo(_ binding: StoreBinding) {
    let moves = state.pointee.letGo(fates(binding))
    for table in 0..<state.tableCount { moveRows(table, moves[table]) }
    binding.noteLetGo()
  }

  /// What is held stays, with the objects that its to-ones lead to as faults.
  private func fates(_ binding: StoreBinding) -> [[GraphState.Fate]] {
    var fates = (0..<state.tableCount).map {
      Array(repeating: GraphState.Fate.dropped, count: state.tables[$0].rowCount)
    }
    func keep(_ place: RowPlace) {
      if !state.row(place.table, place.row).isDeleted { fates[place.table][Int(place.row)] = .kept }
    }
    for table in 0..<state.tableCount {
      for row in handles[table].rows { keep(RowPlace(table: table, row: row)) }
    }
    // Their IDs are numbers of this context.
    for place in rowNumbers.numbers.keys { keep(place) }
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
}

/// What a context with a store should do when it next can: move on, or let go of objects.
struct StoreUpkeep {
  /// Whether the last read found that the version costs the store much.
  private(set) var lagsBehind = false
  /// Whether there were too many objects in memory when some were last loaded.
  private var hasLoadedMuch = false
  /// How many objects may be in memory besides those that are held.
  var limit = 50_000
  /// How many were held when the context last let go of others.
  private var held = 0

  var isDue: Bool { lagsBehind || hasLoadedMuch }

  func isExceeded(by count: Int) -> Bool { count > limit && count - limit > 2 * held }

  mutating func note(lagsBehind: Bool) { self.lagsBehind = lagsBehind }

  mutating func note(loaded count: Int) { hasLoadedMuch = isExceeded(by: count) }

  mutating func noteMove() { lagsBehind = false }

  mutating func noteLetGo(held count: Int) { (held, hasLoadedMuch) = (count, false) }
}
