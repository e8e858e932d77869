/// A step that moves data when a store is opened with a newer version of its model.
///
/// What a migration does by itself (<doc:Stores#Models-change>) needs no step. A step computes new values from old ones: it splits or
/// joins attributes, converts a type, or makes objects of an entity out of the columns of another one.
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
/// A step runs once in each store that was created with an earlier `version` of the model: when the store is opened with a model of the
/// step's version or a later one, by a program that has the step. A program without it, such as a tool, leaves it to the others. A store
/// that skipped versions runs all steps that it missed, in the order of their versions. Each of them sees the store as it was before the
/// first one, and the new objects as the step before left them. A store that was created without a version is older than all versions.
///
/// Both sides may differ from what a step was written for: a store that skipped versions has older names in
/// ``StoreMigrationStep/old``, and ``StoreMigrationStep/new`` always has those of the latest model. `object["name"]` traps if there is no
/// such property; ``ManagedObject/value(of:as:)`` and ``ManagedObject/setValue(_:of:)-(AttributeValue?,_)`` throw, and the error says which step failed.
///
/// Everything is written in one transaction together with what the migration does by itself, and others write again when it has ended. If
/// a step throws, or an object violates the model after the last one, the store stays as it was, and it is not opened. Programs with
/// models of earlier versions can then no longer use the store, even if its layout is the same: its values have another form.
public struct StoreMigration: Sendable {
  /// The version of the model that the step leads to: numbers with dots between them.
  public let version: String
  /// The entities, and the properties as `Entity.property`, that the step replaces.
  public let replaced: [String]
  let body: @Sendable (StoreMigrationStep) throws -> Void
  /// The declaration in the model (S21); nil for a step of the program.
  let declaration: DeclaredMigration?
  /// The properties that a declared step gives values.
  let given: Set<String>

  /// Creates a step.
  ///
  /// - Parameters:
  ///   - version: the `version` of the model that the step leads to.
  ///   - names: entities, and properties as `Entity.property`, whose old objects or values are not kept, by their old or new names. In
  ///     the new store, they have no objects, or no values except defaults, until the step gives them some. They may change in every
  ///     way: a type, an identity, the destination of a relationship. An entity stands also for its sub-entities, and for the
  ///     relationships to it.
  ///   - body: moves the data. It is called on the thread that opens the store, and its errors are part of the ``StoreError`` that
  ///     the call throws.
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
