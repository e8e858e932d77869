/// What happens to changes of objects that others changed in the store after the version that the context shows.
///
///     context.conflictPolicy = .mergeByProperty
///
/// No policy resolves contradictions: an identity that two stored objects would have, or a placeholder that became an object of
/// one entity here, and of another one in the store ([S5](doc:Rules#S5)).
public enum ConflictPolicy: Sendable, Hashable {
  /// The commit or merge throws a ``ConflictError``, and changes nothing.
  case refuse
  /// The store's object replaces the one in the context, whose changes are lost.
  case storeWins
  /// The context's object replaces the one in the store. If it was deleted there, it is inserted again.
  case contextWins
  /// Properties that were changed in the context replace those in the store; the others are taken from the store. If the object
  /// was deleted on either side, it is deleted.
  case mergeByProperty
}
