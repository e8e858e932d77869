/// What an import did (I12): how many objects of each entity, and on request what changed in each of them.
///
///     let report = try context.importJSON(data, ofEntity: "Hero")
///     print(report.inserted["Hero"] ?? 0, "new heroes")
///     print(report)                                   // Hero: 4 inserted, 1 placeholder
///
/// Of several payloads that run as one, an object counts once: inserted beats updated, and a placeholder that was made and
/// filled is inserted (D10).
///
/// A report tells the difference between the graphs before and after: an object that differs is in exactly one of
/// ``inserted``, ``updated``, ``placeholders``, ``filled``, ``unlinked`` and ``deleted``, unless it merely gained links through
/// an inverse. An object that is deleted and then inserted again with the same identity is another object, and both are told.
public struct ImportReport: Sendable, Equatable {
  /// Objects that are new, by entity name. Here and below, entities without any are left out.
  public internal(set) var inserted: [String: Int] = [:]
  /// Objects that a dictionary described, or a hook changed, and that are not as they were: a value differs, or a relationship
  /// leads elsewhere, whichever side of it the payload names. Placeholders that became those of a sub-entity are among them.
  ///
  /// An object that merely gained links through an inverse is not updated (D10): those links are told of the object at their
  /// other end.
  ///
  /// A payload that describes objects without identity again replaces them. If an object that was replaced and the new one have
  /// equal contents, the objects that lead to them are not updated for that: a link from one to the other is neither lost nor
  /// gained. With several payloads or batches, contents are compared within each of them.
  ///
  /// What one dictionary changes and another one changes back is no change. Of several payloads that run as one, and of the
  /// batches of a stream, this holds within each of them; with ``ImportOptions/reportsDetails``, it holds for the whole run.
  public internal(set) var updated: [String: Int] = [:]
  /// Objects that a dictionary described and that are as they were, but for links that they gained through an inverse.
  public internal(set) var unchanged: [String: Int] = [:]
  /// Objects that are new and known by their identifier only.
  public internal(set) var placeholders: [String: Int] = [:]
  /// Placeholders of earlier imports that a dictionary filled.
  public internal(set) var filled: [String: Int] = [:]
  /// Objects that no dictionary described and that lost a link: a relationship let go of them, another object took what they
  /// were linked to, or it was deleted. Only known with ``ImportOptions/reportsDetails``.
  ///
  /// If the relationship that let go of an object has no inverse, the object itself need not have changed.
  public internal(set) var unlinked: [String: Int] = [:]
  /// Objects that the import deleted: those that a dictionary marks as deleted (`deletedWhen`), orphans, those that a part with
  /// ``ImportPart/missing`` no longer mentions, and what delete rules took along.
  public internal(set) var deleted: [String: Int] = [:]
  /// What was skipped, by entity: identifiers of unknown objects (`unresolvedRule: skip`), nulls in lists, and dictionaries that
  /// a hook did not want, that a mapper does not list (`otherwise: null`), that are not newer than the stored object (`modificationAttribute`),
  /// or that are marked as deleted (`deletedWhen`) while there is no such object, or a newer one.
  public internal(set) var skipped: [String: Int] = [:]
  /// Keys that the model does not map, with ``ImportOptions/UnknownKeys/report``, in the order in which they were met: each
  /// once for each entity, the first 1,000 of them.
  public internal(set) var unknownKeys: [UnknownKey] = []
  /// What happened to which object, in payload order, with ``ImportOptions/reportsDetails``. Unchanged objects are only counted.
  public internal(set) var details: [ObjectReport] = []

  /// Elements that were skipped because they contain a fault, with ``ImportOptions/faultyElements``, in payload order.
  public internal(set) var faultyElements: [FaultyElement] = []
  /// What is probably wrong although the import succeeded, each with its place and a way to fix it.
  ///
  ///     print(DiagnosticRenderer().render(report.warnings))
  ///
  /// The faults of ``faultyElements`` are among them. Warnings of one kind are one warning with a count.
  public internal(set) var warnings: [Diagnostic] = []

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

  /// An element of a payload that was skipped because it contains a fault.
  public struct FaultyElement: Sendable, Equatable {
    /// The entity of the list that contains the element.
    public let entityName: String
    /// The JSON path of the element ([D7](doc:Rules#D7)).
    public let path: String
    /// The line of that place, from 1; nil for payloads that are not text. In JSON Lines, paths begin anew in each line.
    public let line: Int?
    /// The payload, as ``ImportOptions/sourceName`` calls it.
    public let sourceName: String
    /// Everything that is wrong with the element.
    public internal(set) var diagnostics: [Diagnostic]
  }

  /// What happened to one object.
  public struct ObjectReport: Sendable, Equatable {
    /// The kinds of things that happen to objects.
    public enum Outcome: String, Sendable, CaseIterable {
      case inserted, updated, placeholder, filled, unlinked, deleted, skipped
    }

    /// What people call the object: `Hero(1699)`. A deleted object has the name that it had.
    public let name: String
    /// What it was called before, if that differs: its placeholder became one of a sub-entity, a hook changed its identity, or
    /// it has none, and the numbers of such objects changed.
    public internal(set) var previousName: String?
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
    /// What is not as it was, in model order: exactly what differs between a dump of before and one of after. Empty for
    /// objects that are new or deleted.
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
