#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The error for an object or property that cannot be read, set, validated or deleted as requested.
///
///     do {
///       try hero.setValue("Bat", of: "nam")
///     } catch {
///       error.diagnostics[0].code         // unknown-property
///       print(error)                      // 'Hero' has no property 'nam'; did you mean 'name'?
///     }
public struct PropertyError: DiagnosticError {
  /// The diagnostics: one error, or everything that ``ManagedObject/validate()`` found.
  public let diagnostics: [Diagnostic]

  init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

  init(_ code: DiagnosticCode, _ message: String, suggestion: String? = nil) {
    self.init([Diagnostic(code: code, message, suggestion: suggestion)])
  }

  /// The messages of the diagnostics.
  public var description: String { diagnostics.map(\.words).joined(separator: "; ") }

  /// The messages of the diagnostics.
  public var errorDescription: String? { description }
}
