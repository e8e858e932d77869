/// The connection of a context to its store: the rows in memory, and their numbers in the store.
///
///     context --> GraphState --source--> StoreBinding --> StoreSnapshot <-- StoreBackend
///
/// Six rules hold without exception:
///
/// 1. A context has one base version of its source: the pinned snapshot. Every fact in memory belongs to that version.
///
/// 2. A context shows facts and changes. Facts are never journaled; changes always are.
///
/// 3. A list is either complete or, if it is not in memory, unknown. An unknown list contains only the rows that were added in this
///    context; which rows were removed is determined by the other side of the relationship, which is in memory.
///
/// 4. There are two ways to write: `GraphEditor` writes changes, and the loader (`StoreBinding+Loading`) writes facts. A row, the other
///    side of a to-one and an ordered list are loaded before they change.
///
/// 5. Merging, committing, retrying and handing changes from a child to its parent use one pure function, ``Rebase``, which returns the
///    changes to make or throws a ``ConflictError``. Until that function returns, nothing changes.
///
/// 6. Objects that are not loaded cannot be observed. A context that loads everything beforehand behaves exactly like a context that
///    loads nothing.
///
/// Like the context, a binding belongs to one isolation.
final class StoreBinding: RowSource {
  let store: any StoreBackend
  /// The store, if the store is the parent of the context.
  let parentStore: (any ContextStore)?
  let map: StoreMap
  let state: Reference<GraphState>
  /// The version of the store that is shown; nil before the first read.
  private(set) var pinned: (any StoreSnapshot)?
  /// The rows in memory by their numbers in the store, for each table.
  private(set) var rowsByID: [RowsByID]
  var knowledge: StoreKnowledge
  /// An error that occurred where no error can be thrown. The next call that can throw throws this error.
  private(set) var failure: StoreError?
  /// Whether the context should merge or evict objects.
  private(set) var upkeep = StoreUpkeep()
  /// The context's own commit that the pinned version does not contain; nil once the context shows a later version.
  private var ownCommit: StoreCommit?
  /// The notifications for the end of the commit in progress, and the new locations of rows that the commit has moved.
  private var outcome: (news: ManagedObjectContext.News?, moved: [RowPlace: RowPlace]) = (nil, [:])
  /// How far lists have been loaded ahead; see ``loadList(_:_:)``.
  var lookAhead = ListLookAhead()
  /// The ordered lists that are written as a whole if they change.
  var gaps = ListGaps()
  /// In a copy of a graph: the rows that differ from the version that is shown, by table.
  var inherited: [Int: Set<UInt32>] = [:]

  init(_ store: any StoreBackend, _ state: Reference<GraphState>) {
    self.store = store
    parentStore = store as? any ContextStore
    self.state = state
    map = StoreMap(store.schema)
    rowsByID = store.schema.tables.map { _ in RowsByID() }
    knowledge = StoreKnowledge(store.schema.model.plan)
  }

  /// Creates a binding for a copy of a graph, which has the same rows in memory and shows the same version.
  init(copying other: StoreBinding, _ state: Reference<GraphState>) {
    store = other.store
    parentStore = other.parentStore
    map = other.map
    self.state = state
    pinned = other.pinned
    // Both bindings read the snapshot, and a commit through the other binding must not end the snapshot.
    (pinned as? any GraphReader)?.copyGraph()
    rowsByID = other.rowsByID
    knowledge = other.knowledge
    gaps = other.gaps
  }

  var plan: Plan { map.schema.model.plan }
  var reader: RowReader { RowReader(state) }

  /// Whether all objects of the store are in memory.
  var isWhole: Bool { knowledge.isWhole(plan.entities.count) }

  /// The number of ordered relationships to the rows of each table.
  static func positions(_ schema: StoreSchema) -> [Int] { StoreMap(schema).positionColumns.map(\.count) }

  // MARK: The version

  /// The version that is shown. The first read shows the newest version.
  func snapshot() throws(StoreError) -> any StoreSnapshot {
    if isBehind {
      let newest = try newest()
      guard isOnlyBehindItself(newest) else {
        throw StoreError(
          .unavailableStore,
          "the store could not be read after the last commit, which succeeded, and other contexts or programs have written since: roll back and merge"
        )
      }
      pin(newest)
    }
    if let pinned {
      upkeep.note(lagsBehind: pinned.lagsBehind)
      return pinned
    }
    let newest = try store.snapshot()
    pin(newest)
    return newest
  }

  private static var loss: StoreError {
    StoreError(
      .unavailableStore,
      "the store has lost commits that the context shows, because its server lost them, or a backup was restored; use another context, and repeat the changes there"
    )
  }

  /// Returns the newest version of the store.
  ///
  /// - Throws: if the store cannot be read, or has lost the version that the context shows.
  func newest() throws(StoreError) -> any StoreSnapshot {
    let newest = try store.snapshot(replacing: pinned)
    if let commit = ownCommit ?? pinned?.commit, try !newest.contains(commit) {
      throw StoreBinding.loss
    }
    return newest
  }

  /// Shows another version from now on. The data in memory must belong to that version.
  func pin(_ snapshot: any StoreSnapshot) {
    // A new store has no objects to load.
    if pinned == nil, snapshot.sequence == 0 { knowledge.noteAll(of: plan.entities.indices) }
    pinned = snapshot
    ownCommit = nil
    upkeep.noteMove()
    knowledge.forgetAbsent()
  }

  /// Makes sure that a version, by default the one that is shown, is durable.
  ///
  /// - Throws: if the store has lost the version.
  func flush(_ snapshot: (any StoreSnapshot)? = nil) throws(StoreError) {
    guard let snapshot = snapshot ?? pinned, try !store.flush(snapshot) else { return }
    throw StoreBinding.loss
  }

  /// Whether the context has written a commit that is not part of the version it shows.
  var isBehind: Bool { ownCommit != nil }

  /// Whether the context made the only commit between its version and the given version.
  func isOnlyBehindItself(_ next: any StoreSnapshot) -> Bool {
    ownCommit?.sequence == next.sequence && pinned?.sequence == next.sequence - 1
  }

  func noteOwnCommit(_ commit: StoreCommit) { ownCommit = commit }

  /// Notes that rows of a table were deleted. A parent stores no positions, and counts members instead.
  func noteDeletions(in table: Int) {
    if parentStore != nil { return }
    for (number, link) in map.schema.links.enumerated() where link.isOrdered || link.isInverseOrdered {
      if link.ownerTable == table || link.memberTable == table { gaps.noteDeletions(in: number) }
    }
  }

  /// An ordered list of links that belongs to an object in the store.
  func list(_ link: Int, isOwner: Bool, of id: Int64) -> StoredList {
    let layout = map.schema.links[link]
    let owner = StoredPlace(table: isOwner ? layout.ownerTable : layout.memberTable, id: id)
    return StoredList(owner: owner, members: .linked(link, isOwner: isOwner))
  }

  // MARK: Upkeep

  /// The number of objects in memory.
  private var loadedCount: Int { rowsByID.reduce(0) { $0 + $1.count } }

  /// Whether too many objects are in memory.
  var exceedsLimit: Bool { upkeep.isExceeded(by: loadedCount) }

  /// The number of objects that may be in memory in addition to those that the program holds.
  var loadedLimit: Int {
    get { upkeep.limit }
    set { upkeep.limit = newValue }
  }

  /// Records that objects were loaded.
  func noteLoaded() { upkeep.note(loaded: loadedCount) }

  /// Records that the context has evicted objects.
  func noteEviction() {
    knowledge.forgetRows()
    upkeep.noteEviction(held: loadedCount)
  }

  // MARK: A commit in progress

  func note(_ news: ManagedObjectContext.News) { outcome.news = news }

  func takeNews() -> ManagedObjectContext.News? {
    defer { outcome.news = nil }
    return outcome.news
  }

  func noteMoved(_ rows: [RowPlace: RowPlace]) { outcome.moved = rows }

  /// The new locations of rows that the latest commit moved, because new objects turned out to exist in the store.
  func takeMoved() -> [RowPlace: RowPlace] {
    defer { outcome.moved = [:] }
    return outcome.moved
  }

  // MARK: Failures

  /// Runs a closure where no error can be thrown. If it fails, its error is kept.
  func attempt(_ body: () throws(StoreError) -> Void) {
    do throws(StoreError) {
      try body()
    } catch {
      if failure == nil { failure = error }
    }
  }

  /// Keeps an error that could not be thrown.
  func keep(_ error: StoreError) {
    if failure == nil { failure = error }
  }

  /// Whether the next call that finds objects must first throw a failure, merge, or evict objects.
  var isDue: Bool { failure != nil || upkeep.isDue }

  /// Throws an earlier failure, once.
  func throwFailure() throws(StoreError) {
    guard let failure else { return }
    self.failure = nil
    throw failure
  }

  // MARK: Numbers

  /// The number of a row in the store: negative if the row is being written for the first time, 0 if the row has no number.
  func id(_ table: Int, _ row: UInt32) -> Int64 {
    Int64(bitPattern: state.row(table, row)[state.tables[table].idWord])
  }

  func setID(_ id: Int64, _ table: Int, _ row: UInt32) {
    state.row(table, row)[state.tables[table].idWord] = UInt64(bitPattern: id)
  }

  /// Records which row in memory has a number in the store; nil if no row has that number.
  func setRow(_ row: UInt32?, for id: Int64, _ table: Int) { rowsByID[table][id] = row }

  /// Removes the entry of a row, because its number in the store no longer represents a row in memory.
  func release(_ place: RowPlace) { setRow(nil, for: id(place.table, place.row), place.table) }

  /// Returns the age of a row. Rows of the store come first, in the order of their numbers, then new rows. A child uses the order of its
  /// parent.
  func age(_ table: Int, _ row: UInt32) -> UInt64 {
    let depth = UInt64(parentStore?.depth ?? 0)
    guard state.row(table, row).header.isStored else { return 1 << 63 | depth << 40 | UInt64(row) }
    let id = id(table, row)
    return pinned?.age(table, id) ?? UInt64(bitPattern: id)
  }

  func version(_ table: Int, _ row: UInt32) -> Int64 {
    Int64(bitPattern: state.row(table, row)[state.tables[table].versionWord])
  }

  func setVersion(_ version: Int64, _ table: Int, _ row: UInt32) {
    state.row(table, row)[state.tables[table].versionWord] = UInt64(bitPattern: version)
  }

  /// Follows the moves of a table's rows; `.max` represents removed rows.
  func move(_ table: Int, _ moves: [UInt32]) {
    rowsByID[table].move { moves[Int($0)] == .max ? nil : moves[Int($0)] }
    // Identities inside owners contain the rows of the owners (M12).
    if plan.features.hasOwners { knowledge.forgetAbsent() }
    lookAhead = ListLookAhead()
  }

  /// Clears the record of rows in memory, because the graph is empty. The next read shows the newest version.
  func forgetRows() {
    rowsByID = rowsByID.map { _ in RowsByID() }
    knowledge = StoreKnowledge(plan)
    lookAhead = ListLookAhead()
    (pinned, ownCommit) = (nil, nil)
    upkeep.noteMove()
  }
}
