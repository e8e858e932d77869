/// Alternate identities of objects in a payload (M27).
extension RowFinder {
  /// The result of a search by an alternate identity.
  struct AlternateFind {
    var row: UInt32
    /// The number of the alternate identity, and the hash of its values.
    var number: Int
    var hash: UInt64
  }

  /// The maximum number of rows with the values of one alternate identity that a dictionary is compared with.
  private static var mostAlternates: Int { 100 }

  /// The error thrown when more objects have the values of one alternate identity than a dictionary is compared with.
  struct CrowdedAlternate: Error {
    /// The number of the alternate identity.
    var number: Int
  }

  /// Returns the row found by an alternate identity, for an object whose own identity is absent or matches no row; nil if there
  /// is no such row.
  ///
  /// An object whose identity differs from the given identity is a different object, even if it has the same values. The validator
  /// refuses this at the end, unless the payload changes or deletes one of the two. If several rows match, the row is
  /// chosen by these rules, in order:
  /// - a row that the payload describes, before a row that it does not mention, before a row that it deletes;
  /// - for a dictionary that deletes its object, a row that the payload does not describe;
  /// - if there are several of these, the row that was inserted first.
  ///
  /// - Throws: ``CrowdedAlternate`` if there are more than 100 such rows. At the end of an import, only one row may have these values.
  @inline(never)
  func findByAlternate(
    _ entity: Int, _ cells: Cells, isDeletion: Bool = false
  ) throws(CrowdedAlternate) -> AlternateFind? {
    let layout = layouts + entity
    let state = editor.state
    let isWhole = isWhole(layout, cells)
    for number in 0..<layout.pointee.alternateCount {
      let alternate = layout.pointee.alternates + number
      guard !waits(alternate.pointee, cells), let hash = GraphIdentity.hash(alternate, cells, state.pointee.seeds)
      else {
        continue
      }
      func found() throws(CrowdedAlternate) -> (find: AlternateFind, rank: Int)? {
        var best: (row: UInt32, rank: Int)?
        var seen = 0
        let crowd = AlternateIndex.find(alternate, hash, cells, onlyIncomplete: isWhole, state) { number in
          seen += 1
          if seen > Self.mostAlternates { return true }
          guard agrees(number, with: cells, entity) else { return false }
          let table = layout.pointee.table
          let rank = rank(of: RowPlace(table: table, row: number), isDeletion: isDeletion)
          let isBetter =
            best.map { rank > $0.rank || rank == $0.rank && state.pointee.isEarlier((table, number), (table, $0.row)) }
          if isBetter ?? true { best = (number, rank) }
          return false
        }
        if crowd != nil { throw CrowdedAlternate(number: number) }
        return best.map { (AlternateFind(row: $0.row, number: number, hash: hash), $0.rank) }
      }
      let first = try found()
      if let first, first.rank > 0 { return first.find }
      if let source = state.pointee.source { source.load(alternate, cells, hash) }
      if let found = try found() ?? first { return found.find }
    }
    return nil
  }

  private func rank(of place: RowPlace, isDeletion: Bool) -> Int {
    let isDescribed = editor.row(place.table, place.row).header.isDescribed(in: editor.state.pointee.importEpoch)
    if isDeletion { return isDescribed ? 0 : 1 }
    return marked.contains(place) ? 0 : isDescribed ? 2 : 1
  }

  /// Returns whether one of the objects in an alternate identity is not known yet.
  private func waits(_ alternate: EntityLayout, _ cells: Cells) -> Bool {
    (0..<alternate.identity.count).contains { index in
      let cell = cells[alternate.identity.slots[index]]
      return cell.tag == .row && cell.waits
    }
  }

  /// Returns whether every identity value that a row has is also in the dictionary.
  private func agrees(_ number: UInt32, with cells: Cells, _ entity: Int) -> Bool {
    let layout = layouts + entity
    let row = editor.row(layout.pointee.table, number)
    let own = layouts[row.entity]
    return (0..<layout.pointee.identity.count).allSatisfy { index in
      let property = layout.pointee.identity.slots[index]
      let (slot, cell) = (layout.pointee.slots[property], cells[property])
      guard isGiven(cell), property < own.slotCount, row.isSet(slot) else { return true }
      return cell.tag == .row
        ? row[slot] == cell.bits : GraphIdentity.isSame(cell, row[slot], slot, editor.state.pointee.texts)
    }
  }

  /// Returns whether a dictionary contains all values of its object's own identity.
  private func isWhole(_ layout: PlanReference<EntityLayout>, _ cells: Cells) -> Bool {
    layout.pointee.identity.count > 0
      && (0..<layout.pointee.identity.count).allSatisfy { index in
        let cell = cells[layout.pointee.identity.slots[index]]
        return isGiven(cell) && !(cell.tag == .row && cell.waits)
      }
  }

  private func isGiven(_ cell: Cell) -> Bool { cell.tag == .word || cell.tag == .text || cell.tag == .row }

  /// Gives a known row the identity values that it lacks.
  ///
  /// - Returns: another row that already has the resulting identity, which is an error.
  mutating func complete(_ number: UInt32, _ entity: Int, _ cells: Cells) -> UInt32? {
    let layout = layouts + entity
    let table = layout.pointee.table
    let row = editor.row(table, number)
    let missing = (0..<layout.pointee.identity.count).map { layout.pointee.identity.slots[$0] }.filter { slot in
      isGiven(cells[slot]) && !row.isSet(layout.pointee.slots + slot)
    }
    if missing.isEmpty { return nil }
    editor.unindex(table, number)
    for slot in missing { setIdentity(cells[slot], entity, slot, number) }
    return index(table, number, given: cells, entity)
  }

  /// Enters a row whose identity has changed into the index.
  ///
  /// - Parameter cells: the cells of a dictionary that was not found by its identity.
  /// - Returns: another row with this identity. There is no such row if the dictionary contains the whole identity.
  func index(_ table: Int, _ number: UInt32, given cells: Cells, _ entity: Int) -> UInt32? {
    let layout = layouts + entity
    if isWhole(layout, cells) {
      editor.index(table, number)
      return nil
    }
    editor.state.pointee.source?.loadIdentity(of: number, table)
    let other = GraphIdentity.other(like: number, table: table, editor.state.pointee)
    editor.index(table, number)
    return other
  }
}

extension FaultLog {
  /// Records the finding only once, although it occurs both when a dictionary's identity is read ahead and when its object is merged.
  func record(_ crowd: RowFinder.CrowdedAlternate, _ entity: EntityPlan, at offset: Int) {
    var fault = ImportFault(.crowdedAlternate(entity, crowd.number), at: offset)
    fault.isShared = true
    record(fault)
  }
}
