/// Reads identifiers in which each value has its own key (M24).
///
///     {"shop_id": 3, "sku": "A", "count": 2}        the product identified by shop and sku: (3, "A")
///
/// Such identifiers are read at the end of the object, because other properties may read the same keys.
extension PayloadReader {
  /// Reads the identifier of a to-one relationship at the end of the innermost object. If none of its values is present, the
  /// identifier is absent. If all values are null, or some are absent, the identifier is null. Keys that other properties also
  /// read are disregarded, unless there are no other keys. In that case, the identifier is absent if one value is absent, and
  /// null if one value is null.
  mutating func readParts(
    _ field: PlanReference<FieldPlan>, of frame: UnsafeMutablePointer<ImportFrame>
  ) throws(JSONSyntaxError) -> Cell {
    let end = (position: scanner.position, depth: scanner.depth)
    defer { scanner.move(to: end.position, depth: end.depth) }
    // The depth of the frame is unknown, but was checked when it was entered.
    scanner.move(to: frame.pointee.start, depth: 0)
    let object = scanner
    var places: [UnsafePointer<UInt8>?] = []
    var nulls: Set<Int> = []
    let parts = plan.forms[field.pointee.forms].parts
    for (number, part) in parts.enumerated() {
      var place: UnsafePointer<UInt8>?
      switch texts.find(part.path.keys, in: object) {
      case .absent: break
      case .null: nulls.insert(number)
      // Another property reads the value at this location, which is not an object.
      case .blocked where part.isShared: break
      case .blocked(let place):
        scanner.move(to: place)
        let start = offset
        let found = try found()
        log.record(.blockedKeyPath(part.path, subject(field), found: found.phrase), at: start, length: found.length)
        try log.stopIfFull()
        return .invalid
      case .value(let found):
        scanner.move(to: found)
        if try passNull(field) { nulls.insert(number) } else { place = found }
      }
      places.append(place)
    }
    let own = parts.indices.filter { !parts[$0].isShared }
    if own.isEmpty, parts.indices.contains(where: { places[$0] == nil && !nulls.contains($0) }) { return .absent }
    if own.isEmpty, !nulls.isEmpty { return .null }
    guard let first = (own.isEmpty ? Array(parts.indices) : own).compactMap({ places[$0] }).first else {
      return nulls.isDisjoint(with: own) ? .absent : .null
    }
    if places.contains(nil) {
      let missing = zip(parts, places).filter { $0.1 == nil }.map(\.0.path)
      log.record(.incompleteIdentifier(subject(field), missing: missing), at: offset(of: first))
      try log.stopIfFull()
      return .invalid
    }
    return try readParts(field, parts, at: places.compactMap(\.self), object)
  }

  /// Reads an identifier whose values are all present.
  private mutating func readParts(
    _ field: PlanReference<FieldPlan>, _ parts: [ValueForms.Part], at places: [UnsafePointer<UInt8>],
    _ object: JSONScanner
  ) throws(JSONSyntaxError) -> Cell {
    let entity: Int
    switch try choice(of: field, parts, at: places) {
    case .entity(let chosen): entity = chosen
    case .skipped: return standIn(field, parts, at: places)
    case .refused: return .invalid
    }
    let slot = layouts[field.pointee.entity].slots + field.pointee.slot
    guard let given = try readValues(of: entity, field, parts, at: places) else {
      try log.stopIfFull()
      return .invalid
    }
    scanner.move(to: places[0], depth: 1)
    let start = offset
    try scanner.skipValue()
    let spelling = LentBytes(start: places[0], count: scanner.position - places[0])
    let row = try finder.row(
      of: entity, given, defersUnknown: slot.pointee.defersUnknown, at: start, spelling)
    return row.map { finder.toOneCell($0) } ?? .invalid
  }

  /// Returns the values of an identity; nil if one of the values does not fit its attribute.
  private mutating func readValues(
    of entity: Int, _ field: PlanReference<FieldPlan>, _ parts: [ValueForms.Part], at places: [UnsafePointer<UInt8>]
  ) throws(JSONSyntaxError) -> [Cell]? {
    let slot = layouts[field.pointee.entity].slots + field.pointee.slot
    var values: [Cell?] = Array(repeating: nil, count: layouts[entity].identity.count)
    for (part, place) in zip(parts, places) {
      guard let index = part.index else { continue }
      scanner.move(to: place, depth: 1)
      values[index] = try readIdentityValue(index, of: entity, slot: slot, field: field)
    }
    let given = values.compactMap(\.self)
    return given.count == values.count ? given : nil
  }

  /// Returns the replacement for a reference that the mapper skips: the object with the identity, if it exists when the payload
  /// ends (D13). Such objects may be identified in another way, so values that do not fit are not errors.
  private mutating func standIn(
    _ field: PlanReference<FieldPlan>, _ parts: [ValueForms.Part], at places: [UnsafePointer<UInt8>]
  ) -> Cell {
    let destination = field.pointee.destination
    let (values, found) = log.aside(limit: options.limits.errors) {
      try? readValues(of: destination, field, parts, at: places)
    }
    guard found.faults.isEmpty, let values = values ?? nil else { return .absent }
    scanner.move(to: places[0], depth: 1)
    return finder.toOneCell(finder.wait(for: destination, values, at: offset, nil, isSkipped: true))
  }

  private enum Choice { case entity(Int), skipped, refused }

  /// Returns the entity of the identified object: the destination, or the entity that its mapper chooses by one of the values (M3).
  private mutating func choice(
    of field: PlanReference<FieldPlan>, _ parts: [ValueForms.Part], at places: [UnsafePointer<UInt8>]
  ) throws(JSONSyntaxError) -> Choice {
    let destination = plan.entities[field.pointee.destination]
    guard case .table(let path, let entities) = destination.mapper else { return .entity(destination.index) }
    let index = parts.firstIndex { part in
      guard let index = part.index else { return true }
      return destination.properties[destination.identitySlots[index]].keyPath == path
    }
    guard let index else { return .entity(destination.index) }
    scanner.move(to: places[index], depth: 1)
    let start = offset
    let (value, end) = try readValueAhead()
    let text = value.stringValue ?? value.description
    switch (entities[text], destination.fallback) {
    case (let entity?, _) where finder.isKind(entity, of: destination.index),
      (nil, .entity(let entity)?) where finder.isKind(entity, of: destination.index):
      return .entity(entity)
    case (nil, .skip?):
      log.suspicions.noteSkipped(
        ImportFault(
          .skippedDictionary(
            destination, path, found: FoundPhrase.value(LentBytes(start: places[index], count: end - places[index]))),
          at: start, length: texts.isPayload ? end - places[index] : 1))
      return .skipped
    case (nil, nil) where !destination.description.isAbstract: return .entity(destination.index)
    default: break
    }
    log.record(
      .unlistedDiscriminator(
        destination, path, text, legal: entities.discriminators,
        found: FoundPhrase.value(LentBytes(start: places[index], count: end - places[index]))), at: start,
      length: texts.isPayload ? end - places[index] : 1)
    try log.stopIfFull()
    return .refused
  }
}
