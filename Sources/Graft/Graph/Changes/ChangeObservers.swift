/// Those who follow the changes of a context.
struct ChangeObservers {
  /// Someone who follows: `send` says whether it still listens.
  struct Observer {
    var send: (ContextChanges) -> Bool
    var finish: () -> Void
  }

  private var observers: [Observer] = []

  var isEmpty: Bool { observers.isEmpty }

  mutating func add(_ observer: Observer) { observers.append(observer) }

  mutating func send(_ changes: ContextChanges) {
    if !changes.isEmpty { observers.removeAll { !$0.send(changes) } }
  }

  func finish() { for observer in observers { observer.finish() } }
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
  /// with the context. While somebody follows, a commit costs time in proportion to what it changed; nothing is noted before.
  public func updates() -> AsyncStream<ContextChanges> {
    let (stream, continuation) = AsyncStream.makeStream(of: ContextChanges.self)
    observers.add(
      ChangeObservers.Observer(
        send: { changes in
          if case .terminated = continuation.yield(changes) { return false }
          return true
        }, finish: { continuation.finish() }))
    return stream
  }
}

extension ManagedObject {
  /// The changes of this object from now on, as those of its context (``ManagedObjectContext/updates()``) tell them. The
  /// sequence ends when the object is deleted, and with the context.
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
    var id = objectID
    context.observers.add(
      ChangeObservers.Observer(
        send: { [weak self] changes in
          // Until it is committed, a new object may get another identity, of which no update tells.
          let now = self?.objectID ?? id
          if let update = changes.updated.first(where: { $0.previousID == id || $0.id == now }) {
            id = update.id
            if case .terminated = continuation.yield(update) { return false }
          }
          guard changes.deleted.contains(where: { $0 == id || $0 == now }) else { return true }
          continuation.finish()
          return false
        }, finish: { continuation.finish() }))
    return stream
  }
}
