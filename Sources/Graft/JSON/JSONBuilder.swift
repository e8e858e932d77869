/// Builds a tree from text, for closures, for reading `json` attributes, and for exports to dictionaries.
///
/// The builder is iterative, and rejects duplicate keys (D8). It is generic over the tree, so that one algorithm
/// builds both ``JSON`` and Foundation's `Any`.
enum JSONBuilder {
  /// The maximum depth ever read, regardless of the limits. Swift releases nested values recursively, and a tree of this
  /// depth can be released with a stack of 512 KB.
  static let deepest = 1024

  /// Returns whether text written from a tree can be read again, which requires that the text is not nested too deeply.
  static func isReadable(_ text: [UInt8]) -> Bool {
    LentBytes.with(text) { bytes in
      var scanner = JSONScanner(bytes, maxDepth: deepest)
      return (try? scanner.skipValue()) != nil
    }
  }

  /// Parses a whole text as ``JSON``.
  static func json(_ bytes: LentBytes, maxDepth: Int = deepest) throws(JSONSyntaxError) -> JSON {
    try whole(bytes, maxDepth: maxDepth, JSONTree.self)
  }

  /// - Parameter ready: values that the text represents only by their positions. The values are consumed.
  static func whole<Tree: JSONTreeMaking>(
    _ bytes: LentBytes, maxDepth: Int, _ tree: Tree.Type,
    ready: consuming ReadyValues<Tree.Value> = ReadyValues()
  ) throws(JSONSyntaxError) -> Tree.Value {
    var scanner = JSONScanner(bytes, maxDepth: maxDepth)
    var scratch = ScratchText()
    defer { scratch.free() }
    try scanner.beginText()
    let value = try build(&scanner, &scratch, tree, ready: ready)
    try scanner.endText()
    return value
  }

  /// Parses the value at the scanner's position.
  static func build<Tree: JSONTreeMaking>(
    _ scanner: inout JSONScanner, _ scratch: inout ScratchText, _ tree: Tree.Type,
    ready: consuming ReadyValues<Tree.Value> = ReadyValues()
  ) throws(JSONSyntaxError) -> Tree.Value {
    var visitor = TreeVisitor<Tree>(ready: ready)
    defer { visitor.free() }
    try JSONWalk.walk(&scanner, &scratch, &visitor)
    return visitor.values.pop()
  }
}

/// Builds a tree from the values of a walk.
private struct TreeVisitor<Tree: JSONTreeMaking>: JSONVisitor {
  /// The elements and members of all containers that are being read, outermost first; at the end, the whole value.
  var values = ValueStack<Tree.Value>()
  private var ready: ReadyValues<Tree.Value>
  private var levels: [Level] = []

  init(ready: ReadyValues<Tree.Value>) { self.ready = ready }

  mutating func free() {
    values.free()
    ready.free()
  }

  @inline(__always)
  mutating func begin(_ container: JSONContainer, at start: Int) {
    let shapes = levels.isEmpty ? nil : levels[levels.count - 1].innerShapes(of: container)
    levels.append(Level(container, start: start, firstValue: values.count, shapes: shapes))
  }

  @inline(__always)
  mutating func key(_ scanner: inout JSONScanner, _ scratch: inout ScratchText) throws(JSONSyntaxError) {
    try levels[levels.count - 1].readKey(&scanner, &scratch)
  }

  @inline(__always)
  mutating func scalar(_ scanner: inout JSONScanner, _ scratch: inout ScratchText) throws(JSONSyntaxError) {
    let start = scanner.offset
    if let value = ready.take(at: start) {
      scanner.advance()
      return values.push(Tree.located(value, at: start))
    }
    let value =
      switch try scanner.scanScalar() {
      case .string(let raw): Tree.string(String(decoding: scanner.text(of: raw, in: &scratch), as: UTF8.self))
      case .number(let number): Tree.number(number)
      case .boolean(let value): Tree.boolean(value)
      case .null: Tree.null
      }
    values.push(Tree.located(value, at: start))
  }

  @inline(__always)
  mutating func end(_ container: JSONContainer, _ scanner: JSONScanner) {
    let last = levels.count - 1
    let value = levels[last].whole(&values)
    values.push(Tree.located(value, at: levels[last].start))
    levels.removeLast()
  }

  @inline(__always)
  mutating func empty(_ container: JSONContainer, at start: Int, _ scanner: JSONScanner) {
    let value = container == .object ? Tree.object([], values.takeOut(from: values.count)) : Tree.array([])
    values.push(Tree.located(value, at: start))
  }

  /// An array or object that is being read.
  private struct Level {
    private let container: JSONContainer
    /// The offset of the container's beginning.
    let start: Int
    /// The index of the container's first value among the values of all containers, and the number of keys that were read.
    private let firstValue: Int
    private var keyCount = 0
    /// The shape that all keys match. The shape is one of `shapes`, which retains it, so reading a key requires no reference counting. If
    /// there is no such shape, the keys are kept instead.
    private var shape: Unmanaged<ObjectShape<Tree>>?
    private var keys: ReadKeys?
    /// For an object, the shapes of objects at its position; for an array, the shapes of its elements.
    private var shapes: ShapeList<Tree>?

    init(_ container: JSONContainer, start: Int, firstValue: Int, shapes: ShapeList<Tree>?) {
      self.container = container
      self.start = start
      self.firstValue = firstValue
      self.shapes = shapes
      guard container == .object else { return }
      shape = shapes?.latest.map { .passUnretained($0) }
      if shape == nil { keys = ReadKeys() }
    }

    /// Returns the shapes of objects at the position of the next value.
    mutating func innerShapes(of inner: JSONContainer) -> ShapeList<Tree>? {
      if container == .object { return shape?._withUnsafeGuaranteedRef { $0.shapes(inside: keyCount - 1) } }
      if shapes == nil, inner == .object { shapes = ShapeList() }
      return shapes
    }

    @inline(__always)
    mutating func readKey(_ scanner: inout JSONScanner, _ scratch: inout ScratchText) throws(JSONSyntaxError) {
      if let shape {
        let isKnown = shape._withUnsafeGuaranteedRef { $0.matches(&scanner, keyCount) }
        if isKnown || hasOtherShape({ [keyCount] in $0.matches(&scanner, keyCount) }) {
          keyCount += 1
          return try scanner.expectColon()
        }
        leaveShape()
      }
      try keys?.read(&scanner, &scratch)
      keyCount += 1
    }

    /// Returns whether another shape has the keys that were read so far and continues as the closure requires. If so, that shape is used
    /// from now on.
    @inline(never)
    private mutating func hasOtherShape(_ goesOn: (ObjectShape<Tree>) -> Bool) -> Bool {
      guard let shape, let other = shapes?.shape(like: shape.takeUnretainedValue(), keyCount, where: goesOn) else {
        return false
      }
      self.shape = .passUnretained(other)
      return true
    }

    /// Reads keys one by one from now on.
    private mutating func leaveShape() {
      guard let shape else { return }
      keys = ReadKeys(shape.takeUnretainedValue().keys[..<keyCount])
      self.shape = nil
    }

    /// Creates a value from the elements or members of a complete container.
    mutating func whole(_ values: inout ValueStack<Tree.Value>) -> Tree.Value {
      guard container == .object else { return Tree.array(values.takeArray(from: firstValue)) }
      let isShort = shape?._withUnsafeGuaranteedRef { keyCount < $0.keys.count } ?? false
      if isShort, !hasOtherShape({ [keyCount] in $0.keys.count == keyCount }) { leaveShape() }
      if let shape {
        return shape._withUnsafeGuaranteedRef { Tree.object(of: $0.form, values.takeOut(from: firstValue)) }
      }
      let keys = keys?.all ?? []
      shapes?.note(keys)
      return Tree.object(keys, values.takeOut(from: firstValue))
    }
  }
}

/// The keys of an object that were read one by one.
private final class ReadKeys {
  private(set) var all: [String] = []
  private var seen = SeenKeys()

  init() {}

  /// - Parameter known: the first keys, which are all different.
  init(_ known: ArraySlice<String>) {
    for key in known {
      _ = LentBytes.with(key) { seen.insert($0, among: all) }
      all.append(key)
    }
  }

  func read(_ scanner: inout JSONScanner, _ scratch: inout ScratchText) throws(JSONSyntaxError) {
    guard scanner.peek == UInt8(ascii: "\"") else { throw scanner.unexpected("a key in double quotes") }
    let place = scanner.position
    let raw = try scanner.scanString()
    let text = scanner.text(of: raw, in: &scratch)
    let key = String(decoding: text, as: UTF8.self)
    // Compare bytes, because keys that are only canonically equivalent are different keys.
    guard seen.insert(text, among: all) else { throw scanner.failure(.duplicateKey(key), at: place) }
    all.append(key)
    try scanner.expectColon()
  }
}

/// The keys of an object that is being read, to find repeated keys. If there are few keys, they are first compared by a hash; otherwise,
/// they are kept in a set.
private struct SeenKeys {
  private static let few = 16

  private var hashes: [UInt64] = []
  private var many: Set<[UInt8]> = []

  /// - Returns: whether the key is new.
  mutating func insert(_ key: LentBytes, among keys: [String]) -> Bool {
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

  /// Returns a hash that distinguishes most keys. Only a few keys are compared, so maliciously chosen keys do no harm.
  private static func hash(_ key: LentBytes) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: key.count)
    for byte in key { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return hash
  }
}

/// A kind of tree that ``JSONBuilder`` builds.
protocol JSONTreeMaking {
  associatedtype Value
  /// The data that is kept for objects with the same keys.
  associatedtype Form = [String]
  static var null: Value { get }
  static func boolean(_ value: Bool) -> Value
  static func number(_ value: RawNumber) -> Value
  static func string(_ value: String) -> Value
  static func array(_ values: [Value]) -> Value
  /// Returns an object. There are as many values as keys.
  static func object(_ keys: [String], _ values: MemberValues<Value>) -> Value
  static func form(_ keys: [String]) -> Form
  /// Returns an object. There are as many values as the form has keys.
  static func object(of form: Form, _ values: MemberValues<Value>) -> Value
  /// Returns the value with its offset in the text, for trees that keep it.
  static func located(_ value: Value, at offset: Int) -> Value
}

extension JSONTreeMaking {
  @inline(__always) static func located(_ value: Value, at offset: Int) -> Value { value }
}

extension JSONTreeMaking where Form == [String] {
  static func form(_ keys: [String]) -> [String] { keys }
  static func object(of form: [String], _ values: MemberValues<Value>) -> Value { object(form, values) }
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
  static func object(_ keys: [String], _ values: MemberValues<JSON>) -> JSON {
    .object(JSONObject(uncheckedMembers: keys.indices.map { (key: keys[$0], value: values.take($0)) }))
  }
}
