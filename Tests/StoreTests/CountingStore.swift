import Graft
import GraftTestSupport

/// A store in memory that counts how often its snapshots are read and how many rows these reads return. It fails on request.
final class CountingStore: StoreBackend {
  private let store: any StoreBackend
  private let count = Locked(0)
  private let rowCount = Locked(0)
  private let failing = Locked(0)
  private let failsSnapshots = Locked(false)

  convenience init(_ model: ManagedObjectModel) { self.init(SnapshotStore.inMemory(model: model)) }

  init(_ store: any StoreBackend) { self.store = store }

  /// The number of times that a closure reads the store.
  func reads(during body: () throws -> Void) rethrows -> Int {
    let before = count.withLock { $0 }
    try body()
    return count.withLock { $0 } - before
  }

  /// The number of rows that a closure reads.
  func rowsRead(during body: () throws -> Void) rethrows -> Int {
    let before = rowCount.withLock { $0 }
    try body()
    return rowCount.withLock { $0 } - before
  }

  /// Makes a read fail: 1 is the next read, and 0 is none.
  func fail(at read: Int) { failing.withLock { $0 = read == 0 ? 0 : count.withLock { $0 } + read } }

  /// Makes all snapshots that are requested from now on fail, or none of them.
  func failSnapshots(_ fails: Bool = true) { failsSnapshots.withLock { $0 = fails } }

  fileprivate func countedRows(_ body: () throws(StoreError) -> StoredRows) throws(StoreError) -> StoredRows {
    let rows = try counted(body)
    rowCount.withLock { $0 += rows.count }
    return rows
  }

  fileprivate func counted<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    let number = count.withLock {
      $0 += 1
      return $0
    }
    if number == failing.withLock({ $0 }) { throw StoreError(.unavailableStore, "the store fails") }
    return try body()
  }

  var schema: StoreSchema { store.schema }
  var model: ManagedObjectModel { store.model }
  func latestCommit() throws(StoreError) -> Int64 { try store.latestCommit() }
  func changes(since sequence: Int64) throws(StoreError) -> StoreLog { try store.changes(since: sequence) }

  func write(_ changes: StoreChanges, basedOn base: Int64) throws(StoreError) -> StoreWriteResult {
    try store.write(changes, basedOn: base)
  }

  func snapshot() throws(StoreError) -> any StoreSnapshot {
    if failsSnapshots.withLock({ $0 }) { throw StoreError(.unavailableStore, "the store fails") }
    return CountingSnapshot(try store.snapshot(), self)
  }
}

/// A snapshot whose reads are counted by its store.
private final class CountingSnapshot: StoreSnapshot {
  private let snapshot: any StoreSnapshot
  private let store: CountingStore

  init(_ snapshot: any StoreSnapshot, _ store: CountingStore) {
    self.snapshot = snapshot
    self.store = store
  }

  var sequence: Int64 { snapshot.sequence }
  func changes(since base: Int64) throws(StoreError) -> StoreLog { try snapshot.changes(since: base) }

  func rows(in table: Int, ids: [Int64]) throws(StoreError) -> StoredRows {
    try store.countedRows { () throws(StoreError) in try snapshot.rows(in: table, ids: ids) }
  }

  func rows(in table: Int, identity: Int, values: StoredValues) throws(StoreError) -> StoredRows {
    try store.countedRows { () throws(StoreError) in try snapshot.rows(in: table, identity: identity, values: values) }
  }

  func rows(in table: Int, column: Int, referringTo targets: [Int64]) throws(StoreError) -> StoredRows {
    try store.countedRows { () throws(StoreError) in try snapshot.rows(in: table, column: column, referringTo: targets)
    }
  }

  func links(in table: Int, ofOwners owners: [Int64]) throws(StoreError) -> [StoredLink] {
    try store.counted { () throws(StoreError) in try snapshot.links(in: table, ofOwners: owners) }
  }

  func links(in table: Int, ofMembers members: [Int64]) throws(StoreError) -> [StoredLink] {
    try store.counted { () throws(StoreError) in try snapshot.links(in: table, ofMembers: members) }
  }

  func rows(selectedBy query: StoreQuery) throws(StoreError) -> StoredRows {
    try store.countedRows { () throws(StoreError) in try snapshot.rows(selectedBy: query) }
  }

  func count(selectedBy query: StoreQuery) throws(StoreError) -> Int {
    try store.counted { () throws(StoreError) in try snapshot.count(selectedBy: query) }
  }

  func aggregate(
    _ aggregate: StoreAggregate, over query: StoreQuery
  ) throws(StoreError) -> [StoreAggregate.Group] {
    try store.counted { () throws(StoreError) in try snapshot.aggregate(aggregate, over: query) }
  }
}
