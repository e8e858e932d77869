import GraftSQLite

package import Foundation
package import Graft

/// The kinds of stores with which a case is tested.
package enum StoreKind: String, CaseIterable, Sendable {
  case snapshot, sqlite

  package var source: ContextSource.Kind {
    switch self {
    case .snapshot: .snapshot
    case .sqlite: .sqlite
    }
  }

  package func open(_ url: URL, _ model: ManagedObjectModel) throws -> any StoreBackend {
    switch self {
    case .snapshot: try SnapshotStore(at: url, model: model)
    case .sqlite: try SQLiteStore(at: url, model: model)
    }
  }
}
