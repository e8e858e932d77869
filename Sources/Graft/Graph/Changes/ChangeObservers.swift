/// Those who follow the changes of a context, or of single objects in it.
///
/// Who follows an object is found by its row: sending costs what changed, however many follow.
struct ChangeObservers {
  /// Someone who follows: `send` says whether it still listens.
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
    for place in placed.gone { end(place) }
  }

  /// An object is no more: who follows it is told so.
  mutating func end(_ place: RowPlace) {
    guard !ofObjects.isEmpty, let observers = ofObjects.removeValue(forKey: place) else { return }
    for observer in observers { observer.finish() }
  }

  /// Objects moved to other rows; a closure says where they are, or nil for those that are gone.
  mutating func move(_ moved: (RowPlace) -> RowPlace?) {
    let old = ofObjects
    ofObjects = [:]
    for (place, observers) in old {
      if let new = moved(place) {
        ofObjects[new] = observers
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

/// Changes, and the rows that they are of.
struct PlacedChanges {
  var changes: ContextChanges
  /// The row of each update.
  var updated: [RowPlace] = []
  /// The rows of objects that were deleted, also of those that came and went.
  var gone: [RowPlace] = []
}

extension ManagedObjectContext {
  /// The changes of this context from now on: a value for each commit, import, rollback, reset and restored snapshot that
  /// changes anything.
  ///
  ///     for await changes in context.updates() {
  ///       print(changes.cause, changes.inserted.count)
  ///     }
  ///
  /// The values wait until they are taken, none is lost, and they are plain data: they may be taken anywhere. The sequence ends
  /// with the context. While a sequence is open, a commit costs time in proportion to what it changed; nothing is noted before.
  public func updates() -> AsyncStream<ContextChanges> {
    let (stream, continuation) = AsyncStream.makeStream(of: ContextChanges.self)
    observers.add(ChangeObservers.Observer(continuation))
    return stream
  }
}

extension ManagedObject {
  /// The changes of this object from now on, as those of its context (``ManagedObjectContext/updates()``) tell them. The
  /// sequence ends when the object is deleted, and with the context. However many objects are followed, a commit costs time in
  /// proportion to what it changed.
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
    context.observers.add(ChangeObservers.Observer(continuation), of: RowPlace(table: table, row: row))
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
