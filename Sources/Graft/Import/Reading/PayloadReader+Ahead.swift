/// Reads values before the rest of their object, such as the identity that finds a stored object (I7).
extension PayloadReader {
  /// Reads the identity values of the value at the scanner's position. The scanner does not move.
  ///
  /// - Parameters:
  ///   - field: the field of the value; -1 for an element of a list.
  ///   - isDeletion: whether the value deletes the object.
  ///   - known: values that have already been read, and that are not read again.
  /// - Returns: the values, first those of the identity, and the row with this identity; nil if the entity has no identity.
  mutating func readIdentity(
    of declared: Int, key: LentBytes?, field: Int, isDeletion: Bool = false, known: IdentityAhead? = nil
  ) throws(JSONSyntaxError) -> (identity: IdentityAhead, row: UInt32?)? {
    let layout = layouts[declared]
    guard layout.identity.count > 0 else { return nil }
    var bySlot = Array(repeating: Cell.absent, count: layout.slotCount)
    let place = (position: scanner.position, depth: scanner.depth)
    let isInner = texts.ahead.setReading(true)
    defer {
      _ = texts.ahead.setReading(isInner)
      scanner.move(to: place.position, depth: place.depth)
    }
    let known = known?.values.filter { $0.slot < layout.slotCount } ?? []
    for (slot, cell) in known { bySlot[slot] = cell }
    var ahead = IdentityAhead(values: [])
    for index in 0..<layout.identity.count {
      let slot = layout.identity.slots[index]
      // A sub-entity can have more identity attributes than the entity whose values are known.
      if !known.contains(where: { $0.slot == slot }) {
        if layout.slots[slot].kind == .toOne {
          bySlot[slot] = try readOwnerAhead(slot, of: plan.entities[declared], field: field)
        } else if let cell = try readAhead(slot, of: plan.entities[declared], key: key, field: field) {
          bySlot[slot] = cell
        }
        scanner.move(to: place.position, depth: place.depth)
      }
      ahead.values.append((slot, bySlot[slot]))
    }
    ahead.values += known.filter { value in !ahead.values.contains { $0.slot == value.slot } }
    if let row = finder.lookUp(declared, bySlot) { return (ahead, row) }
    guard layout.alternateCount > 0 else { return (ahead, nil) }
    try readAlternates(of: declared, key: key, field: field, &bySlot, &ahead)
    let found = Cells.with(bySlot) { cells in
      Result { () throws(RowFinder.CrowdedAlternate) in
        try finder.findByAlternate(declared, cells, isDeletion: isDeletion)
      }
    }
    switch found {
    case .success(let find): return (ahead, find?.row)
    case .failure(let error):
      log.record(error, plan.entities[declared], at: offset)
      return (ahead, nil)
    }
  }

  /// Reads the values of the alternate identities of the value at the scanner's position (M27).
  private mutating func readAlternates(
    of entity: Int, key: LentBytes?, field: Int, _ bySlot: inout [Cell], _ ahead: inout IdentityAhead
  ) throws(JSONSyntaxError) {
    let place = (position: scanner.position, depth: scanner.depth)
    let plan = plan.entities[entity]
    for slot in Set(plan.alternates.flatMap(\.slots)).sorted() where bySlot[slot].isAbsent {
      if layouts[entity].slots[slot].kind == .toOne {
        bySlot[slot] = try readOwnerAhead(slot, of: plan, field: field)
      } else if let cell = try readAhead(slot, of: plan, key: key, field: field) {
        bySlot[slot] = cell
        ahead.values.append((slot, cell))
      }
      scanner.move(to: place.position, depth: place.depth)
    }
  }

  /// Reads the value of one attribute of the value at the scanner's position, or returns nil if it is absent. The scanner does not move.
  mutating func readAttributeAhead(
    _ slot: Int, of entity: Int, key: LentBytes?, field: Int
  ) throws(JSONSyntaxError) -> Cell? {
    let place = (position: scanner.position, depth: scanner.depth)
    let isInner = texts.ahead.setReading(true)
    defer {
      _ = texts.ahead.setReading(isInner)
      scanner.move(to: place.position, depth: place.depth)
    }
    return try readAhead(slot, of: plan.entities[entity], key: key, field: field)
  }

  /// Reads the owner of the value at the scanner's position (M12): the enclosing object, or a known object that the value names.
  /// If there is no such object, the result is absent. Errors in these values are found when the values are read in their turn.
  private mutating func readOwnerAhead(_ slot: Int, of entity: EntityPlan, field: Int) throws(JSONSyntaxError) -> Cell {
    if let owner = owner(of: field), owner.slot == slot { return .row(owner.row) }
    let place = (position: scanner.position, depth: scanner.depth)
    defer { scanner.move(to: place.position, depth: place.depth) }
    for candidate in entity.fields.ofSlot[slot] ?? [] {
      let path = entity.path(ofField: fields[candidate])
      let destination = layouts[entity.index].slots[slot].destination
      if path.isElementValue {
        // The dictionary belongs to both objects (M23).
        if scanner.peek == UInt8(ascii: "{"), !layouts[entity.index].forms.sharesDictionary { continue }
        return try readKnown(destination).map { .row($0) } ?? .absent
      }
      switch texts.find(path.keys, in: scanner) {
      case .absent: continue
      case .blocked, .null: return .absent
      case .value(let found):
        scanner.move(to: found, depth: place.depth + path.keys.count)
        guard isTransformed(fields + candidate), scanner.peek != UInt8(ascii: "{") else {
          return try readKnown(destination).map { .row($0) } ?? .absent
        }
        let row = try withTransformedAhead(fields + candidate) { reader throws(JSONSyntaxError) in
          try reader.readKnown(destination)
        }
        return row.map { .row($0) } ?? .absent
      }
    }
    return .absent
  }

  /// Returns the known object that the value at the scanner's position describes or identifies, or nil if there is none.
  private mutating func readKnown(_ entity: Int) throws(JSONSyntaxError) -> UInt32? {
    let layout = layouts[entity]
    if scanner.peek == UInt8(ascii: "{") {
      return try readIdentity(of: entity, key: nil, field: Int.min)?.row
    }
    guard layout.identity.count > 0 else { return nil }
    var bySlot = Array(repeating: Cell.absent, count: layout.slotCount)
    guard layout.identity.count > 1 else {
      bySlot[layout.identity.slots[0]] = try readKnownValue(0, of: entity)
      return finder.lookUp(entity, bySlot)
    }
    guard scanner.peek == UInt8(ascii: "[") else { return nil }
    try scanner.descend()
    scanner.advance()
    scanner.skipWhitespace()
    if scanner.peek == UInt8(ascii: "]") { return nil }
    var count = 0
    repeat {
      if count == layout.identity.count { return nil }
      bySlot[layout.identity.slots[count]] = try readKnownValue(count, of: entity)
      count += 1
    } while try scanner.continues(before: UInt8(ascii: "]"))
    return finder.lookUp(entity, bySlot)
  }

  private mutating func readKnownValue(_ index: Int, of entity: Int) throws(JSONSyntaxError) -> Cell {
    let layout = layouts[entity]
    let slot = layout.slots[layout.identity.slots[index]]
    if slot.kind == .toOne {
      guard scanner.peek != UInt8(ascii: "{") else {
        try scanner.skipValue()
        return .absent
      }
      return try readKnown(slot.destination).map { .row($0) } ?? .absent
    }
    guard layout.identity.fields[index] >= 0 else {
      try scanner.skipValue()
      return .absent
    }
    return try readAttribute(fields + layout.identity.fields[index])
  }

  /// Returns whether the value at the scanner's position is an object with a mark (M17).
  mutating func has(_ mark: EntityDescription.DeletionMark) throws(JSONSyntaxError) -> Bool {
    guard scanner.peek == UInt8(ascii: "{"), case .value(let place) = texts.find(mark.keyPath.keys, in: scanner)
    else { return false }
    var reader = scanner
    reader.move(to: place)
    switch reader.peek {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return false
    default: return try JSONBuilder.build(&reader, &scratch, JSONTree.self) == mark.value
    }
  }

  /// Reads the value of an attribute, regardless of its position in the object, or returns nil if it is missing.
  private mutating func readAhead(
    _ slot: Int, of entity: EntityPlan, key: LentBytes?, field own: Int
  ) throws(JSONSyntaxError) -> Cell? {
    for field in entity.fields.ofSlot[slot] ?? [] {
      let path = entity.path(ofField: fields[field])
      if path.surroundings != nil {
        let cell = try readSurrounding(field, within: open.frames.count, ofObjectAt: offset)
        return cell.isAbsent ? nil : cell
      }
      if path.isElementIndex {
        guard let index = elementIndex(of: own, key: key) else { continue }
        return indexCell(index, fields + field, at: offset)
      }
      if path.isObjectKey {
        guard let key else { continue }
        return try readKey(key, fields + field, at: scanner.position)
      }
      if path.isElementValue {
        guard scanner.peek != UInt8(ascii: "{") else { continue }
        return try readAttribute(fields + field)
      }
      switch texts.find(path.keys, in: scanner) {
      case .absent: continue
      // The key path is refused when the object is read, so no alias is tried (I8).
      case .blocked: return nil
      case .null: return .null
      case .value(let found):
        scanner.move(to: found, depth: scanner.depth + path.keys.count)
        return scanner.peek == UInt8(ascii: "n") ? .null : try readAttribute(fields + field)
      }
    }
    return nil
  }

  /// Returns the JSON value at the scanner's position and its end. The scanner does not move.
  mutating func readValueAhead() throws(JSONSyntaxError) -> (value: JSON, end: UnsafePointer<UInt8>) {
    var reader = scanner
    let value = try JSONBuilder.build(&reader, &scratch, JSONTree.self)
    return (value, reader.position)
  }

  /// Returns the text of a discriminator in the object at the scanner's position, or nil if there is none. Numbers and booleans are
  /// compared by their JSON text (D4).
  mutating func readDiscriminator(_ path: JSONKeyPath) throws(JSONSyntaxError) -> Discriminator? {
    guard case .value(let place) = texts.find(path.keys, in: scanner) else { return nil }
    var reader = scanner
    reader.move(to: place)
    let text: String
    var isBare = false
    switch reader.peek {
    case UInt8(ascii: "\""):
      let raw = try reader.scanString()
      text = String(decoding: reader.text(of: raw, in: &scratch), as: UTF8.self)
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "n"):
      return nil
    default:
      try reader.skipValue()
      text = String(decoding: LentBytes(start: place, count: reader.position - place), as: UTF8.self)
      isBare = true
    }
    let length = texts.isPayload ? reader.position - place : 1
    return Discriminator(text: text, isBare: isBare, offset: offset(of: place), length: length)
  }

  struct Discriminator {
    var text: String
    /// Whether the discriminator is a number or a boolean.
    var isBare: Bool
    var offset: Int
    var length: Int
  }

  // MARK: Dictionary transformers

  /// Continues in the text that a dictionary transformer returned for the object at the scanner's position.
  ///
  /// - Parameters:
  ///   - end: the position after that object.
  ///   - replacing: whether the object is itself the text of a transformer.
  mutating func enterTransformed(_ text: [UInt8], end: UnsafePointer<UInt8>, replacing: Bool) {
    texts.enter(text, &scanner, end: end, at: offset, replacing: replacing)
  }

  /// Skips the value at the scanner's position, and leaves the transformer's text if the value is that text.
  mutating func skipValue(isTransformed: Bool) throws(JSONSyntaxError) {
    try scanner.skipValue()
    if isTransformed { texts.leave(&scanner) }
    try log.stopIfFull()
  }
}

extension EntityPlan {
  /// Returns the key path or alias of a field. A relationship without a key path has its name instead, because a payload may be the
  /// value of the relationship (I24).
  func path(ofField field: FieldPlan) -> JSONKeyPath {
    let property = properties[field.slot]
    return field.rank == 0
      ? property.keyPath ?? JSONKeyPath(keys: [property.name]) : property.keyPathAliases[field.rank - 1]
  }
}
