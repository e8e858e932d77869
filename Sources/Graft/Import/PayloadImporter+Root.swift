/// The whole payload: one object, an array, a keyed collection, or an identifier (I1, M11).
extension PayloadImporter {
  /// Reads everything and finishes. The rows of the payload's objects are in ``roots``.
  mutating func importAll(_ entity: Int, at path: JSONKeyPath?) throws(JSONSyntaxError) {
    rootEntity = entity
    let envelope = Envelope(path)
    let limit = options.limits.bytes
    if scanner.end - scanner.start > limit { throw scanner.failure(.limit("bytes", limit), at: scanner.start) }
    try scanner.beginText()
    try envelope.enter(&scanner, &scratch)
    try readRoot(entity)
    try envelope.leave(&scanner, &scratch)
    try finish()
    if isSingle, roots.count > 1 { refuseMany(entity) }
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
        guard try openObject(entity, field: -1, key: nil) else { return }
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
    for index in groups[layouts[entity].group].first..<groups[layouts[entity].group].first
      + groups[layouts[entity].group].count
    {
      let key = String(
        decoding: UnsafeBufferPointer(start: fields[index].key, count: fields[index].length - 1), as: UTF8.self)
      if case .absent = JSONLocator.find([key], in: scanner) { continue }
      return false
    }
    return true
  }
}
