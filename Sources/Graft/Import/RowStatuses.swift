/// What happened to each row in the course of a run: four bytes a row, so that a run of any length is told in little memory.
///
///     table 0:  | chunk of 1,024 rows | none | chunk ...        chunks are made where something happened
///
/// It counts as it goes, so that rows need not be there any more when the counts are asked for.
struct RowStatuses {
  /// Later values take precedence where a run says two things of one object (D10), with the exceptions in `note`.
  enum Status: UInt8, CaseIterable { case none, unchanged, updated, filled, placeholder, inserted }

  /// A status and, above its byte, the entity that it is counted for.
  private typealias Entry = UInt32

  private var tables: [[[Entry]]]
  /// For each status one for each entity.
  private var counts: [Int]
  private let entityCount: Int

  init(tableCount: Int, entityCount: Int) {
    tables = Array(repeating: [], count: tableCount)
    counts = Array(repeating: 0, count: entityCount * Status.allCases.count)
    self.entityCount = entityCount
  }

  /// How many objects of each entity have a status.
  func counts(of status: Status) -> ArraySlice<Int> {
    counts[Int(status.rawValue) * entityCount..<(Int(status.rawValue) + 1) * entityCount]
  }

  mutating func note(_ status: Status, _ table: Int, _ row: UInt32, _ entity: Int) {
    let entry = entry(table, row)
    let known = Status(rawValue: UInt8(truncatingIfNeeded: entry)) ?? .none
    // A placeholder that was made and filled in one run is inserted.
    let new: Status = known == .placeholder && status == .filled ? .inserted : status
    count(known.rawValue > new.rawValue ? known : new, table, row, entity, insteadOf: entry)
  }

  /// A placeholder is one of a sub-entity now.
  mutating func rename(_ table: Int, _ row: UInt32, _ entity: Int) {
    let entry = entry(table, row)
    if let known = Status(rawValue: UInt8(truncatingIfNeeded: entry)), known != .none {
      count(known, table, row, entity, insteadOf: entry)
    }
  }

  private mutating func count(_ status: Status, _ table: Int, _ row: UInt32, _ entity: Int, insteadOf known: Entry) {
    let new = Entry(status.rawValue) | Entry(entity) << 8
    if known == new { return }
    if known != 0 { counts[index(known)] -= 1 }
    counts[index(new)] += 1
    put(new, table, row)
  }

  private func index(_ entry: Entry) -> Int { Int(entry & 0xFF) * entityCount + Int(entry >> 8) }

  /// What happened to a row so far.
  subscript(table: Int, row: UInt32) -> Status {
    Status(rawValue: UInt8(truncatingIfNeeded: entry(table, row))) ?? .none
  }

  private func entry(_ table: Int, _ row: UInt32) -> Entry {
    let chunk = Int(row) >> Table.rowShift
    guard chunk < tables[table].count, !tables[table][chunk].isEmpty else { return 0 }
    return tables[table][chunk][Int(row) & (Table.rowsPerChunk - 1)]
  }

  private mutating func put(_ entry: Entry, _ table: Int, _ row: UInt32) {
    let chunk = Int(row) >> Table.rowShift
    while tables[table].count <= chunk { tables[table].append([]) }
    if tables[table][chunk].isEmpty {
      tables[table][chunk] = Array(repeating: 0, count: Table.rowsPerChunk)
    }
    tables[table][chunk][Int(row) & (Table.rowsPerChunk - 1)] = entry
  }

  /// Forgets a row: it was deleted.
  mutating func clear(_ table: Int, _ row: UInt32) {
    let known = entry(table, row)
    guard known != 0 else { return }
    counts[index(known)] -= 1
    put(0, table, row)
  }

  /// Follows rows to their new numbers when gaps are closed; `.max` stands for one that is gone, and stays counted.
  mutating func move(_ table: Int, _ moves: [UInt32]) {
    move(table) { Int($0) < moves.count && moves[Int($0)] != .max ? moves[Int($0)] : nil }
  }

  /// Follows rows when others take their place; those that are gone stay counted.
  mutating func move(_ moving: (RowPlace) -> UInt32?) {
    for table in tables.indices { move(table) { moving(RowPlace(table: table, row: $0)) } }
  }

  private mutating func move(_ table: Int, _ moving: (UInt32) -> UInt32?) {
    let old = tables[table]
    tables[table] = []
    for (chunk, entries) in old.enumerated() {
      for (place, entry) in entries.enumerated() where entry != 0 {
        if let row = moving(UInt32(chunk << Table.rowShift + place)) { put(entry, table, row) }
      }
    }
  }
}
