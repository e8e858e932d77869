/// A run of bytes in a text that is known. Line and column are worked out when they are asked for.
package struct SourcePlace: Sendable {
  /// The text; nil where there is none, as in a model built in Swift. The range then only says what comes first.
  package var text: SourceText?
  package var range: SourceRange

  package init(text: SourceText?, range: SourceRange) {
    self.text = text
    self.range = range
  }

  /// File, line, column and excerpt. Expected O(offset).
  package var location: SourceLocation? { text?.location(of: range) }
}
