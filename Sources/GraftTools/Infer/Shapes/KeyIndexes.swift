import Graft

/// Finds maps whose keys other objects list, each with `true`, as databases of one JSON tree do.
///
///     {"users": {"ann": {"name": "Ann"}, "bo": {"name": "Bo"}},          the keys of "users" are data
///      "groups": {"sea": {"members": {"ann": true, "bo": true}}}}        so are those of "members"
struct KeyIndexes {
  private let table: ShapeTable
  /// The keys of each map that others list.
  private var maps: Set<Set<UTF8Key>> = []

  init(_ table: ShapeTable, _ root: Int) {
    self.table = table
    var candidates: Set<Set<UTF8Key>> = []
    var indexes: Set<Set<UTF8Key>> = []
    var work = [root]
    while let number = work.popLast() {
      let shape = table[number]
      work += shape.members + [shape.element, shape.keyed].compactMap(\.self)
      if listsKeys(shape) { indexes.insert(Set(shape.memberNumbers.keys)) }
      if mayBeMap(shape) { candidates.insert(Set(shape.memberNumbers.keys)) }
    }
    for keys in candidates where !indexes.isEmpty {
      // A single key may be a coincidence.
      let listed = indexes.filter { $0.isSubset(of: keys) }.reduce(into: Set<UTF8Key>()) { $0.formUnion($1) }
      if listed.count > 1 { maps.insert(keys) }
    }
  }

  /// Whether other objects list the keys of an object.
  func isIndexed(_ shape: SampleShape) -> Bool { mayBeMap(shape) && maps.contains(Set(shape.memberNumbers.keys)) }

  /// Whether an object lists keys of a map.
  func isIndex(_ shape: SampleShape) -> Bool {
    listsKeys(shape) && maps.contains { Set(shape.memberNumbers.keys).isSubset(of: $0) }
  }

  private func listsKeys(_ shape: SampleShape) -> Bool {
    guard shape.objects > 0, shape.arrays == 0, shape.scalars == 0, !shape.members.isEmpty else { return false }
    return table.members(shape).allSatisfy { $0.booleans > 0 && $0.booleans == $0.present && $0.falses == 0 }
  }

  private func mayBeMap(_ shape: SampleShape) -> Bool {
    let members = table.members(shape)
    return shape.parent != nil && shape.keyed == nil && shape.arrays == 0 && shape.scalars == 0 && members.count > 1
      && members.allSatisfy { $0.objects > 0 && $0.scalars == 0 && $0.arrays == 0 }
      && KeyedCollections(table: table).areAlike(members)
  }
}
