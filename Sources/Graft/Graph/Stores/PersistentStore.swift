#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A store that keeps the graph of a model beyond the lifetime of a process: a ``SnapshotStore`` or an `SQLiteStore`, for example.
///
///     let store = try SQLiteStore(at: url, model: model)
///     let context = ManagedObjectContext(store: store)
///
/// A context reads one state of the store until it moves to another state, and writes its changes based on that state. Only the stores of
/// this package conform to this protocol; other types cannot.
public protocol PersistentStore: AnyObject, Sendable {
  /// The model of the store.
  var model: ManagedObjectModel { get }

  /// Returns the number of the latest commit, by this process or another process; 0 for a new store.
  ///
  /// - Throws: if the file is no longer at its path, or cannot be read.
  func latestCommit() throws(StoreError) -> Int64
}

extension PersistentStore {
  /// The store, with the functions that contexts use.
  package var backend: any StoreBackend {
    guard let backend = self as? any StoreBackend else {
      preconditionFailure("'\(type(of: self))' is not a store of this package")
    }
    return backend
  }
}

/// The functions of a store that contexts use.
///
/// All calls work on batches, so a store may be on another machine. Calls may come from any thread. A failed call leaves the store
/// unchanged, and can be repeated.
///
/// Rows have a number and a version: the number of the commit that wrote them last. Numbers are never reused, not even after a
/// row was deleted.
package protocol StoreBackend: PersistentStore {
  /// The layout of the model's graph.
  var schema: StoreSchema { get }

  /// Returns the newest state of the store. The returned state does not change while it is held, even if the store is written to.
  func snapshot() throws(StoreError) -> any StoreSnapshot

  /// Returns the newest state of the store for a context that shows another state and will release it soon. A store with a limited number
  /// of readers does not make the context wait for another reader.
  func snapshot(replacing current: (any StoreSnapshot)?) throws(StoreError) -> any StoreSnapshot

  /// Writes changes in one transaction, all or nothing. When it returns ``StoreWriteResult/written(sequence:firstIDs:)``, the
  /// changes outlive the process and, to the extent that the store promises, a power failure.
  ///
  /// - Parameters:
  ///   - changes: the changes.
  ///   - base: the commit that the changes are based on, which is the ``StoreSnapshot/sequence`` of the snapshot that was read.
  /// - Returns: ``StoreWriteResult/moved`` if a later commit wrote data that the changes depend on: a row that they update or
  ///   delete, an identity that they assign, a row that they refer to, or a list or table in ``StoreChanges/Watch``. In that case, nothing
  ///   was written. A store may return this result for any later commit.
  func write(_ changes: StoreChanges, basedOn base: Int64) throws(StoreError) -> StoreWriteResult

  /// Makes sure that the state of a snapshot is as durable as the store promises. A context calls this when it commits but has nothing to
  /// write, because another context may have written the state only just now.
  ///
  /// - Returns: false if the store has lost the state.
  func flush(_ snapshot: any StoreSnapshot) throws(StoreError) -> Bool

  /// Whether a snapshot shows the newest commit.
  func isNewest(_ snapshot: any StoreSnapshot) throws(StoreError) -> Bool

  /// Returns the changes that were written after a commit, up to the newest commit.
  func changes(since sequence: Int64) throws(StoreError) -> StoreLog

  /// Returns a stream with an element whenever there may have been a commit: when the store is notified of one, or otherwise at intervals.
  func commitSignals(every interval: Duration) -> AsyncStream<Void>
}

/// A context that is the store of another context; see ``ParentStore``.
protocol ContextStore: StoreBackend {
  /// 1 for the children of the outermost context, and so on.
  var depth: Int { get }

  /// Notifies the context's observers of the changes that a child committed, after the child has finished its commit.
  func announce()
}

/// The state of a store after a commit.
///
/// A snapshot belongs to the isolation that requested it, and is used by one thread at a time. Until it is released, it may
/// prevent the store from freeing data that later commits replaced.
package protocol StoreSnapshot: AnyObject {
  /// The number of the commit; 0 for a new store.
  var sequence: Int64 { get }

  /// A token that distinguishes the commit from another commit with the same number; nil if the store never reuses a number, or if the
  /// token is unknown.
  var token: UUID? { get }

  /// Whether a commit belongs to the history of this state. A server that has lost its latest commits, because another server took over or
  /// a backup was restored, assigns their numbers to new commits.
  func contains(_ commit: StoreCommit) throws(StoreError) -> Bool

  /// Whether the snapshot is old and expensive for the store. A context that shows it merges at its next fetch, search or count.
  var lagsBehind: Bool { get }

  /// Frees data that only earlier states required. A context calls this after a merge, and before each commit.
  ///
  /// - Parameter isCommitting: whether the context is about to commit. If so, this call may take some time.
  func settle(isCommitting: Bool)

  /// Returns the changes that were written after a commit, up to this state.
  ///
  /// - Parameter base: the number of an earlier commit.
  func changes(since base: Int64) throws(StoreError) -> StoreLog

  /// Returns a number that increases in the order of insertion, which is the default order of a fetch.
  func age(_ table: Int, _ id: Int64) -> UInt64

  /// Returns rows by their numbers, in any order. Rows that do not exist are omitted.
  func rows(in table: Int, ids: [Int64]) throws(StoreError) -> StoredRows

  /// Returns the rows that have the given identities, in any order.
  ///
  /// - Parameters:
  ///   - table: a position in ``StoreSchema/tables``.
  ///   - identity: an identity space of the table, as a position in ``StoreSchema/Table/identities``.
  ///   - values: one row for each identity, with the values of its columns in order. No value is nil.
  func rows(in table: Int, identity: Int, values: StoredValues) throws(StoreError) -> StoredRows

  /// Returns the rows that refer to the given rows, in any order. The returned rows are the members of to-many relationships.
  ///
  /// - Parameters:
  ///   - table: a position in ``StoreSchema/tables``.
  ///   - column: the position of a column with references.
  ///   - targets: the numbers of the rows that they refer to.
  func rows(in table: Int, column: Int, referringTo targets: [Int64]) throws(StoreError) -> StoredRows

  /// Returns the links of owners, or of members, in any order.
  func links(in table: Int, ofOwners owners: [Int64]) throws(StoreError) -> [StoredLink]
  func links(in table: Int, ofMembers members: [Int64]) throws(StoreError) -> [StoredLink]

  /// Returns the rows that a query selects, in its order.
  ///
  /// This method and the other query methods throw a ``StoreError`` with the code ``DiagnosticCode/untranslatablePredicate`` if the store
  /// cannot evaluate the condition. In that case, a context evaluates the condition in memory.
  func rows(selectedBy query: StoreQuery) throws(StoreError) -> StoredRows

  /// Returns the numbers of the rows that a query selects, in its order, without reading the rows.
  func ids(selectedBy query: StoreQuery) throws(StoreError) -> [Int64]

  /// Reads the rows that a query selects, in its order, a few thousand at a time, so reading a whole table requires no more memory than
  /// reading a part of it.
  ///
  /// - Parameters:
  ///   - query: the rows to read.
  ///   - body: called with each batch of rows. It does not call the store.
  func readRows(selectedBy query: StoreQuery, _ body: (StoredRows) -> Void) throws(StoreError)

  /// Returns the number of rows that a query selects, within its limit and offset.
  func count(selectedBy query: StoreQuery) throws(StoreError) -> Int

  /// Computes a value for each group of the rows that a query selects.
  func aggregate(_ aggregate: StoreAggregate, over query: StoreQuery) throws(StoreError) -> [StoreAggregate.Group]
}

/// A commit of a store.
package struct StoreCommit: Sendable {
  package let sequence: Int64
  package let token: UUID?

  package init(sequence: Int64, token: UUID?) {
    self.sequence = sequence
    self.token = token
  }

  /// Whether two commits cannot be distinguished.
  package func isSame(_ other: StoreCommit) -> Bool {
    sequence == other.sequence && (token == nil || other.token == nil || token == other.token)
  }
}

extension StoreBackend {
  /// Does nothing, because commits are durable before other contexts see them.
  package func flush(_ snapshot: any StoreSnapshot) throws(StoreError) -> Bool { true }

  package func isNewest(_ snapshot: any StoreSnapshot) throws(StoreError) -> Bool {
    try latestCommit() == snapshot.sequence
  }

  package func snapshot(replacing current: (any StoreSnapshot)?) throws(StoreError) -> any StoreSnapshot {
    try snapshot()
  }
}

extension StoreSnapshot {
  /// Returns the numbers of the rows, for stores that have them in memory.
  package func ids(selectedBy query: StoreQuery) throws(StoreError) -> [Int64] {
    try rows(selectedBy: query).headers.map(\.id)
  }

  /// Passes all rows in one call, for stores that have them in memory.
  package func readRows(selectedBy query: StoreQuery, _ body: (StoredRows) -> Void) throws(StoreError) {
    body(try rows(selectedBy: query))
  }
}

extension StoreSnapshot {
  package var token: UUID? { nil }
  package func contains(_ commit: StoreCommit) -> Bool { true }

  /// The commit whose state the snapshot shows.
  package var commit: StoreCommit { StoreCommit(sequence: sequence, token: token) }

  /// False, because most stores can keep an old state for as long as a context needs it.
  package var lagsBehind: Bool { false }
  package func settle(isCommitting: Bool) {}

  /// The number of the row, because databases number rows in the order of insertion.
  package func age(_ table: Int, _ id: Int64) -> UInt64 { UInt64(bitPattern: id) }
}
