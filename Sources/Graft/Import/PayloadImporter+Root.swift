/// The whole payload: one object, an array, a keyed collection, or an identifier (I1, M11).
extension PayloadImporter {
  /// Reads everything and finishes. The rows of the payload's objects are in ``roots``.
  mutating func importAll(_ source: PayloadSource, _ parts: [PlannedPart]) throws(JSONSyntaxError) {
    let limit = options.limits.bytes
    if scanner.end - scanner.start > limit { throw scanner.failure(.limit("bytes", limit), at: scanner.start) }
    let outerDepth = source.outerDepth
    notesIdentified = parts.contains { $0.isDoomed != nil }
    for part in parts {
      scanner.position = scanner.start
      scanner.depth = outerDepth
      rootEntity = part.entity
      if source.form == .lines { try readLines(part) } else { try readDocument(part) }
    }
    try finish()
    if isSingle, roots.count > 1 { refuseMany(rootEntity) }
  }

  private mutating func readDocument(_ part: PlannedPart) throws(JSONSyntaxError) {
    try scanner.beginText()
    if !part.isRequired, let keys = part.keyPath?.keys, case .absent = JSONLocator.find(keys, in: scanner) {
      try scanner.skipValue()
      try scanner.endText()
      return
    }
    let envelope = Envelope(part.keyPath, options.words)
    try envelope.enter(&scanner, &scratch)
    if let isDoomed = part.isDoomed, scanner.peek != UInt8(ascii: "n") {
      wholeLists.append(WholeList(entity: part.entity, offset: offset, isDoomed: isDoomed))
    }
    try readRoot(part.entity)
    try envelope.leave(&scanner, &scratch)
  }

  /// JSON Lines: each line is a document of its own, or blank.
  private mutating func readLines(_ part: PlannedPart) throws(JSONSyntaxError) {
    let end = scanner.end
    while scanner.position < end {
      scanner.end = end
      let rest = UnsafeRawBufferPointer(start: scanner.position, count: end - scanner.position)
      let length = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.count
      let next = scanner.position + min(length + 1, rest.count)
      scanner.end = scanner.position + length
      scanner.skipWhitespace()
      if !scanner.isAtEnd { try readDocument(part) }
      scanner.position = next
    }
    scanner.end = end
  }

  private mutating func readRoot(_ entity: Int) throws(JSONSyntaxError) {
    switch scanner.peek {
    case UInt8(ascii: "[") where isSingle && layouts[entity].identityCount < 2:
      try refuseArray(entity)
      return
    case UInt8(ascii: "[") where isSingle:
      if let row = try readIdentifier(entity, slot: nil, field: nil) { roots.append(row) }
      return
    case UInt8(ascii: "["):
      try openList(.list, entity, field: -1)
    case UInt8(ascii: "{"):
      if try isKeyedCollection(entity) {
        try openList(.keyed, entity, field: -1)
      } else {
        guard try openObject(entity, field: -1, key: nil) else {
          if isPassedOver { takePassedOver(nil) }
          return
        }
      }
    case UInt8(ascii: "n"):
      try scanner.literal(.null)
      return
    default:
      if let row = try readIdentifier(entity, slot: nil, field: nil) { roots.append(row) }
      return
    }
    try run(downTo: 0)
  }

  /// Whether a top-level object is a collection whose keys are the objects' keys (M11). Where `@key` is the key path of an
  /// attribute it is one; where it is an alias, both shapes are read, so an object that holds one of the entity's own keys is
  /// one object, and any other is a collection.
  private func isKeyedCollection(_ entity: Int) throws(JSONSyntaxError) -> Bool {
    let field = layouts[entity].keyField
    guard field >= 0 else { return false }
    if fields[field].rank == 0 { return true }
    let group = groups[layouts[entity].group]
    return !JSONLocator.hasKey(in: scanner) { plan.field(named: $0, in: group) != nil }
  }
}
