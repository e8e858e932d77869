/// An error in the text of a condition or of sort keys.
package struct ConditionError: Error {
  /// An error, with its location in the text.
  package let diagnostic: Diagnostic
}

/// The text of a condition, and the positions in it.
struct ConditionText {
  let source: SourceText
  /// The offset of a value that was interpolated between quotes, and could therefore end the quoted string.
  var quotedValue: Int?

  /// - Parameter name: the name of the text in messages, such as the name of an option.
  init(_ text: String, name: String) { source = SourceText(name: name, bytes: Array(text.utf8)) }

  init(_ condition: ObjectCondition) {
    self.init(condition.text, name: "condition")
    quotedValue = condition.quotedValue
  }

  func error(_ message: String, _ range: SourceRange, suggestion: String? = nil) -> ConditionError {
    ConditionError(
      diagnostic: Diagnostic(
        code: .invalidCondition, message, at: source.location(of: range), suggestion: suggestion))
  }
}
