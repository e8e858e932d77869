#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Imports data that does not fit into memory.
extension PersistentStore {
  /// Imports a file of any length into the store, in batches. Each batch is one payload and one transaction; batches before an
  /// error are kept.
  ///
  ///     let report = try store.importJSON(contentsOf: url, ofEntity: "Post", format: .lines) { print($0.objects) }
  ///
  /// Objects are unique and linked as in any import. If two objects have the same identity, the later one wins. The memory needed depends
  /// on the size of a batch, not on the size of the file or the store. With ``ImportOptions/reportsDetails``, however, all imported objects
  /// stay in memory until the end.
  ///
  /// - Parameters:
  ///   - url: the file: a JSON document, or JSON Lines.
  ///   - entityName: the entity of the objects.
  ///   - keyPath: where the objects are in the document; nil for the whole document.
  ///   - format: whether the file is a single document or has a document on each line.
  ///   - batchSize: how many objects are imported at a time.
  ///   - options: how the payload is read.
  ///   - progress: called after each batch. If it throws, the import stops.
  /// - Returns: a report of the import.
  /// - Throws: an ``ImportError`` if the file cannot be read or contains errors, or if the store cannot be written.
  @discardableResult
  public func importJSON(
    contentsOf url: URL, ofEntity entityName: String, at keyPath: JSONKeyPath? = nil,
    format: ImportStream.Format = .document, batchSize: Int = ImportBatches().size,
    options: ImportOptions = ImportOptions(), progress: @escaping (ImportProgress) throws -> Void = { _ in }
  ) throws(ImportError) -> ImportReport {
    let context = ManagedObjectContext(store: self)
    return try context.importStream(
      contentsOf: url, ofEntity: entityName, at: keyPath, format: format, batches: ImportBatches(size: batchSize),
      options: options
    ) { state in
      // The imported objects are in the store, so they need not stay in memory.
      if !options.reportsDetails { context.reset() }
      try progress(state)
    }
  }

  /// Imports a file into the store, as objects of a class.
  @discardableResult
  public func importJSON<Object: ManagedObject>(
    contentsOf url: URL, into type: Object.Type, at keyPath: JSONKeyPath? = nil,
    format: ImportStream.Format = .document, batchSize: Int = ImportBatches().size,
    options: ImportOptions = ImportOptions(), progress: @escaping (ImportProgress) throws -> Void = { _ in }
  ) throws(ImportError) -> ImportReport {
    try importJSON(
      contentsOf: url, ofEntity: Object.entityName, at: keyPath, format: format, batchSize: batchSize, options: options,
      progress: progress)
  }
}
