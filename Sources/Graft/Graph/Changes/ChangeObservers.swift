/// The observers of a context, or of single objects in the context.
///
/// Observers of an object are found by its row, so notifying observers takes time in proportion to the changes, regardless of
/// the number of observers. Observers that have stopped listening are skipped, and are removed when they make up half of all
/// observers.
struct ChangeObservers {
  /// An observer of a context or of one object.
  struct Observer<Value> {
    var send: (Value) -> Void
    var finish: () -> Void
    let life: ObserverLife
  }

  private var ofContext: [Observer<ContextChanges>] = []
  private var ofObjects: [RowPlace: [Observer<ContextChanges.Update>]] = [:]
  private var count = 0
  /// The number of observers in memory, for tests.
  var heldCount: Int { count }
  /// The number of observers that have stopped listening.
  private let ended = Guarded(0)

  var isEmpty: Bool { count == 0 || count == ended.withLock { $0 } }

  mutating func add(_ continuation: AsyncStream<ContextChanges>.Continuation) {
    removeEnded()
    ofContext.append(Observer(continuation, ObserverLife(ended)))
    count += 1
  }

  mutating func add(_ continuation: AsyncStream<ContextChanges.Update>.Continuation, of place: RowPlace) {
    removeEnded()
    ofObjects[place, default: []].append(Observer(continuation, ObserverLife(ended)))
    count += 1
  }

  /// Adds a closure that is called immediately, for tests.
  mutating func add(_ send: @escaping (ContextChanges) -> Void) {
    ofContext.append(Observer(send: send, finish: {}, life: ObserverLife(ended)))
    count += 1
  }

  mutating func send(_ placed: PlacedChanges) {
    removeEnded()
    if !placed.changes.isEmpty { for observer in ofContext { observer.send(placed.changes) } }
    guard !ofObjects.isEmpty else { return }
    for (place, update) in zip(placed.updated, placed.changes.updated) {
      for observer in ofObjects[place] ?? [] { observer.send(update) }
    }
    for place in placed.deleted + placed.vanished { end(place) }
  }

  /// Ends the observation of an object that no longer exists.
  mutating func end(_ place: RowPlace) {
    guard !ofObjects.isEmpty, let observers = ofObjects.removeValue(forKey: place) else { return }
    finish(observers)
  }

  /// Moves observers to the new rows of their objects. The closure returns the new row, or nil if the object was removed.
  ///
  /// Observers that have stopped listening are removed first, because their rows may no longer exist.
  mutating func move(_ moved: (RowPlace) -> RowPlace?) {
    removeEnded(isLazy: false)
    let old = ofObjects
    ofObjects = [:]
    for (place, observers) in old {
      if let new = moved(place) {
        // Two objects may have become one object, whose observers are then combined.
        ofObjects[new] = ofObjects[new].map { $0 + observers } ?? observers
      } else {
        finish(observers)
      }
    }
  }

  private mutating func finish<Value>(_ observers: [Observer<Value>]) {
    count -= observers.count
    for observer in observers {
      observer.life.forget()
      observer.finish()
    }
  }

  /// - Parameter isLazy: whether observers that have stopped listening may stay until they make up half of all observers.
  private mutating func removeEnded(isLazy: Bool = true) {
    let over = ended.withLock { $0 }
    guard over > 0, !isLazy || 2 * over >= count else { return }
    func isOver<Value>(_ observer: Observer<Value>) -> Bool {
      guard observer.life.isOver else { return false }
      observer.life.forget()
      return true
    }
    ofContext.removeAll(where: isOver)
    for place in Array(ofObjects.keys) {
      ofObjects[place]?.removeAll(where: isOver)
      if ofObjects[place]?.isEmpty == true { ofObjects[place] = nil }
    }
    count = ofContext.count + ofObjects.values.reduce(0) { $0 + $1.count }
  }

  func finish() {
    for observer in ofContext { observer.finish() }
    for observer in ofObjects.values.joined() { observer.finish() }
  }
}

/// Whether an observer still listens. It may stop in any isolation.
final class ObserverLife: Sendable {
  private enum State { case listening, over, forgotten }

  private let state = Guarded(State.listening)
  /// The number of observers that have stopped listening, but have not been removed.
  private let ended: Guarded<Int>

  init(_ ended: Guarded<Int>) { self.ended = ended }

  var isOver: Bool { state.withLock { $0 == .over } }

  /// Marks the observer as no longer listening.
  func end() { move(to: .over) }

  /// Marks the observer as removed.
  func forget() { move(to: .forgotten) }

  private func move(to next: State) {
    state.withLock { state in
      if state == .forgotten || state == next { return }
      ended.withLock { $0 += next == .over ? 1 : state == .over ? -1 : 0 }
      state = next
    }
  }
}

/// Changes, and the rows that they affect.
struct PlacedChanges {
  var changes: ContextChanges
  /// The row of each update.
  var updated: [RowPlace] = []
  /// The row of each deleted object, in the order of the deletions; empty if all rows were replaced.
  var deleted: [RowPlace] = []
  /// The rows of objects that were inserted and deleted again, which are not reported to observers.
  var vanished: [RowPlace] = []

  /// Removes the updates and deletions of the rows for which a closure returns true.
  mutating func remove(_ isRemoved: (RowPlace) -> Bool) {
    let kept = updated.indices.filter { !isRemoved(updated[$0]) }
    if kept.count < updated.count {
      changes.updated = kept.map { changes.updated[$0] }
      updated = kept.map { updated[$0] }
    }
    let stay = deleted.indices.filter { !isRemoved(deleted[$0]) }
    if stay.count < deleted.count {
      changes.deleted = stay.map { changes.deleted[$0] }
      deleted = stay.map { deleted[$0] }
    }
    vanished.removeAll(where: isRemoved)
  }
}

extension ManagedObjectContext {
  /// Returns the changes of this context from now on: one value for each commit, import, rollback, reset and restored snapshot
  /// that changes anything.
  ///
  ///     for await changes in context.updates() {
  ///       print(changes.cause, changes.inserted.count)
  ///     }
  ///
  /// The values are buffered, so none is lost. They are plain data, and can be consumed in any isolation. The sequence ends
  /// when the context is deallocated. While a sequence is open, a commit takes time in proportion to its changes. Otherwise, nothing is
  /// recorded.
  public func updates() -> AsyncStream<ContextChanges> {
    let (stream, continuation) = AsyncStream.makeStream(of: ContextChanges.self)
    observers.add(continuation)
    return stream
  }
}

extension ManagedObject {
  /// Returns the changes of this object from now on. They arrive at the same times as the changes from ``ManagedObjectContext/updates()``
  /// of its context.
  ///
  /// The sequence ends when the object is deleted or the context is deallocated. A commit takes time in proportion to its
  /// changes, regardless of how many objects are observed.
  ///
  ///     for await update in hero.updates() {
  ///       print(update["name"] as Any)
  ///     }
  public func updates() -> AsyncStream<ContextChanges.Update> {
    let (stream, continuation) = AsyncStream.makeStream(of: ContextChanges.Update.self)
    guard !isGone else {
      continuation.finish()
      return stream
    }
    context.observers.add(continuation, of: RowPlace(table: table, row: number))
    return stream
  }
}

extension ChangeObservers.Observer where Value: Sendable {
  fileprivate init(_ continuation: AsyncStream<Value>.Continuation, _ life: ObserverLife) {
    continuation.onTermination = { _ in life.end() }
    self.init(send: { _ = continuation.yield($0) }, finish: { continuation.finish() }, life: life)
  }
}
