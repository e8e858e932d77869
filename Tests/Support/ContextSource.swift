import Foundation
import GraftPostgreSQL
import GraftSQLite

package import Graft

/// Provides the contexts of a test case: contexts with the same store, or children of the same parent context.
package final class ContextSource {
  package enum Kind: String, CaseIterable, Sendable {
    case snapshot, sqlite, postgresql
    case childOfMemory, childOfSnapshot, childOfSQLite, grandchildOfMemory, grandchildOfSQLite

    package var isOfChildren: Bool { ![.snapshot, .sqlite, .postgresql].contains(self) }

    /// The kinds that can be tested. If the environment variable `GRAFT_ONLY_STORE` is set, only the kind with that name is tested.
    package static let allCases: [Kind] = {
      let all: [Kind] = [
        .snapshot, .sqlite, .postgresql, .childOfMemory, .childOfSnapshot, .childOfSQLite, .grandchildOfMemory,
        .grandchildOfSQLite,
      ]
      let only = ProcessInfo.processInfo.environment["GRAFT_ONLY_STORE"]
      return all.filter { ($0 != .postgresql || Cluster.isAvailable) && (only == nil || only == $0.rawValue) }
    }()

    /// The seeds to test for a kind. Tests with a server take twenty times as long as tests with a file, so they use fewer seeds.
    package static func part(of seeds: some Collection<UInt64>, _ kind: Kind?) -> [UInt64] {
      Array(kind == .postgresql ? seeds.prefix(max(2, seeds.count / 10)) : seeds.prefix(seeds.count))
    }
  }

  package let model: ManagedObjectModel
  package let kind: Kind
  package let store: (any StoreBackend)?
  /// The contexts between the store and the contexts of the test case, outermost first.
  package private(set) var parents: [ManagedObjectContext] = []

  package init(_ kind: Kind, _ model: ManagedObjectModel) throws {
    self.kind = kind
    self.model = model
    switch kind {
    case .snapshot, .childOfSnapshot: store = SnapshotStore.inMemory(model: model)
    case .sqlite, .childOfSQLite, .grandchildOfSQLite: store = try SQLiteStore.inMemory(model: model)
    case .postgresql:
      store = try ContextSource.schema().store(model)
    case .childOfMemory, .grandchildOfMemory: store = nil
    }
    try makeParents()
  }

  /// Returns a new schema for the tables of a store. A context can outlive its source, so the latest schemas are kept.
  private static func schema() throws -> PrivateSchema {
    let schema = try PrivateSchema()
    let old = schemas.withLock { schemas -> PrivateSchema? in
      schemas.append(schema)
      return schemas.count > 64 ? schemas.removeFirst() : nil
    }
    withExtendedLifetime(old) {}
    return schema
  }

  private static let schemas = Locked<[PrivateSchema]>([])

  private func makeParents() throws {
    guard kind.isOfChildren else { return }
    parents = [
      try store.map { try ManagedObjectContext(model: model, store: $0) } ?? ManagedObjectContext(model: model)
    ]
    if kind == .grandchildOfMemory || kind == .grandchildOfSQLite { parents.append(parents[0].makeChild()) }
  }

  /// Returns a new context that has no objects in memory.
  package func context() throws -> ManagedObjectContext {
    if let parent = parents.last { return parent.makeChild() }
    guard let store else { return ManagedObjectContext(model: model) }
    return try ManagedObjectContext(model: model, store: store)
  }

  /// Commits the parents, from the innermost to the outermost.
  package func commitParents() throws {
    for parent in parents.reversed() { try parent.commit() }
  }

  /// Commits the parents, and replaces them by new parents that have no objects in memory. Without a store, the parents are not replaced.
  package func replaceParents() throws {
    try commitParents()
    if store != nil { try makeParents() }
  }

  /// The damage that `verify` finds in the store.
  package func faults() throws -> [Diagnostic] {
    switch store {
    case let store as SQLiteStore: try store.verify()
    case let store as PostgreSQLStore: try store.verify()
    default: []
    }
  }

  /// Whether a closure makes no changes to the store.
  package func writesNothing(_ body: () throws -> Void) throws -> Bool {
    try commitParents()
    let before = try store?.latestCommit()
    try body()
    let hasPendingChanges = parents.contains(where: \.hasChanges)
    try commitParents()
    return try !hasPendingChanges && store?.latestCommit() == before
  }
}
