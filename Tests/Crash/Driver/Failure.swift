import Graft

/// The error for a store that is not in the expected state.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Returns whether the error of a commit or an import has a given code.
func hasCode(_ error: any Error, _ code: DiagnosticCode) -> Bool {
  (error as? any DiagnosticError)?.diagnostics.contains { $0.code == code } ?? false
}

/// Returns whether an error means that the store can be used again later.
func isUnavailable(_ error: any Error) -> Bool { hasCode(error, .unavailableStore) }
