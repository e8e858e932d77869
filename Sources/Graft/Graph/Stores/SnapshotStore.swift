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

  public func latestCommit() -> Int64 { memory.withLock { $0.sequence } }

  public func rows(in table: Int, ids: [Int64]) -> StoredRows { memory.withLock { $0.rows(table, ids) } }

  public func rows(in table: Int, identity: Int, values: StoredValues) -> StoredRows {
    memory.withLock { memory in
      let ids = (0..<values.count).compactMap { row in
        memory.tables[table].identities[identity][memory.identity(table, identity, values, row: row)]
      }
      return memory.rows(table, Set(ids).sorted())
    }
  }

  public func rows(in table: Int, column: Int, referringTo targets: [Int64]) -> StoredRows {
    memory.withLock { memory in
      let referrers = memory.tables[table].referrers[column] ?? [:]
      return memory.rows(table, targets.flatMap { referrers[$0] ?? [] }.sorted())
    }
  }

  public func links(in table: Int, ofOwners owners: [Int64]) -> [StoredLink] {
    memory.withLock { memory in owners.flatMap { memory.links[table].links(owner: $0) } }
  }

  public func links(in table: Int, ofMembers members: [Int64]) -> [StoredLink] {
    memory.withLock { memory in members.flatMap { memory.links[table].links(member: $0) } }
  }

  public func rows(selectedBy query: StoreQuery) throws(StoreError) -> StoredRows {
    try memory.withLock { memory throws(StoreError) in memory.rows(query.table, try memory.select(query)) }
  }

  public func count(selectedBy query: StoreQuery) throws(StoreError) -> Int {
    try memory.withLock { memory throws(StoreError) in try memory.select(query).count }
  }

  public func aggregate(
    _ aggregate: StoreAggregate, over query: StoreQuery
  ) throws(StoreError) -> [StoreAggregate.Group] {
    try memory.withLock { memory throws(StoreError) in
      try memory.groups(aggregate, query.table, try memory.select(query))
    }
  }

  public func changes(since sequence: Int64) -> StoreLog { memory.withLock { $0.changes(since: sequence) } }

  // MARK: Writing

  public func write(_ changes: StoreChanges) throws(StoreError) -> StoreWriteResult {
    try memory.withLock { memory throws(StoreError) in
      let conflicts = memory.conflicts(changes)
      guard conflicts.isEmpty else { return .conflicts(conflicts) }
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
