/// Reads the values on key paths through arrays (M25).
///
///     {"edges": [{"node": {"id": 1}}, {"node": {"id": 2}}]}         "edges[].node"
///                         ^                    ^ the elements of the list
///
/// The values are found at the end of their object, because several properties may read the same array. Objects among these values
/// are read when the containing object has been applied, like objects that are identified inside it (M12).
extension PayloadReader {
  /// Reads the values for a list of the innermost object, whose brace has been read.
  mutating func readSpread(
    _ field: Int, of frame: UnsafeMutablePointer<ImportFrame>
  ) throws(JSONSyntaxError) {
    let end = (position: scanner.position, depth: scanner.depth)
    defer { scanner.move(to: end.position, depth: end.depth) }
    let plan = fields + field
    let index = frame.pointee.cells + plan.pointee.slot
    // The depth of the frame is unknown, but was checked when it was entered.
    scanner.move(to: frame.pointee.start, depth: 0)
    var elements: [SetAsideValue.Element] = []
    switch try collect(self.plan.forms[plan.pointee.forms].segments[...], .property(plan), &elements) {
    case .absent: break
    case .null: open.cells[index] = .null
    case .refused: open.cells[index] = .invalid
    case .found where plan.pointee.element >= 0: open.cells[index] = try readValues(plan, at: elements)
    case .found:
      open.cells[index] = .setAside
      open.setAside(
        SetAsideValue(
          cells: frame.pointee.cells, field: field, start: frame.pointee.start, depth: 0, elements: elements,
          isSpread: true))
    }
    if options.unknownKeys != .ignore { try readUnknownKeys(besides: plan, of: frame) }
  }

  private enum Collected { case absent, null, refused, found }

  /// The owner of a path through arrays.
  private enum SpreadOwner {
    case property(PlanReference<FieldPlan>)
    /// The payload, and the innermost object on the path so far.
    case payload(UnsafePointer<UInt8>?)
  }

  /// Collects the values on the rest of a path from the object at the scanner's position. Recurses once for each array on the path.
  private mutating func collect(
    _ segments: ArraySlice<[String]>, _ owner: SpreadOwner, _ elements: inout [SetAsideValue.Element]
  ) throws(JSONSyntaxError) -> Collected {
    guard let keys = segments.first else { return .absent }
    let depth = scanner.depth + keys.count
    let isLast = segments.count == 1
    var owner = owner
    if case .payload = owner, plan.features.hasSurroundingPaths, let parent = parent(on: keys) {
      owner = .payload(parent)
    }
    if !keys.isEmpty {
      // The keys of the innermost object are checked when it is read, but the keys of elements are not (I13).
      if segments.startIndex > 0, let repeated = JSONLocator.findRepeated(keys, in: scanner) {
        try refuseDuplicate(repeated.place)
        try log.stopIfFull()
        return .refused
      }
      switch texts.find(keys, in: scanner) {
      case .absent: return .absent
      case .null: return .null
      case .blocked(let place):
        scanner.move(to: place)
        try refuseSpread(owner, "an object")
        return .refused
      case .value(let place): scanner.move(to: place, depth: depth)
      }
    }
    if isLast {
      var element = SetAsideValue.Element(start: scanner.position, depth: scanner.depth)
      if case .payload(let parent) = owner { element.parent = parent }
      elements.append(element)
      return .found
    }
    guard scanner.peek == UInt8(ascii: "[") else {
      try refuseSpread(owner, "an array")
      return .refused
    }
    return try collectEach(segments.dropFirst(), owner, &elements)
  }

  /// Returns the object that contains the last of the given keys, starting from the object at the scanner's position; nil if there
  /// are no keys.
  private mutating func parent(on keys: [String]) -> UnsafePointer<UInt8>? {
    if keys.count < 2 { return keys.isEmpty ? nil : scanner.position }
    guard case .value(let place) = texts.find(keys.dropLast(), in: scanner) else { return nil }
    return place
  }

  /// Collects values from the elements of the array at the scanner's position. Null and missing values are skipped. If no element
  /// has the value, the result is absent, as for a key path without arrays.
  private mutating func collectEach(
    _ segments: ArraySlice<[String]>, _ owner: SpreadOwner, _ elements: inout [SetAsideValue.Element]
  ) throws(JSONSyntaxError) -> Collected {
    var result = Collected.found
    var (hasValue, hasGap) = (false, false)
    try scanner.descend()
    scanner.advance()
    scanner.skipWhitespace()
    if scanner.peek == UInt8(ascii: "]") { return result }
    repeat {
      let place = scanner.position
      let depth = scanner.depth
      if scanner.peek != UInt8(ascii: "n") {
        if segments.first?.isEmpty == false, scanner.peek != UInt8(ascii: "{") {
          try refuseSpread(owner, "an object")
          result = .refused
        } else {
          switch try collect(segments, owner, &elements) {
          case .refused: result = .refused
          case .absent: hasGap = true
          case .null, .found: hasValue = true
          }
        }
      }
      scanner.move(to: place, depth: depth)
      try scanner.skipValue()
    } while try scanner.continues(before: UInt8(ascii: "]"))
    return result == .found && hasGap && !hasValue ? .absent : result
  }

  private mutating func refuseSpread(_ owner: SpreadOwner, _ expected: String) throws(JSONSyntaxError) {
    let start = offset
    let found = try found()
    switch owner {
    case .property(let field):
      let path = plan.entities[field.pointee.entity].path(ofField: field.pointee)
      log.record(
        .wrongOnPath(path, subject(field), expected: expected, found: found.phrase), at: start, length: found.length)
    case .payload:
      log.record(
        .wrongOnPath(words: options.words.at, expected: expected, found: found.phrase), at: start, length: found.length)
    }
    try log.stopIfFull()
  }

  /// Reads the elements of a list of values.
  private mutating func readValues(
    _ field: PlanReference<FieldPlan>, at elements: [SetAsideValue.Element]
  ) throws(JSONSyntaxError) -> Cell {
    var list = OpenValueList(field)
    for element in elements {
      scanner.move(to: element.start, depth: element.depth)
      try readValue(of: &list)
    }
    return close(list)
  }

  // MARK: Objects

  /// Begins to read the objects that were collected for a to-many.
  mutating func openSpread(_ value: SetAsideValue) {
    open.frames.append(
      ImportFrame(
        kind: .spread, entity: fields[value.field].destination, group: 0, cells: 0, field: value.field,
        rows: open.rows.count, offset: open.frames.last.pointee.offset, start: value.start))
  }

  /// Begins to read the payload's objects on a path through arrays. The scanner is at the first object.
  mutating func openRootSpread(_ entity: Int) throws(JSONSyntaxError) {
    let start = (position: scanner.position, depth: scanner.depth)
    var elements = try collectRoots() ?? []
    scanner.move(to: start.position, depth: start.depth)
    try scanner.skipValue()
    // The end of the array, where reading continues.
    elements.append(SetAsideValue.Element(start: scanner.position, depth: scanner.depth))
    roots.begin(elements)
    open.frames.append(
      ImportFrame(
        kind: .spread, entity: entity, group: 0, cells: 0, field: -1, rows: open.rows.count, offset: offset,
        start: start.position))
  }

  /// Collects the payload's objects from the array at the scanner's position, or returns nil if they were refused. Moves the scanner.
  mutating func collectRoots() throws(JSONSyntaxError) -> [SetAsideValue.Element]? {
    let start = (position: scanner.position, depth: scanner.depth)
    guard scanner.peek == UInt8(ascii: "[") else { return try refuseRoots("an array") }
    var elements: [SetAsideValue.Element] = []
    switch try collectEach(roots.segments, .payload(open.surroundings.envelope), &elements) {
    case .absent where roots.isRequired:
      scanner.move(to: start.position, depth: start.depth)
      let keys = roots.segments.first?.joined(separator: ".") ?? ""
      return try refuseRoots("an array with \(keys.quoted) in its elements")
    case .refused: return nil
    case .absent, .null, .found: return elements
    }
  }

  mutating func refuseRoots(_ expected: String) throws(JSONSyntaxError) -> [SetAsideValue.Element]? {
    try refuseSpread(.payload(nil), expected)
    return nil
  }

  mutating func readSpreadElements() throws(JSONSyntaxError) -> Event? {
    let frame = open.frames.last
    if frame.pointee.field < 0 { return try readRootSpread(frame) }
    while true {
      frame.pointee.index &+= 1
      let elements = open.currentSetAside.elements
      guard frame.pointee.index < elements.count else {
        endList(frame)
        return nil
      }
      let element = elements[frame.pointee.index]
      if let parent = element.parent { open.surroundings.enter(parent) }
      scanner.move(to: element.start, depth: element.depth)
      switch try readElement(frame) {
      case .read: continue
      case .opened: return nil
      case .begins(let entity, let isElementValue):
        return begins(Opening(entity: entity, field: -1, isElementValue: isElementValue))
      }
    }
  }

  /// Reads the payload's objects one by one.
  private mutating func readRootSpread(_ frame: UnsafeMutablePointer<ImportFrame>) throws(JSONSyntaxError) -> Event? {
    frame.pointee.index &+= 1
    let element = roots.elements[frame.pointee.index]
    if let parent = element.parent { open.surroundings.enter(parent) }
    scanner.move(to: element.start, depth: element.depth)
    guard frame.pointee.index < roots.elements.count - 1 else {
      endList(frame)
      return nil
    }
    guard case .begins(let entity, let isElementValue) = try readElement(frame) else { return nil }
    return begins(Opening(entity: entity, field: -1, isElementValue: isElementValue))
  }
}
