public import Foundation
public import Graft

extension SQLiteStore {
  /// What opening a store with a model would change, or why it cannot be opened with it.
  ///
  ///     let plan = try SQLiteStore.migrationPlan(at: url, to: model)
  ///     print(plan)      // add 'Item.color'; rename the entity 'Producer' to 'Maker'
  public struct MigrationPlan: Sendable, CustomStringConvertible {
    /// The changes, one sentence each, in the order of the model; empty if the store fits the model.
    public internal(set) var changes: [String] = []
    /// Those of the changes that remove objects or values that the store has.
    public internal(set) var removals: [String] = []
    /// The differences that cannot be migrated. A store with such differences is not opened, and not changed.
    public internal(set) var refusals: [Diagnostic] = []

    /// The differences that cannot be migrated if the store has objects that they concern. Only a plan for two models has such
    /// differences: of a store, it is known which objects it has.
    public internal(set) var conditionalRefusals: [Diagnostic] = []

    /// The former name of each entity that existed.
    package internal(set) var formerEntities: [String: String] = [:]
    /// The former name of each property that existed, both as `Entity.property` of the entities that declare them.
    package internal(set) var formerProperties: [String: String] = [:]

    /// Whether the store, or every store of the old model, can be opened with the new model.
    public var isPossible: Bool { refusals.isEmpty && conditionalRefusals.isEmpty }

    var problemCount: Int { refusals.count + conditionalRefusals.count }

    /// The changes and the refusals, one on a line.
    public var description: String {
      (changes + (refusals + conditionalRefusals).map(\.description)).joined(separator: "\n")
    }
  }

  /// Returns what opening a store with a model would change. The store is not changed.
  ///
  /// - Throws: if there is no store, or it cannot be opened for other reasons than its model.
  public static func migrationPlan(at url: URL, to model: ManagedObjectModel) throws(StoreError) -> MigrationPlan {
    let file = try StoreFile(url)
    return try StoreOpener(file: file, model: model, options: Options()).plan()
  }

  /// Returns what opening any store of one model with another model would change.
  ///
  ///     let plan = SQLiteStore.migrationPlan(from: released, to: edited)
  ///     print(plan.isPossible ? "every store follows" : "\(plan)")
  ///
  /// Whether some differences can be migrated depends on the objects in a store. They are
  /// ``MigrationPlan/conditionalRefusals``.
  public static func migrationPlan(from old: ManagedObjectModel, to new: ManagedObjectModel) -> MigrationPlan {
    let mapping = LayoutMapping(from: StoreLayout(StoreSchema(old)), to: StoreLayout(StoreSchema(new)), new.contents)
    var planner = MigrationPlanner(mapping, new.contents, nil)
    // Without a store, nothing can fail.
    try? planner.run()
    return planner.plan
  }
}
