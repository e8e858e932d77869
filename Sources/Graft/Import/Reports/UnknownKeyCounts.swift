/// Keys of a payload that the model does not map, with each key listed once for each entity (I13).
struct UnknownKeyCounts {
  /// The maximum number of different keys to keep, because the payload may be hostile.
  static let most = 1_000

  struct Place: Hashable {
    var entity: Int
    var key: [UInt8]
  }

  struct Occurrence {
    var count = 0
    /// The offset of the key's first occurrence in the payload.
    var offset: Int
  }

  private var occurrences: [Place: Occurrence] = [:]

  mutating func note(_ key: some Sequence<UInt8>, of entity: Int, at offset: Int) {
    let place = Place(entity: entity, key: Array(key))
    if occurrences[place] == nil, occurrences.count >= UnknownKeyCounts.most { return }
    occurrences[place, default: Occurrence(offset: offset)].count += 1
  }

  /// The keys in payload order. Keys at the same offset, as in a dictionary transformer's result, are ordered by their bytes and entities.
  var all: [(Place, Occurrence)] {
    occurrences.sorted { left, right in
      if left.value.offset != right.value.offset { return left.value.offset < right.value.offset }
      if left.key.key != right.key.key { return left.key.key.lexicographicallyPrecedes(right.key.key) }
      return left.key.entity < right.key.entity
    }
    .map { ($0.key, $0.value) }
  }
}
