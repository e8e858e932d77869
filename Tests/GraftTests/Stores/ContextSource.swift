import Foundation
import Graft
import GraftPostgreSQL
import GraftSQLite
import GraftTestSupport
import Testing

/// Where the contexts of a case come from: a store, or a parent whose children they are.
final class ContextSource {
  enum Kind: String, CaseIterable, CustomTestStringConvertible {
    case snapshot, sqlite, postgresql
    case childOfMemory, childOfSnapshot, childOfSQLite, grandchildOfMemory, grandchildOfSQLite

    var testDescription: String { rawValue }

    var isOfChildren: Bool { ![.snapshot, .sqlite, .postgresql].contains(self) }

    /// The kinds that can be tried. `GRAFT_ONLY_STORE` is the name of one.
    static let allCases: [Kind] = {
      let all: [Kind] = [
        .snapshot, .sqlite, .postgresql, .childOfMemory, .childOfSnapshot, .childOfSQLite, .grandchildOfMemory,
        .grandchildOfSQLite,
      ]
      let only = ProcessInfo.processInfo.environment["GRAFT_ONLY_STORE"]
      return all.filter { ($0 != .postgresql || Cluster.isAvailable) && (only == nil || only == $0.rawValue) }
    }()

    /// Calls a closure with random texts that the store can hold: PostgreSQL has no NUL.
    static func withStorableTexts(_ kind: Kind?, _ body: () throws -> Void) rethrows {
      try RandomPayload.$avoidsNUL.withValue(kind == .postgresql, operation: body)
    }

    /// The seeds to try. A server takes twenty times as long as a file.
    static func part(of seeds: some Collection<UInt64>, _ kind: Kind?) -> [UInt64] {
      Array(kind == .postgresql ? seeds.prefix(max(2, seeds.count / 10)) : seeds.prefix(seeds.count))
    }
  }

  let model: ManagedObjectModel
  let kind: Kind
  let store: (any StoreBackend)?
  /// The contexts between the store and those of the case, outermost first.
  private(set) var parents: [ManagedObjectContext] = []

  init(_ kind: Kind, _ model: ManagedObjectModel) throws {
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

  /// A new schema for the tables of a store. Contexts may outlive their source, so the latest schemas stay.
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
  func context() throws -> ManagedObjectContext {
    if let parent = parents.last { return parent.makeChild() }
    return try ManagedObjectContext(model: model, store: #require(store))
  }

  /// Commits the parents, from the inside out.
  func commitParents() throws {
    for parent in parents.reversed() { try parent.commit() }
  }

  /// Commits the parents, and continues with others, which have nothing in memory. Without a store, they remain.
  func replaceParents() throws {
    try commitParents()
    if store != nil { try makeParents() }
  }

  /// Expects contexts that have merged to have the graph of a new one, and a store without damage.
  func expectAgreement(
    of contexts: ManagedObjectContext..., sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws {
    for context in contexts {
      try context.merge()
      #expect(context.dumpText == (try self.context()).dumpText, sourceLocation: sourceLocation)
      #expect(context.checkInvariants() == [], sourceLocation: sourceLocation)
    }
    try commitParents()
    #expect(try faults() == [], sourceLocation: sourceLocation)
  }

  /// What is damaged in the store.
  func faults() throws -> [Diagnostic] {
    switch store {
    case let store as SQLiteStore: try store.verify()
    case let store as PostgreSQLStore: try store.verify()
    default: []
    }
  }

  /// Whether a closure writes nothing.
  func writesNothing(_ body: () throws -> Void) throws -> Bool {
    try commitParents()
    let before = try store?.latestCommit()
    try body()
    let hasPendingChanges = parents.contains(where: \.hasChanges)
    try commitParents()
    return try !hasPendingChanges && store?.latestCommit() == before
  }
}
