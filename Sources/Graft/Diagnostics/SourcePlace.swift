/// A range of bytes in a known text. Line and column are computed on demand.
package struct SourcePlace: Sendable {
  /// The text, or nil if there is no text, as in a model built in Swift. In that case, the range only defines an order.
  package var text: SourceText?
  package var range: SourceRange

  package init(text: SourceText?, range: SourceRange) {
    self.text = text
    self.range = range
  }

  /// The file, line, column and excerpt. Expected O(offset).
  package var location: SourceLocation? { text?.location(of: range) }
}
