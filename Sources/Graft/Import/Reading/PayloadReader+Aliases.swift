/// Decides which of several values is used, for aliases and for nulls on key paths (M7, I8, D3).
extension PayloadReader {
  /// Returns whether a field's value is used. An alias is used only if the key path and all preceding aliases are absent (M7, D3).
  /// A value that may be read ahead is used only if it was not read ahead.
  @inline(never)
  mutating func takes(_ field: Int, _ frame: ImportFrame) throws(JSONSyntaxError) -> Bool {
    let plan = fields + field
    if wasReadAhead(field, frame) { return false }
    if plan.pointee.rank == 0 { return true }
    if !open.cells[frame.cells + plan.pointee.slot].isAbsent { return false }
    let entity = self.plan.entities[frame.entity]
    var reader = scanner
    // The depth of the frame is unknown, but was checked when it was entered.
    reader.move(to: frame.start, depth: 0)
    for better in entity.fields.ofSlot[plan.pointee.slot] ?? [] where fields[better].rank < plan.pointee.rank {
      let path = entity.path(ofField: fields[better])
      if path.isObjectKey {
        if frame.key != nil { return false }
      } else if path.isElementIndex {
        if open.isElement { return false }
      } else if !path.isElementValue {
        guard case .absent = texts.find(path.keys, in: reader) else { return false }
      }
    }
    return true
  }

  /// Returns whether a field's value was read before its object. Such a field has a cell, unless the value was searched for and not found.
  func wasReadAhead(_ field: Int, _ frame: ImportFrame) -> Bool {
    guard frame.marks.isPrefilled else { return false }
    return switch fields[field].ahead {
    case .never: false
    case .ifNeeded: !open.cells[frame.cells + fields[field].slot].isAbsent
    case .always: true
    }
  }

  /// Handles a null along a key path, which is treated as a null at the end of the key path (I8).
  mutating func setNull(group: Int, _ frame: ImportFrame) throws(JSONSyntaxError) {
    for field in groups[group].first..<groups[group].first + groups[group].count {
      if fields[field].reading == .skipped { continue }
      if fields[field].reading == .group {
        try setNull(group: fields[field].group, frame)
      } else if try takes(field, frame) {
        if fields[field].hasInverseBeside { noteOrder(field, frame) }
        open.cells[frame.cells + fields[field].slot] = .null
      }
    }
  }

  /// Rejects a value that is not an object, although key paths pass through it.
  ///
  /// - Returns: a field whose key path passes through the value; nil if all of these paths are aliases of values that exist elsewhere (M7).
  mutating func setInvalid(group: Int, _ frame: ImportFrame) throws(JSONSyntaxError) -> Int? {
    var first: Int?
    for field in groups[group].first..<groups[group].first + groups[group].count {
      if fields[field].reading == .skipped { continue }
      if fields[field].reading == .group {
        let inner = try setInvalid(group: fields[field].group, frame)
        first = first ?? inner
        continue
      }
      // A value that was searched for ahead of its object was not found here either.
      let isAsked =
        try frame.marks.isPrefilled && fields[field].ahead == .always
        ? open.cells[frame.cells + fields[field].slot].isAbsent : takes(field, frame)
      if isAsked {
        open.cells[frame.cells + fields[field].slot] = .invalid
        first = first ?? field
      }
    }
    return first
  }

  /// Notes that a relationship appears after its inverse, which the model declares later.
  @inline(never)
  mutating func noteOrder(_ field: Int, _ frame: ImportFrame) {
    let slot = fields[field].slot
    let inverse = layouts[frame.entity].slots[slot].inverse
    if slot < inverse, !open.cells[frame.cells + inverse].isAbsent { open.noteLate(slot, cells: frame.cells) }
  }
}
