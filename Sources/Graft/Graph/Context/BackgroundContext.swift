/// An actor that owns a context and runs one closure at a time on it, off the main actor.
///
///     let background = BackgroundContext(model: model)
///     let names = try await background.perform { context in
///       try objects(Hero.self, fromJSON: data, in: context).compactMap(\.name)
///     }
///
/// The context and its objects stay inside the actor. The compiler checks that only Sendable values leave a closure, such as attribute
/// values, ``ManagedObjectID``s, ``ContextChanges`` and ``ContextSnapshot``s. Several background contexts can import in parallel. A single
/// context runs its closures in sequence, each from beginning to end.
///
/// With a store, closures run on a thread outside Swift's pool, so waiting for the store does not delay other tasks. Without a store, they
/// run in the pool, where a call costs less.
public actor BackgroundContext {
  /// The model of the objects.
  public nonisolated let model: ManagedObjectModel
  let context: ManagedObjectContext
  /// Follows the commits of other contexts and processes until this actor is released.
  private let follower = CommitFollower()
  private nonisolated let threads: ContextThreads

  /// The executor of the closures: a private queue if the context has a store, otherwise Swift's pool.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { threads.executor }

  /// Creates an empty context.
  public init(model: ManagedObjectModel) {
    self.model = model
    context = ManagedObjectContext(model: model)
    threads = ContextThreads(mayBlock: false)
  }

  /// Creates a context with the objects of a store.
  ///
  ///     let background = try BackgroundContext(model: model, store: store, mergesChanges: true)
  ///     for await changes in await background.updates() { ... }      // including changes by other processes
  ///
  /// - Parameters:
  ///   - model: the model of the store.
  ///   - store: the store.
  ///   - mergesChanges: whether the context automatically merges the commits of other contexts and processes, soon after they are made, and
  ///     at the beginning of each fetch, search and count in a closure. While changes are pending, the context does not merge; see
  ///     ``ManagedObjectContext/mergesChanges``.
  /// - Throws: a ``StoreError`` if the store was opened with another model.
  public init(
    model: ManagedObjectModel, store: any PersistentStore, mergesChanges: Bool = false
  ) throws(StoreError) {
    self.init(try ManagedObjectContext(model: model, store: store), store, mergesChanges)
  }

  /// Creates a context with the objects and the model of a store.
  ///
  ///     let background = BackgroundContext(store: store)
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - mergesChanges: see ``init(model:store:mergesChanges:)``.
  public init(store: any PersistentStore, mergesChanges: Bool = false) {
    self.init(ManagedObjectContext(store: store), store, mergesChanges)
  }

  private init(_ context: sending ManagedObjectContext, _ store: any PersistentStore, _ mergesChanges: Bool) {
    model = context.model
    self.context = context
    threads = ContextThreads(mayBlock: true)
    guard mergesChanges else { return }
    self.context.mergesChanges = true
    follower.follow(store) { [weak self] in await self?.takeOverChanges() }
  }

  private func takeOverChanges() { context.mergeIfPossible() }

  /// Creates a context with the objects of a snapshot.
  public init(_ snapshot: ContextSnapshot) {
    model = snapshot.model
    context = ManagedObjectContext(snapshot)
    threads = ContextThreads(mayBlock: false)
  }

  /// Calls a closure with the context, and returns its result.
  ///
  /// The closure is synchronous, so no other code changes the context while the closure runs. Await other work, such as a download, before
  /// the call. Without a store, the closure occupies one of the few threads of Swift's pool while it runs, so it should not block. To
  /// discard the result of the last line, assign it to `_`: `_ = try objects(...)`.
  ///
  /// - Throws: any error that the closure throws. Uncommitted changes are kept, and can be rolled back.
  public func perform<Result: Sendable, Failure: Error>(
    _ body: @Sendable (ManagedObjectContext) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(context)
  }

  /// Returns a snapshot of all objects, to restore in another context.
  public func snapshot() -> ContextSnapshot { context.snapshot() }

  /// Replaces all objects with the objects of a snapshot; see ``ManagedObjectContext/restore(_:)``.
  ///
  /// - Precondition: the snapshot has the same ``ManagedObjectModel``.
  public func restore(_ snapshot: ContextSnapshot) { context.restore(snapshot) }

  /// Returns this context's changes from now on; see ``ManagedObjectContext/updates()``.
  public func updates() -> AsyncStream<ContextChanges> { context.updates() }
}
