/// The way to resolve changes to objects that have also been changed in the store since the version that the context shows.
///
///     context.conflictPolicy = .mergeByProperty
///
/// No policy resolves contradictions, such as an identity that two stored objects would share, or a placeholder that became an object of
/// one entity in the context, and of another entity in the store ([S5](doc:Rules#S5)).
public enum ConflictPolicy: Sendable, Hashable {
  /// The commit or merge throws a ``ConflictError``, and changes nothing.
  case refuse
  /// The store's object replaces the object in the context, whose changes are lost.
  case storeWins
  /// The context's object replaces the object in the store. If the object was deleted in the store, it is inserted again.
  case contextWins
  /// Properties that were changed in the context replace those in the store; all other properties are taken from the store. If the object
  /// was deleted on either side, it is deleted.
  case mergeByProperty
}
