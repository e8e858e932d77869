/// What a commit in progress has settled with the store, for its next attempt to write.
struct CommitSettlement {
  /// What the context had changed before anything was settled; nil if nothing had to be.
  private(set) var own: OwnChanges?
  /// Rows that it writes whole, whatever the store has; and those that it inserts again, because they were deleted there.
  private(set) var overwritten: Set<RowPlace> = []
  private(set) var restored: Set<RowPlace> = []
  /// The columns that it writes of rows that others changed, because they were changed here as well: even if settling other
  /// conflicts gives them the value back that they had.
  private(set) var ownColumns: [RowPlace: Set<Int>] = [:]
  /// Rows that are deleted here, and that the store no longer has.
  private(set) var gone: Set<RowPlace> = []
  /// Rows to be brought up to date, if they have no changes; see ``StoreBinding/bringStaleUpToDate()``.
  private var stale: Set<RowPlace> = []
  /// Rows that have been brought up to date.
  private(set) var upToDate: Set<RowPlace> = []

  // MARK: What is undone if the commit fails

  /// New rows that turned out to be some of the store's, and their numbers.
  private(set) var adopted: [(place: RowPlace, id: Int64)] = []
  /// The same rows, to be looked up.
  private var adoptedRows: Set<RowPlace> = []
  /// The numbers that restored rows had.
  private(set) var formerIDs: [RowPlace: Int64] = [:]
  /// What refreshed to-ones led to in the store that is hidden here; nil if it was not hidden.
  private(set) var formerLinks: [HiddenRows.Link: HiddenRows.Target?] = [:]

  /// The adopted rows that were inserted here, and were not restored.
  var newAdopted: Set<RowPlace> {
    adopted.isEmpty ? [] : Set(adopted.lazy.map(\.place).filter { formerIDs[$0] == nil })
  }

  /// Whether a row turned out to be one of the store's, which is not certain before the commit is written.
  func isAdopted(_ place: RowPlace) -> Bool { !adopted.isEmpty && adoptedRows.contains(place) }

  // MARK: Settling

  mutating func note(_ changes: OwnChanges) { own = changes }

  mutating func note(_ link: HiddenRows.Link, _ target: HiddenRows.Target?) {
    if formerLinks[link] == nil { formerLinks[link] = .some(target) }
  }

  mutating func overwrite(_ place: RowPlace) { overwritten.insert(place) }

  mutating func restore(_ place: RowPlace, formerID: Int64) {
    restored.insert(place)
    formerIDs[place] = formerID
  }

  /// A new row turned out to be one of the store's.
  ///
  /// - Parameter given: the properties that have values.
  mutating func adopt(_ place: RowPlace, as id: Int64, _ given: Set<Int>) {
    overwritten.insert(place)
    adopted.append((place, id))
    adoptedRows.insert(place)
    restored.remove(place)
    own?.adopt(place, given)
  }

  /// The commit writes some columns, even if they have the values again that they had in memory.
  mutating func keep(_ columns: Set<Int>, of place: RowPlace) { ownColumns[place, default: []].formUnion(columns) }

  /// The store has won: a row has no changes any more.
  mutating func forgetOwn(_ place: RowPlace) { own?.forget(place) }

  mutating func noteGone(_ place: RowPlace) { gone.insert(place) }

  mutating func noteStale(_ place: RowPlace) { stale.insert(place) }

  mutating func noteUpToDate(_ place: RowPlace) { upToDate.insert(place) }

  mutating func takeStale() -> Set<RowPlace> {
    defer { stale = [] }
    return stale
  }

  // MARK: The end

  /// The commit was written: nothing is undone.
  mutating func confirm() {
    adopted = []
    adoptedRows = []
    formerIDs = [:]
    formerLinks = [:]
  }

  mutating func end() { self = CommitSettlement() }
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
