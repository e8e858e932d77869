import Graft
import GraftTools

/// Merges the payloads in one transaction or in batches.
extension ImportCommand {
  /// The merged payloads, and the error that ended merging. Batches before a fault are kept.
  struct Merged {
    var report = ImportReport()
    /// The mentions of the traced objects.
    var traces: [TraceLines] = []
    /// The number of payloads that were imported completely.
    var complete = 0
    /// The batches of all payloads, and the objects in them.
    var batches = 0
    var objects = 0
    /// Whether a part of another payload is kept.
    var hasPart = false
    var failure: Failure?

    /// The number of imported payloads; nil if nothing was imported.
    var payloads: String? {
      guard complete > 0 else { return hasPart ? "part of 1 payload" : nil }
      return counted(complete, "payload") + (hasPart ? " and part of 1 more" : "")
    }

    mutating func add(_ progress: ImportProgress) {
      batches += progress.batches
      objects += progress.objects
    }
  }

  /// Merges the payloads. If all of them are refused, the mentions of traced objects are shown here.
  func merge(
    _ reader: inout FileReader, into context: ManagedObjectContext, _ traces: [ImportTrace], _ streams: Streams
  ) throws(Failure) -> Merged {
    if input.batchSize != nil { return mergeBatches(into: context, traces, streams) }
    do throws(Failure) {
      guard input.hasLines else { return try mergeAtOnce(&reader, into: context, traces) }
      let merged = mergeBatches(into: context, traces, streams)
      if let failure = merged.failure { throw failure }
      return merged
    } catch {
      for trace in traces { streams.say(TraceLines(trace, suggestions: []).text) }
      throw error
    }
  }

  private func mergeAtOnce(
    _ reader: inout FileReader, into context: ManagedObjectContext, _ traces: [ImportTrace]
  ) throws(Failure) -> Merged {
    var pieces: [ImportPayload] = []
    for payload in input.payloads {
      pieces.append(
        ImportPayload(
          payload.entityName, bytes: try reader.read(payload.path), at: payload.keyPath,
          isRequired: payload.isRequired, missing: handling.missing == .delete ? .delete : .keep,
          parent: try parent(of: payload, in: context.model), options: options(payload, traces)))
    }
    do throws(ImportError) {
      return Merged(report: try context.importPayloads(pieces), complete: input.payloads.count)
    } catch {
      throw .diagnostics(hinted(error), isAtLimit: error.isAtLimit) { "\($0); nothing was imported" }
    }
  }

  /// Returns the object that has a payload as the value of one of its relationships.
  private func parent(of payload: Payload, in model: ManagedObjectModel) throws(Failure) -> ImportPart.Parent? {
    guard let parent = payload.parent else { return nil }
    let identifier = try IdentifierText(model.contents).json(of: payload.entityName, parent.identity)
    return ImportPart.Parent(identifier: identifier, relationshipName: parent.relationshipName)
  }

  /// Refuses options that do not apply to the value of a relationship.
  func checkParents() throws(Failure) {
    guard input.payloads.contains(where: { $0.parent != nil }) else { return }
    if input.hasLines || input.batchSize != nil {
      throw .usage("'\(input.hasLines ? "--lines" : "--batch-size")' does not apply to the value of a relationship")
    }
    if input.payloads.contains(where: { $0.parent != nil && !$0.isRequired }) {
      throw .usage("the value of a relationship is required: remove the '?' after its key path")
    }
    if handling.missing == .delete {
      throw .usage(
        "'--missing delete' does not apply to the value of a relationship: objects that a list no longer contains are unlinked, "
          + "and deleted with \"deleteOrphans\": true")
    }
  }

  /// Imports each payload while reading it, in constant memory. If there is no batch size, all of them form one payload.
  private func mergeBatches(
    into context: ManagedObjectContext, _ traces: [ImportTrace], _ streams: Streams
  ) -> Merged {
    let batches = ImportBatches(
      size: input.batchSize ?? ImportBatches().size, atomicity: input.batchSize == nil ? .whole : .each)
    var merged = Merged()
    var last: ImportStream?
    // An unfinished stream is rolled back.
    defer { if merged.failure != nil, input.batchSize == nil { last?.cancel() } }
    for (number, payload) in input.payloads.enumerated() {
      let line = ProgressLine(
        FileReader.displayName(payload.path), isShown: messages.showsProgress || !messages.isQuiet,
        after: messages.showsProgress ? .zero : .seconds(1), streams)
      var current: ImportStream?
      do throws(Failure) {
        let stream = try telling(merged, nil) { () throws(ImportError) in
          try ImportStream(
            after: last, ofEntity: payload.entityName, in: context, at: payload.keyPath,
            format: input.hasLines ? .lines : .document, batches: batches, options: options(payload, traces),
            totalBytes: FileReader.size(payload.path), rereads: FileReader.rereads(payload.path)
          ) { progress in
            line.show(progress)
            noteKept(merged, progress)
            // The imported objects are in the store, so memory is needed only for one batch, unless the report describes each object.
            if store != nil, input.batchSize != nil, !isDryRun, !reportsDetails { context.reset() }
          }
        }
        (current, last) = (stream, stream)
        try FileReader.readChunks(payload.path, streams) { chunk throws(Failure) in
          try telling(merged, stream) { () throws(ImportError) in try stream.append(chunk) }
        }
        let isLast = number == input.payloads.count - 1
        if input.batchSize == nil, !isLast {
          try telling(merged, stream) { () throws(ImportError) in try stream.end() }
        } else {
          merged.report = try telling(merged, stream) { () throws(ImportError) in try stream.finish() }
        }
        line.end()
        merged.add(stream.progress)
        merged.complete += 1
      } catch {
        line.end()
        merged.failure = error
        if let current {
          merged.report = current.report
          merged.add(current.progress)
          merged.hasPart = current.progress.objects > 0
        }
        return merged
      }
    }
    return merged
  }

  /// Sets the message about what would be in the store if a signal ended the program.
  private func noteKept(_ merged: Merged, _ progress: ImportProgress) {
    guard store != nil, input.batchSize != nil, !isDryRun else { return }
    let (batches, objects) = (merged.batches + progress.batches, merged.objects + progress.objects)
    let words = batches == 1 ? "1 complete batch" : "\(batches) complete batches"
    LastWords.set("interrupted; \(words) with \(counted(objects, "object")) \(batches == 1 ? "was" : "were") imported")
  }

  /// Reports what is kept if an import fails.
  private func telling<Result>(
    _ earlier: Merged, _ stream: ImportStream?, _ body: () throws(ImportError) -> Result
  ) throws(Failure) -> Result {
    do throws(ImportError) {
      return try body()
    } catch {
      var merged = earlier
      if let stream { merged.add(stream.progress) }
      throw .diagnostics(hinted(error), isAtLimit: error.isAtLimit) { "\($0); \(outcome(merged))" }
    }
  }

  private func outcome(_ merged: Merged) -> String {
    guard input.batchSize != nil, merged.objects > 0 else { return "nothing was imported" }
    let isOne = merged.batches == 1
    let batches = isOne ? "the batch" : "the \(merged.batches) batches"
    return "\(batches) before it \(isDryRun ? "would be" : isOne ? "was" : "were") imported"
  }

  /// Adds a hint to an error: if another document begins on the next line, the input is probably JSON Lines.
  private func hinted(_ error: ImportError) -> [Diagnostic] {
    guard !input.hasLines else { return error.diagnostics }
    return error.diagnostics.map(LinesHint.hinted)
  }

  /// The maximum size in bytes of files whose text report names placeholders and counts unlinked objects, which requires
  /// remembering every change.
  private static let mostDetailedBytes = 32 << 20

  private var reportsDetails: Bool {
    if messages.reportFormat == .json { return true }
    if messages.isQuiet || input.batchSize != nil { return false }
    return input.payloads.reduce(0) { $0 + (FileReader.size($1.path) ?? 0) } <= ImportCommand.mostDetailedBytes
  }

  private func options(_ payload: Payload, _ traces: [ImportTrace]) -> ImportOptions {
    var options = ImportOptions(
      sourceName: FileReader.displayName(payload.path), unknownKeys: handling.unknownKeys,
      faultyElements: handling.skipsFaulty ? .skip : .error, reportsDetails: reportsDetails)
    switch handling.warnings {
    case .show: options.warnings = messages.isQuiet ? .ignore : .report
    case .error: options.warnings = .error
    case .none: options.warnings = .ignore
    }
    options.words = .program
    options.traces = traces
    return options
  }
}
