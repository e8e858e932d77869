/// The result of an import (I12): the number of affected objects of each entity and, on request, the changes of each object.
///
///     let report = try context.importJSON(data, ofEntity: "Hero")
///     print(report.inserted["Hero"] ?? 0, "new heroes")
///     print(report)                                   // Hero: 4 inserted, 1 placeholder
///
/// If several payloads are imported together, an object is counted once: inserted takes precedence over updated, and a
/// placeholder that was created and filled is counted as inserted (D10).
///
/// A report describes the difference between the graphs before and after. An object that differs is in exactly one of ``inserted``,
/// ``updated``, ``placeholders``, ``filled``, ``unlinked`` and ``deleted``, unless it merely gained links through an inverse. An object
/// that is deleted and then inserted again with the same identity is another object, and both are reported.
public struct ImportReport: Sendable, Equatable {
  /// The number of new objects, by entity name. Here and below, entities without any such objects are omitted.
  public internal(set) var inserted: [String: Int] = [:]
  /// Objects that a dictionary described or a hook changed, and that now differ in a value or in the objects of a relationship, whichever
  /// side of the relationship the payload names. Placeholders that became placeholders of a sub-entity are included.
  ///
  /// An object that merely gained links through an inverse is not updated (D10): those links are reported for the object at
  /// their other end.
  ///
  /// If a payload describes objects without identity again, it replaces them. If a replaced object and the new one have equal contents,
  /// objects that refer to them are not counted as updated, because no link is lost or gained. With several payloads or batches,
  /// contents are compared within each of them.
  ///
  /// A change that another dictionary reverses is not a change. For several payloads, and for the batches of a stream, this
  /// applies within each of them; with ``ImportOptions/reportsDetails``, it applies to the whole run.
  public internal(set) var updated: [String: Int] = [:]
  /// Objects that a dictionary described and that did not change, except for links that they gained through an inverse.
  public internal(set) var unchanged: [String: Int] = [:]
  /// New objects known only by their identifier.
  public internal(set) var placeholders: [String: Int] = [:]
  /// Placeholders of earlier imports that a dictionary filled.
  public internal(set) var filled: [String: Int] = [:]
  /// Objects that no dictionary described and that lost a link: a relationship no longer contains them, another object took over the
  /// object they were linked to, or that object was deleted. Known only with ``ImportOptions/reportsDetails``.
  ///
  /// If the relationship that no longer contains an object has no inverse, the object itself may be unchanged.
  public internal(set) var unlinked: [String: Int] = [:]
  /// Objects that the import deleted: objects that a dictionary marks as deleted (`deletedWhen`), orphans, objects that a part with
  /// ``ImportPart/missing`` no longer mentions, and objects that delete rules deleted along with them.
  public internal(set) var deleted: [String: Int] = [:]
  /// The number of skipped values, by entity: identifiers of unknown objects (`unresolvedRule: skip`), nulls in lists, and
  /// dictionaries that a hook skips, that a mapper does not list (`otherwise: null`), that are not newer than the stored object
  /// (`modificationAttribute`), or that are marked as deleted (`deletedWhen`) although the object does not exist or is newer.
  public internal(set) var skipped: [String: Int] = [:]
  /// Keys that the model does not map, with ``ImportOptions/UnknownKeys/report``, in order of occurrence: each key once for
  /// each entity, and at most 1,000 keys.
  public internal(set) var unknownKeys: [UnknownKey] = []
  /// What happened to each object, in payload order, with ``ImportOptions/reportsDetails``. Unchanged objects are only counted.
  public internal(set) var details: [ObjectReport] = []

  /// Elements that were skipped because they contain errors, with ``ImportOptions/faultyElements``, in payload order.
  public internal(set) var faultyElements: [FaultyElement] = []
  /// Probable mistakes that did not make the import fail, each with its location and a way to fix it.
  ///
  ///     print(DiagnosticRenderer().render(report.warnings))
  ///
  /// The errors of ``faultyElements`` are included. Repeated warnings of one kind are combined into one warning with a count.
  public internal(set) var warnings: [Diagnostic] = []

  var entityNames: [String] = []

  /// Creates an empty report.
  package init() {}

  /// A key that the model does not map.
  public struct UnknownKey: Sendable, Hashable {
    /// The key.
    public let key: String
    /// The entity of the objects that have the key. If several objects share a dictionary, the entity with the most similar key, or the
    /// first entity.
    public let entityName: String
    /// The number of the key's occurrences.
    public internal(set) var count: Int
    /// The JSON path of the key's first occurrence (D7).
    public let path: String
    /// The line of the key's first occurrence, from 1; nil for payloads that are not text. In JSON Lines, paths start at each line.
    public let line: Int?
    /// The name of the payload that contains the key's first occurrence, as in ``ImportOptions/sourceName``.
    public let sourceName: String
  }

  /// An element of a payload that was skipped because it contains errors.
  public struct FaultyElement: Sendable, Equatable {
    /// The entity of the list that contains the element.
    public let entityName: String
    /// The JSON path of the element ([D7](doc:Rules#D7)).
    public let path: String
    /// The line of that location, from 1; nil for payloads that are not text. In JSON Lines, paths start at each line.
    public let line: Int?
    /// The name of the payload, as in ``ImportOptions/sourceName``.
    public let sourceName: String
    /// Everything that is wrong with the element.
    public internal(set) var diagnostics: [Diagnostic]
  }

  /// The effect of an import on one object.
  public struct ObjectReport: Sendable, Equatable {
    /// What an import can do to an object.
    public enum Outcome: String, Sendable, CaseIterable {
      case inserted, updated, placeholder, filled, unlinked, deleted, skipped
    }

    /// The readable name of the object: `Hero(1699)`. A deleted object keeps its last name.
    public let name: String
    /// The previous name of the object, if it differs: its placeholder became a placeholder of a sub-entity, a hook changed its identity,
    /// or it has no identity, and the numbers of such objects changed.
    public internal(set) var previousName: String?
    /// The object's entity.
    public let entityName: String
    /// What happened to the object.
    public internal(set) var outcome: Outcome
    /// The JSON path at which the payload describes the object, or mentions the cause of the change (D7).
    public let path: String
    /// The line of that location, from 1; nil for payloads that are not text. In JSON Lines, paths start at each line.
    public let line: Int?
    /// The name of the payload, as in ``ImportOptions/sourceName``.
    public let sourceName: String
    /// The changed properties, in model order: exactly the differences between the dumps before and after. Empty for new and deleted
    /// objects.
    public internal(set) var changes: [PropertyReport] = []
  }

  /// A property that changed.
  public struct PropertyReport: Sendable, Equatable {
    /// The property's name in the model.
    public let name: String
    /// The old value, in stored form; objects are represented by their names. A sensitive value is `<hidden>` ([M29](doc:Rules#M29)).
    public let old: JSON
    /// The new value.
    public let new: JSON
  }
}
