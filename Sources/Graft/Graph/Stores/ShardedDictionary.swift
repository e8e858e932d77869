/// A dictionary that is cheap to copy and then change: a change copies one of its parts, and the list of them, not all of it. There are
/// about as many parts as values in each.
struct ShardedDictionary<Key: Hashable, Value> {
  private static var firstShardCount: Int { 16 }
  /// The parts, by the hash of the key; none before the first value. Their number is a power of two.
  private var shards: [[Key: Value]] = []
  private(set) var count = 0

  var keys: [Key] { shards.flatMap(\.keys) }
  var values: [Value] { shards.flatMap(\.values) }

  /// All keys with their values, in any order.
  var entries: [(key: Key, value: Value)] { shards.flatMap { shard in shard.map { ($0.key, $0.value) } } }

  private func shard(_ key: Key) -> Int { key.hashValue & (shards.count - 1) }

  /// The value of a key. Expected O(1).
  subscript(key: Key) -> Value? {
    get { shards.isEmpty ? nil : shards[shard(key)][key] }
    _modify {
      if shards.isEmpty { divide(among: Self.firstShardCount) }
      let shard = shard(key)
      let before = shards[shard].count
      defer { note(shards[shard].count - before) }
      yield &shards[shard][key]
    }
  }

  subscript(key: Key, default value: @autoclosure () -> Value) -> Value {
    get { self[key] ?? value() }
    _modify {
      if shards.isEmpty { divide(among: Self.firstShardCount) }
      let shard = shard(key)
      let before = shards[shard].count
      defer { note(shards[shard].count - before) }
      yield &shards[shard][key, default: value()]
    }
  }

  mutating func reserveCapacity(_ count: Int) {
    var shardCount = max(shards.count, Self.firstShardCount)
    while count > shardCount * shardCount { shardCount *= 4 }
    if shardCount > shards.count { divide(among: shardCount) }
    for index in shards.indices { shards[index].reserveCapacity(count / shardCount) }
  }

  mutating func removeValue(forKey key: Key) -> Value? {
    if shards.isEmpty { return nil }
    let value = shards[shard(key)].removeValue(forKey: key)
    if value != nil { count -= 1 }
    return value
  }

  private mutating func note(_ difference: Int) {
    count += difference
    if count > shards.count * shards.count { divide(among: shards.count * 4) }
  }

  private mutating func divide(among shardCount: Int) {
    let former = shards
    shards = Array(repeating: [:], count: shardCount)
    for shard in former {
      for (key, value) in shard { shards[self.shard(key)][key] = value }
    }
  }
}
