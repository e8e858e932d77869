/// What happened to each row in the course of a run: four bytes a row, so that a run of any length is told in little memory.
///
///     table:   | branch: 65,536 rows | none | branch ...
///     branch:  | number of a leaf: 256 rows | 0 | ...        made where something happened, however many rows there are
///     leaves:  | entry | entry | ...                         one after the other, from number 1 on
///     entry:   | entity: 24 bits | status: 8 bits |
struct RowStatuses {
  /// Later values take precedence where a run says two things of one object (D10), with the exceptions in `note`.
  enum Status: UInt8, CaseIterable { case none, unchanged, updated, filled, placeholder, inserted }

  private typealias Entry = UInt32
  private typealias Branch = [UInt32]

  private var tables: [[Branch]]
  private var leaves: [Entry] = []
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
    let (branch, leaf) = (Int(row >> 16), Int(row >> 8 & 0xFF))
    while tables[table].count <= branch { tables[table].append([]) }
    if tables[table][branch].isEmpty { tables[table][branch] = Array(repeating: 0, count: 256) }
    var number = Int(tables[table][branch][leaf])
    if number == 0 {
      leaves.append(contentsOf: repeatElement(0, count: 256))
      number = leaves.count / 256
      tables[table][branch][leaf] = UInt32(number)
    }
    leaves[(number - 1) << 8 | Int(row & 0xFF)] = entry
  }

  private func entry(_ table: Int, _ row: UInt32) -> Entry {
    let branch = Int(row >> 16)
    guard branch < tables[table].count, !tables[table][branch].isEmpty else { return 0 }
    let number = Int(tables[table][branch][Int(row >> 8 & 0xFF)])
    return number == 0 ? 0 : leaves[(number - 1) << 8 | Int(row & 0xFF)]
  }

  private func forEachEntry(_ body: (_ table: Int, _ row: UInt32, _ entry: Entry) -> Void) {
    for table in tables.indices {
      for (branch, numbers) in tables[table].enumerated() {
        for (leaf, number) in numbers.enumerated() where number != 0 {
          for place in 0..<256 {
            let entry = leaves[Int(number - 1) << 8 | place]
            if entry != 0 { body(table, UInt32(branch << 16 | leaf << 8 | place), entry) }
          }
        }
      }
    }
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
    let old = self
    tables = Array(repeating: [], count: tables.count)
    leaves = []
    old.forEachEntry { table, row, entry in
      if let new = moves.row(table, row) {
        put(entry, table, new)
      } else if !moves.isRollback {
        gone[entry, default: 0] += 1
      }
    }
  }

  /// Visits the rows to which something happened.
  func forEach(_ body: (_ table: Int, _ row: UInt32, _ status: Status) -> Void) {
    forEachEntry { table, row, entry in body(table, row, RowStatuses.status(entry)) }
  }

  /// Visits what happened to rows that are gone, with the entity that they had.
  func forEachGone(_ body: (_ entity: Int, _ status: Status, _ count: Int) -> Void) {
    for (entry, count) in gone { body(Int(entry >> 8), RowStatuses.status(entry), count) }
  }
}
