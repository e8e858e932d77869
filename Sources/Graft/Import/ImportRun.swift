/// A payload that is imported together with other payloads.
package struct ImportPayload {
  /// The entity and the location of the payload's objects.
  package var part: ImportPart
  /// The JSON text of the payload.
  package var bytes: [UInt8]
  /// How to read the payload.
  package var options: ImportOptions

  package init(
    _ entityName: String, bytes: [UInt8], at keyPath: JSONKeyPath? = nil, isRequired: Bool = true,
    missing: ImportPart.MissingObjects = .keep, parent: ImportPart.Parent? = nil, options: ImportOptions = .init()
  ) {
    part = .objects(ofEntity: entityName, at: keyPath, isRequired: isRequired, missing: missing)
    part.parent = parent
    self.bytes = bytes
    self.options = options
  }
}

/// Runs imports in a context. Each import is all or nothing (I10).
struct ImportRun {
  let context: ManagedObjectContext
  /// Whether the payload must be one object, not an array.
  var isSingle = false
  /// Whether the imported objects are committed, that is, written to the store if there is one.
  var isCommitted = true

  /// Imports one payload of a single part and commits.
  ///
  /// - Returns: the rows of the payload's objects, in payload order.
  func rows(_ source: PayloadSource, _ parts: [PlannedPart]) throws(ImportError) -> [UInt32] {
    var recorder: ImportRecorder?
    let table = context.model.plan.layouts[parts[0].entity].table
    var rows = HeldRows(context, table, try unit(source, parts, &recorder))
    // Observers of the context are notified of the import, and may change anything.
    context.commitUnlessNested()
    return rows.rest()
  }

  /// Imports one payload, commits, and returns a report.
  ///
  /// - Parameter follow: called before the commit, when the import can no longer fail.
  func report(
    _ source: PayloadSource, _ parts: [PlannedPart], _ follow: () -> Void = {}
  ) throws(ImportError) -> ImportReport {
    var recorder: ImportRecorder? = ImportRecorder(context.model.plan)
    _ = try unit(source, parts, &recorder)
    let report = recorder?.report(context.state) ?? ImportReport()
    follow()
    context.commitUnlessNested()
    return report
  }

  /// Imports several payloads together (I17). Their order does not affect which objects are known, and if one fails, none is imported.
  func run(_ payloads: [ImportPayload]) throws(ImportError) -> ImportReport {
    let parts = try context.planned(payloads.map(\.part))
    var recorder: ImportRecorder?
    try context.retryingConflicts { _ throws(ImportError) in
      recorder = ImportRecorder(context.model.plan)
      try read(payloads, parts, &recorder)
    }
    let report = recorder?.report(context.state) ?? ImportReport()
    context.commitUnlessNested()
    return report
  }

  private func read(
    _ payloads: [ImportPayload], _ parts: [PlannedPart], _ recorder: inout ImportRecorder?
  ) throws(ImportError) {
    let options = payloads.first?.options ?? ImportOptions()
    let open: OpenImport? = options.faultyElements == .skip ? nil : try OpenImport(context, options)
    let tolerant = TolerantImport(context, options)
    for (payload, part) in zip(payloads, parts) {
      let origin = PieceShelf.Origin { Array(payload.bytes[$0.clamped(to: 0..<payload.bytes.count)]) }
      try LentBytes.with(payload.bytes) { bytes throws(ImportError) in
        let source = PayloadSource(bytes, payload.options)
        guard let open else { return tolerant.add(source, [part], origin) }
        _ = try open.read(source, [part], &recorder, origin)
      }
    }
    if let open {
      _ = try open.finish(&recorder)
    } else {
      _ = try tolerant.finish(&recorder)
    }
  }

  /// Imports one payload as a nested transaction, and rolls it back if it fails.
  func unit(
    _ source: PayloadSource, _ parts: [PlannedPart], _ recorder: inout ImportRecorder?
  ) throws(ImportError) -> [UInt32] {
    let before = context.binding == nil ? nil : recorder
    return try context.retryingConflicts { attempt throws(ImportError) in
      if attempt > 0 { recorder = before }
      return try self.attempt(source, parts, &recorder)
    }
  }

  private func attempt(
    _ source: PayloadSource, _ parts: [PlannedPart], _ recorder: inout ImportRecorder?
  ) throws(ImportError) -> [UInt32] {
    // A single object is not an element of a list that could be imported without it.
    if source.options.faultyElements == .skip, !isSingle {
      let tolerant = TolerantImport(context, source.options, hasReport: recorder != nil, isCommitted: isCommitted)
      tolerant.add(source, parts)
      return try tolerant.finish(&recorder)
    }
    let open = try OpenImport(
      context, source.options, isSingle: isSingle, isCommitted: isCommitted, hasReport: recorder != nil)
    try open.read(source, parts, &recorder)
    return try open.finish(&recorder)
  }
}

extension ManagedObjectContext {
  /// Rejects an import that a closure starts in the middle of another import (T5).
  func checkImport() throws(ImportError) {
    if let words = refusal(of: "import") { throw ImportFinding.reentrantCall(words).error() }
    do throws(StoreError) { try binding?.throwFailure() } catch { throw ImportError(writing: error) }
  }
}
