/// Writing attributes and identifiers.
extension Exporter {
  /// Writes what identifies an object that has an identity; false if a transformer writes nothing that identifies it.
  mutating func identifier(_ table: Int, _ number: UInt32) throws(ExportError) -> Bool {
    let row = reader.row(table, number)
    let entity = row.entity
    let layout = layouts + entity
    let count = layout.pointee.identityCount
    let first = output.count
    if count > 1 { output.byte(UInt8(ascii: "[")) }
    for index in 0..<count {
      if index > 0 { output.byte(UInt8(ascii: ",")) }
      let property = layout.pointee.identitySlots[index]
      let slot = layout.pointee.slots + property
      if slot.pointee.kind == .toOne {
        // An owner is replaced by its own identifier (M12).
        if let owner = reader.target(row, slot.pointee), try identifier(slot.pointee.destinationTable, owner) {
          continue
        }
        output.truncate(to: first)
        return false
      }
      let writing = source.plan.entities[entity].properties[property].writing
      if keepsValue(row[slot], slot, writing) { continue }
      let start = output.count
      try attribute(row, slot, writing, entity, property)
      if writing == .reversed, !isIdentifier(at: start, isAlone: count == 1) {
        output.truncate(to: first)
        return false
      }
    }
    if count > 1 { output.byte(UInt8(ascii: "]")) }
    return true
  }

  /// Whether the output since an offset is not null and, if it is a single value, not an array or object, which would be read
  /// as something else.
  private func isIdentifier(at place: Int, isAlone: Bool) -> Bool {
    let first = output.byte(at: place)
    return first != UInt8(ascii: "n") && !(isAlone && (first == UInt8(ascii: "{") || first == UInt8(ascii: "[")))
  }

  /// Whether an attribute's value is kept for a dictionary instead of being written and read back.
  @inline(__always)
  mutating func keepsValue(_ cell: UInt64, _ slot: PlanReference<SlotPlan>, _ writing: ExportStep.Writing) -> Bool {
    output.keepsValues && writing == .plain && keep(cell, slot.pointee.kind)
  }

  /// Keeps a value that is the same in ``JSON/foundationValue`` of its text.
  @inline(never)
  private mutating func keep(_ cell: UInt64, _ kind: SlotPlan.Kind) -> Bool {
    switch kind {
    case .string, .uri: output.keep(reader.text(cell))
    case .integer:
      guard let value = Int(exactly: Int64(bitPattern: cell)) else { return false }
      output.keep(value)
    case .date: output.keep(DateText.text(Int64(bitPattern: cell)))
    case .double:
      // Its text would be that of an integer.
      let value = Double(bitPattern: cell)
      if value == value.rounded(.towardZero) { return false }
      output.keep(value)
    default: return false
    }
    return true
  }

  /// Writes a member whose value has a common type; false, with nothing written, if it has another type, or requires more than
  /// writing.
  @inline(__always)
  mutating func plainMember(_ step: PlanReference<ExportStep>, _ cell: UInt64, _ kind: SlotPlan.Kind) -> Bool {
    guard output.onlyWrites, step.pointee.writing != .reversed else { return false }
    let key = step.pointee.prefix
    if step.pointee.writing == .quotedInteger {
      output.member(key, quoted: Int64(bitPattern: cell))
      return true
    }
    switch kind {
    case .string, .uri: output.member(key, text: state.pointee.texts.bytes(cell))
    case .integer: output.member(key, integer: Int64(bitPattern: cell))
    case .date: output.member(key, date: Int64(bitPattern: cell))
    case .boolean:
      output.member(key)
      cell != 0 ? output.raw("true") : output.raw("false")
    case .double:
      output.member(key)
      output.double(Double(bitPattern: cell))
    default: return false
    }
    return true
  }

  mutating func attribute(
    _ row: Row, _ slot: PlanReference<SlotPlan>, _ writing: ExportStep.Writing,
    _ entity: Int, _ number: Int
  ) throws(ExportError) {
    let cell = row[slot]
    switch writing {
    case .quotedInteger:
      output.noteStored(.integer(Int64(bitPattern: cell)))
      output.quoted(Int64(bitPattern: cell))
      return
    case .reversed:
      if slot.pointee.elementType != nil {
        try reversedList(row, slot, entity, number)
      } else {
        try reversed(row, slot, entity, number)
      }
      return
    case .plain: break
    }
    switch slot.pointee.kind {
    case .string, .uri: output.string(state.pointee.texts.bytes(cell))
    case .integer: output.integer(Int64(bitPattern: cell))
    case .boolean: cell != 0 ? output.raw("true") : output.raw("false")
    case .date: output.date(Int64(bitPattern: cell))
    case .decimal, .json:
      output.raw(state.pointee.texts.bytes(cell))
    case .double: output.double(Double(bitPattern: cell))
    case .float: output.made { DoubleText.append(Float(Double(bitPattern: cell)), to: &$0) }
    default: output.made { StoredValue.append(row, slot.pointee, source.state, to: &$0) }
    }
  }

  /// The reverse closure of a transformer (T4): nil writes null.
  mutating func reversed(
    _ row: Row, _ slot: PlanReference<SlotPlan>, _ entity: Int, _ number: Int
  ) throws(ExportError) {
    if let value = reader.value(row, slot.pointee),
      try reversed(value, entity, number, left: source.options.maxDepth - depth)
    {
      return
    }
    output.raw("null")
  }

  /// The reverse closure for each element of a list (M13). A list has no null elements, so a nil is refused.
  private mutating func reversedList(
    _ row: Row, _ slot: PlanReference<SlotPlan>, _ entity: Int, _ number: Int
  ) throws(ExportError) {
    guard case .list(let elements)? = reader.value(row, slot.pointee) else {
      output.raw("null")
      return
    }
    output.byte(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { output.byte(UInt8(ascii: ",")) }
      guard try reversed(element, entity, number, left: source.options.maxDepth - depth - 1) else {
        let property = source.plan.entities[entity].properties[number]
        throw ExportError(
          code: .transformerFailed,
          "the reverse of the transformer '\(property.transformer?.name ?? "")' of '\(source.plan.entities[entity].name).\(property.name)' returned nil for the element at index \(index), but lists cannot contain null",
          path: path(to: nil))
      }
    }
    output.byte(UInt8(ascii: "]"))
  }

  /// Writes the value that the reverse closure of a property's transformer returns.
  ///
  /// - Parameter left: the number of levels that it may be nested.
  /// - Returns: false, with nothing written, if that is nil or null.
  private mutating func reversed(
    _ value: AttributeValue, _ entity: Int, _ number: Int, left: Int
  ) throws(ExportError) -> Bool {
    let property = source.plan.entities[entity].properties[number]
    guard let transformer = property.transformer, let reverse = transformer.reverse else { return false }
    let start = output.count
    let result: JSON?
    output.noteStored(value)
    do {
      result = try source.context.activity.run(.reverseTransformer(entity: entity, slot: number)) { try reverse(value) }
    } catch {
      if let call = source.context.activity.pointee.takeRefusedCall() {
        throw ExportError(code: call.code, call.words, path: path(to: nil), underlyingError: error)
      }
      if let words = ProgramClosure.refusal(in: error) {
        throw ExportError(code: .reentrantCall, words, path: path(to: nil), underlyingError: error)
      }
      throw ExportError(
        code: .transformerFailed,
        "the reverse of the transformer '\(transformer.name)' of '\(source.plan.entities[entity].name).\(property.name)' failed: "
          + HiddenValue.text(of: error, isHidden: property.isSensitive),
        path: path(to: nil), underlyingError: error)
    }
    if let call = source.context.activity.pointee.takeRefusedCall() {
      throw ExportError(code: call.code, call.words, path: path(to: nil))
    }
    guard let result, !result.isNull else { return false }
    output.made { JSONWriter().append(result, to: &$0) }
    if JSONNesting.exceeds(left, output.bytes(from: start)) {
      throw tooDeep(
        "the value that the reverse of '\(transformer.name)' returns for '\(source.plan.entities[entity].name).\(property.name)'"
      )
    }
    return true
  }
}
