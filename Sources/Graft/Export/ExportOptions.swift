#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The options of an export (E1, E2).
///
///     try jsonData(from: heroes, options: ExportOptions(sharedObjects: .once, omitsNil: true))
public struct ExportOptions: Sendable {
  /// What to do with an object that is reached more than once.
  public enum SharedObjects: String, Sendable, CaseIterable {
    /// Write the object in full each time, so that importing the export produces the same graph (E4).
    case full
    /// Write the object in full once for each root, and as its identifier after that. The size of the export is then linear in the number
    /// of objects.
    case once
  }

  /// What to do with a relationship that cannot be written completely.
  public enum IncompleteRelationships: String, Sendable, CaseIterable {
    /// Omit the relationship and its key, so that importing the export leaves it unchanged.
    case omit
    /// Throw an ``ExportError`` that names the object, the relationship and what to do.
    case error
  }

  /// The division of the text into lines.
  private enum Layout { case compact, indented, lines }

  private var layout = Layout.compact
  /// What to do with an object that is reached more than once.
  public var sharedObjects: SharedObjects
  /// Whether nil attributes and empty to-one relationships are omitted; otherwise they are null.
  public var omitsNil: Bool
  /// Whether keys are sorted by their bytes; otherwise they are in model order.
  public var sortsKeys: Bool
  /// Whether each member and element is on its own line, indented by two spaces; otherwise JSON is compact.
  public var indents: Bool {
    get { layout == .indented }
    set { if layout != .lines { layout = newValue ? .indented : .compact } }
  }
  /// Whether each object is written as a separate document on its own line, instead of as an element of an array. This is JSON Lines, which
  /// other programs can read and append to line by line.
  ///
  ///     try writeJSON(from: heroes, to: file, options: ExportOptions(writesLines: true))
  ///
  /// There are no blank lines, the last line also ends with a line break, and ``indents`` has no effect. Each line is imported
  /// separately, with everything that the object contains. Functions that return dictionaries ignore this option.
  public var writesLines: Bool {
    get { layout == .lines }
    set { if newValue || layout == .lines { layout = newValue ? .lines : .compact } }
  }
  /// Whether related objects are written as their identifiers only.
  public var identifiersOnly: Bool
  /// Whether an array has only the objects that no other object of the array contains: the roots of a tree, whose other nodes are
  /// written inside them.
  ///
  /// An object contains the objects that its relationships write as objects, and their contents. A relationship is disregarded if its
  /// inverse is a to-many relationship that is also written, because the inverse would be omitted inside the contained object. If objects
  /// contain each other, the first one is written. An object is also an element of the array if it could not be written completely inside
  /// another object, such as below a depth limit, or if an import could not determine its entity there. The cost is linear in the number
  /// of contained objects. If they are nested deeper than ``maxDepth``, it also grows with the ratio of their depth to that limit.
  public var rootsOnly: Bool
  /// The properties to write, by entity name. The entry of an entity also applies to its sub-entities, unless they have their own
  /// entry; entities without an entry are written completely. Identity attributes and a to-one relationship at `@value` are always
  /// written.
  public var properties: [String: Set<String>]
  /// The form of relationships in this export, by entity and relationship, regardless of the `JSONRepresentation` in the
  /// model: `["Hero": ["powers": .identifier]]`. The entry of an entity also applies to its sub-entities, unless they have
  /// their own entry for the relationship. A name that the model does not have is an error.
  public var representations: [String: [String: RelationshipDescription.JSONRepresentation]]
  /// The maximum nesting depth of arrays and objects, including those of key paths and `json` values. The default is 512, the
  /// same as the default limit of an import.
  ///
  /// Everything within this depth is written. If an object or one of its attributes is below this depth, the object is written as its
  /// identifier. If it has no identifier, the relationship that contains it is incomplete; see ``incompleteRelationships``. The values
  /// of a root object are never omitted: if they are nested deeper, and the object cannot be written as an identifier in an array, the
  /// export throws an ``ExportError``.
  public var maxDepth: Int
  /// The maximum number of objects to write, counted each time they are written; nil means 1,000,000 plus 16 times the number
  /// of objects in the graph.
  public var maxObjects: Int?
  /// The maximum number of bytes to write, without indentation; nil means no limit.
  public var maxBytes: Int?
  /// What to do with a relationship if one of its objects cannot be written. `.omit` by default.
  ///
  /// The object that cannot be written can be an object below the depth limit without an identifier, a placeholder in a collection by
  /// keys, an object without identity where an identifier is required, or an object that is already being written at an outer level and
  /// has no identifier. A relationship is never written with some of its objects missing, because importing the export would remove
  /// them (E5). If the owner has no identity either, an import would insert it again, incompletely, so the relationship that contains
  /// the owner is also incomplete.
  public var incompleteRelationships: IncompleteRelationships
  /// The names of these options in messages.
  package var words = OptionWords.library
  /// The number of bytes in each piece of an export, or more if an element is longer.
  package var pieceLength = 1 << 16

  /// Creates options, with default values for omitted parameters.
  public init(
    sharedObjects: SharedObjects = .full, omitsNil: Bool = false, sortsKeys: Bool = false,
    indents: Bool = false, writesLines: Bool = false, identifiersOnly: Bool = false, rootsOnly: Bool = false,
    properties: [String: Set<String>] = [:],
    representations: [String: [String: RelationshipDescription.JSONRepresentation]] = [:], maxDepth: Int = 512,
    maxObjects: Int? = nil, maxBytes: Int? = nil, incompleteRelationships: IncompleteRelationships = .omit
  ) {
    self.sharedObjects = sharedObjects
    self.omitsNil = omitsNil
    self.sortsKeys = sortsKeys
    layout = writesLines ? .lines : indents ? .indented : .compact
    self.identifiersOnly = identifiersOnly
    self.rootsOnly = rootsOnly
    self.properties = properties
    self.representations = representations
    self.maxDepth = maxDepth
    self.maxObjects = maxObjects
    self.maxBytes = maxBytes
    self.incompleteRelationships = incompleteRelationships
  }
}

/// The error thrown by an export: an exceeded limit, a failed transformer, or a store that could not be read.
public struct ExportError: DiagnosticError {
  /// The diagnostics: exactly one error.
  public let diagnostics: [Diagnostic]
  /// The error that a transformer or the store threw, if one did.
  public let underlyingError: (any Error)?

  /// - Parameter path: the location in the export, as a JSON path (D7).
  package init(
    code: DiagnosticCode, _ message: String, path: String? = nil, suggestion: String? = nil,
    underlyingError: (any Error)? = nil
  ) {
    var diagnostic = Diagnostic(.error, code: code, message, path: path, suggestion: suggestion)
    diagnostic.document = "<export>"
    self.init(diagnostics: [diagnostic], underlyingError: underlyingError)
  }

  package init(diagnostics: [Diagnostic], underlyingError: (any Error)?) {
    self.diagnostics = diagnostics
    self.underlyingError = underlyingError
  }
}
