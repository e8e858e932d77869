#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The error for a rejected payload: everything that is wrong with it, each with its JSON path, its location in the text,
/// and the line of the model that requires it (I11). The context is unchanged (I10).
///
///     do {
///       try objects(Hero.self, fromJSON: data, in: context)
///     } catch {
///       print(DiagnosticRenderer().render(error.diagnostics))
///     }
public struct ImportError: DiagnosticError {
  /// The findings, ordered by location in the payload (D7).
  public let diagnostics: [Diagnostic]
  /// The error that a transformer or mapper threw, if one did (T3).
  public let underlyingError: (any Error)?

  /// Whether there may be more errors than ``ImportLimits/errors`` allows to be collected.
  package let isAtLimit: Bool

  package init(_ diagnostics: [Diagnostic], underlyingError: (any Error)? = nil, isAtLimit: Bool = false) {
    self.diagnostics = diagnostics
    self.underlyingError = underlyingError
    self.isAtLimit = isAtLimit
  }
}

extension ImportError {
  /// Creates the error for an import that succeeded but cannot be written to the store.
  init(writing error: any Error) {
    self.init((error as? any DiagnosticError)?.diagnostics ?? [], underlyingError: error)
  }

  /// Creates the error for an import that succeeded but would also write earlier changes that are not valid.
  init(_ earlierChanges: ValidationError) {
    let note = Diagnostic.Note(
      "it was changed before the import, which also writes earlier changes: commit or roll back first")
    let diagnostics = earlierChanges.diagnostics.map { diagnostic in
      var diagnostic = diagnostic
      diagnostic.notes.append(note)
      return diagnostic
    }
    self.init(diagnostics, underlyingError: earlierChanges)
  }
}
