/// The steps that a store needs to reach a version of its model, in the order of their versions.
package struct MigrationSteps {
  private let pending: [StoreMigration]

  /// No steps.
  package init() { pending = [] }

  /// - Parameters:
  ///   - steps: the program's steps.
  ///   - model: the new model, which may declare further steps. They run before the program's steps for the same version.
  ///   - history: the models that wrote the store.
  package init(_ steps: [StoreMigration], _ model: ManagedObjectModel, from history: ModelHistory) {
    let later = (model.migrations + steps).filter {
      history.needsStep(to: $0.version, isDeclared: $0.declaration != nil)
    }
    pending = later.enumerated().sorted { first, second in
      let (left, right) = (first.element.version, second.element.version)
      return ModelVersion.isOlder(left, than: right)
        || !ModelVersion.isOlder(right, than: left) && first.offset < second.offset
    }.map(\.element)
  }

  /// All steps of a program, which a new store does not need.
  package init(ofNewStore steps: [StoreMigration], _ model: ManagedObjectModel) {
    self.init(steps, model, from: ModelHistory())
  }

  /// Throws if a step has no version, or a later version than the model.
  package static func check(
    _ steps: [StoreMigration], _ model: ManagedObjectModel, storeName: String
  ) throws(StoreError) {
    let version = model.contents.version ?? ""
    for step in steps {
      guard ModelVersion.isOrdered(step.version) else {
        throw StoreError(
          .failedMigration,
          "the store '\(storeName)' cannot be opened: '\(step.version)' is not a version that a migration can lead to; expected numbers such as 2 or 1.10"
        )
      }
      guard ModelVersion.isOrdered(version), !ModelVersion.isOlder(version, than: step.version) else {
        let found = version.isEmpty ? "the model has no 'version'" : "the model has version \(version)"
        throw StoreError(
          .failedMigration,
          "the store '\(storeName)' cannot be opened: a migration leads to version \(step.version), but \(found); give the model file the version of its latest migration"
        )
      }
    }
  }

  package var isEmpty: Bool { pending.isEmpty }
  /// The latest version of each kind of step.
  package var kinds: ModelHistory.Steps {
    ModelHistory.Steps(
      ofProgram: pending.last { $0.declaration == nil }?.version,
      ofModel: pending.last { $0.declaration != nil }?.version)
  }
  /// The first step, for messages.
  package var first: String? {
    pending.first.map {
      $0.declaration == nil
        ? "the program's step to version \($0.version)" : "the model's migration to version \($0.version)"
    }
  }
  /// The descriptions of the steps in the plan of a migration.
  package var summary: [String] {
    pending.flatMap { $0.declaration?.summary ?? ["run the program's step to version \($0.version)"] }
  }
  /// The properties whose values the model moves elsewhere, so removing them loses nothing.
  var moved: Set<String> { Set(pending.filter { $0.declaration != nil }.flatMap(\.replaced)) }
  /// The steps that the model declares.
  var declarations: [DeclaredMigration] { pending.compactMap(\.declaration) }
  /// Whether a step may set the values of a new property.
  func mayGive(_ title: String) -> Bool { pending.contains { $0.declaration == nil || $0.given.contains(title) } }

  /// The names that the steps replace.
  package var replaced: Set<String> { Set(pending.flatMap(\.replaced)) }

  /// Runs the steps.
  ///
  /// - Parameters:
  ///   - old: the store before the migration.
  ///   - new: the store after the automatic part of the migration, in the same transaction.
  package func run(
    from old: any StoreBackend, to new: any StoreBackend, _ mapping: LayoutMapping, storeName: String
  ) throws(StoreError) {
    let (oldContext, newContext) = (ManagedObjectContext(old), ManagedObjectContext(new))
    let both = StoreMigrationStep(oldContext, newContext, mapping)
    for (number, step) in pending.enumerated() {
      do {
        try step.body(both)
        // A later step may complete what this step leaves incomplete.
        if number == pending.count - 1 { try both.end() } else { try both.pause() }
      } catch {
        throw MigrationSteps.failure(error, step, storeName)
      }
    }
  }

  private static func failure(_ error: any Error, _ step: StoreMigration, _ storeName: String) -> StoreError {
    let diagnostics = (error as? any DiagnosticError)?.diagnostics ?? []
    let reason = diagnostics.isEmpty ? ": \(error)" : ""
    return StoreError(
      [
        Diagnostic(
          code: .failedMigration,
          "the store '\(storeName)' cannot be opened: its migration to version \(step.version) failed, and it was not changed\(reason)"
        )
      ] + diagnostics)
  }
}

extension MigrationSteps {
  /// Throws if an object violates the requirements of the model.
  ///
  /// - Parameters:
  ///   - facts: the rows after the migration.
  ///   - layout: the layout of the model.
  package static func check<Facts: MigrationFacts>(
    _ facts: Facts, _ layout: StoreLayout, _ model: ManagedObjectModel, storeName: String
  ) throws(Facts.Failure) -> StoreError? {
    var planner = MigrationPlanner(LayoutMapping(from: layout, to: layout, model.contents), model, facts)
    try planner.checkEverything()
    guard !planner.plan.refusals.isEmpty else { return nil }
    let summary = Diagnostic(
      code: .failedMigration,
      "the store '\(storeName)' cannot be opened: after its migration, objects violate the model; it was not changed")
    return StoreError([summary] + planner.plan.refusals)
  }
}

extension StoreMigrationPlan {
  /// The plan with the given steps added.
  ///
  /// - Parameter old: the model of the stores, for a plan that applies to every store of the model.
  package func adding(_ steps: MigrationSteps, ofStoresOf old: ModelDescription? = nil) -> StoreMigrationPlan {
    var plan = self
    if let old { plan.conditionalRefusals += steps.declarations.flatMap { $0.refusals(ofStoresOf: old) } }
    for step in steps.summary { plan.changes.append(step) }
    plan.movesData = !steps.isEmpty
    return plan
  }
}
