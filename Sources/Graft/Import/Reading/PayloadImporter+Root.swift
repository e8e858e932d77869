/// The whole payload: one object, an array, a keyed collection, or an identifier (I1, M11).
extension PayloadImporter {
  /// Reads a payload, or a piece of one, and applies it; ``finish()`` follows when all of them are read. The rows of its objects
  /// join ``roots``.
  ///
  /// - Parameter base: the offset of its first byte among all that is read.
  mutating func read(_ source: PayloadSource, at base: Int, _ parts: [PlannedPart]) throws(JSONSyntaxError) {
    options = source.options
    insertedCount = 0
    let maxDepth = min(max(1, options.limits.depth), JSONBuilder.deepest)
    scanner = JSONScanner(source.bytes, maxDepth: maxDepth, base: base)
    pieceStart = scanner.position
    ends.removeAll()
    for var fault in source.faults {
      fault.offset += base
      record(fault)
    }
    let limit = options.limits.bytes
    if source.bytes.count > limit { throw scanner.failure(.limit("bytes", limit)) }
    notesIdentified = parts.contains { $0.isDoomed != nil }
    for part in parts {
      scanner.position = pieceStart
      scanner.depth = source.outerDepth
      rootEntity = part.entity
      if source.form == .lines {
        try readLines(part, isAtBeginning: source.isAtBeginning)
      } else {
        try readDocument(part, isAtBeginning: source.isAtBeginning)
      }
    }
    scratch.reset()
    deferrals.endPiece()
  }

  private mutating func readDocument(_ part: PlannedPart, isAtBeginning: Bool = true) throws(JSONSyntaxError) {
    if isAtBeginning { try scanner.beginText() }
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
  private mutating func readLines(_ part: PlannedPart, isAtBeginning: Bool) throws(JSONSyntaxError) {
    let end = scanner.end
    // The line of a byte order mark may be blank as well.
    if isAtBeginning, end - scanner.position >= 3, scanner.position[0] == 0xEF, scanner.position[1] == 0xBB,
      scanner.position[2] == 0xBF
    {
      scanner.position += 3
    }
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
