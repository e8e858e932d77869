/// Writes the cells of objects into rows.
///
///     cells   | id 7 | name "Batman" | powers 4, 7 |
///     row     found by its identity, or inserted; only differences are written, and inverses follow
struct ObjectMerger {
  let plan: Plan
  let log: FaultLog
  private(set) var mentions = Mentions()
  private(set) var deferrals = Deferrals()
  private(set) var alternateFinds = AlternateFinds()
  /// Slots whose value was rejected. Their missing value has already been reported.
  private(set) var refused: Set<SlotPlace> = []
  /// The object that the payload is merged onto (I23).
  var target: MergeTarget?

  init(_ plan: Plan, _ log: FaultLog) {
    self.plan = plan
    self.log = log
  }

  func free() { mentions.free() }

  /// Finds or creates the row of the innermost object and writes the differences. Returns nil if the object was rejected.
  @inline(__always)
  mutating func apply(
    _ open: inout OpenObjects, _ finder: inout RowFinder
  ) throws(JSONSyntaxError) -> UInt32? {
    var late = open.takeLateCells()
    let frame = open.frames.last
    let entity = frame.pointee.entity
    let table = plan.layouts[entity].table
    finder.editor.offset = frame.pointee.offset
    let cells = Cells(Address(open.cells.base + frame.pointee.cells))
    var found = finder.find(entity, cells)
    if found.row == nil, plan.layouts[entity].alternateCount > 0 {
      let find: RowFinder.AlternateFind?
      do {
        find = try finder.findByAlternate(entity, cells)
      } catch {
        log.record(error, plan.entities[entity], at: frame.pointee.offset)
        return nil
      }
      if let find {
        found.row = find.row
        guard try complete(find.row, frame.pointee, cells, &finder) else { return nil }
        if found.hash == nil { alternateFinds.note(find, entity, at: frame.pointee.offset) }
      }
    }
    if let target, try !aim(&found, &late, at: target, open, &finder) { return nil }
    let number: UInt32
    if let known = found.row {
      finder.predict(entity, after: known)
      number = known
      switch try meet(number, entity, cells, &open, &finder) {
      case .open: break
      case .newer: return number
      case .refused: return nil
      }
    } else {
      number = try finder.insert(entity, isPlaceholder: false, at: frame.pointee.offset)
      introduce(number, entity, found.hash, &open, &finder)
    }
    let row = finder.editor.row(table, number)
    row.isDescribed = true
    let state = finder.editor.state
    let (journaled, replaced) = (state.pointee.journal.count, state.pointee.replacedVectors)
    if frame.pointee.marks.hasBareDiscriminator || row.hasBareDiscriminator, !frame.pointee.marks.isUnanswered {
      // The discriminator is exported in the form in which the payload last wrote it (E4).
      finder.editor.setFlag(RowHeader.bareDiscriminator, frame.pointee.marks.hasBareDiscriminator, table, number)
    }
    // Nothing has written to the row since its texts were compared.
    let isAsExpected = frame.pointee.expected.map { $0.row == row && $0.journalCount == journaled } ?? false
    write(number, isNew: found.row == nil, isAsExpected: isAsExpected, entity, cells, &open, &finder)
    if let late { applyLate(late, table, number, &open, &finder) }
    // Every change that a dictionary makes to an existing object begins in the object's own row.
    if state.pointee.journal.count != journaled || state.pointee.replacedVectors != replaced {
      row.isChanged = true
    }
    return number
  }

  /// Gives a row that has just been inserted its identity, and the defaults of properties that the dictionary omits.
  @inline(__always)
  private mutating func introduce(
    _ number: UInt32, _ entity: Int, _ hash: UInt64?, _ open: inout OpenObjects, _ finder: inout RowFinder
  ) {
    let frame = open.frames.last
    let cells = open.cells.base + frame.pointee.cells
    let layout = plan.layouts + entity
    if let hash {
      // An object that is identified inside an owner is in the index once it is linked to the owner.
      if layout.pointee.identity.hasOwner { finder.identify(number, entity, Cells(Address(cells))) }
      finder.index(number, entity, hash)
    } else {
      // Each dictionary without identity is a different object.
      frame.pointee.marks.isRepeatable = false
      if layout.pointee.reading.seenWords == 0
        || cells[layout.pointee.slotCount].bits & ~layout.pointee.reading.fieldsForOthers == 0
      {
        noteStranger(open)
      }
    }
    for (slot, cell) in plan.entities[entity].defaults where cells[slot].isAbsent { cells[slot] = cell }
    if layout.pointee.reading.hasRules {
      mentions.add(layout.pointee.table, number, at: frame.pointee.offset, open.payload)
    }
  }

  /// The treatment of a dictionary whose object is known.
  private enum Meeting {
    /// The dictionary is applied.
    case open
    /// The row has a newer version.
    case newer
    /// The dictionary cannot describe the row, and is refused.
    case refused
  }

  /// Touches a row that is known, and compares the dictionary with earlier dictionaries of this import.
  @inline(__always)
  private mutating func meet(
    _ number: UInt32, _ entity: Int, _ cells: Cells, _ open: inout OpenObjects, _ finder: inout RowFinder
  ) throws(JSONSyntaxError) -> Meeting {
    let layout = plan.layouts + entity
    let table = layout.pointee.table
    let editor = finder.editor
    let row = editor.row(table, number)
    let header = row.header
    if !header.isFull(entity) {
      guard try settle(open.frames.last.pointee, number, &open, &finder) else { return .refused }
    }
    editor.touch(PlacedRow(table, number, row))
    let wasTouched = header.epoch == editor.state.pointee.importEpoch
    if wasTouched, layout.pointee.reading.isSynchronized, finder.holdsLater(number, entity, than: cells) {
      open.forgetSetAside()
      return .newer
    }
    if wasTouched, header.isDescribed, log.suspicions.isWatching(entity) {
      open.frames.last.pointee.marks.isRepeated = log.suspicions.compare(
        cells, open.rows, row, RowPlace(table: table, row: number), of: entity, editor.state, at: editor.offset,
        isWaiting: WaitingIdentifiers.contains,
        modificationSlot: plan.entities[entity].synchronization?.modificationSlot)
    }
    if layout.pointee.reading.hasRules || wasTouched && !row.isDescribed {
      mentions.add(table, number, at: editor.offset, open.payload)
    }
    return .open
  }

  /// Writes the cells that differ from the cells of the row.
  @inline(__always)
  private mutating func write(
    _ number: UInt32, isNew: Bool, isAsExpected: Bool, _ entity: Int, _ cells: Cells, _ open: inout OpenObjects,
    _ finder: inout RowFinder
  ) {
    let layout = plan.layouts + entity
    let table = layout.pointee.table
    let editor = finder.editor
    let row = editor.state.placed(table, number)
    for index in 0..<layout.pointee.slotCount {
      let cell = cells[index]
      let slot = layout.pointee.slots + index
      switch cell.tag {
      case .absent, .setAside:
        continue
      case .word:
        if isNew || !slot.pointee.isIdentity { editor.setWord(cell.bits, slot, row) }
      case .text:
        if isAsExpected, cell.isExpected { continue }
        if isNew || !slot.pointee.isIdentity { editor.setText(cell, slot, row) }
      case .row, .rows:
        link(cell, SlotPlace(table: table, row: number, slot: index), slot, row.row, &open, &finder)
      case .null, .invalid, .deferred:
        applyRare(cell, SlotPlace(table: table, row: number, slot: index), entity, &open, &finder)
      }
    }
  }

  /// Links a row to the row of a cell, or to the rows of a list.
  @inline(__always)
  private mutating func link(
    _ cell: Cell, _ place: SlotPlace, _ slot: PlanReference<SlotPlan>, _ row: Row, _ open: inout OpenObjects,
    _ finder: inout RowFinder
  ) {
    if slot.pointee.mayWait, !deferrals.isEmpty {
      wait(cell, place, finder.editor.offset, &open, &finder)
      return
    }
    if slot.pointee.inverse >= 0, !slot.pointee.inverseSlot.isToMany, !slot.pointee.isOwning, !slot.pointee.isIdentity,
      log.suspicions.claims.isWatching
    {
      lookAtClaims(cell, place, row.entity, open, finder)
    }
    if row[slot] != 0, row[slot] != cell.bits || cell.tag != .row, slot.pointee.inverse >= 0, !slot.pointee.isUnion,
      !slot.pointee.isOwning, !slot.pointee.isIdentity, log.suspicions.claims.isWatchingValues
    {
      lookAtLosses(cell, place, row.entity, open, finder)
    }
    if slot.pointee.isOwning, !slot.pointee.isUnion, row[slot] != 0 {
      if cell.tag == .row {
        finder.noteLosses(of: slot.pointee, row, keeping: CollectionOfOne(UInt32(truncatingIfNeeded: cell.bits - 1)))
      } else {
        let first = Int(truncatingIfNeeded: cell.bits)
        finder.noteLosses(of: slot.pointee, row, keeping: open.rows.elements[first..<first + cell.count])
      }
    }
    if cell.tag == .row {
      finder.editor.setToOne(cell.bits, slot, PlacedRow(place.table, place.row, row))
    } else {
      finder.editor.setToMany(
        open.rows.base + Int(truncatingIfNeeded: cell.bits), cell.count, union: slot.pointee.isUnion, slot,
        PlacedRow(place.table, place.row, row))
    }
  }

  /// Examines the objects to which a row is about to be linked, each of which can be linked to only one row.
  @inline(never)
  private func lookAtClaims(
    _ cell: Cell, _ place: SlotPlace, _ entity: Int, _ open: OpenObjects, _ finder: RowFinder
  ) {
    let (state, offset) = (finder.editor.state, finder.editor.offset)
    if cell.tag == .row {
      let target = CollectionOfOne(UInt32(truncatingIfNeeded: cell.bits - 1))
      log.suspicions.claims.look(at: target, from: place.row, in: entity, place.slot, state, at: offset)
    } else {
      let first = Int(truncatingIfNeeded: cell.bits)
      let targets = open.rows.elements[first..<first + cell.count].lazy.filter { !WaitingIdentifiers.contains($0) }
      log.suspicions.claims.look(at: targets, from: place.row, in: entity, place.slot, state, at: offset)
    }
  }

  /// Examines the objects from which a row is about to be unlinked, because these objects may have named the row.
  @inline(never)
  private func lookAtLosses(
    _ cell: Cell, _ place: SlotPlace, _ entity: Int, _ open: OpenObjects, _ finder: RowFinder
  ) {
    let (state, offset) = (finder.editor.state, finder.editor.offset)
    let target = RowPlace(table: place.table, row: place.row)
    if cell.tag == .row {
      let row = CollectionOfOne(UInt32(truncatingIfNeeded: cell.bits - 1))
      log.suspicions.claims.look(atLossesOf: target, in: entity, place.slot, to: row, state, at: offset)
    } else {
      let first = Int(truncatingIfNeeded: cell.bits)
      let list = finder.editor.row(place.table, place.row)[plan.layouts[entity].slots[place.slot]]
      // Most lists are unchanged, so a list is first compared with the row's list.
      if RowVector(list).isEqual(to: open.rows.base + first, cell.count) { return }
      let rows = open.rows.elements[first..<first + cell.count]
      log.suspicions.claims.look(atLossesOf: target, in: entity, place.slot, to: rows, state, at: offset)
    }
  }

  /// Writes the relationships of the innermost owner to objects that are identified inside it and that have been read (M12).
  ///
  /// - Returns: the owner's row.
  mutating func applyOwned(_ open: inout OpenObjects, _ finder: inout RowFinder) -> UInt32 {
    let owner = open.owners[open.owners.count - 1]
    let frame = open.frames.last.pointee
    let table = plan.layouts[frame.entity].table
    let layout = plan.layouts + frame.entity
    let slots = open.setAsideByObject.map { plan.fields[$0.field].slot }
    let written = slots.filter { slot in
      open.owners.count == 1 || layout.pointee.slots[slot].isUnion
        || !open.isWrittenLater(slot, of: RowPlace(table: table, row: owner.row), plan)
    }
    finder.editor.offset = frame.offset
    let state = finder.editor.state
    if frame.marks.isRepeated { comparePartLists(slots, owner, frame, open, state) }
    let (journaled, replaced) = (state.pointee.journal.count, state.pointee.replacedVectors)
    applyLate(written.map { ($0, open.cells[frame.cells + $0]) }, table, owner.row, &open, &finder)
    // New objects were already linked to their owner when they got their identity.
    if state.pointee.journal.count != journaled || state.pointee.replacedVectors != replaced
      || finder.editor.linkCounts(slots, frame.entity, owner.row) != owner.before
    {
      finder.editor.row(table, owner.row).isChanged = true
    }
    open.closeOwner()
    return owner.row
  }

  /// Compares the lists of a dictionary with the lists that an earlier dictionary gave to the same owner (I22). New objects in the
  /// lists are already linked.
  @inline(never)
  private func comparePartLists(
    _ slots: [Int], _ owner: OpenOwner, _ frame: ImportFrame, _ open: OpenObjects, _ state: Reference<GraphState>
  ) {
    let layout = plan.layouts[frame.entity]
    let place = RowPlace(table: layout.table, row: owner.row)
    for (index, number) in slots.enumerated() {
      let (slot, cell) = (layout.slots[number], open.cells[frame.cells + number])
      guard cell.tag == .rows, slot.isOwning, !slot.isUnion else { continue }
      let count = Int(truncatingIfNeeded: owner.before[index])
      if count == 0 { continue }
      let first = Int(truncatingIfNeeded: cell.bits)
      let list = open.rows.elements[first..<first + cell.count]
      let members = RowReader(state).targets(state.row(place.table, place.row), slot)
      if count == list.count, slot.isOrdered ? members.elementsEqual(list) : Set(members) == Set(list) { continue }
      log.suspicions.noteDifference(of: place, frame.entity, number, counts: (count, list.count), at: frame.offset)
    }
  }

  /// Notes that the innermost object probably has no mapped key.
  @inline(never)
  private func noteStranger(_ open: OpenObjects) {
    let frame = open.frames.last.pointee
    let layout = plan.layouts[frame.entity]
    let entity = plan.entities[frame.entity]
    if open.hasMappedKey(layout, besides: entity.fields.forOthers) || frame.key != nil || frame.marks.isElementValue
      || frame.marks.isTransformed
    {
      return
    }
    // Values that nested objects read from the document do not make the document an object of the model.
    let isDocument = open.frames.count == 1 && open.surroundings.envelope == nil
    let isRead = entity.fields.surrounding.contains { number in
      let field = plan.fields[number]
      return !open.cells[frame.cells + field.slot].isAbsent && !(isDocument && field.surroundings == .root)
    }
    if isRead { return }
    log.suspicions.noteStranger(frame.entity, at: frame.offset)
  }

  /// Returns the offset of the first dictionary that describes a row.
  mutating func firstDictionary(_ place: RowPlace) -> Int? { dictionaries(place).first }

  /// Returns the offsets of the dictionaries that describe a row, in payload order, if there are several or the row has rules.
  mutating func dictionaries(_ place: RowPlace) -> [Int] { mentions.offsets(place.table, place.row) }

  /// Applies the relationships that appear after their inverses in the dictionary (I7).
  @inline(never)
  private mutating func applyLate(
    _ late: [(slot: Int, cell: Cell)], _ table: Int, _ number: UInt32, _ open: inout OpenObjects,
    _ finder: inout RowFinder
  ) {
    let frame = open.frames.last.pointee
    let editor = finder.editor
    let row = editor.row(table, number)
    for (index, cell) in late {
      let slot = plan.layouts[frame.entity].slots + index
      let place = SlotPlace(table: table, row: number, slot: index)
      if cell.tag == .row || cell.tag == .rows {
        link(cell, place, slot, row, &open, &finder)
      } else {
        applyRare(cell, place, frame.entity, &open, &finder)
      }
    }
  }

  @inline(never)
  private mutating func applyRare(
    _ cell: Cell, _ place: SlotPlace, _ entity: Int, _ open: inout OpenObjects, _ finder: inout RowFinder
  ) {
    let offset = open.frames.last.pointee.offset
    switch cell.tag {
    case .null:
      let layout = plan.layouts[entity]
      let slot = layout.slots + place.slot
      if slot.pointee.mask & layout.required[slot.pointee.word - 1] != 0, !layout.reading.hasRules {
        mentions.add(place.table, place.row, at: offset, open.payload)
        open.forbidRepeats()
      }
      let row = finder.editor.row(place.table, place.row)
      if !slot.pointee.kind.isRelationship {
        // An object found by an alternate identity keeps its own identity (M27).
        if slot.pointee.isIdentity, row.isSet(slot) { return }
        finder.editor.setNil(slot, PlacedRow(place.table, place.row, row))
      } else if slot.pointee.mayWait, !deferrals.isEmpty {
        wait(cell, place, offset, &open, &finder)
      } else if !slot.pointee.isSetAside
        || !open.isWrittenLater(place.slot, of: RowPlace(table: place.table, row: place.row), plan)
      {
        if row[slot] != 0 {
          log.suspicions.claims.look(
            atChangeOf: RowPlace(table: place.table, row: place.row), in: entity, place.slot, to: EmptyCollection(),
            finder.editor.state, at: offset)
        }
        if slot.pointee.isOwning { finder.noteLosses(of: slot.pointee, row, keeping: EmptyCollection()) }
        finder.editor.clearShown(slot, PlacedRow(place.table, place.row, row))
      }
    case .invalid:
      refused.insert(place)
      open.forbidRepeats()
    default:
      wait(cell, place, offset, &open, &finder)
    }
  }

  /// Makes the links of a dictionary's relationship wait for the end of the payload.
  @inline(never)
  private mutating func wait(
    _ cell: Cell, _ place: SlotPlace, _ offset: Int, _ open: inout OpenObjects, _ finder: inout RowFinder
  ) {
    switch cell.tag {
    case .row: deferrals.link(place, CollectionOfOne(UInt32(truncatingIfNeeded: cell.bits - 1)), at: offset)
    case .rows:
      let first = Int(truncatingIfNeeded: cell.bits)
      deferrals.link(place, open.rows.elements[first..<first + cell.count], at: offset)
    case .deferred: deferrals.link(place, finder.waiting.rows(of: cell), at: offset)
    default: deferrals.linkNothing(place, at: offset)
    }
  }

  /// Validates the rows that the payload touched; errors are located in the dictionaries that were applied.
  mutating func validate(_ validator: ImportValidator, firstHookTouch: Int) {
    validator.validate(&mentions, firstHookTouch: firstHookTouch)
  }

  // MARK: Entities

  /// Handles a found row that is a placeholder, or belongs to a different entity than the dictionary. Returns false if that is impossible.
  @inline(never)
  private func settle(
    _ frame: ImportFrame, _ number: UInt32, _ open: inout OpenObjects, _ finder: inout RowFinder
  ) throws(JSONSyntaxError) -> Bool {
    let table = plan.layouts[frame.entity].table
    let header = finder.editor.row(table, number).header
    let own = header.entity
    let isPlaceholder = header.isPlaceholder
    var settled = own
    if own != frame.entity {
      if isPlaceholder, finder.isKind(frame.entity, of: own) {
        finder.editor.changeEntity(table, number, to: frame.entity)
        settled = frame.entity
      } else if !(frame.marks.isUnanswered && finder.isKind(own, of: frame.entity)) {
        log.refuseEntity(own, expected: frame.entity, at: frame.offset)
        try log.stopIfFull()
        return false
      }
    }
    if isPlaceholder {
      if plan.layouts[settled].isAbstract {
        log.refuseAbstract(settled, at: frame.offset)
        try log.stopIfFull()
        return false
      }
      finder.editor.setFlag(RowHeader.placeholder, false, table, number)
      fillDefaults(settled, number, &open, &finder)
    }
    return true
  }

  /// Gives a placeholder that is being filled the defaults of properties that the dictionary omits (D5).
  private func fillDefaults(_ entity: Int, _ number: UInt32, _ open: inout OpenObjects, _ finder: inout RowFinder) {
    let frame = open.frames.last.pointee
    let layout = plan.layouts[entity]
    let row = finder.editor.row(layout.table, number)
    for (index, cell) in plan.entities[entity].defaults {
      let slot = layout.slots[index]
      let isGiven =
        index < plan.layouts[frame.entity].slotCount && !open.cells[frame.cells + index].isAbsent
      if !isGiven, !row.isSet(slot) { finder.set(cell, entity, index, number) }
    }
  }
}
