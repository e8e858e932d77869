#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The error for a store that cannot be opened, read or written.
///
///     do {
///       try context.commit()
///     } catch let error as StoreError {
///       print(error)          // error: the store 'shop.graft' cannot be written: the disk is full; free some space and try again
///     }
///
/// The context is as it was before the call, and the call can be repeated.
public struct StoreError: DiagnosticError {
  /// The diagnostics.
  public let diagnostics: [Diagnostic]

  /// Creates an error.
  public init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

  /// Creates an error with one diagnostic.
  public init(_ code: DiagnosticCode, _ message: String, notes: [String] = []) {
    self.init([Diagnostic(code: code, message, notes: notes.map { Diagnostic.Note($0) })])
  }
}
