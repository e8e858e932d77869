/// What a live list has not taken over yet.
struct PendingKeys {
  /// The keys of changed rows, by table.
  private(set) var keys: [Int: Set<Int64>] = [:]
  /// Those of them of which more has changed than the members of to-manys.
  private(set) var values: [Int: Set<Int64>] = [:]
  /// The rows of related objects that others wrote, by table. They need not be in memory.
  private(set) var written: [Int: Set<Int64>] = [:]
  /// Whether the list must be read again.
  private(set) var isEverything = false
  /// Whether each object may have changed.
  private(set) var changesAll = false
  private var goneCount: Int64 = 0

  var isEmpty: Bool { !isEverything && keys.isEmpty && written.isEmpty }

  /// Nothing, with names for rows that are gone which were not given yet.
  var emptied: PendingKeys {
    var empty = PendingKeys()
    empty.goneCount = goneCount
    return empty
  }

  /// Notes the changed rows of some tables.
  mutating func note(_ rows: ChangedRows, of tables: Set<Int>) {
    keys.merge(rows.keys.filter { tables.contains($0.key) }) { $0.union($1) }
    values.merge(rows.values.filter { tables.contains($0.key) }) { $0.union($1) }
  }

  mutating func note(_ log: StoreLog, table: Int, read tables: Set<Int>) {
    if log.isIncomplete { return noteReplacement() }
    let own = (log.written[table] ?? []) + (log.deleted[table] ?? [])
    if !own.isEmpty {
      keys[table, default: []].formUnion(own)
      values[table, default: []].formUnion(own)
    }
    for table in tables {
      let others = (log.written[table] ?? []) + (log.deleted[table] ?? [])
      if !others.isEmpty { written[table, default: []].formUnion(others) }
    }
  }

  mutating func noteEverything() { isEverything = true }

  /// Notes that there are other rows, or that nothing is known about what changed.
  mutating func noteReplacement() { (isEverything, changesAll) = (true, true) }

  /// A key of no row, for an object that is gone: noted as changed, so that the list drops it.
  mutating func goneKey(_ table: Int) -> Int64 {
    goneCount += 1
    let key = Int64.min + goneCount
    keys[table, default: []].insert(key)
    return key
  }

  /// Gives the keys of a table's rows without a store other names.
  mutating func rename(_ table: Int, _ name: (Int64) -> Int64?) {
    func renamed(_ known: Set<Int64>) -> Set<Int64> { Set(known.compactMap { $0 < 0 ? name($0) : $0 }) }
    if let known = keys[table] { keys[table] = renamed(known) }
    if let known = values[table] { values[table] = renamed(known) }
  }
}
