/// The outcome for each row in the course of a run, in four bytes per row, so that a run of any length requires little memory.
///
///     entry:   | entity: 24 bits | status: 8 bits |
///
/// Rows that are removed from memory are remembered by their numbers in the store, so that an object that occurs again is counted
/// once (D10).
struct RowStatuses {
  /// If a run has two outcomes for one object (D10), statuses that come later in this list take precedence, with the exceptions in `note`.
  enum Status: UInt8, CaseIterable { case none, unchanged, updated, filled, placeholder, inserted }

  private typealias Entry = RowEntries.Entry

  private var entries: RowEntries
  /// The numbers of rows in the store.
  private var ids: RowEntries
  /// The entries of removed rows, by their numbers in the store.
  private var stored: RowEntries
  /// The entity before the run, plus 1, of each row whose entity the run changed and of each removed row.
  private var formerEntities: RowEntries
  private var storedFormerEntities: RowEntries
  /// The number of removed rows with each outcome, by their entries, because the run's effects on them are still reported.
  private var gone: [Entry: Int] = [:]

  init(tableCount: Int) {
    entries = RowEntries(tableCount: tableCount)
    ids = entries
    stored = entries
    formerEntities = entries
    storedFormerEntities = entries
  }

  mutating func note(_ status: Status, _ table: Int, _ row: UInt32, _ entity: Int) {
    let known = self[table, row]
    // A placeholder that was created and filled in one run is counted as inserted.
    let new: Status = known == .placeholder && status == .filled ? .inserted : status
    if new.rawValue > known.rawValue { entries[table, row] = Entry(entity) << 8 | Entry(new.rawValue) }
  }

  /// Notes the entity of a row before a payload, unless an earlier payload of the run has already changed it.
  mutating func noteFormerEntity(_ entity: Int, _ table: Int, _ row: UInt32) {
    if formerEntities[table, row] == 0 { formerEntities[table, row] = Entry(entity) + 1 }
  }

  /// Returns the entity of a row before the run, or nil if the run did not change it.
  func formerEntity(_ table: Int, _ row: UInt32) -> Int? {
    let entry = formerEntities[table, row]
    return entry == 0 ? nil : Int(entry) - 1
  }

  private static func status(_ entry: Entry) -> Status { Status(rawValue: UInt8(truncatingIfNeeded: entry)) ?? .none }

  /// The outcome for a row so far.
  subscript(table: Int, row: UInt32) -> Status { RowStatuses.status(entries[table, row]) }

  /// Replaces the outcome for a row.
  mutating func replace(_ table: Int, _ row: UInt32, by status: Status) {
    let known = entries[table, row]
    if known != 0 { entries[table, row] = status == .none ? 0 : known & ~0xFF | Entry(status.rawValue) }
  }

  /// Removes a row, because it was deleted.
  mutating func clear(_ table: Int, _ row: UInt32) {
    replace(table, row, by: .none)
  }

  // MARK: Rows that leave memory

  /// Notes the number of a row in the store.
  mutating func identify(_ table: Int, _ row: UInt32, as id: Int64) {
    if entries[table, row] != 0, id > 0, let id = Entry(exactly: id) { ids[table, row] = id }
  }

  /// Recalls the outcome for an object of the store before its row was removed.
  ///
  /// - Returns: the recalled outcome.
  mutating func recall(_ table: Int, _ row: UInt32, id: Int64) -> Status {
    guard !stored.isEmpty, id > 0, let id = Entry(exactly: id) else { return .none }
    let entry = stored[table, id]
    if entry == 0 { return .none }
    stored[table, id] = 0
    entries[table, row] = entry
    let entity = storedFormerEntities[table, id]
    if entity != 0 { formerEntities[table, row] = entity }
    return RowStatuses.status(entry)
  }

  /// Follows rows to their new numbers. Rows that another context or program deleted or replaced are still counted; rows whose
  /// insertion was rolled back are not.
  mutating func move(_ moves: RowMoves) {
    let (old, oldIDs, oldEntities) = (entries, ids, formerEntities)
    entries.removeAll()
    ids.removeAll()
    formerEntities.removeAll()
    old.forEach { table, row, entry in
      let id = oldIDs[table, row]
      if let new = moves.row(table, row) {
        entries[table, new] = entry
        if id != 0 { ids[table, new] = id }
        if oldEntities[table, row] != 0 { formerEntities[table, new] = oldEntities[table, row] }
      } else if moves.isRollback {
        return
      } else if id != 0 {
        stored[table, id] = entry
        if oldEntities[table, row] != 0 { storedFormerEntities[table, id] = oldEntities[table, row] }
      } else {
        gone[entry, default: 0] += 1
      }
    }
  }

  /// Visits the rows that have an outcome.
  func forEach(_ body: (_ table: Int, _ row: UInt32, _ status: Status) -> Void) {
    entries.forEach { table, row, entry in body(table, row, RowStatuses.status(entry)) }
  }

  /// Visits the outcomes for removed rows, with their previous entity.
  func forEachGone(_ body: (_ entity: Int, _ status: Status, _ count: Int) -> Void) {
    stored.forEach { _, _, entry in body(Int(entry >> 8), RowStatuses.status(entry), 1) }
    for (entry, count) in gone { body(Int(entry >> 8), RowStatuses.status(entry), count) }
  }
}
