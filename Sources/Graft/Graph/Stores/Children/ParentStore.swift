/// A context in the role of a child's store.
///
///     child --> StoreBinding --> ParentSnapshot, a copy of the parent's graph --> the parent's store, if there is one
///                            --> ParentStore --> the rows of the parent
///
/// A child shows its parent as it was at the child's last merge. When the child commits changes, they become uncommitted changes in the
/// parent.
///
/// It is Sendable only because every store must be. It never leaves the isolation of its two contexts: ``ManagedObjectContext/store``
/// returns the store of the outermost parent instead.
final class ParentStore: ContextStore, @unchecked Sendable {
  let parent: ManagedObjectContext
  let schema: StoreSchema
  var model: ManagedObjectModel { schema.model }
  let map: StoreMap
  let depth: Int
  var numbers: ParentNumbers
  private var sequence: Int64 = 1
  /// The state of the parent when it was last examined.
  private var stamp: Stamp
  /// The states that are in use, by their numbers.
  private var snapshots: [Int64: WeakSnapshot] = [:]
  /// Whether the parent's observers must still be notified of the child's changes.
  private var isUnannounced = false

  private struct WeakSnapshot {
    weak var snapshot: ParentSnapshot?
  }

  /// A value that changes whenever the parent may have changed.
  private struct Stamp: Equatable {
    var transactions: UInt32
    var calls: UInt
    var version: Int64

    init(_ context: ManagedObjectContext) {
      transactions = context.state.pointee.transactions
      calls = context.activity.pointee.calls
      version = context.binding?.pinned?.sequence ?? 0
    }
  }

  init(_ parent: ManagedObjectContext) {
    self.parent = parent
    map = parent.queryMap
    schema = map.schema
    depth = (parent.binding?.parentStore?.depth ?? 0) + 1
    numbers = ParentNumbers(parent, depth: depth)
    stamp = Stamp(parent)
  }

  /// Rejects calls that a closure of the parent's own operation must not make, and traps if another thread is in the middle of
  /// that operation.
  private func enter(_ call: String, isForHooks: Bool) throws(StoreError) {
    if let words = parent.refusal(of: call, isForHooks: isForHooks) { throw StoreError(.reentrantCall, words) }
    numbers.follow()
    guard Stamp(parent) != stamp else { return }
    assert(snapshots.values.allSatisfy { $0.snapshot?.isFixed ?? true }, "the parent changed before it was copied")
    stamp = Stamp(parent)
    sequence += 1
  }

  // MARK: Reading

  func latestCommit() throws(StoreError) -> Int64 {
    try enter("read objects through a child", isForHooks: true)
    return sequence
  }

  func snapshot() throws(StoreError) -> any StoreSnapshot {
    try enter("read objects through a child", isForHooks: true)
    if let known = snapshots[sequence]?.snapshot { return known }
    // The parent must show a version of its store before the parent's graph is copied.
    _ = try parent.binding?.snapshot()
    numbers.extend()
    let new = ParentSnapshot(self, sequence)
    snapshots = snapshots.filter { $0.value.snapshot != nil }
    snapshots[sequence] = WeakSnapshot(snapshot: new)
    return new
  }

  /// Whether the parent is unchanged since it was last examined.
  var isUnchanged: Bool { Stamp(parent) == stamp }

  /// The state with a number, if it is in use.
  func snapshot(_ sequence: Int64) -> ParentSnapshot? { snapshots[sequence]?.snapshot }

  /// Reports only whether there may be changes, because the parent keeps no list of changes. Snapshots find the changes by comparing two
  /// states.
  func changes(since sequence: Int64) -> StoreLog {
    var log = StoreLog(sequence: self.sequence)
    log.isIncomplete = sequence < self.sequence
    return log
  }

  // MARK: Writing

  func write(_ changes: StoreChanges, basedOn base: Int64) throws(StoreError) -> StoreWriteResult {
    // Observers of the parent may be notified that rows moved, and may run arbitrary code.
    parent.closeGapsIfUnchanged()
    try enter("commit a child", isForHooks: false)
    guard base == sequence else { return .moved }
    if changes.isEmpty { return .written(sequence: sequence, firstIDs: [:]) }
    let own = OwnChanges(changes, schema, orders: changes.orders, edited: changes.edited)
    var firstIDs: [Int: Int64] = [:]
    let shown = snapshots[base]?.snapshot
    shown?.beginCommit()
    do throws(StoreError) {
      try parent.pendingUnit { () throws(StoreError) in
        // Rows may have moved when the transaction began.
        numbers.follow()
        for table in Set(own.inserted.keys.map(\.table)) { firstIDs[table] = numbers.next(table) }
        try parent.binding?.load(storedPlaces(own))
        var applier = ChangeApplier(parent.state, map) { [unowned self] in row($0) }
        applier.apply(own)
        try parent.binding?.throwFailure()
      }
    } catch {
      // The changes were rolled back, so the parent is unchanged.
      if parent.binding == nil { stamp = Stamp(parent) }
      shown?.cancelCommit()
      throw error
    }
    stamp = Stamp(parent)
    sequence += 1
    isUnannounced = true
    return .written(sequence: sequence, firstIDs: firstIDs)
  }

  /// Loads the row of the parent with a number.
  private func row(_ place: StoredPlace) -> UInt32? {
    if let number = numbers.row(place.table, place.id) {
      parent.state.loadRow(place.table, number)
      return parent.state.row(place.table, number).isLoaded ? number : nil
    }
    return storedPlace(place).flatMap { parent.binding?.row(of: $0) }
  }

  /// The place of an object in the store of the parent; nil if that store does not have the object.
  private func storedPlace(_ place: StoredPlace) -> StoredPlace? {
    if numbers.isStored(place.id) { return place }
    return numbers.storedNumber(place.table, place.id).map { StoredPlace(table: place.table, id: $0) }
  }

  /// The changes to rows that the store of the parent has.
  private func storedPlaces(_ own: OwnChanges) -> OwnChanges {
    var stored = OwnChanges()
    stored.deleted = Set(own.deleted.compactMap(storedPlace))
    for (place, row) in own.updated { if let place = storedPlace(place) { stored.updated[place] = row } }
    return stored
  }

  func announce() {
    guard isUnannounced else { return }
    isUnannounced = false
    parent.hub.change(parent.hub.spots(in: parent.state))
  }
}
