/// The path to a property in a JSON object: one or more keys.
///
///     let path: JSONKeyPath = "publisher.name"       // dots separate keys
///     let dotted: JSONKeyPath = ["a.b", "c"]          // a key that contains a dot (M7)
///
/// Three words are special if they are the only key. `@key` is the key under which the object itself appears ([M11](doc:Rules#M11)).
/// `@value` is the value under that key when it is not an object: `{"4": "Agility"}`. `@index` is the position of the object in its array,
/// from 0 ([M12](doc:Rules#M12)).
///
/// Brackets after a key lead through an array: `issues.edges[].node` collects the values of all its elements ([M25](doc:Rules#M25)).
///
/// Two words are special if they are the first key. `@parent.id` is read from the object that encloses the object itself in the payload,
/// and `@root.meta.fetched_at` from the whole document ([M19](doc:Rules#M19)).
public struct JSONKeyPath: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  CustomStringConvertible
{
  /// The keys, outermost first. Never empty.
  public let keys: [String]
  /// Whether the path was written as an array of keys, in which `@key` is an ordinary key.
  let isLiteral: Bool

  /// Creates a key path from keys, which may contain dots.
  ///
  /// - Precondition: There is at least one key.
  public init(keys: [String]) {
    precondition(!keys.isEmpty, "a key path must have at least one key")
    self.keys = keys
    isLiteral = true
  }

  /// Creates a key path from dot-separated text. Returns nil if the text is empty or contains an empty key (`a..b`, `.a`,
  /// `a.`).
  public init?(_ text: String) {
    // Compare bytes, because a combining mark after a dot would form one character with it.
    let bytes = text.utf8
    var keys: [String] = []
    keys.reserveCapacity(2)
    var start = bytes.startIndex
    while let dot = bytes[start...].firstIndex(of: UInt8(ascii: ".")) {
      keys.append(String(text[start..<dot]))
      start = bytes.index(after: dot)
    }
    keys.append(start == bytes.startIndex ? text : String(text[start...]))
    guard !keys.contains(where: \.isEmpty) else { return nil }
    self.keys = keys
    isLiteral = false
  }

  /// Creates a key path from dot-separated text.
  ///
  /// - Precondition: No key is empty.
  public init(stringLiteral text: String) {
    guard let path = JSONKeyPath(text) else { preconditionFailure("'\(text)' is not a key path: it has an empty key") }
    self = path
  }

  /// Creates a key path from keys, which may contain dots.
  public init(arrayLiteral keys: String...) { self.init(keys: keys) }

  /// Whether the path is `@key`, the key under which the object appears ([M11](doc:Rules#M11)).
  public var isObjectKey: Bool { !isLiteral && keys == ["@key"] }
  /// Whether the path is `@value`, the value itself when it is not an object.
  public var isElementValue: Bool { !isLiteral && keys == ["@value"] }

  /// Whether the path is `@index`, the position of the object in its array ([M12](doc:Rules#M12)).
  public var isElementIndex: Bool { !isLiteral && keys == ["@index"] }
  /// Whether the path has a special meaning: it is one of the special words, begins with one, or leads through arrays.
  package var isKeyWord: Bool {
    isObjectKey || isElementValue || isElementIndex || surroundings != nil || isThroughArrays
  }

  /// The brackets after a key whose value is an array that the path leads through.
  package static let brackets = "[]"

  /// Whether the path leads through arrays: `edges[].node` ([M25](doc:Rules#M25)).
  package var isThroughArrays: Bool {
    !isLiteral && keys.contains { $0.utf8.last == UInt8(ascii: "]") && $0.hasSuffix(JSONKeyPath.brackets) }
  }

  /// The keys up to each array that the path leads through, without brackets, and the keys after the last array. Empty if the path
  /// does not lead through arrays.
  package var segments: [[String]] {
    guard isThroughArrays else { return [] }
    var segments: [[String]] = [[]]
    for key in keys {
      let isArray = key.hasSuffix(JSONKeyPath.brackets)
      segments[segments.count - 1].append(isArray ? String(key.dropLast(JSONKeyPath.brackets.count)) : key)
      if isArray { segments.append([]) }
    }
    return segments
  }

  /// The source of a key path that starts outside the object.
  package enum Surroundings: String, Sendable {
    /// The object that encloses the object itself.
    case parent = "@parent"
    /// The whole document.
    case root = "@root"
  }

  /// The source of the path if it begins with `@parent` or `@root` ([M19](doc:Rules#M19)); nil if it reads from the object
  /// itself. The remaining keys lead from that source to the value.
  package var surroundings: Surroundings? {
    isLiteral || keys[0].utf8.first != UInt8(ascii: "@") ? nil : Surroundings(rawValue: keys[0])
  }

  /// The single key after the array that the path leads through; nil if there are more keys or arrays, which exports cannot write.
  package var elementKey: String? {
    let segments = segments
    return segments.count == 2 && segments[1].count == 1 ? segments[1][0] : nil
  }

  /// The path as written in a model file.
  public var description: String {
    isLiteral
      && keys.contains {
        $0.isEmpty || $0.utf8.contains(UInt8(ascii: ".")) || $0.utf8.first == UInt8(ascii: "@")
          || $0.hasSuffix(JSONKeyPath.brackets)
      }
      ? "[" + keys.map { JSONWriter.text(of: .string($0)) }.joined(separator: ", ") + "]" : keys.joined(separator: ".")
  }

  /// Key paths are equal if their keys have the same bytes, as keys in JSON are, and both or neither are special words.
  public static func == (left: Self, right: Self) -> Bool {
    left.isKeyWord == right.isKeyWord && left.keys.elementsEqual(right.keys) { UTF8Key($0) == UTF8Key($1) }
  }

  public func hash(into hasher: inout Hasher) {
    for key in keys { hasher.combine(UTF8Key(key)) }
  }
}
