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
  }

  private let state: UnsafeMutablePointer<GraphState>
  private let reader: RowReader
  /// The entries of each row side by side, oldest first.
  private var entries: [JournalEntry] = []
  private var ranges: [RowPlace: Range<Int>] = [:]
  /// The rows with entries, by table and number.
  private(set) var places: [RowPlace] = []

  init(_ state: UnsafeMutablePointer<GraphState>, since start: Start) {
    self.state = state
    reader = RowReader(state)
    let isUnit = start == .unit
    let firstNew = (0..<state.pointee.tableCount).map {
      isUnit ? state.pointee.tables[$0].firstNewRow : state.pointee.committedRows($0)
    }
    var keys: [(place: UInt64, index: Int)] = []
    for index in (isUnit ? state.pointee.unitJournalStart : 0)..<state.pointee.journal.count {
      let entry = state.pointee.journal[index]
      guard Int(entry.row) < firstNew[entry.table] else { continue }
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
  }

  /// The header of a row before the changes.
  func oldHeader(_ place: RowPlace) -> UInt64 {
    let first = ranges[place].flatMap { entries[$0].first { $0.kind == .word && $0.word == 0 } }
    return first?.old ?? reader.row(place.table, place.row)[0]
  }

  /// The properties of a row that are not what they were, in model order.
  func changes(_ place: RowPlace) -> [Change] { withImage(of: place, changes) }

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
  func changes(_ image: RowImage) -> [Change] {
    let layout = state.pointee.layouts[RowHeader.entity(image.row[0])]
    return (0..<layout.slotCount).compactMap { number in
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
    }
    return .attribute(old: reader.value(old, slot), new: reader.value(new, slot))
  }

  private func toOne(_ slot: SlotPlan, _ image: RowImage) -> Values? {
    let (old, new) = (image.base[slot.cell], image.row[slot.cell])
    func row(_ cell: UInt64) -> [UInt32] { cell == 0 ? [] : [UInt32(truncatingIfNeeded: cell - 1)] }
    return old == new ? nil : .links(old: row(old).filter { wasThere($0, slot) }, new: row(new))
  }

  private func toMany(_ slot: SlotPlan, _ image: RowImage) -> Values? {
    guard var old = image.vectors[slot.cell].map({ GraphEditor(state).rows(of: $0.cell).dropLast($0.appended) })
    else { return nil }
    old.removeAll { !wasThere($0, slot) }
    let new = reader.targets(image.row, slot)
    if old.elementsEqual(new) || !slot.isOrdered && old.count == new.count && Set(old) == Set(new) { return nil }
    return .links(old: Array(old), new: new)
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
