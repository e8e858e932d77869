/// All rows of a context, and the data for rolling changes back.
///
/// It is accessed through one pointer, so the importer needs no reference counting or exclusivity checks. Transactions
/// nest: the user's changes since the last commit, a transaction on top of them, and an import on top of that.
struct GraphState {
  let plan: Unmanaged<Plan>
  let layouts: PlanReference<EntityLayout>
  let tables: UnsafeMutablePointer<Table>
  let tableCount: Int
  var texts = TextArena()
  var vectors = VectorArena()
  var journal = PlainStack<JournalEntry>()
  /// Vectors that the journal may restore. They are freed when the transaction is committed.
  var retired = PlainStack<UInt64>()
  /// A number that grows with each transaction. Vectors with the current epoch were created in the current transaction.
  var epoch: UInt32 = 1
  /// The number of epochs that began without a visible change: at a commit, and when a live list began to follow the changes.
  private var unchanged: UInt32 = 0
  /// A value that changes whenever a transaction may have made visible changes.
  var transactions: UInt32 { epoch &- unchanged }
  /// The epoch in which the latest import began: rows with this epoch are among the rows that the import touched. Transactions that a hook
  /// of the import runs do not change it.
  private(set) var importEpoch: UInt32 = 1
  /// The rows that the current import touched, each once, with the offset of the payload's value that touched it.
  var touched = PlainStack<Touch>()
  /// Objects that a `replace` removed, with the slot that must not be empty (M6, `deleteOrphans`).
  var orphans = PlainStack<Orphan>()
  /// A number that grows when a vector is replaced without a journal entry, because it was created in the current transaction.
  var replacedVectors = 0
  /// The number of deleted rows that each table still contains.
  var deletedCounts: [Int]
  let seeds = IdentityHash.seeds
  /// The source of rows and links that are not in memory; nil without a store.
  var source: (any RowSource)?
  /// The data that was loaded during transactions.
  var loads = RowLoads()
  private var marks: [Mark] = []

  struct Touch {
    var table: Int32
    var row: UInt32
    var offset: Int
  }

  struct Orphan {
    var table: Int32
    var row: UInt32
    var word: Int32
    var mask: UInt64
    var offset: Int
  }

  /// The start of a transaction.
  private struct Mark {
    var rowCounts: [Int]
    var journal: Int
    var retired: Int
    var texts: TextArena.Mark
    var touched: Int
    var deletedCounts: [Int]
    /// The number of lists that were changed directly.
    var edits: Int
    /// The number of tables that were replaced as a whole.
    var replacedTables: Int
  }

  /// - Parameter positions: for a graph whose rows come from a store, the number of ordered relationships to each table.
  init(_ plan: Plan, positions: [Int]? = nil) {
    self.plan = .passUnretained(plan)
    layouts = plan.layouts
    tableCount = plan.tables.count
    tables = .allocate(capacity: max(1, tableCount))
    for (index, table) in plan.tables.enumerated() {
      (tables + index).initialize(to: Table(table, positions: positions.map { $0[index] }))
    }
    deletedCounts = Array(repeating: 0, count: tableCount)
    loads.ends = deletedCounts
    marks.append(mark)
  }

  func free() {
    for index in 0..<tableCount { tables[index].free() }
    tables.deallocate()
    texts.free()
    vectors.deallocate()
    journal.free()
    retired.free()
    touched.free()
    orphans.free()
  }

  @inline(__always)
  func row(_ table: Int, _ row: UInt32) -> Row { tables[table].row(row) }

  private var mark: Mark {
    Mark(
      rowCounts: (0..<tableCount).map { tables[$0].rowCount }, journal: journal.count, retired: retired.count,
      texts: texts.mark, touched: touched.count, deletedCounts: deletedCounts,
      edits: loads.editCount, replacedTables: loads.replacedTables.count)
  }

  // MARK: Transactions

  /// Whether anything changed since the last commit.
  var hasChanges: Bool {
    let base = marks[0]
    return journal.count > base.journal || (0..<tableCount).contains { hasNewRows($0, since: base) }
  }

  private func hasNewRows(_ table: Int, since mark: Mark, countsDeleted: Bool = false) -> Bool {
    let first = mark.rowCounts[table]
    if loads.ends[table] == 0 { return tables[table].rowCount > first }
    return (first..<max(first, tables[table].rowCount)).contains {
      let row = row(table, UInt32($0))
      return row.isInserted || countsDeleted && !row.isStored
    }
  }

  /// Whether a row was added after a mark, and was not loaded from the store.
  @inline(__always)
  func isNew(_ table: Int, _ row: UInt32, since first: Int) -> Bool {
    Int(row) >= first && !self.row(table, row).isStored
  }

  /// Whether a row is new in the innermost transaction.
  @inline(__always)
  func isNewInUnit(_ table: Int, _ row: UInt32) -> Bool {
    isNew(table, row, since: marks[marks.count - 1].rowCounts[table])
  }

  /// The number of rows when the innermost transaction began.
  func unitRows(_ table: Int) -> Int { marks[marks.count - 1].rowCounts[table] }

  /// The number of rows at the last commit; rows from this number onward are inserted.
  func committedRows(_ table: Int) -> Int { marks[0].rowCounts[table] }

  /// Whether rows of a table were deleted since the last commit, or since the current transaction began.
  func deletedSinceCommit(_ table: Int) -> Bool { deletedCounts[table] > marks[0].deletedCounts[table] }
  func deletedInUnit(_ table: Int) -> Bool { deletedCounts[table] > marks[marks.count - 1].deletedCounts[table] }

  /// The number of open transactions: 0 outside imports and ``ManagedObjectContext/atomically(_:)``.
  var openUnits: Int { marks.count - 1 }

  /// The start of the journal of the innermost transaction.
  var unitJournalStart: Int { marks[marks.count - 1].journal }

  /// Begins a transaction: everything after this point can be rolled back.
  mutating func begin() {
    marks.append(mark)
    setFirstNewRows(marks[marks.count - 1])
    nextEpoch()
  }

  /// Begins the transaction of an import, which records the rows that it touches.
  mutating func beginImport() {
    touched.truncate(to: 0)
    orphans.truncate(to: 0)
    begin()
    importEpoch = epoch
  }

  /// Continues an import that was interrupted by other transactions. Rows that these transactions touched are treated as untouched.
  mutating func resumeImport() { importEpoch = epoch }

  /// Makes everything since the last commit permanent; inside a transaction, does nothing, because the transaction commits at its end.
  mutating func commit() {
    if openUnits > 0 { return }
    if source != nil { forgetDeltas() }
    for index in 0..<retired.count { vectors.release(RowVector(retired[index])) }
    retired.truncate(to: 0)
    journal.truncate(to: 0)
    vectors.unpin()
    retired.trim(to: 1 << 12)
    journal.trim(to: 1 << 12)
    touched.truncate(to: 0)
    touched.trim(to: 1 << 12)
    orphans.truncate(to: 0)
    orphans.trim(to: 1 << 12)
    if isWorthCompacting { compactTexts() }
    loads.forget()
    restart()
    unchanged &+= 1
  }

  /// Whether most texts are garbage, and there is enough garbage to justify visiting all rows.
  private var isWorthCompacting: Bool {
    guard texts.garbage > TextArena.blockSize, texts.garbage > texts.size / 2 else { return false }
    return texts.garbage > (0..<tableCount).reduce(0) { $0 + tables[$1].rowCount } * 8
  }

  /// Begins the next transaction, and frees memory that is no longer needed.
  mutating func restart() {
    for table in 0..<tableCount {
      tables[table].trim()
    }
    marks = []
    marks.append(mark)
    setFirstNewRows(marks[0])
    nextEpoch()
  }

  /// Ends a successful transaction. Its changes become changes of the enclosing transaction.
  mutating func end() {
    if marks.count > 1 {
      let ended = marks.removeLast()
      let outer = marks[marks.count - 1]
      if ended.rowCounts != outer.rowCounts { releaseVectors(journaledSince: ended, ofRowsNewIn: outer) }
    }
    setFirstNewRows(marks[marks.count - 1])
    nextEpoch()
  }

  /// Releases the vectors of rows that are new in the outer transaction. For the transaction that ended, these rows were not new, so their
  /// vectors were kept for the journal. If the outer transaction is rolled back, the rows are dropped, so these vectors are never
  /// restored.
  private mutating func releaseVectors(journaledSince ended: Mark, ofRowsNewIn outer: Mark) {
    retired.truncate(to: ended.retired)
    for index in ended.journal..<journal.count {
      let entry = journal[index]
      guard entry.isVector, entry.old != 0 else { continue }
      if !isNew(entry.table, entry.row, since: outer.rowCounts[entry.table]) {
        retired.append(entry.old)
      } else {
        vectors.release(RowVector(entry.old))
        journal[index] = JournalEntry(entry.kind, table: entry.table, row: entry.row, word: entry.word, old: 0)
      }
    }
  }

  /// The rows for which a rollback changed more than their values.
  struct Undone {
    /// The rows that again belong to the entity of their former placeholder.
    var widened: [RowPlace] = []
    /// The rows of rolled-back insertions that are now marked as deleted, because they are followed by rows that were loaded later.
    /// All other rows of such insertions no longer exist.
    var dropped: [RowPlace] = []
  }

  /// Rolls back everything since the last `begin()`, or since the last commit.
  mutating func rollBack() -> Undone { rollBack(keepsNumbers: false) }

  private mutating func rollBack(keepsNumbers: Bool) -> Undone {
    let mark = marks[marks.count - 1]
    var undone = Undone()
    var changed: Set<RowPlace> = []
    var index = journal.count
    while index > mark.journal {
      index -= 1
      let entry = journal[index]
      let hasAlternates = tables[entry.table].alternateCount > 0
      if source != nil || hasAlternates { changed.insert(RowPlace(table: entry.table, row: entry.row)) }
      // Drops the entries of an inner transaction for rows that are new in this transaction, because these rows are dropped as a whole.
      if isNew(entry.table, entry.row, since: mark.rowCounts[entry.table]) {
        if entry.isVector, entry.old != 0 { vectors.release(RowVector(entry.old)) }
        continue
      }
      if entry.kind == .word, entry.word == 0, row(entry.table, entry.row).entity != RowHeader(bits: entry.old).entity {
        undone.widened.append(RowPlace(table: entry.table, row: entry.row))
      }
      undo(entry)
    }
    journal.truncate(to: mark.journal)
    retired.truncate(to: mark.retired)
    loads.forgetEdits(from: mark.edits)
    loads.replacedTables.removeSubrange(mark.replacedTables...)
    deletedCounts = mark.deletedCounts
    for table in 0..<tableCount {
      dropRows(table, from: mark.rowCounts[table], keepsNumbers: keepsNumbers, &undone.dropped)
    }
    texts.truncate(to: mark.texts)
    forgetTouches(since: mark)
    if journal.count == 0 { vectors.unpin() }
    if marks.count > 1 { marks.removeLast() }
    setFirstNewRows(marks[marks.count - 1])
    nextEpoch()
    for place in changed where Int(place.row) < tables[place.table].rowCount { settle(place) }
    return undone
  }

  /// Updates everything that depends on the values of a row, after a rollback has restored them.
  private mutating func settle(_ place: RowPlace) {
    let row = row(place.table, place.row)
    if row.isDeleted || row.isFault { return }
    if tables[place.table].alternateCount > 0 { AlternateIndex.insert(place.row, table: place.table, &self) }
    if source != nil { settleLists(of: place) }
  }

  /// Derives the presence bits of a row's lists, because lists may have been loaded after the journal recorded a word with different bits.
  private func settleLists(of place: RowPlace) {
    let row = row(place.table, place.row)
    if !row.isLoaded { return }
    let layout = layouts[row.entity]
    for number in 0..<layout.slotCount where layout.slots[number].kind == .toMany {
      let slot = layout.slots[number]
      let isUnknown = tables[place.table].isUnknown(slot.words, in: row)
      // An unknown list is treated as present, because the store has checked required values, except the values of placeholders.
      row.setPresence(
        of: slot,
        isUnknown ? !row.isPlaceholder && !loads.thinned.contains(place) : vectors.count(row[slot]) > 0)
    }
  }

  /// Marks rows that only this transaction touched as untouched for the enclosing import.
  private mutating func forgetTouches(since mark: Mark) {
    let first = min(mark.touched, touched.count)
    for touch in touched.elements[first...] where Int(touch.row) < tables[Int(touch.table)].rowCount {
      let row = row(Int(touch.table), touch.row)
      row.header = row.header.untouched
    }
    touched.truncate(to: first)
  }

  private mutating func undo(_ entry: JournalEntry) {
    let row = tables[entry.table].row(entry.row)
    switch entry.kind {
    case .word:
      row[entry.word] = entry.old
    case .vector, .growth:
      if row[entry.word] != 0 { vectors.release(RowVector(row[entry.word])) }
      row[entry.word] = entry.old
    case .append:
      guard row[entry.word] != 0, vectors.ends(RowVector(row[entry.word]), with: UInt32(entry.old)) else {
        return assertionFailure("the journal and a list differ")
      }
      vectors.removeLast(from: RowVector(row[entry.word]))
    case .removal:
      vectors.putBack(entry.removed.row, at: entry.removed.place, in: RowVector(row[entry.word]))
    case .indexed:
      GraphIdentity.remove(entry.row, table: entry.table, &self)
    case .unindexed:
      GraphIdentity.insert(entry.row, table: entry.table, &self)
    case .delta:
      // The list may have been loaded since this entry was recorded, so members are found by their numbers.
      let (member, isGone) = entry.delta
      if isGone {
        if entry.deltaWasAdded || !isUnknown(entry.table, row, cell: entry.word) {
          append(member, to: entry.word, of: row)
        }
      } else if row[entry.word] != 0 {
        _ = vectors.remove(member, from: RowVector(row[entry.word]))
      }
    }
  }

  /// Whether the members of a list are not in memory.
  private func isUnknown(_ table: Int, _ row: Row, cell: Int) -> Bool {
    tables[table].isUnknown(SlotWords(cell: cell, presenceWords: tables[table].presenceWords), in: row)
  }

  /// Adds a member to a list, bypassing the journal.
  mutating func append(_ member: UInt32, to cell: Int, of row: Row) {
    let old = row[cell]
    if old != 0, RowVector(old).used < RowVector(old).capacity { return vectors.append(member, to: RowVector(old)) }
    let new = vectors.make(room: vectors.count(old) + 1, epoch: 0)
    if old != 0 {
      vectors.copyRows(of: RowVector(old), to: new)
      vectors.release(RowVector(old))
    }
    vectors.append(member, to: new)
    row[cell] = new.cell
  }

  /// Empties unknown lists, because the additions to them are now in the store.
  private mutating func forgetDeltas() {
    for index in 0..<journal.count where journal[index].kind == .delta {
      let entry = journal[index]
      let row = row(entry.table, entry.row)
      guard row[entry.word] != 0, isUnknown(entry.table, row, cell: entry.word) else { continue }
      vectors.release(RowVector(row[entry.word]))
      row[entry.word] = 0
    }
  }

  /// Treats all changes as committed in all transactions. The transactions stay open.
  mutating func accept() {
    let open = marks.count - 1
    let touched = marks.map(\.touched)
    marks.removeLast(open)
    let stack = self.touched
    self.touched = PlainStack()
    commit()
    self.touched.free()
    self.touched = stack
    marks = Array(repeating: mark, count: open + 1)
    for index in marks.indices { marks[index].touched = touched[index] }
    setFirstNewRows(marks[open])
  }

  /// Undoes all changes since the last commit. Transactions stay open, without changes. Inserted rows are marked as deleted, so their
  /// numbers are not used again.
  ///
  /// - Returns: the rows that again belong to the entity of their former placeholder.
  mutating func rewind() -> [RowPlace] {
    let base = marks[0]
    let open = marks.count - 1
    marks.removeLast(open)
    let count = (0..<tableCount).map { tables[$0].rowCount }
    let undone = rollBack(keepsNumbers: true)
    for table in 0..<tableCount { assert(tables[table].rowCount == count[table]) }
    loads.forget()
    marks = Array(repeating: mark, count: open + 1)
    for index in marks.indices { marks[index].touched = min(base.touched, touched.count) }
    setFirstNewRows(marks[open])
    return undone.widened
  }

  /// Drops the rows from a number onward. Loaded rows stay, and a dropped row before a loaded row is marked as deleted.
  ///
  /// - Parameter dropped: receives the rows that are now marked as deleted.
  private mutating func dropRows(
    _ table: Int, from first: Int, keepsNumbers: Bool, _ dropped: inout [RowPlace]
  ) {
    var number = tables[table].rowCount
    var end = keepsNumbers ? number : first
    while number > first {
      number -= 1
      let row = tables[table].row(UInt32(number))
      if row.isStored {
        end = max(end, number + 1)
        if row.isDeleted { deletedCounts[table] += 1 }
        continue
      }
      let layout = layouts[row.entity]
      if !row.isDeleted { GraphIdentity.remove(UInt32(number), table: table, &self) }
      for slot in 0..<layout.slotCount where layout.slots[slot].kind == .toMany {
        let cell = row[layout.slots[slot]]
        if cell != 0 { vectors.release(RowVector(cell)) }
      }
      if number < end {
        let entity = row.entity
        row.words.update(repeating: 0, count: tables[table].stride)
        row.header = RowHeader(entity: entity, RowHeader.deleted)
        deletedCounts[table] += 1
        dropped.append(RowPlace(table: table, row: UInt32(number)))
      }
    }
    tables[table].truncate(to: end)
  }

  /// Sets the first new row of each table. If rows were loaded among new rows, every change is journaled.
  private func setFirstNewRows(_ mark: Mark) {
    for table in 0..<tableCount {
      tables[table].firstNewRow = loads.ends[table] > mark.rowCounts[table] ? .max : mark.rowCounts[table]
      if tables[table].followedRows > 0 { tables[table].keepFollowing() }
    }
  }

  /// The first row that was added after ``follow()``, or since the last commit.
  func firstUnfollowed(_ table: Int) -> Int { max(committedRows(table), tables[table].followedRows) }

  /// Makes the journal record every change from now on, including changes to rows that are already new. Only rows that are added later
  /// are excluded.
  mutating func follow() {
    for table in 0..<tableCount {
      tables[table].followedRows = tables[table].rowCount
      tables[table].keepFollowing()
    }
    // A new epoch begins, because a list created in the current epoch could be changed in place without a journal entry.
    nextEpoch()
    unchanged &+= 1
  }

  func unfollow() { for table in 0..<tableCount { tables[table].followedRows = 0 } }

  /// Called when the deleted rows of a table have been removed.
  mutating func forgetDeleted(_ table: Int) { deletedCounts[table] = 0 }

  // MARK: Loading

  /// Called when rows are about to be loaded. Loading is never journaled, and does not overwrite changed values.
  func beginLoad() -> RowLoads.Load {
    // A transaction that has inserted an object and deleted it again has a new row, although there are no changes.
    let isAmongChanges =
      hasChanges
      || openUnits > 0
        && (0..<tableCount).contains { hasNewRows($0, since: marks[0], countsDeleted: true) }
    return RowLoads.Load(isAmongChanges: isAmongChanges, storedText: texts.stored)
  }

  /// Records that a loaded row is deleted, even after a rollback.
  mutating func countLoaded(_ table: Int, _ row: UInt32) {
    deletedCounts[table] += 1
    for index in marks.indices where Int(row) < marks[index].rowCounts[table] { marks[index].deletedCounts[table] += 1 }
  }

  /// Called when rows have been loaded. If nothing has changed since the last commit, the loaded rows are treated as committed.
  /// Otherwise, they are marked as stored, and a rollback keeps them.
  mutating func endLoad(_ load: RowLoads.Load) {
    if load.isAmongChanges {
      // Texts that a transaction stored before the load become garbage if the transaction is rolled back.
      for index in marks.indices {
        let garbage = marks[index].texts.garbage + load.storedText - marks[index].texts.stored
        marks[index].texts = texts.mark
        marks[index].texts.garbage = garbage
      }
      for table in 0..<tableCount where tables[table].rowCount > marks[0].rowCounts[table] {
        loads.ends[table] = tables[table].rowCount
      }
    } else {
      loads.forgetEnds()
      for index in marks.indices {
        let (touched, edits) = (marks[index].touched, marks[index].edits)
        marks[index] = mark
        (marks[index].touched, marks[index].edits) = (touched, edits)
      }
    }
    setFirstNewRows(marks[marks.count - 1])
  }

  /// Begins the epoch of the next transaction; once every four billion times, all epochs are reset.
  private mutating func nextEpoch() {
    epoch &+= 1
    guard epoch == 0 else { return }
    epoch = 1
    importEpoch = 1
    for table in 0..<tableCount {
      for number in 0..<tables[table].rowCount {
        let row = tables[table].row(UInt32(number))
        row.header = row.header.untouched
        let layout = layouts[row.entity]
        for slot in 0..<layout.slotCount where layout.slots[slot].kind == .toMany {
          let cell = row[layout.slots[slot]]
          if cell != 0 { RowVector(cell).epoch = 0 }
        }
      }
    }
  }

  // MARK: Texts

  /// The bytes of all texts that a row refers to.
  func textBytes(ofRow row: Row) -> Int {
    let layout = layouts + row.entity
    var count = 0
    for index in 0..<layout.pointee.slotCount where layout.pointee.slots[index].kind.isText {
      let slot = layout.pointee.slots + index
      if row.isSet(slot) { count += texts.bytes(row[slot]).count }
    }
    return count
  }

  /// Copies the texts that rows refer to into a new arena. Call this only at a commit, when the journal does not refer to any texts.
  mutating func compactTexts() {
    let packed = copyTexts(from: texts)
    texts.free()
    texts = packed
  }

  /// Copies the texts that rows refer to out of an arena, and makes the rows refer to the copies. Deleted rows lose their texts.
  func copyTexts(from texts: TextArena) -> TextArena {
    var packed = TextArena()
    for table in 0..<tableCount {
      for number in 0..<tables[table].rowCount {
        let row = tables[table].row(UInt32(number))
        let layout = layouts[row.entity]
        for slot in 0..<layout.slotCount where layout.slots[slot].kind.isText {
          let plan = layout.slots[slot]
          guard row.isSet(plan) else { continue }
          if row.isDeleted {
            row.setPresence(of: plan, false)
            row[plan] = 0
            continue
          }
          row[plan] = packed.store(texts.bytes(row[plan]), isPlain: texts.isPlain(row[plan]))
        }
      }
    }
    return packed
  }
}
