import Foundation
import GraftPostgreSQL
import GraftSQLite

package import Graft

/// The place of a store that programs with different models open in sequence. The store is removed when the object is released.
package final class MigratedPlace {
  package enum Kind: CaseIterable, Sendable {
    case sqlite, snapshot, postgresql

    /// The kinds of stores that can be tested on this machine.
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

  /// Opens the store. The database is not migrated while another context reads it.
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

  /// The findings of `verify` in the database.
  package func damage(_ model: ManagedObjectModel) throws -> [String] {
    switch kind {
    case .postgresql: try PostgreSQLStore(schema?.url ?? "", model: model).verify().map(\.description)
    case .sqlite: try SQLiteStore(at: url, model: model).verify().map(\.description)
    case .snapshot: []
    }
  }

  /// Opens the store with the model in the text.
  package func open(_ text: String, _ migrations: [StoreMigration] = []) throws -> ManagedObjectContext {
    try open(ManagedObjectModel(text: text, name: "m.json"), migrations)
  }

  /// Creates a store with the objects of a payload.
  package func fill(_ text: String, _ entity: String, _ payload: String) throws {
    _ = try objects(ofEntity: entity, fromJSON: payload, in: try open(text))
  }
}
