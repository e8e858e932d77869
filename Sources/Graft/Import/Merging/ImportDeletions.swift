/// Deletes, at the end of the payload, the objects that it marks as deleted (M17) or no longer mentions: objects of complete
/// lists, and orphans (M6).
struct ImportDeletions {
  let log: FaultLog
  /// Marked dictionaries that deleted nothing.
  private(set) var skips: [Skip] = []
  private var pending = PendingDeletions()
  private var plan: Plan { log.plan }

  init(_ log: FaultLog) { self.log = log }

  // MARK: Marked dictionaries

  /// Deletes the objects that dictionaries mark as deleted. Their order does not matter (D14), because an object is kept only if its final
  /// state is newer than the mark.
  ///
  /// - Returns: the rows of objects that were to be deleted, with the offsets of their last marks.
  mutating func delete(_ marked: [MarkedDeletion], _ finder: inout RowFinder) -> [RowPlace: Int] {
    var places: [RowPlace: Int] = [:]
    if log.context.binding != nil { log.context.loadForDeletion(of: marked.compactMap { known($0, finder) }) }
    for deletion in marked {
      let entity = plan.entities[deletion.entity]
      guard let place = place(of: deletion, finder) else {
        skips.append(Skip(entity: entity.index, name: entity.name, offset: deletion.offset))
        continue
      }
      places[place] = deletion.offset
      if finder.editor.state.isNewInUnit(place.table, place.row) {
        // An object that was inserted and deleted in one payload is not in the report; its dictionary is reported as having no
        // effect.
        let name = GraphNames(finder.editor.state, plan).name(place.table, place.row)
        skips.append(Skip(entity: entity.index, name: name, offset: deletion.offset))
      }
      delete(PendingDeletions.Deletion(place: place, offset: deletion.offset, reason: .marked), &finder)
    }
    return places
  }

  /// Returns the object that a marked dictionary deletes, or nil if the object is unknown or newer than the mark.
  private func place(of deletion: MarkedDeletion, _ finder: RowFinder) -> RowPlace? {
    let layout = plan.layouts[deletion.entity]
    guard let place = known(deletion, finder) else { return nil }
    let row = finder.editor.row(layout.table, place.row)
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
    return place
  }

  /// Returns the object that a marked dictionary identifies, unless it is deleted.
  private func known(_ deletion: MarkedDeletion, _ finder: RowFinder) -> RowPlace? {
    let table = plan.layouts[deletion.entity].table
    guard var number = deletion.row else { return nil }
    if WaitingIdentifiers.contains(number) {
      guard let found = finder.row(of: finder.waiting[number]) else { return nil }
      number = found
    }
    return finder.editor.row(table, number).isDeleted ? nil : RowPlace(table: table, row: number)
  }

  // MARK: Whole lists

  /// A complete list: objects of the entity that the payload does not mention are deleted.
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
    if log.context.binding != nil { state.pointee.loads.replacedTables.append(table) }
    func isMissing(_ row: UInt32) -> Bool {
      let header = finder.editor.row(table, row).header
      let isMentioned = header.isDescribed(in: state.pointee.importEpoch)
      return !header.isDeleted && !header.isPlaceholder && !isMentioned
        && finder.isKind(header.entity, of: list.entity) && !finder.isIdentified(table, row)
    }
    let rows = (0..<UInt32(state.tables[table].rowCount)).filter { !state.isNewInUnit(table, $0) && isMissing($0) }
    log.context.loadForDeletion(of: rows.map { RowPlace(table: table, row: $0) })
    // Some of these objects may already have been deleted along with other objects.
    for row in rows {
      guard isMissing(row),
        log.context.activity.run(.deleteWhere(entity: list.entity), { list.isDoomed(table, row) })
      else { continue }
      let place = RowPlace(table: table, row: row)
      delete(PendingDeletions.Deletion(place: place, offset: list.offset, reason: .unmentioned), &finder)
    }
    log.recordRefusedCall(at: list.offset)
  }

  // MARK: Orphans

  /// Deletes the orphans, then everything whose deletion was denied by an object that has itself been deleted. Reports the remaining denied
  /// deletions.
  mutating func deleteOrphans(_ finder: inout RowFinder) {
    let state = finder.editor.state
    // Deleting an orphan may leave other objects without an owner. These objects are added to the end of the list.
    var (next, loaded) = (0, 0)
    while true {
      if next < state.pointee.orphans.count {
        if next == loaded, let binding = log.context.binding {
          load(Array(state.pointee.orphans.elements[next...]), binding, finder)
          loaded = state.pointee.orphans.count
        }
        let orphan = state.pointee.orphans[next]
        next += 1
        let place = RowPlace(table: Int(orphan.table), row: orphan.row)
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

  /// Loads the owners that orphans may still have, and the objects that are deleted with orphans without an owner, for all orphans
  /// together.
  private func load(_ orphans: [GraphState.Orphan], _ binding: StoreBinding, _ finder: RowFinder) {
    var faults: [Int: [UInt32]] = [:]
    for orphan in orphans where finder.editor.row(Int(orphan.table), orphan.row).isFault {
      faults[Int(orphan.table), default: []].append(orphan.row)
    }
    for (table, rows) in faults { binding.attempt { () throws(StoreError) in try binding.load(rows, of: table) } }
    var lists: [[Int]: [UInt32]] = [:]
    for orphan in orphans where finder.editor.row(Int(orphan.table), orphan.row).isLoaded {
      let entity = finder.editor.row(Int(orphan.table), orphan.row).entity
      let number = (Int(orphan.word) - 1) * 64 + orphan.mask.trailingZeroBitCount
      let layout = plan.layouts[entity]
      guard number < layout.slotCount, layout.slots[number].kind == .toMany else { continue }
      lists[[entity, number], default: []].append(orphan.row)
    }
    for (key, rows) in lists.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let layout = plan.layouts[key[0]]
      binding.attempt { () throws(StoreError) in try binding.loadLists(rows, layout.table, layout.slots[key[1]]) }
    }
    log.context.loadForDeletion(
      of: orphans.compactMap { orphan in
        let row = finder.editor.row(Int(orphan.table), orphan.row)
        return row[Int(orphan.word)] & orphan.mask == 0 ? RowPlace(table: Int(orphan.table), row: orphan.row) : nil
      })
  }

  /// Deletes an object, or postpones its deletion until the object that denies it is deleted.
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
