/// An import whose bytes arrive in pieces (I16): JSON Lines, or a document with a long array of objects.
///
///     let stream = try ImportStream(ofEntity: "Event", in: context, format: .lines)
///     for try await chunk in response.body { try stream.append(chunk) }
///     let report = try stream.finish()
///
/// By default, objects are imported in batches, as soon as a batch is full, or a little later if batches are large. A stream of any length
/// therefore uses little memory in addition to the graph. A batch is a separate payload: known identifiers, orphans and validation are
/// decided at its end. Between two calls, the context may be used freely. The report counts what the batches did, even if an object has
/// since been deleted in code or removed by ``ManagedObjectContext/reset()``.
///
/// With ``ImportBatches/Atomicity/whole``, the stream is one payload. It is still read in pieces, and takes a few bytes for each object in
/// addition to the graph. However, everything that is decided at the end of a payload is decided in ``finish()``, which also throws all
/// errors, unless reading cannot continue. Until then:
///
/// - Another whole stream in the same context is an error. ``ManagedObjectContext/reset()`` and ``ManagedObjectContext/restore(_:)`` trap.
/// - ``ManagedObjectContext/rollBack()`` also rolls back the stream, whose next call throws.
/// - Objects can be read and changed, and other payloads imported. These changes become permanent, or are rolled back, with the stream.
/// - If the stream was begun inside ``ManagedObjectContext/atomically(_:)``, it must be finished there.
///
/// Errors that are found at the end of a whole stream are located by reading the file again, or in the first 16 MiB, which are kept
/// in memory. In the rest of a longer sequence of bytes, the first 1,000 unknown identifiers and objects that lack a value are located
/// without an excerpt, and the rest are not located. If a class of the model is ``ImportObserving``, or if
/// ``ImportOptions/reportsDetails`` is set and the bytes do not come from a file, all bytes are kept until the end.
///
/// If ``ImportOptions/faultyElements`` are skipped, a whole stream is kept, or read again from its file, and imported in ``finish()``.
///
/// ``ManagedObjectContext/importStream(contentsOf:into:at:format:batches:options:progress:)`` reads a file this way, and there are
/// variants for asynchronous sequences. Not Sendable, because the context is not.
public final class ImportStream {
  /// The format of the stream.
  public enum Format: String, Sendable, CaseIterable {
    /// One JSON document: an array of objects, possibly under a key path. The JSON that surrounds the array is skipped. Anything other than
    /// an array is imported as one batch.
    case document
    /// JSON Lines: each line is a JSON document, or blank.
    case lines
  }

  private enum State {
    case open
    case finished
    /// The error is thrown by all further calls.
    case failed(ImportError)
    /// The same, for a whole stream, of which nothing is kept.
    case rolledBack(ImportError)
  }

  private let context: ManagedObjectContext
  private let part: PlannedPart
  private let options: ImportOptions
  private let keys: [String]
  private let onProgress: (ImportProgress) throws -> Void
  private var window = StreamWindow()
  private var cutter: StreamCutter
  private var recorder: StreamRecorder
  /// The payload that the whole stream forms; nil if each batch is a payload.
  private var whole: WholeStream?
  private var state = State.open
  /// The start of the innermost object of the key path. The location is kept because the object may no longer be in memory when a key turns
  /// out to be missing.
  private var opening: SourceLocation?
  /// The progress of the import.
  public private(set) var progress: ImportProgress

  /// Begins an import.
  ///
  /// - Parameters:
  ///   - entityName: the entity of the objects.
  ///   - context: the context in which the objects are found or inserted.
  ///   - keyPath: the key path of the objects in the document, or in each line.
  ///   - format: how the objects are arranged.
  ///   - batches: how many objects are imported at a time, and what is kept if a batch fails.
  ///   - options: limits, and the name of the payload in messages. ``ImportLimits/bytes`` bounds a batch.
  ///   - totalBytes: the total number of bytes, for ``ImportProgress/totalBytes``.
  ///   - progress: called after each batch. An error that it throws stops the import; complete batches are kept.
  /// - Throws: an ``ImportError`` if the model has no such entity, if another whole stream is open in the context, or if objects read
  ///   values from the part of a document that the stream skips ([M19](doc:Rules#M19)).
  public convenience init(
    ofEntity entityName: String, in context: ManagedObjectContext, at keyPath: JSONKeyPath? = nil,
    format: Format = .document,
    batches: ImportBatches = ImportBatches(), options: ImportOptions = ImportOptions(), totalBytes: Int? = nil,
    progress: @escaping (ImportProgress) throws -> Void = { _ in }
  ) throws(ImportError) {
    try self.init(
      after: nil, ofEntity: entityName, in: context, at: keyPath, format: format, batches: batches, options: options,
      totalBytes: totalBytes, rereads: nil, progress: progress)
  }

  /// Begins an import of the objects of a class.
  ///
  ///     let stream = try ImportStream(into: Event.self, in: context, format: .lines)
  ///
  /// - Throws: an ``ImportError`` if the model has no such entity, or if another whole stream is open in the context.
  public convenience init<Object: ManagedObject>(
    into type: Object.Type, in context: ManagedObjectContext, at keyPath: JSONKeyPath? = nil,
    format: Format = .document, batches: ImportBatches = ImportBatches(), options: ImportOptions = ImportOptions(),
    totalBytes: Int? = nil, progress: @escaping (ImportProgress) throws -> Void = { _ in }
  ) throws(ImportError) {
    try self.init(
      ofEntity: Object.entityName, in: context, at: keyPath, format: format, batches: batches, options: options,
      totalBytes: totalBytes, progress: progress)
  }

  /// Continues another stream: one report covers both (D10), and two whole streams are one payload (I17).
  ///
  /// - Parameters:
  ///   - earlier: a stream that is finished, or a whole stream that has ended (``end()``).
  ///   - rereads: reads the given bytes of the stream again; returns fewer at its end, and nil on failure. Called only at the end of a
  ///     whole stream.
  ///   - keptBytes: how many bytes of a whole stream are kept if they cannot be read again.
  ///   - sampleBytes: see ``BatchQuota``.
  package init(
    after earlier: ImportStream?, ofEntity entityName: String, in context: ManagedObjectContext,
    at keyPath: JSONKeyPath?,
    format: Format, batches: ImportBatches, options: ImportOptions, totalBytes: Int?,
    rereads: ((Range<Int>) -> [UInt8]?)?, keptBytes: Int = 16 << 20,
    sampleBytes: Int = 1 << 16,
    progress: @escaping (ImportProgress) throws -> Void
  ) throws(ImportError) {
    try context.checkImport()
    self.context = context
    self.options = options
    // The key path of a document is followed before the pieces; the key path of lines is followed in each piece.
    let entity = try context.importedEntity(entityName)
    if format == .document, keyPath?.isThroughArrays == true {
      throw ImportFinding.streamThroughArrays(options.words).error()
    }
    if format == .document, keyPath != nil { try context.model.plan.checkStream(of: entity, options.words) }
    part = PlannedPart(entity: entity.index, keyPath: format == .lines ? keyPath : nil)
    keys = format == .lines ? [] : keyPath?.keys ?? []
    let features = context.model.plan.features
    let canBeTakenBack =
      batches.atomicity == .each && context.binding == nil && options.faultyElements == .error
      && options.unknownKeys != .report && options.traces.isEmpty && !features.hasHooks && !features.hasClosures
    let areObjects =
      format == .document
      || keyPath == nil && context.model.plan.layouts[entity.index].forms.keyField < 0 && !features.hasSurroundings
    let quota = BatchQuota(
      batches, mostBytes: options.limits.bytes, sample: sampleBytes, isPossible: canBeTakenBack && areObjects)
    cutter = StreamCutter(format, keys: keys, batches: batches, options: options, quota: quota)
    recorder = earlier?.recorder ?? StreamRecorder(context.model.plan)
    self.progress = ImportProgress(totalBytes: totalBytes)
    onProgress = progress
    guard batches.atomicity == .whole else {
      if earlier == nil { context.units.followers.add(recorder) }
      return
    }
    let payload: OpenImport
    let tolerant: TolerantImport?
    if let earlier, let open = earlier.whole {
      payload = open.payload
      tolerant = open.tolerant
      earlier.whole = nil
    } else {
      payload = try OpenImport(context, options, isWhole: true)
      tolerant = options.faultyElements == .skip ? TolerantImport(context, options) : nil
    }
    // Hooks must receive the bytes that were imported, but a file may have changed by the time it is read again.
    let hasHooks = features.hasHooks
    if let rereads, !hasHooks {
      whole = WholeStream(payload: payload, tolerant: tolerant, origin: PieceShelf.Origin(rereads))
    } else {
      let log = StreamLog(limit: hasHooks || options.reportsDetails || tolerant != nil ? .max : keptBytes)
      whole = WholeStream(
        payload: payload, tolerant: tolerant, origin: PieceShelf.Origin(log.read, reaches: log.reaches), log: log)
    }
  }

  deinit { whole?.payload.giveUp() }

  /// Adds bytes, and imports the batches that they complete.
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong with a batch. The import has then ended. The batches before the error are
  ///   kept, or nothing is kept, depending on ``ImportBatches/atomicity``. Further calls throw the same error. A whole stream throws here
  ///   only if reading cannot continue.
  public func append(_ bytes: some Sequence<UInt8>) throws(ImportError) {
    try context.checkImport()
    let result =
      bytes.withContiguousStorageIfAvailable { append(LentBytes($0)) }
      ?? LentBytes.with(Array(bytes)) { append($0) }
    try result.get()
  }

  /// The number of bytes that are added before a complete batch is imported.
  private static let step = 1 << 16

  /// Adds bytes in steps. A batch is imported before the following bytes are added, so the window stays small, and its bytes are
  /// read while they are still in the cache.
  private func append(_ bytes: LentBytes) -> Result<Void, ImportError> {
    // A closure that receives the progress may append more bytes.
    takeRest()
    window.arriving = bytes
    defer { window.arriving = LentBytes() }
    return Result { () throws(ImportError) in
      repeat {
        takeIn(ImportStream.step)
        try importPieces(isAtEnd: false)
      } while !window.arriving.isEmpty
    }
  }

  /// Adds the remaining bytes that are being appended.
  private func takeRest() { takeIn(window.arriving.count) }

  private func takeIn(_ most: Int) {
    let bytes = window.takeIn(most)
    whole?.log?.append(bytes)
  }

  /// Imports the remaining bytes.
  ///
  /// - Returns: the report of the whole run.
  /// - Throws: an ``ImportError``, including if the document is incomplete.
  @discardableResult
  public func finish() throws(ImportError) -> ImportReport {
    try context.checkImport()
    try end()
    guard isOpen else { return report }
    if let whole {
      do throws(ImportError) {
        try recorder.recording { recorder throws(ImportError) in
          if let tolerant = whole.tolerant {
            try whole.payload.check()
            _ = try tolerant.finish(&recorder)
          }
          _ = try whole.payload.finish(&recorder)
        }
      } catch {
        throw fail(error)
      }
      context.commitUnlessNested()
    }
    state = .finished
    whole = nil
    return report
  }

  /// Imports the remaining bytes; another stream may continue this one.
  package func end() throws(ImportError) {
    takeRest()
    try importPieces(isAtEnd: true)
  }

  /// The report of the batches so far; empty for a whole stream that is not finished.
  package var report: ImportReport { whole == nil && !isRolledBack ? recorder.report(context.state) : ImportReport() }

  private var isOpen: Bool { if case .open = state { true } else { false } }
  private var isRolledBack: Bool { if case .rolledBack = state { true } else { false } }

  /// The error with which the import has ended.
  private var failure: ImportError? {
    switch state {
    case .open, .finished: nil
    case .failed(let error), .rolledBack(let error): error
    }
  }

  /// Ends the import without the remaining bytes: complete batches are kept, or nothing is kept if the stream is whole. Not required after
  /// an error.
  public func cancel() { cancel(CancellationError()) }

  @discardableResult
  func cancel(_ error: any Error) -> ImportError {
    // A closure of the import calls back into the stream, which makes the import fail.
    if context.isReentrant("cancel a stream", isForHooks: false) { return stopped(error) }
    return fail(stopped(error))
  }

  private func importPieces(isAtEnd: Bool) throws(ImportError) {
    if let failure { throw failure }
    precondition(isOpen, "the stream is finished")
    do throws(ImportError) {
      while let piece = try nextPiece(isAtEnd: isAtEnd) { try importPiece(piece, isAtEnd: isAtEnd) }
    } catch {
      throw fail(error)
    }
    progress.bytes = window.taken
  }

  private func nextPiece(isAtEnd: Bool) throws(ImportError) -> StreamCutter.Piece? {
    do throws(JSONSyntaxError) {
      let piece = try cutter.next(&window, isAtEnd: isAtEnd)
      if let offset = cutter.opening, offset != opening?.offset {
        opening = withWindow(isAtEnd: isAtEnd) { $0.location(offset - window.before.bytes, 1) }
        if context.model.plan.hidesValues { opening?.excerpt = "" }
      }
      return piece
    } catch {
      let path = cutter.path
      var fault = FaultReporter.fault(error, options)
      fault.place = withWindow(isAtEnd: isAtEnd) {
        ImportFault.Place(location: $0.location(fault.offset, fault.length), path: path)
      }
      if error.offset < 0, let opening { fault.place?.location = opening }
      if context.model.plan.hidesValues { fault.place?.location?.excerpt = "" }
      throw FaultReporter.error(fault)
    }
  }

  /// Calls a closure with everything that is in memory.
  private func withWindow<Result>(isAtEnd: Bool, _ body: (PayloadSource) -> Result) -> Result {
    let place = PayloadSource.Window(before: window.before, hasMore: hasMore(isAtEnd: isAtEnd))
    return body(PayloadSource(window.bytes, options, .document, place, PayloadSource.Root()))
  }

  /// Returns whether, to the extent known, more bytes follow the bytes in memory.
  private func hasMore(isAtEnd: Bool) -> Bool {
    !isAtEnd && window.taken + window.waiting != progress.totalBytes
  }

  private func importPiece(_ piece: StreamCutter.Piece, isAtEnd: Bool) throws(ImportError) {
    var piece = piece
    let bytes = window.bytes
    let place = PayloadSource.Window(
      lead: piece.range.lowerBound, trail: bytes.count - piece.range.upperBound, before: window.before,
      hasMore: hasMore(isAtEnd: isAtEnd),
      replaced: piece.replaced.map { .init(index: $0.index - piece.range.lowerBound, byte: $0.byte) })
    let root = PayloadSource.Root(
      path: "$" + keys.map(JSONPathText.member).joined(), depth: keys.count,
      elements: piece.form == .elements ? cutter.taken : 0)
    let source = PayloadSource(bytes.part(piece.range), options, piece.form, place, root, quota: piece.quota)
    let count: Int
    if piece.quota == nil {
      count = try importSource(source, piece.count)
    } else {
      guard let batch = importQuota(source) else { return cutter.takeBack(piece, &window) }
      cutter.end(&piece, at: batch.end)
      count = batch.count
    }
    cutter.take(piece, &window)
    progress.bytes = window.taken
    // Blank lines and empty arrays are not counted as batches.
    guard piece.count > 0 else { return }
    progress.batches += 1
    progress.objects += count
    do {
      try onProgress(progress)
    } catch {
      throw stopped(error)
    }
    // The closure may have cancelled the stream.
    if let failure { throw failure }
  }

  /// - Returns: the number of objects in the source, not counting nested objects.
  private func importSource(_ source: PayloadSource, _ count: Int) throws(ImportError) -> Int {
    if let tolerant = whole?.tolerant {
      tolerant.add(source, [part], whole?.origin)
      return count
    }
    let count = try recorder.recording { recorder throws(ImportError) in
      if let whole { return try whole.payload.read(source, [part], &recorder, whole.origin) }
      let before = context.binding == nil ? nil : recorder
      return try context.retryingConflicts { attempt throws(ImportError) in
        if attempt > 0 { recorder = before }
        return try importBatch(source, &recorder)
      }
    }
    if whole == nil { context.commitUnlessNested() }
    return count
  }

  /// Imports a batch up to its quota. Returns nil, and imports nothing, if there is a fault. The fault is found again, with its location,
  /// when the end of the batch is known.
  private func importQuota(_ source: PayloadSource) -> (count: Int, end: PayloadSource.End)? {
    let result = try? recorder.recording { recorder throws(ImportError) in
      let batch = try OpenImport(context, options)
      let count = try batch.read(source, [part], &recorder)
      // Without elements, the brackets of the piece may hide a fault.
      guard let end = batch.end, end.count > 0 else { throw ImportError([]) }
      _ = try batch.finish(&recorder)
      return (count, end)
    }
    if result != nil { context.commitUnlessNested() }
    return result
  }

  private func importBatch(_ source: PayloadSource, _ recorder: inout ImportRecorder?) throws(ImportError) -> Int {
    if options.faultyElements == .skip {
      let batch = TolerantImport(context, options)
      batch.add(source, [part])
      return try batch.finish(&recorder).count
    }
    let batch = try OpenImport(context, options)
    let count = try batch.read(source, [part], &recorder)
    _ = try batch.finish(&recorder)
    return count
  }

  private func stopped(_ error: any Error) -> ImportError {
    ImportFinding.stopped(afterBytes: progress.bytes).error(underlyingError: error)
  }

  /// Ends the import.
  ///
  /// - Returns: the error, which describes what is kept; or the error with which the import has already ended.
  private func fail(_ error: ImportError) -> ImportError {
    guard isOpen else { return failure ?? error }
    // Rolling back calls observers, which may use the stream.
    state = .finished
    guard let whole else {
      let error = noting(batchesKept, in: error)
      state = .failed(error)
      return error
    }
    let error = noting("nothing from the stream is kept", in: whole.payload.giveUp(error))
    self.whole = nil
    state = .rolledBack(error)
    return error
  }

  private func noting(_ note: String, in error: ImportError) -> ImportError {
    var diagnostics = error.diagnostics
    if progress.objects > 0, !diagnostics.isEmpty {
      diagnostics[diagnostics.count - 1].notes.append(Diagnostic.Note(note))
    }
    return ImportError(diagnostics, underlyingError: error.underlyingError, isAtLimit: error.isAtLimit)
  }

  /// The batches before an error.
  private var batchesKept: String {
    let isOne = progress.batches == 1
    let batches = isOne ? "the batch" : "the \(progress.batches) batches"
    let objects = "\(progress.objects) object\(progress.objects == 1 ? "" : "s")"
    let verb = context.units.dryRuns > 0 ? "would be" : isOne ? "is" : "are"
    return "\(batches) before it, with \(objects), \(verb) kept"
  }
}
