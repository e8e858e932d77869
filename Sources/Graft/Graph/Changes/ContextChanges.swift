/// The changes in a context, as Sendable data.
///
///     for update in context.changes.updated {
///       print(update.id, update.properties.map(\.name))        // Hero(1699) ["name", "powers"]
///     }
///
/// Objects are identified by ID; call ``ManagedObjectContext/find(_:)-(ManagedObjectID)`` for the objects themselves. An object that
/// was inserted and deleted again is omitted, as is a property that was changed and changed back. Linked objects are identified by
/// their current IDs, and deleted objects by their previous IDs.
///
/// ``ManagedObjectContext/merge(_:)`` repeats committed changes in another context.
public struct ContextChanges: Sendable, Hashable {
  /// The cause of changes.
  public enum Cause: String, Sendable, Hashable {
    /// No cause yet: the changes have not been committed with ``ManagedObjectContext/commit()``.
    case pending
    /// ``ManagedObjectContext/commit()``.
    case commit
    /// An import, which also commits earlier changes.
    case `import`
    /// ``ManagedObjectContext/rollBack()``, which reverses the pending changes. Committed changes are not affected.
    case rollBack
    /// ``ManagedObjectContext/reset()``, which removes everything.
    case reset
    /// ``ManagedObjectContext/merge()``: the changes that other contexts or processes wrote to the store.
    case merge
    /// ``ManagedObjectContext/restore(_:)``: the difference between the graphs before and after.
    case restore
  }

  /// The cause of the changes.
  public let cause: Cause
  /// The inserted objects, by entity and in insertion order.
  public internal(set) var inserted: [ManagedObjectID] = []
  /// Objects whose values or links changed, and placeholders that became full objects.
  public internal(set) var updated: [Update] = []
  /// The deleted objects, identified by their previous IDs.
  public internal(set) var deleted: [ManagedObjectID] = []
  /// The data for ``ManagedObjectContext/merge(_:)``; nil for changes that were not committed.
  var objects: ChangedObjects?

  init(_ cause: Cause) { self.cause = cause }

  /// Returns whether two sets of changes are equal.
  public static func == (left: ContextChanges, right: ContextChanges) -> Bool {
    left.cause == right.cause && left.inserted == right.inserted && left.updated == right.updated
      && left.deleted == right.deleted
  }

  /// Replaces the data of the given objects.
  mutating func replace(_ changed: [ChangedObject], _ model: ManagedObjectModel) {
    if changed.isEmpty { return }
    let ids = Set(changed.map(\.id))
    objects = ChangedObjects(model, (objects?.objects ?? []).filter { !ids.contains($0.id) } + changed)
  }

  /// Hashes the cause, and the inserted, updated and deleted objects.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(cause)
    hasher.combine(inserted)
    hasher.combine(updated)
    hasher.combine(deleted)
  }

  /// Whether nothing changed.
  public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

  /// The changes of one object.
  public struct Update: Sendable, Hashable {
    /// The current ID of the object.
    public let id: ManagedObjectID
    /// The previous ID of the object, which differs if an identity attribute changed. If the object is identified inside an owner
    /// ([M12](doc:Rules#M12)), its ID also changes when the owner's ID changes, even if no property has changed.
    public let previousID: ManagedObjectID
    /// Whether the object was a placeholder and is now a full object.
    public let filledPlaceholder: Bool
    /// The changed properties, in model order.
    public let properties: [Property]

    /// The change of a property; nil if it did not change.
    public subscript(name: String) -> Change? { properties.first { $0.name == name }?.change }
  }

  /// A changed property.
  public struct Property: Sendable, Hashable {
    /// The property's name.
    public let name: String
    /// The old and new values.
    public let change: Change
    /// Whether the property is a sensitive attribute, whose values the description hides ([M29](doc:Rules#M29)).
    public let isSensitive: Bool

    init(_ property: PropertyPlan, _ change: Change) {
      self.init(name: property.name, change: change, isSensitive: property.attribute != nil && property.isSensitive)
    }

    init(name: String, change: Change, isSensitive: Bool) {
      self.name = name
      self.change = change
      self.isSensitive = isSensitive
    }
  }

  /// The old and new values of a property.
  public enum Change: Sendable, Hashable {
    /// An attribute; nil if it has no value.
    case attribute(old: AttributeValue?, new: AttributeValue?)
    /// A to-one relationship.
    case toOne(old: ManagedObjectID?, new: ManagedObjectID?)
    /// A to-many relationship: the added and removed objects, in order. Both are empty if only the order changed.
    case toMany(inserted: [ManagedObjectID], removed: [ManagedObjectID])
  }
}

extension ContextChanges: CustomStringConvertible {
  /// One line for each object: `+ Hero(1)`, `- Hero(2)`, and `Hero(3) name: "Batman" -> "Bruce"`.
  public var description: String {
    let lines = inserted.map { "+ \($0)" } + updated.map(\.description) + deleted.map { "- \($0)" }
    return lines.isEmpty ? "no changes" : lines.joined(separator: "\n")
  }
}

extension ContextChanges.Update: CustomStringConvertible {
  /// The object and its changes: `Hero(3) name: "Batman" -> "Bruce", powers: + Power(4)`.
  public var description: String {
    let words = (filledPlaceholder ? ["placeholder filled"] : []) + properties.map(\.description)
    return "\(id) \(words.joined(separator: ", "))"
  }
}

extension ContextChanges.Property: CustomStringConvertible {
  /// The name and the change: `name: "Batman" -> "Bruce"`.
  public var description: String {
    guard isSensitive, case .attribute(let old, let new) = change else { return "\(name): \(change)" }
    func shown(_ value: AttributeValue?) -> String { value == nil ? "nil" : HiddenValue.text }
    return "\(name): \(shown(old)) -> \(shown(new))"
  }
}

extension ContextChanges.Property: CustomReflectable {
  /// The description, so that Swift's `dump(_:)` reveals nothing more ([M29](doc:Rules#M29)).
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

extension ContextChanges.Change: CustomStringConvertible {
  /// `old -> new`, or the added and removed objects: `+ Power(4) - Power(9)`.
  public var description: String {
    switch self {
    case .attribute(let old, let new): "\(old?.description ?? "nil") -> \(new?.description ?? "nil")"
    case .toOne(let old, let new): "\(old?.description ?? "nil") -> \(new?.description ?? "nil")"
    case .toMany([], []): "reordered"
    case .toMany(let inserted, let removed):
      (inserted.map { "+ \($0)" } + removed.map { "- \($0)" }).joined(separator: " ")
    }
  }
}

extension PlacedChanges {
  /// Returns the reverse of these changes, as a rollback makes it. Inserted rows no longer exist, and deleted rows exist again.
  func reversed(_ cause: ContextChanges.Cause, _ plan: Plan) -> PlacedChanges {
    PlacedChanges(changes: changes.reversed(cause, plan), updated: updated)
  }
}

extension ContextChanges {
  /// Returns the reverse of these changes, as performed by a rollback.
  fileprivate func reversed(_ cause: Cause, _ plan: Plan) -> ContextChanges {
    var reversed = ContextChanges(cause)
    reversed.inserted = deleted
    reversed.deleted = inserted
    reversed.updated = updated.map { update in
      Update(
        id: update.previousID, previousID: update.id, filledPlaceholder: false,
        properties: update.formerProperties(plan).map {
          Property(name: $0.name, change: $0.change.reversed, isSensitive: $0.isSensitive)
        })
    }
    return reversed
  }
}

extension ContextChanges.Update {
  /// The properties that the object already had. If it became an object of a sub-entity, the properties of the sub-entity are omitted.
  fileprivate func formerProperties(_ plan: Plan) -> [ContextChanges.Property] {
    guard id.entityName != previousID.entityName, let former = plan.entity(named: previousID.entityName) else {
      return properties
    }
    let names = Set(former.properties.map(\.name))
    return properties.filter { names.contains($0.name) }
  }
}

extension ContextChanges.Change {
  fileprivate var reversed: ContextChanges.Change {
    switch self {
    case .attribute(let old, let new): .attribute(old: new, new: old)
    case .toOne(let old, let new): .toOne(old: new, new: old)
    case .toMany(let inserted, let removed): .toMany(inserted: removed, removed: inserted)
    }
  }
}
