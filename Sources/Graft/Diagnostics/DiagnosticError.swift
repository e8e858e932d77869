#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An error that is a list of diagnostics.
///
/// Each public error of the library is a struct of this shape, so that it can learn new cases without breaking anyone:
///
///     public struct ModelError: DiagnosticError {
///       public let diagnostics: [Diagnostic]
///       package init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
///     }
public protocol DiagnosticError: LocalizedError, Sendable, CustomStringConvertible {
  /// What was found, in the order of the file or the payload. Warnings may stand among the errors.
  var diagnostics: [Diagnostic] { get }
}

extension DiagnosticError {
  /// Everything that was found, one line each, without excerpts.
  public var description: String { DiagnosticRenderer(style: .line).render(diagnostics) }

  /// The first error, and how many more there are.
  public var errorDescription: String? {
    let errors = diagnostics.filter { $0.severity == .error }
    guard let first = errors.first ?? diagnostics.first else { return nil }
    return errors.count > 1 ? "\(first) (and \(errors.count - 1) more)" : first.description
  }
}
