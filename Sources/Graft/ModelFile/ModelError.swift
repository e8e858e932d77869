/// A model that cannot be used: everything that is wrong with it, each with its place (M9).
///
///     do {
///       let model = try ManagedObjectModel(contentsOf: url)
///     } catch {
///       print(error)                              // one line for each finding
///     }
///
/// ``DiagnosticRenderer`` draws the ``diagnostics`` with excerpts of the file.
public struct ModelError: DiagnosticError {
  /// What was found, in file order. Warnings may stand among the errors.
  public let diagnostics: [Diagnostic]

  package init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
}
