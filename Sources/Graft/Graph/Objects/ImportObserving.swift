/// A managed-object class with hooks that run when its objects are imported.
///
///     extension Photo: ImportObserving {
///       static func shouldImport(_ payload: JSON) -> Bool { payload["deleted"]?.booleanValue != true }
///
///       func didImport(_ payload: JSON) {
///         guard let width, let height else { return }
///         ratio = width / height              // a derived value: kept if the import succeeds, otherwise rolled back
///       }
///     }
///
/// Each method has a default implementation. A hook receives the dictionary as it is read, after dictionary transformers and the mapper
/// ([I7](doc:Rules#I7)). If a hook throws, the import fails. The error has the location of the dictionary, and its underlying error is
/// the thrown error.
///
/// Conforming classes are found when the model is loaded; other classes cost nothing. Each dictionary of a conforming class is converted to
/// ``JSON`` twice. Hooks are not called for identifiers.
///
/// With a store, an import that encounters a conflict is rolled back and tried again. Its hooks are then called again, on objects with
/// the values that other contexts or processes have committed.
public protocol ImportObserving: ManagedObject {
  /// Returns whether to import a dictionary. If the result is false, the dictionary and everything in it are skipped, so no object is
  /// inserted or changed. The report lists the dictionary as skipped.
  ///
  /// A skipped dictionary is still treated as a mention of its object. If that object exists when the payload ends, links refer to the
  /// object, and ``ImportPart/MissingObjects/delete`` keeps it. Otherwise, a to-one relationship is unchanged, and a to-many
  /// relationship omits the object.
  ///
  /// Called once for each dictionary, when only its identity has been read.
  ///
  /// - Throws: an error that rejects the payload. The import fails, and ``ImportError/underlyingError`` is this error.
  static func shouldImport(_ payload: JSON) throws -> Bool

  /// Returns whether to import a dictionary, given the object that it would change. The default implementation calls
  /// ``shouldImport(_:)``. For example, to keep newer objects:
  ///
  ///     static func shouldImport(_ payload: JSON, updating stored: ManagedObject?) -> Bool {
  ///       guard let version = (stored as? Photo)?.version else { return true }
  ///       return payload["version"]?.numberValue?.int64 ?? 0 > version
  ///     }
  ///
  /// - Parameters:
  ///   - payload: the dictionary.
  ///   - stored: the object with the identity of the dictionary; nil if there is no such object, or only a placeholder.
  /// - Throws: an error that rejects the payload. The import fails, and ``ImportError/underlyingError`` is this error.
  static func shouldImport(_ payload: JSON, updating stored: ManagedObject?) throws -> Bool

  /// Called before a dictionary that describes this existing object is read, so that the hook can inspect the old values. Not
  /// called if the dictionary inserts the object or fills a placeholder, or if the entity has no identity.
  ///
  /// The payload has been read only in part, so the context must not be changed ([T5](doc:Rules#T5)).
  ///
  /// - Throws: an error that rejects the payload. The import fails, and ``ImportError/underlyingError`` is this error.
  func willImport(_ payload: JSON) throws

  /// Called after a dictionary that describes this object has been imported. All its values, and all links of the whole payload, have been
  /// set.
  ///
  /// Called at the end of the payload, in payload order, once for each dictionary, and only if there are no errors. The hook may set values
  /// and links of this object and other objects, and insert and delete objects, including in its own transaction. All of that is part of
  /// the import: it is validated ([I9](doc:Rules#I9)), and rolled back if the import fails ([I10](doc:Rules#I10)). If a property setter
  /// refuses a value, such as an identity that another object has, an error is reported at the location of the dictionary. Importing,
  /// exporting, committing and rolling back are not allowed here ([T5](doc:Rules#T5)).
  ///
  /// - Throws: an error that rejects the payload. The import fails, and ``ImportError/underlyingError`` is this error.
  func didImport(_ payload: JSON) throws
}

extension ImportObserving {
  /// Returns the result of ``shouldImport(_:)``.
  ///
  /// - Throws: any error that ``shouldImport(_:)`` throws.
  public static func shouldImport(_ payload: JSON, updating stored: ManagedObject?) throws -> Bool {
    try shouldImport(payload)
  }
  /// Returns true.
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
