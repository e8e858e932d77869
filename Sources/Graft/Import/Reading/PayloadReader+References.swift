/// Reads dictionaries that only refer to an object (M21).
///
///     {"id": 7}                        the object 7
///     {"type": "people", "id": "9"}    the person 9, if the mapper reads "type"
extension PayloadReader {
  /// Returns whether a dictionary may be only a reference (M21), because its relationship has `JSONReferences`.
  func mayRefer(_ opening: Opening) -> Bool {
    let field = opening.field >= 0 || open.frames.count == 0 ? opening.field : open.frames.last.pointee.field
    guard field >= 0, fields[field].forms >= 0 else { return false }
    return plan.forms[fields[field].forms].hasReferences
  }

  /// Reads the dictionary at the scanner's position as an identifier, if nothing else in it is mapped. The scanner does not move.
  ///
  /// - Parameter object: the object of the dictionary. Values that have already been read for it are not read again, and values that
  ///   are read are kept for it.
  /// - Returns: nil if the dictionary is more than an identifier; otherwise the row or waiting identifier of its object, or an
  ///   inner nil if the identifier was refused.
  mutating func readReference(_ object: inout ChosenObject, _ opening: Opening) throws(JSONSyntaxError) -> UInt32?? {
    let entity = object.entity
    var unknown: [UnsafePointer<UInt8>] = []
    guard layouts[entity].identity.count > 0, try hasOnlyIdentity(entity, &unknown) else { return nil }
    guard
      let ahead = try readIdentity(of: entity, key: opening.key, field: opening.field, known: object.identity)?.identity
    else { return nil }
    object.identity = ahead
    let values = ahead.values.prefix(layouts[entity].identity.count).map(\.cell)
    if values.contains(where: { $0.tag == .invalid }) {
      try log.stopIfFull()
      return .some(nil)
    }
    guard values.allSatisfy({ $0.tag == .word || $0.tag == .text || $0.tag == .row }) else { return nil }
    let field = opening.field >= 0 ? opening.field : open.frames.last.pointee.field
    let slot = layouts[fields[field].entity].slots + fields[field].slot
    let start = scanner.position
    var reader = scanner
    try reader.skipValue()
    let row = try finder.row(
      of: entity, values, defersUnknown: slot.pointee.defersUnknown, at: offset,
      LentBytes(start: start, count: reader.position - start))
    // Unknown keys of a dictionary that another object shares are reported for that object (M23).
    for key in opening.isShared ? [] : unknown { try tellUnknown(key, of: entity, groups[layouts[entity].group]) }
    return .some(row)
  }

  /// Returns whether the only mapped keys of the dictionary at the scanner's position are the keys of its identity and its mapper.
  ///
  /// - Parameter unknown: receives the unmapped keys, if they are wanted.
  private mutating func hasOnlyIdentity(
    _ entity: Int, _ unknown: inout [UnsafePointer<UInt8>]
  ) throws(JSONSyntaxError) -> Bool {
    var reader = scanner
    return try hasOnlyIdentity(entity, layouts[entity].group, under: [], &reader, &unknown)
  }

  private mutating func hasOnlyIdentity(
    _ entity: Int, _ group: Int, under keys: [String], _ reader: inout JSONScanner,
    _ unknown: inout [UnsafePointer<UInt8>]
  ) throws(JSONSyntaxError) -> Bool {
    guard reader.depth < reader.maxDepth else { return false }
    try reader.descend()
    reader.advance()
    reader.skipWhitespace()
    if reader.peek == UInt8(ascii: "}") {
      reader.advance()
      reader.ascend()
      return true
    }
    var met: [Int] = []
    repeat {
      let place = reader.position
      let key = try reader.scanKey()
      let found = plan.field(named: reader.text(of: key, in: &scratch), in: groups[group])
      // A key that occurs twice is found when the whole object is read (D8).
      if let found, met.contains(found) { return false }
      if let found {
        met.append(found)
      } else if options.unknownKeys != .ignore {
        unknown.append(place)
      }
      if let found, fields[found].reading == .group, reader.peek == UInt8(ascii: "{") {
        let inner = keys + [fields[found].name]
        if try !hasOnlyIdentity(entity, fields[found].group, under: inner, &reader, &unknown) { return false }
        continue
      }
      if let found, !fields[found].isIdentity, !fields[found].isForOthers, !isDiscriminator(found, entity, under: keys)
      {
        return false
      }
      try reader.skipValue()
    } while try reader.continues(before: UInt8(ascii: "}"))
    reader.ascend()
    return true
  }

  /// Returns whether a field is the key of a mapper and is not mapped by any property. A dictionary with a deletion mark is more
  /// than a reference.
  private func isDiscriminator(_ field: Int, _ entity: Int, under keys: [String]) -> Bool {
    if fields[field].reading == .skipped {
      let path = keys + [fields[field].name]
      return plan.entities[entity].discriminators.contains {
        $0.keys.elementsEqual(path) { UTF8Key($0) == UTF8Key($1) }
      }
    }
    let path = fields[field].slot >= 0 ? plan.entities[entity].path(ofField: fields[field]) : nil
    return path.map { plan.entities[entity].discriminators.contains($0) } ?? false
  }
}
