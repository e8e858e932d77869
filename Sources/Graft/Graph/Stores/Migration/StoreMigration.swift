/// A step that moves data when a store is opened with a newer version of its model.
///
/// Changes that a migration makes automatically (<doc:Stores#Models-change>) need no step. A step computes new values from old values: it
/// splits or joins attributes, converts a type, or creates objects of one entity from the columns of another.
///
///     var options = SQLiteStore.Options()
///     options.migrations = [
///       StoreMigration(to: "2", replacing: ["Hero.name"]) { step in
///         try step.forEach("Hero") { old, new in
///           let name: String? = old["name"]
///           new?["firstName"] = name?.split(separator: " ").first.map(String.init)
///         }
///       }
///     ]
///     let store = try SQLiteStore(at: url, model: model, options: options)
///
/// A step runs once in each store that was created with an earlier `version` of the model. It runs when a program that has the step opens
/// the store with a model of the step's version or a later version. A program without the step, such as a tool, leaves the step to programs
/// that have it. A store that skipped versions runs all steps that it missed, in the order of their versions. Each step sees the store as
/// it was before the first step, and the new objects as they were left by the previous step. A store that was created without a version is
/// older than all versions.
///
/// Both sides may differ from the versions that a step was written for: ``StoreMigrationStep/old`` may have older names, in a store that
/// skipped versions, and ``StoreMigrationStep/new`` always has the names of the latest model. `object["name"]` traps if there is no
/// such property. ``ManagedObject/value(of:as:)`` and ``ManagedObject/setValue(_:of:)-(AttributeValue?,_)`` throw instead, and the error
/// names the step that failed.
///
/// All changes, including the changes that the migration makes automatically, are written in one transaction. Other contexts and processes
/// can write again after the transaction has ended. If a step throws, or an object violates the model after the last step, the store is
/// left unchanged and is not opened. After a successful migration, programs with models of earlier versions can no longer use the store,
/// even if its layout is the same, because its values have a different form.
public struct StoreMigration: Sendable {
  /// The version of the model that the step leads to: numbers separated by dots.
  public let version: String
  /// The entities, and the properties as `Entity.property`, that the step replaces.
  public let replaced: [String]
  let body: @Sendable (StoreMigrationStep) throws -> Void
  /// The declaration in the model (S21); nil for a step of the program.
  let declaration: DeclaredMigration?
  /// The properties whose values a declared step sets.
  let given: Set<String>

  /// Creates a step.
  ///
  /// - Parameters:
  ///   - version: the `version` of the model that the step leads to.
  ///   - names: the old or new names of entities, and of properties as `Entity.property`, whose old objects or values are not kept. In
  ///     the new store, they have no objects, or no values except defaults, until the step creates them. They may change in any
  ///     way, including a type, an identity, or the destination of a relationship. An entity also includes its sub-entities, and the
  ///     relationships to it.
  ///   - body: a closure that moves the data. It is called on the thread that opens the store, and its errors are part of the
  ///     ``StoreError`` that opening the store throws.
  public init(
    to version: String, replacing names: [String] = [], _ body: @escaping @Sendable (StoreMigrationStep) throws -> Void
  ) {
    self.version = version
    replaced = names
    self.body = body
    (declaration, given) = (nil, [])
  }

  /// Creates the step that a model declares.
  init(_ migration: DeclaredMigration, replacing names: [String]) {
    version = migration.version
    replaced = names
    body = { try migration.run($0) }
    (declaration, given) = (migration, Set(migration.given))
  }
}
