/// Tells live lists and values which rows have changed.
///
/// Everything that changes a row is in the journal of the graph, or in a row that is new, until a commit, a rollback or a merge drops
/// both. The feed therefore reads the journal whenever a list is read, and just before it is dropped:
///
///     journal    row 7 | row 9 | row 7 | row 2          new rows   12, 13
///                      ^ read so far                    compared with what they were
///
/// Others' changes to rows that are not in memory are in no journal: these come from the log of the store, when the context moves to
/// another version. Nothing else needs to notify the feed, and a context without live lists has none.
final class ResultFeed {
  private unowned let context: ManagedObjectContext
  private var followers: [Follower] = []
  private var generation: RowGeneration
  /// The number of entries of the journal that have been read.
  private var entryCount = 0
  /// New rows and rows with changed lists that have been read, with a digest of their contents: their later changes are in no journal.
  private var digests: [RowPlace: Int] = [:]
  private var stamp: Stamp?

  private struct Follower { weak var follower: (any ResultFollower)? }

  /// Differs whenever a row may have changed.
  private struct Stamp: Equatable {
    var epoch: UInt32
    var calls: UInt
    var entryCount: Int

    init(_ context: ManagedObjectContext) {
      epoch = context.state.pointee.epoch
      calls = context.activity.pointee.calls
      entryCount = context.state.pointee.journal.count
    }
  }

  init(_ context: ManagedObjectContext) {
    self.context = context
    generation = context.generation
  }

  private var state: Reference<GraphState> { context.state }
  private var all: [any ResultFollower] { followers.compactMap(\.follower) }

  /// Whether all lists and values have been released.
  var isIdle: Bool { followers.allSatisfy { $0.follower == nil } }

  /// Tells a list or value of changes from now on.
  func add(_ follower: any ResultFollower) {
    collect()
    followers.removeAll { $0.follower == nil }
    followers.append(Follower(follower: follower))
  }

  // MARK: Changes

  /// Reads what has changed since the last call.
  func collect() {
    // An import changes new rows between two calls of its hooks.
    guard case let now = Stamp(context), now != stamp || generation.isOver || context.isBusy else { return }
    stamp = now
    followMoves()
    var rows = ChangedRows()
    for index in min(entryCount, state.pointee.journal.count)..<state.pointee.journal.count {
      note(state.pointee.journal[index], &rows)
    }
    entryCount = state.pointee.journal.count
    collectNewRows(&rows)
    tell(rows)
  }

  /// Reads the journal before its end is dropped, because it was committed or is rolled back.
  ///
  /// - Parameters:
  ///   - start: the number of entries that stay.
  ///   - isUndone: whether the others are played backwards.
  func collect(keeping start: Int, isUndone: Bool = false) {
    followMoves()
    for follower in all { follower.takeNumbers() }
    var rows = ChangedRows()
    let first = isUndone ? min(start, entryCount) : entryCount
    for index in min(first, state.pointee.journal.count)..<state.pointee.journal.count {
      note(state.pointee.journal[index], &rows)
    }
    entryCount = start
    collectNewRows(&rows, areUndone: isUndone)
    digests = start == 0 ? [:] : digests.filter { Int($0.key.row) < state.pointee.unitRows($0.key.table) }
    stamp = nil
    tell(rows)
  }

  /// Notes what others wrote to the store, when the context moves to another version.
  func note(_ log: StoreLog) { for follower in all { follower.note(log) } }

  /// Brings all lists and values up to date, and notifies their observers.
  func settle() {
    collect()
    for follower in all { follower.settle() }
  }

  private func tell(_ rows: ChangedRows) {
    if rows.keys.isEmpty { return }
    for follower in all { follower.note(rows) }
  }

  private func note(_ entry: JournalEntry, _ rows: inout ChangedRows) {
    let place = RowPlace(table: entry.table, row: entry.row)
    rows.insert(place, state)
    // A list that was replaced in a transaction is in the journal once: its later changes are not.
    if entry.kind != .word, digests[place] == nil { digests[place] = state.digest(of: place) }
  }

  /// Notes the new rows and those with changed lists that differ from what they were, and all new rows that are about to be dropped.
  private func collectNewRows(_ rows: inout ChangedRows, areUndone: Bool = false) {
    for table in 0..<state.tableCount {
      let first = state.committedRows(table)
      for number in UInt32(first)..<UInt32(max(first, state.tables[table].rowCount)) {
        let place = RowPlace(table: table, row: number)
        // Rows that were loaded meanwhile are stored. So are those that have just been written, but they have been read before.
        guard state.pointee.isNew(table, number, since: first) || digests[place] != nil else { continue }
        let digest = state.digest(of: place)
        if digests.updateValue(digest, forKey: place) != digest || areUndone { rows.insert(place, state) }
      }
    }
    for (place, known) in digests where Int(place.row) < state.committedRows(place.table) {
      let digest = state.digest(of: place)
      guard digest != known else { continue }
      digests[place] = digest
      rows.insert(place, state)
    }
  }

  // MARK: Rows that move

  private func followMoves() {
    guard generation.isOver else { return }
    generation = generation.forEachMove { moves in
      if moves.replacesAll { entryCount = 0 }
      if !moves.isRollback { digests = [:] }
      for follower in all { follower.follow(moves) }
    }
    for follower in all { follower.takeNumbers() }
  }
}

/// A list or value that a ``ResultFeed`` keeps current.
protocol ResultFollower: AnyObject {
  /// Some rows have changed, or may have.
  func note(_ rows: ChangedRows)
  /// Others wrote some rows to the store.
  func note(_ log: StoreLog)
  /// Rows have other numbers.
  func follow(_ moves: RowMoves)
  /// New rows may have numbers in the store now.
  func takeNumbers()
  /// Takes the changes over, and notifies the observers.
  func settle()
}

/// The rows that have changed, by table, as the keys of live lists.
struct ChangedRows {
  private(set) var keys: [Int: Set<Int64>] = [:]

  mutating func insert(_ place: RowPlace, _ state: Reference<GraphState>) {
    keys[place.table, default: []].insert(state.key(of: place))
  }
}

extension Reference where Value == GraphState {
  /// The number of a row in its store, or a negative number if it has none.
  func key(of place: RowPlace) -> Int64 {
    let row = row(place.table, place.row)
    guard pointee.source != nil, row.isStored else { return -1 - Int64(place.row) }
    return Int64(bitPattern: row[tables[place.table].idWord])
  }

  /// A number that differs if the contents of a row do.
  fileprivate func digest(of place: RowPlace) -> Int {
    let row = row(place.table, place.row)
    var hasher = Hasher()
    hasher.combine(row.header.contents.bits)
    hasher.combine(row.isDeleted)
    let layout = layouts[row.entity]
    for number in 0..<layout.slotCount {
      let slot = layout.slots[number]
      hasher.combine(row.isSet(slot))
      if slot.kind == .toMany { hasher.combine(row.links(slot)) } else { hasher.combine(row[slot]) }
    }
    return hasher.finalize()
  }
}

extension RowMoves {
  /// Whether there are other rows, with a journal of their own.
  var replacesAll: Bool {
    switch self {
    case .cleared, .replaced: true
    case .closedGaps, .truncated, .moved: false
    }
  }
}
