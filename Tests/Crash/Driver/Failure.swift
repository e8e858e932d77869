import Graft

/// A store that is not as it must be.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Whether an error of a commit or an import has a code.
func hasCode(_ error: any Error, _ code: DiagnosticCode) -> Bool {
  (error as? any DiagnosticError)?.diagnostics.contains { $0.code == code } ?? false
}

/// Whether an error means that the store can be used later.
func isUnavailable(_ error: any Error) -> Bool { hasCode(error, .unavailableStore) }
