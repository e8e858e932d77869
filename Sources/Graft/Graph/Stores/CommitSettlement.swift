/// What a commit in progress has settled with the store, for its next attempt to write.
struct CommitSettlement {
  /// What the context had changed before anything was settled; nil if nothing had to be.
  var own: OwnChanges?
  /// Rows that it writes whole, whatever the store has; and those that it inserts again, because they were deleted there.
  var overwritten: Set<RowPlace> = []
  var restored: Set<RowPlace> = []
  /// The columns that it writes of rows that others changed, because they were changed here as well: even if settling other
  /// conflicts gives them the value back that they had.
  var ownColumns: [RowPlace: Set<Int>] = [:]
  /// Rows that are deleted here, and that the store no longer has.
  var gone: Set<RowPlace> = []

  // MARK: What is undone if the commit fails

  /// New rows that turned out to be some of the store's, and their numbers.
  var adopted: [(place: RowPlace, id: Int64)] = []
  /// The numbers that restored rows had.
  var formerIDs: [RowPlace: Int64] = [:]

  /// The commit was written: nothing is undone.
  mutating func confirm() {
    adopted = []
    formerIDs = [:]
  }
}

/// What a context changed. The journal does not tell this from what a commit in progress settled.
struct OwnChanges {
  /// The rows that a commit writes or deletes.
  private(set) var rows: Set<RowPlace> = []
  /// The properties of these rows.
  private(set) var slots: [RowPlace: Set<Int>] = [:]

  init(_ history: RowHistory) {
    for place in history.places {
      let changed = Set(history.changes(place).map(\.slot))
      if !changed.isEmpty { slots[place] = changed }
      if history.hasEntries(place), !changed.isEmpty || history.changesHeader(of: place) { rows.insert(place) }
    }
  }

  /// A new row turned out to be one of the store's.
  mutating func adopt(_ place: RowPlace, _ given: Set<Int>) {
    rows.insert(place)
    slots[place, default: []].formUnion(given)
  }

  /// The store has won: a row has no changes any more.
  mutating func forget(_ place: RowPlace) {
    rows.remove(place)
    slots[place] = nil
  }

  func contains(_ place: RowPlace, _ slot: Int) -> Bool { slots[place]?.contains(slot) ?? false }
}
