import Foundation

/// The error for a Foundation value that is not JSON: a date, NaN, a set.
public struct JSONConversionError: DiagnosticError, Equatable {
  /// The path of the value, such as `$.powers[0].since`.
  public let path: String
  /// A description of the problem, such as `a Date is not a JSON value`.
  public let message: String

  /// The error as a single diagnostic, with the code `not-json`.
  public var diagnostics: [Diagnostic] { [Diagnostic(code: .notJSON, message, path: path)] }

  /// The message and path in one line.
  public var description: String { "\(message) (at \(path))" }

  /// Path and message in one line.
  public var errorDescription: String? { description }
}
