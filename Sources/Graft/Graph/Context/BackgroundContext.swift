/// A context of its own that works off the main actor, and one task at a time (C3).
///
///     let background = BackgroundContext(model: model)
///     let names = try await background.perform { context in
///       try objects(Hero.self, fromJSON: data, in: context).compactMap(\.name)
///     }
///
/// The context and its objects stay inside: what leaves a closure must be Sendable, and the compiler sees to it. That is
/// values, ``ManagedObjectID``s, ``ContextChanges`` and ``ContextSnapshot``s. Several background contexts import side by side;
/// one runs its closures one after the other, each from beginning to end.
public actor BackgroundContext {
  /// The model of the objects.
  public nonisolated let model: ManagedObjectModel
  private let context: ManagedObjectContext

  /// Makes an empty context.
  public init(model: ManagedObjectModel) {
    self.model = model
    context = ManagedObjectContext(model: model)
  }

  /// Makes a context with the objects of a snapshot.
  public init(_ snapshot: ContextSnapshot) {
    model = snapshot.model
    context = ManagedObjectContext(snapshot)
  }

  /// Lends the context to a closure, and gives back what it returns.
  ///
  /// The closure cannot wait for anything: between its first and its last line nobody else changes the context. What must be
  /// awaited, such as a download, is awaited before. While it runs it holds a thread. What the last line gives is what the
  /// closure returns: `_ = try objects(...)` where nobody needs it.
  ///
  /// - Throws: what the closure throws. Changes of the closure that were not committed stay, and can be rolled back.
  public func perform<Result: Sendable, Failure: Error>(
    _ body: @Sendable (ManagedObjectContext) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(context)
  }

  /// All objects as they are now, to restore in another context.
  public func snapshot() -> ContextSnapshot { context.snapshot() }

  /// Replaces everything by the objects of a snapshot; see ``ManagedObjectContext/restore(_:)``.
  ///
  /// - Precondition: the snapshot is of the same ``ManagedObjectModel``.
  public func restore(_ snapshot: ContextSnapshot) { context.restore(snapshot) }

  /// The changes of this context from now on; see ``ManagedObjectContext/updates()``.
  public func updates() -> AsyncStream<ContextChanges> { context.updates() }
}
