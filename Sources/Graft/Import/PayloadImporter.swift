/// Merges a payload's bytes into the graph, in one pass (I14).
///
///     bytes --reader--> cells --merger--> rows
///                         ^ chooser: which entity, whose text
///
/// The importer owns the reader, the chooser and the merger, but makes no decisions itself.
struct PayloadImporter: ~Copyable {
  private let context: ManagedObjectContext
  private let log: FaultLog
  private let shelf: PieceShelf
  private(set) var reader: PayloadReader
  private var chooser: ObjectChooser
  private var merger: ObjectMerger
  private var wholeLists: [ImportDeletions.WholeList] = []
  private var tracers: ImportTracers?
  /// The objects that the payload marks as deleted, once they are known.
  private var marked: MarkedObjects?

  init(
    _ context: ManagedObjectContext, _ log: FaultLog, _ shelf: PieceShelf, _ options: ImportOptions, isSingle: Bool
  ) {
    self.context = context
    self.log = log
    self.shelf = shelf
    reader = PayloadReader(context, log, shelf, options, isSingle: isSingle)
    chooser = ObjectChooser(context, log)
    merger = ObjectMerger(context.model.plan, log)
    if !options.traces.isEmpty { tracers = ImportTracers(options.traces, context) }
  }

  mutating func free() {
    reader.free()
    merger.free()
  }

  // MARK: Reading

  /// Reads a payload, or a piece of one, and applies it; ``finish(_:)`` follows when all pieces have been read.
  ///
  /// - Parameter base: the offset of the piece's first byte among all the bytes read.
  mutating func read(_ source: PayloadSource, at base: Int, _ parts: [PlannedPart]) throws(JSONSyntaxError) {
    try reader.begin(source, at: base, parts)
    tracers?.begin(reader)
    defer { tracers?.end(shelf) }
    for part in parts {
      part.target?.begin()
      (merger.target, chooser.target) = (part.target, part.target)
      var documents = reader.documents(source, part)
      while try reader.enter(&documents) {
        if let isDoomed = part.isDoomed, !reader.isAtNull {
          wholeLists.append(
            ImportDeletions.WholeList(entity: part.entity, offset: reader.offset, isDoomed: isDoomed))
        }
        try readObjects(of: part.parent)
        try reader.leave(documents)
      }
    }
    reader.endPiece()
  }

  /// Reads the objects at the reader's position. Each is applied when it ends.
  private mutating func readObjects(of parent: PlannedPart.Parent?) throws(JSONSyntaxError) {
    if tracers != nil { return try readTracedObjects(of: parent) }
    let hasSurroundings = context.model.plan.features.hasSurroundings
    if let parent {
      try reader.openParent(parent)
    } else if let opening = try reader.openRoot() {
      try choose(opening)
    }
    while let event = try reader.next() {
      switch event {
      case .ended:
        if hasSurroundings { try reader.completeObject() }
        let row = try merger.apply(&reader.open, &reader.finder)
        if hasSurroundings, reader.openOwner(row) { continue }
        reader.endObject(row)
      case .ownedEnded: endOwned(merger.applyOwned(&reader.open, &reader.finder))
      case .begins: try choose(reader.opening)
      }
    }
  }

  private mutating func endOwned(_ row: UInt32) {
    if reader.isAtParent { reader.open.closeObject() } else { reader.endObject(row) }
  }

  private mutating func choose(_ opening: PayloadReader.Opening) throws(JSONSyntaxError) {
    try begin(opening, as: try chooser.choose(opening, &reader))
  }

  private mutating func begin(
    _ opening: PayloadReader.Opening, as choice: ObjectChooser.Choice
  ) throws(JSONSyntaxError) {
    switch choice {
    case .object(let object): try reader.openObject(object, opening)
    case .reference(let row): reader.skip(opening, standIn: row)
    case .skipped(let row): reader.skip(opening, standIn: row)
    case .refused: reader.refuse(opening)
    }
  }

  /// Reads the objects in the same way, and records what happens to the traced objects.
  private mutating func readTracedObjects(of parent: PlannedPart.Parent?) throws(JSONSyntaxError) {
    let hasSurroundings = context.model.plan.features.hasSurroundings
    if let parent {
      try reader.openParent(parent)
    } else if let opening = try reader.openRoot() {
      try chooseTraced(opening)
    }
    while let event = try reader.next() {
      tracers?.noteRoots(reader)
      switch event {
      case .ended:
        if hasSurroundings { try reader.completeObject() }
        tracers?.willApply(reader)
        let row = try merger.apply(&reader.open, &reader.finder)
        tracers?.didApply(row, reader)
        if !hasSurroundings || !reader.openOwner(row) { reader.endObject(row) }
      case .ownedEnded:
        let fields = reader.open.setAsideByObject.map(\.field)
        let row = merger.applyOwned(&reader.open, &reader.finder)
        tracers?.didApplyOwned(row, fields, reader)
        endOwned(row)
      case .begins: try chooseTraced(reader.opening)
      }
      tracers?.skipRoots(reader)
    }
    tracers?.noteRoots(reader)
  }

  private mutating func chooseTraced(_ opening: PayloadReader.Opening) throws(JSONSyntaxError) {
    let offset = reader.offset
    let marked = chooser.deletions.count
    let choice = try chooser.choose(opening, &reader)
    if case .skipped(let row?) = choice {
      tracers?.noteSkip(row, opening, at: offset, isMark: chooser.deletions.count > marked, reader)
    }
    try begin(opening, as: choice)
  }

  // MARK: The end

  /// Completes the import after the whole payload has been read.
  mutating func finish() throws(JSONSyntaxError) -> ImportOutcome {
    tracers?.willFinish(reader, merger.deferrals)
    defer { tracers?.didFinish(shelf) }
    var links = LinkResolver(log)
    links.resolve(merger.deferrals, &reader.finder)
    var roots = LinkResolver.roots(reader.roots.rows, reader.finder)
    merger.alternateFinds.refuseAmbiguous(reader.finder, log)
    var deletions = ImportDeletions(log)
    if !chooser.deletions.isEmpty { deleteMarked(&deletions, &roots) }
    for list in wholeLists { deletions.deleteMissing(list, &reader.finder) }
    deletions.deleteOrphans(&reader.finder)
    let hooks = DidImportHooks(context: context, log: log, shelf: shelf, options: reader.options)
    let firstHookTouch = try hooks.run(merger.mentions, &reader.finder)
    let state = context.state
    context.loadReferrers()
    reader.finder.editor.dropRequiredLinksToDeleted { state.deletedInUnit($0) }
    merger.validate(validator, firstHookTouch: firstHookTouch)
    if reader.roots.isSingle, roots.count > 1 { refuseMany(roots.count) }
    if let target = merger.target, !target.isMet, log.list.isEmpty {
      log.record(.noObject(context.model.plan.entities[reader.roots.entity].name), at: 0)
    }
    var skips = chooser.skips
    if !links.skips.isEmpty { skips += links.skips }
    if !deletions.skips.isEmpty { skips += deletions.skips }
    return ImportOutcome(
      roots: roots, skips: skips, nulls: reader.roots.skippedNulls, mentions: merger.mentions.all,
      options: reader.options)
  }

  /// Deletes the objects that the payload marks as deleted (M17). Deleted objects are not returned.
  private mutating func deleteMarked(_ deletions: inout ImportDeletions, _ roots: inout [UInt32]) {
    let places = deletions.delete(chooser.deletions, &reader.finder)
    marked = MarkedObjects(chooser.deletions, places)
    let table = context.model.plan.layouts[reader.roots.entity].table
    roots.removeAll { places[RowPlace(table: table, row: $0)] != nil }
    if reader.roots.isSingle, roots.isEmpty, log.list.isEmpty {
      log.record(.markedForOne(context.model.plan.entities[reader.roots.entity]), at: chooser.deletions[0].offset)
    }
  }

  private func refuseMany(_ count: Int) {
    log.record(.severalForOne(context.model.plan.entities[reader.roots.entity], count), at: 0)
  }

  private var validator: ImportValidator {
    ImportValidator(context, log, shelf, reader.options, refused: merger.refused, marked: marked)
  }

  // MARK: Warnings

  private var keys = KeySamples()

  /// Examines unmapped keys of the piece that was read.
  mutating func examineKeys() { keys.add(log.suspicions.takeSamples(), context.model.plan, shelf) }

  /// Returns the probable mistakes that do not make the import fail.
  mutating func warnings() -> FaultList {
    ImportWarnings(context, log, shelf, reader.options).list(keys, &merger)
  }

  // MARK: Pieces

  /// The progress of reading. Errors that are found later belong to the next piece.
  struct Progress {
    var roots: Int
    var identifiers: Int
    var touches: Int
  }

  var progress: Progress {
    Progress(
      roots: reader.roots.rows.count, identifiers: reader.finder.waiting.identifiers.count,
      touches: context.state.pointee.touched.count)
  }

  /// Returns the points after which later pieces must supply missing data: unknown identifiers and required values.
  func unsettled(since earlier: Progress) -> [Int] {
    let identifiers = reader.finder.waiting.identifiers[earlier.identifiers...].map(\.offset)
    return (identifiers + validator.incomplete(sinceTouch: earlier.touches)).filter { $0 >= 0 }.sorted()
  }

  /// Returns and removes the unknown keys of the piece that was read.
  mutating func takeUnknownKeys() -> UnknownKeyCounts { reader.takeUnknownKeys() }

  /// Discards the root objects, which a stream does not return.
  mutating func forgetRoots() { reader.roots.rows.removeAll(keepingCapacity: true) }
}
