import Graft

/// Why a command ends early.
struct Failure: Error {
  /// What to tell the shell.
  let status: ExitStatus
  /// What to tell people, without a line end.
  let message: String
  /// What is wrong with a model, a payload or an export: the message says what that means.
  var diagnostics: [Diagnostic] = []

  /// The user's words make no sense: what is wrong with them, and the word that was probably meant.
  static func usage(_ message: String, suggestion: String? = nil) -> Failure {
    Failure(status: .wrongUsage, message: suggestion.map { "\(message); did you mean '\($0)'?" } ?? message)
  }

  /// A file or stream does not do what was asked of it: which one, and the reason that the system gives.
  static func file(_ action: String, _ path: String, _ reason: String) -> Failure {
    let name = path == "-" ? "the standard \(action == "read" ? "input" : "output")" : "'\(FilePath.shown(path))'"
    return Failure(status: .unusableFile, message: "cannot \(action) \(name): \(reason)")
  }

  /// A model, a payload or an export has errors: each with its place, and last what that means.
  ///
  /// - Parameter isAtLimit: whether there may be more errors than those.
  static func diagnostics(
    _ diagnostics: [Diagnostic], isAtLimit: Bool = false, so outcome: (String) -> String
  ) -> Failure {
    let errors = counted(diagnostics.reduce(0) { $0 + ($1.severity == .error ? $1.count : 0) }, "error")
    let words = isAtLimit ? "stopped after \(errors)" : errors
    return Failure(status: .failed, message: outcome(words), diagnostics: diagnostics)
  }
}

/// A number and a noun: `1 error`, `2 errors`.
func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}
