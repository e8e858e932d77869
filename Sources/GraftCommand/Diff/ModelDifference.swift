import Graft
import GraftSQLite

/// The difference between two versions of a model.
struct ModelDifference {
  /// The migration of a store of the old version. A migration follows the same plan.
  let plan: SQLiteStore.MigrationPlan
  /// Names that were probably changed without `renamedFrom`.
  let advice: [String]
  /// The effects on payloads of the old version.
  let payloads: [PayloadDifference]

  init(from old: ManagedObjectModel, to new: ManagedObjectModel) {
    plan = SQLiteStore.migrationPlan(from: old, to: new)
    advice = RenamingAdvice(old.contents, new.contents, plan).advice
    var comparison = PayloadComparison(old.contents, new.contents, plan)
    comparison.run()
    payloads = comparison.differences
  }

  /// Whether there is no difference that stores or payloads depend on.
  var isEmpty: Bool {
    plan.changes.isEmpty && plan.refusals.isEmpty && plan.conditionalRefusals.isEmpty && payloads.isEmpty
  }

  /// Returns the differences with the given effect.
  func payloads(_ effect: PayloadDifference.Effect) -> [PayloadDifference] { payloads.filter { $0.effect == effect } }

  /// The difference in the form that `--format json` prints.
  var json: JSON {
    func refusals(_ refusals: [Diagnostic]) -> JSON {
      .array(refusals.map { .object(["message": .string($0.message)] + ModelDifference.members($0.location)) })
    }
    return [
      "store": [
        "isPossible": .boolean(plan.isPossible),
        "changes": .array(plan.changes.map(JSON.string)),
        "advice": .array(advice.map(JSON.string)),
        "conditionalRefusals": refusals(plan.conditionalRefusals),
        "refusals": refusals(plan.refusals),
      ],
      "payloads": .array(payloads.map(\.json)),
    ]
  }

  fileprivate static func members(_ location: SourceLocation?) -> JSONObject {
    [
      "file": location.map { .string($0.file) } ?? .null,
      "line": location.map { .number(JSONNumber($0.line)) } ?? .null,
      "column": location.map { .number(JSONNumber($0.column)) } ?? .null,
    ]
  }
}

/// A difference that matters to payloads that were written for the old version of a model.
struct PayloadDifference {
  /// The effect on such payloads.
  enum Effect: String, CaseIterable {
    /// An import may reject them.
    case rejected
    /// They are imported, with a different result.
    case different
  }

  let effect: Effect
  let entity: String
  /// The attribute or relationship; nil if the difference is about the entity.
  let property: String?
  let message: String
  /// The declaration in the new model, or in the old one if there is none.
  let location: SourceLocation?

  /// The message, after its location.
  var line: String { (location.map { "\($0.file):\($0.line):\($0.column): " } ?? "") + message }

  fileprivate var json: JSON {
    .object(
      [
        "effect": .string(effect.rawValue),
        "entity": .string(entity),
        "property": property.map(JSON.string) ?? .null,
        "message": .string(message),
      ] + ModelDifference.members(location))
  }
}

extension JSONObject {
  /// Returns the members of one object, followed by the members of another object with different keys.
  fileprivate static func + (left: JSONObject, right: JSONObject) -> JSONObject {
    JSONObject(left.members + right.members)
  }
}
