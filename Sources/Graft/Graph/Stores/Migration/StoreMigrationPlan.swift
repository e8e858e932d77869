/// The changes that opening a store with a model would make, or the reasons why it cannot be opened.
///
///     let plan = try SQLiteStore.migrationPlan(at: url, to: model)
///     print(plan)      // add 'Item.color'; rename the entity 'Producer' to 'Maker'
public struct StoreMigrationPlan: Sendable, CustomStringConvertible {
  /// The changes, one sentence each, in the order of the model; empty if the store fits the model.
  public internal(set) var changes: [String] = []
  /// The number of changes that add an entity.
  var addedEntities = 0
  /// The changes that remove objects or values from the store.
  public internal(set) var removals: [String] = []
  /// Whether the tables stay unchanged, so programs with the former model can still use the store. In that case, the models differ only in
  /// rules for values and in indexes.
  package internal(set) var keepsTables = true
  /// The differences that cannot be migrated, and removals without consent. A store with such differences is neither opened
  /// nor changed.
  public internal(set) var refusals: [Diagnostic] = []

  /// The differences that cannot be migrated if the store has objects that they affect. Only a plan for two models has such
  /// differences, because the objects of an existing store are known.
  public internal(set) var conditionalRefusals: [Diagnostic] = []

  /// Whether values are moved or converted, which can fail for some values. A plan does not attempt the conversion.
  public internal(set) var movesData = false

  /// Names that the call allows to be removed, but that the store does not have, with similar names in the store.
  package internal(set) var unknownRemovals: [(name: String, nearest: String?)] = []

  /// The former name of each entity that existed before, by its new name.
  package internal(set) var formerEntities: [String: String] = [:]
  /// The former name of each property that existed before, by its new name. Both have the form `Entity.property`, with the entity that
  /// declares the property.
  package internal(set) var formerProperties: [String: String] = [:]

  /// Creates an empty plan, for a store that fits the model.
  package init() {}

  /// Whether the store, or every store of the old model, can be opened with the new model.
  public var isPossible: Bool { refusals.isEmpty && conditionalRefusals.isEmpty }

  /// Whether no existing table changes.
  var onlyAddsEntities: Bool { changes.count == addedEntities }

  var problemCount: Int { refusals.count + conditionalRefusals.count }

  /// The changes and the refusals, one per line.
  public var description: String {
    (changes + (refusals + conditionalRefusals).map(\.description)).joined(separator: "\n")
  }

  /// The error for a store that is not opened; nil if the store can be opened.
  ///
  /// - Parameter name: the name of the store.
  package func error(ofStore name: String) -> StoreError? {
    guard !refusals.isEmpty else { return nil }
    let count = refusals.count == 1 ? "a way" : "\(refusals.count) ways"
    let summary = Diagnostic(
      code: .incompatibleModel,
      "the store '\(name)' cannot be opened: its model differs from the given one in \(count) that cannot be migrated; it was not changed"
    )
    return StoreError([summary] + refusals)
  }
}
