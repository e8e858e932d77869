/// Notifies live lists and values of the rows that have changed.
///
/// Every change to a row is recorded in the journal of the graph, unless the row has been inserted since the feed last read the graph. A
/// commit, a rollback or a merge drops the journal, and the record of which rows are new. The feed therefore reads the journal whenever a
/// list is read, and just before the journal is dropped:
///
///     journal    row 7 | row 9 | row 7 | row 2          rows   ... 11 | 12 | 13
///                      ^ read so far                                  ^ read so far
///
/// If other contexts change rows that are not in memory, no journal contains these changes. The feed reads them from the log of the store
/// when the context moves to another version. No other code needs to notify the feed, and a context without live lists has no feed.
final class ResultFeed: ChangeFeed {
  private unowned let context: ManagedObjectContext
  private var followers: [Follower] = []
  private var generation: RowGeneration
  /// The number of entries of the journal that have been read.
  private var entryCount = 0
  private var stamp: Stamp?

  private struct Follower { weak var follower: (any ResultFollower)? }

  /// A value that changes whenever a row may have changed.
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

  var isIdle: Bool { followers.allSatisfy { $0.follower == nil } }

  /// Notifies a list or value of changes from now on.
  func add(_ follower: any ResultFollower) {
    collect()
    followers.removeAll { $0.follower == nil }
    followers.append(Follower(follower: follower))
  }

  // MARK: Changes

  func collect() {
    // During an import, new rows can change between two calls of its hooks.
    guard Stamp(context) != stamp || generation.isOver || context.isBusy else { return }
    followMoves()
    var rows = ChangedRows()
    for index in min(entryCount, state.pointee.journal.count)..<state.pointee.journal.count {
      note(state.pointee.journal[index], &rows)
    }
    entryCount = state.pointee.journal.count
    collectNewRows(&rows)
    if !rows.keys.isEmpty || stamp == nil { state.pointee.follow() }
    stamp = Stamp(context)
    tell(rows)
  }

  func end() { state.pointee.unfollow() }

  func collect(keeping start: Int, isUndone: Bool) {
    followMoves()
    for follower in all { follower.takeNumbers() }
    var rows = ChangedRows()
    let first = isUndone ? min(start, entryCount) : entryCount
    for index in min(first, state.pointee.journal.count)..<state.pointee.journal.count {
      note(state.pointee.journal[index], &rows)
    }
    entryCount = start
    if isUndone { collectDropped(keeping: start, &rows) } else { collectNewRows(&rows) }
    stamp = nil
    tell(rows)
  }

  func note(_ log: StoreLog) { for follower in all { follower.note(log) } }

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
    rows.insert(place, isListOnly: entry.isList, state)
    if entry.isOfIdentity { rows.noteIdentity(of: place, state) }
  }

  /// Notes the rows that have been inserted since the last call. Rows that were only loaded in the meantime are not included.
  private func collectNewRows(_ rows: inout ChangedRows) {
    for table in 0..<state.tableCount {
      let first = state.pointee.firstUnfollowed(table)
      for number in UInt32(first)..<UInt32(max(first, state.tables[table].rowCount))
      where !state.row(table, number).isStored {
        rows.insert(RowPlace(table: table, row: number), state)
      }
    }
  }

  /// Notes the new rows that a rollback is about to drop.
  private func collectDropped(keeping start: Int, _ rows: inout ChangedRows) {
    for table in 0..<state.tableCount {
      let first = start == 0 ? state.committedRows(table) : state.pointee.unitRows(table)
      for number in UInt32(first)..<UInt32(max(first, state.tables[table].rowCount))
      where !state.row(table, number).isStored {
        rows.insert(RowPlace(table: table, row: number), state)
      }
    }
  }

  // MARK: Rows that move

  private func followMoves() {
    guard generation.isOver else { return }
    generation = generation.forEachMove { moves in
      if moves.replacesAll { entryCount = 0 }
      for follower in all { follower.follow(moves) }
    }
    for follower in all { follower.takeNumbers() }
  }
}

extension ManagedObjectContext {
  /// Keeps a live list or value current.
  func follow(_ follower: any ResultFollower) { hub.feed { ResultFeed(self) }.add(follower) }
}

/// A list or value that a ``ResultFeed`` keeps current.
protocol ResultFollower: AnyObject {
  /// Notes that rows have changed, or may have changed.
  func note(_ rows: ChangedRows)
  /// Notes the rows that other contexts or processes wrote to the store.
  func note(_ log: StoreLog)
  /// Notes that rows have moved to other numbers.
  func follow(_ moves: RowMoves)
  /// Notes that new rows may now have numbers in the store.
  func takeNumbers()
  /// Applies the changes, and notifies the observers.
  func settle()
}

/// The rows that have changed, by table, as the keys of live lists.
struct ChangedRows {
  private(set) var keys: [Int: ChangedKeys] = [:]
  /// For each table, the keys of rows whose identity may have changed.
  private(set) var renamed: [Int: Set<Int64>] = [:]

  /// - Parameter isListOnly: whether only the members of a to-many relationship have changed.
  mutating func insert(_ place: RowPlace, isListOnly: Bool = false, _ state: Reference<GraphState>) {
    keys[place.table, default: ChangedKeys()].insert(state.key(of: place), isListOnly: isListOnly)
  }

  /// Notes that the identity of a row may have changed.
  mutating func noteIdentity(of place: RowPlace, _ state: Reference<GraphState>) {
    renamed[place.table, default: []].insert(state.key(of: place))
  }
}

/// The keys of changed rows of a table.
struct ChangedKeys {
  private(set) var all: Set<Int64> = []
  /// The keys of rows in which only the members of to-many relationships have changed.
  private var listOnly: Set<Int64> = []

  /// The keys of rows in which something other than the members of to-many relationships has changed.
  var values: Set<Int64> { listOnly.isEmpty ? all : all.subtracting(listOnly) }

  mutating func insert(_ key: Int64, isListOnly: Bool = false) {
    let isNew = all.insert(key).inserted
    if isListOnly {
      if isNew { listOnly.insert(key) }
    } else if !listOnly.isEmpty {
      listOnly.remove(key)
    }
  }

  mutating func formUnion(_ other: ChangedKeys) {
    if all.isEmpty {
      self = other
    } else if listOnly.isEmpty, other.listOnly.isEmpty {
      all.formUnion(other.all)
    } else {
      for key in other.all { insert(key, isListOnly: other.listOnly.contains(key)) }
    }
  }

  /// Returns the same rows with new keys; rows without a new key are omitted.
  func renamed(_ name: (Int64) -> Int64?) -> ChangedKeys {
    var keys = ChangedKeys()
    for key in all {
      if let new = name(key) { keys.insert(new, isListOnly: listOnly.contains(key)) }
    }
    return keys
  }
}

extension RowMoves {
  /// Whether all rows are replaced by new rows, which have a new journal.
  var replacesAll: Bool {
    switch self {
    case .cleared, .replaced: true
    case .closedGaps, .truncated, .moved: false
    }
  }
}
