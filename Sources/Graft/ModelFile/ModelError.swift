#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The error for a model that cannot be used, with all its findings and their locations ([M9](doc:Rules#M9)).
///
///     do {
///       let model = try ManagedObjectModel(contentsOf: url)
///     } catch {
///       print(error)                              // one line for each finding
///     }
///
/// ``DiagnosticRenderer`` renders the ``diagnostics`` with excerpts of the file.
public struct ModelError: DiagnosticError {
  /// The findings in file order. They may include warnings.
  public let diagnostics: [Diagnostic]

  package init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
}
