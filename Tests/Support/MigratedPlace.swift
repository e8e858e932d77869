import Foundation
import GraftPostgreSQL
import GraftSQLite

package import Graft

/// A place for one store, which programs with different models open in sequence. It is removed with the object.
package final class MigratedPlace {
  package enum Kind: CaseIterable, Sendable {
    case sqlite, snapshot, postgresql

    /// The kinds that this machine can test.
    package static let available = allCases.filter { $0 != .postgresql || Cluster.isAvailable }
  }

  package let kind: Kind
  private let folder: TemporaryFolder
  private let schema: PrivateSchema?

  package init(_ kind: Kind) throws {
    self.kind = kind
    schema = kind == .postgresql ? try PrivateSchema() : nil
    folder = try TemporaryFolder()
  }

  private var url: URL { folder.file("store.graft") }

  /// Opens the store. A database is not migrated while a context reads it.
  package func open(_ model: ManagedObjectModel, _ migrations: [StoreMigration] = []) throws -> ManagedObjectContext {
    switch kind {
    case .postgresql:
      var options = PostgreSQLStore.Options()
      options.migrations = migrations
      return ManagedObjectContext(store: try PostgreSQLStore(schema?.url ?? "", model: model, options: options))
    case .sqlite:
      var options = SQLiteStore.Options()
      options.migrations = migrations
      return ManagedObjectContext(store: try SQLiteStore(at: url, model: model, options: options))
    case .snapshot:
      var options = SnapshotStore.Options()
      options.migrations = migrations
      return ManagedObjectContext(store: try SnapshotStore(at: url, model: model, options: options))
    }
  }

  /// The findings of `verify` in a database.
  package func damage(_ model: ManagedObjectModel) throws -> [String] {
    switch kind {
    case .postgresql: try PostgreSQLStore(schema?.url ?? "", model: model).verify().map(\.description)
    case .sqlite: try SQLiteStore(at: url, model: model).verify().map(\.description)
    case .snapshot: []
    }
  }

  /// Opens the store with the text of a model.
  package func open(_ text: String, _ migrations: [StoreMigration] = []) throws -> ManagedObjectContext {
    try open(ManagedObjectModel(text: text, name: "m.json"), migrations)
  }

  /// Creates a store.
  package func fill(_ text: String, _ entity: String, _ payload: String) throws {
    _ = try objects(ofEntity: entity, fromJSON: payload, in: try open(text))
  }
}
