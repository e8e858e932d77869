import Graft

/// Merging the payloads: as one unit, or batch by batch.
extension ImportCommand {
  /// What was merged, and why no more was: batches before a fault stay.
  struct Merged {
    var report: ImportReport
    var failure: Failure?
  }

  func merge(
    _ reader: inout FileReader, into context: ManagedObjectContext, _ streams: Streams
  ) throws(Failure) -> Merged {
    if batchSize != nil { return mergeBatches(into: context, streams) }
    guard hasLines else { return try mergeAtOnce(&reader, into: context) }
    return try context.atomically { () throws(Failure) in
      let merged = mergeBatches(into: context, streams)
      if let failure = merged.failure { throw failure }
      return merged
    }
  }

  private func mergeAtOnce(
    _ reader: inout FileReader, into context: ManagedObjectContext
  ) throws(Failure) -> Merged {
    var pieces: [ImportPayload] = []
    for (payload, keyPath) in zip(payloads, keyPaths) {
      pieces.append(
        ImportPayload(
          payload.entityName, bytes: try reader.read(payload.path), at: keyPath, options: options(payload)))
    }
    do throws(ImportError) {
      return Merged(report: try context.importPayloads(pieces))
    } catch {
      throw .diagnostics(error.diagnostics) { "\($0); nothing was imported" }
    }
  }

  /// Reads each payload as it comes, in memory that does not grow with it.
  private func mergeBatches(into context: ManagedObjectContext, _ streams: Streams) -> Merged {
    let batches = ImportBatches(
      size: batchSize ?? ImportBatches().size, atomicity: batchSize == nil ? .whole : .each)
    var merged = Merged(report: ImportReport())
    var last: ImportStream?
    var done = 0
    for (payload, keyPath) in zip(payloads, keyPaths) {
      let line = ProgressLine(FileReader.displayName(payload.path), isShown: showsProgress, streams)
      do throws(Failure) {
        try say(kept: done) { () throws(ImportError) in
          last = try ImportStream(
            after: last, into: payload.entityName, in: context, at: keyPath, format: hasLines ? .lines : .document,
            batches: batches, options: options(payload), totalBytes: FileReader.size(payload.path)
          ) { line.show($0) }
        }
        guard let stream = last else { continue }
        try FileReader.readChunks(payload.path, streams) { chunk throws(Failure) in
          try say(kept: done + stream.progress.batches) { () throws(ImportError) in try stream.append(chunk) }
        }
        try say(kept: done + stream.progress.batches) { () throws(ImportError) in merged.report = try stream.finish() }
        line.end()
        done += stream.progress.batches
      } catch {
        line.end()
        merged.failure = error
        if let last { merged.report = last.report }
        return merged
      }
    }
    return merged
  }

  /// Says what is kept when an import fails.
  private func say(
    kept batches: @autoclosure () -> Int, _ body: () throws(ImportError) -> Void
  ) throws(Failure) {
    do throws(ImportError) {
      try body()
    } catch {
      throw .diagnostics(error.diagnostics) { count in
        let batches = batches()
        guard batchSize != nil, !isDryRun, batches > 0 else { return "\(count); nothing was imported" }
        let kept = batches == 1 ? "the batch before it was imported" : "the \(batches) batches before it were imported"
        return "\(count); \(kept)"
      }
    }
  }

  private func options(_ payload: Assignment) -> ImportOptions {
    ImportOptions(
      sourceName: FileReader.displayName(payload.path), unknownKeys: unknownKeys, reportsDetails: reportFormat == .json)
  }
}
