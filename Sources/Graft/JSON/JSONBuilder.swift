/// Builds a tree from a text: for closures, for reading `json` attributes, and for exports to dictionaries.
///
/// Iterative; rejects duplicate keys (D8). Generic over the tree, so that one algorithm builds both ``JSON`` and
/// Foundation's `Any`.
enum JSONBuilder {
  /// The maximum depth ever read, whatever the limits. Swift releases nested values recursively, and a tree of this depth
  /// can be released with a stack of 512 KB.
  static let deepest = 1024

  /// Parses a whole text as ``JSON``.
  static func json(_ bytes: UnsafeBufferPointer<UInt8>, maxDepth: Int = deepest) throws(JSONSyntaxError) -> JSON {
    try whole(bytes, maxDepth: maxDepth, JSONTree.self)
  }

  static func whole<Tree: JSONTreeMaking>(
    _ bytes: UnsafeBufferPointer<UInt8>, maxDepth: Int, _ tree: Tree.Type
  ) throws(JSONSyntaxError) -> Tree.Value {
    var scanner = JSONScanner(bytes, maxDepth: maxDepth)
    var scratch = ScratchText()
    defer { scratch.free() }
    try scanner.beginText()
    let value = try build(&scanner, &scratch, tree)
    try scanner.endText()
    return value
  }

  /// Parses the value at the scanner's position.
  static func build<Tree: JSONTreeMaking>(
    _ scanner: inout JSONScanner, _ scratch: inout ScratchText, _ tree: Tree.Type
  ) throws(JSONSyntaxError) -> Tree.Value {
    var levels: [Level<Tree.Value>] = []
    let outer = scanner.depth
    while true {
      var value: Tree.Value
      let start = scanner.offset
      switch scanner.peek {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let isObject = scanner.peek == UInt8(ascii: "{")
        try scanner.descend()
        scanner.position += 1
        scanner.skipWhitespace()
        if scanner.peek == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          scanner.position += 1
          scanner.ascend()
          value = isObject ? Tree.object([], []) : Tree.array([])
        } else {
          var level = Level<Tree.Value>(isObject: isObject, start: start)
          if isObject { try level.readKey(&scanner, &scratch) }
          levels.append(level)
          continue
        }
      case UInt8(ascii: "\""):
        let raw = try scanner.scanString()
        value = Tree.string(String(decoding: scanner.text(of: raw, in: &scratch), as: UTF8.self))
      case UInt8(ascii: "t"):
        try scanner.literal(.true)
        value = Tree.boolean(true)
      case UInt8(ascii: "f"):
        try scanner.literal(.false)
        value = Tree.boolean(false)
      case UInt8(ascii: "n"):
        try scanner.literal(.null)
        value = Tree.null
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        value = Tree.number(try scanner.scanNumber())
      default:
        throw scanner.isAtEnd
          ? scanner.failure(.unexpectedEnd("a JSON value")) : scanner.failure(.badLiteral)
      }
      value = Tree.located(value, at: start)
      // Add the value to its container. A container that ends is itself a value.
      while true {
        let last = levels.count - 1
        guard last >= 0 else {
          assert(scanner.depth == outer)
          return value
        }
        levels[last].values.append(value)
        let isObject = levels[last].isObject
        if try scanner.continues(before: isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          if isObject { try levels[last].readKey(&scanner, &scratch) }
          break
        }
        scanner.ascend()
        let level = levels.removeLast()
        value = isObject ? Tree.object(level.keys, level.values) : Tree.array(level.values)
        value = Tree.located(value, at: level.start)
      }
    }
  }

  private struct Level<Value> {
    let isObject: Bool
    /// The offset of its beginning.
    let start: Int
    var keys: [String] = []
    var values: [Value] = []
    private var seen = SeenKeys()

    init(isObject: Bool, start: Int) {
      self.isObject = isObject
      self.start = start
    }

    mutating func readKey(_ scanner: inout JSONScanner, _ scratch: inout ScratchText) throws(JSONSyntaxError) {
      guard scanner.peek == UInt8(ascii: "\"") else { throw scanner.unexpected("a key in double quotes") }
      let place = scanner.position
      let raw = try scanner.scanString()
      let text = scanner.text(of: raw, in: &scratch)
      let key = String(decoding: text, as: UTF8.self)
      // Compare bytes: keys that are only canonically equivalent are different keys.
      guard seen.insert(text, among: keys) else { throw scanner.failure(.duplicateKey(key), at: place) }
      keys.append(key)
      try scanner.expectColon()
    }
  }
}

/// The keys of an object that is being read, to find one that occurs twice. Keys of few members are compared by a hash first; the
/// keys of many are in a set.
private struct SeenKeys {
  private static let few = 16

  private var hashes: [UInt64] = []
  private var many: Set<[UInt8]> = []

  /// - Returns: whether the key is new.
  mutating func insert(_ key: UnsafeBufferPointer<UInt8>, among keys: [String]) -> Bool {
    if keys.count > SeenKeys.few { return many.insert(Array(key)).inserted }
    let hash = SeenKeys.hash(key)
    for index in hashes.indices where hashes[index] == hash && keys[index].utf8.elementsEqual(key) { return false }
    hashes.append(hash)
    if keys.count == SeenKeys.few {
      many = Set(keys.map { Array($0.utf8) })
      many.insert(Array(key))
    }
    return true
  }

  /// Tells most keys apart; few enough are compared for it not to matter who chose them.
  private static func hash(_ key: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: key.count)
    for byte in key { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return hash
  }
}

/// A kind of tree that ``JSONBuilder`` builds.
protocol JSONTreeMaking {
  associatedtype Value
  static var null: Value { get }
  static func boolean(_ value: Bool) -> Value
  static func number(_ value: RawNumber) -> Value
  static func string(_ value: String) -> Value
  static func array(_ values: [Value]) -> Value
  /// As many values as keys.
  static func object(_ keys: [String], _ values: [Value]) -> Value
  /// Returns the value with its offset in the text, for trees that keep it.
  static func located(_ value: Value, at offset: Int) -> Value
}

extension JSONTreeMaking {
  @inline(__always) static func located(_ value: Value, at offset: Int) -> Value { value }
}

/// Builds ``JSON``.
enum JSONTree: JSONTreeMaking {
  static var null: JSON { .null }
  static func boolean(_ value: Bool) -> JSON { .boolean(value) }
  static func number(_ value: RawNumber) -> JSON {
    .number(JSONNumber(uncheckedText: String(decoding: value.bytes, as: UTF8.self)))
  }
  static func string(_ value: String) -> JSON { .string(value) }
  static func array(_ values: [JSON]) -> JSON { .array(values) }
  static func object(_ keys: [String], _ values: [JSON]) -> JSON {
    .object(JSONObject(uncheckedMembers: zip(keys, values).map { (key: $0, value: $1) }))
  }
}
