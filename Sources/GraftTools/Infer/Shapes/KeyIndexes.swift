import Graft

/// Finds maps whose keys other objects list, each with `true`, as databases of one JSON tree do.
///
///     {"users": {"ann": {"name": "Ann"}, "bo": {"name": "Bo"}},          the keys of "users" are data
///      "groups": {"sea": {"members": {"ann": true, "bo": true}}}}        so are those of "members"
///
/// In one object, both could be properties: {"tabs": {"home": {...}, "search": {...}}, "visible": {"home": true, "search": true}}.
struct KeyIndexes {
  /// The keys of a map, or of an object that lists some of them, and the object that contains it.
  private struct Keys: Hashable {
    let all: Set<UTF8Key>
    let parent: Int?
  }

  private let table: ShapeTable
  /// The keys of the maps.
  private var maps: [Set<UTF8Key>] = []
  /// The positions in `maps` of the maps that have a key.
  private var positions: [UTF8Key: [Int]] = [:]

  init(_ table: ShapeTable, _ root: Int) {
    self.table = table
    var candidates: Set<Keys> = []
    // By one of their keys, so a map is compared only with lists that share a key with it.
    var listsByKey: [UTF8Key: Set<Keys>] = [:]
    var work = [root]
    while let number = work.popLast() {
      let shape = table[number]
      work += shape.members + [shape.element, shape.keyed].compactMap(\.self)
      if listsKeys(shape), let key = shape.memberNumbers.keys.first {
        listsByKey[key, default: []].insert(keys(of: shape))
      }
      if mayBeMap(shape) { candidates.insert(keys(of: shape)) }
    }
    for map in candidates {
      let found = map.all.flatMap { listsByKey[$0] ?? [] }
        .filter { $0.parent != map.parent && $0.all.isSubset(of: map.all) }
      // A single key may be a coincidence.
      guard found.reduce(into: Set<UTF8Key>(), { $0.formUnion($1.all) }).count > 1 else { continue }
      for key in map.all { positions[key, default: []].append(maps.count) }
      maps.append(map.all)
    }
  }

  /// Whether other objects list the keys of an object.
  func isIndexed(_ shape: SampleShape) -> Bool { mayBeMap(shape) && hasMap(of: shape) { $0 == $1 } }

  /// Whether an object lists keys of a map. It may have been merged with other objects since the maps were found.
  func isIndex(_ shape: SampleShape) -> Bool { listsKeys(shape) && hasMap(of: shape) { $0.isSubset(of: $1) } }

  private func hasMap(of shape: SampleShape, _ matches: (Set<UTF8Key>, Set<UTF8Key>) -> Bool) -> Bool {
    guard let key = shape.memberNumbers.keys.first, let positions = positions[key] else { return false }
    let keys = Set(shape.memberNumbers.keys)
    return positions.contains { matches(keys, maps[$0]) }
  }

  private func keys(of shape: SampleShape) -> Keys {
    Keys(all: Set(shape.memberNumbers.keys), parent: shape.parent.map(table.find))
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
