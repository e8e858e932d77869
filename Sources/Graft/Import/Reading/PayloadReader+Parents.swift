/// Reads a payload as the value of a relationship of a known object (I24).
///
///     [{"id": 1}, {"id": 2}]        the photos of album 9, which the payload does not name
///
/// The object is treated as if it had been applied and had set the whole payload aside (M12).
extension PayloadReader {
  /// Begins to read the value at the scanner's position.
  mutating func openParent(_ parent: PlannedPart.Parent) throws(JSONSyntaxError) {
    guard let row = try row(of: parent) else { return try scanner.skipValue() }
    let parentRow = finder.editor.state.placed(layouts[parent.entity].table, row)
    finder.editor.touch(parentRow)
    parentRow.row.isDescribed = true
    let entity = parentRow.row.entity
    guard let field = plan.entities[entity].field(ofRelationship: parent.slot) else { return try scanner.skipValue() }
    let layout = layouts + entity
    var value = SetAsideValue(cells: open.cells.count, field: field, start: scanner.position, depth: scanner.depth)
    if !roots.segments.isEmpty, !isAtNull {
      let place = (position: scanner.position, depth: scanner.depth)
      let isToMany = layout.pointee.slots[parent.slot].kind == .toMany
      let elements = isToMany ? try collectRoots() : try refuseRoots("one value, because the relationship is a to-one")
      scanner.move(to: place.position, depth: place.depth)
      guard let elements else { return try scanner.skipValue() }
      (value.elements, value.isSpread) = (elements, true)
    }
    let first = open.cells.count
    let cells = open.cells.extend(by: layout.pointee.frameCells)
    for index in 0..<layout.pointee.frameCells { (cells + index).initialize(to: .absent) }
    // No object of the payload encloses the objects below.
    open.frames.append(
      ImportFrame(
        kind: .owned, entity: entity, group: layout.pointee.group, cells: first, field: -1, rows: open.rows.count,
        offset: offset, start: scanner.position))
    open.setAside(value)
    try scanner.skipValue()
    _ = openOwner(row)
  }

  /// Whether all frames except the parent's have been closed.
  var isAtParent: Bool { open.frames.count == 1 && open.frames.last.pointee.kind == .owned }

  /// Whether the scanner is inside an object of the payload.
  var isInObject: Bool { open.frames.elements.contains { $0.kind == .object || $0.kind == .owned } }

  private mutating func row(of parent: PlannedPart.Parent) throws(JSONSyntaxError) -> UInt32? {
    switch parent.object {
    case .object(let object): return object.number
    case .identifier(let text):
      texts.enter(text, &scanner, end: scanner.position, at: offset, replacing: false)
      defer { texts.leave(&scanner) }
      return try readIdentifier(parent.entity, slot: nil, field: nil)
    }
  }
}

extension EntityPlan {
  /// Returns the field that reads a relationship, even if the relationship has no key path.
  func field(ofRelationship slot: Int) -> Int? { fields.ofRelationship[slot] ?? fields.ofSlot[slot]?.first }
}
