/// Writing collections as objects whose keys are those of their elements (M11).
extension Exporter {

  // MARK: Roots

  /// Whether objects are written under their keys: not where all of them are written as identifiers.
  mutating func areKeyed(_ places: [(table: Int, row: UInt32)], as declared: EntityPlan?) -> Bool {
    !places.isEmpty
      && places.allSatisfy { graph.hasKeyFirst(layouts + reader.row($0.table, $0.row).entity) }
      && !places.allSatisfy { place in
        let base = reader.row(place.table, place.row)
        let entity = declared?.index ?? base.entity
        return isIdentifierUnderKey(base, as: entity, isReserved: false) && graph.hasIdentity(base)
      }
  }

  /// Objects as members of one object. One that is given twice stands there once; placeholders have nothing to stand under
  /// their keys, and are left out (E2) unless one is all there is.
  mutating func keyed(
    _ places: [(table: Int, row: UInt32)], as declared: EntityPlan?, isSingle: Bool, mayRepeat: Bool = false
  ) throws(ExportError) {
    output.byte(UInt8(ascii: "{"))
    depth += 1
    isCollectionByKeys = true
    let checksKeys = places.count > 1 && !graph.areKeysUnique(places)
    if checksKeys { keyHolders.append([:]) }
    if plan.hasSurroundingPaths { try noteRootKeys(places, isSingle: isSingle) }
    var written: Set<RowPlace> = []
    for place in places {
      if mayRepeat, !written.insert(RowPlace(table: place.table, row: place.row)).inserted { continue }
      let base = reader.row(place.table, place.row)
      let isPlaceholder = base.isPlaceholder
      if isPlaceholder, !isSingle { continue }
      let entity = declared?.index ?? base.entity
      if isPlaceholder ? misfit(base) != nil : isIdentifierUnderKey(base, as: entity, isReserved: false) {
        throw tooDeep(base, misfit(base) ?? .object)
      }
      try requireHome(place.table, place.row, index: nil)
      try key(of: place.table, place.row, isChecked: checksKeys)
      try element(place.table, place.row, as: entity, back: -1)
      try run()
      forgetWritten()
      try endElement()
    }
    if checksKeys { keyHolders.removeLast() }
    output.byte(UInt8(ascii: "}"))
    depth -= 1
  }

  /// Notes the keys of the document: an object that reads from the document could find an element instead (M19).
  private mutating func noteRootKeys(_ places: [(table: Int, row: UInt32)], isSingle: Bool) throws(ExportError) {
    let start = output.count
    for place in places where isSingle || !reader.row(place.table, place.row).isPlaceholder {
      try key(of: place.table, place.row, isChecked: false)
      let text = Array(output.bytes(from: start).dropLast())
      output.truncate(to: start)
      guard case .string(let key)? = try? text.withUnsafeBufferPointer({ try JSONBuilder.json($0) }) else { continue }
      rootKeys.insert(key)
    }
  }

  // MARK: To-many relationships

  mutating func keyedElements() throws(ExportError) {
    let frame = frames.last.pointee
    var next = frame.next
    while next < frame.end {
      let row = rows[next]
      next += 1
      let base = reader.row(frame.table, row)
      if isIdentifierUnderKey(base, as: frame.entity, isReserved: frame.isReserved) {
        // An identifier cannot stand under a key; an object that is written elsewhere can, with what finds it.
        if let reason = misplacement(row, frame) {
          try leaveOut(Omission(reason: reason, table: frame.table, row: row))
          return
        }
        try key(of: frame.table, row, isChecked: frame.checksKeys)
        try mention(base, mentionSteps(base.entity).steps)
        continue
      }
      try key(of: frame.table, row, isChecked: frame.checksKeys)
      frames.last.pointee.next = next
      if try element(frame.table, row, as: frame.entity, back: frame.back) { return }
    }
    if frame.checksKeys { keyHolders.removeLast() }
    output.byte(UInt8(ascii: "}"))
    depth -= 1
    rows.truncate(to: frame.first)
    frames.truncate(to: frames.count - 1)
  }

  /// Whether an object of a collection by keys would be written as its identifier elsewhere.
  mutating func isIdentifierUnderKey(_ row: Row, as declared: Int, isReserved: Bool) -> Bool {
    if row.isPlaceholder || isWritten(row, isReserved: isReserved) { return true }
    guard let slot = graph.bareValue(row, as: declared) else { return misfit(row) != nil }
    if slot.pointee.kind == .toMany { return depth >= options.maxDepth }
    let number = slot - layouts[row.entity].slots
    return isTooDeep(row, slot, writing(of: row, number), options.maxDepth - depth)
  }

  /// Whether an element of a list that would be a collection by keys can be an identifier in an array instead.
  mutating func canBeIdentifierUnderKey(_ row: UInt32, _ frame: Frame) -> Bool {
    let base = reader.row(frame.table, row)
    return isIdentifierUnderKey(base, as: frame.entity, isReserved: false)
      && hasIdentifierForm(base, as: frame.entity)
      && (!base.isPlaceholder || frame.acceptsPlaceholders)
  }

  /// Why an element of a collection by keys cannot be written there; nil if it can.
  mutating func misplacement(_ row: UInt32, _ frame: Frame) -> Omission.Reason? {
    let base = reader.row(frame.table, row)
    if base.isPlaceholder { return .unkeyedPlaceholder }
    let entity = base.entity
    if entity != frame.entity, !graph.isReadable(entity, as: frame.entity, base) { return .unreadable }
    if hasSurroundings, !isAtHome(base, back: frame.back, index: nil) { return .misplaced }
    guard isIdentifierUnderKey(base, as: frame.entity, isReserved: frame.isReserved) else { return nil }
    guard isWritten(base, isReserved: frame.isReserved) else { return .depth }
    guard graph.hasIdentity(base) else { return base.isOnPath ? .cycle : .repeated }
    return depth + mentionSteps(entity).depth <= options.maxDepth ? nil : .depth
  }

  /// Whether an object is being written further up, or was written where that counts.
  private func isWritten(_ row: Row, isReserved: Bool) -> Bool {
    row.isOnPath
      || options.sharedObjects == .once && row.isListed && !(isReserved && !graph.hasIdentity(row))
  }

  /// What is written of an object that is written elsewhere: what identifies it beside its key, and what says its entity.
  mutating func mentionSteps(_ number: Int) -> (steps: [ExportStep], depth: Int) {
    if let known = mentions[number] { return known }
    let entity = plan.entities[number]
    let layout = layouts[number]
    var steps: [ExportStep] = []
    var depth = 0
    let isValue =
      layout.valueField >= 0 && plan.fields[layout.valueField].rank == 0
      && entity.identitySlots.contains(plan.fields[layout.valueField].slot)
    if !isValue {
      let all = layout.allSteps
      let names = all.filter { $0.slot >= 0 && $0.discriminator != nil }.map { entity.properties[$0.slot].name }
      let chosen = ExportOptions(sortsKeys: options.sortsKeys, properties: [entity.name: Set(names)])
      steps = ExportSelection(entity: entity, options: chosen).steps(of: all)
      var level = 1
      for step in steps {
        level += step.action == .openGroup ? 1 : step.action == .closeGroup ? -1 : 0
        depth = max(depth, level)
      }
      depth = max(depth, 1)
    }
    mentions[number] = (steps, depth)
    return (steps, depth)
  }

  mutating func mention(_ row: Row, _ steps: [ExportStep]) throws(ExportError) {
    let entity = row.entity
    let layout = layouts[entity]
    if layout.valueField >= 0, steps.isEmpty {
      // The element itself is part of what identifies the object.
      let number = plan.fields[layout.valueField].slot
      if plan.entities[entity].identitySlots.contains(number) {
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
      case .toOne, .toMany: break
      }
    }
    output.byte(UInt8(ascii: "}"))
  }

  // MARK: Keys

  /// Writes the key under which an object stands. One that two objects have, or none, is an error: the object would be lost.
  mutating func key(of table: Int, _ row: UInt32, isChecked: Bool) throws(ExportError) {
    let base = reader.row(table, row)
    let entity = plan.entities[base.entity]
    let number = plan.fields[layouts[entity.index].keyField].slot
    let slot = layouts[entity.index].slots + number
    guard base.isSet(slot) else { throw missingKey(table, row, "has no value") }
    if output.last != UInt8(ascii: "{") { output.byte(UInt8(ascii: ",")) }
    let start = output.count
    try attribute(base, slot, writing(of: base, number), entity.index, number)
    switch output.byte(at: start) {
    case UInt8(ascii: "\""): break
    case UInt8(ascii: "n"), UInt8(ascii: "{"), UInt8(ascii: "["):
      output.truncate(to: start)
      throw missingKey(table, row, "has a value whose transformer writes no text")
    default:
      // A key is a string, whatever the attribute.
      output.quote(from: start)
    }
    if isChecked {
      let text = String(decoding: output.bytes(from: start), as: UTF8.self)
      let place = RowPlace(table: table, row: row)
      if let other = keyHolders[keyHolders.count - 1].updateValue(place, forKey: text) {
        let names = GraphNames(state, plan)
        throw ExportError(
          code: .duplicateObjectKey,
          "'\(names.name(other.table, other.row))' and '\(names.name(table, row))' have one value of '\(entity.name).\(entity.properties[number].name)', the key under which they would stand: \(advice(entity, number))",
          path: path(to: start))
      }
    }
    output.byte(UInt8(ascii: ":"))
  }

  private mutating func missingKey(_ table: Int, _ row: UInt32, _ what: String) -> ExportError {
    // The place is the collection, not what was written before.
    if output.last != UInt8(ascii: "{"), output.last != UInt8(ascii: ",") { output.byte(UInt8(ascii: ",")) }
    let base = reader.row(table, row)
    let entity = plan.entities[base.entity]
    let number = plan.fields[layouts[entity.index].keyField].slot
    return ExportError(
      code: .missingObjectKey,
      "'\(GraphNames(state, plan).name(table, row))' \(what) for '\(entity.name).\(entity.properties[number].name)', the key under which it would stand: \(advice(entity, number))",
      path: path(to: nil))
  }

  private func advice(_ entity: EntityPlan, _ number: Int) -> String {
    let own = "give the attribute a key path of its own, with '@key' as an alias"
    return entity.identitySlots == [number] ? own : "\(own), or make it the identity"
  }

  private func writing(of row: Row, _ number: Int) -> ExportStep.Writing {
    plan.entities[row.entity].properties[number].writing
  }

  /// In an array, or in a to-one, there is no key: an object that has one would lose it.
  @inline(__always)
  mutating func requirePlace(_ table: Int, _ row: UInt32) throws(ExportError) {
    let base = reader.row(table, row)
    let layout = layouts + base.entity
    guard layout.pointee.keyField >= 0, graph.hasKeyFirst(layout) else { return }
    let slot = layout.pointee.slots[plan.fields[layout.pointee.keyField].slot]
    guard base.isSet(slot) else { return }
    throw misplacedKey(table, row)
  }

  @inline(never)
  private mutating func misplacedKey(_ table: Int, _ row: UInt32) -> ExportError {
    let entity = plan.entities[reader.row(table, row).entity]
    let number = plan.fields[layouts[entity.index].keyField].slot
    return ExportError(
      code: .misplacedKey,
      "'\(GraphNames(state, plan).name(table, row))' stands under no key here, so that its '\(entity.name).\(entity.properties[number].name)' has no place: give the attribute a key path of its own, with '@key' as an alias",
      path: path(to: nil))
  }

  // MARK: Elements

  /// Writes an object under its key; its `@value` alone if it has nothing else. True if a frame was opened.
  @discardableResult
  mutating func element(_ table: Int, _ row: UInt32, as declared: Int, back: Int) throws(ExportError) -> Bool {
    let base = reader.row(table, row)
    let entity = base.entity
    guard let slot = graph.bareValue(base, as: declared) else {
      try requireNoValue(table, row)
      try open(table, row, back: back)
      return true
    }
    let number = slot - layouts[entity].slots
    guard slot.pointee.kind == .toMany else {
      try attribute(base, slot, writing(of: base, number), entity, number)
      return false
    }
    let representation = plan.entities[entity].properties[number].relationship?.representation
    let isIdentifier = representation != .object || options.identifiersOnly
    switch openList(base, slot, isIdentifier: isIdentifier, owner: (table, row)) {
    case .open: return true
    case .empty: throw tooDeep(base, .attribute(number))
    case .incomplete(let omission):
      // The list has no frame that could be given up; an empty one has.
      try leaveOutValue(omission, of: (table, row))
      return true
    }
  }

  /// An object that has other values beside its `@value` has no place for it.
  private func requireNoValue(_ table: Int, _ row: UInt32) throws(ExportError) {
    let base = reader.row(table, row)
    let layout = layouts + base.entity
    guard layout.pointee.valueField >= 0, plan.fields[layout.pointee.valueField].rank == 0 else { return }
    let number = plan.fields[layout.pointee.valueField].slot
    let slot = layout.pointee.slots[number]
    guard graph.hasValue(base, slot) else { return }
    let entity = plan.entities[base.entity]
    throw ExportError(
      code: .misplacedValue,
      "'\(GraphNames(state, plan).name(table, row))' has other values, so that its '\(entity.name).\(entity.properties[number].name)' has no place: give the attribute a key path of its own, with '@value' as an alias",
      path: path(to: nil))
  }
}
