/// The contents of rows before the changes in the journal: either the changes since the last commit, or the changes in the current
/// transaction.
///
///     journal   word 5 of row 7 was 12 | word 4 of row 7 was the vector [1, 2] | word 5 of row 7 was 13
///     image     row 7: word 5 was 12, word 4 was [1, 2]            <- entries undone on a copy
///
/// Rows that were added since the start of the history have no history. Nothing is recorded while changes are made. A history costs
/// something only when it is requested, in proportion to the journal.
///
/// This is a class, because the structures that read it would otherwise copy its parts.
final class RowHistory {
  /// The start of a history.
  enum Start { case lastCommit, unit }

  private let state: Reference<GraphState>
  private let reader: RowReader
  /// The start of the entries in the journal.
  private let start: Int
  /// The rows that have entries, and the index of each row's last entry, counted from `start`.
  private let rows: RowMap
  private let last: [Int]
  /// For each entry, the previous entry of the same row, or -1.
  private let previous: [Int]
  /// Rows without entries that have a link without an inverse to a deleted object.
  private var linkedPlaces: [RowPlace] = []
  /// For each table, the first row that has no history.
  let firstNew: [Int]
  /// Rows that have a link without an inverse to a deleted object, each with one such object. The journal does not record these rows.
  private(set) var linkedToDeleted: [RowPlace: RowPlace] = [:]

  /// - Parameter wanted: the rows whose history is read, including deleted rows; nil for all rows.
  init(_ state: Reference<GraphState>, since start: Start, of wanted: RowMap? = nil) {
    self.state = state
    reader = RowReader(state)
    let isUnit = start == .unit
    firstNew = (0..<state.tableCount).map {
      isUnit ? state.pointee.unitRows($0) : state.committedRows($0)
    }
    self.start = isUnit ? state.unitJournalStart : 0
    var rows = RowMap()
    var last: [Int] = []
    var previous = Array(repeating: -1, count: state.pointee.journal.count - self.start)
    var number = -1
    for index in previous.indices {
      let entry = state.pointee.journal[self.start + index]
      let (table, row) = (entry.table, entry.row)
      if state.pointee.isNew(table, row, since: firstNew[table]) { continue }
      // Entries of the same row often follow each other.
      if number < 0 || rows.places[number] != RowPlace(table: table, row: row) {
        if let wanted, wanted[table, row] == nil { continue }
        number = rows.add(table, row)
        if number == last.count { last.append(-1) }
      }
      previous[index] = last[number]
      last[number] = index
    }
    (self.rows, self.last, self.previous) = (rows, last, previous)
    findLinksToDeleted { isUnit ? state.deletedInUnit($0) : state.deletedSinceCommit($0) }
  }

  /// Finds the rows whose links without an inverse refer to deleted objects. This costs nothing unless destination objects of such
  /// relationships were deleted. In that case, the rows with such relationships are examined.
  private func findLinksToDeleted(_ hasDeleted: (Int) -> Bool) {
    guard (0..<state.tableCount).contains(where: hasDeleted) else { return }
    let plan = state.plan._withUnsafeGuaranteedRef { $0 }
    for entity in plan.entities {
      let layout = state.layouts[entity.index]
      let slots = (0..<layout.slotCount).map { layout.slots[$0] }.filter {
        $0.kind.isRelationship && $0.inverse < 0 && hasDeleted($0.destinationTable)
      }
      if slots.isEmpty { continue }
      for number in 0..<rowsWithHistory(layout.table) where !isNew(layout.table, number) {
        let row = reader.row(layout.table, number)
        guard row.entity == entity.index, !row.isDeleted else { continue }
        for slot in slots {
          guard let target = row.links(slot).first(where: { wasDeleted($0, slot) }) else { continue }
          let place = RowPlace(table: layout.table, row: number)
          if !hasEntries(place), linkedToDeleted[place] == nil { linkedPlaces.append(place) }
          linkedToDeleted[place] = RowPlace(table: slot.destinationTable, row: target)
        }
      }
    }
  }

  /// Whether the target of a link existed before the changes, and is now deleted.
  private func wasDeleted(_ row: UInt32, _ slot: SlotPlan) -> Bool {
    !isNew(slot.destinationTable, row) && reader.isDeleted(slot.destinationTable, row) && wasThere(row, slot)
  }

  /// Whether a row has no history.
  func isNew(_ table: Int, _ row: UInt32) -> Bool {
    state.pointee.isNew(table, row, since: firstNew[table])
  }

  /// The number of the row after the last row that may have a history.
  func rowsWithHistory(_ table: Int) -> UInt32 {
    UInt32(state.pointee.loads.ends[table] > 0 ? state.tables[table].rowCount : firstNew[table])
  }

  /// Whether a row has entries of its own.
  func hasEntries(_ place: RowPlace) -> Bool { rows[place.table, place.row] != nil }

  /// The rows that may differ from their previous state: rows with entries, by table and number, and rows that have a link without
  /// an inverse to a deleted object.
  var places: [RowPlace] {
    rows.places.sorted() + linkedPlaces
  }

  /// Visits the entries of a row, newest first.
  @inline(__always)
  private func forEachEntry(of place: RowPlace, _ body: (JournalEntry) -> Void) {
    guard let number = rows[place.table, place.row] else { return }
    var index = last[number]
    while index >= 0 {
      body(state.pointee.journal[start + index])
      index = previous[index]
    }
  }

  /// Whether the most recently changed list of a row has certainly lost a member. If so, the row differs. Otherwise, the row may be
  /// unchanged. This costs no memory, and rarely examines more than the row's entries and the members before the first lost member.
  func hasLostMember(_ place: RowPlace) -> Bool {
    var change = ListChange()
    forEachEntry(of: place) { change.add($0) }
    guard let word = change.word else { return false }
    let row = reader.row(place.table, place.row)
    let layout = state.layouts[row.entity]
    guard let number = (0..<layout.slotCount).first(where: { layout.slots[$0].cell == word }) else { return false }
    let slot = layout.slots[number]
    guard slot.kind == .toMany, let member = change.lostMember(row[slot]) else { return false }
    return !reader.isDeleted(slot.destinationTable, member) && !state.pointee.vectors.contains(row[slot], member)
  }

  /// The header of a row before the changes.
  func oldHeader(_ place: RowPlace) -> RowHeader {
    var header = reader.row(place.table, place.row).header
    forEachEntry(of: place) { entry in
      if entry.kind == .word, entry.word == 0 { header = RowHeader(bits: entry.old) }
    }
    return header
  }

  /// Whether a row was deleted, belongs to another entity, is no longer a placeholder, or its header differs in another way.
  func changesHeader(of place: RowPlace) -> Bool {
    let (old, new) = (oldHeader(place), reader.row(place.table, place.row).header)
    return old.contents != new.contents || old.isDeleted != new.isDeleted
  }

  /// The changed properties of a row, in model order.
  func changes(_ place: RowPlace) -> [ChangedProperty] { withImage(of: place) { changes($0) } }

  /// Passes the previous state of a row to a closure.
  func withImage<Result>(of place: RowPlace, _ body: (RowImage) -> Result) -> Result {
    let row = reader.row(place.table, place.row)
    guard hasEntries(place) else { return body(RowImage(row, of: row, place)) }
    return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: state.tables[place.table].stride) {
      buffer in
      let copy = buffer.baseAddress.unsafelyUnwrapped
      copy.initialize(from: row.words, count: buffer.count)
      var image = RowImage(Row(copy), of: row, place)
      // As in a rollback, entries are undone from the newest to the oldest, so the oldest entry determines the value.
      forEachEntry(of: place) { image.undo($0) }
      return body(image)
    }
  }

  /// The properties of a row that differ from its image.
  ///
  /// - Parameter isKnown: slots to ignore.
  func changes(_ image: RowImage, except isKnown: (Int) -> Bool = { _ in false }) -> [ChangedProperty] {
    let layout = state.layouts[image.now.entity]
    let shared = sharedSlots(image)
    var changes: [ChangedProperty] = []
    for number in 0..<layout.slotCount where !isKnown(number) {
      let slot = layout.slots[number]
      let values: ChangedProperty.Values?
      if number >= shared {
        values = newValues(slot, image.now)
      } else {
        values =
          switch slot.kind {
          case .toOne: toOne(slot, image)
          case .toMany: toMany(slot, image)
          default: attribute(slot, image)
          }
      }
      if let values { changes.append(ChangedProperty(slot: number, values: values)) }
    }
    return changes
  }

  /// The number of slots whose cells have the same meaning before and after. An object that moved to a sibling entity has different
  /// properties than before, apart from the properties that both entities inherit.
  private func sharedSlots(_ image: RowImage) -> Int {
    let (before, now) = (image.before.entity, image.now.entity)
    if before == now || state.layouts[now].isKind(of: state.layouts[before]) { return .max }
    return state.plan._withUnsafeGuaranteedRef { $0.sharedPropertyCount(before, now) }
  }

  /// The value of a property that the object did not have before; nil if the property has no value.
  private func newValues(_ slot: SlotPlan, _ row: Row) -> ChangedProperty.Values? {
    guard row.isSet(slot) else { return nil }
    guard slot.kind.isRelationship else { return .attribute(old: nil, new: reader.value(row, slot)) }
    let targets = row.links(slot).filter { slot.inverse >= 0 || !reader.isDeleted(slot.destinationTable, $0) }
    return targets.isEmpty ? nil : .links(old: [], new: targets)
  }

  private func attribute(_ slot: SlotPlan, _ image: RowImage) -> ChangedProperty.Values? {
    let (old, new) = (image.before, image.now)
    if (old[slot.word] ^ new[slot.word]) & slot.mask == 0 {
      if !old.isSet(slot) || old[slot] == new[slot] { return nil }
      let texts = state.pointee.texts
      if slot.kind.isText, texts.bytes(old[slot]).elementsEqual(texts.bytes(new[slot])) { return nil }
      // A different order of JSON members is not a change, but a different spelling of a URI in a list is.
      if slot.kind == .json, reader.storedJSON(old, slot) == reader.storedJSON(new, slot) { return nil }
    }
    return .attribute(old: reader.value(old, slot), new: reader.value(new, slot))
  }

  private func toOne(_ slot: SlotPlan, _ image: RowImage) -> ChangedProperty.Values? {
    let (before, after) = (image.before[slot], image.now[slot])
    if before == after, slot.inverse >= 0 || before == 0 { return nil }
    let (old, new) = (formerTarget(image, slot), reader.targetInMemory(image.now, slot))
    return old == new ? nil : .links(old: old.map { [$0] } ?? [], new: new.map { [$0] } ?? [])
  }

  private func toMany(_ slot: SlotPlan, _ image: RowImage) -> ChangedProperty.Values? {
    if image.vectors[slot.cell] == nil, slot.inverse >= 0 || linkedToDeleted.isEmpty { return nil }
    let values = ChangedProperty.Values.links(
      old: formerTargets(image, slot), new: reader.targetsInMemory(image.now, slot))
    return values.isSame(slot) ? nil : values
  }

  /// The previous row of a to-one relationship, or nil.
  func formerTarget(_ image: RowImage, _ slot: SlotPlan) -> UInt32? {
    guard let row = image.before.toOne(slot) else { return nil }
    return wasThere(row, slot) ? row : nil
  }

  /// The previous rows of a to-many relationship, in order.
  func formerTargets(_ image: RowImage, _ slot: SlotPlan) -> [UInt32] {
    let targets = image.vectors[slot.cell]?.rows ?? image.now.links(slot)
    return slot.inverse >= 0 ? targets : targets.filter { wasThere($0, slot) }
  }

  /// Whether the target of a link existed before the changes. Links to deleted objects can remain only if there is no inverse.
  private func wasThere(_ row: UInt32, _ slot: SlotPlan) -> Bool {
    slot.inverse >= 0 || !reader.isDeleted(slot.destinationTable, row)
      || !oldHeader(RowPlace(table: slot.destinationTable, row: row)).isDeleted
  }
}

/// The previous state of a row, together with its current state; valid only during the call that receives it.
struct RowImage {
  let before: Row
  let now: Row
  let place: RowPlace
  /// The former vectors, by the number of the word whose vector changed.
  fileprivate private(set) var vectors: [Int: FormerVector] = [:]

  /// - Parameter before: a copy of the row, which ``undo(_:)`` turns into its previous state; or the row itself, if it has no entries.
  fileprivate init(_ before: Row, of now: Row, _ place: RowPlace) {
    self.before = before
    self.now = now
    self.place = place
  }

  @inline(__always)
  fileprivate mutating func undo(_ entry: JournalEntry) {
    switch entry.kind {
    case .word: before[entry.word] = entry.old
    case .vector, .growth: vectors[entry.word] = FormerVector(cell: entry.old)
    case .append, .removal, .delta:
      vectors[entry.word, default: FormerVector(cell: now[entry.word])].undone.append(entry)
    case .indexed, .unindexed: break
    }
  }
}

/// The previous contents of a vector, represented by the vector that the journal kept, or the current vector, and by the later
/// additions and removals, newest first.
private struct FormerVector {
  var cell: UInt64
  var undone: [JournalEntry] = []

  /// The rows, in order.
  var rows: [UInt32] {
    var places: [UInt32] = []
    if cell != 0 {
      let vector = RowVector(cell)
      places = Array(UnsafeBufferPointer(start: vector.rows, count: vector.used))
    }
    var deltas = UndoneDeltas()
    for entry in undone {
      if entry.kind == .delta {
        deltas.add(entry)
        continue
      }
      deltas.apply(to: &places)
      if entry.kind == .append {
        assert(places.last == UInt32(entry.old) + 1, "the journal and a list differ")
        _ = places.popLast()
        continue
      }
      let (row, place) = entry.removed
      // The removed row may lie beyond the end, because a vector does not keep holes at its end.
      while places.count <= place { places.append(0) }
      places[place] = row + 1
    }
    deltas.apply(to: &places)
    return places.compactMap { $0 == 0 ? nil : $0 - 1 }
  }
}

/// Members that joined or left a list that was not in memory, newest first. The oldest entry of a member decides whether it was in the
/// list.
private struct UndoneDeltas {
  private var wasThere: [UInt32: Bool] = [:]
  private var lost: [UInt32] = []

  mutating func add(_ entry: JournalEntry) {
    let (member, isGone) = entry.delta
    wasThere[member + 1] = isGone
    if isGone { lost.append(member + 1) }
  }

  /// Undoes the entries in an unordered list.
  mutating func apply(to places: inout [UInt32]) {
    if wasThere.isEmpty { return }
    places.removeAll { wasThere[$0] != nil }
    for member in lost where wasThere[member] == true {
      places.append(member)
      wasThere[member] = false
    }
    self = UndoneDeltas()
  }
}

/// The entries of a row, newest first, for the most recently changed list.
///
///     append 8 | append 9 | vector [1, 2, 8, 9] | removal of 2        oldest first: the list was [1, 2]
private struct ListChange {
  /// The cell of the list.
  private(set) var word: Int?
  /// The oldest vector that was replaced, and the number of members that had been appended to that vector before it was replaced.
  private var former: UInt64?
  private var appended = 0
  /// Whether no member was removed before the oldest vector was replaced.
  private var isExact = true
  /// The last of the removed members, unless it was appended after the start of the history.
  private var removed: UInt32?

  mutating func add(_ entry: JournalEntry) {
    if let word, entry.word != word { return }
    switch entry.kind {
    case .word, .indexed, .unindexed: return
    case .vector, .growth: (former, appended, isExact) = (entry.old, 0, true)
    case .append:
      appended += 1
      if UInt64(removed ?? .max) == entry.old { removed = nil }
    case .removal:
      isExact = false
      if word == nil { removed = entry.removed.row }
    case .delta:
      isExact = false
      let (member, isGone) = entry.delta
      if !isGone, removed == member { removed = nil }
      if isGone, word == nil { removed = member }
    }
    word = entry.word
  }

  /// A former member that is probably not in the current list.
  func lostMember(_ now: UInt64) -> UInt32? {
    guard let former else { return removed }
    guard former != 0, isExact else { return nil }
    let old = RowVector(former)
    return old.firstDifference(before: old.used - appended, from: now)
  }
}
