/// One payload on its way in: its objects' entity, its bytes, and how to read them.
package struct ImportPayload {
  /// The entity of the payload's objects.
  package var entityName: String
  /// The text.
  package var bytes: [UInt8]
  /// Where in the document the objects stand.
  package var keyPath: JSONKeyPath?
  /// How to read it.
  package var options: ImportOptions

  package init(_ entityName: String, bytes: [UInt8], at keyPath: JSONKeyPath? = nil, options: ImportOptions = .init()) {
    self.entityName = entityName
    self.bytes = bytes
    self.keyPath = keyPath
    self.options = options
  }
}

/// Runs imports in a context: all or nothing (I10).
struct ImportRun {
  let context: ManagedObjectContext
  /// The payload must be one object, not an array.
  var isSingle = false

  /// Imports one payload and commits.
  ///
  /// - Returns: the rows of the payload's objects, in payload order.
  func rows(_ source: PayloadSource, _ parts: [PlannedPart]) throws(ImportError) -> [UInt32] {
    var recorder: ImportRecorder?
    let rows = try unit(source, parts, &recorder)
    context.commitUnlessNested()
    return rows
  }

  /// Imports one payload, commits, and says what it did.
  func report(_ source: PayloadSource, _ parts: [PlannedPart]) throws(ImportError) -> ImportReport {
    var recorder: ImportRecorder? = ImportRecorder(context.model.plan)
    _ = try unit(source, parts, &recorder)
    let report = recorder?.report(context.state) ?? ImportReport()
    context.commitUnlessNested()
    return report
  }

  /// Imports several payloads as one unit: when one fails, nothing of any is kept.
  func run(_ payloads: [ImportPayload]) throws(ImportError) -> ImportReport {
    var recorder: ImportRecorder? = ImportRecorder(context.model.plan)
    return try context.atomically { () throws(ImportError) in
      for payload in payloads {
        let part = PlannedPart(entity: try context.importedEntity(payload.entityName).index, keyPath: payload.keyPath)
        try ImportRun.withBytes(payload.bytes) { bytes throws(ImportError) in
          _ = try unit(PayloadSource(bytes, payload.options), [part], &recorder)
        }
      }
      return recorder?.report(context.state) ?? ImportReport()
    }
  }

  /// One payload as one unit of work on top of what is there; taken back when it fails.
  func unit(
    _ source: PayloadSource, _ parts: [PlannedPart], _ recorder: inout ImportRecorder?
  ) throws(ImportError) -> [UInt32] {
    guard !context.isBusy else { throw ImportRun.reentrant }
    context.isBusy = true
    defer {
      context.isBusy = false
      context.reentrantCall = nil
    }
    let state = context.state
    context.closeGapsIfUnchanged { recorder?.move($0, $1) }
    state.pointee.begin()
    var importer = PayloadImporter(source.bytes, plan: context.model.plan, state: state, options: source.options)
    importer.context = context
    importer.faults.append(contentsOf: source.faults)
    importer.wholeText = source.wholeText
    importer.isSingle = isSingle
    defer { importer.free() }
    let reporter = FaultReporter(source: source)
    do throws(JSONSyntaxError) {
      try importer.importAll(source, parts)
    } catch {
      context.takeUnitBack(isSeen: false)
      var error = error
      // What a dictionary transformer gave has no place of its own in the payload.
      if let outer = importer.outerInputs.first { error.offset = outer.offset }
      if error.problem == .stopped {
        throw reporter.error(importer.faults, cause: importer.cause, isAtLimit: true)
      }
      throw reporter.error(error, after: importer.faults, cause: importer.cause)
    }
    let call = context.takeReentrantCall()
    guard importer.faults.isEmpty, call == nil else {
      context.takeUnitBack(isSeen: false)
      if let call { throw ImportError(code: "reentrant-import", call) }
      throw reporter.error(importer.faults, cause: importer.cause)
    }
    recorder?.note(importer, source)
    state.pointee.end()
    return importer.roots
  }

  /// What a closure hears that imports into the context it works for (T5).
  static let reentrant = ImportError(
    code: "reentrant-import",
    "the context is in the middle of an import: a transformer or mapper must not import into it")

  static func withBytes<Result>(
    _ bytes: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) throws(ImportError) -> Result
  ) throws(ImportError) -> Result {
    try bytes.withUnsafeBufferPointer { buffer throws(ImportError) in try body(buffer) }
  }
}
