/// What rows held before the changes that the journal knows of: those since the last commit, or of the current unit of work.
///
///     journal   word 5 of row 7 was 12 | word 4 of row 7 was the vector [1, 2] | word 5 of row 7 was 13
///     image     row 7: word 5 was 12, word 4 was [1, 2]            <- entries played backwards on a copy
///
/// Rows that are new since then have no history. Nothing is kept while changes are made: all of this costs something only when
/// somebody asks, in proportion to the journal.
struct RowHistory {
  /// Where a history begins.
  enum Start { case lastCommit, unit }

  /// One property that is not what it was.
  struct Change {
    var slot: Int
    var values: Values
  }

  /// What a property held and holds: an attribute's value, or the rows that a relationship leads to.
  enum Values {
    case attribute(old: AttributeValue?, new: AttributeValue?)
    case links(old: [UInt32], new: [UInt32])

    /// Whether links were only gained: none was lost, and the others are in their old order.
    func isMereGain(_ slot: SlotPlan) -> Bool {
      guard case .links(let old, let new) = self, new.count > old.count else { return false }
      let before = Set(old)
      let kept = new.filter(before.contains)
      return slot.isOrdered ? kept == old : kept.count == old.count
    }
  }

  private let state: UnsafeMutablePointer<GraphState>
  private let reader: RowReader
  /// The entries of each row side by side, oldest first.
  private var entries: [JournalEntry] = []
  private var ranges: [RowPlace: Range<Int>] = [:]
  /// The rows that may differ from what they were, by table and number: those with entries, and those whose link without
  /// inverse leads to an object that was deleted.
  private(set) var places: [RowPlace] = []
  /// For each table, the first row that has no history.
  let firstNew: [Int]
  /// Rows with a link without inverse to an object that was deleted, and such an object. Their journal says nothing of that.
  private(set) var linkedToDeleted: [RowPlace: RowPlace] = [:]

  /// - Parameter wanted: the rows to read the history of; nil for all.
  init(_ state: UnsafeMutablePointer<GraphState>, since start: Start, of wanted: Set<RowPlace>? = nil) {
    self.state = state
    reader = RowReader(state)
    let isUnit = start == .unit
    firstNew = (0..<state.pointee.tableCount).map {
      isUnit ? state.pointee.tables[$0].firstNewRow : state.pointee.committedRows($0)
    }
    var keys: [(place: UInt64, index: Int)] = []
    for index in (isUnit ? state.pointee.unitJournalStart : 0)..<state.pointee.journal.count {
      let entry = state.pointee.journal[index]
      guard Int(entry.row) < firstNew[entry.table] else { continue }
      if let wanted, !wanted.contains(RowPlace(table: entry.table, row: entry.row)) { continue }
      keys.append((UInt64(entry.table) << 32 | UInt64(entry.row), index))
    }
    keys.sort { $0 < $1 }
    entries = keys.map { state.pointee.journal[$0.index] }
    var first = 0
    while first < keys.count {
      var end = first + 1
      while end < keys.count, keys[end].place == keys[first].place { end += 1 }
      let place = RowPlace(table: entries[first].table, row: entries[first].row)
      places.append(place)
      ranges[place] = first..<end
      first = end
    }
    if wanted == nil {
      findLinksToDeleted { isUnit ? state.pointee.deletedInUnit($0) : state.pointee.deletedSinceCommit($0) }
    }
  }

  /// Finds the rows whose links without inverse lead to objects that were deleted. Costs nothing unless objects were deleted
  /// to which such relationships lead; then the rows that have them are looked at.
  private mutating func findLinksToDeleted(_ hasDeleted: (Int) -> Bool) {
    guard (0..<state.pointee.tableCount).contains(where: hasDeleted) else { return }
    let plan = state.pointee.plan._withUnsafeGuaranteedRef { $0 }
    for entity in plan.entities {
      let layout = state.pointee.layouts[entity.index]
      let slots = (0..<layout.slotCount).map { layout.slots[$0] }.filter {
        $0.kind.isRelationship && $0.inverse < 0 && hasDeleted($0.destinationTable)
      }
      if slots.isEmpty { continue }
      for row in 0..<UInt32(firstNew[layout.table]) {
        let base = reader.row(layout.table, row)
        guard RowHeader.entity(base[0]) == entity.index, base[0] & RowHeader.deleted == 0 else { continue }
        for slot in slots {
          guard let target = rows(base[slot.cell], slot).first(where: { wasDeleted($0, slot) }) else { continue }
          let place = RowPlace(table: layout.table, row: row)
          if ranges[place] == nil, linkedToDeleted[place] == nil { places.append(place) }
          linkedToDeleted[place] = RowPlace(table: slot.destinationTable, row: target)
        }
      }
    }
  }

  /// Whether the target of a link was there, and is deleted now.
  private func wasDeleted(_ row: UInt32, _ slot: SlotPlan) -> Bool {
    Int(row) < firstNew[slot.destinationTable] && reader.isDeleted(slot.destinationTable, row) && wasThere(row, slot)
  }

  /// Whether a row has a history of its own.
  func hasEntries(_ place: RowPlace) -> Bool { ranges[place] != nil }

  /// The header of a row before the changes.
  func oldHeader(_ place: RowPlace) -> UInt64 {
    let first = ranges[place].flatMap { entries[$0].first { $0.kind == .word && $0.word == 0 } }
    return first?.old ?? reader.row(place.table, place.row)[0]
  }

  /// The properties of a row that are not what they were, in model order.
  func changes(_ place: RowPlace) -> [Change] { withImage(of: place) { changes($0) } }

  /// Shows a row as it was.
  func withImage<Result>(of place: RowPlace, _ body: (RowImage) -> Result) -> Result {
    let row = reader.row(place.table, place.row)
    let words = ranges[place].map { entries[$0] } ?? []
    return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: state.pointee.tables[place.table].stride) {
      buffer in
      let base = buffer.baseAddress.unsafelyUnwrapped
      base.initialize(from: row, count: buffer.count)
      return body(RowImage(base, of: row, words))
    }
  }

  /// The properties of a row that are not what its image shows.
  ///
  /// - Parameter isKnown: slots of which nobody wants to know.
  func changes(_ image: RowImage, except isKnown: (Int) -> Bool = { _ in false }) -> [Change] {
    let layout = state.pointee.layouts[RowHeader.entity(image.row[0])]
    return (0..<layout.slotCount).compactMap { number in
      if isKnown(number) { return nil }
      let slot = layout.slots[number]
      let values: Values? =
        switch slot.kind {
        case .toOne: toOne(slot, image)
        case .toMany: toMany(slot, image)
        default: attribute(slot, image)
        }
      return values.map { Change(slot: number, values: $0) }
    }
  }

  private func attribute(_ slot: SlotPlan, _ image: RowImage) -> Values? {
    let (old, new) = (image.base, image.row)
    if (old[slot.word] ^ new[slot.word]) & slot.mask == 0 {
      if old[slot.word] & slot.mask == 0 || old[slot.cell] == new[slot.cell] { return nil }
      let texts = state.pointee.texts
      if slot.kind.isText, texts.bytes(old[slot.cell]).elementsEqual(texts.bytes(new[slot.cell])) { return nil }
      // The same value in another order of members is no change.
      if slot.kind == .json, reader.value(old, slot) == reader.value(new, slot) { return nil }
    }
    return .attribute(old: reader.value(old, slot), new: reader.value(new, slot))
  }

  private func toOne(_ slot: SlotPlan, _ image: RowImage) -> Values? {
    let (before, after) = (image.base[slot.cell], image.row[slot.cell])
    if before == after, slot.inverse >= 0 || before == 0 { return nil }
    let old = rows(before, slot).filter { wasThere($0, slot) }
    let new = reader.target(image.row, slot).map { [$0] } ?? []
    return old == new ? nil : .links(old: old, new: new)
  }

  private func toMany(_ slot: SlotPlan, _ image: RowImage) -> Values? {
    let known = image.vectors[slot.cell]
    if known == nil, slot.inverse >= 0 || linkedToDeleted.isEmpty { return nil }
    let (cell, appended) = known ?? (image.row[slot.cell], 0)
    let old = rows(cell, slot).dropLast(appended).filter { wasThere($0, slot) }
    let new = reader.targets(image.row, slot)
    if old.elementsEqual(new) || !slot.isOrdered && old.count == new.count && Set(old) == Set(new) { return nil }
    return .links(old: old, new: new)
  }

  /// The rows that a cell leads to, deleted ones included.
  private func rows(_ cell: UInt64, _ slot: SlotPlan) -> [UInt32] {
    if cell == 0 { return [] }
    return slot.kind == .toOne ? [UInt32(truncatingIfNeeded: cell - 1)] : GraphEditor(state).rows(of: cell)
  }

  /// Whether the target of a link was there, and not a deleted object: only without inverse can links to those be left.
  private func wasThere(_ row: UInt32, _ slot: SlotPlan) -> Bool {
    slot.inverse >= 0 || !reader.isDeleted(slot.destinationTable, row)
      || oldHeader(RowPlace(table: slot.destinationTable, row: row)) & RowHeader.deleted == 0
  }
}

/// A row as it was, beside the row as it is: valid only while somebody is shown it.
struct RowImage {
  let base: UnsafeMutablePointer<UInt64>
  let row: UnsafeMutablePointer<UInt64>
  /// For each word whose vector changed: the vector of before, and how many rows were appended to it since.
  fileprivate private(set) var vectors: [Int: (cell: UInt64, appended: Int)] = [:]

  /// - Parameter base: a copy of the row, which the entries turn into what the row was.
  fileprivate init(
    _ base: UnsafeMutablePointer<UInt64>, of row: UnsafeMutablePointer<UInt64>, _ entries: ArraySlice<JournalEntry>
  ) {
    self.base = base
    self.row = row
    // Backwards, as taking back does: what is left in the end is the oldest.
    for entry in entries.reversed() {
      switch entry.kind {
      case .word: base[entry.word] = entry.old
      case .vector: vectors[entry.word] = (entry.old, 0)
      case .append:
        let known = vectors[entry.word] ?? (row[entry.word], 0)
        vectors[entry.word] = (known.cell, known.appended + 1)
      case .indexed, .unindexed: break
      }
    }
  }
}
