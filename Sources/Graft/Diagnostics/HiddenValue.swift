/// The text that people see instead of a sensitive value (M29).
///
/// Whether a value is sensitive is decided once, when the model is compiled (`Plan/SensitiveValues.swift`). Text for people is
/// based on that decision.
package enum HiddenValue {
  /// The text that replaces a value.
  package static let text = "<hidden>"

  /// The phrases for found values that do not contain the values themselves.
  private static let plain: Set = [
    "null", "none", "an object", "an array", "an empty object", "another object or none",
    "one that is marked as deleted",
  ]

  /// Returns the phrase for a value, without the value.
  static func phrase(_ found: String) -> String { plain.contains(found) ? found : text }

  /// Returns the description of an error that a closure threw. Its text may contain the closure's argument.
  ///
  /// - Parameter isHidden: whether only the type of the error is described.
  static func text(of error: any Error, isHidden: Bool) -> String {
    isHidden ? "an error of type '\(type(of: error))', whose text may contain sensitive values" : "\(error)"
  }
}
