/// A stable name for a kind of finding, such as `wrong-type`.
///
/// Messages may change from version to version; codes do not. Each has a constant here, and <doc:DiagnosticCodes> explains what it
/// means and how to fix the problem. On the command line, `graft explain wrong-type` prints the same text.
///
///     catch where error.diagnostics.contains(where: { $0.code == .unresolvedIdentifier }) {
///       // Import the objects that it refers to first, then try again.
///     }
public struct DiagnosticCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The name, in lower case with hyphens.
  public let rawValue: String

  /// Creates a code for a diagnostic of your own.
  public init(rawValue: String) { self.rawValue = rawValue }

  init(_ rawValue: String) { self.rawValue = rawValue }

  /// The name.
  public var description: String { rawValue }
}
