/// The observers of a context, or of single objects in it.
///
/// Observers of an object are found by its row, so sending takes time in proportion to what changed, whatever the number of
/// observers.
struct ChangeObservers {
  /// An observer; `send` returns whether it is still listening.
  struct Observer<Value> {
    var send: (Value) -> Bool
    var finish: () -> Void
  }

  private var ofContext: [Observer<ContextChanges>] = []
  private var ofObjects: [RowPlace: [Observer<ContextChanges.Update>]] = [:]

  var isEmpty: Bool { ofContext.isEmpty && ofObjects.isEmpty }

  mutating func add(_ observer: Observer<ContextChanges>) { ofContext.append(observer) }

  mutating func add(_ observer: Observer<ContextChanges.Update>, of place: RowPlace) {
    ofObjects[place, default: []].append(observer)
  }

  mutating func send(_ placed: PlacedChanges) {
    if !placed.changes.isEmpty { ofContext.removeAll { !$0.send(placed.changes) } }
    guard !ofObjects.isEmpty else { return }
    for (place, update) in zip(placed.updated, placed.changes.updated) {
      guard var observers = ofObjects[place] else { continue }
      observers.removeAll { !$0.send(update) }
      ofObjects[place] = observers.isEmpty ? nil : observers
    }
    for place in placed.deleted + placed.vanished { end(place) }
  }

  /// Ends the observation of an object that no longer exists.
  mutating func end(_ place: RowPlace) {
    guard !ofObjects.isEmpty, let observers = ofObjects.removeValue(forKey: place) else { return }
    for observer in observers { observer.finish() }
  }

  /// Follows objects to other rows. The closure returns the new row, or nil if the object was removed.
  mutating func move(_ moved: (RowPlace) -> RowPlace?) {
    let old = ofObjects
    ofObjects = [:]
    for (place, observers) in old {
      if let new = moved(place) {
        // Two objects may have become one.
        ofObjects[new] = ofObjects[new].map { $0 + observers } ?? observers
      } else {
        for observer in observers { observer.finish() }
      }
    }
  }

  func finish() {
    for observer in ofContext { observer.finish() }
    for observer in ofObjects.values.joined() { observer.finish() }
  }
}

/// Changes, and the rows that they affect.
struct PlacedChanges {
  var changes: ContextChanges
  /// The row of each update.
  var updated: [RowPlace] = []
  /// The row of each deleted object, in the order of the deletions; empty if all rows were replaced.
  var deleted: [RowPlace] = []
  /// The rows of objects that were inserted and deleted again, which observers are not told.
  var vanished: [RowPlace] = []

  /// Removes the updates and deletions of some rows.
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
  /// when the context is deallocated. While a sequence is open, a commit takes time in proportion to its changes. Nothing is
  /// recorded otherwise.
  public func updates() -> AsyncStream<ContextChanges> {
    let (stream, continuation) = AsyncStream.makeStream(of: ContextChanges.self)
    observers.add(ChangeObservers.Observer(continuation))
    return stream
  }
}

extension ManagedObject {
  /// Returns the changes of this object from now on, whenever ``ManagedObjectContext/updates()`` of its context would return
  /// them.
  ///
  /// The sequence ends when the object is deleted or the context is deallocated. A commit takes time in proportion to its
  /// changes, however many objects are observed.
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
    context.observers.add(ChangeObservers.Observer(continuation), of: RowPlace(table: table, row: number))
    return stream
  }
}

extension ChangeObservers.Observer {
  fileprivate init(_ continuation: AsyncStream<Value>.Continuation) where Value: Sendable {
    self.init(
      send: { value in
        if case .terminated = continuation.yield(value) { return false }
        return true
      }, finish: { continuation.finish() })
  }
}
