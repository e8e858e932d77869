/// Where the model file declares something: the text, the place of its name, and the places of its keys' values.
///
/// Byte ranges only; lines and columns are worked out when a message needs them. Empty for models built in Swift.
package struct DescriptionSource: Sendable {
  package var text: SourceText?
  /// The name of the entity or property, with its quotes.
  package var name = SourceRange(offset: 0, length: 0)
  /// The value of each key, such as `type` or `inverse`.
  package var values: [ModelFileKey: SourceRange] = [:]

  package init() {}

  /// The place of a key's value, or of the name where the key is not given; nil without a file.
  package func location(of key: ModelFileKey? = nil) -> SourceLocation? {
    guard let text else { return nil }
    return text.location(of: key.flatMap { values[$0] } ?? name)
  }
}
