/// The location of a declaration in the model file: the text, and the spans of the name and of each key's value.
///
/// Only byte ranges are stored. Lines and columns are computed when a message needs them. For a model built in Swift, there are no ranges.
package struct DescriptionSource: Sendable {
  package var text: SourceText?
  /// The name of the entity or property, with its quotes.
  package var name = SourceRange(offset: 0, length: 0)

  private var keys: [(key: ModelFileKey, range: SourceRange)] = []
  private var elements: [(key: ModelFileKey, index: Int, range: SourceRange)] = []
  private var unreadable: [ModelFileKey] = []

  package init() {}

  package init(text: SourceText, name: SourceRange) {
    self.text = text
    self.name = name
    keys.reserveCapacity(4)
  }

  /// The span of a key's value, or nil if the key is absent.
  package subscript(key: ModelFileKey) -> SourceRange? { keys.first { $0.key == key }?.range }

  /// Records the span of a key's value.
  package mutating func add(_ key: ModelFileKey, _ range: SourceRange) { keys.append((key, range)) }

  /// Records the span of an element of a key's value: an array element, or a row of a mapper's table.
  package mutating func add(_ key: ModelFileKey, element index: Int, _ range: SourceRange) {
    elements.append((key, index, range))
  }

  /// Records that a key's value could not be read. Checks that need the value are skipped.
  package mutating func markUnreadable(_ key: ModelFileKey) { unreadable.append(key) }

  /// Returns whether the key is absent or its value can be read. Always true if there is no file.
  package func isReadable(_ key: ModelFileKey) -> Bool { !unreadable.contains(key) }

  /// Returns the span of the element if it is known; otherwise, the span of the key's value; otherwise, the span of the name.
  package func place(of key: ModelFileKey? = nil, element: Int? = nil) -> SourcePlace {
    guard let key else { return SourcePlace(text: text, range: name) }
    let found = element.flatMap { index in elements.first { $0.key == key && $0.index == index }?.range }
    return SourcePlace(text: text, range: found ?? self[key] ?? name)
  }

  /// Returns the location of a key's value, or of the name if the key is absent; nil if there is no file.
  package func location(of key: ModelFileKey? = nil, element: Int? = nil) -> SourceLocation? {
    place(of: key, element: element).location
  }
}
