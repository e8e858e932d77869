import Graft

/// Why a command ends early.
struct Failure: Error {
  /// What to tell the shell.
  let status: ExitStatus
  /// What to tell people, without a line end.
  let message: String

  /// The user's words make no sense: what is wrong with them, and the word that was probably meant.
  static func usage(_ message: String, suggestion: String? = nil) -> Failure {
    Failure(status: .wrongUsage, message: suggestion.map { "\(message); did you mean '\($0)'?" } ?? message)
  }

  /// A file or stream does not do what was asked of it: which one, and the reason that the system gives.
  static func file(_ action: String, _ path: String, _ reason: String) -> Failure {
    let name = path == "-" ? "the standard \(action == "read" ? "input" : "output")" : "'\(path)'"
    return Failure(status: .unusableFile, message: "cannot \(action) \(name): \(reason)")
  }

  /// A model, a payload or an export has errors: each with its place, and last what that means.
  static func diagnostics(_ diagnostics: [Diagnostic], so outcome: (String) -> String) -> Failure {
    let errors = diagnostics.count { $0.severity == .error }
    let text = DiagnosticRenderer(style: .excerpt).render(diagnostics)
    return Failure(status: .failed, message: "\(text)\n\(outcome(counted(errors, "error")))")
  }
}

/// A number and a noun: `1 error`, `2 errors`.
func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}
