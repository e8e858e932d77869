#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The error for changes that cannot be committed because they violate the model ([I9](doc:Rules#I9)).
///
///     do {
///       try context.commit()
///     } catch {
///       print(error)         // error: expected a value for 'Hero.name', which is not optional, found none (Hero(1699))
///     }
///
/// Each diagnostic names the object, and the line of the model that it violates. Its ``Diagnostic/subject`` and
/// ``Diagnostic/objectID`` contain the same information as data.
public struct ValidationError: DiagnosticError {
  /// The failures, by entity and in insertion order.
  public let diagnostics: [Diagnostic]

  package init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
}
