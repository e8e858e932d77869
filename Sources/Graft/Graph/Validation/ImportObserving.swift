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
  /// Whether a dictionary is imported at all. If not, it is skipped with everything in it: no object is inserted or changed. The
  /// report lists it as skipped.
  ///
  /// A skipped dictionary still mentions its object. If there is one with its identity when the payload ends, links lead to it,
  /// and ``ImportPart/MissingObjects/delete`` keeps it. If there is none, a to-one stays as it was, and a to-many goes without it.
  ///
  /// Asked before anything of the dictionary but its identity is read, and once for each.
  ///
  /// - Throws: what speaks against the payload: the import fails, and ``ImportError/underlyingError`` is this error.
  static func shouldImport(_ payload: JSON) throws -> Bool

  /// As ``shouldImport(_:)``, which the default calls, with the object that the dictionary would change. To keep what is newer:
  ///
  ///     static func shouldImport(_ payload: JSON, updating stored: ManagedObject?) -> Bool {
  ///       guard let version = (stored as? Photo)?.version else { return true }
  ///       return payload["version"]?.numberValue?.int64 ?? 0 > version
  ///     }
  ///
  /// - Parameters:
  ///   - payload: the dictionary.
  ///   - stored: the object with the identity of the dictionary. nil if there is none, or only a placeholder.
  /// - Throws: what speaks against the payload: the import fails, and ``ImportError/underlyingError`` is this error.
  static func shouldImport(_ payload: JSON, updating stored: ManagedObject?) throws -> Bool

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
  /// set values and links of this and other objects, insert and delete, also in a transaction of its own. All of that is part
  /// of the import: it is validated (I9), and rolled back if the import fails (I10). A value that a property setter refuses, such
  /// as an identity that another object has, is an error at the place of the dictionary. Importing, exporting, committing and
  /// rolling back are not possible here (T5).
  ///
  /// - Throws: what speaks against the payload: the import fails, and ``ImportError/underlyingError`` is this error.
  func didImport(_ payload: JSON) throws
}

extension ImportObserving {
  /// What ``shouldImport(_:)`` returns.
  ///
  /// - Throws: what that throws.
  public static func shouldImport(_ payload: JSON, updating stored: ManagedObject?) throws -> Bool {
    try shouldImport(payload)
  }
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
