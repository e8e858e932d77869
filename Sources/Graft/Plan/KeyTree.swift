/// The keys on the key paths of an entity, as a tree. The children of a node are the keys of one JSON object, in the order in which they
/// were added.
///
///     "name"              ""  name
///     "publisher.name"        publisher  name
///     "publisher.city"                   city
final class KeyTree<Content> {
  let key: String
  var content: Content
  private(set) var children: [KeyTree] = []
  private let empty: Content
  /// The positions of the children, if there are many.
  private var places: [UTF8Key: Int] = [:]

  /// - Parameter empty: the content of a new node.
  init(_ key: String, _ empty: Content) {
    self.key = key
    self.empty = empty
    content = empty
  }

  /// Returns the child with a key, which is added if it is new.
  func child(_ key: String) -> KeyTree {
    let known = places.isEmpty ? children.firstIndex { UTF8Key($0.key) == UTF8Key(key) } : places[UTF8Key(key)]
    if let known { return children[known] }
    let node = KeyTree(key, empty)
    children.append(node)
    if children.count == 16 {
      for (place, child) in children.enumerated() { places[UTF8Key(child.key)] = place }
    } else if !places.isEmpty {
      places[UTF8Key(key)] = children.count - 1
    }
    return node
  }
}
