/// The rows of objects and identifiers, by their identity (I2, I4): found, inserted, or waiting for the end of the payload.
/// An unknown identifier becomes a placeholder here.
struct RowFinder {
  let plan: Plan
  let log: FaultLog
  var editor: GraphEditor
  private let seeds: IdentityHash.Seeds
  /// For each entity, the row that the next object probably has.
  private let predictions: UnsafeMutablePointer<Prediction>
  private(set) var waiting = WaitingIdentifiers()
  /// The rows of objects that have occurred before.
  var repeats: RepeatedObjects
  /// The number of rows that the payload has inserted so far, in all its pieces, and the maximum number.
  private var insertedCount = 0
  private var limit = 0
  /// Whether reports contain the spelling of waiting identifiers.
  private var keepsSpelling = false
  /// The rows that the part of the payload read so far marks as deleted (M17), if objects are found by alternate identities.
  var marked: Set<RowPlace> = []
  /// The objects that their owners have lost.
  var lost = LostParts()
  /// Rows of identifiers, if objects that are not mentioned are deleted.
  private var identified: Set<RowPlace>?

  private struct Prediction {
    var row: UInt32 = 0
    var misses = 0
  }

  init(_ context: ManagedObjectContext, _ log: FaultLog) {
    plan = context.model.plan
    self.log = log
    editor = GraphEditor(context.state)
    seeds = context.state.pointee.seeds
    repeats = RepeatedObjects(plan)
    predictions = .allocate(capacity: plan.entities.count)
    predictions.initialize(repeating: Prediction(), count: plan.entities.count)
  }

  mutating func free() {
    waiting.free()
    repeats.free()
    predictions.deallocate()
  }

  /// Begins a piece of a payload.
  mutating func begin(_ options: ImportOptions, notesIdentified: Bool) {
    limit = options.limits.objects
    keepsSpelling = options.reportsDetails
    if notesIdentified, identified == nil { identified = [] }
  }

  mutating func endPiece() { waiting.endPiece() }

  @inline(__always) var layouts: PlanReference<EntityLayout> { plan.layouts }

  // MARK: Objects

  /// Returns the row with the identity of an object's cells or, if there is no such row, the hash of the identity.
  ///
  /// This method is mutating, like the methods that it calls, because otherwise the finder would be copied.
  @inline(__always)
  mutating func find(_ entity: Int, _ cells: Cells) -> (row: UInt32?, hash: UInt64?) {
    let layout = layouts + entity
    guard layout.pointee.identity.space >= 0 else { return (nil, nil) }
    // The hash is computed only if the prediction fails.
    if let row = predicted(entity, cells) { return (row, nil) }
    guard let hash = GraphIdentity.hash(layout, cells, seeds) else { return (nil, nil) }
    if let row = RowFinder.search(editor.state, hash, layout, cells) { return (row, hash) }
    if !lost.isEmpty, let row = findLost(entity, cells, hash) { return (row, hash) }
    return (editor.state.pointee.source == nil ? nil : stored(entity, cells, hash), hash)
  }

  /// Returns the row with an identity that is not in memory, or nil if the store does not have it either.
  @inline(never)
  private func stored(_ entity: Int, _ cells: Cells, _ hash: UInt64) -> UInt32? {
    editor.state.pointee.source?.find(entity, cells, hash)
  }

  /// Expects the row after the one that was found, because payloads are repeated in the same order.
  @inline(__always)
  func predict(_ entity: Int, after row: UInt32) { predictions[entity].row = row &+ 1 }

  @inline(__always)
  private static func search(
    _ state: Reference<GraphState>, _ hash: UInt64, _ layout: PlanReference<EntityLayout>, _ cells: Cells
  ) -> UInt32? {
    let table = layout.pointee.table
    return state.tables[table].indexes[layout.pointee.identity.space].find(hash) { number in
      GraphIdentity.matches(layout, cells, state.tables[table].row(number), state.pointee.texts)
    }
  }

  /// Returns the expected row if it has the identity, so that consecutive rows require no search. If predictions fail for an
  /// entity, they are soon abandoned.
  @inline(__always)
  private mutating func predicted(_ entity: Int, _ cells: Cells) -> UInt32? {
    let layout = layouts + entity
    let table = layout.pointee.table
    let prediction = predictions + entity
    let number = prediction.pointee.row
    if prediction.pointee.misses > 16 || Int(truncatingIfNeeded: number) >= editor.state.tables[table].rowCount {
      return nil
    }
    let row = editor.row(table, number)
    if row.entity == entity, !row.isDeleted,
      (0..<layout.pointee.identity.count).allSatisfy({ index in
        let number = layout.pointee.identity.slots[index]
        let slot = layout.pointee.slots + number
        let tag = cells[number].tag
        let isGiven = tag == .word || tag == .text || tag == .row
        return isGiven && row.isSet(slot)
      }), GraphIdentity.matches(layout, cells, row, editor.state.pointee.texts)
    {
      return number
    }
    prediction.pointee.misses += 1
    return nil
  }

  /// Returns the row that the next object of an entity probably describes, if the row is in the journal and predictions have not
  /// failed too often.
  @inline(__always)
  func expectedRow(_ entity: Int) -> ImportFrame.ExpectedRow? {
    let table = layouts[entity].table
    let prediction = predictions + entity
    let number = prediction.pointee.row
    // If rows were loaded among new rows, every row is treated as being in the journal, so the row must also exist.
    guard prediction.pointee.misses <= 16, Int(truncatingIfNeeded: number) < editor.state.tables[table].rowCount,
      editor.isJournaled(table, number)
    else { return nil }
    let row = editor.row(table, number)
    guard row.entity == entity, !row.isDeleted else { return nil }
    return ImportFrame.ExpectedRow(row: row, journalCount: editor.state.pointee.journal.count)
  }

  /// Returns the row with the identity of the given cells, one for each slot. An object that its owner has lost is given back to it.
  mutating func find(_ entity: Int, _ bySlot: [Cell]) -> UInt32? {
    if lost.isEmpty { return lookUp(entity, bySlot) }
    let layout = layouts + entity
    guard layout.pointee.identity.space >= 0 else { return nil }
    return Cells.with(bySlot) { cells in
      guard let hash = GraphIdentity.hash(layout, cells, seeds) else { return nil }
      if let row = RowFinder.search(editor.state, hash, layout, cells) { return row }
      return findLost(entity, cells, hash) ?? stored(entity, cells, hash)
    }
  }

  /// Returns the row with the identity of the given cells, one for each slot.
  func lookUp(_ entity: Int, _ bySlot: [Cell]) -> UInt32? {
    let layout = layouts + entity
    guard layout.pointee.identity.space >= 0 else { return nil }
    return Cells.with(bySlot) { cells in
      guard let hash = GraphIdentity.hash(layout, cells, seeds) else { return nil }
      return RowFinder.search(editor.state, hash, layout, cells) ?? stored(entity, cells, hash)
    }
  }

  // MARK: Inserting

  /// Inserts a new row, counted against the limit.
  @inline(__always)
  mutating func insert(_ entity: Int, isPlaceholder: Bool, at start: Int) throws(JSONSyntaxError) -> UInt32 {
    insertedCount += 1
    if insertedCount > limit { throw JSONSyntaxError(offset: start, problem: .limit(.objects, limit)) }
    editor.offset = start
    return editor.insert(entity, isPlaceholder: isPlaceholder)
  }

  /// Puts a new row into the index.
  @inline(__always)
  func index(_ row: UInt32, _ entity: Int, _ hash: UInt64) {
    let layout = layouts + entity
    editor.state.tables[layout.pointee.table].indexes[layout.pointee.identity.space].insert(hash, row)
  }

  /// Gives a new row, which is not in the index, its identity (M12).
  func identify(_ row: UInt32, _ entity: Int, _ cells: Cells) {
    let layout = layouts[entity]
    for index in 0..<layout.identity.count {
      let slot = layout.identity.slots[index]
      setIdentity(cells[slot], entity, slot, row)
    }
  }

  /// Sets an identity value of a new row, which is not in the index.
  func setIdentity(_ cell: Cell, _ entity: Int, _ slot: Int, _ row: UInt32) {
    if cell.tag == .row {
      let layout = layouts[entity]
      editor.linkToOwner(cell.bits, layout.slots + slot, editor.state.placed(layout.table, row))
    } else {
      set(cell, entity, slot, row)
    }
  }

  /// Sets an attribute from a cell with a value.
  @inline(__always)
  func set(_ cell: Cell, _ entity: Int, _ slot: Int, _ number: UInt32) {
    let layout = layouts + entity
    editor.setValue(cell, layout.pointee.slots + slot, editor.state.placed(layout.pointee.table, number))
  }

  // MARK: Identifiers

  /// Returns the row in memory of an identifier with one value, and the hash of the value. Mutating for the same reason as ``find(_:_:)``.
  @inline(__always)
  mutating func find(_ entity: Int, by cell: Cell) -> (row: UInt32?, hash: UInt64) {
    let layout = layouts + entity
    let slot = layout.pointee.slots + layout.pointee.identity.slots[0]
    let kind = slot.pointee.kind
    let hash =
      cell.tag == .word
      ? seeds.word(GraphIdentity.normal(cell.bits, kind)) : seeds.bytes(cell.bytes)
    let state = editor.state
    let table = layout.pointee.table
    let found = state.tables[table].indexes[layout.pointee.identity.space].find(hash) { number in
      let stored = state.tables[table].row(number)[slot]
      return kind.isText
        ? state.pointee.texts.equals(stored, cell.bytes)
        : GraphIdentity.normal(stored, kind) == GraphIdentity.normal(cell.bits, kind)
    }
    return (found, hash)
  }

  /// Returns whether an identifier can use a row without a further check: the row has the expected entity, and identified rows are not
  /// recorded.
  @inline(__always)
  mutating func isExpected(_ row: UInt32, _ entity: Int) -> Bool {
    identified == nil && editor.row(layouts[entity].table, row).entity == entity
  }

  /// Returns the row of an identifier with one value: a known row, a row of the store, a new placeholder, or a waiting number.
  /// Returns nil if the identifier was rejected.
  @inline(never)
  mutating func row(
    _ found: (row: UInt32?, hash: UInt64), of entity: Int, _ cell: Cell, defersUnknown: Bool, at start: Int,
    _ text: LentBytes
  ) throws(JSONSyntaxError) -> UInt32? {
    let layout = layouts + entity
    let table = layout.pointee.table
    if let found = found.row ?? (editor.state.pointee.source == nil ? nil : stored(entity, cell, found.hash)) {
      let header = editor.row(table, found).header
      if defersUnknown, header.isPlaceholder { return wait(for: entity, [cell], at: start, text) }
      return checked(found, header, is: entity, at: start)
    }
    if defersUnknown { return wait(for: entity, [cell], at: start, text) }
    let number = try insert(entity, isPlaceholder: true, at: start)
    set(cell, entity, layout.pointee.identity.slots[0], number)
    index(number, entity, found.hash)
    return number
  }

  /// Returns the row of an identifier with one value that is not in memory.
  @inline(never)
  private func stored(_ entity: Int, _ cell: Cell, _ hash: UInt64) -> UInt32? {
    let layout = layouts[entity]
    var bySlot = Array(repeating: Cell.absent, count: layout.slotCount)
    bySlot[layout.identity.slots[0]] = cell
    return Cells.with(bySlot) { stored(entity, $0, hash) }
  }

  /// Returns the row of an identifier with several values, in the same way as for an identifier with one value.
  mutating func row(
    of entity: Int, _ values: [Cell], defersUnknown: Bool, at start: Int, _ text: LentBytes
  ) throws(JSONSyntaxError) -> UInt32? {
    let layout = layouts + entity
    // An owner whose identifier is waiting is found at the end of the payload (M12).
    if layout.pointee.identity.hasOwner, values.contains(where: \.waits) {
      return wait(for: entity, values, at: start, text)
    }
    var bySlot = Array(repeating: Cell.absent, count: layout.pointee.slotCount)
    for (index, value) in values.enumerated() { bySlot[layout.pointee.identity.slots[index]] = value }
    if let found = find(entity, bySlot) {
      let header = editor.row(layout.pointee.table, found).header
      if defersUnknown, header.isPlaceholder { return wait(for: entity, values, at: start, text) }
      return checked(found, header, is: entity, at: start)
    }
    if defersUnknown { return wait(for: entity, values, at: start, text) }
    let number = try insert(entity, isPlaceholder: true, at: start)
    for (index, value) in values.enumerated() {
      setIdentity(value, entity, layout.pointee.identity.slots[index], number)
    }
    GraphIdentity.insert(number, table: layout.pointee.table, &editor.state.pointee)
    return number
  }

  /// Makes an identifier wait for the end of the payload (D1). `text` is nil if only a dictionary names the object.
  mutating func wait(
    for entity: Int, _ values: [Cell], at start: Int, _ text: LentBytes?, isSkipped: Bool = false
  ) -> UInt32 {
    waiting.add(entity, values, keepsSpelling ? text : nil, at: start, isSkipped: isSkipped)
  }

  /// Returns the cell of a to-one relationship with a row or a waiting identifier.
  @inline(__always)
  mutating func toOneCell(_ row: UInt32) -> Cell { WaitingIdentifiers.contains(row) ? waiting.one(row) : .row(row) }

  /// Returns the cell of a to-many relationship with the rows of a list.
  @inline(__always)
  mutating func toManyCell(_ rows: PlainStack<UInt32>, from first: Int) -> Cell {
    if !waiting.isEmpty, let cell = waiting.list(rows, from: first) { return cell }
    return .rows(first: first, count: rows.count - first)
  }

  /// Notes that an identifier mentions a row.
  @inline(__always)
  mutating func noteIdentified(_ table: Int, _ row: UInt32) {
    if identified != nil { identified?.insert(RowPlace(table: table, row: row)) }
  }

  func isIdentified(_ table: Int, _ row: UInt32) -> Bool {
    identified?.contains(RowPlace(table: table, row: row)) == true
  }

  /// Returns the row that an identifier found, or nil if its object does not belong to the expected entity. A placeholder of a base
  /// entity becomes a placeholder of the sub-entity (D5).
  @inline(__always)
  mutating func checked(_ row: UInt32, _ header: RowHeader, is entity: Int, at start: Int) -> UInt32? {
    noteIdentified(layouts[entity].table, row)
    let own = header.entity
    if own == entity { return row }
    return checkedOther(row, header, own, entity, at: start)
  }

  @inline(never)
  private func checkedOther(_ row: UInt32, _ header: RowHeader, _ own: Int, _ entity: Int, at start: Int) -> UInt32? {
    if isKind(own, of: entity) { return row }
    if header.isPlaceholder, isKind(entity, of: own) {
      editor.changeEntity(layouts[entity].table, row, to: entity)
      return row
    }
    log.refuseEntity(own, expected: entity, at: start)
    return nil
  }

  /// Returns whether one entity is the same as another or inherits from it.
  @inline(__always)
  func isKind(_ entity: Int, of other: Int) -> Bool { layouts[entity].isKind(of: layouts[other]) }

  // MARK: At the end of the payload

  /// Returns the object of a waiting identifier.
  func row(of identifier: WaitingIdentifiers.Identifier) -> UInt32? {
    let layout = layouts[identifier.entity]
    var bySlot = Array(repeating: Cell.absent, count: layout.slotCount)
    for (index, value) in waiting.values(of: identifier).enumerated() {
      var value = value
      if value.waits {
        // The identifier of an owner that was also unknown (M12).
        let owner = waiting[UInt32(truncatingIfNeeded: value.bits - 1)]
        guard let row = row(of: owner) else { return nil }
        value = .row(row)
      }
      bySlot[layout.identity.slots[index]] = value
    }
    return lookUp(identifier.entity, bySlot)
  }

  /// Returns the object of a skipped dictionary at the end of the payload, or nil if there is no object that may be linked.
  ///
  /// - Parameter slot: the relationship to the object; nil for one of the payload's own objects.
  func rowOfSkipped(_ identifier: WaitingIdentifiers.Identifier, _ slot: SlotPlan?) -> UInt32? {
    guard let row = row(of: identifier) else { return nil }
    let header = editor.row(layouts[identifier.entity].table, row).header
    guard let slot else { return row }
    if !isKind(header.entity, of: slot.destination) { return nil }
    // A relationship that does not accept unknown identifiers does not accept placeholders either (D1).
    return slot.defersUnknown && header.isPlaceholder ? nil : row
  }
}
