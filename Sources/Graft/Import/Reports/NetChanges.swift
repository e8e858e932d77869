/// Which objects end a payload in another state than they began it: what one dictionary changes, another one, an inverse or a
/// deletion may change back.
///
///     journal   row 7: name | row 7: age | row 9: name | row 7: name      row 9 changed; row 7 must be looked at
///
/// A row with one run of entries, each for another attribute, differs for certain: nothing is written that is the same. Only the
/// others are compared with what they were, so that this costs little beside the import.
struct NetChanges {
  private let state: UnsafeMutablePointer<GraphState>
  /// What the headers were of rows whose header changed.
  private(set) var formerHeaders: [RowPlace: UInt64] = [:]
  /// Rows that may be as they were, or that differ though no dictionary of their own changed them: whether they count as
  /// changed.
  private var compared: [RowPlace: Bool] = [:]

  init(_ state: UnsafeMutablePointer<GraphState>) {
    self.state = state
    let hasDeletions = (0..<state.pointee.tableCount).contains { state.pointee.deletedInUnit($0) }
    guard state.pointee.journal.count > state.pointee.unitJournalStart || hasDeletions else { return }
    let doubtful = doubtfulRows()
    if hasDeletions {
      // Links that lead to what was deleted are in no journal.
      let history = RowHistory(state, since: .unit)
      for place in history.places { compare(place, history) }
    } else if !doubtful.isEmpty {
      let history = RowHistory(state, since: .unit, of: doubtful)
      for place in history.places { compare(place, history) }
    }
  }

  /// Whether an object that a dictionary describes, or that a hook changed, is updated: not if all it did was to gain links
  /// through an inverse (D10).
  func isUpdated(_ place: RowPlace, _ header: UInt64) -> Bool {
    compared[place] ?? (header & RowHeader.changed != 0)
  }

  /// Placeholders of before that became those of a sub-entity.
  var narrowed: [RowPlace] {
    formerHeaders.compactMap { place, former in
      let header = state.pointee.row(place.table, place.row)[0]
      let isStillPlaceholder = former & header & RowHeader.placeholder != 0 && header & RowHeader.deleted == 0
      return isStillPlaceholder && (former ^ header) & RowHeader.entityMask != 0 ? place : nil
    }
  }

  private mutating func compare(_ place: RowPlace, _ history: RowHistory) {
    let header = state.pointee.row(place.table, place.row)[0]
    guard header & RowHeader.deleted == 0, header & (RowHeader.described | RowHeader.changed) != 0 else { return }
    let layout = state.pointee.layouts[RowHeader.entity(header)]
    let changes = history.changes(place)
    compared[place] =
      header & RowHeader.changed != 0
      ? !changes.isEmpty : changes.contains { !$0.values.isMereGain(layout.slots[$0.slot]) }
  }

  /// The words of each table that may hold a link without inverse to an object that was deleted before: it reads as nothing,
  /// and writing nothing there changes nothing.
  private func wordsOfDeadLinks() -> [Int: Set<Int>] {
    guard (0..<state.pointee.tableCount).contains(where: { state.pointee.deletedCounts[$0] > 0 }) else { return [:] }
    let plan = state.pointee.plan._withUnsafeGuaranteedRef { $0 }
    var words: [Int: Set<Int>] = [:]
    for entity in plan.entities {
      let layout = state.pointee.layouts[entity.index]
      for slot in (0..<layout.slotCount).map({ layout.slots[$0] })
      where slot.kind == .toOne && slot.inverse < 0 && state.pointee.deletedCounts[slot.destinationTable] > 0 {
        words[layout.table, default: []].insert(slot.cell)
      }
    }
    return words
  }

  /// The rows of which the journal alone does not say that they differ. Notes changed headers by the way.
  private mutating func doubtfulRows() -> Set<RowPlace> {
    var doubtful = Set<RowPlace>()
    let mayBeDead = wordsOfDeadLinks()
    var last = (table: -1, row: UInt32(0))
    var written: UInt64 = 0
    for index in state.pointee.unitJournalStart..<state.pointee.journal.count {
      let entry = state.pointee.journal[index]
      let (table, row) = (entry.table, entry.row)
      guard Int(row) < state.pointee.tables[table].firstNewRow else { continue }
      let base = state.pointee.row(table, row)
      var isDoubtful = false
      if last != (table, row) {
        last = (table, row)
        written = 0
        // A mark of the reader of lists, which nobody uses between payloads.
        isDoubtful = base[0] & RowHeader.listed != 0
        base[0] |= RowHeader.listed
      }
      let isChanged = base[0] & RowHeader.changed != 0
      switch entry.kind {
      case .word where entry.word == 0:
        let place = RowPlace(table: table, row: row)
        if formerHeaders[place] == nil { formerHeaders[place] = entry.old }
        isDoubtful = true
      case .word where entry.word > state.pointee.tables[table].presenceWords:
        let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: entry.word & 63)
        isDoubtful = isDoubtful || written & bit != 0 || !isChanged || mayBeDead[table]?.contains(entry.word) == true
        written |= bit
      case .word: break
      case .append: isDoubtful = isDoubtful || isChanged
      case .vector, .indexed, .unindexed: isDoubtful = true
      }
      if isDoubtful { doubtful.insert(RowPlace(table: table, row: row)) }
    }
    for index in state.pointee.unitJournalStart..<state.pointee.journal.count {
      let entry = state.pointee.journal[index]
      state.pointee.row(entry.table, entry.row)[0] &= ~RowHeader.listed
    }
    return doubtful
  }
}
