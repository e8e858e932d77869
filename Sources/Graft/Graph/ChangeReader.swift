/// Reads off the journal what changed since the last commit (C2).
///
///     journal:  word 5 of row 7 was 12 | word 2 of row 7 was 1 | word 5 of row 7 was 13
///     row now:  . . . . . 14                       image of before: the oldest entry of each word counts
///
/// Rows beyond those of the last commit are inserted, and the journal need not know of them. Nothing is kept while changes are
/// made: all of this costs something only when somebody asks.
struct ChangeReader {
  let context: ManagedObjectContext
  private let state: UnsafeMutablePointer<GraphState>
  private let reader: RowReader

  init(_ context: ManagedObjectContext) {
    self.context = context
    state = context.state
    reader = RowReader(context.state)
  }

  func changes(_ cause: ContextChanges.Cause) -> ContextChanges {
    var changes = ContextChanges(cause)
    for table in 0..<state.pointee.tableCount {
      for row in state.pointee.committedRows(table)..<state.pointee.tables[table].rowCount
      where !reader.isDeleted(table, UInt32(row)) {
        changes.inserted.append(context.id(table, UInt32(row)))
      }
    }
    forEachJournaledRow { place, entries in
      let image = RowImage(place, entries, state)
      defer { image.free() }
      let base = state.pointee.row(place.table, place.row)
      if base[0] & RowHeader.deleted != 0 {
        if image.base[0] & RowHeader.deleted == 0 { changes.deleted.append(context.id(place, image.base)) }
      } else if let update = update(place, image, base) {
        changes.updated.append(update)
      }
    }
    return changes
  }

  /// The rows of the last commit that the journal mentions, by table and number, each with its entries, oldest first.
  func forEachJournaledRow(_ body: (RowPlace, ArraySlice<JournalEntry>) -> Void) {
    let committed = (0..<state.pointee.tableCount).map { state.pointee.committedRows($0) }
    var keys: [(place: UInt64, index: Int)] = []
    for (index, entry) in state.pointee.journal.elements.enumerated() where Int(entry.row) < committed[entry.table] {
      keys.append((UInt64(entry.table) << 32 | UInt64(entry.row), index))
    }
    keys.sort { $0 < $1 }
    let entries = keys.map { state.pointee.journal[$0.index] }
    var start = 0
    while start < keys.count {
      var end = start + 1
      while end < keys.count, keys[end].place == keys[start].place { end += 1 }
      body(RowPlace(table: entries[start].table, row: entries[start].row), entries[start..<end])
      start = end
    }
  }

  // MARK: One object

  private func update(
    _ place: RowPlace, _ image: RowImage, _ base: UnsafeMutablePointer<UInt64>
  ) -> ContextChanges.Update? {
    let entity = context.model.plan.entities[RowHeader.entity(base[0])]
    let layout = state.pointee.layouts[entity.index]
    var properties: [ContextChanges.Property] = []
    for (number, property) in entity.properties.enumerated() {
      if let change = change(layout.slots[number], image, base) {
        properties.append(ContextChanges.Property(name: property.name, change: change))
      }
    }
    let isFilled = image.base[0] & RowHeader.placeholder != 0 && base[0] & RowHeader.placeholder == 0
    let isNarrowed = (image.base[0] ^ base[0]) & RowHeader.entityMask != 0
    guard isFilled || isNarrowed || !properties.isEmpty else { return nil }
    return ContextChanges.Update(
      id: context.id(place, base), previousID: context.id(place, image.base), filledPlaceholder: isFilled,
      properties: properties)
  }

  private func change(_ slot: SlotPlan, _ image: RowImage, _ base: UnsafeMutablePointer<UInt64>)
    -> ContextChanges.Change?
  {
    switch slot.kind {
    case .toOne:
      guard image.base[slot.cell] != base[slot.cell] else { return nil }
      return .toOne(old: target(image.base[slot.cell], slot), new: target(base[slot.cell], slot))
    case .toMany:
      guard let old = image.rows(slot.cell, state) else { return nil }
      return toManyChange(old: old, new: GraphEditor(state).rows(of: base[slot.cell]), slot)
    default:
      guard !isSame(slot, image.base, base) else { return nil }
      return .attribute(old: reader.value(image.base, slot), new: reader.value(base, slot))
    }
  }

  private func isSame(_ slot: SlotPlan, _ old: UnsafeMutablePointer<UInt64>, _ new: UnsafeMutablePointer<UInt64>)
    -> Bool
  {
    guard (old[slot.word] ^ new[slot.word]) & slot.mask == 0 else { return false }
    guard old[slot.word] & slot.mask != 0, old[slot.cell] != new[slot.cell] else { return true }
    return slot.kind.isText
      && state.pointee.texts.bytes(old[slot.cell]).elementsEqual(state.pointee.texts.bytes(new[slot.cell]))
  }

  private func target(_ cell: UInt64, _ slot: SlotPlan) -> ManagedObjectID? {
    cell == 0 ? nil : context.id(slot.destinationTable, UInt32(truncatingIfNeeded: cell - 1))
  }

  private func toManyChange(old: [UInt32], new: [UInt32], _ slot: SlotPlan) -> ContextChanges.Change? {
    guard old != new else { return nil }
    var (inserted, removed): ([UInt32], [UInt32]) = ([], [])
    if new.starts(with: old) {
      inserted = Array(new.dropFirst(old.count))
    } else {
      let (before, after) = (Set(old), Set(new))
      inserted = new.filter { !before.contains($0) }
      removed = old.filter { !after.contains($0) }
      if inserted.isEmpty, removed.isEmpty, !slot.isOrdered { return nil }
    }
    return .toMany(
      inserted: inserted.map { context.id(slot.destinationTable, $0) },
      removed: removed.map { context.id(slot.destinationTable, $0) })
  }
}

/// A row as it was at the last commit. Unsafe: whoever makes one calls ``free()``.
struct RowImage {
  let base: UnsafeMutablePointer<UInt64>
  /// For each word whose vector changed: the vector of before, and how many rows were appended to it since.
  private var vectors: [Int: (cell: UInt64, appended: Int)] = [:]

  init(_ place: RowPlace, _ entries: ArraySlice<JournalEntry>, _ state: UnsafeMutablePointer<GraphState>) {
    let stride = state.pointee.tables[place.table].stride
    let row = state.pointee.row(place.table, place.row)
    base = .allocate(capacity: stride)
    base.initialize(from: row, count: stride)
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

  func free() { base.deallocate() }

  /// The rows that a to-many led to; nil if it did not change.
  func rows(_ word: Int, _ state: UnsafeMutablePointer<GraphState>) -> [UInt32]? {
    vectors[word].map { Array(GraphEditor(state).rows(of: $0.cell).dropLast($0.appended)) }
  }
}
