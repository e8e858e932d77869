#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Imports off the main actor ([I21](doc:Rules#I21)).
extension BackgroundContext {
  /// Merges JSON and returns a report of what changed.
  ///
  ///     let report = try await background.importJSON(data, ofEntity: "Hero", at: "data.items")
  ///
  /// ``updates()`` delivers the changes, and ``ManagedObjectContext/merge(_:)`` applies them to another context. For dictionaries, which
  /// are not Sendable, call ``perform(_:)``.
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong. The context is then unchanged ([I10](doc:Rules#I10)).
  @discardableResult
  public func importJSON(
    _ payload: some JSONPayload & Sendable, ofEntity entityName: String, at keyPath: JSONKeyPath? = nil,
    options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> ImportReport {
    try context.importJSON(payload, ofEntity: entityName, at: keyPath, options: options)
  }

  /// Merges the objects of a class and returns a report of what changed.
  ///
  ///     let report = try await background.importJSON(data, into: Hero.self)
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong. The context is then unchanged ([I10](doc:Rules#I10)).
  @discardableResult
  public func importJSON<Object: ManagedObject>(
    _ payload: some JSONPayload & Sendable, into type: Object.Type, at keyPath: JSONKeyPath? = nil,
    options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> ImportReport {
    try context.importJSON(payload, into: type, at: keyPath, options: options)
  }

  /// Merges the objects of several entities from one document, all or nothing, and returns a report of what changed.
  ///
  ///     let report = try await background.importJSON(data, [.objects(Hero.self, at: "heroes"), .objects(Power.self, at: "powers")])
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong. The context is then unchanged ([I10](doc:Rules#I10)).
  @discardableResult
  public func importJSON(
    _ payload: some JSONPayload & Sendable, _ parts: [ImportPart], options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> ImportReport {
    try context.importJSON(payload, parts, options: options)
  }

  /// Merges JSON as the value of a relationship of an object, and returns a report of what changed ([I24](doc:Rules#I24)).
  ///
  ///     let report = try await background.importJSON(photos, into: "photos", of: album.objectID)
  ///
  /// The ID must contain an identity or come from this context.
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong, or if this context has no object with the ID. The context is then
  ///   unchanged ([I10](doc:Rules#I10)).
  @discardableResult
  public func importJSON(
    _ payload: some JSONPayload & Sendable, into relationshipName: String, of id: ManagedObjectID,
    at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> ImportReport {
    try context.importJSON(payload, into: relationshipName, of: object(id), at: keyPath, options: options)
  }

  private func object(_ id: ManagedObjectID) throws(ImportError) -> ManagedObject {
    let found: ManagedObject?
    do throws(StoreError) { found = try context.find(id) } catch { throw ImportError(writing: error) }
    guard let found else { throw ImportFinding.unknownParent("\(id)").error() }
    return found
  }

  /// Merges a file of any length, batch by batch; see
  /// ``ManagedObjectContext/importStream(contentsOf:ofEntity:at:format:batches:options:progress:)``.
  ///
  ///     let report = try await background.importStream(contentsOf: url, ofEntity: "Event", format: .lines)
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong with a batch, or if the file cannot be read.
  @discardableResult
  public func importStream(
    contentsOf url: URL, ofEntity entityName: String, at keyPath: JSONKeyPath? = nil,
    format: ImportStream.Format = .document, batches: ImportBatches = ImportBatches(),
    options: ImportOptions = ImportOptions(), progress: @escaping @Sendable (ImportProgress) throws -> Void = { _ in }
  ) throws(ImportError) -> ImportReport {
    try context.importStream(
      contentsOf: url, ofEntity: entityName, at: keyPath, format: format, batches: batches, options: options,
      progress: progress)
  }

  /// Merges the objects of a class from a file of any length, batch by batch.
  ///
  ///     let report = try await background.importStream(contentsOf: url, into: Event.self, format: .lines)
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong with a batch, or if the file cannot be read.
  @discardableResult
  public func importStream<Object: ManagedObject>(
    contentsOf url: URL, into type: Object.Type, at keyPath: JSONKeyPath? = nil,
    format: ImportStream.Format = .document, batches: ImportBatches = ImportBatches(),
    options: ImportOptions = ImportOptions(), progress: @escaping @Sendable (ImportProgress) throws -> Void = { _ in }
  ) throws(ImportError) -> ImportReport {
    try context.importStream(
      contentsOf: url, into: type, at: keyPath, format: format, batches: batches, options: options, progress: progress)
  }

  /// Merges chunks of bytes as they arrive, such as the body of a response.
  ///
  ///     let report = try await background.importStream(response.body, ofEntity: "Event", format: .lines)
  ///
  /// While the import waits for bytes, other closures may run in the context. When the task is cancelled, the import stops;
  /// complete batches are kept.
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong with a batch. If the sequence threw an error, it is the
  ///   ``ImportError/underlyingError``.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @discardableResult
  public func importStream<Chunks: AsyncSequence & Sendable>(
    _ chunks: Chunks, ofEntity entityName: String, at keyPath: JSONKeyPath? = nil,
    format: ImportStream.Format = .document, batches: ImportBatches = ImportBatches(),
    options: ImportOptions = ImportOptions(), progress: @escaping @Sendable (ImportProgress) throws -> Void = { _ in }
  ) async throws(ImportError) -> ImportReport where Chunks.Element: Sequence<UInt8> {
    try await context.importStream(
      chunks, ofEntity: entityName, at: keyPath, format: format, batches: batches, options: options,
      progress: progress)
  }

  /// Merges the objects of a class from chunks of bytes as they arrive.
  ///
  ///     let report = try await background.importStream(response.body, into: Event.self, format: .lines)
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong with a batch. If the sequence threw an error, it is the
  ///   ``ImportError/underlyingError``.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @discardableResult
  public func importStream<Object: ManagedObject, Chunks: AsyncSequence & Sendable>(
    _ chunks: Chunks, into type: Object.Type, at keyPath: JSONKeyPath? = nil,
    format: ImportStream.Format = .document, batches: ImportBatches = ImportBatches(),
    options: ImportOptions = ImportOptions(), progress: @escaping @Sendable (ImportProgress) throws -> Void = { _ in }
  ) async throws(ImportError) -> ImportReport where Chunks.Element: Sequence<UInt8> {
    try await importStream(
      chunks, ofEntity: Object.entityName, at: keyPath, format: format, batches: batches, options: options,
      progress: progress)
  }
}
