import Graft
import GraftSQLite
import GraftTestSupport
import Testing

/// Where the contexts of a case come from: a store, or a parent whose children they are.
final class ContextSource {
  enum Kind: String, CaseIterable, CustomTestStringConvertible {
    case snapshot, sqlite
    case childOfMemory, childOfSnapshot, childOfSQLite, grandchildOfMemory, grandchildOfSQLite

    var testDescription: String { rawValue }

    var isOfChildren: Bool { self != .snapshot && self != .sqlite }
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
    case .childOfMemory, .grandchildOfMemory: store = nil
    }
    try makeParents()
  }

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
    if let store = store as? SQLiteStore { #expect(try store.verify() == [], sourceLocation: sourceLocation) }
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
