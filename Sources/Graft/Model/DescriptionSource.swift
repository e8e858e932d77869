/// Where the model file declares something: the text, the place of its name, and the places of its keys' values.
///
/// Byte ranges only; lines and columns are worked out when a message needs them. Empty for models built in Swift.
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

  /// The place of a key's value; nil where the key is not given.
  package subscript(key: ModelFileKey) -> SourceRange? { keys.first { $0.key == key }?.range }

  /// Notes the place of a key's value.
  package mutating func add(_ key: ModelFileKey, _ range: SourceRange) { keys.append((key, range)) }

  /// Notes the place of an element of a key's value: of an array, or of the table of a mapper.
  package mutating func add(_ key: ModelFileKey, element index: Int, _ range: SourceRange) {
    elements.append((key, index, range))
  }

  /// Notes that a key's value could not be read: checks that would need it stay silent.
  package mutating func markUnreadable(_ key: ModelFileKey) { unreadable.append(key) }

  /// Whether the file gives the key a value that can be read, or does not give the key. Always true without a file.
  package func isReadable(_ key: ModelFileKey) -> Bool { !unreadable.contains(key) }

  /// The place of an element of a key's value, of the value, or of the name: the first that is known.
  package func place(of key: ModelFileKey? = nil, element: Int? = nil) -> SourcePlace {
    guard let key else { return SourcePlace(text: text, range: name) }
    let found = element.flatMap { index in elements.first { $0.key == key && $0.index == index }?.range }
    return SourcePlace(text: text, range: found ?? self[key] ?? name)
  }

  /// The location of a key's value, or of the name where the key is not given; nil without a file.
  package func location(of key: ModelFileKey? = nil, element: Int? = nil) -> SourceLocation? {
    place(of: key, element: element).location
  }
}
