/// Determines which objects differ between the beginning and the end of a payload. A change made by one dictionary may be reversed
/// by another dictionary, an inverse or a deletion.
///
///     journal   row 7: name | row 7: age | row 9: name | row 7: name      row 9 changed; row 7 must be looked at
///
/// A row certainly differs if it has one run of entries, and one of these entries is the only one for its attribute or to-one
/// relationship, because equal values are never written. Only the remaining rows are compared with their previous state, so the
/// additional cost is small.
struct NetChanges {
  private let state: Reference<GraphState>
  /// The previous headers of rows whose header changed; for deleted rows, only if they belonged to another entity.
  private(set) var formerHeaders: [RowPlace: RowHeader] = [:]
  /// Rows that may be unchanged, or that differ although none of their dictionaries changed them, and whether each row is reported as
  /// changed.
  private var compared = RowMap()
  private var areChanged: [Bool] = []

  init(_ state: Reference<GraphState>) {
    self.state = state
    let hasDeletions = (0..<state.tableCount).contains { state.deletedInUnit($0) }
    guard state.pointee.journal.count > state.unitJournalStart || hasDeletions else { return }
    let doubtful = doubtfulRows()
    guard doubtful.count > 0 || hasDeletions else { return }
    // The history includes deleted rows, so that a link to a deleted row is recognized.
    let history = RowHistory(state, since: .unit, of: hasDeletions ? nil : doubtful)
    var classes = ContentClasses(state, history)
    for place in doubtful.places { compare(place, history, &classes) }
    for place in history.linkedToDeleted.keys where compared[place.table, place.row] == nil {
      compare(place, history, &classes)
    }
  }

  /// Returns whether an object that a dictionary describes, or that a hook changed, is updated. An object that merely gained links through
  /// an inverse is not updated (D10).
  func isUpdated(_ place: RowPlace, _ header: RowHeader) -> Bool {
    compared[place.table, place.row].map { areChanged[$0] } ?? header.isChanged
  }

  /// Earlier placeholders that became placeholders of a sub-entity.
  var narrowed: [RowPlace] {
    formerHeaders.compactMap { place, former in
      let header = state.row(place.table, place.row).header
      let isStillPlaceholder = former.isPlaceholder && header.isPlaceholder && !header.isDeleted
      return isStillPlaceholder && former.entity != header.entity ? place : nil
    }
  }

  private mutating func compare(_ place: RowPlace, _ history: RowHistory, _ classes: inout ContentClasses) {
    let header = state.row(place.table, place.row).header
    guard !header.isDeleted, (header.isDescribed || header.isChanged) else { return }
    compared.add(place.table, place.row)
    if formerHeaders[place] == nil, history.hasLostMember(place) { return areChanged.append(true) }
    let layout = state.layouts[header.entity]
    let isChanged = header.isChanged
    func isChange(_ change: ChangedProperty) -> Bool {
      let slot = layout.slots[change.slot]
      let values = classes.represented(change.values, slot)
      return !values.isSame(slot) && (isChanged || !values.isMereGain(slot))
    }
    func isList(_ slot: Int) -> Bool { layout.slots[slot].kind == .toMany }
    // Lists may be long, so the previous contents of lists are restored only if no other property differs.
    let isDifferent = history.withImage(of: place) { image in
      history.changes(image, except: isList).contains(where: isChange)
        || history.changes(image, except: { !isList($0) }).contains(where: isChange)
    }
    areChanged.append(isDifferent)
  }

  /// Returns the words of each table that may hold a link to a deleted object. Without an inverse, such a link reads as nil, so
  /// writing nil there changes nothing. With an inverse, an equal object may have replaced the deleted object.
  private func wordsOfDeadLinks() -> [Int: Set<Int>] {
    guard (0..<state.tableCount).contains(where: { state.pointee.deletedCounts[$0] > 0 }) else { return [:] }
    let plan = state.plan._withUnsafeGuaranteedRef { $0 }
    var words: [Int: Set<Int>] = [:]
    for entity in plan.entities {
      let layout = state.layouts[entity.index]
      for slot in (0..<layout.slotCount).map({ layout.slots[$0] })
      where slot.kind == .toOne
        && (slot.inverse < 0
          ? state.pointee.deletedCounts[slot.destinationTable] > 0
          : state.deletedInUnit(slot.destinationTable))
      {
        words[layout.table, default: []].insert(slot.cell)
      }
    }
    return words
  }

  /// Returns the rows that may be unchanged according to the journal alone. Also notes changed headers.
  private mutating func doubtfulRows() -> RowMap {
    var doubtful = RowMap()
    let mayBeDead = wordsOfDeadLinks()
    var run = Run(table: -1, row: 0)
    var marked: [Row] = []
    for index in state.unitJournalStart..<state.pointee.journal.count {
      let entry = state.pointee.journal[index]
      let (table, number) = (entry.table, entry.row)
      if state.isNewInUnit(table, number) { continue }
      let row = state.row(table, number)
      // Links that an object only gains do not update it, however often. However, no entry records the links that a
      // vector of this transaction loses.
      if entry.kind == .append || entry.kind == .delta && !entry.delta.isGone, !row.isChanged { continue }
      let isHeader = entry.kind == .word && entry.word == 0
      if row.isDeleted {
        if isHeader, row.entity != RowHeader(bits: entry.old).entity { noteFormerHeader(entry) }
        continue
      }
      if run.row != number || run.table != table {
        if run.isDoubtful { doubtful.add(run.table, run.row) }
        run = Run(table: table, row: number)
        // Uses a mark of the list reader, which is free between payloads.
        run.isSecond = row.isListed
        if !run.isSecond {
          row.isListed = true
          marked.append(row)
        }
      }
      switch entry.kind {
      case .word where isHeader:
        noteFormerHeader(entry)
        run.hasDoubt = true
      case .word where entry.word > state.tables[table].presenceWords:
        if row.isChanged, mayBeDead[table]?.contains(entry.word) != true {
          run.write(entry.word)
        } else {
          run.hasDoubt = true
        }
      case .word: run.hasPresence = true
      case .growth: if row.isChanged || hasLost(entry, row) { run.hasDoubt = true }
      case .append, .vector, .removal, .delta, .indexed, .unindexed: run.hasDoubt = true
      }
    }
    if run.isDoubtful { doubtful.add(run.table, run.row) }
    for row in marked { row.isListed = false }
    return doubtful
  }

  /// Returns whether a list may lack some of the rows that it had when its vector was replaced by a larger vector.
  private func hasLost(_ growth: JournalEntry, _ row: Row) -> Bool {
    guard growth.old != 0 else { return false }
    let old = RowVector(growth.old)
    return old.firstDifference(before: old.used, from: row[growth.word]) != nil
  }

  /// Consecutive entries of one row.
  private struct Run {
    var table: Int
    var row: UInt32
    /// Whether the row had earlier entries, separated by entries of other rows, that the entries of this run may reverse.
    var isSecond = false
    /// Whether there is an entry that may have changed nothing.
    var hasDoubt = false
    /// Whether there is an entry for the presence bits.
    var hasPresence = false
    /// The words with attributes and to-one relationships that were written, and the words that were written again, both modulo 64.
    private var written: UInt64 = 0
    private var rewritten: UInt64 = 0

    init(table: Int, row: UInt32) { (self.table, self.row) = (table, row) }

    mutating func write(_ word: Int) {
      let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: word & 63)
      rewritten |= written & bit
      written |= bit
    }

    /// Whether the row may be unchanged. It differs if a word was written only once.
    var isDoubtful: Bool {
      if isSecond { return hasDoubt || hasPresence || written != 0 }
      return written & ~rewritten == 0 && (hasDoubt || rewritten != 0)
    }
  }

  private mutating func noteFormerHeader(_ entry: JournalEntry) {
    let place = RowPlace(table: entry.table, row: entry.row)
    if formerHeaders[place] == nil { formerHeaders[place] = RowHeader(bits: entry.old) }
  }
}
