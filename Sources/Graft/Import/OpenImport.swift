/// A payload that is being imported, in one piece or in many (I17). Its pieces are read and applied in sequence, and everything
/// that is decided at the end of a payload is decided once, in ``finish(_:)``.
///
///     read(heroes.json) ... read(powers.json) ... finish          one transaction
///
final class OpenImport: OpenUnit {
  private let context: ManagedObjectContext
  private let shelf: PieceShelf
  private let log: FaultLog
  private var importer: PayloadImporter
  private let options: ImportOptions
  let depth: Int
  /// Whether the import stays open between calls.
  private let isWhole: Bool
  /// Whether the import is written to the store at its end, if there is a store and the import is not part of a larger transaction.
  private let isCommitted: Bool
  private var stage = Stage.open
  /// The faults of a payload that was refused, at its end or because there were too many.
  private(set) var refusal: FaultList?
  /// The external error that ended the import.
  private var ending: ImportError?
  /// The import's notes in the graph, saved when another transaction began.
  private var suspended: Suspended?
  /// Whether there were changes made in code when the import began. With a store, these changes are validated and written along with the
  /// import.
  private let followsChanges: Bool

  private enum Stage {
    case open
    /// The import was abandoned while another transaction was open inside it, and is rolled back after that transaction has ended.
    case doomed
    case closed
  }

  private struct Suspended {
    var touched: PlainStack<GraphState.Touch>
    var orphans: PlainStack<GraphState.Orphan>
    /// The flags of touched rows that are valid only within one transaction.
    var flags: [UInt8]
  }

  /// - Parameters:
  ///   - isWhole: whether the context may be used for other purposes between the pieces; only one such import can be open.
  ///   - isCommitted: whether the import is written to the store, if there is one.
  ///   - shelf: the pieces of the payload, if they are read more than once.
  ///   - mostFaults: the number of errors to allow if elements with faults are skipped, in place of the number to report.
  ///   - hasReport: whether its report is used.
  init(
    _ context: ManagedObjectContext, _ options: ImportOptions, isSingle: Bool = false, isWhole: Bool = false,
    isCommitted: Bool = true, shelf: PieceShelf = PieceShelf(), mostFaults: Int? = nil, hasReport: Bool = true
  ) throws(ImportError) {
    try context.checkImport()
    guard !isWhole || context.units.stream == nil else {
      throw ImportFinding.openStream.error()
    }
    do { try context.merge() } catch { throw ImportError(writing: error) }
    self.context = context
    self.isWhole = isWhole
    self.isCommitted = isCommitted
    self.shelf = shelf
    shelf.surroundingPlaces = SurroundingPlaces()
    shelf.hidesValues = context.model.plan.hidesValues
    followsChanges = context.binding != nil && context.state.hasChanges
    context.beginImport()
    depth = context.state.openUnits
    self.options = options
    log = FaultLog(
      context, limit: mostFaults ?? options.limits.errors, keepsAll: mostFaults != nil,
      findsWarnings: options.warnings == .error || options.warnings == .report && hasReport)
    importer = PayloadImporter(context, log, shelf, options, isSingle: isSingle)
    if isWhole { context.units.open(self) }
  }

  deinit {
    giveUp()
    importer.free()
    if let suspended {
      suspended.touched.free()
      suspended.orphans.free()
    }
  }

  // MARK: Reading

  /// The end of the last piece that was read, if that piece had a quota.
  var end: PayloadSource.End? { importer.reader.roots.end }

  /// Reads a piece and applies it.
  ///
  /// - Parameter origin: the later location of the piece's bytes; nil if the bytes stay in memory until the end.
  /// - Returns: the number of the piece's objects, not counting nested objects.
  /// - Throws: an ``ImportError`` if reading cannot continue; everything is then rolled back. Other errors are thrown at the end.
  @discardableResult
  func read(
    _ source: PayloadSource, _ parts: [PlannedPart], _ recorder: inout ImportRecorder?,
    _ origin: PieceShelf.Origin? = nil
  ) throws(ImportError) -> Int {
    let base = shelf.add(source, origin)
    resume()
    let (before, faults) = (importer.progress, log.list.faults.count)
    try read(source, at: base, parts, &recorder)
    let count = importer.progress.roots - before.roots
    if origin != nil {
      // Errors are located while their bytes are available.
      log.replace(from: faults) { shelf.place($0) }
      shelf.keepPlaces { importer.unsettled(since: before) }
      importer.forgetRoots()
      shelf.release()
    }
    return count
  }

  /// Reads a piece that is on the shelf.
  ///
  /// - Parameter base: the offset of the piece's first byte.
  func read(
    _ source: PayloadSource, at base: Int, _ parts: [PlannedPart], _ recorder: inout ImportRecorder?
  ) throws(ImportError) {
    for object in parts.lazy.compactMap(\.object) {
      // The import began by merging other changes, which may have deleted the object.
      guard !object.isGone else {
        giveUp()
        throw ImportFinding.deletedParent("\(object)").error()
      }
      context.state.loadRow(object.table, object.number)
    }
    if context.binding != nil { try IdentityCollector.load(source, parts, context) }
    try work { () throws(JSONSyntaxError) in try importer.read(source, at: base, parts) }
    recorder?.noteUnknownKeys(importer.takeUnknownKeys(), shelf)
    importer.examineKeys()
  }

  /// Decides everything that is decided at the end of a payload, and ends the transaction.
  ///
  /// - Parameter isTrial: whether the import is rolled back even if nothing is wrong.
  /// - Returns: the rows of the payload's objects, in payload order, if the payload was read in one piece.
  func finish(_ recorder: inout ImportRecorder?, isTrial: Bool = false) throws(ImportError) -> [UInt32] {
    let outcome = try work { () throws(JSONSyntaxError) in try importer.finish() }
    guard log.list.isEmpty else {
      defer { giveUp() }
      refusal = log.list
      throw reporter.error(log.list, cause: log.cause)
    }
    let warnings = importer.warnings()
    if options.warnings == .error, !warnings.isEmpty {
      defer { giveUp() }
      throw reporter.error(warnings, cause: nil)
    }
    if isTrial {
      giveUp()
      return outcome.roots
    }
    for trace in options.traces { trace.keep() }
    recorder?.binding = context.binding
    recorder?.follow()
    recorder?.note(outcome, context.state, shelf)
    if !warnings.isEmpty { recorder?.note(shelf.place(warnings.faults[...]), warnings.counts, options) }
    recorder?.generation = context.generation
    try write()
    recorder?.noteStored(context.state)
    close()
    context.state.pointee.end()
    if let moved = context.binding?.takeMoved(), !moved.isEmpty {
      let table = context.model.plan.layouts[importer.reader.roots.entity].table
      return outcome.roots.map { moved[RowPlace(table: table, row: $0)]?.row ?? $0 }
    }
    return outcome.roots
  }

  /// Writes the changes to the store, unless a larger transaction does that. If they cannot be written, they are rolled back.
  private func write() throws(ImportError) {
    guard let binding = context.binding, depth == 1, isCommitted else { return }
    do {
      try binding.throwFailure()
      if followsChanges { try context.validate() }
      try context.write(.import)
    } catch let error as ValidationError {
      giveUp()
      throw ImportError(error)
    } catch {
      giveUp()
      throw ImportError(writing: error)
    }
  }

  private var reporter: FaultReporter { FaultReporter(shelf: shelf, options: options) }

  /// Throws if the import cannot continue.
  func check() throws(ImportError) {
    if let ending { throw ending }
    precondition(stage == .open, "the import has ended")
    try context.checkImport()
    guard depth == context.state.openUnits else {
      throw ImportFinding.streamFromOutside.error()
    }
  }

  private func work<Result>(_ body: () throws(JSONSyntaxError) -> Result) throws(ImportError) -> Result {
    try check()
    resume()
    context.activity.pointee.begin(.importing)
    defer {
      context.activity.pointee.end()
      context.activity.pointee.refusedCall = nil
    }
    let result: Result
    do throws(JSONSyntaxError) {
      result = try body()
    } catch {
      defer { giveUp() }
      var error = error
      // Text that a dictionary transformer returned has no location in the payload, so the error is located at the object that was
      // transformed.
      if let offset = importer.reader.texts.offset { error.offset = offset }
      if error.problem == .stopped {
        refusal = log.list
        throw reporter.error(log.list, cause: log.cause, isAtLimit: true)
      }
      throw reporter.error(error, after: log.list, cause: log.cause)
    }
    if let call = context.activity.pointee.takeRefusedCall() {
      giveUp()
      throw ImportFinding.refusedCall(call).error()
    }
    return result
  }

  // MARK: Giving up

  private func close() {
    stage = .closed
    if isWhole { context.units.closeStream() }
  }

  /// Rolls everything back. If another transaction is open inside the import, this happens after that transaction has ended.
  func giveUp() {
    guard stage != .closed else { return }
    if depth < context.state.openUnits {
      stage = .doomed
      return
    }
    close()
    context.takeUnitBack(isSeen: isWhole)
  }

  func settle() { if stage == .doomed { giveUp() } }

  /// Rolls everything back, and adds the errors found so far to an external error.
  func giveUp(_ error: ImportError) -> ImportError {
    guard stage != .closed else { return error }
    giveUp()
    guard !log.list.isEmpty else { return error }
    let earlier = reporter.error(log.list, cause: log.cause)
    return ImportError(
      earlier.diagnostics + error.diagnostics, underlyingError: error.underlyingError ?? earlier.underlyingError,
      isAtLimit: earlier.isAtLimit)
  }

  func abandon(_ reason: String) {
    giveUp()
    ending = ImportFinding.stopped(reason).error()
  }

  // MARK: Other transactions

  func suspend() {
    guard suspended == nil, stage != .closed else { return }
    let state = context.state
    let flags = state.pointee.touched.elements.map { touch in
      state.row(Int(touch.table), touch.row).header.importMarks
    }
    suspended = Suspended(touched: state.pointee.touched, orphans: state.pointee.orphans, flags: flags)
    state.pointee.touched = PlainStack()
    state.pointee.orphans = PlainStack()
  }

  /// Returns to the state at the beginning of another transaction.
  private func resume() {
    guard let saved = suspended, stage == .open, !context.isBusy, depth == context.state.openUnits else {
      return
    }
    suspended = nil
    let state = context.state
    state.pointee.touched.free()
    state.pointee.orphans.free()
    state.pointee.resumeImport()
    state.pointee.touched = saved.touched
    state.pointee.orphans = saved.orphans
    for (touch, flags) in zip(saved.touched.elements, saved.flags) {
      let row = state.row(Int(touch.table), touch.row)
      row.header = row.header.touched(in: state.pointee.importEpoch, importMarks: flags)
    }
  }
}
