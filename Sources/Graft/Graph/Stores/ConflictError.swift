#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Objects that a commit cannot write, because they were changed in the store after they were loaded.
///
///     do {
///       try context.commit()
///     } catch let error as ConflictError {
///       print(error)       // error: 'Hero(1699)' was changed in the store since it was loaded; changed here: name
///       context.rollBack()
///       try context.merge()      // what the store has now
///     }
///
/// Nothing was written, and the changes are still pending. With another ``ManagedObjectContext/conflictPolicy``, the commit can
/// be tried again. After ``ManagedObjectContext/rollBack()`` and ``ManagedObjectContext/merge()``, the changes can be made again.
public struct ConflictError: DiagnosticError {
  /// An object that is in conflict.
  public struct Object: Sendable, Hashable {
    /// The object.
    public let id: ManagedObjectID
    /// The properties that were changed here; empty if the object was inserted or deleted.
    public let properties: [String]
  }

  /// What is wrong: one diagnostic for each object.
  public let diagnostics: [Diagnostic]
  /// The objects, in the same order.
  public let objects: [Object]

  init(_ found: [(object: Object, message: String)]) {
    objects = found.map(\.object)
    diagnostics = found.map { Diagnostic(code: .commitConflict, $0.message) }
  }
}
