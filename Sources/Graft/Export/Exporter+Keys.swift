/// Writes collections as objects with the elements under their keys (M11).
extension Exporter {

  // MARK: Roots

  /// Whether objects are written under their keys; false if all of them are written as identifiers.
  mutating func areKeyed(_ places: [(table: Int, row: UInt32)], as declared: EntityPlan?) -> Bool {
    !places.isEmpty
      && places.allSatisfy { source.graph.hasKeyFirst(layouts + reader.row($0.table, $0.row).entity) }
      && !places.allSatisfy { place in
        let row = reader.row(place.table, place.row)
        let entity = declared?.index ?? row.entity
        return isIdentifierUnderKey(row, as: entity, isReserved: false) && source.graph.hasIdentity(row)
      }
  }

  /// Writes objects as members of one object. If an object is listed twice, it is written once. Placeholders have no value to write
  /// under their keys, and are omitted (E2) unless there are only placeholders.
  mutating func keyed(
    _ places: [(table: Int, row: UInt32)], as declared: EntityPlan?, isSingle: Bool, mayRepeat: Bool = false
  ) throws(ExportError) {
    output.byte(UInt8(ascii: "{"))
    descend()
    document.begin(.keyed)
    let checksKeys = places.count > 1 && !source.graph.areKeysUnique(places)
    if checksKeys { keyHolders.begin() }
    if source.plan.features.hasSurroundingPaths { try noteRootKeys(places, isSingle: isSingle) }
    var written: Set<RowPlace> = []
    for place in places {
      if mayRepeat, !written.insert(RowPlace(table: place.table, row: place.row)).inserted { continue }
      let row = reader.row(place.table, place.row)
      let isPlaceholder = row.isPlaceholder
      if isPlaceholder, !isSingle { continue }
      let entity = declared?.index ?? row.entity
      if isPlaceholder ? misfit(row) != nil : isIdentifierUnderKey(row, as: entity, isReserved: false) {
        throw tooDeep(row, misfit(row) ?? .object)
      }
      try requireHome(place.table, place.row, index: nil)
      try key(of: place.table, place.row, isChecked: checksKeys)
      try element(place.table, place.row, as: entity, back: -1)
      try run()
      forgetWritten()
      try endElement()
    }
    if checksKeys { keyHolders.end() }
    output.byte(UInt8(ascii: "}"))
    ascend()
  }

  /// Notes the keys of the document, because an object that reads from the document could find an element instead (M19).
  private mutating func noteRootKeys(_ places: [(table: Int, row: UInt32)], isSingle: Bool) throws(ExportError) {
    let start = output.count
    for place in places where isSingle || !reader.row(place.table, place.row).isPlaceholder {
      try key(of: place.table, place.row, isChecked: false)
      let text = Array(output.bytes(from: start).dropLast())
      output.truncate(to: start)
      guard case .string(let key)? = try? LentBytes.with(text, { try JSONBuilder.json($0) }) else { continue }
      document.note(key)
    }
  }

  // MARK: To-many relationships

  mutating func keyedElements() throws(ExportError) {
    let frame = frames.last.pointee
    var next = frame.next
    if frame.transformsIdentifiers, next > frame.first, isSkippedNull() {
      return try leaveOut(Omission(reason: .null, table: frame.table, row: rows[next - 1]))
    }
    while next < frame.end {
      let number = rows[next]
      next += 1
      let row = reader.row(frame.table, number)
      if isIdentifierUnderKey(row, as: frame.entity, back: frame.back, isReserved: frame.isReserved) {
        // An identifier cannot be written under a key. An object that is written elsewhere is therefore represented by an object
        // with the values that identify it.
        if let reason = misplacement(number, frame) {
          try leaveOut(Omission(reason: reason, table: frame.table, row: number))
          return
        }
        try key(of: frame.table, number, isChecked: frame.checksKeys)
        try mention(row, steps.mention(row.entity, source).steps, back: frame.back)
        if frame.transformsIdentifiers, isSkippedNull() {
          return try leaveOut(Omission(reason: .null, table: frame.table, row: number))
        }
        continue
      }
      try key(of: frame.table, number, isChecked: frame.checksKeys)
      frames.last.pointee.next = next
      let start = output.count
      if try element(frame.table, number, as: frame.entity, back: frame.back) { return }
      if frame.transformsIdentifiers, isSkippedNull(since: start) {
        return try leaveOut(Omission(reason: .null, table: frame.table, row: number))
      }
    }
    if frame.checksKeys { keyHolders.end() }
    output.byte(UInt8(ascii: "}"))
    ascend()
    rows.truncate(to: frame.first)
    frames.truncate(to: frames.count - 1)
  }

  /// Whether an object of a collection by keys would be written as its identifier elsewhere.
  mutating func isIdentifierUnderKey(_ row: Row, as declared: Int, back: Int = -1, isReserved: Bool) -> Bool {
    if row.isPlaceholder || isWritten(row, isReserved: isReserved) { return true }
    guard let fits = fitsBare(row, as: declared, back: back) else { return misfit(row) != nil }
    return !fits
  }

  /// Whether an element of a list that would be a collection by keys can be an identifier in an array instead.
  mutating func canBeIdentifierUnderKey(_ number: UInt32, _ frame: Frame) -> Bool {
    let row = reader.row(frame.table, number)
    return isIdentifierUnderKey(row, as: frame.entity, back: frame.back, isReserved: false)
      && hasIdentifierForm(row, as: frame.entity)
      && (!row.isPlaceholder || frame.acceptsPlaceholders)
  }

  /// The reason why an element of a collection by keys cannot be written in that collection; nil if it can be written.
  mutating func misplacement(_ number: UInt32, _ frame: Frame) -> Omission.Reason? {
    let row = reader.row(frame.table, number)
    if row.isPlaceholder { return .unkeyedPlaceholder }
    let entity = row.entity
    if entity != frame.entity, !source.graph.isReadable(entity, as: frame.entity, row) { return .unreadable }
    if hasSurroundings, !isAtHome(row, back: frame.back, index: nil) { return .misplaced }
    guard isIdentifierUnderKey(row, as: frame.entity, back: frame.back, isReserved: frame.isReserved) else {
      return nil
    }
    guard isWritten(row, isReserved: frame.isReserved) else { return .depth }
    guard source.graph.hasIdentity(row) else { return row.isOnPath ? .cycle : .repeated }
    return depth + steps.mention(entity, source).depth <= source.options.maxDepth ? nil : .depth
  }

  /// Whether an object is being written at an outer level, or was already written, if the options write each object only once.
  private func isWritten(_ row: Row, isReserved: Bool) -> Bool {
    row.isOnPath
      || source.options.sharedObjects == .once && row.isListed && !(isReserved && !source.graph.hasIdentity(row))
  }

  /// Writes a mention of an object that is written elsewhere: the values that identify it, and the value that selects its entity.
  ///
  /// - Parameter back: the slot of the relationship to the enclosing object, which is not written.
  mutating func mention(_ row: Row, _ steps: [ExportStep], back: Int) throws(ExportError) {
    let entity = row.entity
    let layout = layouts[entity]
    if layout.forms.valueField >= 0, steps.isEmpty {
      // The element itself is part of the identity of the object.
      let number = source.plan.fields[layout.forms.valueField].slot
      if source.plan.entities[entity].identitySlots.contains(number) {
        try attribute(row, layout.slots + number, writing(of: row, number), entity, number)
        return
      }
    }
    output.byte(UInt8(ascii: "{"))
    for step in steps {
      switch step.action {
      case .openGroup:
        key(step)
        output.byte(UInt8(ascii: "{"))
      case .closeGroup: output.byte(UInt8(ascii: "}"))
      case .attribute, .discriminator:
        let slot = step.slot < 0 ? nil : layout.slots + step.slot
        if let slot, row.isSet(slot) {
          key(step)
          try attribute(row, slot, step.writing, entity, step.slot)
        } else if let mapped = step.discriminator {
          key(step)
          discriminator(mapped, row)
        }
      case .toOne:
        // The owner that is part of the object's identity.
        let slot = layout.slots[step.slot]
        guard slot.isIdentity, step.slot != back, let owner = reader.target(row, slot) else { break }
        key(step)
        if try !identifier(slot.destinationTable, owner) { output.raw("null") }
      case .toMany, .part, .reference, .unwritten, .shared: break
      }
    }
    output.byte(UInt8(ascii: "}"))
  }

  // MARK: Keys

  /// Writes the key of an object. A duplicate or missing key is an error, because an object would be lost.
  mutating func key(of table: Int, _ number: UInt32, isChecked: Bool) throws(ExportError) {
    let row = reader.row(table, number)
    let entity = source.plan.entities[row.entity]
    let property = source.plan.fields[layouts[entity.index].forms.keyField].slot
    let slot = layouts[entity.index].slots + property
    guard row.isSet(slot) else { throw missingKey(table, number, "has no value") }
    if output.last != UInt8(ascii: "{") { output.byte(UInt8(ascii: ",")) }
    let start = output.count
    try attribute(row, slot, writing(of: row, property), entity.index, property)
    switch output.byte(at: start) {
    case UInt8(ascii: "\""): break
    case UInt8(ascii: "n"), UInt8(ascii: "{"), UInt8(ascii: "["):
      output.truncate(to: start)
      throw missingKey(table, number, "has a value whose transformer returns no text")
    default:
      // A key is always a string, even if the attribute is not.
      output.quote(from: start)
    }
    if isChecked {
      let text = String(decoding: output.bytes(from: start), as: UTF8.self)
      let place = RowPlace(table: table, row: number)
      if let other = keyHolders.note(place, under: text) {
        let names = GraphNames(state, source.plan)
        throw ExportError(
          code: .duplicateObjectKey,
          "'\(names.name(other.table, other.row))' and '\(names.name(table, number))' have the same value of '\(entity.name).\(entity.properties[property].name)', the key under which they would be written: \(advice(entity, property))",
          path: path(to: start))
      }
    }
    output.byte(UInt8(ascii: ":"))
  }

  private mutating func missingKey(_ table: Int, _ number: UInt32, _ what: String) -> ExportError {
    // The location is the collection, not the previous output.
    if output.last != UInt8(ascii: "{"), output.last != UInt8(ascii: ",") { output.byte(UInt8(ascii: ",")) }
    let row = reader.row(table, number)
    let entity = source.plan.entities[row.entity]
    let property = source.plan.fields[layouts[entity.index].forms.keyField].slot
    return ExportError(
      code: .missingObjectKey,
      "'\(GraphNames(state, source.plan).name(table, number))' \(what) for '\(entity.name).\(entity.properties[property].name)', the key under which it would be written: \(advice(entity, property))",
      path: path(to: nil))
  }

  private func advice(_ entity: EntityPlan, _ number: Int) -> String {
    let own = "give the attribute its own key path, with '@key' as an alias"
    return entity.identitySlots == [number] ? own : "\(own), or make it the identity"
  }

  func writing(of row: Row, _ number: Int) -> ExportStep.Writing {
    source.plan.entities[row.entity].properties[number].writing
  }

  /// Refuses an object with a key in an array or a to-one relationship, where the key would be lost.
  @inline(__always)
  mutating func requirePlace(_ table: Int, _ number: UInt32) throws(ExportError) {
    let row = reader.row(table, number)
    let layout = layouts + row.entity
    guard layout.pointee.forms.keyField >= 0, source.graph.hasKeyFirst(layout) else { return }
    let slot = layout.pointee.slots[source.plan.fields[layout.pointee.forms.keyField].slot]
    guard row.isSet(slot) else { return }
    throw misplacedKey(table, number)
  }

  @inline(never)
  private mutating func misplacedKey(_ table: Int, _ row: UInt32) -> ExportError {
    let entity = source.plan.entities[reader.row(table, row).entity]
    let number = source.plan.fields[layouts[entity.index].forms.keyField].slot
    return ExportError(
      code: .misplacedKey,
      "'\(GraphNames(state, source.plan).name(table, row))' is not written under a key here, so its '\(entity.name).\(entity.properties[number].name)' would be lost: give the attribute its own key path, with '@key' as an alias",
      path: path(to: nil))
  }

  // MARK: Elements

  /// Writes an object that its `@value` may represent: only the `@value`, if the object has no other values. Returns true if a frame was
  /// opened.
  @discardableResult
  mutating func element(_ table: Int, _ number: UInt32, as declared: Int, back: Int) throws(ExportError) -> Bool {
    let row = reader.row(table, number)
    let entity = row.entity
    if layouts[entity].forms.sharesDictionary {
      if try sharedIdentifier(table, number, as: declared, back: back) { return false }
      try open(table, number, back: back)
      return true
    }
    guard let slot = source.graph.bareValue(row, as: declared, back: back) else {
      try requireNoValue(table, number)
      if isReadAsValue(entity) {
        if frames.count == 0 { throw valueless(table, number) }
        try leaveOut(Omission(reason: .valueless, table: table, row: number))
        return true
      }
      try open(table, number, back: back)
      return true
    }
    let property = slot - layouts[entity].slots
    guard slot.pointee.kind == .toMany else {
      try attribute(row, slot, writing(of: row, property), entity, property)
      return false
    }
    let representation = source.plan.entities[entity].properties[property].relationship?.representation
    let isIdentifier = representation != .object || source.options.identifiersOnly
    switch openList(row, slot, isIdentifier: isIdentifier, owner: (table, number)) {
    case .open: return true
    case .empty: throw tooDeep(row, .attribute(property))
    case .incomplete(let omission):
      // Unlike an empty list, this list has no frame that could be abandoned.
      try leaveOutValue(omission, of: (table, number))
      return true
    }
  }

  /// Whether an object without a `@value` is read with one: even an empty object is a value (M23).
  private func isReadAsValue(_ entity: Int) -> Bool {
    layouts[entity].forms.readsObjectsAsValues && source.plan.fields[layouts[entity].forms.valueField].reading == .json
  }

  /// An object with other values has no position for its `@value`.
  private func requireNoValue(_ table: Int, _ number: UInt32) throws(ExportError) {
    let row = reader.row(table, number)
    let layout = layouts + row.entity
    guard layout.pointee.forms.valueField >= 0, source.plan.fields[layout.pointee.forms.valueField].rank == 0 else {
      return
    }
    let property = source.plan.fields[layout.pointee.forms.valueField].slot
    let slot = layout.pointee.slots[property]
    guard source.graph.hasValue(row, slot) else { return }
    let entity = source.plan.entities[row.entity]
    throw ExportError(
      code: .misplacedValue,
      "'\(GraphNames(state, source.plan).name(table, number))' has other values, so its '\(entity.name).\(entity.properties[property].name)' would be lost: give the attribute its own key path, with '@value' as an alias",
      path: path(to: nil))
  }
}
