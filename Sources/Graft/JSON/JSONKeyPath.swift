/// Where a property stands in a JSON object: one key, or the keys that lead there.
///
///     let path: JSONKeyPath = "publisher.name"       // dots separate keys
///     let dotted: JSONKeyPath = ["a.b", "c"]          // a key that contains a dot (M7)
///
/// Two words are special as the only key: `@key` stands for the key under which the object itself stands (M11), and
/// `@value` for the element itself where an element under such a key is not an object: `{"4": "Agility"}`.
public struct JSONKeyPath: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  CustomStringConvertible
{
  /// The keys, from the outside in; never empty.
  public let keys: [String]
  /// Whether it was written as an array of keys, where `@key` is a key like others.
  let isLiteral: Bool

  /// Makes a key path of keys, which may contain dots.
  ///
  /// - Precondition: there is at least one key.
  public init(keys: [String]) {
    precondition(!keys.isEmpty, "a key path has at least one key")
    self.keys = keys
    isLiteral = true
  }

  /// Reads a dot-separated key path; nil if it is empty or has an empty key (`a..b`, `.a`, `a.`).
  public init?(_ text: String) {
    // By bytes: a combining mark behind a dot does not make it another character.
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

  /// Reads a dot-separated key path.
  ///
  /// - Precondition: no key is empty.
  public init(stringLiteral text: String) {
    guard let path = JSONKeyPath(text) else { preconditionFailure("'\(text)' is not a key path: it has an empty key") }
    self = path
  }

  /// Makes a key path of keys, which may contain dots.
  public init(arrayLiteral keys: String...) { self.init(keys: keys) }

  /// Whether it is `@key`: the key under which the object stands (M11).
  public var isObjectKey: Bool { !isLiteral && keys == ["@key"] }
  /// Whether it is `@value`: the element itself, where it is not an object.
  public var isElementValue: Bool { !isLiteral && keys == ["@value"] }

  /// As a model file would say it.
  public var description: String {
    isLiteral
      && keys.contains { $0.isEmpty || $0.utf8.contains(UInt8(ascii: ".")) || $0.utf8.first == UInt8(ascii: "@") }
      ? "[" + keys.map { JSONWriter.text(of: .string($0)) }.joined(separator: ", ") + "]" : keys.joined(separator: ".")
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.keys == right.keys && left.isObjectKey == right.isObjectKey && left.isElementValue == right.isElementValue
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(keys) }
}
