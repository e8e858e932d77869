/// The numbers of a context's rows in its children. A row keeps its number when it moves, and no number is used again.
///
///     row of the parent:    0    1    2    3    4
///     the store has it:     yes  no   yes  no   no        yes: its number in the store
///     ids:                  0    b+1  -b-1 b+2  b+3       no: a new number, which it keeps when it is committed, and when it is
///                                                         no longer in memory
struct ParentNumbers {
  private var parent: Unmanaged<ManagedObjectContext>
  /// This type assigns numbers above this one. Stores and outer parents use smaller numbers.
  private let base: Int64
  private var generation: RowGeneration
  private var tables: [Numbers]

  private struct Numbers {
    /// The number of each row. For a row with a number in the store, the element is the preceding number, negated. The absolute values
    /// increase.
    var ids: [Int64] = []
    var last: Int64
    /// The rows that this type numbered even though there is a store.
    var fresh: [UInt32] = []
    /// The rows by their numbers, if the numbers do not increase.
    var rows: [Int64: UInt32]?
    /// The numbers assigned here to rows that the parent committed and then removed from memory, by their numbers in the store, and vice
    /// versa.
    var kept: [Int64: Int64] = [:]
    var storedKept: [Int64: Int64] = [:]
  }

  private var context: ManagedObjectContext { parent.takeUnretainedValue() }
  private var state: Reference<GraphState> { context.state }

  /// - Parameter depth: 1 for the children of the outermost context, and so on.
  init(_ context: ManagedObjectContext, depth: Int) {
    parent = .passUnretained(context)
    base = Int64(depth) << 48
    generation = context.generation
    tables = Array(repeating: Numbers(last: base), count: context.state.tableCount)
  }

  // MARK: Numbers and rows

  /// The number of a row.
  mutating func id(_ table: Int, _ row: UInt32) -> Int64 {
    if Int(row) >= tables[table].ids.count { extend(table) }
    let id = tables[table].ids[Int(row)]
    return id > 0 ? id : context.binding?.id(table, row) ?? 0
  }

  /// The row with a number; nil if it was removed, or is not in memory.
  func row(_ table: Int, _ id: Int64) -> UInt32? {
    if id <= base { return hasOwnNumber(table, id) ? nil : context.binding?.rowsByID[table][id] }
    if let rows = tables[table].rows { return rows[id] }
    let ids = tables[table].ids
    var (low, high) = (0, ids.count)
    while low < high {
      let middle = (low + high) / 2
      if abs(ids[middle]) < id { low = middle + 1 } else { high = middle }
    }
    return low < ids.count && ids[low] == id ? UInt32(low) : nil
  }

  /// The number in the store of a row that was numbered here and then removed from memory.
  func storedNumber(_ table: Int, _ id: Int64) -> Int64? { tables[table].storedKept[id] }

  /// The number of a row of the store that may not be in memory.
  mutating func id(_ table: Int, stored id: Int64) -> Int64 {
    context.binding?.rowsByID[table][id].map { self.id(table, $0) } ?? tables[table].kept[id] ?? id
  }

  /// Whether a row of the store keeps the number that it was assigned here as a new row.
  func hasOwnNumber(_ table: Int, _ id: Int64) -> Bool {
    if tables[table].kept[id] != nil { return true }
    guard let row = context.binding?.rowsByID[table][id] else { return false }
    return Int(row) < tables[table].ids.count && tables[table].ids[Int(row)] > 0
  }

  /// Whether a number belongs to the parent's store.
  func isStored(_ id: Int64) -> Bool { id <= base }

  /// The number that the parent's conditions use for a row: its number in the parent's store, or a negative number. Nil if there is
  /// no such row.
  func parentNumber(of id: Int64, in table: Int) -> Int64? {
    if isStored(id) { return id < 0 || hasOwnNumber(table, id) ? nil : id }
    guard let row = row(table, id) else { return storedNumber(table, id) }
    return state.key(of: RowPlace(table: table, row: row))
  }

  /// The number that the next new row of a table gets.
  mutating func next(_ table: Int) -> Int64 {
    extend(table)
    return tables[table].last + 1
  }

  /// Numbers all rows.
  mutating func extend() { for table in tables.indices { extend(table) } }

  /// Numbers all rows of a table.
  mutating func extend(_ table: Int) {
    let count = state.tables[table].rowCount
    let hasStore = context.binding != nil
    tables[table].ids.reserveCapacity(count)
    for row in tables[table].ids.count..<max(count, tables[table].ids.count) {
      if hasStore, state.row(table, UInt32(row)).isStored {
        if let id = context.binding.flatMap({ tables[table].kept[$0.id(table, UInt32(row))] }) {
          if tables[table].rows == nil { index(table) }
          tables[table].ids.append(id)
          tables[table].rows?[id] = UInt32(row)
          tables[table].fresh.append(UInt32(row))
          continue
        }
        let last = tables[table].last
        tables[table].ids.append(-last)
        continue
      }
      let id = tables[table].last + 1
      tables[table].last = id
      tables[table].ids.append(id)
      tables[table].rows?[id] = UInt32(row)
      if hasStore { tables[table].fresh.append(UInt32(row)) }
    }
  }

  // MARK: Rows that move

  /// Numbers the rows of a copy of the context from now on.
  mutating func follow(_ copy: ManagedObjectContext) {
    parent = .passUnretained(copy)
    generation = copy.generation
  }

  /// Updates the numbers of rows that moved or disappeared in the meantime.
  mutating func follow() {
    guard generation.isOver else { return }
    var moved: [RowMoves] = []
    generation = generation.forEachMove { moved.append($0) }
    for moves in moved {
      switch moves {
      case .closedGaps(let table, let rows): close(table, rows)
      case .cleared(let stored): for table in tables.indices { clear(table, stored[table]) }
      case .truncated(let counts): for table in tables.indices { truncate(table, to: counts[table]) }
      case .moved(let rows): move(rows)
      case .replaced(let rows): for table in tables.indices { replace(table, rows[table]) }
      }
    }
  }

  private mutating func close(_ table: Int, _ rows: [UInt32]) {
    let old = tables[table]
    tables[table].ids = old.ids.enumerated().compactMap { rows[$0] == .max ? nil : $1 }
    tables[table].fresh = old.fresh.compactMap { rows[Int($0)] == .max ? nil : rows[Int($0)] }
    if old.rows != nil { index(table) }
  }

  /// - Parameter stored: the rows' numbers in the store.
  private mutating func clear(_ table: Int, _ stored: [UInt32: Int64]) {
    for row in tables[table].fresh {
      guard let number = stored[row] else { continue }
      let id = tables[table].ids[Int(row)]
      tables[table].kept[number] = id
      tables[table].storedKept[id] = number
    }
    truncate(table, to: 0)
  }

  private mutating func move(_ rows: [RowPlace: RowPlace]) {
    for (table, rows) in Dictionary(grouping: rows, by: \.key.table) {
      extend(table)
      let count = tables[table].ids.count
      var moved: [UInt32: UInt32] = [:]
      // No row moves to a place that another row leaves, so the order of the moves does not matter.
      for (old, new) in rows {
        // A row of the store keeps its number in the store. If its object is inserted again, the new row gets a different number.
        guard Int(old.row) < count, Int(new.row) < count, tables[table].ids[Int(old.row)] > 0 else { continue }
        tables[table].ids.swapAt(Int(old.row), Int(new.row))
        moved[old.row] = new.row
      }
      if moved.isEmpty { continue }
      tables[table].fresh = tables[table].fresh.map { moved[$0] ?? $0 }
      index(table)
    }
  }

  private mutating func truncate(_ table: Int, to count: Int) {
    guard tables[table].ids.count > count else { return }
    tables[table].ids.removeLast(tables[table].ids.count - count)
    tables[table].fresh.removeAll { Int($0) >= count }
    if tables[table].rows != nil { index(table) }
  }

  /// Follows a replacement of all rows, which only happens in a context without a store.
  private mutating func replace(_ table: Int, _ rows: [UInt32]) {
    let old = tables[table].ids
    var ids: [Int64] = []
    for (row, id) in old.enumerated() where rows[row] != .max {
      let new = Int(rows[row])
      if new >= ids.count { ids += repeatElement(0, count: new + 1 - ids.count) }
      ids[new] = id
    }
    for row in ids.indices where ids[row] == 0 {
      tables[table].last += 1
      ids[row] = tables[table].last
    }
    tables[table].ids = ids
    index(table)
  }

  private mutating func index(_ table: Int) {
    let ids = tables[table].ids
    tables[table].rows = Dictionary(ids.enumerated().map { ($1, UInt32($0)) }, uniquingKeysWith: { first, _ in first })
  }
}
