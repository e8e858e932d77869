/// All objects of a context at one moment: Sendable data (C3).
///
///     let snapshot = try await background.perform { context in
///       try objects(Hero.self, fromJSON: data, in: context)
///       return context.snapshot()
///     }
///     main.restore(snapshot)
///
/// It holds everything that is in the graph: values, links and their order, placeholders, objects without identity. It shares
/// nothing with the context that it was taken of. Taking one costs time and memory in proportion to the graph.
public struct ContextSnapshot: Sendable {
  /// The model of the objects.
  public let model: ManagedObjectModel
  private var storage: Storage

  init(_ context: ManagedObjectContext) {
    model = context.model
    storage = Storage(context.state.pointee.copy(context.model.plan), context.rowNumbers)
  }

  /// The number of objects, placeholders included.
  public var count: Int {
    (0..<storage.state.tableCount).reduce(0) { count, table in
      count + storage.state.tables[table].rowCount - storage.state.deletedCounts[table]
    }
  }

  /// A graph to keep: the snapshot's own where nobody else can ask for it any more, else a copy.
  mutating func take() -> (state: GraphState, numbers: RowNumbers) {
    let isUnique = isKnownUniquelyReferenced(&storage)
    return (isUnique ? storage.giveAway() : storage.state.copy(model.plan), storage.numbers.copy())
  }

  /// A graph that nobody changes. Unchecked, because its rows are reached through pointers; and it is given away by whoever
  /// has the only reference.
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
  /// Makes a context with the objects of a snapshot.
  public convenience init(_ snapshot: consuming ContextSnapshot) {
    self.init(model: snapshot.model)
    restore(snapshot)
  }

  /// All objects as they are now, changes that are not committed included.
  public func snapshot() -> ContextSnapshot {
    // Read in the middle of an import it would be of objects that may be taken back.
    if isReentrant("take a snapshot", isForHooks: false) {
      return ContextSnapshot(ManagedObjectContext(model: model))
    }
    for table in handles.indices {
      for row in handles[table].keys where !RowReader(state).isDeleted(table, row) {
        // Whoever holds an object without identity can find it again in what comes back.
        let place = RowPlace(table: table, row: row)
        if RowReader(state).identity(state.pointee.row(table, row)) == nil { _ = rowNumbers.number(place) }
      }
    }
    return ContextSnapshot(self)
  }

  /// Replaces everything by the objects of a snapshot, as if they had been committed.
  ///
  /// Objects that somebody holds stand for the same objects afterwards, where the snapshot has them: by their identity, else if
  /// the snapshot comes from a context that took over a snapshot of this one. The others say that they are deleted. Changes
  /// that were not committed are lost. To carry over the work of a background context costs little if the snapshot is not kept
  /// elsewhere: the rows are then taken over, not copied.
  ///
  /// - Precondition: the snapshot is of the same ``ManagedObjectModel``, and no whole stream is open (``ImportStream``).
  public func restore(_ snapshot: consuming ContextSnapshot) {
    precondition(snapshot.model === model, "the snapshot is of another model")
    if isReentrant("restore a snapshot", isForHooks: false) { return }
    precondition(
      state.pointee.openUnits == 0, "restore(_:) inside atomically(_:) or dryRun(_:), or while a whole stream is open")
    let (new, numbers) = snapshot.take()
    let difference = GraphDifference(old: state.pointee, rowNumbers, new: new, numbers, model.plan)
    defer { difference.free() }
    let changes = observers.isEmpty ? nil : difference.changes()
    noteMoves(.replaced(difference.rows()))
    replaceState(by: new, difference.numbers.new) { difference.heir(of: $0) }
    if let changes { observers.send(changes) }
  }
}
