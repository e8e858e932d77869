/// Changes that a live list has not applied yet.
struct PendingKeys {
  /// The keys of changed rows, by table.
  private var keys: [Int: ChangedKeys] = [:]
  /// The rows of related objects that other contexts or processes wrote, by table. They need not be in memory.
  private(set) var written: [Int: Set<Int64>] = [:]
  /// The keys of owners whose identity may have changed, by table.
  private(set) var owners: [Int: Set<Int64>] = [:]
  /// Whether the list must be read again.
  private(set) var isEverything = false
  /// Whether each object may have changed.
  private(set) var changesAll = false
  private var goneCount: Int64 = 0

  var isEmpty: Bool { !isEverything && keys.isEmpty && written.isEmpty && owners.isEmpty }

  /// A value without changes, whose future keys for removed objects differ from the keys that were already used.
  var emptied: PendingKeys {
    var empty = PendingKeys()
    empty.goneCount = goneCount
    return empty
  }

  /// Notes the changed rows of the list's tables, and the rows of owner tables whose identity may have changed.
  mutating func note(_ rows: ChangedRows, of tables: Set<Int>, owners ownerTables: Set<Int>) {
    for (table, renamed) in rows.renamed where ownerTables.contains(table) {
      owners[table, default: []].formUnion(renamed)
    }
    for (table, changed) in rows.keys where tables.contains(table) {
      keys[table, default: ChangedKeys()].formUnion(changed)
    }
  }

  /// The keys of a table's changed rows.
  ///
  /// - Parameter isListOnly: whether to include rows in which only the members of to-many relationships have changed.
  func keys(of table: Int, isListOnly: Bool = true) -> Set<Int64> {
    keys[table].map { isListOnly ? $0.all : $0.values } ?? []
  }

  mutating func note(_ log: StoreLog, table: Int, read tables: Set<Int>) {
    if log.isIncomplete { return noteReplacement() }
    let own = (log.written[table] ?? []) + (log.deleted[table] ?? [])
    for key in own { keys[table, default: ChangedKeys()].insert(key) }
    for table in tables {
      let others = (log.written[table] ?? []) + (log.deleted[table] ?? [])
      if !others.isEmpty { written[table, default: []].formUnion(others) }
    }
  }

  mutating func noteEverything() { isEverything = true }

  /// Notes that all rows were replaced, or that it is not known which rows changed.
  mutating func noteReplacement() { (isEverything, changesAll) = (true, true) }

  /// A key that belongs to no row, for an object that no longer exists. The key is noted as changed, so that the list removes it.
  mutating func goneKey(_ table: Int) -> Int64 {
    goneCount += 1
    let key = Int64.min + goneCount
    keys[table, default: ChangedKeys()].insert(key)
    return key
  }

  /// Renames the keys of a table's rows that are not in a store.
  mutating func rename(_ table: Int, _ name: (Int64) -> Int64?) {
    keys[table] = keys[table]?.renamed { $0 < 0 ? name($0) : $0 }
    owners[table] = owners[table].map { Set($0.compactMap { $0 < 0 ? name($0) : $0 }) }
  }
}
