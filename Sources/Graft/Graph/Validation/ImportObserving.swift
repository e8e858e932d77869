/// A managed-object class that has a say in the import of its objects.
///
///     extension Photo: ImportObserving {
///       static func shouldImport(_ payload: JSON) -> Bool { payload["deleted"]?.booleanValue != true }
///
///       func didImport(_ payload: JSON) {
///         guard let width, let height else { return }
///         ratio = width / height              // a derived value, imported or not at all with the rest
///       }
///     }
///
/// Each method has a default that does nothing. What a hook gets is the dictionary as it is read: after dictionary
/// transformers and mapper (I7). An error that it throws fails the import, at the place of the dictionary, and stays the cause.
///
/// Which classes conform is found out when the model is loaded; others cost nothing. The dictionaries of a class that does
/// are made into ``JSON`` twice. Identifiers are no dictionaries: hooks do not hear of them.
public protocol ImportObserving: ManagedObject {
  /// Whether a dictionary is imported at all. One for which the answer is no is passed over with all that is in it: no object
  /// is made or changed, a to-one that it is the value of stays as it was, and a to-many goes without it (as with
  /// `"unresolvedRule": "skip"`). The report lists it as skipped.
  ///
  /// Asked before anything of the dictionary is read, and once for each.
  ///
  /// - Throws: what speaks against the payload: the import fails, and ``ImportError/underlyingError`` is this error.
  static func shouldImport(_ payload: JSON) throws -> Bool

  /// A dictionary is about to be read that describes this object, which was there before: a chance to look at the old values.
  /// Not called for an object that the dictionary makes, or makes of a placeholder, nor where an entity has no identity.
  ///
  /// The payload is half read: the context must not be changed (T5).
  ///
  /// - Throws: what speaks against the payload: the import fails, and ``ImportError/underlyingError`` is this error.
  func willImport(_ payload: JSON) throws

  /// A dictionary that describes this object was imported: all its values are there, and all links of the whole payload.
  ///
  /// Called at the end of the payload, in its order, once for each dictionary, and only if nothing was refused. The hook may
  /// set values and links of this and other objects, insert and delete. All of that is part of the import: it is validated
  /// (I9), and taken back if the import fails (I10). Importing, committing and rolling back are not possible here (T5).
  ///
  /// - Throws: what speaks against the payload: the import fails, and ``ImportError/underlyingError`` is this error.
  func didImport(_ payload: JSON) throws
}

extension ImportObserving {
  /// Yes.
  ///
  /// - Throws: nothing.
  public static func shouldImport(_ payload: JSON) throws -> Bool { true }
  /// Does nothing.
  ///
  /// - Throws: nothing.
  public func willImport(_ payload: JSON) throws {}
  /// Does nothing.
  ///
  /// - Throws: nothing.
  public func didImport(_ payload: JSON) throws {}
}
