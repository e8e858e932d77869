/// What happened to each row in the course of a run: one byte a row, so that a run of any length is told in little memory.
///
///     table 0:  | chunk of 1,024 rows | none | chunk ...        chunks are made where something happened
struct RowStatuses {
  /// Later values take precedence where a run says two things of one object (D10), with the exceptions in `note`.
  enum Status: UInt8 { case none, unchanged, updated, filled, placeholder, inserted }

  private var tables: [[[UInt8]]]

  init(tableCount: Int) { tables = Array(repeating: [], count: tableCount) }

  mutating func note(_ status: Status, _ table: Int, _ row: UInt32) {
    let chunk = Int(row) >> Table.rowShift
    let place = Int(row) & (Table.rowsPerChunk - 1)
    while tables[table].count <= chunk { tables[table].append([]) }
    if tables[table][chunk].isEmpty {
      tables[table][chunk] = Array(repeating: 0, count: Table.rowsPerChunk)
    }
    let known = self[table, row]
    // A placeholder that was made and filled in one run is inserted.
    let new: Status = known == .placeholder && status == .filled ? .inserted : status
    if new.rawValue > known.rawValue { tables[table][chunk][place] = new.rawValue }
  }

  /// What happened to a row so far.
  subscript(table: Int, row: UInt32) -> Status {
    let chunk = Int(row) >> Table.rowShift
    guard chunk < tables[table].count, !tables[table][chunk].isEmpty else { return .none }
    return Status(rawValue: tables[table][chunk][Int(row) & (Table.rowsPerChunk - 1)]) ?? .none
  }

  /// Says something else of a row to which something happened.
  mutating func replace(_ table: Int, _ row: UInt32, by status: Status) {
    guard self[table, row] != .none else { return }
    tables[table][Int(row) >> Table.rowShift][Int(row) & (Table.rowsPerChunk - 1)] = status.rawValue
  }

  /// Forgets a row: it was deleted.
  mutating func clear(_ table: Int, _ row: UInt32) {
    replace(table, row, by: .none)
  }

  /// Follows rows to their new numbers, and forgets those that are gone.
  mutating func move(_ moves: RowMoves) {
    let old = self
    tables = Array(repeating: [], count: tables.count)
    old.forEach { table, row, status in
      if let new = moves.row(table, row) { note(status, table, new) }
    }
  }

  /// Visits the rows to which something happened.
  func forEach(_ body: (_ table: Int, _ row: UInt32, _ status: Status) -> Void) {
    for table in tables.indices {
      for (chunk, statuses) in tables[table].enumerated() {
        for (place, status) in statuses.enumerated() where status != 0 {
          body(table, UInt32(chunk << Table.rowShift + place), Status(rawValue: status) ?? .none)
        }
      }
    }
  }
}
