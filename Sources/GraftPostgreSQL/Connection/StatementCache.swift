/// The prepared statements of a connection, by their text and the types of their parameters.
struct StatementCache {
  struct Key: Hashable {
    let sql: String
    /// The same text with different types is a different statement: eight bytes can be a `bigint` or a `double precision`.
    let types: [UInt32]
  }

  private var statements: [Key: (name: String, lastUse: Int)] = [:]
  private var uses = 0
  private var names = 0
  private let capacity: Int

  init(capacity: Int) { self.capacity = max(1, capacity) }

  var count: Int { statements.count }

  /// Returns the name of a prepared statement, or nil if it must be prepared.
  mutating func name(_ key: Key) -> String? {
    uses += 1
    guard let index = statements.index(forKey: key) else { return nil }
    statements.values[index].lastUse = uses
    return statements.values[index].name
  }

  /// Returns a name that no statement of the connection has had.
  mutating func newName() -> String {
    names += 1
    return "graft_\(names)"
  }

  mutating func insert(_ key: Key, name: String) { statements[key] = (name, uses) }

  mutating func remove(_ key: Key) { statements[key] = nil }

  mutating func removeAll() { statements.removeAll() }

  /// Removes the least recently used statements if there are too many to add another.
  ///
  /// - Returns: the names of the statements to deallocate. At least half of the capacity is freed, so that statements are rarely removed.
  mutating func removeOld() -> [String] {
    guard statements.count >= capacity else { return [] }
    let kept = capacity / 2
    let old = statements.sorted { $0.value.lastUse > $1.value.lastUse }.dropFirst(kept)
    for (key, _) in old { statements[key] = nil }
    return old.map(\.value.name)
  }
}
