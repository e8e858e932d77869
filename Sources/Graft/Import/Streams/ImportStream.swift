/// An import whose bytes come piece by piece (I16): JSON Lines, or a document with a long array of objects.
///
///     let stream = try ImportStream(into: "Event", in: context, format: .lines)
///     for try await chunk in response.body { try stream.append(chunk) }
///     let report = try stream.finish()
///
/// Objects are imported in batches as soon as a batch is full, so memory beside the graph stays small whatever the length. A batch
/// is a payload of its own: what is known (D1), and what is valid (I9), is asked at its end.
///
/// ``ManagedObjectContext/importStream(contentsOf:into:at:format:batches:options:progress:)`` reads a file this way, and there are
/// forms for asynchronous sequences. Not Sendable, as the context is not.
public final class ImportStream {
  /// How objects follow each other.
  public enum Format: String, Sendable, CaseIterable {
    /// One JSON document: an array of objects, also under a key path. What stands around it is passed over. Anything else than
    /// an array is imported as one batch.
    case document
    /// JSON Lines: each line is a JSON document, or blank.
    case lines
  }

  private let context: ManagedObjectContext
  private let part: PlannedPart
  private let options: ImportOptions
  private let keys: [String]
  private let isWhole: Bool
  private let onProgress: (ImportProgress) throws -> Void
  private var window = StreamWindow()
  private var cutter: StreamCutter
  private var recorder: ImportRecorder?
  private var failure: ImportError?
  /// Where the innermost object of the key path begins. It may be gone from memory when a key turns out to be missing in it.
  private var opening: SourceLocation?
  private var isOpen = true
  /// How far it has come.
  public private(set) var progress: ImportProgress

  /// Begins an import.
  ///
  /// - Parameters:
  ///   - entityName: the entity of the objects.
  ///   - context: where the objects are found or inserted.
  ///   - keyPath: where in the document, or in each line, the objects stand.
  ///   - format: how objects follow each other.
  ///   - batches: how many objects are imported at once, and what is kept when a batch fails. With ``ImportBatches/Atomicity/whole``
  ///     nothing else may change the context until the stream is finished.
  ///   - options: limits, and what to call the payload in messages. ``ImportLimits/bytes`` bounds a batch.
  ///   - totalBytes: how many bytes will come, for ``ImportProgress/totalBytes``.
  ///   - progress: called after each batch. An error that it throws stops the import; complete batches stay.
  /// - Throws: an ``ImportError`` if the model has no such entity.
  public init(
    into entityName: String, in context: ManagedObjectContext, at keyPath: JSONKeyPath? = nil,
    format: Format = .document,
    batches: ImportBatches = ImportBatches(), options: ImportOptions = ImportOptions(), totalBytes: Int? = nil,
    progress: @escaping (ImportProgress) throws -> Void = { _ in }
  ) throws(ImportError) {
    try context.checkImport()
    self.context = context
    self.options = options
    // The key path of a document is walked before the pieces; that of lines in each of them.
    part = PlannedPart(
      entity: try context.importedEntity(entityName).index, keyPath: format == .lines ? keyPath : nil)
    keys = format == .lines ? [] : keyPath?.keys ?? []
    cutter = StreamCutter(format, keys: keys, batches: batches, options: options)
    recorder = ImportRecorder(context.model.plan)
    isWhole = batches.atomicity == .whole
    self.progress = ImportProgress(totalBytes: totalBytes)
    onProgress = progress
    if isWhole { context.beginUnit() }
  }

  /// Goes on after a stream that is finished: one report tells of both (D10).
  package convenience init(
    after earlier: ImportStream?, into entityName: String, in context: ManagedObjectContext, at keyPath: JSONKeyPath?,
    format: Format, batches: ImportBatches, options: ImportOptions, totalBytes: Int?,
    progress: @escaping (ImportProgress) throws -> Void
  ) throws(ImportError) {
    try self.init(
      into: entityName, in: context, at: keyPath, format: format, batches: batches, options: options,
      totalBytes: totalBytes, progress: progress)
    if let earlier { recorder = earlier.recorder }
  }

  deinit {
    guard isOpen, isWhole else { return }
    // In the middle of an import nothing else can be rolled back: the import fails for it.
    if !context.isReentrant("release a stream", isForHooks: false) { context.takeUnitBack() }
  }

  /// Takes bytes in, and imports the batches that they complete.
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong with a batch. The import is over then: batches before it stay, or
  ///   nothing does, as ``ImportBatches/atomicity`` says; further calls throw the same error.
  public func append(_ bytes: some Sequence<UInt8>) throws(ImportError) {
    try context.checkImport()
    let done: Void? = bytes.withContiguousStorageIfAvailable { window.append(UnsafeRawBufferPointer($0)) }
    if done == nil { Array(bytes).withUnsafeBytes { window.append($0) } }
    try importPieces(isAtEnd: false)
  }

  /// Imports what is left.
  ///
  /// - Returns: the report of the whole run.
  /// - Throws: an ``ImportError``, also if the document has not ended.
  @discardableResult
  public func finish() throws(ImportError) -> ImportReport {
    try context.checkImport()
    try importPieces(isAtEnd: true)
    let report = report
    if isOpen, isWhole { context.endUnit() }
    isOpen = false
    return report
  }

  /// What the batches so far did.
  package var report: ImportReport { recorder?.report(context.state) ?? ImportReport() }

  /// Ends the import without the rest: complete batches stay, or nothing does. Not needed after an error.
  public func cancel() { cancel(CancellationError()) }

  @discardableResult
  func cancel(_ error: any Error) -> ImportError {
    // In the middle of a batch nothing can be rolled back: the batch fails for it, and the stream with it.
    if context.isReentrant("cancel a stream", isForHooks: false) { return stopped(error) }
    let error = stopped(error)
    fail(error)
    return failure ?? error
  }

  private func importPieces(isAtEnd: Bool) throws(ImportError) {
    if let failure { throw failure }
    precondition(isOpen, "the stream is finished")
    do throws(ImportError) {
      while let piece = try nextPiece(isAtEnd: isAtEnd) { try importPiece(piece, isAtEnd: isAtEnd) }
    } catch {
      fail(error)
      throw failure ?? error
    }
    progress.bytes = window.taken
  }

  private func nextPiece(isAtEnd: Bool) throws(ImportError) -> StreamCutter.Piece? {
    do throws(JSONSyntaxError) {
      let piece = try cutter.next(&window, isAtEnd: isAtEnd)
      if let offset = cutter.opening, offset != opening?.offset {
        opening = withWindow(isAtEnd: isAtEnd) { $0.location(offset - window.before.bytes, 1) }
      }
      return piece
    } catch {
      let path = cutter.path
      throw withWindow(isAtEnd: isAtEnd) { FaultReporter(source: $0).error(error, at: path, place: opening) }
    }
  }

  /// All that is in memory.
  private func withWindow<Result>(isAtEnd: Bool, _ body: (PayloadSource) -> Result) -> Result {
    window.bytes.withUnsafeBufferPointer { bytes in
      var source = PayloadSource(bytes, options)
      source.before = window.before
      source.hasMore = hasMore(isAtEnd: isAtEnd)
      return body(source)
    }
  }

  /// Whether something follows what is in memory, as far as that is known.
  private func hasMore(isAtEnd: Bool) -> Bool {
    !isAtEnd && window.taken + window.waiting != progress.totalBytes
  }

  private func importPiece(_ piece: StreamCutter.Piece, isAtEnd: Bool) throws(ImportError) {
    let count = try window.bytes.withUnsafeBufferPointer { bytes throws(ImportError) in
      var source = PayloadSource(UnsafeBufferPointer(rebasing: bytes[piece.range]), options)
      source.form = piece.form
      source.lead = piece.range.lowerBound
      source.trail = bytes.count - piece.range.upperBound
      source.before = window.before
      source.hasMore = hasMore(isAtEnd: isAtEnd)
      source.replaced = piece.replaced.map { .init(index: $0.index - piece.range.lowerBound, byte: $0.byte) }
      source.rootPath = "$" + keys.map(JSONPathText.member).joined()
      source.outerDepth = keys.count
      source.outerElements = piece.form == .elements ? cutter.taken : 0
      let rows = try ImportRun(context: context).unit(source, [part], &recorder)
      context.commitUnlessNested()
      return rows.count
    }
    cutter.take(piece, &window)
    progress.bytes = window.taken
    // Blank lines and empty arrays are no batches.
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

  private func stopped(_ error: any Error) -> ImportError {
    ImportError(
      [Diagnostic(.error, code: "stopped", "the import was stopped after \(progress.bytes) bytes")],
      underlyingError: error)
  }

  /// Ends the import; the error says what stays.
  private func fail(_ error: ImportError) {
    guard failure == nil, isOpen else { return }
    isOpen = false
    if isWhole { context.takeUnitBack() }
    var diagnostics = error.diagnostics
    if progress.objects > 0, !diagnostics.isEmpty {
      diagnostics[diagnostics.count - 1].notes.append(Diagnostic.Note(whatStays))
    }
    failure = ImportError(diagnostics, underlyingError: error.underlyingError, isAtLimit: error.isAtLimit)
  }

  /// What becomes of the batches before a fault.
  private var whatStays: String {
    let isOne = progress.batches == 1
    let batches = isOne ? "the batch" : "the \(progress.batches) batches"
    if isWhole { return "nothing is kept of \(batches) before it" }
    let objects = "\(progress.objects) object\(progress.objects == 1 ? "" : "s")"
    let verb = context.dryRuns > 0 ? "would be" : isOne ? "is" : "are"
    return "\(batches) before it, with \(objects), \(verb) kept"
  }
}
