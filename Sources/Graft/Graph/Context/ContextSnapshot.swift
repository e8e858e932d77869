/// All objects of a context at one moment, as Sendable data.
///
///     let snapshot = try await background.perform { context in
///       try objects(Hero.self, fromJSON: data, in: context)
///       return context.snapshot()
///     }
///     main.restore(snapshot)
///
/// A snapshot contains the whole graph: values, links and their order, placeholders, and objects without an identity. A snapshot shares no
/// memory with its context. Taking a snapshot costs time and memory in proportion to the graph.
public struct ContextSnapshot: Sendable {
  /// The model of the objects.
  public let model: ManagedObjectModel
  private var storage: Storage

  init(_ context: ManagedObjectContext) {
    model = context.model
    storage = Storage(context.state.pointee.copy(context.model.plan), context.rowNumbers)
  }

  /// The number of objects, including placeholders.
  public var count: Int {
    (0..<storage.state.tableCount).reduce(0) { count, table in
      count + storage.state.tables[table].rowCount - storage.state.deletedCounts[table]
    }
  }

  /// Returns a graph that the caller owns: the snapshot's own graph if nothing else refers to it, otherwise a copy.
  mutating func take() -> (state: GraphState, numbers: RowNumbers) {
    let isUnique = isKnownUniquelyReferenced(&storage)
    return (isUnique ? storage.giveAway() : storage.state.copy(model.plan), storage.numbers.copy())
  }

  /// An immutable graph. The conformance is unchecked because rows are accessed through pointers, and because the holder of the
  /// only reference may move the graph out.
  private final class Storage: @unchecked Sendable {
    let state: GraphState
    let numbers: RowNumbers
    private var isOwner = true

    init(_ state: GraphState, _ numbers: RowNumbers) {
      self.state = state
      self.numbers = numbers
    }

    func giveAway() -> GraphState {
      isOwner = false
      return state
    }

    deinit { if isOwner { state.free() } }
  }
}

extension ManagedObjectContext {
  /// Creates a context with the objects of a snapshot.
  public convenience init(_ snapshot: consuming ContextSnapshot) {
    self.init(model: snapshot.model)
    restore(snapshot)
  }

  /// Returns a snapshot of all objects, including uncommitted changes. With a store, these are all objects of the store.
  public func snapshot() -> ContextSnapshot {
    // A snapshot taken during an import could contain objects that are rolled back later.
    if isRefused("take a snapshot") {
      return ContextSnapshot(ManagedObjectContext(model: model))
    }
    loadEverything()
    numberObjects()
    return ContextSnapshot(self)
  }

  /// Assigns numbers to objects. Objects without an identity are found by their numbers after the snapshot is restored, and changes refer
  /// to them by number. With a store, evicted objects lose their numbers. While the context has observers, no objects are evicted.
  private func numberObjects() {
    for table in 0..<state.tableCount { rowNumbers.number(allOf: table, count: state.tables[table].rowCount) }
  }

  /// Replaces all objects with the objects of a snapshot, as if they had been committed.
  ///
  /// Existing references remain valid if the snapshot contains their objects. Objects with an identity are matched by their identity.
  /// Objects without an identity are matched if the snapshot comes from a context that restored a snapshot of this context. All other
  /// references report ``ManagedObject/isDeleted``. Uncommitted changes are lost.
  ///
  /// If nothing else refers to the snapshot, its rows are moved instead of copied. Transferring the work of a background context is
  /// therefore cheap.
  ///
  /// ``updates()`` first reports the rollback of uncommitted changes, and then the difference between the snapshot and the committed
  /// objects.
  ///
  /// - Precondition: the snapshot has the same ``ManagedObjectModel``, the context has no store, and no whole stream is open
  ///   (``ImportStream``).
  public func restore(_ snapshot: consuming ContextSnapshot) {
    precondition(snapshot.model === model, "the snapshot belongs to another model")
    precondition(binding == nil, "restore(_:) would replace part of the store's graph: use a context without a store")
    if isReentrant("restore a snapshot", isForHooks: false) { return }
    precondition(
      state.openUnits == 0,
      "restore(_:) cannot be called inside atomically(_:) or dryRun(_:), or while a whole stream is open")
    let (new, numbers) = snapshot.take()
    let difference = GraphDifference(old: state.pointee, rowNumbers, new: new, numbers, model)
    defer { difference.free() }
    noteMoves(.replaced(difference.rows()))
    if observers.isEmpty {
      replaceState(by: new, difference.numbers.new) { difference.heir(of: $0) }
    } else {
      restore(new, difference)
    }
    hub.changeEverything()
    hub.settleResults()
  }

  /// Replaces all rows, and notifies observers. Contexts that merge these changes know only what was committed, so pending changes are
  /// rolled back first, as in ``reset()``; objects that the pending changes inserted remain valid if the new graph contains them.
  private func restore(_ new: GraphState, _ difference: GraphDifference) {
    let heirs = difference.heirs()
    if state.hasChanges {
      let undone = ChangeReader(self).changesOfRollBack()
      observers.send(PlacedChanges(changes: undone.changes, updated: undone.updated))
      _ = state.pointee.rollBack()
    }
    // The rollback may have assigned numbers to objects.
    let committed = GraphDifference(old: state.pointee, rowNumbers, new: new, difference.numbers.new, model)
    defer { committed.free() }
    let changes = committed.changes()
    replaceState(by: new, committed.numbers.new) { heirs[$0.table][Int($0.row)] }
    observers.send(changes)
  }
}
