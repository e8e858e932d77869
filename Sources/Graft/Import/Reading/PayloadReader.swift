/// Reads a payload's bytes into cells, in one pass, without recursion (I14, I15).
///
///     bytes --scanner--> cells of the innermost object --at '}'--> ``Event/ended``, and the merger writes them into a row
///
/// The plan supplies the next key and the meaning of its value, so a member costs two word comparisons, one value and one cell.
/// An object is applied only at its closing brace, because its identity may be its last member. A nested object is applied
/// before the object that contains it.
struct PayloadReader {
  /// The steps that the reader leaves to its caller.
  enum Event {
    /// The innermost object has all its cells. The caller applies it and then calls ``endObject(_:)``.
    case ended
    /// The values that the innermost object had set aside have been read (M12). The caller applies them and then calls ``endObject(_:)``.
    case ownedEnded
    /// A value whose entity must be chosen begins: ``opening``. The caller then calls ``openObject(_:_:)``, ``skip(_:standIn:)`` or
    /// ``refuse(_:)``.
    case begins
  }

  /// A value that begins, and what is expected there.
  struct Opening {
    /// The entity whose objects are expected here.
    var entity: Int
    /// The field whose value is the object; -1 for an element of a list or an object of the payload.
    var field: Int
    /// The key under which the value appears in a keyed collection.
    var key: LentBytes?
    /// Whether the value is not an object, so the field with the key path `@value` reads the value.
    var isElementValue = false
    /// Whether the value is the dictionary of the innermost object, whose `@value` it is (M23).
    var isShared = false
  }

  let plan: Plan
  let fields: PlanReference<FieldPlan>
  let log: FaultLog
  let shelf: PieceShelf
  private(set) var options: ImportOptions
  var scanner: JSONScanner
  var scratch = ScratchText()
  var texts: PayloadTexts
  var open = OpenObjects()
  let keys: KeyPredictions
  var finder: RowFinder
  private var unknownKeys = UnknownKeyCounts()
  var roots: RootObjects
  /// The value that begins at ``Event/begins``. The opening is kept outside the event, because the event is returned for every object and
  /// must be small.
  private(set) var opening = Opening(entity: 0, field: -1)

  init(_ context: ManagedObjectContext, _ log: FaultLog, _ shelf: PieceShelf, _ options: ImportOptions, isSingle: Bool)
  {
    plan = context.model.plan
    self.log = log
    self.shelf = shelf
    self.options = options
    scanner = JSONScanner(LentBytes(), maxDepth: 1)
    texts = PayloadTexts(scanner.position)
    keys = KeyPredictions(plan)
    finder = RowFinder(context, log)
    roots = RootObjects(isSingle: isSingle)
    fields = plan.fields
  }

  mutating func free() {
    scratch.free()
    texts.free()
    open.free()
    keys.free()
    finder.free()
  }

  /// The offset of the scanner in the payload; inside the result of a transformer, the offset of the transformed object.
  @inline(__always) var offset: Int { texts.isPayload ? scanner.offset : texts.offset ?? 0 }

  @inline(__always) var layouts: PlanReference<EntityLayout> { plan.layouts }
  @inline(__always) var groups: PlanReference<GroupPlan> { plan.groups }

  // MARK: Pieces

  /// Begins to read a piece of the payload.
  ///
  /// - Parameter base: the offset of the piece's first byte among all the bytes read.
  mutating func begin(_ source: PayloadSource, at base: Int, _ parts: [PlannedPart]) throws(JSONSyntaxError) {
    options = source.options
    finder.begin(options, notesIdentified: parts.contains { $0.isDoomed != nil })
    roots.begin(source)
    let maxDepth = min(max(1, options.limits.depth), JSONBuilder.deepest)
    scanner = JSONScanner(source.bytes, maxDepth: maxDepth, base: base)
    texts.begin(scanner)
    for var fault in source.written?.faults ?? [] {
      fault.offset += base
      log.record(fault)
    }
    let limit = options.limits.bytes
    if source.bytes.count > limit { throw scanner.failure(.limit(.bytes, limit)) }
    finder.repeats.begin(source.bytes.count, isWanted: options.traces.isEmpty)
    if plan.features.hasSurroundingPaths {
      open.surroundings.begin(room: limit - source.bytes.count, isDocument: source.root.path == "$")
    }
  }

  /// Returns the documents of the piece that hold a part's objects.
  mutating func documents(_ source: PayloadSource, _ part: PlannedPart) -> PayloadDocuments {
    scanner.move(to: texts.start, depth: source.root.depth)
    roots.entity = part.entity
    roots.isRequired = part.isRequired
    roots.segments = part.keyPath.map { $0.segments.dropFirst() } ?? []
    return PayloadDocuments(source, part, options.words)
  }

  /// Moves to the objects in the next document, or returns false if there are no more.
  mutating func enter(_ documents: inout PayloadDocuments) throws(JSONSyntaxError) -> Bool {
    while try documents.enter(&scanner, &scratch) {
      if let fault = documents.fault {
        log.record(FaultReporter.fault(fault, options))
        try log.stopIfFull()
        continue
      }
      if plan.features.hasSurroundingPaths { open.surroundings.enter(documents) }
      return true
    }
    return false
  }

  /// Reads the text after the objects.
  mutating func leave(_ documents: PayloadDocuments) throws(JSONSyntaxError) {
    // If the piece ends at a quota, the text after that end is not part of the piece.
    if roots.end != nil { scanner.end(at: scanner.position) }
    try documents.leave(&scanner, &scratch)
  }

  /// Whether the value at the scanner's position is null.
  var isAtNull: Bool { scanner.peek == UInt8(ascii: "n") }

  mutating func endPiece() {
    scratch.reset()
    finder.endPiece()
  }

  // MARK: Nulls in lists

  /// Skips a null in a list (I5).
  mutating func skipNull(in entity: Int) throws(JSONSyntaxError) {
    let place = offset
    try scanner.literal(.null)
    noteSkippedNull(in: entity, at: place)
  }

  /// Counts a null that was skipped. In a list whose objects read their positions, this keeps the positions of the objects that follow.
  mutating func noteSkippedNull(in entity: Int, at place: Int) {
    if plan.features.hasSurroundings,
      plan.entities[entity].concreteAndSubentities.contains(where: { layouts[$0].forms.indexField >= 0 })
    {
      return
    }
    roots.skippedNulls.note(entity, at: place, keepsPlace: options.reportsDetails)
  }

  // MARK: Unknown keys

  mutating func noteUnknown(_ key: UnsafePointer<UInt8>, of entity: Int) throws(JSONSyntaxError) {
    var reader = scanner
    reader.move(to: key)
    let text = reader.text(of: try reader.scanString(), in: &scratch)
    unknownKeys.note(text, of: entity, at: offset(of: key))
  }

  /// Reports or refuses a key that the model does not map, depending on the options.
  mutating func tellUnknown(
    _ key: UnsafePointer<UInt8>, of entity: Int, _ group: GroupPlan
  ) throws(JSONSyntaxError) {
    switch options.unknownKeys {
    case .ignore: break
    case .report: try noteUnknown(key, of: entity)
    case .error: try refuseUnknown(key, of: entity, group)
    }
  }

  /// Returns the unknown keys since the last call.
  mutating func takeUnknownKeys() -> UnknownKeyCounts {
    defer { unknownKeys = UnknownKeyCounts() }
    return unknownKeys
  }

  // MARK: The loop

  /// Begins a value whose entity must be chosen.
  @inline(never)
  mutating func begins(_ opening: Opening) -> Event {
    self.opening = opening
    return .begins
  }

  /// Reads until a decision is required. Returns nil if the payload's objects have ended.
  mutating func next() throws(JSONSyntaxError) -> Event? {
    while open.frames.count > 0 {
      let event: Event?
      switch open.frames.last.pointee.kind {
      case .object, .group: event = try readMembers()
      case .list: event = try readElements()
      case .keyed: event = try readKeyedElements()
      case .lines: event = try readLines()
      case .owned: event = try readOwned()
      case .numbered: event = try readNumberedElements()
      case .single: event = try readSingleElement()
      case .spread: event = try readSpreadElements()
      }
      if let event { return event }
    }
    return nil
  }

  /// Reads members until the object ends, or a member with objects begins.
  private mutating func readMembers() throws(JSONSyntaxError) -> Event? {
    let frame = open.frames.last
    let group = groups[frame.pointee.group]
    let layout = layouts + frame.pointee.entity
    let ownCells = frame.pointee.cells
    let isPrefilled = frame.pointee.marks.isPrefilled
    let expected = frame.pointee.expected?.row
    var previous = frame.pointee.previous
    if frame.pointee.marks.isElementValue {
      if frame.pointee.isStarted { return try endMembers(frame) }
      return try readElementValue(frame)
    }
    if frame.pointee.isStarted {
      guard try scanner.continuesMembers() else {
        scanner.ascend()
        return try endMembers(frame)
      }
    } else {
      frame.pointee.isStarted = true
      scanner.skipWhitespace()
      if scanner.peek == UInt8(ascii: "}") {
        scanner.advance()
        scanner.ascend()
        return try endMembers(frame)
      }
    }
    repeat {
      guard scanner.peek == UInt8(ascii: "\"") else { throw scanner.unexpected("a key in double quotes") }
      var field = keys.field(after: previous, in: frame.pointee.group)
      let keyPlace = scanner.position
      if field < group.first + group.count, matches(field, keyPlace + 1) {
        scanner.move(to: keyPlace + 1 + fields[field].key.count)
      } else {
        field = try findField(group)
        if field >= 0 { keys.learn(field, after: previous, in: frame.pointee.group) }
      }
      try scanner.expectColon()
      if field < 0 {
        frame.pointee.marks.isRepeatable = false
        try readUnknown(keyPlace)
        continue
      }
      previous = field
      let plan = fields + field
      let seen = open.cells.base + (ownCells + layout.pointee.slotCount + plan.pointee.number >> 6)
      let bit: UInt64 = 1 << UInt64(plan.pointee.number & 63)
      if seen.pointee.bits & bit != 0 {
        try refuseDuplicate(keyPlace)
        continue
      }
      seen.pointee.bits |= bit
      if plan.pointee.rank > 0 || isPrefilled, try !takes(field, frame.pointee) {
        frame.pointee.marks.isRepeatable = false
        try scanner.skipValue()
        continue
      }
      if plan.pointee.reading.rawValue < FieldPlan.Reading.toOne.rawValue {
        let cell = try readAttribute(plan, expected)
        open.cells[ownCells + plan.pointee.slot] = cell
        continue
      }
      frame.pointee.marks.isRepeatable = false
      switch try openValue(field, frame) {
      case .read: break
      case .opened:
        open.frames.base[open.frames.count - 2].previous = previous
        return nil
      case .begins(let entity, let isElementValue):
        frame.pointee.previous = previous
        return begins(Opening(entity: entity, field: field, isElementValue: isElementValue))
      }
    } while try scanner.continuesMembers()
    scanner.ascend()
    return try endMembers(frame)
  }

  /// Returns whether the key at `place` (after its opening quote) is the field's.
  @inline(__always)
  private func matches(_ field: Int, _ place: UnsafePointer<UInt8>) -> Bool {
    let plan = fields + field
    if scanner.end - place >= 16 {
      if load64(place) & plan.pointee.mask0 != plan.pointee.word0 { return false }
      if plan.pointee.key.count <= 8 { return true }
      if load64(place + 8) & plan.pointee.mask1 != plan.pointee.word1 { return false }
      if plan.pointee.key.count <= 16 { return true }
    }
    return !plan.pointee.needsEscapes && scanner.end - place >= plan.pointee.key.count
      && sameBytes(plan.pointee.key.place, place, plan.pointee.key.count)
  }

  /// Reads a key that was not expected and finds its field. Returns -1 if the model does not map the key.
  @inline(never)
  private mutating func findField(_ group: GroupPlan) throws(JSONSyntaxError) -> Int {
    let raw = try scanner.scanString()
    if let field = plan.field(named: scanner.text(of: raw, in: &scratch), in: group) { return field }
    let frame = open.frames.last
    if texts.isPayload, !frame.pointee.marks.isShared {
      log.suspicions.noteUnmappedKey(frame.pointee.entity, inObjectAt: frame.pointee.offset)
    }
    return -1
  }

  private mutating func readUnknown(_ key: UnsafePointer<UInt8>) throws(JSONSyntaxError) {
    if options.unknownKeys != .ignore {
      let frame = open.frames.last.pointee
      let isUnknown = try frame.marks.isShared ? isUnshared(key) : true
      if isUnknown { try tellUnknown(key, of: frame.entity, groups[frame.group]) }
    }
    try scanner.skipValue()
  }
}
