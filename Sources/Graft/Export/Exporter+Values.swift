/// Writes attributes and identifiers.
extension Exporter {
  /// Writes the identifier of an object that has an identity. Returns false if a transformer writes nothing that identifies the object.
  mutating func identifier(_ table: Int, _ number: UInt32) throws(ExportError) -> Bool {
    let row = reader.row(table, number)
    let entity = row.entity
    let layout = layouts + entity
    let count = layout.pointee.identity.count
    let first = output.count
    if count > 1 { output.byte(UInt8(ascii: "[")) }
    for index in 0..<count {
      if index > 0 { output.byte(UInt8(ascii: ",")) }
      let property = layout.pointee.identity.slots[index]
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
      let mayBeNull = slot.pointee.hasUnusualIdentifiers
      if !mayBeNull, keepsValue(row[slot], slot, writing) { continue }
      let start = output.count
      try attribute(row, slot, writing, entity, property)
      if writing == .reversed && !isIdentifier(at: start, isAlone: count == 1)
        || mayBeNull
          && written(since: start, among: source.plan.entities[entity].properties[property].nulls) != nil
      {
        output.truncate(to: first)
        return false
      }
    }
    if count > 1 { output.byte(UInt8(ascii: "]")) }
    return true
  }

  /// Whether the output since an offset is an identifier: not null and, if it is a single value, not an array or object, which would
  /// not be read as an identifier.
  private func isIdentifier(at place: Int, isAlone: Bool) -> Bool {
    let first = output.byte(at: place)
    return first != UInt8(ascii: "n") && !(isAlone && (first == UInt8(ascii: "{") || first == UInt8(ascii: "[")))
  }

  /// Whether an attribute's value is kept for a dictionary instead of being written and read back.
  @inline(__always)
  mutating func keepsValue(_ cell: UInt64, _ slot: PlanReference<SlotPlan>, _ writing: ExportStep.Writing) -> Bool {
    output.keepsValues && writing == .plain && keep(cell, slot.pointee.kind)
  }

  /// Keeps a value if ``JSON/foundationValue`` of its text would be the same.
  @inline(never)
  private mutating func keep(_ cell: UInt64, _ kind: SlotPlan.Kind) -> Bool {
    switch kind {
    case .string, .uri: output.keep(reader.text(cell))
    case .integer:
      guard let value = Int(exactly: Int64(bitPattern: cell)) else { return false }
      output.keep(value)
    case .date: output.keep(DateText.text(Int64(bitPattern: cell)))
    case .double:
      // A double without a fraction is not kept, because its text would be read as an integer.
      let value = Double(bitPattern: cell)
      if value == value.rounded(.towardZero) { return false }
      output.keep(value)
    default: return false
    }
    return true
  }

  /// Writes a member whose value has a common type. Writes nothing and returns false if the value has another type, or
  /// requires more than writing.
  @inline(__always)
  mutating func plainMember(_ step: PlanReference<ExportStep>, _ cell: UInt64, _ kind: SlotPlan.Kind) -> Bool {
    guard output.onlyWrites, step.pointee.writing.rawValue < ExportStep.Writing.reversed.rawValue else { return false }
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
    case .joined:
      try joined(row, slot, entity, number)
      return
    case .wrapped:
      try wrapped(row, slot, entity, number)
      return
    case .checked:
      let start = output.count
      let property = source.plan.entities[entity].properties[number]
      try attribute(row, slot, property.writing, entity, number)
      if let null = written(since: start, among: property.nulls) {
        throw readAsNull(null, "\(source.plan.entities[entity].name).\(property.name)")
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

  /// Runs the reverse closure of a transformer (T4). If the closure returns nil, null is written.
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

  /// The elements of a list as they are stored, because a `URL` or `Date` may have a different value. If the list has no value, writes
  /// null and returns nil.
  private mutating func storedElements(_ row: Row, _ slot: PlanReference<SlotPlan>) -> [JSON]? {
    if row.isSet(slot), case .array(let elements)? = reader.json(row[slot]) { return elements }
    output.raw("null")
    return nil
  }

  /// The elements of a list. If the list has no value, writes null and returns nil.
  private mutating func elements(_ row: Row, _ slot: PlanReference<SlotPlan>) -> [AttributeValue]? {
    if case .list(let elements)? = reader.value(row, slot.pointee) { return elements }
    output.raw("null")
    return nil
  }

  /// Runs the reverse closure for each element of a list (M13). Lists have no null elements, so a closure that returns nil causes an error.
  private mutating func reversedList(
    _ row: Row, _ slot: PlanReference<SlotPlan>, _ entity: Int, _ number: Int
  ) throws(ExportError) {
    guard let elements = elements(row, slot) else { return }
    output.byte(UInt8(ascii: "["))
    for index in elements.indices {
      if index > 0 { output.byte(UInt8(ascii: ",")) }
      try reversedElement(elements, index, entity, number, levels: 1)
    }
    output.byte(UInt8(ascii: "]"))
  }

  /// - Parameter levels: the number of levels between the attribute and the element.
  private mutating func reversedElement(
    _ elements: [AttributeValue], _ index: Int, _ entity: Int, _ number: Int, levels: Int
  ) throws(ExportError) {
    if try reversed(elements[index], entity, number, left: source.options.maxDepth - depth - levels) { return }
    let property = source.plan.entities[entity].properties[number]
    throw ExportError(
      code: .transformerFailed,
      "the reverse of the transformer '\(property.transformer?.name ?? "")' of '\(source.plan.entities[entity].name).\(property.name)' returned nil for the element at index \(index), but lists cannot contain null",
      path: path(to: nil))
  }

  /// Writes the elements of a list as one string (T8). A list that cannot be restored from such a string is refused.
  private mutating func joined(
    _ row: Row, _ slot: PlanReference<SlotPlan>, _ entity: Int, _ number: Int
  ) throws(ExportError) {
    guard var parts = storedElements(row, slot) else { return }
    let property = source.plan.entities[entity].properties[number]
    let separator = property.separator ?? ","
    if property.isReversed, let elements = elements(row, slot) {
      for index in elements.indices {
        let start = output.count
        try reversedElement(elements, index, entity, number, levels: 0)
        if let json = try? JSONBuilder.json(output.bytes(from: start)) { parts[index] = json }
        output.truncate(to: start)
      }
    }
    guard let text = BuiltInTransformer.joined(parts, separator) else {
      throw ExportError(
        code: .transformerFailed,
        "the elements of '\(source.plan.entities[entity].name).\(property.name)' cannot be written as one string: one of them contains the separator '\(separator)', or the only one is empty",
        path: path(to: nil))
    }
    output.made { JSONWriter.append(text, to: &$0) }
  }

  /// Writes the elements of a list, each in an object (M25).
  private mutating func wrapped(
    _ row: Row, _ slot: PlanReference<SlotPlan>, _ entity: Int, _ number: Int
  ) throws(ExportError) {
    guard let stored = storedElements(row, slot) else { return }
    let property = source.plan.entities[entity].properties[number]
    let elements = property.isReversed ? elements(row, slot) : nil
    let key = property.exportedKeyPath?.elementKey ?? ""
    output.byte(UInt8(ascii: "["))
    for (index, element) in stored.enumerated() {
      output.raw(index > 0 ? ",{" : "{")
      output.made {
        JSONWriter.append(key, to: &$0)
        $0.append(UInt8(ascii: ":"))
      }
      if let elements {
        try reversedElement(elements, index, entity, number, levels: 2)
      } else {
        output.made { JSONWriter().append(element, to: &$0) }
      }
      output.byte(UInt8(ascii: "}"))
    }
    output.byte(UInt8(ascii: "]"))
  }

  // MARK: Identifiers of relationships

  /// Writes the identifier of a relationship's object, in the form that its transformer reads (M26).
  mutating func identifier(
    _ table: Int, _ number: UInt32, in owner: Frame, _ slot: PlanReference<SlotPlan>
  ) throws(ExportError) -> Bool {
    guard slot.pointee.hasUnusualIdentifiers else { return try identifier(table, number) }
    let property = source.plan.entities[owner.entity].properties[steps[owner.entity][owner.step - 1].slot]
    return try examining { exporter throws(ExportError) in
      try exporter.unusualIdentifier(table, number, in: owner, property)
    }
  }

  private mutating func unusualIdentifier(
    _ table: Int, _ number: UInt32, in owner: Frame, _ property: PropertyPlan
  ) throws(ExportError) -> Bool {
    let start = output.count
    guard let transformer = property.transformer, let reverse = transformer.reverse else {
      return try identifier(table, number) && !isReadAsNull(since: start, property)
    }
    guard try identifier(table, number), let json = try? JSONBuilder.json(output.bytes(from: start)) else {
      return false
    }
    output.truncate(to: start)
    let number = steps[owner.entity][owner.step - 1].slot
    guard let result = try call(owner.entity, number, { try reverse(transformer.stored(json)) }) else { return false }
    try reversed(result, owner.entity, number, left: source.options.maxDepth - depth)
    return !isReadAsNull(since: start, property)
  }

  /// Whether an import would read the value written for a to-one relationship, or for an element of a to-many relationship, as null: a
  /// listed value (M20), or an empty value for a to-one relationship (M22).
  func isReadAsNull(since start: Int, _ property: PropertyPlan) -> Bool {
    let acceptsEmpty = property.isLenient && property.relationship?.isToMany == false
    return written(since: start, among: property.nulls + (acceptsEmpty ? ["", false] : [])) != nil
  }

  /// The relationship of the list that is being written, if it reads some values as null.
  private var listWithNulls: PropertyPlan? {
    let frame = frames.last.pointee
    guard frame.transformsIdentifiers else { return nil }
    let entity: Int
    let slot: Int
    if frame.valueTable >= 0 {
      entity = reader.row(frame.valueTable, frame.row).entity
      slot = source.plan.fields[layouts[entity].forms.valueField].slot
    } else {
      let owner = frames[frames.count - 2]
      (entity, slot) = (owner.entity, steps[owner.entity][owner.step - 1].slot)
    }
    let property = source.plan.entities[entity].properties[slot]
    return property.nulls.isEmpty ? nil : property
  }

  /// Whether an import would skip the element that the innermost list has written since the given offset. The element must not be an
  /// object or array with contents.
  @inline(never)
  func isSkippedNull(since start: Int) -> Bool {
    listWithNulls.map { isReadAsNull(since: start, $0) } ?? false
  }

  /// Whether an import would skip the list's last element, whose frame has ended.
  @inline(never)
  func isSkippedNull() -> Bool {
    // Only an empty object or array can be read as null. Its text consists of an opening and a closing bracket.
    let start = output.count - 2
    guard start > 0, ["{}", "[]"].contains(where: { $0.utf8.elementsEqual(output.bytes(from: start)) }),
      "[,:".utf8.contains(output.byte(at: start - 1))
    else { return false }
    return isSkippedNull(since: start)
  }

  /// Leaves out the to-one relationship that the innermost object has just written if an import would read it as null. Returns true if
  /// the open frames have changed.
  @inline(never)
  mutating func leaveOutNull() throws(ExportError) -> Bool {
    let frame = frames.last.pointee
    frames.last.pointee.mayBeNull = false
    // If the relationship was left out for another reason, nothing was written.
    if output.count <= frame.start { return false }
    let step = steps[frame.entity] + (frame.step - 1)
    let comma = output.byte(at: frame.start) == UInt8(ascii: ",") ? 1 : 0
    let value = frame.start + comma + step.pointee.prefix.count
    // Objects and arrays may be read as null only if they are empty.
    if "{[".utf8.contains(output.byte(at: value)), output.count - value > 2 { return false }
    let slot = layouts[frame.entity].slots[step.pointee.slot]
    guard isReadAsNull(since: value, source.plan.entities[frame.entity].properties[step.pointee.slot]),
      let target = reader.target(reader.row(frame.table, frame.row), slot)
    else { return false }
    try leaveOut(Omission(reason: .null, table: slot.destinationTable, row: target))
    return true
  }

  /// The value that was written since an offset, if it is one of the given values.
  func written(since start: Int, among values: [JSON]) -> JSON? {
    if values.isEmpty { return nil }
    guard let json = try? JSONBuilder.json(output.bytes(from: start)), values.contains(json) else { return nil }
    return json
  }

  /// - Parameter name: the property: `Hero.name`.
  mutating func readAsNull(_ value: JSON, _ name: String) -> ExportError {
    ExportError(
      code: .unreadableObject,
      "an import would read \(FoundPhrase.of(value)) of '\(name)' as null, because its 'JSONNulls' lists it: set another value, or nil",
      path: path(to: nil))
  }

  /// Writes the value of a part of an identifier. Returns false if an import could not read the value.
  mutating func partValue(
    _ step: ExportStep, _ row: Row, _ slot: PlanReference<SlotPlan>
  ) throws(ExportError) -> Bool {
    guard let target = reader.target(row, slot.pointee) else { return false }
    let table = slot.pointee.destinationTable
    let targetRow = reader.row(table, target)
    guard !targetRow.isPlaceholder || !slot.pointee.defersUnknown,
      source.graph.isFound(targetRow, as: slot.pointee.destination)
    else { return false }
    let layout = layouts + targetRow.entity
    guard step.part >= 0 else {
      // The key that the mapper maps to the object's entity.
      guard let mapped = layout.pointee.allSteps.compactMap(\.discriminator).first else { return false }
      discriminator(mapped, targetRow)
      return true
    }
    let number = layout.pointee.identity.slots[step.part]
    let value = layout.pointee.slots + number
    if value.pointee.kind == .toOne {
      guard let owner = reader.target(targetRow, value.pointee) else { return false }
      return try identifier(value.pointee.destinationTable, owner)
    }
    let writing = source.plan.entities[targetRow.entity].properties[number].writing
    if keepsValue(targetRow[value], value, writing) { return true }
    try attribute(targetRow, value, writing, targetRow.entity, number)
    return true
  }

  /// Writes the value that the reverse closure of a property's transformer returns.
  ///
  /// - Parameter left: the number of levels that the value may be nested.
  /// - Returns: false if the closure returns nil or null. In that case, nothing is written.
  private mutating func reversed(
    _ value: AttributeValue, _ entity: Int, _ number: Int, left: Int
  ) throws(ExportError) -> Bool {
    let property = source.plan.entities[entity].properties[number]
    guard let transformer = property.transformer, let reverse = transformer.reverse else { return false }
    output.noteStored(value)
    guard let result = try call(entity, number, { try reverse(value) }) else { return false }
    try reversed(result, entity, number, left: left)
    return true
  }

  /// Writes the result of the reverse closure of a property's transformer.
  private mutating func reversed(_ result: JSON, _ entity: Int, _ number: Int, left: Int) throws(ExportError) {
    let start = output.count
    output.made { JSONWriter().append(result, to: &$0) }
    guard JSONNesting.exceeds(left, output.bytes(from: start)) else { return }
    let property = source.plan.entities[entity].properties[number]
    throw tooDeep(
      "the value that the reverse of '\(property.transformer?.name ?? "")' returns for '\(source.plan.entities[entity].name).\(property.name)'"
    )
  }

  /// Calls the reverse closure of a property's transformer. Returns nil if the closure returns nil or null.
  private func call(_ entity: Int, _ number: Int, _ reverse: () throws -> JSON?) throws(ExportError) -> JSON? {
    let result: JSON?
    do {
      result = try source.context.activity.run(.reverseTransformer(entity: entity, slot: number), reverse)
    } catch {
      if let call = source.context.activity.pointee.takeRefusedCall() {
        throw ExportError(code: call.code, call.words, path: path(to: nil), underlyingError: error)
      }
      if let words = ProgramClosure.refusal(in: error) {
        throw ExportError(code: .reentrantCall, words, path: path(to: nil), underlyingError: error)
      }
      let property = source.plan.entities[entity].properties[number]
      throw ExportError(
        code: .transformerFailed,
        "the reverse of the transformer '\(property.transformer?.name ?? "")' of '\(source.plan.entities[entity].name).\(property.name)' failed: "
          + HiddenValue.text(of: error, isHidden: property.isSensitive),
        path: path(to: nil), underlyingError: error)
    }
    if let call = source.context.activity.pointee.takeRefusedCall() {
      throw ExportError(code: call.code, call.words, path: path(to: nil))
    }
    return result.flatMap { $0.isNull ? nil : $0 }
  }
}
