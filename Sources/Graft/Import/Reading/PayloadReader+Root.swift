/// The value that holds the payload's objects: one object, an array, a keyed collection, or an identifier (I1, M11).
extension PayloadReader {
  /// Begins to read the value at the scanner's position.
  ///
  /// - Returns: an object whose entity must be chosen, or nil if there is nothing to decide yet.
  mutating func openRoot() throws(JSONSyntaxError) -> Opening? {
    let entity = roots.entity
    if roots.areLines {
      openLines(entity)
      return nil
    }
    if !roots.segments.isEmpty, !isAtNull {
      try openRootSpread(entity)
      return nil
    }
    switch scanner.peek {
    case UInt8(ascii: "[") where roots.isSingle && layouts[entity].forms.readsElements:
      return Opening(entity: entity, field: -1, isElementValue: true)
    case UInt8(ascii: "[") where roots.isSingle:
      if layouts[entity].identity.isArray { try readRootIdentifier(entity) } else { try refuseArray(entity) }
    case UInt8(ascii: "["):
      try openList(.list, entity, field: -1)
      open.frames.last.pointee.index += roots.firstElement
    case UInt8(ascii: "{") where layouts[entity].forms.readsElements && isElementValue(of: entity):
      return Opening(entity: entity, field: -1, isElementValue: true)
    case UInt8(ascii: "{"):
      if plan.isKeyedCollection(scanner, of: entity) {
        try openList(.keyed, entity, field: -1)
      } else if layouts[entity].reading.needsPreparation {
        return Opening(entity: entity, field: -1)
      } else {
        try pushObject(entity, field: -1, key: nil)
      }
    case UInt8(ascii: "n") where roots.areElements:
      try skipNull(in: entity)
    case UInt8(ascii: "n"):
      try scanner.literal(.null)
    default:
      if layouts[entity].forms.readsElements { return Opening(entity: entity, field: -1, isElementValue: true) }
      try readRootIdentifier(entity)
    }
    return nil
  }

  private mutating func readRootIdentifier(_ entity: Int) throws(JSONSyntaxError) {
    if let row = try readIdentifier(entity, slot: nil, field: nil) { roots.rows.append(row) }
  }
}

extension Plan {
  /// Returns whether the object at the scanner's position, which holds a payload's objects, is a collection whose keys are the
  /// objects' keys (M11). If `@key` is the key path of an attribute, the object is a collection. If `@key` is an alias, both forms
  /// are read: an object that has one of the entity's own keys is one object, and any other is a collection.
  func isKeyedCollection(_ scanner: JSONScanner, of entity: Int) -> Bool {
    let field = layouts[entity].forms.keyField
    guard field >= 0 else { return false }
    if fields[field].rank == 0 { return true }
    let group = groups[layouts[entity].group]
    return !JSONLocator.hasKey(in: scanner) { key in
      self.field(named: key, in: group).map { !fields[$0].isForOthers } ?? false
    }
  }
}
