import Graft

/// The schemas of values at key paths, arranged as the objects and arrays that contain them.
struct KeyTree {
  private var branches: [(key: String, tree: KeyTree)] = []
  private var required: [String] = []
  private var schema: JSON?
  /// The elements of an array that a key path leads through (M25).
  private var elements: [KeyTree] = []
  /// Whether some value at the paths cannot be null, so the object that contains it is never null in an export.
  private var isPresent = false

  init() {}

  /// Creates a tree with one value.
  init(_ path: JSONKeyPath, _ schema: JSON, isRequired: Bool) {
    add(path, schema, isRequired: isRequired)
  }

  /// Adds the schema of the value at a path. For a path through arrays, it is the schema of each value.
  ///
  /// - Parameter isPresent: whether the value is never null.
  mutating func add(_ path: JSONKeyPath, _ schema: JSON, isRequired: Bool, isPresent: Bool = true) {
    let segments = path.segments
    if segments.isEmpty {
      add(path.keys[...], schema, isRequired: isRequired, isPresent: isPresent)
    } else {
      add(segments[...], schema)
    }
  }

  private mutating func add(_ path: ArraySlice<String>, _ schema: JSON, isRequired: Bool, isPresent: Bool) {
    if isPresent { self.isPresent = true }
    guard let key = path.first else { return add(schema) }
    if isRequired, !required.contains(key) { required.append(key) }
    change(key) { $0.add(path.dropFirst(), schema, isRequired: isRequired, isPresent: isPresent) }
  }

  /// Adds the schema of the values on a path through arrays, given by the keys up to each of them.
  private mutating func add(_ segments: ArraySlice<[String]>, _ schema: JSON) {
    guard let keys = segments.first else { return add(schema) }
    add(keys[...]) { tree in
      if segments.count == 1 { return tree.add(schema) }
      var element = tree.elements.first ?? KeyTree()
      element.add(segments.dropFirst(), schema)
      tree.elements = [element]
    }
  }

  private mutating func add(_ keys: ArraySlice<String>, _ change: (inout KeyTree) -> Void) {
    isPresent = true
    guard let key = keys.first else { return change(&self) }
    self.change(key) { $0.add(keys.dropFirst(), change) }
  }

  private mutating func add(_ schema: JSON) {
    self.schema = SchemaPart.allOf([self.schema, schema].compactMap(\.self))
  }

  private mutating func change(_ key: String, _ change: (inout KeyTree) -> Void) {
    if let index = branches.firstIndex(where: { $0.key.utf8.elementsEqual(key.utf8) }) {
      change(&branches[index].tree)
    } else {
      var tree = KeyTree()
      change(&tree)
      branches.append((key, tree))
    }
  }

  /// The members of the schema of an object with these keys.
  var members: [JSONObject.Member] {
    guard !branches.isEmpty else { return [] }
    var members: [JSONObject.Member] = [
      ("properties", .object(JSONObject(branches.map { ($0.key, $0.tree.json) })))
    ]
    if !required.isEmpty { members.append(("required", .array(required.map(JSON.string)))) }
    return members
  }

  /// The schema of an object with these keys.
  var object: JSON { .object(JSONObject(members)) }

  /// The schema of a value, or of an object or array that contains values. A path through null is treated as null.
  private var json: JSON {
    var parts = [schema].compactMap(\.self)
    if let element = elements.first { parts.append(["type": ["array", "null"], "items": element.json]) }
    if !branches.isEmpty {
      let types: JSON = required.isEmpty || !isPresent ? ["object", "null"] : "object"
      parts.append(.object(JSONObject([("type", types)] + members)))
    }
    return SchemaPart.allOf(parts)
  }

  // MARK: Presence

  /// Returns the schema of the objects in which a key path is not absent: it leads to a value, or to null on the way (I8).
  static func presence(_ path: JSONKeyPath) -> JSON { presence(path.keys[...]) }

  private static func presence(_ keys: ArraySlice<String>) -> JSON {
    guard let key = keys.first else { return true }
    let rest = keys.dropFirst()
    guard !rest.isEmpty else { return ["required": [.string(key)]] }
    let inner: JSON = ["if": ["type": "object"], "then": presence(rest)]
    return ["required": [.string(key)], "properties": .object(JSONObject([(key, inner)]))]
  }
}
