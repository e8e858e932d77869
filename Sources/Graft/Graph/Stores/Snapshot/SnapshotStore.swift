#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A store that keeps the whole graph in one file, which is replaced by each commit.
///
///     let store = try SnapshotStore(at: url, model: model)
///     let context = try ManagedObjectContext(model: model, store: store)
///
/// It requires no database library, is loaded as a whole, and answers queries from memory. A commit takes time and space in proportion
/// to the whole graph, so it suits graphs of up to about 100,000 objects; `SQLiteStore` suits larger graphs. Several stores and
/// processes may use the file: they write one at a time, and each store reads what the other stores wrote.
///
/// The file has a checksum. A commit writes a new file next to the old file and then renames the new file, so a crash leaves either the old
/// file or the new one.
public final class SnapshotStore: PersistentStore, StoreBackend {
  /// The options for opening a store.
  public struct Options: Sendable {
    /// Entities, and properties as `Entity.property`, that a migration may remove even if the store has objects or values for
    /// them. Names under `removed` in the model file need not be listed here.
    public var allowedRemovals: [String] = []
    /// Whether the file is kept under another name when the first commit after a migration rewrites it:
    /// `comics.graft.backup-17` is the state after commit 17.
    public var backsUpBeforeMigration = true
    /// The maximum time that a commit waits while other stores write.
    public var busyTimeout = Duration.seconds(5)
    /// The steps that move data when the store is opened with a newer version of its model.
    public var migrations: [StoreMigration] = []

    /// Creates options with their default values.
    public init() {}
  }

  /// The layout of the model's graph.
  package let schema: StoreSchema
  /// The model of the store.
  public var model: ManagedObjectModel { schema.model }
  /// The location of the file; nil if the store is only in memory.
  public let url: URL?
  private let file: SnapshotFile?
  private let options: Options
  private let state: Guarded<State>

  private enum Use { case unlimited, reading, ended }

  /// The known state of the file.
  private struct State {
    var memory: TableMemory
    /// The file as it was read or written; nil if there was none.
    var identity: SnapshotFile.Identity?
    var checksum: UInt64 = 0
    var id = ""
    var history = ModelHistory()
    var isMigrated = false
    var mayHaveLeftovers = true
    /// The permitted use. It is limited for a store that exists only while a migration runs its steps.
    var use = Use.unlimited

    /// Adopts the contents that were read from the file.
    mutating func take(_ content: SnapshotFile.Content) {
      memory = content.memory
      identity = content.identity
      checksum = content.checksum
      id = content.id
      history = content.history
      isMigrated = content.isMigrated
    }

    /// Whether steps of another program have moved data in a file since it was read.
    func isOutdated(by content: SnapshotFile.Content) -> Bool { content.history.latestStep != history.latestStep }
  }

  /// Opens a file, or creates a store whose first commit creates the file. If the file was written with another version of the
  /// model, its contents are migrated in memory, and the first commit writes them.
  ///
  /// A migration loses nothing without consent. If the file has values of an entity or property that the model does not declare, the file
  /// is not opened, unless the name is listed under `removed` in the model file, or in ``Options/allowedRemovals``.
  ///
  /// - Throws: a ``StoreError`` if the file cannot be read, is damaged, was written by a newer version of the library or of the
  ///   model, or differs from the model in ways that cannot be migrated.
  public init(at url: URL, model: ManagedObjectModel, options: Options = Options()) throws(StoreError) {
    schema = StoreSchema(model)
    self.url = url
    self.options = options
    let file = try SnapshotFile(url)
    self.file = file
    try MigrationSteps.check(options.migrations, model, storeName: file.location.name)
    var state = State(memory: TableMemory(schema))
    if let content = try file.read(schema, options) {
      if content.needsSteps {
        try SnapshotStore.migrate(file, schema, options, &state)
      } else {
        state.take(content)
      }
    } else {
      state.id = UUID().uuidString
      state.history.add(
        version: model.contents.version ?? "", StoreLayout(schema).withoutIndexes,
        steps: MigrationSteps(ofNewStore: options.migrations, model).kinds)
    }
    self.state = Guarded(state)
  }

  /// Runs the steps that move data, and writes the result. Other stores wait before they write.
  private static func migrate(
    _ file: SnapshotFile, _ schema: StoreSchema, _ options: Options, _ state: inout State
  ) throws(StoreError) {
    let lock = try SnapshotLock(file.location, timeout: options.busyTimeout)
    defer { withExtendedLifetime(lock) {} }
    guard let content = try file.read(schema, options, runsSteps: true) else {
      throw file.location.refusal(.unavailableStore, "it was removed while it was opened; open it again")
    }
    state.take(content)
    // Another process may already have migrated the file.
    guard content.isMigrated else { return }
    if options.backsUpBeforeMigration { try file.backUp(content.sequence) }
    if state.id.isEmpty { state.id = UUID().uuidString }
    (state.identity, state.checksum) = try file.write(
      state.memory, id: state.id, state.history, removesLeftovers: true)
    (state.isMigrated, state.mayHaveLeftovers) = (false, false)
  }

  private convenience init(_ model: ManagedObjectModel) { self.init(TableMemory(StoreSchema(model))) }

  /// Creates a store in memory with the given contents.
  init(_ memory: TableMemory, isReadOnly: Bool = false) {
    schema = memory.schema
    url = nil
    file = nil
    options = Options()
    state = Guarded(State(memory: memory, use: isReadOnly ? .reading : .unlimited))
  }

  /// Ends the use of the store. If a migration step has kept a context, that context can then neither read nor write the store.
  func retire() { state.withLock { $0.use = .ended } }

  /// The contents.
  var memory: TableMemory { state.withLock { $0.memory } }

  /// Creates an empty store that lives as long as the process, for tests and for contexts that share a graph.
  public static func inMemory(model: ManagedObjectModel) -> SnapshotStore { SnapshotStore(model) }

  /// Returns the changes that opening a file with a model would make. The file is not changed.
  ///
  /// - Throws: if there is no file, or it cannot be opened for reasons other than its model.
  public static func migrationPlan(
    at url: URL, to model: ManagedObjectModel, options: Options = Options()
  ) throws(StoreError) -> StoreMigrationPlan {
    try SnapshotFile(url).plan(StoreSchema(model), options)
  }

  // MARK: Reading

  /// Returns the number of the latest commit, by this store or another store; 0 for a new store.
  ///
  /// - Throws: if the file can no longer be read, or was replaced by another file.
  public func latestCommit() throws(StoreError) -> Int64 { try newest().sequence }

  /// Returns the newest state of the store, which does not change while it is held. It shares the memory of the store, so only data that
  /// later commits change is copied.
  package func snapshot() throws(StoreError) -> any StoreSnapshot { MemorySnapshot(try newest()) }

  /// Returns the changes that were written after a commit. The latest 1,000 commits since the store was opened are available,
  /// except for commits by other processes.
  package func changes(since sequence: Int64) throws(StoreError) -> StoreLog {
    try newest().changes(since: sequence)
  }

  /// The contents of the file, which other stores may have replaced.
  private func newest() throws(StoreError) -> TableMemory {
    try state.withLock { state throws(StoreError) in
      try refresh(&state)
      return state.memory
    }
  }

  /// Reads the file again if another store has written it.
  private func refresh(_ state: inout State) throws(StoreError) {
    if state.use == .ended {
      throw StoreError(
        .unavailableStore,
        "the store cannot be used: the migration whose step used it has ended; use the store that was opened")
    }
    guard let file else { return }
    let identity = try file.identity()
    guard identity != state.identity else { return }
    guard identity != nil, let content = try file.read(schema, options) else {
      throw changed("it was removed or renamed; restore it, or open the store again")
    }
    if content.needsSteps {
      throw changed("it was written with an earlier version of the model; open the store again, which migrates it")
    }
    if state.identity != nil {
      if content.id == state.id, state.isOutdated(by: content) {
        throw changed("a step has moved its data to another version of the model; open the store again")
      }
      let isSame = content.checksum == state.checksum
      guard isSame || (content.id == state.id || state.id.isEmpty) && content.memory.sequence > state.memory.sequence
      else {
        throw changed("another file took its place, such as a backup; open the store again")
      }
      if isSame {
        state.identity = content.identity
        return
      }
    }
    state.take(content)
  }

  private func changed(_ reason: String) -> StoreError {
    StoreError(.unavailableStore, "the store '\(file?.location.name ?? "")' cannot be used: \(reason)")
  }

  // MARK: Writing

  /// Writes changes in one transaction, all or nothing. A store with a file replaces the file.
  ///
  /// - Returns: the number of the commit, or ``StoreWriteResult/moved`` if a commit after `base` wrote data that the changes depend
  ///   on. In that case, nothing was written.
  /// - Throws: if the file cannot be written, if other stores keep writing it for longer than ``Options/busyTimeout``, or if the changes
  ///   contradict each other or their base. In that case, nothing was written.
  package func write(_ changes: StoreChanges, basedOn base: Int64) throws(StoreError) -> StoreWriteResult {
    try state.withLock { state throws(StoreError) in
      guard !changes.isEmpty else { return .written(sequence: state.memory.sequence, firstIDs: [:]) }
      guard let file else {
        try checkIsWritable(&state)
        return try SnapshotStore.write(changes, base, to: &state.memory)
      }
      let lock = try SnapshotLock(file.location, timeout: options.busyTimeout)
      defer { withExtendedLifetime(lock) {} }
      try refresh(&state)
      if try state.memory.hasMoved(changes, since: base, storeName: file.location.name) { return .moved }
      if state.isMigrated, options.backsUpBeforeMigration { try file.backUp(state.memory.sequence) }
      var changed = state.memory
      let written = changed.write(changes)
      if state.id.isEmpty { state.id = UUID().uuidString }
      (state.identity, state.checksum) = try file.write(
        changed, id: state.id, state.history, removesLeftovers: state.mayHaveLeftovers)
      state.memory = changed
      state.isMigrated = false
      state.mayHaveLeftovers = false
      return written
    }
  }

  /// Deletes all objects in one commit, regardless of their delete rules.
  ///
  /// Contexts notice this like any other commit: they merge it, or report a conflict if they have changed objects that no longer exist. The
  /// numbers of deleted objects are not used again.
  ///
  /// - Throws: the same errors as a commit. In that case, nothing was deleted.
  public func removeAll() throws(StoreError) {
    try state.withLock { state throws(StoreError) in
      let lock = try file.map { file throws(StoreError) in try SnapshotLock(file.location, timeout: options.busyTimeout)
      }
      defer { withExtendedLifetime(lock) {} }
      try checkIsWritable(&state)
      let memory = state.memory.emptied
      if let file {
        if state.isMigrated, options.backsUpBeforeMigration { try file.backUp(state.memory.sequence) }
        if state.id.isEmpty { state.id = UUID().uuidString }
        (state.identity, state.checksum) = try file.write(
          memory, id: state.id, state.history, removesLeftovers: state.mayHaveLeftovers)
        (state.isMigrated, state.mayHaveLeftovers) = (false, false)
      }
      state.memory = memory
    }
  }

  private func checkIsWritable(_ state: inout State) throws(StoreError) {
    try refresh(&state)
    if state.use == .reading {
      throw StoreError(.unavailableStore, "the store cannot be written: it contains the data from before a migration")
    }
  }

  /// Writes to a store without a file. Such a write cannot fail, and copies no data.
  private static func write(
    _ changes: StoreChanges, _ base: Int64, to memory: inout TableMemory
  ) throws(StoreError) -> StoreWriteResult {
    try memory.hasMoved(changes, since: base, storeName: "<memory>") ? .moved : memory.write(changes)
  }
}
