/// Identifiers: bare values that stand for objects (I4).
extension PayloadImporter {
  /// Reads an identifier for a to-one.
  mutating func readToOneIdentifier(_ field: UnsafeMutablePointer<FieldPlan>) throws(JSONSyntaxError) -> Cell {
    let slot = layouts[field.pointee.entity].slots + field.pointee.slot
    guard let row = try readIdentifier(field.pointee.destination, slot: slot, field: field) else { return .invalid }
    if Deferrals.isWaiting(row) { return .deferred(index: deferrals.takeOne(row)) }
    return .row(row)
  }

  /// Reads an identifier that is an element of a list.
  @inline(__always)
  mutating func readListIdentifier(_ frame: UnsafeMutablePointer<ImportFrame>) throws(JSONSyntaxError) {
    let field = frame.pointee.field >= 0 ? fields + frame.pointee.field : nil
    let slot = field.map { layouts[$0.pointee.entity].slots + $0.pointee.slot }
    let row = try readIdentifier(frame.pointee.entity, slot: slot, field: field)
    if frame.pointee.field >= 0 {
      if let row { rows.append(row) }
    } else if let row {
      roots.append(row)
      scratch.reset()
    }
  }

  /// The row that the identifier at the scanner's position stands for: found, or made as a placeholder. nil if it was
  /// refused.
  @inline(__always)
  mutating func readIdentifier(
    _ entity: Int, slot: UnsafeMutablePointer<SlotPlan>?, field: UnsafeMutablePointer<FieldPlan>?
  ) throws(JSONSyntaxError) -> UInt32? {
    let layout = layouts + entity
    let start = offset
    let text = scanner.position
    guard layout.pointee.identityCount == 1, layout.pointee.identityFields[0] >= 0, isScalar(scanner.peek) else {
      return try readOtherIdentifier(entity, slot: slot, field: field)
    }
    let identity = layout.pointee.identitySlots[0]
    let cell = try readAttribute(fields + layout.pointee.identityFields[0])
    guard cell.tag == .word || cell.tag == .text else {
      if cell.tag == .null { refuseNilIdentifier(entity, at: start) }
      return nil
    }
    let plan = layout.pointee.slots[identity]
    let hash =
      cell.tag == .word
      ? seeds.word(GraphIdentity.normal(cell.bits, plan.kind)) : seeds.bytes(cell.base, cell.count)
    let state = editor.state
    let table = layout.pointee.table
    let found = state.pointee.tables[table].indexes[layout.pointee.identitySpace].find(hash) { number in
      let stored = state.pointee.tables[table].row(number)[plan.cell]
      return plan.kind.isText
        ? state.pointee.texts.equals(stored, cell.base, cell.count)
        : GraphIdentity.normal(stored, plan.kind) == GraphIdentity.normal(cell.bits, plan.kind)
    }
    if let found {
      let header = editor.row(table, found)[0]
      if let slot, slot.pointee.defersUnknown, header & RowHeader.placeholder != 0 {
        return wait(for: entity, [cell], at: start, text)
      }
      return checked(found, header, is: entity, at: start)
    }
    if let slot, slot.pointee.defersUnknown { return wait(for: entity, [cell], at: start, text) }
    let number = try insertRow(entity, isPlaceholder: true, at: start)
    let base = editor.row(table, number)
    set(cell, layout.pointee.slots + identity, table, number, base)
    state.pointee.tables[table].indexes[layout.pointee.identitySpace].insert(hash, number)
    return number
  }

  @inline(__always)
  private func isScalar(_ byte: UInt8) -> Bool {
    byte != UInt8(ascii: "[") && byte != UInt8(ascii: "{") && byte != UInt8(ascii: "n")
  }

  /// An array of identity values (several identity attributes), or something that is no identifier.
  @inline(never)
  private mutating func readOtherIdentifier(
    _ entity: Int, slot: UnsafeMutablePointer<SlotPlan>?, field: UnsafeMutablePointer<FieldPlan>?
  ) throws(JSONSyntaxError) -> UInt32? {
    let layout = layouts + entity
    let start = offset
    let text = scanner.position
    let count = layout.pointee.identityCount
    guard count > 1, scanner.peek == UInt8(ascii: "["),
      (0..<count).allSatisfy({ layout.pointee.identityFields[$0] >= 0 })
    else {
      try refuseIdentifier(entity, field)
      return nil
    }
    try scanner.descend()
    scanner.position += 1
    scanner.skipWhitespace()
    var values: [Cell] = []
    var isRefused = false
    if scanner.peek == UInt8(ascii: "]") {
      scanner.position += 1
    } else {
      repeat {
        if values.count < count {
          let place = offset
          let cell = try readAttribute(fields + layout.pointee.identityFields[values.count])
          if cell.tag == .null { refuseNilIdentifier(entity, at: place) }
          if cell.tag != .word && cell.tag != .text { isRefused = true }
          values.append(cell)
        } else {
          try scanner.skipValue()
          values.append(.invalid)
        }
      } while try scanner.continues(before: UInt8(ascii: "]"))
    }
    scanner.ascend()
    if values.count != count {
      refuseIdentifierCount(entity, values.count, at: start)
      return nil
    }
    if isRefused { return nil }
    return try find(entity, values, slot: slot, at: start, text)
  }

  private mutating func find(
    _ entity: Int, _ values: [Cell], slot: UnsafeMutablePointer<SlotPlan>?, at start: Int,
    _ text: UnsafePointer<UInt8>
  ) throws(JSONSyntaxError) -> UInt32? {
    let layout = layouts + entity
    let table = layout.pointee.table
    var bySlot = Array(repeating: Cell.absent, count: layout.pointee.slotCount)
    for (index, value) in values.enumerated() { bySlot[layout.pointee.identitySlots[index]] = value }
    let found = lookUp(entity, bySlot)
    if let found {
      let header = editor.row(table, found)[0]
      if let slot, slot.pointee.defersUnknown, header & RowHeader.placeholder != 0 {
        return wait(for: entity, values, at: start, text)
      }
      return checked(found, header, is: entity, at: start)
    }
    if let slot, slot.pointee.defersUnknown { return wait(for: entity, values, at: start, text) }
    let number = try insertRow(entity, isPlaceholder: true, at: start)
    let base = editor.row(table, number)
    for (index, value) in values.enumerated() {
      set(value, layout.pointee.slots + layout.pointee.identitySlots[index], table, number, base)
    }
    GraphIdentity.insert(number, table: table, &editor.state.pointee)
    return number
  }

  /// The row with the identity that the cells (one for each slot) say.
  func lookUp(_ entity: Int, _ bySlot: [Cell]) -> UInt32? {
    let layout = layouts[entity]
    guard layout.identitySpace >= 0 else { return nil }
    return bySlot.withUnsafeBufferPointer { cells in
      guard let base = cells.baseAddress, let hash = GraphIdentity.hash(layouts + entity, base, seeds) else {
        return nil
      }
      let state = editor.state
      return state.pointee.tables[layout.table].indexes[layout.identitySpace].find(hash) { number in
        GraphIdentity.matches(
          layouts + entity, base, state.pointee.tables[layout.table].row(number), state.pointee.texts)
      }
    }
  }

  /// Sets an attribute from a cell that holds a value.
  @inline(__always)
  func set(
    _ cell: Cell, _ slot: UnsafeMutablePointer<SlotPlan>, _ table: Int, _ number: UInt32,
    _ base: UnsafeMutablePointer<UInt64>
  ) {
    if cell.tag == .word {
      editor.setWord(cell.bits, slot, table, number, base)
    } else {
      editor.setText(cell, slot, table, number, base)
    }
  }

  /// A row that an identifier found, if it may stand where an object of `entity` is expected. A placeholder of a base entity
  /// becomes one of the sub-entity (D5).
  @inline(__always)
  mutating func checked(_ row: UInt32, _ header: UInt64, is entity: Int, at start: Int) -> UInt32? {
    if notesIdentified { identified.insert(RowPlace(table: layouts[entity].table, row: row)) }
    let own = RowHeader.entity(header)
    if own == entity { return row }
    return checkedOther(row, header, own, entity, at: start)
  }

  @inline(never)
  private mutating func checkedOther(
    _ row: UInt32, _ header: UInt64, _ own: Int, _ entity: Int, at start: Int
  ) -> UInt32? {
    if isKind(own, of: entity) { return row }
    if header & RowHeader.placeholder != 0, isKind(entity, of: own) {
      editor.changeEntity(layouts[entity].table, row, to: entity)
      return row
    }
    refuseEntity(own, expected: entity, at: start)
    return nil
  }

  /// Whether one entity is another one or inherits from it.
  @inline(__always)
  func isKind(_ entity: Int, of other: Int) -> Bool {
    let number = layouts[entity].hierarchyNumber
    return number >= layouts[other].firstInHierarchy && number <= layouts[other].lastInHierarchy
  }

  /// A new row, counted against the limit.
  @inline(__always)
  mutating func insertRow(_ entity: Int, isPlaceholder: Bool, at start: Int) throws(JSONSyntaxError) -> UInt32 {
    insertedCount += 1
    if insertedCount > options.limits.objects {
      throw scanner.failure(.limit("objects", options.limits.objects), at: scanner.start + start)
    }
    editor.offset = start
    return editor.insert(entity, isPlaceholder: isPlaceholder)
  }

  /// Lets an identifier wait for the end of the payload (D1). What it refers to must outlive the payload's bytes.
  ///
  /// - Parameter text: the identifier; the scanner is behind it. nil if only a dictionary names the object.
  mutating func wait(
    for entity: Int, _ values: [Cell], at start: Int, _ text: UnsafePointer<UInt8>?, isSkipped: Bool = false
  ) -> UInt32 {
    let kept = values.map { cell in
      cell.tag == .text ? Cell.text(keptTexts.copy(cell.bytes), cell.count) : cell
    }
    var copy: UnsafeBufferPointer<UInt8>?
    if options.reportsDetails, let text {
      let bytes = UnsafeBufferPointer(start: text, count: scanner.position - text)
      copy = UnsafeBufferPointer(start: keptTexts.copy(bytes), count: bytes.count)
    }
    return deferrals.wait(entity, kept, copy, at: start, isSkipped: isSkipped)
  }
}
