public import Foundation
public import Graft
import GraftSQL

extension SQLiteStore {
  /// The changes that opening a store with a model would make, or the reasons why it cannot be opened.
  public typealias MigrationPlan = StoreMigrationPlan

  /// Returns the changes that opening a store with a model would make. The store is not changed.
  ///
  /// - Parameters:
  ///   - url: the location of the store.
  ///   - model: the model with which the store would be opened.
  ///   - options: the options for opening the store. Removals listed in ``Options/allowedRemovals`` are not refused.
  /// - Throws: if there is no store, or it cannot be opened for reasons other than its model.
  public static func migrationPlan(
    at url: URL, to model: ManagedObjectModel, options: Options = Options()
  ) throws(StoreError) -> MigrationPlan {
    let file = try StoreFile(url)
    return try StoreOpener(file: file, model: model, options: options).plan()
  }

  /// Checks on a copy whether a store can be opened with a model, and removes the copy. This check finds values that do not fit the model,
  /// which a plan does not find. The copy is in the temporary directory, which must have room for it.
  ///
  /// - Throws: the error that opening the store would throw.
  package static func tryMigration(
    at url: URL, to model: ManagedObjectModel, options: Options = Options()
  ) throws(StoreError) {
    let file = try StoreFile(url)
    let folder = try TemporaryFolder(for: file.name)
    let copy = folder.database
    let opener = StoreOpener(file: file, model: model, options: options)
    try opener.translated { () throws(SQLiteError) in
      try opener.connection().execute("VACUUM INTO \(SQLName.literal(copy.path))")
    }
    var options = options
    options.backsUpBeforeMigration = false
    _ = try StoreOpener(file: copy, model: model, options: options, isTemporary: true).open()
    withExtendedLifetime(folder) {}
  }

  /// Returns the changes that opening any store of one model with another model would make.
  ///
  ///     let plan = SQLiteStore.migrationPlan(from: released, to: edited)
  ///     print(plan.isPossible ? "every store follows" : "\(plan)")
  ///
  /// Whether some differences can be migrated depends on the objects in a store. Such differences are `conditionalRefusals`.
  public static func migrationPlan(from old: ManagedObjectModel, to new: ManagedObjectModel) -> MigrationPlan {
    let (oldLayout, newLayout) = (StoreLayout(StoreSchema(old)), StoreLayout(StoreSchema(new)))
    var history = ModelHistory()
    history.add(version: old.contents.version ?? "", oldLayout)
    let steps = MigrationSteps([], new, from: history)
    let mapping = LayoutMapping(from: oldLayout, to: newLayout, new.contents, replacing: steps.replaced)
    var planner = MigrationPlanner<NoFacts>(mapping, new, nil, steps: steps)
    planner.run()
    return planner.plan.adding(steps, ofStoresOf: old.contents)
  }
}
