/// What changed in a context: data that can go anywhere (C2, C3).
///
///     for update in context.changes.updated {
///       print(update.id, update.properties.map(\.name))        // Hero(1699) ["name", "powers"]
///     }
///
/// Objects are named by their ids; ``ManagedObjectContext/find(_:)-(ManagedObjectID)`` gives the objects. An object that was
/// inserted and deleted again is not mentioned, nor is a property that was changed and changed back. Objects at the other end of
/// a link are named as they are called now; deleted ones as they were called before.
public struct ContextChanges: Sendable, Hashable {
  /// What made the changes.
  public enum Cause: String, Sendable, Hashable {
    /// Nothing yet: they wait for ``ManagedObjectContext/commit()``.
    case pending
    /// ``ManagedObjectContext/commit()``.
    case commit
    /// An import, which commits what was changed before it, too.
    case `import`
    /// ``ManagedObjectContext/rollBack()``: the opposite of what was pending. What was committed is as it was.
    case rollBack
    /// ``ManagedObjectContext/reset()``: everything is gone.
    case reset
    /// ``ManagedObjectContext/restore(_:)``: the difference between before and after.
    case restore
  }

  /// What made the changes.
  public let cause: Cause
  /// Objects that are new, by entity in the order of insertion.
  public internal(set) var inserted: [ManagedObjectID] = []
  /// Objects whose values or links changed, or placeholders that became full objects.
  public internal(set) var updated: [Update] = []
  /// Objects that were deleted, as they were called before.
  public internal(set) var deleted: [ManagedObjectID] = []

  init(_ cause: Cause) { self.cause = cause }

  /// Whether nothing changed.
  public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

  /// What changed in one object.
  public struct Update: Sendable, Hashable {
    /// The object, as it is called now.
    public let id: ManagedObjectID
    /// The object, as it was called before: another id where an identity attribute changed.
    public let previousID: ManagedObjectID
    /// Whether it was a placeholder before, and is a full object now (I4).
    public let filledPlaceholder: Bool
    /// The properties that changed, in the order of the model.
    public let properties: [Property]

    /// What changed in a property; nil if it is as it was.
    public subscript(name: String) -> Change? { properties.first { $0.name == name }?.change }
  }

  /// A property that changed.
  public struct Property: Sendable, Hashable {
    /// The property's name.
    public let name: String
    /// What it was and what it is.
    public let change: Change
  }

  /// What a property was and what it is.
  public enum Change: Sendable, Hashable {
    /// An attribute; nil means nil.
    case attribute(old: AttributeValue?, new: AttributeValue?)
    /// A to-one relationship.
    case toOne(old: ManagedObjectID?, new: ManagedObjectID?)
    /// A to-many relationship: what came and what went, in its order. Both are empty where only the order changed.
    case toMany(inserted: [ManagedObjectID], removed: [ManagedObjectID])
  }
}

extension ContextChanges: CustomStringConvertible {
  /// A line for each object: `+ Hero(1)`, `- Hero(2)`, and `Hero(3) name: "Batman" -> "Bruce"`.
  public var description: String {
    let lines = inserted.map { "+ \($0)" } + updated.map(\.description) + deleted.map { "- \($0)" }
    return lines.isEmpty ? "no changes" : lines.joined(separator: "\n")
  }
}

extension ContextChanges.Update: CustomStringConvertible {
  /// The object and its changes: `Hero(3) name: "Batman" -> "Bruce", powers: + Power(4)`.
  public var description: String {
    let words = (filledPlaceholder ? ["placeholder filled"] : []) + properties.map { "\($0.name): \($0.change)" }
    return "\(id) \(words.joined(separator: ", "))"
  }
}

extension ContextChanges.Change: CustomStringConvertible {
  /// `old -> new`, or what came and what went: `+ Power(4) - Power(9)`.
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
  /// The opposite: what taking these changes back does. Rows that were inserted are no more, and those that were deleted are
  /// there again.
  func reversed(_ cause: ContextChanges.Cause) -> PlacedChanges {
    PlacedChanges(changes: changes.reversed(cause), updated: updated)
  }
}

extension ContextChanges {
  /// The opposite: what taking these changes back does.
  func reversed(_ cause: Cause) -> ContextChanges {
    var reversed = ContextChanges(cause)
    let names = Dictionary(updated.lazy.filter { $0.id != $0.previousID }.map { ($0.id, $0.previousID) }) { $1 }
    reversed.inserted = deleted
    reversed.deleted = inserted
    reversed.updated = updated.map { update in
      Update(
        id: update.previousID, previousID: update.id, filledPlaceholder: false,
        properties: update.properties.map { Property(name: $0.name, change: $0.change.reversed { names[$0] ?? $0 }) })
    }
    return reversed
  }
}

extension ContextChanges.Change {
  /// - Parameter former: what an object was called before.
  fileprivate func reversed(_ former: (ManagedObjectID) -> ManagedObjectID) -> ContextChanges.Change {
    switch self {
    case .attribute(let old, let new): .attribute(old: new, new: old)
    case .toOne(let old, let new): .toOne(old: new.map(former), new: old.map(former))
    case .toMany(let inserted, let removed): .toMany(inserted: removed.map(former), removed: inserted.map(former))
    }
  }
}
