import Graft

/// The schemas of values at key paths, arranged as the objects that contain them.
struct KeyTree {
  private var branches: [(key: String, tree: KeyTree)] = []
  private var required: [String] = []
  private var schema: JSON?
  /// Whether some value at the paths cannot be null, so that the object that contains it is never null in an export.
  private var isPresent = false

  /// Adds the schema of the value at a path.
  ///
  /// - Parameter isPresent: whether the value is never null.
  mutating func add(_ path: ArraySlice<String>, _ schema: JSON, isRequired: Bool, isPresent: Bool = true) {
    if isPresent { self.isPresent = true }
    guard let key = path.first else {
      self.schema = schema
      return
    }
    if isRequired, !required.contains(key) { required.append(key) }
    if let index = branches.firstIndex(where: { $0.key.utf8.elementsEqual(key.utf8) }) {
      branches[index].tree.add(path.dropFirst(), schema, isRequired: isRequired, isPresent: isPresent)
    } else {
      var tree = KeyTree()
      tree.add(path.dropFirst(), schema, isRequired: isRequired, isPresent: isPresent)
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

  /// The schema of a value, or of an object that contains values. A path through null counts as null.
  private var json: JSON {
    if let schema, branches.isEmpty { return schema }
    return .object(JSONObject([("type", required.isEmpty || !isPresent ? ["object", "null"] : "object")] + members))
  }
}
