import Foundation
import Graft

extension SQLiteStore {
  /// What opening a store with a model would change, or why it cannot be opened with it.
  ///
  ///     let plan = try SQLiteStore.migrationPlan(at: url, to: model)
  ///     print(plan)      // add 'Item.color'; rename the entity 'Producer' to 'Maker'
  public struct MigrationPlan: Sendable, CustomStringConvertible {
    /// The changes, one sentence each, in the order of the model; empty if the store fits the model.
    public internal(set) var changes: [String] = []
    /// The differences that cannot be migrated. A store with such differences is not opened, and not changed.
    public internal(set) var refusals: [Diagnostic] = []

    /// Whether the store can be opened with the model.
    public var isPossible: Bool { refusals.isEmpty }

    /// The changes and the refusals, one on a line.
    public var description: String {
      (changes + refusals.map(\.description)).joined(separator: "\n")
    }
  }

  /// Returns what opening a store with a model would change. The store is not changed.
  ///
  /// - Throws: if there is no store, or it cannot be opened for other reasons than its model.
  public static func migrationPlan(at url: URL, to model: ManagedObjectModel) throws(StoreError) -> MigrationPlan {
    let file = try StoreFile(url)
    return try StoreOpener(file: file, model: model, options: Options()).plan()
  }
}
