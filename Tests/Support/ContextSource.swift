import Foundation
import GraftPostgreSQL
import GraftSQLite

package import Graft

/// The source of the contexts of a case: a store, or a parent whose children they are.
package final class ContextSource {
  package enum Kind: String, CaseIterable, Sendable {
    case snapshot, sqlite, postgresql
    case childOfMemory, childOfSnapshot, childOfSQLite, grandchildOfMemory, grandchildOfSQLite

    package var isOfChildren: Bool { ![.snapshot, .sqlite, .postgresql].contains(self) }

    /// The kinds that can be tested. `GRAFT_ONLY_STORE` names the only one to test.
    package static let allCases: [Kind] = {
      let all: [Kind] = [
        .snapshot, .sqlite, .postgresql, .childOfMemory, .childOfSnapshot, .childOfSQLite, .grandchildOfMemory,
        .grandchildOfSQLite,
      ]
      let only = ProcessInfo.processInfo.environment["GRAFT_ONLY_STORE"]
      return all.filter { ($0 != .postgresql || Cluster.isAvailable) && (only == nil || only == $0.rawValue) }
    }()

    /// The seeds to test. A server takes twenty times as long as a file.
    package static func part(of seeds: some Collection<UInt64>, _ kind: Kind?) -> [UInt64] {
      Array(kind == .postgresql ? seeds.prefix(max(2, seeds.count / 10)) : seeds.prefix(seeds.count))
    }
  }

  package let model: ManagedObjectModel
  package let kind: Kind
  package let store: (any StoreBackend)?
  /// The contexts between the store and the contexts of the case, outermost first.
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

  /// A new schema for the tables of a store. Contexts may outlive their source, so the latest schemas are kept.
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

  /// A new context, with nothing in memory.
  package func context() throws -> ManagedObjectContext {
    if let parent = parents.last { return parent.makeChild() }
    guard let store else { return ManagedObjectContext(model: model) }
    return try ManagedObjectContext(model: model, store: store)
  }

  /// Commits the parents, from the inside out.
  package func commitParents() throws {
    for parent in parents.reversed() { try parent.commit() }
  }

  /// Commits the parents, and continues with new parents, which have nothing in memory. Without a store, they remain.
  package func replaceParents() throws {
    try commitParents()
    if store != nil { try makeParents() }
  }

  /// The damage in the store.
  package func faults() throws -> [Diagnostic] {
    switch store {
    case let store as SQLiteStore: try store.verify()
    case let store as PostgreSQLStore: try store.verify()
    default: []
    }
  }

  /// Whether a closure writes nothing.
  package func writesNothing(_ body: () throws -> Void) throws -> Bool {
    try commitParents()
    let before = try store?.latestCommit()
    try body()
    let hasPendingChanges = parents.contains(where: \.hasChanges)
    try commitParents()
    return try !hasPendingChanges && store?.latestCommit() == before
  }
}
