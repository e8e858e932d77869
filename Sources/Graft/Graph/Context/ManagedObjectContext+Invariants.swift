extension ManagedObjectContext {
  /// Returns the inconsistencies of the stored graph. This method is for tests only, because it visits every row.
  ///
  /// After any import, change, deletion or rollback, inverses agree (I6) and each identity belongs to one object (I2). An
  /// import or an export that has ended leaves no temporary data.
  package func checkInvariants() -> [String] {
    let check = InvariantCheck(state, model.plan)
    check.run()
    return check.problems
  }
}

/// Checks every row of a graph, without using the code that keeps it consistent in the editor and the importer.
private final class InvariantCheck {
  private struct Place: Hashable {
    var table: Int
    var row: UInt32
  }

  private struct Identity: Hashable {
    var table: Int
    var space: Int
    var values: [[UInt8]]
  }

  private let state: Reference<GraphState>
  private let plan: Plan
  private let names: GraphNames
  private(set) var problems: [String] = []
  private var identities: [Identity: UInt32] = [:]
  private var identityCounts: [[Int]]
  private var vectors: Set<UInt64> = []

  init(_ state: Reference<GraphState>, _ plan: Plan) {
    self.state = state
    self.plan = plan
    names = GraphNames(state, plan)
    identityCounts = (0..<state.tableCount).map { table in
      Array(repeating: 0, count: state.tables[table].identitySpaces)
    }
  }

  func run() {
    loadNames()
    for table in 0..<state.tableCount {
      var deletedCount = 0
      for number in 0..<UInt32(state.tables[table].rowCount) {
        let row = state.row(table, number)
        if row.isDeleted { deletedCount += 1 }
        checkRow(Place(table: table, row: number), row)
      }
      expect(
        state.pointee.deletedCounts[table] == deletedCount,
        "table \(table) counts \(state.pointee.deletedCounts[table]) deleted rows, but has \(deletedCount)")
      for space in 0..<state.tables[table].identitySpaces {
        let count = state.tables[table].indexes[space].count
        expect(
          count == identityCounts[table][space],
          "index \(space) of table \(table) has \(count) entries for \(identityCounts[table][space]) objects")
      }
    }
    checkFreeVectors()
    checkTexts()
  }

  /// Loads the owners that are part of names (M12), before anything is checked.
  private func loadNames() {
    guard plan.features.hasOwners, state.pointee.source != nil else { return }
    for table in 0..<state.tableCount {
      for number in 0..<UInt32(state.tables[table].rowCount) where state.row(table, number).isLoaded {
        _ = names.name(table, number)
      }
    }
  }

  /// Checks that all text belongs to objects or is counted as garbage.
  private func checkTexts() {
    var used = 0
    for table in 0..<state.tableCount {
      for number in 0..<UInt32(state.tables[table].rowCount) {
        let row = state.row(table, number)
        if !row.isDeleted { used += state.pointee.textBytes(ofRow: row) }
      }
    }
    let (stored, garbage) = (state.pointee.texts.stored, state.pointee.texts.garbage)
    // Rows loaded in a transaction that was rolled back are not counted.
    expect(
      used + garbage == stored || state.pointee.source != nil && used + garbage < stored,
      "\(stored) bytes of text are stored, but \(used) are in use and \(garbage) are counted as garbage")
  }

  private func expect(_ isRight: Bool, _ problem: @autoclosure () -> String) {
    if !isRight { problems.append(problem()) }
  }

  // MARK: Rows

  private func checkRow(_ place: Place, _ row: Row) {
    let header = row.header
    let table = state.tables[place.table]
    guard header.entity < plan.entities.count else {
      problems.append("row \(place.row) of table \(place.table) has no entity")
      return
    }
    let entity = plan.entities[header.entity]
    let layout = plan.layouts[entity.index]
    guard layout.table == place.table else {
      problems.append("row \(place.row) of table \(place.table) has the entity '\(entity.name)' of another table")
      return
    }
    let name = header.isDeleted ? "deleted row \(place.row)" : names.name(place.table, place.row)
    expect(!header.isListed && !header.isOnPath, "\(name) is still marked")
    expect(
      !entity.description.isAbstract || header.isNotValidated,
      "\(name) is a full object of an abstract entity")
    expect(
      entity.index == table.rootEntity || table.hasSubentityRows,
      "\(name) belongs to a sub-entity, but its table has none")
    for slot in layout.slotCount..<table.storeWords - 1 - table.presenceWords {
      expect(
        row[1 + table.presenceWords + slot] == 0, "\(name) has a value in cell \(slot), which belongs to no property")
      expect(
        row[1 + slot >> 6] & 1 << UInt64(slot & 63) == 0,
        "\(name) has presence bit \(slot), which belongs to no property")
    }
    // Only the links to a fault are known, so nothing else about a fault can be checked.
    if header.isFault {
      checkFault(row, name)
    } else {
      checkIdentity(place, row, layout, name)
      checkAlternates(place, row, layout, name)
    }
    for number in 0..<layout.slotCount {
      let slot = layout.slots[number]
      let property = "\(name).\(entity.properties[number].name)"
      let isPresent = row.isSet(slot)
      if slot.kind.isRelationship {
        checkLinks(place, row, slot, property, isPresent)
      } else {
        expect(isPresent || row[slot] == 0, "\(property) is nil but has a cell of \(row[slot])")
        expect(
          !isPresent || !slot.kind.isText || state.pointee.texts.holds(row[slot]),
          "\(property) refers to text that is gone")
        expect(
          !isPresent || !slot.kind.isText || !state.pointee.texts.isPlain(row[slot])
            || state.pointee.texts.bytes(row[slot]).allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C },
          "\(property) counts as plain text but needs escapes")
        expect(
          !isPresent || slot.isIdentity || !header.isPlaceholder,
          "\(property) has a value, but is not an identity attribute of a placeholder")
      }
    }
  }

  private func checkFault(_ row: Row, _ name: String) {
    expect(state.pointee.source != nil, "\(name) is a fault without a store")
    expect(!row.isPlaceholder && !row.isDeleted, "\(name) is a fault, but also a placeholder or deleted")
  }

  /// Whether a list may have more members in the store than in memory.
  private func isUnloaded(_ place: Place, _ row: Row, _ slot: SlotPlan) -> Bool {
    state.pointee.source != nil && slot.kind == .toMany && state.tables[place.table].isUnknown(slot.words, in: row)
  }

  /// Checks that an object with an alternate identity is found by that alternate identity (M27).
  private func checkAlternates(_ place: Place, _ row: Row, _ layout: EntityLayout, _ name: String) {
    if row.isDeleted { return }
    for number in 0..<layout.alternateCount {
      let alternate = layout.alternates[number]
      guard let hash = GraphIdentity.hash(alternate, row: row, state.pointee) else { continue }
      expect(
        AlternateIndex.contains(place.row, alternate, hash, state.pointee),
        "\(name) is not indexed by an alternate identity")
    }
  }

  private func checkIdentity(_ place: Place, _ row: Row, _ layout: EntityLayout, _ name: String) {
    guard layout.identity.space >= 0, let hash = GraphIdentity.hash(layout, row: row, state.pointee) else {
      // Deleting an object frees its text, including that of its identity.
      let isPlaceholder = row.isPlaceholder && !row.isDeleted
      // A placeholder that lost its owner (M12) is refused when it is validated.
      expect(!isPlaceholder || layout.identity.hasOwner, "\(name) is a placeholder without identity")
      return
    }
    let index = state.tables[place.table].indexes[layout.identity.space]
    let isFound = index.find(hash) { $0 == place.row } != nil
    guard !row.isDeleted else {
      expect(!isFound, "\(name) is indexed")
      return
    }
    expect(isFound, "\(name) is not indexed")
    identityCounts[place.table][layout.identity.space] += 1
    let values = (0..<layout.identity.count).map { number -> [UInt8] in
      let slot = layout.slots[layout.identity.slots[number]]
      if slot.kind.isText { return Array(state.pointee.texts.bytes(row[slot])) }
      return withUnsafeBytes(of: GraphIdentity.normal(row[slot], slot.kind)) { Array($0) }
    }
    let identity = Identity(table: place.table, space: layout.identity.space, values: values)
    if let other = identities.updateValue(place.row, forKey: identity) {
      problems.append("\(name) exists twice, in rows \(other) and \(place.row)")
    }
  }

  // MARK: Links

  private func checkLinks(_ place: Place, _ row: Row, _ slot: SlotPlan, _ property: String, _ isPresent: Bool) {
    let targets = slot.kind == .toOne ? toOne(row[slot]) : toMany(row[slot], property)
    expect(
      isPresent != targets.isEmpty || isUnloaded(place, row, slot) || row.isFault,
      "\(property) has \(targets.count) links, but a presence bit of \(isPresent)")
    expect(targets.isEmpty || !row.isDeleted, "\(property) has links, although the object was deleted")
    expect(Set(targets).count == targets.count, "\(property) contains duplicates: \(targets)")
    for target in targets {
      guard Int(target) < state.tables[slot.destinationTable].rowCount else {
        problems.append("\(property) leads to row \(target), which does not exist")
        continue
      }
      let other = state.row(slot.destinationTable, target)
      if other.isDeleted {
        expect(slot.inverse < 0, "\(property) leads to a deleted object")
        continue
      }
      let entity = plan.entities[other.entity]
      if other.isFault { continue }
      guard entity.inherits(from: plan.entities[slot.destination]) else {
        problems.append("\(property) leads to \(names.name(slot.destinationTable, target)), which is not allowed")
        continue
      }
      guard slot.inverse >= 0 else { continue }
      let back = plan.layouts[entity.index].slots[slot.inverse]
      // A list that has not been loaded contains only the rows that were added in this context.
      if isUnloaded(Place(table: slot.destinationTable, row: target), other, back) { continue }
      let backTargets = back.kind == .toOne ? toOne(other[back]) : rows(other[back])
      expect(
        backTargets.contains(place.row),
        "\(property) leads to \(names.name(slot.destinationTable, target)), whose inverse does not lead back")
    }
  }

  private func toOne(_ cell: UInt64) -> [UInt32] { cell == 0 ? [] : [UInt32(truncatingIfNeeded: cell - 1)] }

  private func rows(_ cell: UInt64) -> [UInt32] {
    guard cell != 0 else { return [] }
    let vector = RowVector(cell)
    return (0..<vector.used).compactMap { vector.rows[$0] == 0 ? nil : vector.rows[$0] - 1 }
  }

  private func toMany(_ cell: UInt64, _ property: String) -> [UInt32] {
    guard cell != 0 else { return [] }
    expect(vectors.insert(cell).inserted, "\(property) shares its vector")
    let vector = RowVector(cell)
    guard vector.used <= vector.capacity else {
      problems.append("\(property) uses \(vector.used) of \(vector.capacity) places")
      return []
    }
    let rows = rows(cell)
    let holes = vector.used - rows.count
    guard vector.indexNumber != 0 else {
      expect(holes == 0, "\(property) has \(holes) holes but no index")
      return rows
    }
    guard vector.indexNumber <= state.pointee.vectors.indexes.count,
      let index = state.pointee.vectors.indexes[vector.indexNumber - 1]
    else {
      problems.append("\(property) has an index that does not exist")
      return rows
    }
    let front = (0..<vector.used).first { vector.rows[$0] != 0 } ?? vector.used
    expect(index.front <= front, "\(property) has \(front) holes before its rows, but its index counts \(index.front)")
    expect(index.holes != index.front || index.front == front, "\(property) has another hole at the front")
    expect(index.holes == holes, "\(property) has \(holes) holes, but its index counts \(index.holes)")
    guard let places = index.places else { return rows }
    expect(places.count == rows.count, "\(property) has \(rows.count) rows, \(places.count) of them in its index")
    for place in 0..<vector.used where vector.rows[place] != 0 {
      expect(places[vector.rows[place]] == UInt32(place), "the index of \(property) is wrong at place \(place)")
    }
    return rows
  }

  /// Checks that vectors that are free, or that the journal keeps for a rollback, belong to no row, and that all other vectors belong
  /// to exactly one row.
  private func checkFreeVectors() {
    var size = vectors.reduce(0) { $0 + 16 << RowVector($1).sizeClass }
    var isFree: Set<UInt64> = []
    for sizeClass in 0..<40 {
      var cell = state.pointee.vectors.free[sizeClass]
      while cell != 0 {
        expect(!vectors.contains(cell), "a vector of class \(sizeClass) is free and in use")
        guard isFree.insert(cell).inserted else {
          problems.append("a vector of class \(sizeClass) is free twice")
          break
        }
        size += 16 << sizeClass
        cell = state.pointee.vectors.nextFree(after: cell)
      }
    }
    for cell in state.pointee.retired.elements {
      expect(!vectors.contains(cell), "a vector is retired and in use")
      expect(!isFree.contains(cell), "a vector is retired and free")
      size += 16 << RowVector(cell).sizeClass
    }
    expect(
      size == state.pointee.vectors.size,
      "vectors take \(state.pointee.vectors.size) bytes, but only \(size) are accounted for"
    )
    let kept = state.pointee.journal.elements.filter { $0.isVector && $0.old != 0 }.map(\.old)
    expect(
      kept.elementsEqual(state.pointee.retired.elements), "the vectors that the journal keeps are not the retired ones")
  }
}
