#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An error that consists of a list of diagnostics.
///
/// Each public error of the library is a struct of this form, so that new cases do not break source compatibility:
///
///     public struct ModelError: DiagnosticError {
///       public let diagnostics: [Diagnostic]
///       package init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
///     }
public protocol DiagnosticError: LocalizedError, Sendable, CustomStringConvertible {
  /// The diagnostics, in the order of the file or the payload. They may include warnings.
  var diagnostics: [Diagnostic] { get }
}

extension DiagnosticError {
  /// All diagnostics, one line each, without excerpts.
  public var description: String { DiagnosticRenderer(style: .line).render(diagnostics) }

  /// The first error, and the number of further errors.
  public var errorDescription: String? {
    let errors = diagnostics.filter { $0.severity == .error }
    guard let first = errors.first ?? diagnostics.first else { return nil }
    return errors.count > 1 ? "\(first) (and \(errors.count - 1) more)" : first.description
  }
}
