public import Foundation

/// Imports files and sequences of bytes of any length, in bounded memory (I16).
extension ManagedObjectContext {
  /// Merges a file of any length, batch by batch.
  ///
  ///     let report = try context.importStream(contentsOf: url, ofEntity: "Event", format: .lines) { progress in
  ///       print(progress.objects, "events")
  ///     }
  ///
  /// ``ImportStream`` describes batches, and what is kept if a batch fails.
  ///
  /// - Parameters:
  ///   - url: a file.
  ///   - entityName: the entity of the objects.
  ///   - keyPath: the key path of the objects in the document, or in each line.
  ///   - format: how the objects are arranged.
  ///   - batches: how many objects are imported at a time, and what is kept if a batch fails.
  ///   - options: limits, and the name of the file in messages, if it is not the path. ``ImportLimits/bytes`` bounds a batch.
  ///   - progress: called after each batch. An error that it throws stops the import; complete batches are kept.
  /// - Throws: an ``ImportError`` with everything that is wrong with a batch, or if the file cannot be read.
  @discardableResult
  public func importStream(
    contentsOf url: URL, ofEntity entityName: String, at keyPath: JSONKeyPath? = nil,
    format: ImportStream.Format = .document, batches: ImportBatches = ImportBatches(),
    options: ImportOptions = ImportOptions(), progress: @escaping (ImportProgress) throws -> Void = { _ in }
  ) throws(ImportError) -> ImportReport {
    var options = options
    if options.sourceName == ImportOptions().sourceName { options.sourceName = url.relativePath }
    func unreadable(_ error: any Error) -> ImportError {
      ImportFinding.unreadableFile(url.relativePath, error).error()
    }
    let file: FileHandle
    do { file = try FileHandle(forReadingFrom: url) } catch { throw unreadable(error) }
    defer { try? file.close() }
    let size = (try? url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize
    let isRegular = (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true
    let stream = try ImportStream(
      after: nil, ofEntity: entityName, in: self, at: keyPath, format: format, batches: batches, options: options,
      totalBytes: size, rereads: isRegular ? { file.bytes($0) } : nil, progress: progress)
    while true {
      let chunk: Data?
      do { chunk = try file.read(upToCount: 1 << 20) } catch { throw unreadable(error) }
      guard let chunk, !chunk.isEmpty else { break }
      try stream.append(chunk)
    }
    return try stream.finish()
  }

  /// Merges the objects of a class from a file of any length, batch by batch.
  ///
  ///     let report = try context.importStream(contentsOf: url, into: Event.self, format: .lines)
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong with a batch, or if the file cannot be read.
  @discardableResult
  public func importStream<Object: ManagedObject>(
    contentsOf url: URL, into type: Object.Type, at keyPath: JSONKeyPath? = nil,
    format: ImportStream.Format = .document, batches: ImportBatches = ImportBatches(),
    options: ImportOptions = ImportOptions(), progress: @escaping (ImportProgress) throws -> Void = { _ in }
  ) throws(ImportError) -> ImportReport {
    try importStream(
      contentsOf: url, ofEntity: Object.entityName, at: keyPath, format: format, batches: batches, options: options,
      progress: progress)
  }

  /// Merges bytes as they arrive, in chunks: arrays of bytes, `Data`, or the buffers of a network library.
  ///
  ///     let report = try await context.importStream(response.body, ofEntity: "Event", format: .lines)
  ///
  /// When the task is cancelled, the import stops with an ``ImportError``; complete batches are kept. While it waits for bytes,
  /// the context may be used.
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong with a batch; its ``ImportError/underlyingError`` is the error
  ///   of the sequence, if it threw one.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @discardableResult
  public func importStream<Chunks: AsyncSequence>(
    _ chunks: Chunks, ofEntity entityName: String, at keyPath: JSONKeyPath? = nil,
    format: ImportStream.Format = .document,
    batches: ImportBatches = ImportBatches(), options: ImportOptions = ImportOptions(),
    isolation: isolated (any Actor)? = #isolation, progress: @escaping (ImportProgress) throws -> Void = { _ in }
  ) async throws(ImportError) -> ImportReport where Chunks.Element: Sequence<UInt8> {
    let stream = try ImportStream(
      ofEntity: entityName, in: self, at: keyPath, format: format, batches: batches, options: options,
      progress: progress)
    var iterator = chunks.makeAsyncIterator()
    while let chunk = try await next(&iterator, stream) { try stream.append(chunk) }
    return try stream.finish()
  }

  /// Merges bytes as they arrive, in chunks, as objects of a class.
  ///
  ///     let report = try await context.importStream(response.body, into: Event.self, format: .lines)
  ///
  /// - Throws: an ``ImportError``, like the function that takes an entity's name.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @discardableResult
  public func importStream<Chunks: AsyncSequence, Object: ManagedObject>(
    _ chunks: Chunks, into type: Object.Type, at keyPath: JSONKeyPath? = nil, format: ImportStream.Format = .document,
    batches: ImportBatches = ImportBatches(), options: ImportOptions = ImportOptions(),
    isolation: isolated (any Actor)? = #isolation, progress: @escaping (ImportProgress) throws -> Void = { _ in }
  ) async throws(ImportError) -> ImportReport where Chunks.Element: Sequence<UInt8> {
    try await importStream(
      chunks, ofEntity: Object.entityName, at: keyPath, format: format, batches: batches, options: options,
      isolation: isolation, progress: progress)
  }

  /// Merges bytes as they arrive, one by one, as objects of a class.
  ///
  /// - Throws: an ``ImportError``, like the function that takes an entity's name.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @discardableResult
  public func importStream<Bytes: AsyncSequence, Object: ManagedObject>(
    _ bytes: Bytes, into type: Object.Type, at keyPath: JSONKeyPath? = nil, format: ImportStream.Format = .document,
    batches: ImportBatches = ImportBatches(), options: ImportOptions = ImportOptions(),
    isolation: isolated (any Actor)? = #isolation, progress: @escaping (ImportProgress) throws -> Void = { _ in }
  ) async throws(ImportError) -> ImportReport where Bytes.Element == UInt8 {
    try await importStream(
      bytes, ofEntity: Object.entityName, at: keyPath, format: format, batches: batches, options: options,
      isolation: isolation, progress: progress)
  }

  /// Merges bytes as they arrive, one by one, such as the byte sequences of `FileHandle` and `URLSession`. Chunks are faster if available.
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong with a batch; its ``ImportError/underlyingError`` is the error
  ///   of the sequence, if it threw one.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @discardableResult
  public func importStream<Bytes: AsyncSequence>(
    _ bytes: Bytes, ofEntity entityName: String, at keyPath: JSONKeyPath? = nil,
    format: ImportStream.Format = .document,
    batches: ImportBatches = ImportBatches(), options: ImportOptions = ImportOptions(),
    isolation: isolated (any Actor)? = #isolation, progress: @escaping (ImportProgress) throws -> Void = { _ in }
  ) async throws(ImportError) -> ImportReport where Bytes.Element == UInt8 {
    let stream = try ImportStream(
      ofEntity: entityName, in: self, at: keyPath, format: format, batches: batches, options: options,
      progress: progress)
    var iterator = bytes.makeAsyncIterator()
    var chunk: [UInt8] = []
    while let byte = try await next(&iterator, stream) {
      chunk.append(byte)
      if chunk.count == 1 << 14 {
        try stream.append(chunk)
        chunk.removeAll(keepingCapacity: true)
      }
    }
    try stream.append(chunk)
    return try stream.finish()
  }

  /// Returns the next element. The stream is cancelled if the task is cancelled or the sequence fails. Older systems cannot request an
  /// element from an iterator within the caller's isolation.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private func next<Iterator: AsyncIteratorProtocol>(
    _ iterator: inout Iterator, _ stream: ImportStream, isolation: isolated (any Actor)? = #isolation
  ) async throws(ImportError) -> Iterator.Element? {
    do {
      try Task.checkCancellation()
      let element = try await iterator.next(isolation: isolation)
      // When the task is cancelled, many sequences end instead of throwing.
      if element == nil { try Task.checkCancellation() }
      return element
    } catch {
      throw stream.cancel(error)
    }
  }
}

extension FileHandle {
  /// Returns the given bytes of the file, fewer at its end, or nil if they cannot be read.
  fileprivate func bytes(_ range: Range<Int>) -> [UInt8]? {
    guard (try? seek(toOffset: UInt64(range.lowerBound))) != nil else { return nil }
    return (try? read(upToCount: range.count)).map { Array($0) }
  }
}
