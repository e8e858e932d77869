package import Graft

/// The reason why a command ends early.
package struct Failure: Error {
  /// The exit status.
  package let status: ExitStatus
  /// The message, without a trailing newline.
  package var message: String
  /// The errors of a model, a payload or an export. The message summarizes them.
  package var diagnostics: [Diagnostic] = []
  /// The code of the message, if that is the error itself.
  package var code: DiagnosticCode?

  package init(status: ExitStatus, message: String, diagnostics: [Diagnostic] = [], code: DiagnosticCode? = nil) {
    self.status = status
    self.message = message
    self.diagnostics = diagnostics
    self.code = code
  }

  /// The errors, for a report that a program reads.
  package var reported: [Diagnostic] {
    guard diagnostics.isEmpty, let code else { return diagnostics }
    return [Diagnostic(code: code, message)]
  }

  /// Returns a usage error, with the word that was probably intended.
  package static func usage(_ message: String, suggestion: String? = nil) -> Failure {
    Failure(status: .wrongUsage, message: suggestion.map { "\(message); did you mean '\($0)'?" } ?? message)
  }

  /// Returns an error for a file or stream, with its name and the system's reason.
  package static func file(_ action: String, _ path: String, _ reason: String) -> Failure {
    let name = path == "-" ? "standard \(action == "read" ? "input" : "output")" : "'\(FilePath.shown(path))'"
    return Failure(
      status: .unusableFile, message: "cannot \(action) \(name): \(reason)",
      code: action == "read" ? .unreadableFile : .unwritableFile)
  }

  /// Returns the errors of a model, a payload or an export with their locations, followed by a summary.
  ///
  /// - Parameter isAtLimit: whether there may be more errors.
  package static func diagnostics(
    _ diagnostics: [Diagnostic], isAtLimit: Bool = false, so outcome: (String) -> String
  ) -> Failure {
    let errors = counted(diagnostics.reduce(0) { $0 + ($1.severity == .error ? $1.count : 0) }, "error")
    let words = isAtLimit ? "stopped after \(errors)" : errors
    return Failure(status: .failed, message: outcome(words), diagnostics: diagnostics)
  }
}

/// Returns a number and a noun: `1 error`, `2 errors`.
package func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}
