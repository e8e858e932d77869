/// What an import did (I12): how many objects of each entity, and on request what changed in each of them.
///
///     let report = try context.importJSON(data, into: "Hero")
///     print(report.inserted["Hero"] ?? 0, "new heroes")
///     print(report)                                   // Hero: 4 inserted, 1 placeholder
///
/// Of several payloads that run as one, an object counts once: inserted beats updated, and a placeholder that was made and
/// filled is inserted (D10).
public struct ImportReport: Sendable, Equatable {
  /// Objects that are new, by entity name. Here and below, entities without any are left out.
  public internal(set) var inserted: [String: Int] = [:]
  /// Objects that a dictionary described and that changed.
  public internal(set) var updated: [String: Int] = [:]
  /// Objects that a dictionary described and that were so already.
  public internal(set) var unchanged: [String: Int] = [:]
  /// Objects that are new and known by their identifier only.
  public internal(set) var placeholders: [String: Int] = [:]
  /// Placeholders of earlier imports that a dictionary filled.
  public internal(set) var filled: [String: Int] = [:]
  /// Objects that no dictionary described and that lost a link: a relationship let go of them, or somebody took what they were
  /// linked to. Only known with ``ImportOptions/reportsDetails``.
  public internal(set) var unlinked: [String: Int] = [:]
  /// Objects that the import deleted: orphans, those that a part with ``ImportPart/missing`` no longer mentions, and what delete
  /// rules took along.
  public internal(set) var deleted: [String: Int] = [:]
  /// Identifiers that were passed over because nobody knows them (`unresolvedRule: skip`), by the entity they stand for.
  public internal(set) var skipped: [String: Int] = [:]
  /// Keys that the model does not map, with ``ImportOptions/UnknownKeys/report``, in the order in which they were met: each
  /// once for each entity, the first 1,000 of them.
  public internal(set) var unknownKeys: [UnknownKey] = []
  /// What happened to which object, in payload order, with ``ImportOptions/reportsDetails``. Unchanged objects are only counted.
  public internal(set) var details: [ObjectReport] = []

  var entityNames: [String] = []

  /// A report of nothing.
  package init() {}

  /// A key that the model does not map.
  public struct UnknownKey: Sendable, Hashable {
    /// The key.
    public let key: String
    /// The entity of the objects that have it.
    public let entityName: String
    /// How often it occurs.
    public internal(set) var count: Int
    /// The JSON path of its first occurrence (D7).
    public let path: String
    /// The line of its first occurrence, from 1; nil for payloads that are not text. In JSON Lines, paths begin anew in each line.
    public let line: Int?
    /// The payload of its first occurrence, as ``ImportOptions/sourceName`` calls it.
    public let sourceName: String
  }

  /// What happened to one object.
  public struct ObjectReport: Sendable, Equatable {
    /// The kinds of things that happen to objects.
    public enum Outcome: String, Sendable, CaseIterable {
      case inserted, updated, placeholder, filled, unlinked, deleted, skipped
    }

    /// What people call the object: `Hero(1699)`.
    public let name: String
    /// Its entity.
    public let entityName: String
    /// What happened to it.
    public internal(set) var outcome: Outcome
    /// The JSON path at which the payload describes it, or mentions what led to the change (D7).
    public let path: String
    /// The line of that place, from 1; nil for payloads that are not text. In JSON Lines, paths begin anew in each line.
    public let line: Int?
    /// The payload, as ``ImportOptions/sourceName`` calls it.
    public let sourceName: String
    /// What is not as it was, in model order. Empty for objects that are new.
    public internal(set) var changes: [PropertyReport] = []
  }

  /// A property that changed.
  public struct PropertyReport: Sendable, Equatable {
    /// The property's name in the model.
    public let name: String
    /// What it was, in stored form; objects by their names.
    public let old: JSON
    /// What it is now.
    public let new: JSON
  }
}
