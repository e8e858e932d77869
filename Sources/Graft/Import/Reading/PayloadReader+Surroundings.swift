/// Reads values from outside an object: from the object that encloses it, and from the document (M19).
///
///     {"lines": [{"sku": "A"}, {"sku": "B"}], "id": 7}        the lines read "@parent.id", which comes later
///      ^ a copy of the scanner looks ahead from here, at the end of the first line
///
/// A syntax error along the path is left to the reader, which reaches it later.
extension PayloadReader {
  /// Completes the innermost object, whose brace has been read.
  mutating func readSurroundings(of frame: UnsafeMutablePointer<ImportFrame>) throws(JSONSyntaxError) {
    let (cells, offset) = (frame.pointee.cells, frame.pointee.offset)
    for field in plan.entities[frame.pointee.entity].fields.surrounding {
      let index = cells + fields[field].slot
      guard open.cells[index].isAbsent else { continue }
      switch fields[field].reading {
      case .parts:
        open.cells[index] = try readParts(fields + field, of: frame)
        if fields[field].hasInverseBeside, !open.cells[index].isAbsent { noteOrder(field, frame.pointee) }
        continue
      case .spread:
        try readSpread(field, of: frame)
        continue
      default: break
      }
      let cell = try readSurrounding(field, within: open.frames.count - 1, ofObjectAt: offset)
      open.cells[index] = cell
      // This value is read after everything that the object contains.
      if fields[field].hasInverseBeside, !cell.isAbsent { noteOrder(field, frame.pointee) }
    }
  }

  /// Reads a value for an object, or takes the value that another object has read.
  ///
  /// - Parameters:
  ///   - count: the number of frames that enclose the object.
  ///   - offset: the offset of the object.
  mutating func readSurrounding(
    _ field: Int, within count: Int, ofObjectAt offset: Int
  ) throws(JSONSyntaxError) -> Cell {
    guard let origin = origin(of: field, within: count) else { return .absent }
    var value: SurroundingValues.Value
    if let known = open.surroundings.value(field, from: origin) {
      value = known
    } else {
      value = try lookUp(field, origin)
    }
    if !value.faults.faults.isEmpty {
      log.take(value.faults)
      try log.stopIfFull()
    }
    switch value.cell.tag {
    case .text:
      if !open.surroundings.take(value.cell.count) { throw scanner.failure(.tooManyCopies(options.limits.bytes)) }
    case .word: break
    default:
      notePlace(of: value, ofObjectAt: offset)
      return value.cell
    }
    if layouts[fields[field].entity].reading.hasRules { notePlace(of: value, ofObjectAt: offset) }
    return value.cell
  }

  /// Notes the location of an object's value, for faults that appear only at the end.
  private func notePlace(of value: SurroundingValues.Value, ofObjectAt offset: Int) {
    if value.offset < 0 { return }
    shelf.surroundingPlaces.note(value.offset, of: fields[value.field].slot, ofObjectAt: offset)
  }

  // MARK: Looking ahead

  /// Returns the source of a field, or nil if nothing encloses the object.
  private mutating func origin(of field: Int, within count: Int) -> SurroundingValues.Origin? {
    if fields[field].surroundings == .root { return open.surroundings.document.map { .document($0) } }
    var index = count - 1
    // The object whose `@value` is this object has the same dictionary.
    while index >= 0, open.frames.base[index].kind != .object || isShared(index, fields[field].entity) { index -= 1 }
    guard index >= 0 else { return open.surroundings.envelope.map { .envelope($0) } }
    if !open.frames.base[index].wasAsked {
      open.frames.base[index].wasAsked = true
      open.surroundings.open(index)
    }
    return .frame(index)
  }

  /// Returns whether an object of an entity, directly inside the object of a frame, is read from the same dictionary.
  private func isShared(_ frame: Int, _ entity: Int) -> Bool {
    let layout = layouts + open.frames.base[frame].entity
    return layout.pointee.forms.sharesDictionary && open.frames.base[frame].marks.isElementValue
      && layouts[entity].table == layouts[fields[layout.pointee.forms.valueField].destination].table
  }

  private mutating func lookUp(
    _ field: Int, _ origin: SurroundingValues.Origin
  ) throws(JSONSyntaxError) -> SurroundingValues.Value {
    var level = 0
    let start: UnsafePointer<UInt8>
    switch origin {
    case .document(let place), .envelope(let place): start = place
    case .frame(let index):
      start = open.frames.base[index].start
      // Each object that a transformer replaced has its own text.
      if !texts.isPayload { level = open.frames.elements[...index].count { $0.marks.isTransformed } }
    }
    let visit = texts.visit(level, &scanner)
    // The depth there is unknown, but was checked when it was entered.
    scanner.move(to: start, depth: 0)
    var value = SurroundingValues.Value(field: field)
    let (result, faults) = log.aside(limit: options.limits.errors) {
      Result { () throws(JSONSyntaxError) in try find(field, origin, &value) }
    }
    let text = start..<scanner.end
    texts.end(visit, &scanner)
    switch result {
    case .success:
      value.faults = faults
      for index in value.faults.faults.indices { value.faults.faults[index].isShared = true }
    case .failure(let error):
      switch error.problem {
      case .limit, .tooManyCopies, .duplicateKey: throw error
      case .stopped: (value.cell, value.faults) = (.invalid, faults)
      default: value = SurroundingValues.Value(field: field)
      }
    }
    return open.surroundings.keep(value, from: origin, in: text)
  }

  /// Finds a value in the object at the scanner's position, and reads it.
  private mutating func find(
    _ number: Int, _ origin: SurroundingValues.Origin, _ value: inout SurroundingValues.Value
  ) throws(JSONSyntaxError) {
    let field = fields + number
    let keys = Array(plan.entities[field.pointee.entity].path(ofField: field.pointee).keys.dropFirst())
    try refuseRepeated(keys, origin)
    switch find(keys, origin) {
    case .absent: return
    case .null(let place):
      value.cell = .null
      note(place, &value)
    case .blocked(let place):
      value.cell = .invalid
      try refuseBlocked(field, at: place, &value)
    case .value(let place):
      scanner.move(to: place)
      note(place, &value)
      switch field.pointee.reading {
      case .toOne: value.cell = try readSurroundingIdentifier(field)
      case .shaped:
        value.cell =
          try passNull(field) ? .null : readSurroundingIdentifier(fields + field.pointee.inner)
      default: value.cell = try readAttribute(field)
      }
    }
  }

  /// Searches the source for keys. The document is searched only once for each field, so there is no need to remember the ends of its
  /// containers.
  private mutating func find(_ keys: [String], _ origin: SurroundingValues.Origin) -> JSONLocator.Place {
    if case .frame = origin { texts.find(keys, in: scanner) } else { JSONLocator.find(keys, in: scanner) }
  }

  /// Refuses a key that occurs twice in an object that encloses the payload's objects (I13). These keys are not checked anywhere else.
  private func refuseRepeated(_ keys: [String], _ origin: SurroundingValues.Origin) throws(JSONSyntaxError) {
    if case .frame = origin { return }
    guard open.surroundings.envelope != nil, let found = JSONLocator.findRepeated(keys, in: scanner) else { return }
    throw scanner.failure(.duplicateKey(found.key), at: found.place)
  }

  private func note(_ place: UnsafePointer<UInt8>, _ value: inout SurroundingValues.Value) {
    if texts.isPayload { value.offset = offset(of: place) }
  }

  /// Reads an identifier. The object itself is imported at its own location.
  private mutating func readSurroundingIdentifier(
    _ field: PlanReference<FieldPlan>
  ) throws(JSONSyntaxError) -> Cell {
    guard scanner.peek == UInt8(ascii: "{") else { return try readToOneIdentifier(field) }
    let start = offset
    let length = try found().length
    let path = plan.entities[field.pointee.entity].path(ofField: field.pointee)
    log.record(
      .surroundingObject(path, subject(field), plan.entities[field.pointee.destination]), at: start, length: length)
    return .invalid
  }

  /// Rejects a value that is not an object, although a key path passes through it (I8).
  private mutating func refuseBlocked(
    _ field: PlanReference<FieldPlan>, at place: UnsafePointer<UInt8>, _ value: inout SurroundingValues.Value
  ) throws(JSONSyntaxError) {
    scanner.move(to: place)
    note(place, &value)
    let start = offset
    let found = try found()
    let path = plan.entities[field.pointee.entity].path(ofField: field.pointee)
    log.record(.blockedKeyPath(path, subject(field), found: found.phrase), at: start, length: found.length)
  }
}
