/// A dictionary that is cheap to copy and then change, because a change copies one of its parts, not all of it.
struct ShardedDictionary<Key: Hashable, Value> {
  private static var shardCount: Int { 256 }
  /// The parts, by the hash of the key; none before the first value.
  private var shards: [[Key: Value]] = []

  var count: Int { shards.reduce(0) { $0 + $1.count } }
  var keys: [Key] { shards.flatMap(\.keys) }
  var values: [Value] { shards.flatMap(\.values) }

  /// All keys with their values, in any order.
  var entries: [(key: Key, value: Value)] { shards.flatMap { shard in shard.map { ($0.key, $0.value) } } }

  private static func shard(_ key: Key) -> Int { key.hashValue & (shardCount - 1) }

  /// The value of a key. Expected O(1).
  subscript(key: Key) -> Value? {
    get { shards.isEmpty ? nil : shards[Self.shard(key)][key] }
    _modify {
      fill()
      yield &shards[Self.shard(key)][key]
    }
  }

  subscript(key: Key, default value: @autoclosure () -> Value) -> Value {
    get { self[key] ?? value() }
    _modify {
      fill()
      yield &shards[Self.shard(key)][key, default: value()]
    }
  }

  private mutating func fill() {
    if shards.isEmpty { shards = Array(repeating: [:], count: Self.shardCount) }
  }

  mutating func reserveCapacity(_ count: Int) {
    guard count > Self.shardCount else { return }
    fill()
    for index in shards.indices { shards[index].reserveCapacity(count / Self.shardCount) }
  }

  mutating func removeValue(forKey key: Key) -> Value? {
    shards.isEmpty ? nil : shards[Self.shard(key)].removeValue(forKey: key)
  }
}
