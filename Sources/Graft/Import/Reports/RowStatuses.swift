/// What happened to each row in the course of a run: four bytes a row, so that a run of any length is told in little memory.
///
///     table 0:  | chunk of 1,024 rows | none | chunk ...        chunks are made where something happened
///     entry:    | entity: 24 bits | status: 8 bits |
struct RowStatuses {
  /// Later values take precedence where a run says two things of one object (D10), with the exceptions in `note`.
  enum Status: UInt8, CaseIterable { case none, unchanged, updated, filled, placeholder, inserted }

  private typealias Entry = UInt32

  private var tables: [[[Entry]]]
  /// How many rows are gone to which something happened, by their entries: what the run did to them is told all the same.
  private var gone: [Entry: Int] = [:]

  init(tableCount: Int) { tables = Array(repeating: [], count: tableCount) }

  mutating func note(_ status: Status, _ table: Int, _ row: UInt32, _ entity: Int) {
    let known = self[table, row]
    // A placeholder that was made and filled in one run is inserted.
    let new: Status = known == .placeholder && status == .filled ? .inserted : status
    if new.rawValue > known.rawValue { put(Entry(entity) << 8 | Entry(new.rawValue), table, row) }
  }

  private mutating func put(_ entry: Entry, _ table: Int, _ row: UInt32) {
    let chunk = Int(row) >> Table.rowShift
    while tables[table].count <= chunk { tables[table].append([]) }
    if tables[table][chunk].isEmpty {
      tables[table][chunk] = Array(repeating: 0, count: Table.rowsPerChunk)
    }
    tables[table][chunk][Int(row) & (Table.rowsPerChunk - 1)] = entry
  }

  private func entry(_ table: Int, _ row: UInt32) -> Entry {
    let chunk = Int(row) >> Table.rowShift
    guard chunk < tables[table].count, !tables[table][chunk].isEmpty else { return 0 }
    return tables[table][chunk][Int(row) & (Table.rowsPerChunk - 1)]
  }

  private static func status(_ entry: Entry) -> Status { Status(rawValue: UInt8(truncatingIfNeeded: entry)) ?? .none }

  /// What happened to a row so far.
  subscript(table: Int, row: UInt32) -> Status { RowStatuses.status(entry(table, row)) }

  /// Says something else of a row to which something happened.
  mutating func replace(_ table: Int, _ row: UInt32, by status: Status) {
    let known = entry(table, row)
    if known != 0 { put(status == .none ? 0 : known & ~0xFF | Entry(status.rawValue), table, row) }
  }

  /// Forgets a row: it was deleted.
  mutating func clear(_ table: Int, _ row: UInt32) {
    replace(table, row, by: .none)
  }

  /// Follows rows to their new numbers. Those that others deleted or replaced stay counted; those whose insertion was rolled back
  /// are forgotten.
  mutating func move(_ moves: RowMoves) {
    let old = tables
    tables = Array(repeating: [], count: tables.count)
    for table in old.indices {
      for (chunk, entries) in old[table].enumerated() {
        for (place, entry) in entries.enumerated() where entry != 0 {
          if let new = moves.row(table, UInt32(chunk << Table.rowShift + place)) {
            put(entry, table, new)
          } else if !moves.isRollback {
            gone[entry, default: 0] += 1
          }
        }
      }
    }
  }

  /// Visits the rows to which something happened.
  func forEach(_ body: (_ table: Int, _ row: UInt32, _ status: Status) -> Void) {
    for table in tables.indices {
      for (chunk, entries) in tables[table].enumerated() {
        for (place, entry) in entries.enumerated() where entry != 0 {
          body(table, UInt32(chunk << Table.rowShift + place), RowStatuses.status(entry))
        }
      }
    }
  }

  /// Visits what happened to rows that are gone, with the entity that they had.
  func forEachGone(_ body: (_ entity: Int, _ status: Status, _ count: Int) -> Void) {
    for (entry, count) in gone { body(Int(entry >> 8), RowStatuses.status(entry), count) }
  }
}
