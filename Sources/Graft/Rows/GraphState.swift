/// All rows of a context, and the data for rolling changes back.
///
/// It is accessed through one pointer, so that the importer needs no reference counting and exclusivity checks. Transactions
/// nest: the user's changes since the last commit, a transaction on top of them, and an import on top of that.
struct GraphState {
  let plan: Unmanaged<Plan>
  let layouts: PlanReference<EntityLayout>
  let tables: UnsafeMutablePointer<Table>
  let tableCount: Int
  var texts = TextArena()
  var vectors = VectorArena()
  var journal = PlainStack<JournalEntry>()
  /// Vectors that the journal may bring back; free once the unit is committed.
  var retired = PlainStack<UInt64>()
  /// Grows with each transaction: vectors with the current epoch were created in it.
  var epoch: UInt32 = 1
  /// The epochs that began without a change of what is shown: at a commit, and where a live list follows the changes from there on.
  private var unchanged: UInt32 = 0
  /// Differs whenever a transaction may have changed what is shown.
  var transactions: UInt32 { epoch &- unchanged }
  /// The epoch in which the latest import began: rows with it are among those that it touched. Transactions that a hook of
  /// the import runs leave it alone.
  private(set) var importEpoch: UInt32 = 1
  /// The rows that the current import touched, each once, with the offset in the payload that did.
  var touched = PlainStack<Touch>()
  /// Objects that a `replace` removed, with the slot that must not be empty (M6, `deleteOrphans`).
  var orphans = PlainStack<Orphan>()
  /// Grows when a vector gives way to another one without an entry of the journal: it was made in the current transaction.
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
    /// The number of lists that were changed themselves.
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

  // MARK: Units of work

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

  /// Whether a row is none of those before a mark, nor one that was loaded since then.
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

  /// The number of rows at the last commit; rows from there on are inserted.
  func committedRows(_ table: Int) -> Int { marks[0].rowCounts[table] }

  /// Whether rows of a table were deleted since the last commit; and since the current transaction began.
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

  /// Continues an import that was interrupted by other transactions: rows that they touched count as untouched.
  mutating func resumeImport() { importEpoch = epoch }

  /// Makes everything since the last commit permanent; inside a transaction, which commits itself, nothing.
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

  /// Whether most texts are garbage, and enough of it to pay for a walk over all rows.
  private var isWorthCompacting: Bool {
    guard texts.garbage > TextArena.blockSize, texts.garbage > texts.size / 2 else { return false }
    return texts.garbage > (0..<tableCount).reduce(0) { $0 + tables[$1].rowCount } * 8
  }

  /// The next transaction begins here; memory that is no longer needed is freed.
  mutating func restart() {
    for table in 0..<tableCount {
      tables[table].trim()
    }
    marks = []
    marks.append(mark)
    setFirstNewRows(marks[0])
    nextEpoch()
  }

  /// Ends a successful transaction: its changes become those of the enclosing one.
  mutating func end() {
    if marks.count > 1 {
      let ended = marks.removeLast()
      let outer = marks[marks.count - 1]
      if ended.rowCounts != outer.rowCounts { releaseVectors(journaledSince: ended, ofRowsNewIn: outer) }
    }
    setFirstNewRows(marks[marks.count - 1])
    nextEpoch()
  }

  /// Rows that are new in the outer transaction were old for the one that ended, which kept their vectors for the journal.
  /// The outer one drops the rows if it is rolled back, so nothing brings these vectors back.
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

  /// The rows that a rollback changed in more than their values.
  struct Undone {
    /// The rows that belong to the entity of their former placeholder again.
    var widened: [RowPlace] = []
    /// The rows of rolled back insertions that count as deleted now, because rows that were loaded later follow them. All others
    /// no longer exist.
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
      // Drops the notes of an inner transaction about rows that are new in this one, because these rows are dropped as a whole.
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

  /// Derives what depends on the values of a row that a rollback gave back.
  private mutating func settle(_ place: RowPlace) {
    let row = row(place.table, place.row)
    if row.isDeleted || row.isFault { return }
    if tables[place.table].alternateCount > 0 { AlternateIndex.insert(place.row, table: place.table, &self) }
    if source != nil { settleLists(of: place) }
  }

  /// Derives the presence bits of a row's lists: they may have been loaded after the journal noted a word with other bits.
  private func settleLists(of place: RowPlace) {
    let row = row(place.table, place.row)
    if !row.isLoaded { return }
    let layout = layouts[row.entity]
    for number in 0..<layout.slotCount where layout.slots[number].kind == .toMany {
      let slot = layout.slots[number]
      let isUnknown = row[tables[place.table].unloadedWord(slot.word)] & slot.mask != 0
      // An unknown list counts as present: the store has checked required values, except those of placeholders.
      row.setPresence(
        of: slot,
        isUnknown ? !row.isPlaceholder && !loads.thinned.contains(place) : vectors.count(row[slot]) > 0)
    }
  }

  /// Rows that only this transaction touched count as untouched for the import around it.
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
      // The list may have been loaded since then: members are found by their numbers.
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
    let number = cell - 1 - tables[table].presenceWords
    return row[tables[table].unloadedWord(1 + number >> 6)] & 1 << UInt64(number & 63) != 0
  }

  /// Adds a member to a list, past the journal.
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

  /// The additions to unknown lists are in the store, so the lists contain nothing here.
  private mutating func forgetDeltas() {
    for index in 0..<journal.count where journal[index].kind == .delta {
      let entry = journal[index]
      let row = row(entry.table, entry.row)
      guard row[entry.word] != 0, isUnknown(entry.table, row, cell: entry.word) else { continue }
      vectors.release(RowVector(row[entry.word]))
      row[entry.word] = 0
    }
  }

  /// The changes are facts: they count as committed in all transactions, which stay open.
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

  /// Undoes all changes since the last commit. Units of work stay open, without changes. Rows that were inserted
  /// count as deleted: their numbers are not used again.
  ///
  /// - Returns: the rows that again belong to another entity: that of their former placeholder.
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

  /// Drops the rows from a number on. Among rows that were loaded, which stay, a dropped row is a deleted one.
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

  /// If rows were loaded among new ones, every change is journaled.
  private func setFirstNewRows(_ mark: Mark) {
    for table in 0..<tableCount {
      tables[table].firstNewRow = loads.ends[table] > mark.rowCounts[table] ? .max : mark.rowCounts[table]
      if tables[table].followedRows > 0 { tables[table].keepFollowing() }
    }
  }

  /// The first row that is new since ``follow()``, or since the last commit.
  func firstUnfollowed(_ table: Int) -> Int { max(committedRows(table), tables[table].followedRows) }

  /// From now on, every change is in the journal, those of rows that are new so far included; only rows that come later are not.
  mutating func follow() {
    for table in 0..<tableCount {
      tables[table].followedRows = tables[table].rowCount
      tables[table].keepFollowing()
    }
    // A list that was made in this transaction could be changed in place.
    nextEpoch()
    unchanged &+= 1
  }

  func unfollow() { for table in 0..<tableCount { tables[table].followedRows = 0 } }

  /// The deleted rows of a table are removed.
  mutating func forgetDeleted(_ table: Int) { deletedCounts[table] = 0 }

  // MARK: Loading

  /// Rows are about to be loaded. Loading is never journaled, and does not touch changed values.
  func beginLoad() -> RowLoads.Load {
    // What an open transaction inserted and deleted is new in it, although nothing changed.
    let isAmongChanges =
      hasChanges
      || openUnits > 0
        && (0..<tableCount).contains { hasNewRows($0, since: marks[0], countsDeleted: true) }
    return RowLoads.Load(isAmongChanges: isAmongChanges, storedText: texts.stored)
  }

  /// A row that was loaded counts as deleted, also after a rollback.
  mutating func countLoaded(_ table: Int, _ row: UInt32) {
    deletedCounts[table] += 1
    for index in marks.indices where Int(row) < marks[index].rowCounts[table] { marks[index].deletedCounts[table] += 1 }
  }

  /// Rows were loaded. If nothing has changed since the last commit, they count as committed; otherwise they are marked as stored,
  /// and rolling back leaves them.
  mutating func endLoad(_ load: RowLoads.Load) {
    if load.isAmongChanges {
      // Texts that were stored before the load are garbage if it is rolled back.
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

  /// Begins the epoch of the next transaction; once in four billion, all epochs are reset.
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

  /// Copies the texts that rows refer to into a new arena. Only at a commit, when the journal refers to none.
  mutating func compactTexts() {
    let packed = copyTexts(from: texts)
    texts.free()
    texts = packed
  }

  /// Copies the texts that rows refer to out of an arena; the rows refer to the copies then. Deleted rows lose theirs.
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
