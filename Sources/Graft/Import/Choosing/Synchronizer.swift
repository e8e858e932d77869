/// Uses the synchronization keys of an entity to decide whether a dictionary is read (M17).
///
///     stored       {"id": 1, "updated_at": 5}
///     dictionary   {"id": 1, "updated_at": 5}                          not newer: skipped
///     dictionary   {"id": 1, "updated_at": 6, "is_deleted": true}      deletes object 1 when the payload ends
///     dictionary   {"id": 1, "updated_at": 7}                          read
struct Synchronizer {
  enum Answer {
    case wanted
    case skipped(standIn: UInt32?)
    /// The dictionary is refused; the fault is recorded.
    case refused
  }

  private let log: FaultLog
  /// Stored objects that dictionaries of this payload changed. Another dictionary with an equal value is not older.
  private var renewed: Set<RowPlace> = []
  /// The objects that the payload marks as deleted, in payload order.
  private(set) var deletions: [MarkedDeletion] = []

  init(_ log: FaultLog) { self.log = log }

  /// Decides how to treat the value at the reader's position.
  mutating func receive(
    _ object: inout ChosenObject, _ known: inout KnownObject, _ opening: PayloadReader.Opening,
    _ reader: inout PayloadReader
  ) throws(JSONSyntaxError) -> Answer {
    guard let keys = log.plan.entities[object.entity].synchronization else { return .wanted }
    var modification: AttributeValue?
    if let slot = keys.modificationSlot {
      let kind = log.plan.layouts[object.entity].slots[slot].kind
      modification = known.read(slot, &object, opening, &reader).flatMap { ModificationValue.of($0, kind) }
      if let modification, isOld(modification, slot, object.entity, known, reader.finder) {
        if try reader.repeatsKey(object.entity) { return .wanted }
        return .skipped(standIn: known.standIn(object, opening, &reader))
      }
    }
    if let mark = keys.deletion, try reader.has(mark) {
      if try reader.repeatsKey(object.entity) { return .wanted }
      if !known.isFaulty { known.findDeleted(object, opening, &reader) }
      if known.isFaulty {
        try known.record()
        return .refused
      }
      let standIn = known.standIn(object, opening, &reader)
      let row = known.row ?? standIn
      deletions.append(
        MarkedDeletion(entity: object.entity, row: row, modification: modification, offset: reader.offset))
      if log.plan.features.hasAlternates, let row {
        reader.finder.marked.insert(RowPlace(table: log.plan.layouts[object.entity].table, row: row))
      }
      return .skipped(standIn: standIn)
    }
    if modification != nil, let row = known.row {
      renewed.insert(RowPlace(table: log.plan.layouts[object.entity].table, row: row))
    }
    return .wanted
  }

  /// Returns whether the stored object is at least as new as the dictionary. A row that this payload wrote is newer only if its
  /// modification value is greater.
  private func isOld(
    _ modification: AttributeValue, _ slot: Int, _ entity: Int, _ known: KnownObject, _ finder: RowFinder
  ) -> Bool {
    guard let number = known.row else { return false }
    let table = log.plan.layouts[entity].table
    let state = finder.editor.state
    state.loadRow(table, number)
    let row = state.row(table, number)
    guard !row.isPlaceholder, finder.isKind(row.entity, of: entity),
      let stored = ModificationValue.stored(row, log.plan.layouts[entity].slots[slot], state)
    else { return false }
    let isOwn = state.isNewInUnit(table, number) || renewed.contains(RowPlace(table: table, row: number))
    return isOwn ? modification.isLess(than: stored) : !stored.isLess(than: modification)
  }
}
