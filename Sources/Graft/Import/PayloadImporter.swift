/// Merges a payload's bytes into the graph, in one pass (I14).
///
///     bytes --scanner--> cells of the frame --at '}'--> row        nothing is applied until the brace: identity
///                                                                  may come last, and a nested object comes first
///
/// The plan says which key comes next and what its value means, so a member costs two word compares, one value and one
/// cell. Unsafe inside: cells and rows are reached through pointers.
struct PayloadImporter {
  let plan: Plan
  let layouts: UnsafeMutablePointer<EntityLayout>
  let fields: UnsafeMutablePointer<FieldPlan>
  let groups: UnsafeMutablePointer<GroupPlan>
  /// Those of the piece that is being read.
  var options: ImportOptions
  /// What has been read, for those who ask for it again.
  let shelf: PieceShelf
  let seeds: IdentityHash.Seeds

  var scanner: JSONScanner
  /// The first byte of the piece.
  var pieceStart: UnsafePointer<UInt8>
  var editor: GraphEditor
  var scratch = ScratchText()
  /// Texts of identifiers that wait for the end of the payload.
  var keptTexts = ScratchText()

  var frames = PlainStack<ImportFrame>()
  var cells = PlainStack<Cell>(capacity: 256)
  /// Rows of the lists that are open.
  var rows = PlainStack<UInt32>(capacity: 64)
  /// For each field, the one that followed it last time; for each group, the one that came first.
  let successors: UnsafeMutablePointer<Int32>
  let firsts: UnsafeMutablePointer<Int32>
  /// For each entity, the row that the next object probably is.
  let predictions: UnsafeMutablePointer<Prediction>

  /// Whose objects hooks and validations see.
  var context: ManagedObjectContext?
  /// Where it says which closure runs.
  let activity: UnsafeMutablePointer<ContextActivity>

  /// The rows of the payload's objects, in order (I1).
  var roots: [UInt32] = []
  /// The payload must be one object, not an array.
  var isSingle = false
  var rootEntity = 0

  var faults: FaultList
  /// What was said, and the places of values that were refused by a rule of their own.
  var faultMessages: Set<String> = []
  var refusedOffsets: Set<Int> = []
  /// For dictionaries, of which only mapped members are read: the text with all of them, for messages.
  var wholeText: (() -> [UInt8])?
  var wholeTextBytes: [UInt8]?
  /// How many objects were looked for in it.
  var wholeTextLookups = 0
  /// The first error that a closure threw.
  var cause: (any Error)?
  /// Slots whose value was refused: what is missing there was reported already.
  var refused: Set<SlotPlace> = []
  var deferrals = Deferrals()
  /// Relationships of open objects that are applied after the others.
  var lateSlots: [LateSlot] = []
  /// Dictionaries that describe objects which another one described, or which have rules, in payload order.
  var mentions = PlainStack<GraphState.Touch>()
  /// The offsets of ``mentions`` by row, once a fault has asked for them.
  var descriptionPlaces: [SlotPlace: [Int]] = [:]
  /// Texts that dictionary transformers gave, and where to go on behind them.
  var outerInputs: [OuterInput] = []
  /// How many objects the payload has inserted so far, in all its pieces.
  var insertedCount = 0
  /// Parts of the payload that are whole lists of an entity's objects.
  var wholeLists: [WholeList] = []
  /// Whether rows that identifiers stand for are noted: only where what is not mentioned goes.
  var notesIdentified = false
  var identified = Set<RowPlace>()
  /// What was passed over without a fault, and keys that nobody maps: for the report (I12).
  var skipped: [Skip] = []
  var unknownKeys = UnknownKeys()
  /// A hook did not want the dictionary that was refused last: nothing is wrong with it. The row of its object, or the number
  /// that waits for it, takes its place (D13).
  var isPassedOver = false
  var passedOverRow: UInt32?
  /// Dictionaries for hooks that stand in a transformer's text: of open frames, by their number, and of ``mentions``.
  var innerPayloads: [Int: JSON] = [:]
  var keptPayloads: [Int: JSON] = [:]
  /// Rows touched from here on were touched by hooks.
  var firstHookTouch = Int.max
  /// Identity values that were read ahead for the object that is about to be opened, by slot.
  var prefilled: [(Int, Cell)]?
  /// What was passed over while looking ahead, in the root object that is open.
  var ends = ContainerEnds()
  /// Keys of the keyed collections that are open, to tell that one occurs twice.
  var collectionKeys: [Set<[UInt8]>] = []

  struct Prediction {
    var row: UInt32 = 0
    var misses = 0
  }

  /// A list after which objects of the entity go that the payload does not mention.
  struct WholeList {
    var entity: Int
    var offset: Int
    var isDoomed: (_ table: Int, _ row: UInt32) -> Bool
  }

  /// An identifier that nobody knows, or a dictionary that a hook did not want.
  struct Skip {
    var entity: Int
    var name: String
    var offset: Int
  }

  struct SlotPlace: Hashable {
    var table: Int
    var row: UInt32
    var slot: Int
  }

  struct OuterInput {
    var scanner: JSONScanner
    var ends: ContainerEnds
    /// Where in the payload the transformed object stands.
    var offset: Int
    var text: UnsafeMutableBufferPointer<UInt8>
  }

  init(
    _ plan: Plan, _ state: UnsafeMutablePointer<GraphState>, _ activity: UnsafeMutablePointer<ContextActivity>,
    _ options: ImportOptions, _ shelf: PieceShelf
  ) {
    self.plan = plan
    self.activity = activity
    self.options = options
    self.shelf = shelf
    faults = FaultList(limit: options.limits.errors)
    layouts = plan.layouts
    fields = plan.fields
    groups = plan.groups
    seeds = state.pointee.seeds
    scanner = JSONScanner(UnsafeBufferPointer(start: nil, count: 0), maxDepth: 1)
    pieceStart = scanner.position
    editor = GraphEditor(state)
    successors = .allocate(capacity: plan.fieldCount + plan.groupCount + 1)
    firsts = successors + plan.fieldCount
    predictions = .allocate(capacity: plan.entities.count)
    predictions.initialize(repeating: Prediction(), count: plan.entities.count)
    for field in 0..<plan.fieldCount { successors[field] = Int32(truncatingIfNeeded: field + 1) }
    for group in 0..<plan.groupCount { firsts[group] = Int32(truncatingIfNeeded: groups[group].first) }
  }

  mutating func free() {
    scratch.free()
    keptTexts.free()
    frames.free()
    cells.free()
    rows.free()
    mentions.free()
    successors.deallocate()
    predictions.deallocate()
    for input in outerInputs { input.text.deallocate() }
  }

  /// The place of the scanner in the payload; inside a transformer's result, the place of the object it was made from.
  @inline(__always) var offset: Int { outerInputs.isEmpty ? scanner.offset : outerInputs[0].offset }

  // MARK: The loop

  /// Reads until the frames are back at the given depth.
  mutating func run(downTo depth: Int) throws(JSONSyntaxError) {
    while frames.count > depth {
      switch frames.last.pointee.kind {
      case .object, .group: try readMembers()
      case .list: try readElements()
      case .keyed: try readKeyedElements()
      }
    }
  }

  /// Reads members until the object ends, or one begins that holds objects itself.
  mutating func readMembers() throws(JSONSyntaxError) {
    let frame = frames.last
    let group = groups[frame.pointee.group]
    let layout = layouts + frame.pointee.entity
    let ownCells = frame.pointee.cells
    let isPrefilled = frame.pointee.isPrefilled
    var previous = frame.pointee.previous
    if frame.pointee.isElementValue {
      try closeObject(frame)
      return
    }
    if frame.pointee.isStarted {
      guard try scanner.continuesMembers() else {
        try close(frame)
        return
      }
    } else {
      frame.pointee.isStarted = true
      scanner.skipWhitespace()
      if scanner.peek == UInt8(ascii: "}") {
        scanner.position += 1
        try close(frame)
        return
      }
    }
    repeat {
      guard scanner.peek == UInt8(ascii: "\"") else { throw scanner.unexpected("a key in double quotes") }
      var field = previous >= 0 ? Int(successors[previous]) : Int(firsts[frame.pointee.group])
      let keyPlace = scanner.position
      if field < group.first + group.count, matches(field, keyPlace + 1) {
        scanner.position = keyPlace + 1 + fields[field].length
      } else {
        field = try findField(group)
        // What follows what is learned: payloads repeat themselves.
        if field >= 0 {
          if previous >= 0 {
            successors[previous] = Int32(truncatingIfNeeded: field)
          } else {
            firsts[frame.pointee.group] = Int32(truncatingIfNeeded: field)
          }
        }
      }
      try scanner.expectColon()
      if field < 0 {
        try readUnknown(keyPlace)
        continue
      }
      previous = field
      let plan = fields + field
      let seen = cells.base + (ownCells + layout.pointee.slotCount + plan.pointee.number >> 6)
      let bit: UInt64 = 1 << UInt64(plan.pointee.number & 63)
      if seen.pointee.bits & bit != 0 {
        try refuseDuplicate(keyPlace)
        continue
      }
      seen.pointee.bits |= bit
      if plan.pointee.rank > 0 || isPrefilled, try !takes(field, frame.pointee) {
        try scanner.skipValue()
        continue
      }
      if plan.pointee.reading.rawValue < FieldPlan.Reading.toOne.rawValue {
        let cell = try readAttribute(plan)
        cells[ownCells + plan.pointee.slot] = cell
        continue
      }
      if try openValue(field, frame) {
        frames.base[frames.count - 2].previous = previous
        return
      }
    } while try scanner.continuesMembers()
    try close(frame)
  }

  /// Whether the key at `place` (behind its opening quote) is the field's.
  @inline(__always)
  func matches(_ field: Int, _ place: UnsafePointer<UInt8>) -> Bool {
    let plan = fields + field
    if scanner.end - place >= 16 {
      if load64(place) & plan.pointee.mask0 != plan.pointee.word0 { return false }
      if plan.pointee.length <= 8 { return true }
      if load64(place + 8) & plan.pointee.mask1 != plan.pointee.word1 { return false }
      if plan.pointee.length <= 16 { return true }
    }
    return !plan.pointee.needsEscapes && scanner.end - place >= plan.pointee.length
      && sameBytes(place, plan.pointee.key, plan.pointee.length)
  }

  /// Reads a key that was not expected and finds its field; -1: the model does not map it.
  @inline(never)
  mutating func findField(_ group: GroupPlan) throws(JSONSyntaxError) -> Int {
    let raw = try scanner.scanString()
    return plan.field(named: scanner.text(of: raw, in: &scratch), in: group) ?? -1
  }

  mutating func readUnknown(_ key: UnsafePointer<UInt8>) throws(JSONSyntaxError) {
    switch options.unknownKeys {
    case .ignore: break
    case .report: try noteUnknown(key)
    case .error: try refuseUnknown(key)
    }
    try scanner.skipValue()
  }

  // MARK: Opening

  /// Begins a value that holds objects: true if a frame was opened, false if the value has been read.
  @inline(__always)
  mutating func openValue(_ field: Int, _ frame: UnsafeMutablePointer<ImportFrame>) throws(JSONSyntaxError)
    -> Bool
  {
    let plan = fields + field
    let byte = scanner.peek
    let ownCells = frame.pointee.cells
    if plan.pointee.hasInverseBeside { noteOrder(field, frame.pointee) }
    if byte == UInt8(ascii: "n") {
      try scanner.literal(.null)
      switch plan.pointee.reading {
      case .group: try setNull(group: plan.pointee.group, frame.pointee)
      case .discriminator: break
      default: cells[ownCells + plan.pointee.slot] = .null
      }
      return false
    }
    switch plan.pointee.reading {
    case .toOne:
      if byte == UInt8(ascii: "{") {
        if try openObject(plan.pointee.destination, field: field, key: nil) { return true }
        cells[ownCells + plan.pointee.slot] = isPassedOver ? takePassedOverCell() : .invalid
        return false
      }
      cells[ownCells + plan.pointee.slot] = try readToOneIdentifier(plan)
      return false
    case .toMany:
      if byte == UInt8(ascii: "[") {
        try openList(.list, plan.pointee.destination, field: field)
        return true
      }
      if byte == UInt8(ascii: "{"), layouts[plan.pointee.destination].keyField >= 0 {
        try openList(.keyed, plan.pointee.destination, field: field)
        return true
      }
      cells[ownCells + plan.pointee.slot] = try refuseToMany(plan)
      return false
    case .discriminator:
      try scanner.skipValue()
      return false
    default:
      guard byte == UInt8(ascii: "{") else {
        try refuseGroup(plan, frame.pointee)
        return false
      }
      try scanner.descend()
      frames.append(
        ImportFrame(
          kind: .group, isUnanswered: frame.pointee.isUnanswered, isPrefilled: frame.pointee.isPrefilled,
          entity: frame.pointee.entity,
          group: plan.pointee.group, cells: ownCells, field: field,
          rows: frame.pointee.rows, offset: frame.pointee.offset, start: frame.pointee.start))
      scanner.position += 1
      return true
    }
  }

  @inline(__always)
  mutating func openList(_ kind: ImportFrame.Kind, _ entity: Int, field: Int) throws(JSONSyntaxError) {
    try scanner.descend()
    frames.append(
      ImportFrame(
        kind: kind, entity: entity, group: 0, cells: 0, field: field, rows: rows.count, offset: offset,
        start: scanner.position))
    scanner.position += 1
    if kind == .keyed { collectionKeys.append([]) }
  }

  /// Begins the object at the scanner's position. False if it was refused and passed over.
  @inline(__always)
  mutating func openObject(
    _ declared: Int, field: Int, key: UnsafeBufferPointer<UInt8>?
  ) throws(JSONSyntaxError) -> Bool {
    let layout = layouts + declared
    if layout.pointee.needsPreparation { return try openPrepared(declared, field: field, key: key) }
    try pushObject(declared, field: field, key: key)
    return true
  }

  /// Begins an object whose entity is known.
  @inline(__always)
  mutating func pushObject(_ entity: Int, field: Int, key: UnsafeBufferPointer<UInt8>?) throws(JSONSyntaxError) {
    let layout = layouts + entity
    let first = cells.count
    let frameCells = cells.extend(by: layout.pointee.frameCells)
    for index in 0..<layout.pointee.frameCells { (frameCells + index).initialize(to: .absent) }
    frames.append(
      ImportFrame(
        kind: .object, entity: entity, group: layout.pointee.group, cells: first, field: field,
        rows: rows.count, offset: offset, start: scanner.position, key: key))
    if scanner.peek == UInt8(ascii: "{") {
      try scanner.descend()
      scanner.position += 1
    }
    if let key, fields[layout.pointee.keyField].rank == 0, prefilled == nil {
      cells[first + fields[layout.pointee.keyField].slot] = try readKey(
        key, fields + layout.pointee.keyField, at: frames.last.pointee.start)
    }
  }

  // MARK: Closing

  @inline(__always)
  mutating func close(_ frame: UnsafeMutablePointer<ImportFrame>) throws(JSONSyntaxError) {
    scanner.ascend()
    if frame.pointee.kind == .object {
      try closeObject(frame)
    } else {
      frames.truncate(to: frames.count - 1)
    }
  }

  /// Applies an object whose members are all read, and hands its row to the frame below.
  @inline(__always)
  mutating func closeObject(_ frame: UnsafeMutablePointer<ImportFrame>) throws(JSONSyntaxError) {
    if let key = frame.pointee.key {
      let field = fields + layouts[frame.pointee.entity].keyField
      if cells[frame.pointee.cells + field.pointee.slot].isAbsent {
        cells[frame.pointee.cells + field.pointee.slot] = try readKey(key, field, at: frame.pointee.start)
      }
    }
    let row = try apply(frame)
    cells.truncate(to: frame.pointee.cells)
    rows.truncate(to: frame.pointee.rows)
    frames.truncate(to: frames.count - 1)
    if frame.pointee.isTransformed { try leaveTransformed() }
    deliver(row, frame.pointee.field)
  }

  @inline(__always)
  mutating func deliver(_ row: UInt32?, _ field: Int) {
    guard frames.count > 0 else {
      if let row { roots.append(row) }
      return
    }
    if field >= 0 {
      let below = frames.last
      cells[below.pointee.cells + fields[field].slot] = row.map { .row($0) } ?? .invalid
    } else if let row {
      if frames.count == 1 {
        roots.append(row)
        if outerInputs.isEmpty { scratch.reset() }
        if !ends.isEmpty { ends.removeAll() }
      } else {
        rows.append(row)
      }
    }
  }
}
