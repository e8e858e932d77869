import Graft

/// An array whose elements only wrap objects, as in GraphQL connections. Key paths lead through it (M25).
///
///     "issues": {"edges": [{"cursor": "a", "node": {"id": 1}}]}         issues.edges[].node
struct Passage {
  /// The shape of the wrapped objects.
  let node: SampleShape
  /// Their key in each element.
  let key: String
  /// The other keys of the elements, which no key path reads.
  let others: [String]

  private static let ignored: Set<String> = ["cursor", "__typename"]

  /// nil if the values of a shape are not such arrays.
  init?(_ shape: SampleShape, _ table: ShapeTable) {
    guard shape.arrays > 0, shape.objects == 0, shape.scalars == 0, let element = shape.element.map({ table[$0] }),
      element.objects > 0, element.scalars == 0, element.arrays == 0, element.keyed == nil
    else { return nil }
    let members = table.keyedMembers(element)
    guard let node = members.first(where: { $0.key == "node" }), node.shape.objects > 0, node.shape.keyed == nil,
      node.shape.scalars == 0, node.shape.arrays == 0
    else { return nil }
    others = members.map(\.key).filter { $0 != node.key }
    guard others.allSatisfy(Self.ignored.contains) else { return nil }
    (self.node, key) = (node.shape, node.key)
  }

  /// Whether a key path can lead to the array when written as text.
  static func canFollow(_ path: [String]) -> Bool {
    path.allSatisfy { !$0.isEmpty && !$0.contains(".") && !$0.hasPrefix("@") && !$0.hasSuffix(JSONKeyPath.brackets) }
  }
}
