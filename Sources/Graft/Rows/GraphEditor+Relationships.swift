/// Changes both sides of links.
///
///     hero.publisher = dc          hero --publisher--> dc        setToOne writes this side
///                                  hero <--heroes----- dc        addInverse writes that side
///
/// A new link can displace an old link if the inverse is a to-one relationship that is already set. The old link is removed from both of
/// its sides.
extension GraphEditor {
  // MARK: To-one

  @inline(__always)
  func setToOne(_ target: UInt64, _ slot: PlanReference<SlotPlan>, _ table: Int, _ number: UInt32, _ row: Row) {
    let old = row[slot]
    if old == target { return }
    if state.pointee.source != nil, hasOrderedInverse(slot) { loadOrderedInverses([old, target], slot) }
    if slot.pointee.isIdentity {
      identify(table, number) { writeToOne(target, slot, table, number, row) }
    } else {
      writeToOne(target, slot, table, number, row)
    }
    if old != 0 {
      if slot.pointee.inverse >= 0 { removeInverse(slot, of: UInt32(truncatingIfNeeded: old - 1), owner: number) }
      if slot.pointee.deletesOrphans { noteOrphan(slot, UInt32(truncatingIfNeeded: old - 1)) }
    }
    if target != 0, slot.pointee.inverse >= 0 {
      addInverse(slot, of: UInt32(truncatingIfNeeded: target - 1), owner: number, ownerTable: table)
    }
  }

  /// Links a new row, which is not in the index of its identity, to its owner (M12).
  func linkToOwner(_ target: UInt64, _ slot: PlanReference<SlotPlan>, _ table: Int, _ number: UInt32, _ row: Row) {
    writeToOne(target, slot, table, number, row)
    addInverse(slot, of: UInt32(truncatingIfNeeded: target - 1), owner: number, ownerTable: table)
  }

  @inline(__always)
  private func writeToOne(
    _ target: UInt64, _ slot: PlanReference<SlotPlan>, _ table: Int, _ number: UInt32,
    _ row: Row
  ) {
    write(target, table, number, row, slot.pointee.cell)
    setPresence(target != 0, table, number, row, slot.pointee.word, slot.pointee.mask)
    if slot.pointee.isAlternate { noteAlternates(table, number) }
  }

  /// Changes the identity of a row, and updates the index. No other row may have the new identity.
  @inline(never)
  private func identify(_ table: Int, _ number: UInt32, _ change: () -> Void) {
    if leavesIndex { return change() }
    // A fault must be loaded, because the identity also includes its stored values.
    state.loadRow(table, number)
    unindex(table, number)
    change()
    index(table, number)
  }

  // MARK: The other side

  /// Sets the other side of a loaded row's to-one relationship.
  func linkBack(_ slot: PlanReference<SlotPlan>, _ table: Int, _ number: UInt32) {
    guard slot.pointee.inverse >= 0, let target = row(table, number).toOne(slot.pointee) else { return }
    addInverse(slot, of: target, owner: number, ownerTable: table)
  }

  @inline(__always)
  private func addInverse(_ slot: PlanReference<SlotPlan>, of target: UInt32, owner: UInt32, ownerTable: Int) {
    let table = slot.pointee.destinationTable
    let row = row(table, target)
    let word = slot.pointee.inverseSlot.cell
    touch(table, target, row)
    if state.pointee.source != nil, !prepareInverse(slot, of: target, gaining: owner) { return }
    if slot.pointee.inverseSlot.isToMany {
      // A link of an object to itself in a symmetric relationship has only one side.
      if target == owner, table == ownerTable, word == slot.pointee.cell { return }
      appendRow(owner, table, target, row, word)
      setPresence(true, table, target, row, slot.pointee.inverseSlot.word, slot.pointee.inverseSlot.mask)
    } else {
      let old = row[word]
      if old == UInt64(owner) + 1 { return }
      if slot.pointee.isOwning {
        identify(table, target) { writeInverse(UInt64(owner) + 1, slot, table, target, row) }
      } else {
        writeInverse(UInt64(owner) + 1, slot, table, target, row)
      }
      if old != 0 { displace(slot, UInt32(truncatingIfNeeded: old - 1), target, ownerTable) }
    }
  }

  @inline(__always)
  private func writeInverse(
    _ owner: UInt64, _ slot: PlanReference<SlotPlan>, _ table: Int, _ target: UInt32,
    _ row: Row
  ) {
    write(owner, table, target, row, slot.pointee.inverseSlot.cell)
    setPresence(owner != 0, table, target, row, slot.pointee.inverseSlot.word, slot.pointee.inverseSlot.mask)
    if slot.pointee.inverseSlot.isAlternate { noteAlternates(table, target) }
  }

  /// Prepares the other side of a link for a change. The other side must be known if it is a to-one relationship or an
  /// ordered list. Any other list may stay unknown; in that case, its added and removed members are recorded.
  ///
  /// - Returns: whether the change must still be made.
  @inline(never)
  private func prepareInverse(
    _ slot: PlanReference<SlotPlan>, of target: UInt32, gaining member: UInt32? = nil, losing lost: UInt32? = nil
  ) -> Bool {
    let table = slot.pointee.destinationTable
    let row = row(table, target)
    guard slot.pointee.inverseSlot.isToMany else {
      if !skipsUnknown {
        state.loadRow(table, target)
        if member != nil { loadOrderedList(ofOwner: row[slot.pointee.inverseSlot.cell], slot) }
      }
      return !row.isFault
    }
    return prepareList(
      table, target, row, slot.pointee.inverseSlot.cell, slot.pointee.inverseSlot.word, slot.pointee.inverseSlot.mask,
      gaining: member,
      losing: lost)
  }

  /// Loads the ordered list that a member leaves when it gets another owner.
  private func loadOrderedList(ofOwner cell: UInt64, _ slot: PlanReference<SlotPlan>) {
    guard cell != 0, slot.pointee.kind == .toMany, slot.pointee.isOrdered else { return }
    let inverse = state.layouts[slot.pointee.destination].slots[slot.pointee.inverse]
    let owner = UInt32(truncatingIfNeeded: cell - 1)
    state.loadRow(inverse.destinationTable, owner)
    state.loadList(row(inverse.destinationTable, owner), slot.pointee)
  }

  private func hasOrderedInverse(_ slot: PlanReference<SlotPlan>) -> Bool {
    !skipsUnknown && slot.pointee.inverse >= 0 && slot.pointee.inverseSlot.isToMany
      && state.layouts[slot.pointee.destination].slots[slot.pointee.inverse].isOrdered
  }

  /// Loads the ordered lists on the other side of a relationship, before it changes, because the position of a member in these lists
  /// is known only when they are loaded.
  ///
  /// - Parameter cells: row numbers, plus one; 0 if there is no row.
  @inline(never)
  private func loadOrderedInverses(_ cells: [UInt64], _ slot: PlanReference<SlotPlan>) {
    guard hasOrderedInverse(slot) else { return }
    let inverse = state.layouts[slot.pointee.destination].slots[slot.pointee.inverse]
    for cell in cells where cell != 0 {
      let number = UInt32(truncatingIfNeeded: cell - 1)
      state.loadRow(slot.pointee.destinationTable, number)
      let row = row(slot.pointee.destinationTable, number)
      if row.isLoaded { state.loadList(row, inverse) }
    }
  }

  /// Prepares a list for a change, as `prepareInverse` does for the other side of a link.
  private func prepareList(
    _ table: Int, _ number: UInt32, _ row: Row, _ cell: Int, _ word: Int, _ mask: UInt64, gaining member: UInt32?,
    losing lost: UInt32?
  ) -> Bool {
    guard state.isUnknown(table, row, word, mask) else { return true }
    if skipsUnknown { return false }
    state.loadRow(table, number)
    let property = cell - 1 - state.tables[table].presenceWords
    let list = state.layouts[row.entity].slots + property
    if list.pointee.isOrdered {
      state.loadList(row, list.pointee)
      // The member's own side has already been written, so the loaded list may already reflect it.
      let contains = state.pointee.vectors.contains(row[cell], member ?? lost ?? 0)
      return member != nil ? !contains : contains
    }
    if let member {
      state.pointee.journal.append(JournalEntry(member: member, isGone: false, of: number, table, word: cell))
      state.pointee.append(member, to: cell, of: row)
    } else if let lost {
      let wasAdded = row[cell] != 0 && state.pointee.vectors.remove(lost, from: RowVector(row[cell]))
      state.pointee.journal.append(
        JournalEntry(member: lost, isGone: true, wasAdded: wasAdded, of: number, table, word: cell))
      state.pointee.loads.thinned.insert(RowPlace(table: table, row: number))
      row[word] &= ~mask
    }
    return false
  }

  /// Removes the target from its previous owner.
  @inline(never)
  private func displace(_ slot: PlanReference<SlotPlan>, _ owner: UInt32, _ target: UInt32, _ ownerTable: Int) {
    let row = row(ownerTable, owner)
    touch(ownerTable, owner, row)
    if state.pointee.source != nil {
      guard slot.pointee.kind == .toMany else {
        if !skipsUnknown { state.loadRow(ownerTable, owner) }
        if row.isFault { return }
        return displaceFromToOne(slot, owner, target, ownerTable, row)
      }
      let isLeft = prepareList(
        ownerTable, owner, row, slot.pointee.cell, slot.pointee.word, slot.pointee.mask, gaining: nil, losing: target)
      if !isLeft { return }
    }
    if slot.pointee.kind == .toMany {
      removeRow(target, ownerTable, owner, row, slot.pointee.cell)
      if row[slot] == 0 || state.pointee.vectors.count(row[slot]) == 0 {
        setPresence(false, ownerTable, owner, row, slot.pointee.word, slot.pointee.mask)
      }
    } else {
      displaceFromToOne(slot, owner, target, ownerTable, row)
    }
  }

  private func displaceFromToOne(
    _ slot: PlanReference<SlotPlan>, _ owner: UInt32, _ target: UInt32, _ ownerTable: Int, _ row: Row
  ) {
    guard row[slot] == UInt64(target) + 1 else { return }
    let inverse = state.layouts[slot.pointee.destination].slots + slot.pointee.inverse
    guard inverse.pointee.isOwning else { return writeToOne(0, slot, ownerTable, owner, row) }
    identify(ownerTable, owner) { writeToOne(0, slot, ownerTable, owner, row) }
    // The target now has a different object, so this row may be an orphan.
    if inverse.pointee.deletesOrphans { noteOrphan(inverse, owner) }
  }

  @inline(never)
  func removeInverse(_ slot: PlanReference<SlotPlan>, of target: UInt32, owner: UInt32) {
    let table = slot.pointee.destinationTable
    let row = row(table, target)
    let word = slot.pointee.inverseSlot.cell
    touch(table, target, row)
    if state.pointee.source != nil, !prepareInverse(slot, of: target, losing: owner) { return }
    if slot.pointee.inverseSlot.isToMany {
      removeRow(owner, table, target, row, word)
      if state.pointee.vectors.count(row[word]) == 0 {
        setPresence(false, table, target, row, slot.pointee.inverseSlot.word, slot.pointee.inverseSlot.mask)
      }
    } else if row[word] == UInt64(owner) + 1 {
      if slot.pointee.isOwning {
        identify(table, target) { writeInverse(0, slot, table, target, row) }
      } else {
        writeInverse(0, slot, table, target, row)
      }
    }
  }

  func noteOrphan(_ slot: PlanReference<SlotPlan>, _ target: UInt32) {
    state.pointee.orphans.append(
      GraphState.Orphan(
        table: Int32(truncatingIfNeeded: slot.pointee.destinationTable), row: target,
        word: Int32(truncatingIfNeeded: slot.pointee.inverseSlot.word), mask: slot.pointee.inverseSlot.mask,
        offset: offset))
  }

  // MARK: Vectors

  @inline(__always)
  func appendRow(_ added: UInt32, _ table: Int, _ number: UInt32, _ row: Row, _ word: Int) {
    let cell = row[word]
    let epoch = state.pointee.epoch
    if cell != 0 {
      let vector = RowVector(cell)
      if vector.used < vector.capacity {
        if vector.epoch != epoch, isJournaled(table, number) {
          state.pointee.journal.append(
            JournalEntry(.append, table: table, row: number, word: word, old: UInt64(added)))
        }
        state.pointee.vectors.append(added, to: vector)
        return
      }
    }
    let vector = replaceVector(
      cell, room: state.pointee.vectors.count(cell) + 1, table, number, row, word, kind: .growth)
    state.pointee.vectors.append(added, to: vector)
  }

  /// Gives a cell a new vector, which contains the old rows and has free space.
  private func replaceVector(
    _ cell: UInt64, room: Int, _ table: Int, _ number: UInt32, _ row: Row, _ word: Int,
    kind: JournalEntry.Kind = .vector
  ) -> RowVector {
    let epoch = state.pointee.epoch
    let vector = state.pointee.vectors.make(room: room, epoch: epoch)
    if cell != 0 { state.pointee.vectors.copyRows(of: RowVector(cell), to: vector) }
    install(vector.cell, table, number, row, word, kind: kind)
    return vector
  }

  /// Puts another vector into a cell. The old vector is kept for the journal, or freed.
  @inline(__always)
  func install(
    _ new: UInt64, _ table: Int, _ number: UInt32, _ row: Row, _ word: Int,
    kind: JournalEntry.Kind = .vector
  ) {
    let old = row[word]
    row[word] = new
    if isJournaled(table, number) {
      if old == 0 {
        state.pointee.journal.append(JournalEntry(kind, table: table, row: number, word: word, old: 0))
      } else if RowVector(old).epoch == state.pointee.epoch {
        state.pointee.vectors.release(RowVector(old))
        state.pointee.replacedVectors &+= 1
      } else {
        state.pointee.vectors.retire(RowVector(old))
        state.pointee.journal.append(JournalEntry(kind, table: table, row: number, word: word, old: old))
        state.pointee.retired.append(old)
      }
    } else if old != 0 {
      state.pointee.vectors.release(RowVector(old))
    }
  }

  func removeRow(_ removed: UInt32, _ table: Int, _ number: UInt32, _ row: Row, _ word: Int) {
    guard row[word] != 0 else { return }
    var vector = RowVector(row[word])
    if vector.epoch != state.pointee.epoch, isJournaled(table, number) {
      if vector.used > RowVector.indexedCount, !state.pointee.vectors.isMostlyHoles(vector) {
        return removeFromLong(vector, removed, table, number, word)
      }
      vector = replaceVector(row[word], room: vector.used, table, number, row, word)
    }
    _ = state.pointee.vectors.remove(removed, from: vector)
  }

  /// Removes a row, without a copy, from a vector that the journal must be able to restore.
  @inline(never)
  private func removeFromLong(_ vector: RowVector, _ removed: UInt32, _ table: Int, _ number: UInt32, _ word: Int) {
    guard let place = state.pointee.vectors.place(of: removed, in: vector) else { return }
    state.pointee.journal.append(JournalEntry(removed: removed, at: place, from: number, table, word: word))
    state.pointee.vectors.takeOut(at: place, of: vector)
  }

  // MARK: To-many

  /// Makes a to-many relationship equal to a list without repeats (I5), or adds the list to the relationship. The list is not empty.
  func setToMany(
    _ rows: [UInt32], union: Bool, _ slot: PlanReference<SlotPlan>, _ table: Int, _ number: UInt32, _ row: Row
  ) {
    rows.withUnsafeBufferPointer {
      setToMany($0.baseAddress.unsafelyUnwrapped, $0.count, union: union, slot, table, number, row)
    }
  }

  /// Makes a to-many relationship equal to a list without repeats (I5), or adds the list to the relationship.
  @inline(__always)
  func setToMany(
    _ rows: UnsafePointer<UInt32>, _ count: Int, union: Bool, _ slot: PlanReference<SlotPlan>, _ table: Int,
    _ number: UInt32, _ row: Row
  ) {
    if state.pointee.source != nil, !prepareToSet(rows, count, union: union, slot, table, number, row) { return }
    let cell = row[slot]
    if cell == 0 {
      if count > 0 { fillToMany(rows, count, slot, table, number, row) }
      return
    }
    let vector = RowVector(cell)
    if vector.isEqual(to: rows, count) { return }
    // For a few additions, the existing rows are not scanned, because a vector is searched in constant time.
    if union, count <= 4 || vector.used > RowVector.indexedCount && count < vector.used / 8 {
      for index in 0..<count where !contains(rows[index], row, slot) { link(rows[index], slot, table, number, row) }
      return
    }
    mergeToMany(rows, count, union: union, slot, table, number, row)
  }

  /// Loads the data that must be known before a list is set, such as a list that is replaced. If rows are added to a list that may stay
  /// unknown, adds the rows here. If the list is derived from the to-one relationships of its members, it does not contain an added row
  /// yet, unless the list is in memory.
  ///
  /// - Returns: whether the list must still be set.
  @inline(never)
  private func prepareToSet(
    _ rows: UnsafePointer<UInt32>, _ count: Int, union: Bool, _ slot: PlanReference<SlotPlan>, _ table: Int,
    _ number: UInt32, _ row: Row
  ) -> Bool {
    noteEdited(slot, table, number, row)
    loadToChange(slot, row, union: union)
    if hasOrderedInverse(slot) {
      // A union does not change the existing members.
      let changed = (0..<count).map { rows[$0] } + (union ? [] : row.links(slot.pointee))
      loadOrderedInverses(changed.map { UInt64($0) + 1 }, slot)
    }
    guard state.isUnknown(table, row, slot.pointee.word, slot.pointee.mask) else { return true }
    for index in 0..<count where !contains(rows[index], row, slot) { link(rows[index], slot, table, number, row) }
    return false
  }

  /// Notes that a list is changed directly. Lists that are derived from to-one relationships change when these relationships change.
  private func noteEdited(_ slot: PlanReference<SlotPlan>, _ table: Int, _ number: UInt32, _ row: Row) {
    guard slot.pointee.inverse < 0 || slot.pointee.inverseSlot.isToMany, row.header.isStored else { return }
    state.pointee.loads.noteEdit(
      of: ListPlace(owner: RowPlace(table: table, row: number), cell: slot.pointee.cell))
  }

  @inline(never)
  private func loadToChange(_ slot: PlanReference<SlotPlan>, _ row: Row, union: Bool) {
    let follows = slot.pointee.inverse >= 0 && !slot.pointee.inverseSlot.isToMany
    if !union || !follows || slot.pointee.isOrdered { state.loadList(row, slot.pointee) }
  }

  @inline(__always)
  private func fillToMany(
    _ rows: UnsafePointer<UInt32>, _ count: Int, _ slot: PlanReference<SlotPlan>, _ table: Int,
    _ number: UInt32, _ row: Row
  ) {
    let vector = state.pointee.vectors.make(room: count, epoch: state.pointee.epoch)
    for index in 0..<count { vector.rows[index] = rows[index] + 1 }
    vector.used = count
    install(vector.cell, table, number, row, slot.pointee.cell)
    setPresence(true, table, number, row, slot.pointee.word, slot.pointee.mask)
    if slot.pointee.inverse >= 0 {
      for index in 0..<count { addInverse(slot, of: rows[index], owner: number, ownerTable: table) }
    }
  }

  /// Sets or extends a list in the general case: marks the rows of the new list and visits the old rows; rows that stay marked are new.
  @inline(never)
  private func mergeToMany(
    _ rows: UnsafePointer<UInt32>, _ count: Int, union: Bool, _ slot: PlanReference<SlotPlan>, _ table: Int,
    _ number: UInt32, _ row: Row
  ) {
    let old = RowVector(row[slot])
    state.pointee.vectors.close(old)
    Room<UInt32>.with(old.used + count) { merged in
      Room<UInt32>.with(old.used) { gone in
        mergeToMany(rows, count, union: union, old, merged, gone, slot, table, number, row)
      }
    }
  }

  /// - Parameters:
  ///   - merged: room for the rows that are kept, followed by the added rows.
  ///   - gone: room for the removed rows.
  @inline(__always)
  private func mergeToMany(
    _ rows: UnsafePointer<UInt32>, _ count: Int, union: Bool, _ old: RowVector, _ merged: Room<UInt32>,
    _ gone: Room<UInt32>, _ slot: PlanReference<SlotPlan>, _ table: Int, _ number: UInt32, _ row: Row
  ) {
    let target = slot.pointee.destinationTable
    for index in 0..<count { self.row(target, rows[index]).isListed = true }
    var (keptCount, goneCount) = (0, 0)
    for index in 0..<old.used where old.rows[index] != 0 {
      let known = old.rows[index] - 1
      let member = self.row(target, known)
      if union || member.isListed {
        member.isListed = false
        merged[keptCount] = known
        keptCount += 1
      } else {
        gone[goneCount] = known
        goneCount += 1
      }
    }
    var mergedCount = keptCount
    for index in 0..<count {
      let member = self.row(target, rows[index])
      if member.isListed {
        member.isListed = false
        merged[mergedCount] = rows[index]
        mergedCount += 1
      }
    }
    // The rows are the same, in the same order if that matters, so nothing changes.
    if goneCount == 0, mergedCount == keptCount,
      union || !slot.pointee.isOrdered || (0..<count).allSatisfy({ merged[$0] == rows[$0] })
    {
      return
    }
    let total = union || !slot.pointee.isOrdered ? mergedCount : count
    if total == 0 {
      install(0, table, number, row, slot.pointee.cell)
    } else {
      let vector = state.pointee.vectors.make(room: total, epoch: state.pointee.epoch)
      if union || !slot.pointee.isOrdered {
        for place in 0..<total { vector.rows[place] = merged[place] + 1 }
      } else {
        for place in 0..<total { vector.rows[place] = rows[place] + 1 }
      }
      vector.used = total
      install(vector.cell, table, number, row, slot.pointee.cell)
    }
    setPresence(total > 0, table, number, row, slot.pointee.word, slot.pointee.mask)
    for place in 0..<goneCount {
      if slot.pointee.inverse >= 0 { removeInverseUnlessSelf(slot, gone[place], number, table) }
      if slot.pointee.deletesOrphans { noteOrphan(slot, gone[place]) }
    }
    if slot.pointee.inverse >= 0 {
      for place in keptCount..<mergedCount { addInverse(slot, of: merged[place], owner: number, ownerTable: table) }
    }
  }

  /// Adds one row that is not in the list.
  func link(_ target: UInt32, _ slot: PlanReference<SlotPlan>, _ table: Int, _ number: UInt32, _ row: Row) {
    if state.pointee.source != nil {
      noteEdited(slot, table, number, row)
      loadOrderedInverses([UInt64(target) + 1], slot)
      let isLeft = prepareList(
        table, number, row, slot.pointee.cell, slot.pointee.word, slot.pointee.mask, gaining: target, losing: nil)
      if !isLeft {
        if slot.pointee.inverse >= 0 { addInverse(slot, of: target, owner: number, ownerTable: table) }
        return
      }
    }
    appendRow(target, table, number, row, slot.pointee.cell)
    setPresence(true, table, number, row, slot.pointee.word, slot.pointee.mask)
    if slot.pointee.inverse >= 0 { addInverse(slot, of: target, owner: number, ownerTable: table) }
  }

  /// Removes one row that is in the list.
  func unlink(_ target: UInt32, _ slot: PlanReference<SlotPlan>, _ table: Int, _ number: UInt32, _ row: Row) {
    if state.pointee.source != nil {
      noteEdited(slot, table, number, row)
      state.loadList(row, slot.pointee)
      loadOrderedInverses([UInt64(target) + 1], slot)
    }
    removeRow(target, table, number, row, slot.pointee.cell)
    if state.pointee.vectors.count(row[slot]) == 0 {
      setPresence(false, table, number, row, slot.pointee.word, slot.pointee.mask)
    }
    if slot.pointee.inverse >= 0 { removeInverseUnlessSelf(slot, target, number, table) }
  }

  func contains(_ target: UInt32, _ row: Row, _ slot: PlanReference<SlotPlan>) -> Bool {
    if state.pointee.source != nil {
      loadToChange(slot, row, union: true)
      // A list that is not derived from to-one relationships is unknown only if it could not be loaded.
      if slot.pointee.inverse >= 0, !slot.pointee.inverseSlot.isToMany,
        state.isUnknown(layout(ofRow: row).pointee.table, row, slot.pointee.word, slot.pointee.mask)
      {
        return isMember(target, of: row, slot)
      }
    }
    return state.pointee.vectors.contains(row[slot], target)
  }

  /// Whether the to-one relationship of a row refers to the owner of an unknown list that is derived from this relationship.
  private func isMember(_ target: UInt32, of owner: Row, _ slot: PlanReference<SlotPlan>) -> Bool {
    let table = slot.pointee.destinationTable
    state.loadRow(table, target)
    let cell = row(table, target)[slot.pointee.inverseSlot.cell]
    return cell != 0 && row(layout(ofRow: owner).pointee.table, UInt32(truncatingIfNeeded: cell - 1)) == owner
  }

  private func removeInverseUnlessSelf(
    _ slot: PlanReference<SlotPlan>, _ target: UInt32, _ owner: UInt32, _ table: Int
  ) {
    if target == owner, table == slot.pointee.destinationTable, slot.pointee.inverseSlot.cell == slot.pointee.cell {
      return
    }
    removeInverse(slot, of: target, owner: owner)
  }

  /// Empties a relationship, unless it already reads as empty. A link without an inverse may refer to an object of the store that is not
  /// shown; such a link is kept.
  func clearShown(_ slot: PlanReference<SlotPlan>, _ table: Int, _ number: UInt32, _ row: Row) {
    if slot.pointee.kind == .toOne, RowReader(state).target(row, slot.pointee) == nil { return }
    clear(slot, table, number, row)
  }

  /// Empties a relationship.
  func clear(_ slot: PlanReference<SlotPlan>, _ table: Int, _ number: UInt32, _ row: Row) {
    if slot.pointee.kind == .toMany, state.pointee.source != nil {
      noteEdited(slot, table, number, row)
      if skipsUnknown, state.isUnknown(table, row, slot.pointee.word, slot.pointee.mask) { return }
      state.loadList(row, slot.pointee)
      if hasOrderedInverse(slot) { loadOrderedInverses(row.links(slot.pointee).map { UInt64($0) + 1 }, slot) }
    }
    guard row[slot] != 0 else { return }
    if slot.pointee.kind == .toOne {
      setToOne(0, slot, table, number, row)
    } else {
      var nothing: UInt32 = 0
      mergeToMany(&nothing, 0, union: false, slot, table, number, row)
    }
  }
}
