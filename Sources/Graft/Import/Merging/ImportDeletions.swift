/// Deletes, at the end of the payload, what it marks as deleted (M17), and what it no longer mentions: objects of whole lists, and
/// orphans (M6).
struct ImportDeletions {
  let log: FaultLog
  /// Marked dictionaries that deleted nothing.
  private(set) var skips: [Skip] = []
  private var pending = PendingDeletions()
  private var plan: Plan { log.plan }

  init(_ log: FaultLog) { self.log = log }

  // MARK: Marked dictionaries

  /// Deletes the objects that dictionaries mark as deleted. Their order does not matter (D14): an object is kept only if what it is
  /// at the end is newer than the mark.
  ///
  /// - Returns: the rows of objects that were to be deleted, with the offsets of their last marks.
  mutating func delete(_ marked: [MarkedDeletion], _ finder: inout RowFinder) -> [RowPlace: Int] {
    var places: [RowPlace: Int] = [:]
    for deletion in marked {
      let entity = plan.entities[deletion.entity]
      guard let place = place(of: deletion, finder) else {
        skips.append(Skip(entity: entity.index, name: entity.name, offset: deletion.offset))
        continue
      }
      places[place] = deletion.offset
      if finder.editor.state.isNewInUnit(place.table, place.row) {
        // What came and went in one payload is not in the report: that its dictionary had no effect is.
        let name = GraphNames(finder.editor.state, plan).name(place.table, place.row)
        skips.append(Skip(entity: entity.index, name: name, offset: deletion.offset))
      }
      delete(PendingDeletions.Deletion(place: place, offset: deletion.offset, reason: .marked), &finder)
    }
    return places
  }

  /// The object that a marked dictionary deletes; nil if it is unknown, or newer than the mark.
  private func place(of deletion: MarkedDeletion, _ finder: RowFinder) -> RowPlace? {
    let layout = plan.layouts[deletion.entity]
    guard var number = deletion.row else { return nil }
    if WaitingIdentifiers.contains(number) {
      guard let found = finder.row(of: finder.waiting[number]) else { return nil }
      number = found
    }
    let row = finder.editor.row(layout.table, number)
    if row.isDeleted { return nil }
    let own = row.entity
    let isPlaceholder = row.isPlaceholder
    guard finder.isKind(own, of: deletion.entity) || isPlaceholder && finder.isKind(deletion.entity, of: own) else {
      log.refuseEntity(own, expected: deletion.entity, at: deletion.offset)
      return nil
    }
    if !isPlaceholder, let modification = deletion.modification,
      let slot = plan.entities[deletion.entity].synchronization?.modificationSlot,
      let stored = ModificationValue.stored(row, layout.slots[slot], finder.editor.state),
      modification.isLess(than: stored)
    {
      return nil
    }
    return RowPlace(table: layout.table, row: number)
  }

  // MARK: Whole lists

  /// A list after which objects of the entity are deleted that the payload does not mention.
  struct WholeList {
    var entity: Int
    var offset: Int
    var isDoomed: (_ table: Int, _ row: UInt32) -> Bool
  }

  /// Deletes the objects of a list's entity that the payload does not mention.
  mutating func deleteMissing(_ list: WholeList, _ finder: inout RowFinder) {
    let state = finder.editor.state
    let table = plan.layouts[list.entity].table
    log.context.loadAll(list.entity)
    for row in 0..<UInt32(state.tables[table].rowCount) where !state.isNewInUnit(table, row) {
      let header = finder.editor.row(table, row).header
      let isMentioned = header.isDescribed && header.epoch == state.pointee.importEpoch
      guard !header.isDeleted && !header.isPlaceholder, !isMentioned,
        finder.isKind(header.entity, of: list.entity), !finder.isIdentified(table, row),
        log.context.activity.run(.deleteWhere(entity: list.entity), { list.isDoomed(table, row) })
      else { continue }
      let place = RowPlace(table: table, row: row)
      delete(PendingDeletions.Deletion(place: place, offset: list.offset, reason: .unmentioned), &finder)
    }
    log.recordRefusedCall(at: list.offset)
  }

  // MARK: Orphans

  /// Deletes the orphans, then everything whose deletion was denied by an object that is deleted itself. Reports the rest.
  mutating func deleteOrphans(_ finder: inout RowFinder) {
    let state = finder.editor.state
    // Deleting one may leave others without an owner: they join at the end of the list.
    var next = 0
    while true {
      if next < state.pointee.orphans.count {
        let orphan = state.pointee.orphans[next]
        next += 1
        let place = RowPlace(table: Int(orphan.table), row: orphan.row)
        loadOwners(orphan, finder)
        guard finder.editor.row(place.table, place.row)[Int(orphan.word)] & orphan.mask == 0 else { continue }
        delete(PendingDeletions.Deletion(place: place, offset: orphan.offset, reason: .orphan), &finder)
      } else if let deletion = pending.next() {
        delete(deletion, &finder)
      } else {
        break
      }
    }
    state.pointee.orphans.truncate(to: 0)
    for (deletion, denial) in pending.denied { refuse(deletion, denial, finder.editor) }
  }

  /// Loads the owners that an orphan may still have.
  private func loadOwners(_ orphan: GraphState.Orphan, _ finder: RowFinder) {
    let row = finder.editor.row(Int(orphan.table), orphan.row)
    let number = (Int(orphan.word) - 1) * 64 + orphan.mask.trailingZeroBitCount
    let layout = plan.layouts[row.entity]
    guard number < layout.slotCount, layout.slots[number].kind == .toMany else { return }
    finder.editor.state.loadList(row, layout.slots[number])
  }

  /// Deletes an object, or postpones it until what denies it is deleted.
  private mutating func delete(_ deletion: PendingDeletions.Deletion, _ finder: inout RowFinder) {
    let place = deletion.place
    guard !finder.editor.row(place.table, place.row).isDeleted else { return }
    finder.editor.offset = deletion.offset
    log.context.loadForDeletion(of: [place])
    do throws(GraphEditor.Denial) {
      let doomed = try finder.editor.deletion(of: place.table, place.row)
      finder.editor.remove(doomed)
      pending.wake(doomed)
    } catch {
      pending.wait(deletion, error)
    }
  }

  /// Reports which relationship denies a deletion.
  private func refuse(_ deletion: PendingDeletions.Deletion, _ denial: GraphEditor.Denial, _ editor: GraphEditor) {
    let place = deletion.place
    guard !editor.row(place.table, place.row).isDeleted else { return }
    let entity = plan.entities[editor.row(denial.table, denial.row).entity]
    let subject = ImportFinding.Subject(entity: entity, property: entity.properties[denial.slot])
    let name = GraphNames(editor.state, plan).name(place.table, place.row)
    log.record(.deletionDenied(name, deletion.reason, subject), at: deletion.offset)
  }
}
