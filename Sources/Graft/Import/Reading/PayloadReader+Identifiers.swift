/// Identifiers: bare values that represent objects (I4).
extension PayloadReader {
  /// Reads an identifier for a to-one relationship.
  mutating func readToOneIdentifier(_ field: PlanReference<FieldPlan>) throws(JSONSyntaxError) -> Cell {
    let slot = layouts[field.pointee.entity].slots + field.pointee.slot
    if slot.pointee.hasUnusualIdentifiers, isTransformed(field) { return try readTransformedToOne(field, slot) }
    guard let row = try readIdentifier(field.pointee.destination, slot: slot, field: field) else { return .invalid }
    return finder.toOneCell(row)
  }

  /// Reads an identifier that is an element of a list.
  @inline(__always)
  mutating func readListIdentifier(_ frame: UnsafeMutablePointer<ImportFrame>) throws(JSONSyntaxError) {
    guard frame.pointee.field >= 0 else { return try readRootIdentifier(of: frame.pointee.entity) }
    let field = fields + frame.pointee.field
    let slot = layouts[field.pointee.entity].slots + field.pointee.slot
    if slot.pointee.hasUnusualIdentifiers { return try readUnusualListIdentifier(frame.pointee.entity, field) }
    if let row = try readIdentifier(frame.pointee.entity, slot: slot, field: field) { open.rows.append(row) }
  }

  @inline(never)
  private mutating func readRootIdentifier(of entity: Int) throws(JSONSyntaxError) {
    guard let row = try readIdentifier(entity, slot: nil, field: nil) else { return }
    roots.rows.append(row)
    scratch.reset()
  }

  /// Reads an identifier that is transformed (M26), or whose object must be inside the object that is being read (M12).
  @inline(never)
  private mutating func readUnusualListIdentifier(
    _ entity: Int, _ field: PlanReference<FieldPlan>
  ) throws(JSONSyntaxError) {
    let start = offset
    let slot = layouts[field.pointee.entity].slots + field.pointee.slot
    let row: UInt32?
    if isTransformed(field) {
      guard case .row(let found) = try readTransformedIdentifier(entity, field, slot) else { return }
      row = found
    } else {
      row = try readIdentifier(entity, slot: slot, field: field)
    }
    if let row, !slot.pointee.isOwning || isOwned(row, through: field, at: start) { open.rows.append(row) }
  }

  // MARK: Transformed identifiers

  func isTransformed(_ field: PlanReference<FieldPlan>) -> Bool {
    field.pointee.forms >= 0 && plan.forms[field.pointee.forms].transformer >= 0
  }

  private enum TransformedIdentifier {
    case row(UInt32)
    /// The transformer returned nil.
    case null
    case refused
  }

  private mutating func readTransformedToOne(
    _ field: PlanReference<FieldPlan>, _ slot: PlanReference<SlotPlan>
  ) throws(JSONSyntaxError) -> Cell {
    switch try readTransformedIdentifier(field.pointee.destination, field, slot) {
    case .row(let row): finder.toOneCell(row)
    case .null: .null
    case .refused: .invalid
    }
  }

  /// Reads the identifier that the transformer of a relationship makes from the value at the scanner's position (M26).
  private mutating func readTransformedIdentifier(
    _ entity: Int, _ field: PlanReference<FieldPlan>, _ slot: PlanReference<SlotPlan>
  ) throws(JSONSyntaxError) -> TransformedIdentifier {
    let start = scanner.position
    let (value, end) = try readValueAhead()
    open.forbidRepeats()
    let result: AttributeValue?
    do {
      result = try transform(value, field, at: start)
      log.recordRefusedCall(at: offset(of: start), length: 1)
    } catch {
      scanner.move(to: end)
      if let error = error as? TransformerInputError {
        refuseInput(field, value, error, at: spot(from: start))
      } else {
        refuseThrown(
          field, plan.transformers[plan.forms[field.pointee.forms].transformer], error, at: spot(from: start))
      }
      try log.stopIfFull()
      return .refused
    }
    guard let json = result?.jsonValue, !json.isNull else {
      scanner.move(to: end)
      return .null
    }
    var text: [UInt8] = []
    JSONWriter().append(json, to: &text)
    texts.enter(text, &scanner, end: end, at: offset, replacing: false)
    defer { texts.leave(&scanner) }
    return try readIdentifier(entity, slot: slot, field: field).map { .row($0) } ?? .refused
  }

  /// Passes a value to the transformer of a relationship, unless that has been done ahead.
  private mutating func transform(
    _ value: JSON, _ field: PlanReference<FieldPlan>, at start: UnsafePointer<UInt8>
  ) throws -> AttributeValue? {
    let index = plan.forms[field.pointee.forms].transformer
    let known = ResultsAhead.Value(start: start, transformer: index, slot: field.pointee.slot)
    if texts.ahead.isUsed, let result = texts.ahead.identifier(of: known) { return result }
    let transformer = plan.transformers[index]
    let result = try log.context.activity.run(.valueTransformer(index: index)) { try transformer.forward(value) }
    texts.ahead.keep(result, of: known)
    return result
  }

  /// Calls a closure with the scanner at the identifier that the transformer of a relationship makes from the value at its position,
  /// without moving the scanner. Returns nil if there is no identifier; its errors are found when it is read.
  mutating func withTransformedAhead<Result>(
    _ field: PlanReference<FieldPlan>, _ body: (inout PayloadReader) throws(JSONSyntaxError) -> Result?
  ) throws(JSONSyntaxError) -> Result? {
    let (value, end) = try readValueAhead()
    guard let json = (try? transform(value, field, at: scanner.position))?.jsonValue, !json.isNull else { return nil }
    let place = (position: scanner.position, depth: scanner.depth)
    var text: [UInt8] = []
    JSONWriter().append(json, to: &text)
    texts.enter(text, &scanner, end: end, at: offset, replacing: false)
    defer {
      texts.leave(&scanner)
      scanner.move(to: place.position, depth: place.depth)
    }
    return try body(&self)
  }

  /// Returns the row of the identifier at the scanner's position: found, or created as a placeholder. Returns nil if the identifier
  /// was rejected.
  @inline(__always)
  mutating func readIdentifier(
    _ entity: Int, slot: PlanReference<SlotPlan>?, field: PlanReference<FieldPlan>?
  ) throws(JSONSyntaxError) -> UInt32? {
    let layout = layouts + entity
    let start = offset
    let text = scanner.position
    guard layout.pointee.identity.count == 1, layout.pointee.identity.fields[0] >= 0, isScalar(scanner.peek) else {
      return try readOtherIdentifier(entity, slot: slot, field: field)
    }
    let cell = try readAttribute(fields + layout.pointee.identity.fields[0])
    guard cell.tag == .word || cell.tag == .text else {
      if cell.tag == .null { refuseNilIdentifier(entity, at: start) }
      return nil
    }
    let found = finder.find(entity, by: cell)
    let defersUnknown = slot?.pointee.defersUnknown == true
    if let row = found.row, !defersUnknown, finder.isExpected(row, entity) { return row }
    let row = try finder.row(found, of: entity, cell, defersUnknown: defersUnknown, at: start, spelling(from: text))
    if found.row == nil, !defersUnknown, log.suspicions.isWanted, let field, let row {
      noteEmpty(cell, row, field, at: start)
    }
    return row
  }

  /// Notes an unknown identifier that probably means that there is no object: 0, an empty string, or all zeros.
  @inline(never)
  private func noteEmpty(_ cell: Cell, _ row: UInt32, _ field: PlanReference<FieldPlan>, at start: Int) {
    let destination = layouts[field.pointee.destination]
    let kind = destination.slots[destination.identity.slots[0]].kind
    let isEmpty = cell.tag == .word ? kind == .integer && cell.bits == 0 : PayloadReader.isEmpty(cell.bytes)
    // The store may contain the object that the identifier names.
    guard isEmpty, texts.isPayload, layouts[field.pointee.entity].slots[field.pointee.slot].kind == .toOne,
      finder.editor.state.isNewInUnit(destination.table, row)
    else { return }
    log.suspicions.noteEmptyReference(
      field.pointee.slot, of: field.pointee.entity, to: RowPlace(table: destination.table, row: row), at: start)
  }

  /// Returns whether the bytes of a string or UUID form an empty identifier.
  private static func isEmpty(_ bytes: LentBytes) -> Bool {
    bytes.isEmpty || bytes.elementsEqual("0".utf8) || bytes.count == 16 && bytes.allSatisfy { $0 == 0 }
  }

  /// Returns the text that was read since a position.
  @inline(__always)
  private func spelling(from start: UnsafePointer<UInt8>) -> LentBytes {
    LentBytes(start: start, count: scanner.position - start)
  }

  @inline(__always)
  private func isScalar(_ byte: UInt8) -> Bool {
    byte != UInt8(ascii: "[") && byte != UInt8(ascii: "{") && byte != UInt8(ascii: "n")
  }

  /// Returns the identity values in an identifier of an object that is identified inside its owner (M12), or nil if it was
  /// rejected. The owner is represented by its own identifier.
  ///
  ///     ["o-1", 2]        OrderLine, identified by order and position
  ///
  /// Recurses into owners, as deeply as they are nested in the model.
  private mutating func readOwnedIdentifier(
    _ entity: Int, slot: PlanReference<SlotPlan>?, field: PlanReference<FieldPlan>?
  ) throws(JSONSyntaxError) -> [Cell]? {
    let layout = layouts + entity
    let count = layout.pointee.identity.count
    if count == 1 {
      if scanner.peek == UInt8(ascii: "{") {
        try refuseIdentifier(entity, field)
        return nil
      }
      return try readIdentityValue(0, of: entity, slot: slot, field: field).map { [$0] }
    }
    guard scanner.peek == UInt8(ascii: "[") else {
      try refuseIdentifier(entity, field)
      return nil
    }
    let start = offset
    try scanner.descend()
    scanner.advance()
    scanner.skipWhitespace()
    var values: [Cell?] = []
    if scanner.peek == UInt8(ascii: "]") {
      scanner.advance()
    } else {
      repeat {
        if values.count < count {
          values.append(try readIdentityValue(values.count, of: entity, slot: slot, field: field))
        } else {
          try scanner.skipValue()
          values.append(nil)
        }
      } while try scanner.continues(before: UInt8(ascii: "]"))
    }
    scanner.ascend()
    if values.count != count {
      refuseIdentifierCount(entity, values.count, at: start)
      return nil
    }
    let given = values.compactMap(\.self)
    return given.count == count ? given : nil
  }

  /// Returns one value of such an identifier, or nil if it was refused.
  mutating func readIdentityValue(
    _ index: Int, of entity: Int, slot: PlanReference<SlotPlan>?, field: PlanReference<FieldPlan>?
  ) throws(JSONSyntaxError) -> Cell? {
    let layout = layouts + entity
    let start = offset
    let number = layout.pointee.identity.slots[index]
    let own = layout.pointee.slots[number]
    if scanner.peek == UInt8(ascii: "n") {
      try scanner.literal(.null)
      refuseNilIdentifier(entity, at: start)
      return nil
    }
    if own.kind == .toOne {
      if scanner.peek == UInt8(ascii: "{") {
        try scanner.skipValue()
        log.record(.objectInIdentifier(plan.entities[own.destination], of: plan.entities[entity]), at: start)
        return nil
      }
      return try readIdentifier(own.destination, slot: slot, field: nil).map { .row($0) }
    }
    guard layout.pointee.identity.fields[index] >= 0 else {
      try refuseIdentifier(entity, field)
      return nil
    }
    let cell = try readAttribute(fields + layout.pointee.identity.fields[index])
    if cell.tag == .null { refuseNilIdentifier(entity, at: start) }
    return cell.tag == .word || cell.tag == .text ? cell : nil
  }

  /// Reads an array of identity values (for several identity attributes), or a value that is not an identifier.
  @inline(never)
  private mutating func readOtherIdentifier(
    _ entity: Int, slot: PlanReference<SlotPlan>?, field: PlanReference<FieldPlan>?
  ) throws(JSONSyntaxError) -> UInt32? {
    let layout = layouts + entity
    let start = offset
    let text = scanner.position
    let count = layout.pointee.identity.count
    if layout.pointee.identity.hasOwner {
      guard let values = try readOwnedIdentifier(entity, slot: slot, field: field) else { return nil }
      return try finder.row(
        of: entity, values, defersUnknown: slot?.pointee.defersUnknown == true, at: start, spelling(from: text))
    }
    guard count > 1, scanner.peek == UInt8(ascii: "["),
      (0..<count).allSatisfy({ layout.pointee.identity.fields[$0] >= 0 })
    else {
      try refuseIdentifier(entity, field)
      return nil
    }
    try scanner.descend()
    scanner.advance()
    scanner.skipWhitespace()
    var values: [Cell] = []
    var isRefused = false
    if scanner.peek == UInt8(ascii: "]") {
      scanner.advance()
    } else {
      repeat {
        if values.count < count {
          let place = offset
          let cell = try readAttribute(fields + layout.pointee.identity.fields[values.count])
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
    return try finder.row(
      of: entity, values, defersUnknown: slot?.pointee.defersUnknown == true, at: start, spelling(from: text))
  }
}
