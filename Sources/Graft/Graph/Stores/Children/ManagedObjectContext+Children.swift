/// Contexts that use another context as their store.
extension ManagedObjectContext {
  /// Creates a child context, which uses this context as its store. It is a scratch pad whose changes are applied to this context when it
  /// commits.
  ///
  ///     let draft = context.makeChild()
  ///     let hero = try draft.find(Hero.self, id: 1699)
  ///     hero?.name = "Batman"
  ///     try draft.commit()               // now an uncommitted change to `context`; to discard the draft, release it instead
  ///     try context.commit()
  ///
  /// A child loads data from its parent as needed, including uncommitted changes. A child validates its changes when it commits. In the
  /// parent, these changes are uncommitted; the parent's own commit validates and writes them. The child's ``rollBack()`` discards its
  /// changes, and none of them reaches the parent. An import into a child commits to the parent in the same way.
  ///
  /// The child shows the parent as it was when the child last committed or called ``merge()``, or, before that, at the child's first read.
  /// If the parent has changed the same object since, the child's commit throws a ``ConflictError``, or follows the child's
  /// ``conflictPolicy``.
  ///
  /// A context can have several children, and children can have children of their own. A child keeps its parent alive, and belongs to the
  /// same isolation. Creating a child takes constant time and loads nothing. If the parent has a store, the child's first read, and the
  /// first read after each merge or commit, copies the data that the parent has in memory. Without a store, nothing is copied until the
  /// parent changes in any way other than through the child's commits.
  ///
  /// - Returns: an empty context of the same model.
  public func makeChild() -> ManagedObjectContext {
    ManagedObjectContext(ParentStore(self))
  }

  /// The context that this context uses as its store; nil unless this context was created with ``makeChild()``.
  public var parent: ManagedObjectContext? { (binding?.store as? ParentStore)?.parent }
}
