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

  /// Imports one payload of a single part and commits.
  ///
  /// - Returns: the rows of the payload's objects, in payload order.
  func rows(_ source: PayloadSource, _ parts: [PlannedPart]) throws(ImportError) -> [UInt32] {
    var recorder: ImportRecorder?
    let table = context.model.plan.layouts[parts[0].entity].table
    var rows = HeldRows(context, table, try unit(source, parts, &recorder))
    // Those who observe the context hear of the import, and may change anything.
    context.commitUnlessNested()
    return rows.rest()
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
    try context.checkImport()
    // Those who observe the context hear of it, and may change anything.
    context.closeGapsIfUnchanged()
    recorder?.follow()
    context.activity.pointee.begin(.importing)
    defer {
      context.activity.pointee.end()
      context.activity.pointee.refusedCall = nil
    }
    let state = context.state
    state.pointee.beginImport()
    var importer = PayloadImporter(
      source.bytes, plan: context.model.plan, state: state, activity: context.activity, options: source.options)
    importer.context = context
    for fault in source.faults { importer.record(fault) }
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
    let call = context.activity.pointee.takeRefusedCall()
    guard importer.faults.isEmpty, call == nil else {
      context.takeUnitBack(isSeen: false)
      if let call { throw ImportError(code: "reentrant-import", call) }
      throw reporter.error(importer.faults, cause: importer.cause)
    }
    recorder?.note(importer, source)
    recorder?.generation = context.generation
    state.pointee.end()
    return importer.roots
  }

  static func withBytes<Result>(
    _ bytes: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) throws(ImportError) -> Result
  ) throws(ImportError) -> Result {
    try bytes.withUnsafeBufferPointer { buffer throws(ImportError) in try body(buffer) }
  }
}

extension ManagedObjectContext {
  /// Refuses an import that a closure asks for in the middle of another one (T5).
  func checkImport() throws(ImportError) {
    if let words = refusal(of: "import") { throw ImportError(code: "reentrant-import", words) }
  }
}
