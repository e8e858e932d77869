#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A store that keeps the whole graph in one file, which each commit replaces.
///
///     let store = try SnapshotStore(at: url, model: model)
///     let context = try ManagedObjectContext(model: model, store: store)
///
/// It needs no library, is loaded as a whole, and answers from memory. A commit takes time and space in proportion to the whole
/// graph, so it suits graphs of up to some 100,000 objects; `SQLiteStore` suits larger ones. One process at a time uses the file.
///
/// The file has a checksum. A commit writes a new file beside it and then renames it, so that a crash leaves either the old or
/// the new one.
public final class SnapshotStore: PersistentStore {
  /// The layout of the model's graph.
  public let schema: StoreSchema
  /// The location of the file; nil if the store is in memory only.
  public let url: URL?
  private let memory: Guarded<TableMemory>

  /// Opens a file, or creates a store that the first commit writes there.
  ///
  /// - Throws: a ``StoreError`` if the file cannot be read, is damaged, or contains the graph of a model that differs in more
  ///   than added and removed entities and properties.
  public init(at url: URL, model: ManagedObjectModel) throws(StoreError) {
    schema = StoreSchema(model)
    self.url = url
    memory = Guarded(try SnapshotFile(url).read(schema) ?? TableMemory(schema))
  }

  private init(_ model: ManagedObjectModel) {
    schema = StoreSchema(model)
    url = nil
    memory = Guarded(TableMemory(schema))
  }

  /// Creates an empty store that lives as long as the process, for tests and for contexts that share a graph.
  public static func inMemory(model: ManagedObjectModel) -> SnapshotStore { SnapshotStore(model) }

  // MARK: Reading

  /// Returns the number of the latest commit; 0 for a new store.
  public func latestCommit() -> Int64 { memory.withLock { $0.sequence } }

  /// Returns the newest state of the store, which does not change while it is held. It shares the memory of the store: only what
  /// later commits change is copied.
  public func snapshot() -> any StoreSnapshot { MemorySnapshot(memory.withLock { $0 }) }

  /// Returns what was written after a commit. The latest 1,000 commits since the store was opened are known.
  public func changes(since sequence: Int64) -> StoreLog { memory.withLock { $0 }.changes(since: sequence) }

  // MARK: Writing

  /// Writes changes in one transaction, all or nothing. A store with a file replaces it.
  ///
  /// - Returns: the number of the commit; or ``StoreWriteResult/moved`` if a later commit than `base` wrote what the changes
  ///   depend on. Nothing was written then.
  /// - Throws: if the file cannot be written, or the changes contradict themselves or their base. Nothing was written then.
  public func write(_ changes: StoreChanges, basedOn base: Int64) throws(StoreError) -> StoreWriteResult {
    try memory.withLock { memory throws(StoreError) in
      guard !changes.isEmpty else { return .written(sequence: memory.sequence, firstIDs: [:]) }
      let name = url?.relativePath ?? "<memory>"
      if try memory.hasMoved(changes, since: base, storeName: name) { return .moved }
      // Without a file nothing can fail, and nothing needs to be copied.
      guard let url else { return memory.write(changes) }
      var changed = memory
      let written = changed.write(changes)
      try SnapshotFile(url).write(changed)
      memory = changed
      return written
    }
  }
}
